"""Bodies for OpenAI pass the parameter types of OpenAI's own SDK."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("openai")

from histories import histories
from hypothesis import given
from hypothesis import strategies as st
from judging import faults, foreign_files
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter
from spellings import spelled
from spoken import TARGETS
from walking import is_empty

from segue.errors import SegueError
from segue.options import Options
from segue.pipeline import convert

SPOKEN = [
    (model, api, path)
    for model, api, format in (
        ("openai/gpt-5.2", None, "openai-responses"),
        ("openai/gpt-4o", "openai-completions", "openai-chat"),
    )
    for path in foreign_files(format)
]
OWN = [target for target in TARGETS if target.model.startswith("openai/")]


@pytest.fixture(scope="module")
def adapters():
    return {
        "openai-chat": TypeAdapter(CompletionCreateParamsNonStreaming),
        "openai-responses": TypeAdapter(ResponseCreateParamsNonStreaming),
    }


@pytest.mark.parametrize(("model", "api", "path"), SPOKEN, ids=[f"{m}-{p.parent.name}-{p.stem}" for m, _, p in SPOKEN])
def test_body_of_every_fixture_passes_the_types(adapters, model, api, path):
    try:
        outcome = convert(path.read_bytes(), Options(model=model, api=api, to="request"))
    except SegueError:
        return  # a damaged file, or one without a message: other tests say which

    found = faults(adapters[outcome.format.name], _with_reasoning_ids(json.loads(outcome.output.splitlines()[0])))

    assert found is None


def _with_reasoning_ids(body):
    """Name the reasoning that has no id: Codex sends none, the server takes it so (rule O-R7), the types do not."""
    unnamed = [item for item in body.get("input", ()) if item.get("type") == "reasoning" and "id" not in item]
    for number, item in enumerate(unnamed):
        item["id"] = f"rs_{number}"
    return body


@given(data=st.data(), target=st.sampled_from(OWN), format=st.sampled_from(("pi-messages", "anthropic-messages")))
def test_body_of_any_history_passes_the_types(adapters, data, target, format):
    source = spelled(data.draw(histories(target.origin)), format)
    options = Options(model=target.model, api=target.api, to="request", source_format=format, force=True)
    try:
        outcome = convert(source, options)
    except SegueError:
        return
    body = json.loads(outcome.output)

    found = None if is_empty(outcome) else faults(adapters[outcome.format.name], body)

    assert found is None


@pytest.mark.parametrize("content", [None, [{"type": "hologram"}], [{"type": "output_text", "text": "x"}]])
def test_types_find_faults_deep_inside(adapters, content):
    body = {"model": "m", "input": [{"role": "user", "content": content}]}

    found = faults(adapters["openai-responses"], body)

    assert found is not None
