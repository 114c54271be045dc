"""Bodies for Bedrock fit the shape that AWS' own SDK has of Converse, and its shape and our judge agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("botocore")

from converse_shape import faults, shape_of_request
from histories import histories
from hypothesis import given
from hypothesis import strategies as st
from judging import files
from spellings import spelled

from segue.apis import lint
from segue.errors import SegueError
from segue.options import Options
from segue.pipeline import convert
from segue.targets import resolve

API = "bedrock-converse-stream"
JUDGED = Path(__file__).parents[2] / "fixtures" / "lint" / API
MODELS = (
    "amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
    "amazon-bedrock/meta.llama4-scout-17b-instruct-v1:0",
    "amazon-bedrock/amazon.nova-pro-v1:0",
    "amazon-bedrock/moonshotai.kimi-k2.5",
)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_body_of_every_fixture_fits_the_shape(path: Path, model: str) -> None:
    try:
        outcome = convert(path.read_bytes(), Options(model, api=API, to="request"))
    except SegueError:
        return  # a damaged file, or one without a message: other tests say which

    found = [fault for body in bodies(outcome.output) for fault in faults(body)]

    assert found == []


def bodies(output: bytes) -> list[Any]:
    """Parse what is one body, in any style, or one on each line."""
    try:
        return [json.loads(output)]
    except ValueError:
        return [json.loads(line) for line in output.splitlines()]


@given(
    data=st.data(),
    model=st.sampled_from(MODELS),
    format=st.sampled_from(("pi-messages", "openai-chat", "anthropic-messages", "openai-responses")),
)
def test_body_of_any_history_fits_the_shape(data: st.DataObject, model: str, format: str) -> None:
    provider, _, name = model.partition("/")
    source = spelled(data.draw(histories((provider, API, name))), format)
    try:
        outcome = convert(source, Options(model, api=API, to="request", source_format=format, force=True))
    except SegueError:
        return
    body = json.loads(outcome.output)
    if not body["messages"]:
        return  # nothing that could be sent was left, and the report says so

    found = faults(body)
    refused = [problem for problem in outcome.report.problems if problem.severity == "error"]

    assert found == []
    assert refused == []


@pytest.mark.parametrize("path", sorted(JUDGED.glob("*.good.json")), ids=lambda path: path.name.split(".")[0])
def test_shape_takes_every_body_that_the_judge_takes(path: Path) -> None:
    request = json.loads(path.read_text())["request"]

    found = faults(request)

    assert found == []


@pytest.mark.parametrize("path", sorted(JUDGED.glob("*.bad.json")), ids=lambda path: path.name.split(".")[0])
def test_judge_finds_whatever_the_shape_finds(path: Path) -> None:
    request = json.loads(path.read_text())["request"]
    target = resolve(MODELS[0], API)

    found = faults(request)
    problems = [problem for problem in lint(request, target) if problem.severity == "error"]

    assert problems or not found


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        ({"toolUse": {"toolUseId": "a|b", "name": "n", "input": {}}}, "does not match"),
        ({"toolUse": {"toolUseId": "t" * 65, "name": "n", "input": {}}}, "65 is above 64"),
        ({"toolUse": {"toolUseId": "t", "name": "n", "input": "{}"}}, "no object"),
        ({"image": {"format": "jpg", "source": {"bytes": "aGk="}}}, "is none of"),
        ({"image": {"format": "png", "source": {"bytes": "hi!"}}}, "no base64"),
        ({"document": {"format": "pdf", "name": "n" * 201, "source": {"bytes": "aGk="}}}, "201 is above 200"),
        ({"text": "a", "image": {"format": "png", "source": {"bytes": "aGk="}}}, "2 members"),
        ({"type": "text", "text": "a"}, "unknown key"),
    ],
)
def test_walk_finds_what_the_sdk_passes_over(block: dict[str, object], fault: str) -> None:
    found = faults({"messages": [{"role": "user", "content": [block]}]})

    assert any(fault in one for one in found)


def test_walk_finds_all_that_the_sdk_finds() -> None:
    from botocore.validate import ParamValidator

    body = {"modelId": "m", "messages": [{"role": "user"}], "toolConfig": {"tools": []}, "system": [{"text": ""}]}

    theirs = ParamValidator().validate(body, shape_of_request()).generate_report().splitlines()

    assert len(faults(body)) == len(theirs) == 3
