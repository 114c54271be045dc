"""Bodies of POST /v1/messages: read, written as they were, and changed only where something changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from claude_transcripts import data_of, named, read_all, said, written

from segue.model import Media, Opaque, Text, ToolResult
from segue.options import Options
from segue.pipeline import convert
from segue.reading.transcripts import read

FOLDER = "anthropic-messages"
MODEL = "anthropic/claude-opus-4-8"
LISTS = ("bare-array.json", "message-lines.jsonl")


def body(name: str) -> bytes:
    return data_of(FOLDER, name)


def fitted(value: Any, **options: Any) -> Any:
    return json.loads(convert(json.dumps(value).encode(), Options(MODEL, **options)).output)


# ------------------------------------------------------------------------------------------ bytes


@pytest.mark.parametrize("name", named(FOLDER))
def test_body_is_recognised(name: str) -> None:
    assert read(body(name)).format.name == FOLDER


@pytest.mark.parametrize("name", named(FOLDER))
def test_untouched_body_comes_back_byte_for_byte(name: str) -> None:
    assert written(body(name)) == body(name)


@pytest.mark.parametrize("name", named(FOLDER))
def test_sound_body_for_its_own_model_comes_back_byte_for_byte(name: str) -> None:
    outcome = convert(body(name), Options(MODEL))

    assert outcome.output == body(name)
    assert outcome.report.changes == []


@pytest.mark.parametrize("name", LISTS)
def test_list_of_messages_becomes_a_body_when_a_request_is_asked_for(name: str) -> None:
    request = json.loads(convert(body(name), Options(MODEL, to="request")).output)

    assert request.keys() == {"model", "max_tokens", "tools", "messages"}
    assert [message["role"] for message in request["messages"]] == ["user", "assistant", "user", "assistant"]


@pytest.mark.parametrize("name", LISTS)
def test_list_of_messages_tells_what_it_cannot_hold(name: str) -> None:
    outcome = convert(body(name), Options(MODEL, system="Be brief."))

    assert outcome.output == body(name)
    assert [(change.kind, change.rule) for change in outcome.report.changes] == [("dropped", "system-prompt")]


def test_data_set_has_one_body_a_line_in_and_out() -> None:
    transcripts, _ = read_all(body("data-set.jsonl"))

    assert [len(transcript.messages) for transcript in transcripts] == [2, 4]
    assert [text.text for text in transcripts[1].system] == ["Count."]
    assert len(convert(body("data-set.jsonl"), Options(MODEL)).output.splitlines()) == 2


# ---------------------------------------------------------------------------------------- reading


def test_results_lead_their_user_message() -> None:
    (transcript,), _ = read_all(body("parallel-results.json"))

    assert [said(message) for message in transcript.messages] == [
        ("user", "text Weather in Bergen and in Graz?"),
        ("assistant", "text I'll look at both.", "call toolu_1", "call toolu_2"),
        ("user", "result toolu_1: text rain", "result toolu_2: text sun", "text Which is warmer?"),
    ]
    assert [tool.name for tool in transcript.tools] == ["weather"]


def test_result_learns_the_name_of_its_tool() -> None:
    (transcript,), _ = read_all(body("parallel-results.json"))

    results = transcript.messages[2].of(ToolResult)

    assert [result.name for result in results] == ["weather", "weather"]


def test_thinking_keeps_signature_and_payload() -> None:
    (transcript,), _ = read_all(body("signed-thinking.json"))

    assert said(transcript.messages[1]) == (
        "assistant",
        "thinking One call will do.",
        "redacted thinking",
        "call toolu_1",
    )
    assert said(transcript.messages[3]) == ("assistant", "thinking", "text Sunny.")
    assert all(block.signature for block in transcript.messages[1].blocks[:2])  # type: ignore[union-attr]


def test_media_are_read_at_the_top_and_inside_results() -> None:
    (transcript,), _ = read_all(body("images-and-documents.json"))

    image, document, linked, words = transcript.messages[0].blocks
    result = transcript.messages[2].of(ToolResult)[0]

    assert isinstance(image, Media) and image.media_type == "image/png"
    assert isinstance(document, Media) and (document.kind, document.name) == ("document", "Map")
    assert isinstance(linked, Media) and linked.url == "https://example.com/map.png"
    assert isinstance(words, Text)
    assert [type(block) for block in result.content] == [Text, Media]


def test_blocks_of_server_tools_stay_whole() -> None:
    (transcript,), _ = read_all(body("server-tools.json"))

    opaque = transcript.messages[1].of(Opaque)

    assert [block.type for block in opaque] == ["server_tool_use", "web_search_tool_result"]


# ---------------------------------------------------------------------------------------- touching


def test_only_the_touched_message_changes() -> None:
    value = json.loads(body("signed-thinking.json"))
    value["messages"][1]["content"][2]["input"] = '{"place":"Graz"}'

    after = fitted(value)

    assert after["messages"][1]["content"][2]["input"] == {"place": "Graz"}
    assert after["messages"][0] == value["messages"][0]
    assert after["messages"][2:] == value["messages"][2:]
    assert {**after, "messages": None} == {**value, "messages": None}


def test_keys_of_a_touched_block_survive_where_the_api_knows_them() -> None:
    value = json.loads(body("cache-marks.json"))
    value["messages"].insert(1, {"role": "user", "content": [{"type": "text", "text": "Now."}]})

    after = fitted(value)

    mark = {"cache_control": {"type": "ephemeral"}}
    assert after["messages"][0]["content"] == [
        {"type": "text", "text": "Which hut is open?", **mark},
        {"type": "text", "text": "Now."},
    ]
    assert after["system"] == value["system"]
    assert after["tools"] == value["tools"]


def test_pretty_printed_body_stays_pretty_when_it_changes() -> None:
    outcome = convert(body("pretty-printed.json"), Options(MODEL, prompt="Und der zweithöchste?"))

    before, after = body("pretty-printed.json").decode(), outcome.output.decode()

    assert after.splitlines()[:10] == before.splitlines()[:10]
    assert json.loads(after)["messages"][-1] == {
        "role": "user",
        "content": [{"type": "text", "text": "Wie hoch?"}, {"type": "text", "text": "Und der zweithöchste?"}],
    }
    assert "zweithöchste" in after


def test_user_string_stays_a_string() -> None:
    value = json.loads(body("texts-and-lists.json"))
    value["messages"][1]["content"] = [{"type": "text", "text": ""}, {"type": "text", "text": "West."}]

    after = fitted(value)

    assert after["messages"][0]["content"] == "Which way to the sea?"
    assert after["messages"][1]["content"] == [{"type": "text", "text": "West."}]
    assert after["messages"][2] == value["messages"][2]


def test_other_model_gets_the_name_and_a_length_that_it_can_answer() -> None:
    value = {**json.loads(body("texts-and-lists.json")), "max_tokens": 10_000_000}

    outcome = convert(json.dumps(value).encode() + b"\n", Options("anthropic/claude-haiku-4-5"))

    after = json.loads(outcome.output)
    assert after["model"] == "claude-haiku-4-5"
    assert after["max_tokens"] < 10_000_000
    assert [(change.kind, change.rule) for change in outcome.report.changes] == [("rewritten", "request-limit")]
