"""Bodies for Anthropic pass the parameter types of Anthropic's own SDK."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("anthropic")

from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from histories import histories
from hypothesis import given
from hypothesis import strategies as st
from judging import faults, foreign_files
from pydantic import TypeAdapter
from spellings import spelled
from spoken import TARGETS
from walking import is_empty

from segue.errors import SegueError
from segue.options import Options
from segue.pipeline import convert

OWN = [target for target in TARGETS if target.model.startswith("anthropic/")]


@pytest.fixture(scope="module")
def adapter():
    return TypeAdapter(MessageCreateParamsNonStreaming)


@pytest.mark.parametrize(
    "path", foreign_files("anthropic-messages"), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_body_of_every_fixture_passes_the_types(adapter, path):
    try:
        outcome = convert(path.read_bytes(), Options(model="anthropic/claude-opus-4-8", to="request"))
    except SegueError:
        return  # a damaged file, or one without a message: other tests say which

    found = faults(adapter, json.loads(outcome.output.splitlines()[0]))

    assert found is None


@given(
    data=st.data(),
    target=st.sampled_from(OWN),
    format=st.sampled_from(("pi-messages", "openai-chat", "openai-responses")),
)
def test_body_of_any_history_passes_the_types(adapter, data, target, format):
    source = spelled(data.draw(histories(target.origin)), format)
    try:
        outcome = convert(source, Options(model=target.model, to="request", source_format=format, force=True))
    except SegueError:
        return
    body = json.loads(outcome.output)

    found = None if is_empty(outcome) else faults(adapter, body)

    assert found is None


@pytest.mark.parametrize(
    "content", [None, [{"type": "text"}], [{"type": "hologram"}], [{"type": "tool_use", "id": "t", "name": "n"}]]
)
def test_types_find_faults_deep_inside(adapter, content):
    body = {"model": "m", "max_tokens": 1, "messages": [{"role": "assistant", "content": content}]}

    found = faults(adapter, body)

    assert found is not None
