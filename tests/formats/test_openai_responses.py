"""How Responses bodies are read, and how fitted messages are spelled as such."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from openai_transcripts import RESPONSES, SESSIONS, made, read_all, read_one, with_message, write_one, written

from segue.formats.openai_responses import FORMAT
from segue.model import Block, Media, Message, Opaque, Origin, Text, Thinking, Tool, ToolCall, ToolResult, Transcript

CLAUDE = Origin("anthropic", "anthropic-messages", "claude-opus-4-8")
OTHER = replace(RESPONSES, model="gpt-6")
REASONING = '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAAAB"}'


def fixture(name: str) -> Transcript:
    return read_one(FORMAT, (SESSIONS / FORMAT.name / name).read_bytes())


def bare(blocks: tuple[Block, ...]) -> list[Any]:
    return [replace(block, raw=None, place=None) for block in blocks]


def items_of(*blocks: Block, origin: Origin = CLAUDE) -> Any:
    return written(FORMAT, made(Message("assistant", blocks, origin=origin)), RESPONSES)["input"]


# ----------------------------------------------------------------------------------------- reading


def test_what_the_assistant_did_in_a_row_is_one_message() -> None:
    transcript = fixture("reasoning-and-parallel-calls.json")

    roles = [message.role for message in transcript.messages]

    assert roles == ["user", "assistant", "tool", "tool", "assistant"]
    assert transcript.system == (Text("Read with care."),)
    kinds = [type(block) for block in transcript.messages[1].blocks]
    assert kinds == [Thinking, Text, ToolCall, ToolCall]


def test_reasoning_keeps_its_whole_item_as_signature() -> None:
    thought = fixture("reasoning-and-parallel-calls.json").messages[1].blocks[0]

    assert isinstance(thought, Thinking)
    assert thought.text == "Two files to read."
    assert json.loads(thought.signature or "") == thought.raw


def test_reasoning_without_its_content_is_unsigned_and_still_there() -> None:
    item = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]}

    (message,) = read_one(FORMAT, {"model": "gpt-5.2", "input": [item]}).messages

    (thought,) = message.blocks
    assert thought == Thinking("hm", None, raw=item, place=thought.place)


def test_texts_keep_the_id_and_phase_of_their_item() -> None:
    answer = fixture("reasoning-and-parallel-calls.json").messages[4]

    signatures = {text.signature for text in answer.of(Text)}

    assert signatures == {'{"v":1,"id":"msg_2","phase":"final_answer"}'}
    assert [(text.text, text.refusal) for text in answer.of(Text)] == [
        ("They differ.", False),
        ("I will not say how.", True),
    ]


def test_calls_keep_their_item_id_apart_and_results_their_tool_s_name() -> None:
    messages = fixture("reasoning-and-parallel-calls.json").messages

    (call, _) = messages[1].of(ToolCall)
    (result,) = messages[2].blocks

    assert (call.id, call.item, call.arguments) == ("call_a", "fc_a", {"path": "a.txt"})
    assert bare((result,)) == [ToolResult("call_a", "read", (Text("alpha", place=result.place),))]


def test_a_custom_tool_s_text_is_its_argument() -> None:
    messages = fixture("custom-tool.json").messages

    assert bare(messages[1].blocks) == [ToolCall("call_p", "apply_patch", {"input": "*** Begin\n+ä"}, item="ctc_1")]


def test_the_server_s_own_items_and_unknown_ones_are_opaque() -> None:
    message = fixture("server-tools-and-unknown-items.json").messages[1]

    assert [block.type for block in message.of(Opaque)] == ["web_search_call", "item_reference", "hologram"]


def test_a_history_on_the_server_is_told() -> None:
    data = (SESSIONS / FORMAT.name / "server-tools-and-unknown-items.json").read_bytes()

    _, changes = read_all(FORMAT, data)

    assert [(change.kind, change.rule) for change in changes] == [("dropped", "history-elsewhere")]
    assert "'resp_1'" in changes[0].what


def test_a_message_of_several_lines_knows_all_its_records() -> None:
    messages = fixture("item-lines.jsonl").messages

    assert [message.records for message in messages] == [(0,), (1, 2), (3,), (4,)]
    assert [message.line for message in messages] == [1, 2, 4, 5]


def test_values_that_are_no_items_are_told() -> None:
    body = {"model": "m", "input": [{"role": "user", "content": "hi"}, {"role": "ghost", "content": "boo"}, 7]}

    transcripts, changes = read_all(FORMAT, json.dumps(body).encode())

    assert len(transcripts[0].messages) == 1
    assert [change.rule for change in changes] == ["unknown-role", "unknown-role"]


# ---------------------------------------------------------------------------------- its own format


def test_a_changed_id_keeps_every_unknown_field() -> None:
    transcript = fixture("reasoning-and-parallel-calls.json")
    assistant, result = transcript.messages[1], transcript.messages[3]
    blocks = [replace(block, id="call_new") if block is assistant.blocks[3] else block for block in assistant.blocks]
    changed = with_message(transcript, 1, assistant.with_blocks(blocks))
    changed = with_message(changed, 3, result.with_blocks([replace(result.blocks[0], call_id="call_new")]))

    output, changes = write_one(FORMAT, changed, RESPONSES)

    source = (SESSIONS / FORMAT.name / "reasoning-and-parallel-calls.json").read_bytes()
    assert output + b"\n" == source.replace(b"call_b", b"call_new")
    assert changes == []


def test_a_changed_text_keeps_its_item_and_its_neighbours() -> None:
    transcript = fixture("reasoning-and-parallel-calls.json")
    answer = transcript.messages[4]
    blocks = [replace(block, text="Yes.") if block is answer.blocks[1] else block for block in answer.blocks]
    changed = with_message(transcript, 4, answer.with_blocks(blocks))

    output, _ = write_one(FORMAT, changed, RESPONSES)

    source = (SESSIONS / FORMAT.name / "reasoning-and-parallel-calls.json").read_bytes()
    assert output + b"\n" == source.replace(b'"They differ."', b'"Yes."')


def test_a_changed_line_leaves_the_others_as_they_were() -> None:
    transcript = fixture("item-lines.jsonl")
    result = transcript.messages[2]
    (block,) = result.blocks
    assert isinstance(block, ToolResult)
    changed = with_message(transcript, 2, result.with_blocks([replace(block, content=(Text("night"),))]))

    output, _ = write_one(FORMAT, changed, replace(RESPONSES, model="gpt-4o"))

    source = (SESSIONS / FORMAT.name / "item-lines.jsonl").read_bytes()
    assert output + b"\n" == source.replace(b'"noon"', b'"night"')


def test_another_model_s_item_ids_are_left_out_and_told() -> None:
    transcript = fixture("reasoning-and-parallel-calls.json")

    output, changes = write_one(FORMAT, transcript, OTHER)

    items = json.loads(output)["input"]
    assert [item.get("id") for item in items if item.get("type") in ("message", "function_call")] == [None] * 4
    assert {change.rule for change in changes} == {"item-id"}
    assert {change.kind for change in changes} == {"rewritten"}
    assert len(changes) == 4


def test_a_text_without_its_signature_goes_out_without_the_id() -> None:
    transcript = fixture("server-tools-and-unknown-items.json")
    message = transcript.messages[1]
    blocks = [replace(block, signature=None) if isinstance(block, Text) else block for block in message.blocks]

    items = written(FORMAT, with_message(transcript, 1, message.with_blocks(blocks)), RESPONSES)["input"]

    assert items[2].keys() == {"type", "role", "content"}
    assert items[2]["content"][0]["annotations"][0]["title"] == "Tides"


def test_an_id_that_comes_twice_is_left_out_the_second_time() -> None:
    item = {"type": "message", "role": "user", "id": "msg_1", "content": [{"type": "input_text", "text": "hi"}]}
    transcript = read_one(FORMAT, {"model": "gpt-5.2", "input": [item, item]})

    output, changes = write_one(FORMAT, transcript, RESPONSES)

    assert [entry.get("id") for entry in json.loads(output)["input"]] == ["msg_1", None]
    assert [(change.kind, change.rule, change.before) for change in changes] == [("rewritten", "item-id", "msg_1")]


def test_an_id_of_another_make_is_left_out() -> None:
    item = json.loads(REASONING) | {"id": "thinking_0"}
    transcript = read_one(FORMAT, {"model": "gpt-5.2", "input": [item, {"role": "assistant", "content": "x"}]})

    output, changes = write_one(FORMAT, transcript, RESPONSES)

    assert "id" not in json.loads(output)["input"][0]
    assert "'thinking_0'" in changes[0].what


def test_a_custom_call_that_lost_its_form_takes_its_result_along() -> None:
    transcript = fixture("custom-tool.json")
    message = transcript.messages[1]
    (call,) = message.of(ToolCall)
    changed = with_message(transcript, 1, message.with_blocks([replace(call, arguments={"patch": "x"})]))

    output, changes = write_one(FORMAT, changed, replace(RESPONSES, model="gpt-5.2-codex"))

    items = json.loads(output)["input"]
    assert [item["type"] for item in items] == ["message", "function_call", "function_call_output", "message"]
    assert items[1]["arguments"] == '{"patch":"x"}'
    assert [change.before for change in changes] == ["ctc_1"]


def test_new_tools_stand_beside_the_host_s_own() -> None:
    transcript = replace(fixture("reasoning-and-parallel-calls.json"), tools=(Tool("write"),), system=())

    body = written(FORMAT, transcript, RESPONSES)

    assert [tool.get("name", tool["type"]) for tool in body["tools"]] == ["web_search", "write"]
    assert "instructions" not in body
    assert body["reasoning"] == {"effort": "high"}


def test_a_text_input_stays_a_text() -> None:
    transcript = fixture("plain-string-input.json")

    body = written(FORMAT, transcript, OTHER)

    assert (body["model"], body["input"]) == ("gpt-6", "Grüß Gott")


# ------------------------------------------------------------------------- other formats' messages


def test_a_history_of_another_format_becomes_a_whole_body() -> None:
    transcript = made(
        Message("user", (Text("hi"), Media("image", "image/png", data="QUJD"))),
        Message("assistant", (Text("one"), ToolCall("toolu_1", "read", {"path": "ä"})), origin=CLAUDE),
        Message("user", (ToolResult("toolu_1", "read", (Text("a"), Text("b"))), Text("go on"))),
        tools=[Tool("read", "Read.")],
    )
    transcript = replace(transcript, system=(Text("Be brief."),))

    body = written(FORMAT, transcript, RESPONSES)

    parameters = {"type": "object", "properties": {}}
    assert body == {
        "model": "gpt-5.2",
        "instructions": "Be brief.",
        "input": [
            {
                "type": "message",
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "hi"},
                    {"type": "input_image", "image_url": "data:image/png;base64,QUJD", "detail": "auto"},
                ],
            },
            {"type": "message", "role": "assistant", "content": "one"},
            {"type": "function_call", "call_id": "toolu_1", "name": "read", "arguments": '{"path":"ä"}'},
            {"type": "function_call_output", "call_id": "toolu_1", "output": "a\nb"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]},
        ],
        "tools": [
            {"type": "function", "name": "read", "description": "Read.", "parameters": parameters, "strict": False}
        ],
        "store": False,
    }


def test_own_reasoning_goes_back_verbatim_and_asks_for_more_of_its_kind() -> None:
    blocks = (Thinking("hm", REASONING), Text("x"))
    transcript = made(Message("assistant", blocks, origin=RESPONSES.origin))

    body = written(FORMAT, transcript, RESPONSES)

    assert body["input"][0] == json.loads(REASONING)
    assert body["include"] == ["reasoning.encrypted_content"]


def test_own_texts_and_calls_get_their_ids_back() -> None:
    signature = '{"v":1,"id":"msg_1","phase":"commentary"}'

    items = items_of(
        Text("one", signature),
        Text("two", signature),
        Text("three", "msg_2"),
        ToolCall("call_1|fc_1", "f", {}),
        ToolCall("call_2", "f", {}, item="fc_2"),
        ToolCall("call_3|ctc_3", "patch", {"input": "+x"}),
        origin=RESPONSES.origin,
    )

    parts = [{"type": "output_text", "text": text, "annotations": []} for text in ("one", "two", "three")]
    message = {"type": "message", "role": "assistant", "status": "completed"}
    assert items == [
        message | {"id": "msg_1", "content": parts[:2], "phase": "commentary"},
        message | {"id": "msg_2", "content": parts[2:]},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": "{}"},
        {"type": "function_call", "id": "fc_2", "call_id": "call_2", "name": "f", "arguments": "{}"},
        {"type": "custom_tool_call", "id": "ctc_3", "call_id": "call_3", "name": "patch", "input": "+x"},
    ]


def test_a_very_long_item_id_is_derived_anew() -> None:
    items = items_of(Text("one", f'{{"v":1,"id":"msg_{"x" * 80}"}}'), origin=RESPONSES.origin)

    assert items[0]["id"].startswith("msg_")
    assert len(items[0]["id"]) <= 64


def test_a_refusal_is_a_whole_item() -> None:
    items = items_of(Text("no", refusal=True))

    assert items[0]["content"] == [{"type": "refusal", "refusal": "no"}]
    assert items[0]["id"].startswith("msg_")


def test_a_result_with_media_is_a_list() -> None:
    content = (Text("see"), Media("document", "application/pdf", data="QUJD", name="a.pdf"))
    transcript = made(
        Message("assistant", (ToolCall("c", "f", {}),), origin=CLAUDE),
        Message("tool", (ToolResult("c", "f", content),)),
    )

    _, output = written(FORMAT, transcript, RESPONSES)["input"]

    assert output["output"] == [
        {"type": "input_text", "text": "see"},
        {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,QUJD"},
    ]


def test_what_the_shape_cannot_say_is_told() -> None:
    transcript = made(
        Message("user", (Text("hi"), Opaque("hologram"))),
        Message("assistant", (Thinking("hm", "c2ln"), Text("x"), Media("image", "image/png", data="QUJD")), CLAUDE),
    )

    output, changes = write_one(FORMAT, transcript, RESPONSES)

    assert [(change.message, change.rule) for change in changes] == [
        (0, "unknown-block"),
        (1, "unsigned-thinking"),
        (1, "unsupported-media"),
    ]
    assert len(json.loads(output)["input"]) == 2


def test_no_empty_tools_are_written() -> None:
    assert "tools" not in written(FORMAT, made(Message("user", (Text("hi"),))), RESPONSES)
