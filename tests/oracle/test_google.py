"""Bodies for Gemini pass the types of Google's own SDK, and its types and our judge agree.

The documented stand-in for a thought signature is a plain string where the types want base64. It passes all the same,
on the wire as here: its letters and underscores happen to be base64 in the alphabet of addresses.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("google.genai")

from google.genai import types
from histories import histories
from hypothesis import given
from hypothesis import strategies as st
from judging import bodies, faults, files
from lint_bodies import read
from pydantic import TypeAdapter
from spellings import spelled

from segue.apis import lint
from segue.errors import SegueError
from segue.options import Options
from segue.pipeline import convert

JUDGED = Path(__file__).parents[2] / "fixtures" / "lint" / "google-generative-ai"
MODELS = ("google/gemini-2.5-pro", "google/gemini-3-pro-preview", "google-vertex/gemini-3.5-flash")
# By key, in the spelling of the body: what stands under it.
SHAPES: dict[str, Any] = {
    "contents": list[types.Content],
    "systemInstruction": types.Content,
    "system_instruction": types.Content,
    "tools": list[types.Tool],
    "toolConfig": types.ToolConfig,
    "tool_config": types.ToolConfig,
    "generationConfig": types.GenerationConfig,
    "generation_config": types.GenerationConfig,
    "safetySettings": list[types.SafetySetting],
}


@pytest.fixture(scope="module")
def wrong() -> Callable[[Any], list[str]]:
    """Say what the types find wrong with a body, part by part."""
    adapters = {key: TypeAdapter(shape) for key, shape in SHAPES.items()}

    def found(body: Any) -> list[str]:
        parts = [(key, body[key]) for key in adapters if key in body]
        return [fault for key, value in parts if (fault := faults(adapters[key], value))]

    return found


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_body_of_every_fixture_passes_the_types(wrong: Any, path: Path, model: str) -> None:
    try:
        outcome = convert(path.read_bytes(), Options(model, to="request"))
    except SegueError:
        return  # a damaged file, or one without a message: other tests say which

    found = [fault for body in bodies(outcome.output) for fault in wrong(body)]

    assert found == []


@given(
    data=st.data(),
    model=st.sampled_from(MODELS),
    format=st.sampled_from(("pi-messages", "openai-chat", "anthropic-messages", "openai-responses")),
)
def test_body_of_any_history_passes_the_types(wrong: Any, data: st.DataObject, model: str, format: str) -> None:
    provider, _, name = model.partition("/")
    source = spelled(data.draw(histories((provider, "google-generative-ai", name))), format)
    try:
        outcome = convert(source, Options(model, to="request", source_format=format, force=True))
    except SegueError:
        return
    body = json.loads(outcome.output)
    if not body["contents"]:
        return  # nothing that could be sent was left, and the report says so

    found = wrong(body)
    refused = [problem for problem in outcome.report.problems if problem.severity == "error"]

    assert found == []
    assert refused == []


@pytest.mark.parametrize("path", sorted(JUDGED.glob("*.good.json")), ids=lambda path: path.name.split(".")[0])
def test_types_take_every_body_that_the_judge_takes(wrong: Any, path: Path) -> None:
    request, _, _ = read(path)

    found = wrong(request)

    assert found == []


@pytest.mark.parametrize("path", sorted(JUDGED.glob("*.bad.json")), ids=lambda path: path.name.split(".")[0])
def test_judge_finds_whatever_the_types_find(wrong: Any, path: Path) -> None:
    request, target, _ = read(path)

    found = wrong(request)
    problems = list(lint(request, target))

    assert problems or not found


@pytest.mark.parametrize(
    "part",
    [
        {"functionCall": {"name": "f", "args": "{}"}},
        {"functionResponse": {"name": "f", "response": "done"}},
        {"text": "hi", "thoughtSignature": "no base64!"},
        {"inlineData": {"mimeType": "image/png", "data": "data:image/png;base64,aGk="}},
        {"text": "hi", "cache_control": {}},
        {"functionCall": {"name": "f"}, "function_call": {"name": "f"}},
    ],
)
def test_types_and_judge_find_the_same_faults(wrong: Any, part: dict[str, Any]) -> None:
    request = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}, {"role": "model", "parts": [part]}]}
    _, target, _ = read(JUDGED / "g-s1.good.json")

    found = wrong(request)
    problems = [problem for problem in lint(request, target) if problem.pointer.startswith("/contents/1/parts/0/")]

    assert found
    assert problems


@pytest.mark.parametrize("signature", ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"])
def test_documented_stand_ins_pass_as_they_are(wrong: Any, signature: str) -> None:
    part = {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": signature}

    found = wrong({"contents": [{"role": "model", "parts": [part]}]})

    assert found == []
