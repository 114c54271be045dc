"""pi-messages: what is read, what comes back, and what a change leaves alone."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from pi_transcripts import SESSIONS, fixture, read_all, read_one, written

from segue.formats._types import ReadOptions
from segue.formats.pi_messages import FORMAT
from segue.model import (
    Media,
    Message,
    Opaque,
    Origin,
    Record,
    Session,
    Source,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    Transcript,
)

FIXTURES = sorted(path.name for path in (SESSIONS / "pi-messages").iterdir())
AMBIGUOUS = ("null-and-string-contents.json", "strangers-in-between.json")


@pytest.mark.parametrize("name", FIXTURES)
def test_untouched_file_comes_back_byte_for_byte(name: str) -> None:
    data = fixture(FORMAT, name)
    transcripts, _ = read_all(FORMAT, data)

    pieces = [written(FORMAT, transcript)[0] for transcript in transcripts]

    assert b"".join(pieces) == data


@pytest.mark.parametrize("name", FIXTURES)
def test_messages_are_numbered_and_placed(name: str) -> None:
    transcripts, _ = read_all(FORMAT, fixture(FORMAT, name))

    for transcript in transcripts:
        for number, message in enumerate(transcript.messages):
            places = [block.place for block in message.blocks if block.place is not None]

            assert message.number == number
            assert len(places) == len(message.blocks)
            assert all(place.message == number and place.record == message.records[0] for place in places)


@pytest.mark.parametrize("name", [name for name in FIXTURES if name not in AMBIGUOUS])
def test_format_is_recognised(name: str) -> None:
    data = fixture(FORMAT, name)
    whole = name.endswith(".json")
    values = [json.loads(data)] if whole else [json.loads(line) for line in data.splitlines()]

    assert FORMAT.recognise(values, whole)


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}],
        {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]},
        [{"role": "assistant", "content": [{"type": "thinking", "thinking": "x", "signature": "s"}]}],
        {"name": "package", "version": "1.0.0"},
        [1, 2],
        [{"type": "message", "role": "user", "content": "hi", "timestamp": 1}],
    ],
)
def test_other_shapes_are_not_recognised(value: object) -> None:
    assert not FORMAT.recognise([value], True)


def test_blocks_are_read_with_their_marks() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "bare-array.json"))

    _, answer, result = transcript.messages

    thinking, text, call = answer.blocks
    assert isinstance(thinking, Thinking) and (thinking.text, thinking.signature) == ("Read it.", "c2ln")
    assert isinstance(text, Text) and text.signature == '{"v":1,"id":"msg_1"}'
    assert isinstance(call, ToolCall) and (call.id, call.arguments) == ("toolu_01ABC", {"path": "src/main.rs"})
    assert answer.origin == Origin("anthropic", "anthropic-messages", "claude-sonnet-4-6")
    assert (answer.stop_reason, answer.time) == ("toolUse", 2)
    assert (
        result.role == "tool" and isinstance(result.blocks[0], ToolResult) and result.blocks[0].text == "fn main() {}"
    )


def test_redacted_thinking_keeps_its_payload() -> None:
    (message,) = read_one(FORMAT, fixture(FORMAT, "redacted-thinking.json")).messages

    redacted, signed, unsigned, call = message.blocks

    assert isinstance(redacted, Thinking) and redacted.redacted and redacted.signature == "ZW5j"
    assert isinstance(signed, Thinking) and signed.text == "" and signed.signature == "c2ln"
    assert isinstance(unsigned, Thinking) and unsigned.signature is None
    assert isinstance(call, ToolCall) and call.signature == "dGg=" and call.arguments == {"n": 2**64 + 1}


def test_null_and_string_contents_are_read() -> None:
    user, answer, result, late = read_one(FORMAT, fixture(FORMAT, "null-and-string-contents.json")).messages

    assert user.blocks == ()
    assert [block.text for block in answer.of(Text)] == ["As a string"]
    assert result.of(ToolResult)[0].content == ()
    assert late.role == "system"


def test_unknown_roles_are_told_and_stay_in_their_place() -> None:
    data = fixture(FORMAT, "strangers-in-between.json")
    (transcript,), changes = read_all(FORMAT, data)
    first, shell, answer = transcript.messages
    fitted = replace(transcript, messages=(first.with_blocks([Text("Uno")]), shell, answer))

    output, _ = written(FORMAT, fitted)

    assert [change.rule for change in changes] == ["unknown-role", "unknown-role", "excluded-output"]
    assert output == data.replace(b'"content":"One"', b'"content":"Uno"')


def test_dropped_message_takes_nothing_else_along() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "strangers-in-between.json"))
    fitted = replace(transcript, messages=transcript.messages[1:])

    output, _ = written(FORMAT, fitted)

    assert [item if isinstance(item, str) else item["role"] for item in json.loads(output)] == [
        "oracle",
        "not even an object",
        "bashExecution",
        "bashExecution",
        "assistant",
    ]


def test_hidden_message_stays_in_its_place() -> None:
    data = fixture(FORMAT, "bare-array.json")
    transcript = read_one(FORMAT, data)
    fitted = replace(transcript, messages=transcript.messages[1:], hidden=frozenset({0}))

    output, _ = written(FORMAT, fitted)

    assert output == data


def test_lost_signature_removes_its_key_and_unknown_fields_stay() -> None:
    data = fixture(FORMAT, "redacted-thinking.json")
    transcript = read_one(FORMAT, data)
    message = transcript.messages[0]
    *others, call = message.blocks
    assert isinstance(call, ToolCall)
    fitted = replace(transcript, messages=(message.with_blocks([*others, replace(call, signature=None)]),))

    output, _ = written(FORMAT, fitted)

    assert output == data.replace(b'"thoughtSignature":"dGg=",', b"")


def test_foreign_cleaned_block_has_known_keys_only() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "redacted-thinking.json"))
    message = transcript.messages[0]
    call = replace(message.of(ToolCall)[0], id="new", signature=None, raw=None)
    fitted = replace(transcript, messages=(message.with_blocks([call]),))

    output, _ = written(FORMAT, fitted)

    assert json.loads(output)[0]["content"] == [
        {"type": "toolCall", "id": "new", "name": "read", "arguments": {"n": 2**64 + 1}}
    ]


def test_changed_line_leaves_the_other_lines_alone() -> None:
    data = fixture(FORMAT, "lines.jsonl")
    transcript = read_one(FORMAT, data)
    user, answer, result = transcript.messages
    changed = result.with_blocks([replace(result.of(ToolResult)[0], call_id="call_2")])
    fitted = replace(transcript, messages=(user, answer, changed))

    output, _ = written(FORMAT, fitted)

    assert output == data.replace(b'"toolCallId":"call_1"', b'"toolCallId":"call_2"')


def test_changed_message_keeps_the_style_of_its_document() -> None:
    data = fixture(FORMAT, "pretty-context.json")
    transcript = read_one(FORMAT, data)
    user, answer = transcript.messages
    fitted = replace(transcript, messages=(user, answer.with_blocks([Text("Hi there")])))

    output, _ = written(FORMAT, fitted)

    assert output == data.replace(b'"text": "Hi"', b'"text": "Hi there"')


def test_new_result_is_written_in_full() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "bare-array.json"))
    filler = ToolResult("toolu_9", "read", (Text("No result provided"),), is_error=True)
    fitted = replace(transcript, messages=(*transcript.messages, Message("tool", (filler,), time=3)))

    output, _ = written(FORMAT, fitted)

    assert json.loads(output)[-1] == {
        "role": "toolResult",
        "toolCallId": "toolu_9",
        "toolName": "read",
        "content": [{"type": "text", "text": "No result provided"}],
        "isError": True,
        "timestamp": 3000,
    }


def test_each_array_among_lines_is_a_conversation() -> None:
    values = [[{"role": "user", "content": "One"}], [{"role": "user", "content": "Two"}]]
    records = [Record(number, number + 1, 0, 0, value) for number, value in enumerate(values)]

    items = list(FORMAT.read(records, ReadOptions()))

    sessions = [item for item in items if isinstance(item, Session)]
    messages = [item for item in items if isinstance(item, Message)]
    assert [(session.container, session.record) for session in sessions] == [("array", 0), ("array", 1)]
    assert [(message.number, message.line) for message in messages] == [(0, 1), (0, 2)]


def test_given_prompt_makes_an_object_of_an_array() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "bare-array.json"))
    fitted = replace(transcript, system=(Text("Be brief."),), tools=(Tool("read", "Read a file"),))

    output, _ = written(FORMAT, fitted)

    body = json.loads(output)
    assert list(body) == ["systemPrompt", "tools", "messages"]
    assert body["tools"] == [{"name": "read", "description": "Read a file", "parameters": {"type": "object"}}]
    assert len(body["messages"]) == 3


def test_history_from_elsewhere_becomes_an_array() -> None:
    messages = (
        Message(
            "user", (ToolResult("call_0", "bash", ()), Text("Look"), Media("document", "application/pdf", data="JVBE"))
        ),
        Message(
            "assistant", (Text("Hm."), ToolCall("call_1", "read", {})), Origin("openai", "openai-responses", "gpt-5.2")
        ),
        Message("assistant", (Opaque("web_search_call", raw={"type": "web_search_call"}),)),
    )
    transcript = Transcript(Session("openai-responses"), messages, Source(b"", (), messages))

    output, changes = written(FORMAT, transcript)

    assert [(change.kind, change.rule) for change in changes] == [
        ("downgraded", "unsupported-media"),
        ("dropped", "unknown-block"),
    ]
    assert json.loads(output) == [
        {"role": "toolResult", "toolCallId": "call_0", "toolName": "bash", "content": [], "isError": False},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Look"},
                {
                    "type": "text",
                    "text": "(document omitted: application/pdf, 3 bytes: pi holds images only, as base64)",
                },
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Hm."},
                {"type": "toolCall", "id": "call_1", "name": "read", "arguments": {}},
            ],
            "api": "openai-responses",
            "provider": "openai",
            "model": "gpt-5.2",
            "stopReason": "toolUse",
        },
        {"role": "assistant", "content": [], "stopReason": "stop"},
    ]
