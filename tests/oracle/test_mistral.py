"""Bodies for Mistral pass Mistral's own request validator, and the validator and our judge agree.

The validator has its own form of a chat: thinking is a text there, a prefix an argument. Bodies are spelled so before
they are judged. Of documents and references it knows nothing, so what holds some is not shown to it.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mistral_common")

from histories import histories
from hypothesis import given
from hypothesis import strategies as st
from judging import bodies, files
from lint_bodies import read
from mistral_common.exceptions import MistralCommonException
from mistral_common.protocol.instruct.request import ChatCompletionRequest
from mistral_common.protocol.instruct.validator import ValidationMode, get_validator
from mistral_common.tokens.tokenizers.base import TokenizerVersion
from pydantic import ValidationError
from spellings import spelled

from segue.apis import lint
from segue.errors import SegueError
from segue.options import Options
from segue.pipeline import convert

JUDGED = Path(__file__).parents[2] / "fixtures" / "lint" / "mistral-conversations"
MODELS = ("mistral/mistral-large-latest", "mistral/magistral-medium-latest", "mistral/codestral-latest")
VERSIONS = ("v11", "v13", "v15")
# What older models refuse, and the fixture's target does not: the first version that takes it.
NEWER = {"m-t1-newest-model": "v13", "m-r1": "v15", "m-m1-in-result": "v15"}
UNKNOWN_CHUNKS = ("document_url", "reference", "file")


def refusal(body: dict[str, Any], version: str) -> str | None:
    """Say why the validator of a generation of models refuses a body, None if it does not."""
    body = copy.deepcopy(body)
    messages = body.pop("messages")
    for message in messages:
        for chunk in _chunks(message):
            if chunk.get("type") == "thinking" and isinstance(chunk["thinking"], list):
                chunk["thinking"] = "".join(part["text"] for part in chunk["thinking"])
    is_prefix = bool(messages) and messages[-1].get("prefix") is True
    try:
        request = ChatCompletionRequest.from_openai(messages, continue_final_message=is_prefix, **body)
        get_validator(TokenizerVersion(version), ValidationMode.serving).validate_request(request)
    except (MistralCommonException, ValidationError, ValueError, TypeError, KeyError) as error:
        return f"{type(error).__name__}: {error}"[:2000]
    return None


def _chunks(message: Any) -> list[dict[str, Any]]:
    content = message.get("content") if isinstance(message, dict) else None
    return [chunk for chunk in content if isinstance(chunk, dict)] if isinstance(content, list) else []


def is_unknown(body: dict[str, Any]) -> bool:
    """Tell whether a body holds what the validator does not know."""
    messages = body.get("messages")
    return not isinstance(messages, list) or any(
        chunk.get("type") in UNKNOWN_CHUNKS for message in messages for chunk in _chunks(message)
    )


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_body_of_every_fixture_passes_the_validator(path: Path, model: str) -> None:
    try:
        outcome = convert(path.read_bytes(), Options(model, to="request"))
    except SegueError:
        return  # a damaged file, or one without a message: other tests say which
    known = [body for body in bodies(outcome.output) if not is_unknown(body)]
    closed = [body for body in known if body["messages"] and body["messages"][-1]["role"] != "assistant"]

    found = [fault for body in closed for version in VERSIONS if (fault := refusal(body, version))]

    assert found == []


@given(
    data=st.data(),
    model=st.sampled_from(MODELS),
    format=st.sampled_from(("pi-messages", "openai-chat", "anthropic-messages", "openai-responses")),
)
def test_body_of_any_history_passes_the_validator(data: st.DataObject, model: str, format: str) -> None:
    provider, _, name = model.partition("/")
    source = spelled(data.draw(histories((provider, "mistral-conversations", name))), format)
    options = Options(model, to="request", source_format=format, force=True, prompt="go on")
    try:
        outcome = convert(source, options)
    except SegueError:
        return
    body = json.loads(outcome.output)

    found = [] if is_unknown(body) else [fault for version in VERSIONS if (fault := refusal(body, version))]
    refused = [problem for problem in outcome.report.problems if problem.severity == "error"]

    assert found == []
    assert refused == []


@pytest.mark.parametrize("path", sorted(JUDGED.glob("*.good.json")), ids=lambda path: path.name.split(".")[0])
def test_validator_takes_every_body_that_the_judge_takes(path: Path) -> None:
    request, _, _ = read(path)
    first = VERSIONS.index(NEWER.get(path.name.split(".")[0], "v11"))

    found = [] if is_unknown(request) else [fault for one in VERSIONS[first:] if (fault := refusal(request, one))]

    assert found == []


@pytest.mark.parametrize("path", sorted(JUDGED.glob("*.bad.json")), ids=lambda path: path.name.split(".")[0])
def test_judge_finds_whatever_the_validator_finds(path: Path) -> None:
    request, target, _ = read(path)

    found = None if is_unknown(request) else refusal(request, "v11")
    problems = list(lint(request, target))

    assert problems or found is None


@pytest.mark.parametrize(
    "name",
    ["m-s1-alone", "m-s2", "m-s3", "m-s6", "m-t1", "m-t2", "m-t3", "m-t3-orphan", "m-t3-twice"],
)
def test_validator_refuses_what_the_judge_calls_an_error(name: str) -> None:
    request, target, expects = read(JUDGED / f"{name}.bad.json")

    found = refusal(request, "v11")
    problems = [problem for problem in lint(request, target) if problem.severity == "error"]

    assert found is not None
    assert {problem.rule for problem in problems} == {entry["rule"] for entry in expects}
