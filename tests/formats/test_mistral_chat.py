"""How Mistral's bodies are read, and how fitted messages are spelled as such."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openai_transcripts import SESSIONS, made, read_all, read_one, with_message, write_one, written

from segue import Options, convert
from segue.formats import recognised
from segue.formats.mistral_chat import FORMAT
from segue.model import Media, Message, Opaque, Text, Thinking, ToolCall, ToolResult
from segue.targets import resolve

REASONER = resolve("mistral/magistral-medium-latest")
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
FILES = sorted((SESSIONS / FORMAT.name).iterdir())


def bare(message: Message) -> list[Any]:
    return [replace(block, raw=None, place=None) for block in message.blocks]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_untouched_files_come_back_as_they_were(path: Path) -> None:
    transcripts, changes = read_all(FORMAT, path.read_bytes())

    pieces = [
        write_one(FORMAT, one, replace(REASONER, model=one.session.model or REASONER.model))[0] for one in transcripts
    ]

    alone = len(transcripts) == 1 and transcripts[0].session.container == "body"
    if not (alone and "model" not in (transcripts[0].session.raw or {})):
        assert b"\n".join(pieces) + b"\n" == path.read_bytes()
    assert changes == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_only_mistral_has_is_recognised(path: Path) -> None:
    text = path.read_bytes()
    values = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]

    found = recognised(values, path.suffix != ".jsonl")

    assert found is FORMAT


@pytest.mark.parametrize(
    "body",
    [
        {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]},
        {"model": "mistralai/mistral-large", "messages": [{"role": "user", "content": "hi"}]},
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://a.b/c"}}]}]},
        {
            "model": "claude-opus-4-8",
            "messages": [{"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}],
        },
    ],
)
def test_what_others_have_too_is_not_taken(body: Any) -> None:
    assert recognised([body], True) is not FORMAT


def test_thinking_in_chunks_is_read_as_thinking() -> None:
    transcript = read_one(FORMAT, (SESSIONS / FORMAT.name / "bare-array.json").read_bytes())

    assert bare(transcript.messages[1]) == [Thinking("It rained. A lot."), Text("No.")]


def test_addresses_are_read_as_media() -> None:
    path = SESSIONS / FORMAT.name / "images-and-documents-by-address.json"

    transcript = read_one(FORMAT, path.read_bytes())

    assert bare(transcript.messages[0])[1:] == [
        Media("image", "image/png", data=PNG),
        Media("image", "", url="https://example.com/shed.png"),
        Media("document", "", url="https://example.com/sheds.pdf", name="sheds.pdf"),
    ]
    assert bare(transcript.messages[1]) == [Text("The north one."), Opaque("reference")]


def test_thinking_goes_into_one_chunk_before_the_words() -> None:
    transcript = made(Message("assistant", (Thinking("a"), Text("x"), Thinking("b"), Text("y"))))

    (message,) = written(FORMAT, transcript, REASONER)["messages"]

    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "a\nb"}]}
    words = [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]
    assert message == {"role": "assistant", "content": [thinking, *words]}


def test_words_alone_are_a_plain_string() -> None:
    transcript = made(Message("assistant", (Text("x"), Text("y"))))

    (message,) = written(FORMAT, transcript, REASONER)["messages"]

    assert message == {"role": "assistant", "content": "x\n\ny"}


def test_results_have_the_name_of_their_tool() -> None:
    call = ToolCall("aB3dE6gH9", "weigh", {"what": "melon"})
    result = ToolResult("aB3dE6gH9", "weigh", (Text("4 kg"),))
    transcript = made(Message("assistant", (call,)), Message("user", (result, Text("and?"))))

    first, second, third = written(FORMAT, transcript, REASONER)["messages"]

    assert first["content"] == ""
    assert first["tool_calls"][0]["function"] == {"name": "weigh", "arguments": '{"what":"melon"}'}
    assert second == {"role": "tool", "name": "weigh", "content": "4 kg", "tool_call_id": "aB3dE6gH9"}
    assert third == {"role": "user", "content": "and?"}


def test_media_are_spelled_by_address() -> None:
    image = Media("image", "image/png", data=PNG)
    document = Media("document", "application/pdf", url="https://example.com/a.pdf", name="a.pdf")
    transcript = made(Message("user", (Text("see"), image, document)))

    (message,) = written(FORMAT, transcript, REASONER)["messages"]

    assert message["content"][1:] == [
        {"type": "image_url", "image_url": f"data:image/png;base64,{PNG}"},
        {"type": "document_url", "document_url": "https://example.com/a.pdf", "document_name": "a.pdf"},
    ]


def test_a_late_change_touches_its_message_only() -> None:
    transcript = read_one(FORMAT, (SESSIONS / FORMAT.name / "thinking-in-chunks.json").read_bytes())
    source = json.loads((SESSIONS / FORMAT.name / "thinking-in-chunks.json").read_bytes())
    answer = transcript.messages[2]
    changed = with_message(transcript, 2, answer.with_blocks([answer.blocks[0], Text("Wet.")]))

    output, changes = write_one(FORMAT, changed, REASONER)

    body = json.loads(output)
    assert changes == []
    assert body["messages"][2]["content"] == [source["messages"][2]["content"][0], {"type": "text", "text": "Wet."}]
    assert body["messages"][:2] == source["messages"][:2] and body["temperature"] == 0.7


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("model", ["mistral/mistral-small-latest", "mistral/magistral-medium-latest"])
def test_second_run_changes_nothing(path: Path, model: str) -> None:
    first = convert(path.read_bytes(), Options(model, to="request", source_format=FORMAT.name))

    second = convert(first.output, Options(model, source_format=FORMAT.name))

    assert second.output == first.output
    assert second.report.changes == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_way_over_another_api_and_back_keeps_the_words(path: Path) -> None:
    source = path.read_bytes()

    over = convert(
        source, Options("anthropic/claude-sonnet-4-5", to="request", source_format=FORMAT.name, prompt="And?")
    )
    back = convert(over.output, Options("mistral/mistral-large-latest", to="request", prompt="Go on"))

    for word in ("barn", "Weigh", "shed", "Count", "Hello"):
        assert (word in source.decode()) == (word in back.output.decode())


def test_texts_of_a_result_are_lines_of_one() -> None:
    call = ToolCall("aB3dE6gH9", "weigh", {})
    result = ToolResult("aB3dE6gH9", "weigh", (Text("4 kg"), Text("ripe")))
    transcript = made(Message("assistant", (call,)), Message("tool", (result,)))

    _, message = written(FORMAT, transcript, REASONER)["messages"]

    assert message["content"] == "4 kg\nripe"


@pytest.mark.parametrize(
    ("model", "goes_back"),
    [
        ("magistral-medium-latest", True),
        ("mistral-small-2603", True),
        ("mistral-medium-3.5", True),
        ("mistral-large-4", True),
        ("zai-glm-5-3", True),
        ("mistral-small-2506", False),
        ("mistral-medium-2508", False),
        ("mistral-large-2512", False),
        ("codestral-latest", False),
        ("devstral-medium-latest", False),
    ],
)
def test_own_thinking_goes_back_where_the_model_reasons_and_is_text_elsewhere(model: str, goes_back: bool) -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Heavy."}]}
    answer = {"role": "assistant", "content": [thinking, {"type": "text", "text": "4 kg."}]}
    user = {"role": "user", "content": "Weigh it."}
    source = json.dumps({"model": model, "messages": [user, answer, user]}).encode() + b"\n"

    outcome = convert(source, Options(f"mistral/{model}"))

    content = json.loads(outcome.output)["messages"][1]["content"]
    assert content == ([thinking, {"type": "text", "text": "4 kg."}] if goes_back else "Heavy.\n\n4 kg.")
    assert bool(outcome.report.changes) is not goes_back


@pytest.mark.parametrize("model", ["mistral/magistral-medium-latest", "mistral/mistral-large-2512"])
def test_thinking_of_another_model_is_no_thinking_here(model: str) -> None:
    source = (SESSIONS / "openai-chat" / "reasoning-alone.json").read_bytes()

    outcome = convert(source, Options(model, to="request"))

    contents = [message["content"] for message in json.loads(outcome.output)["messages"]]
    assert all(isinstance(content, str) for content in contents)
    assert "Seven and two.\n\nNine." in contents
