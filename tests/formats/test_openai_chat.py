"""How Chat Completions bodies are read, and how fitted messages are spelled as such."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from openai_transcripts import CHAT, CLONE, SESSIONS, made, read_all, read_one, with_message, write_one, written

from segue import Options, convert
from segue.formats.openai_chat import FORMAT
from segue.model import Media, Message, Opaque, Origin, Text, Thinking, Tool, ToolCall, ToolResult

CLAUDE = Origin("anthropic", "anthropic-messages", "claude-opus-4-8")


def fixture(name: str) -> Any:
    return read_one(FORMAT, (SESSIONS / FORMAT.name / name).read_bytes())


def read_message(value: dict[str, Any]) -> Message:
    return read_one(FORMAT, {"model": "gpt-4o", "messages": [value]}).messages[0]


def bare(message: Message) -> list[Any]:
    return [replace(block, raw=None, place=None) for block in message.blocks]


# ----------------------------------------------------------------------------------------- reading


def test_roles_are_read_and_system_messages_stay_in_place() -> None:
    roles = ["system", "user", "developer", "user"]

    transcript = read_one(FORMAT, {"messages": [{"role": role, "content": role} for role in roles]})

    assert [message.role for message in transcript.messages] == ["system", "user", "system", "user"]
    assert transcript.system == ()


def test_an_assistant_message_is_read_as_thinking_words_and_calls() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": '{"path":"a"}'}}

    message = read_message({"role": "assistant", "content": "I read.", "reasoning": "hm", "tool_calls": [call]})

    assert bare(message) == [Thinking("hm", "reasoning"), Text("I read."), ToolCall("call_1", "read", {"path": "a"})]
    assert message.origin == Origin("openai", "openai-completions", "gpt-4o")


def test_reasoning_that_is_there_twice_is_read_once() -> None:
    message = read_message({"role": "assistant", "content": "4", "reasoning_content": "hm", "reasoning": "hm"})

    assert bare(message) == [Thinking("hm", "reasoning_content"), Text("4")]


def test_reasoning_details_become_the_signature() -> None:
    details = [{"type": "reasoning.text", "text": "one"}, {"type": "reasoning.encrypted", "data": "Z"}]

    message = read_message({"role": "assistant", "content": "4", "reasoning_details": details})

    (thought, _) = message.blocks
    assert isinstance(thought, Thinking)
    assert (thought.text, json.loads(thought.signature or "")) == ("one", details)


def test_arguments_that_are_no_object_stay_text() -> None:
    texts = ['{"path": "a', "[1]", ""]

    calls = [{"id": f"c{n}", "function": {"name": "f", "arguments": text}} for n, text in enumerate(texts)]
    message = read_message({"role": "assistant", "content": None, "tool_calls": calls})

    assert [call.arguments for call in message.of(ToolCall)] == texts


def test_a_custom_tool_and_a_legacy_function_are_calls() -> None:
    messages = fixture("custom-tool-and-legacy-function.json").messages

    calls = [block for message in messages for block in message.of(ToolCall)]
    results = [block for message in messages for block in message.of(ToolResult)]

    assert [(call.id, call.name, call.arguments) for call in calls] == [
        ("call_p", "patch", {"input": "*** Begin\n+x"}),
        ("", "weather", {"city": "Bern"}),
    ]
    assert [(result.call_id, result.name, result.text) for result in results] == [
        ("call_p", "patch", "ok"),
        ("", "weather", "sunny"),
    ]
    assert messages[-1].blocks[0] == Text("I will not go out.", refusal=True, place=messages[-1].blocks[0].place)


def test_an_id_that_two_calls_share_names_no_tool() -> None:
    calls = [{"id": "0", "function": {"name": name, "arguments": "{}"}} for name in ("a", "b")]
    calls.append({"id": "1", "function": {"name": "c", "arguments": "{}"}})
    results = [{"role": "tool", "tool_call_id": call_id, "content": "x"} for call_id in ("0", "1", "")]

    messages = [{"role": "assistant", "content": None, "tool_calls": calls}, *results]
    transcript = read_one(FORMAT, {"messages": messages})

    names = [block.name for message in transcript.messages for block in message.of(ToolResult)]
    assert names == ["", "c", ""]


def test_media_are_read_from_data_urls_addresses_and_file_ids() -> None:
    user = fixture("image-and-file.json").messages[0]

    kinds = [(block.kind, block.media_type, block.url, block.file, block.name) for block in user.of(Media)]

    assert kinds == [
        ("image", "image/png", None, None, None),
        ("image", "", "https://example.org/cat.png", None, None),
        ("document", "application/pdf", None, None, "a.pdf"),
        ("document", "", None, "file-1", None),
    ]
    assert [block.type for block in user.of(Opaque)] == ["input_audio"]


def test_each_line_of_a_data_set_is_a_session() -> None:
    data = (SESSIONS / FORMAT.name / "fine-tuning-set.jsonl").read_bytes()

    transcripts, _ = read_all(FORMAT, data)

    assert [(t.session.record, t.session.container, len(t.messages)) for t in transcripts] == [
        (0, "body", 3),
        (1, "body", 4),
        (2, "body", 2),
    ]
    assert [tool.name for tool in transcripts[1].tools] == ["read"]


def test_a_message_of_an_unknown_role_is_told() -> None:
    body = {"messages": [{"role": "user", "content": "hi"}, {"role": "ghost", "content": "boo"}, 7]}

    transcripts, changes = read_all(FORMAT, json.dumps(body).encode())

    assert len(transcripts[0].messages) == 1
    assert [(change.kind, change.rule) for change in changes] == [("dropped", "unknown-role")] * 2
    assert "'ghost'" in changes[0].what


# ---------------------------------------------------------------------------------- its own format


def test_a_changed_id_keeps_every_unknown_field() -> None:
    transcript = fixture("parallel-calls.json")
    assistant, result = transcript.messages[1], transcript.messages[2]
    calls = [replace(assistant.blocks[0], id="call_new"), assistant.blocks[1]]
    changed = with_message(transcript, 1, assistant.with_blocks(calls))
    changed = with_message(changed, 2, result.with_blocks([replace(result.blocks[0], call_id="call_new")]))

    output, changes = write_one(FORMAT, changed, CHAT)

    source = (SESSIONS / FORMAT.name / "parallel-calls.json").read_bytes()
    assert output + b"\n" == source.replace(b"call_a", b"call_new")
    assert changes == []


def test_thinking_that_a_rule_took_away_leaves_no_field_behind() -> None:
    transcript = fixture("reasoning-fields.json")
    target = replace(CHAT, model="qwen3-coder")
    message = transcript.messages[3]
    changed = with_message(transcript, 3, message.with_blocks(message.of(Text)))

    body = written(FORMAT, changed, target)

    assert body["messages"][3] == {"role": "assistant", "content": "4"}
    assert body["messages"][1]["reasoning_content"] == "Simple sum."


def test_another_models_empty_reasoning_field_is_left_out_and_told() -> None:
    source = (SESSIONS / FORMAT.name / "reasoning-fields.json").read_bytes()

    outcome = convert(source, Options("openai/gpt-4.1", api="openai-completions"))

    assert "reasoning_content" not in json.loads(outcome.output)["messages"][5]
    told = [(change.kind, change.rule) for change in outcome.report.changes if change.message == 5]
    assert ("rewritten", "blank-thinking") in told


def test_another_model_gets_the_same_body_with_its_own_name() -> None:
    transcript = fixture("plain.json")

    output, changes = write_one(FORMAT, transcript, replace(CHAT, model="gpt-4.1"))

    source = (SESSIONS / FORMAT.name / "plain.json").read_bytes()
    assert output + b"\n" == source.replace(b'"gpt-4o"', b'"gpt-4.1"')
    assert changes == []


def test_a_body_without_a_model_gets_one_but_a_line_of_a_data_set_does_not() -> None:
    body = {"messages": [{"role": "user", "content": "hi"}]}
    alone = read_one(FORMAT, body)
    lines = (json.dumps(body) + "\n").encode() * 2
    (first, second), _ = read_all(FORMAT, lines)

    outputs = [json.loads(write_one(FORMAT, transcript, CHAT)[0]) for transcript in (alone, first, second)]

    assert ["model" in output for output in outputs] == [True, False, False]


def test_a_thought_signature_that_a_rule_took_away_is_gone() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    call["extra_content"] = {"google": {"thought_signature": "c2ln"}}
    transcript = read_one(
        FORMAT, {"model": "gpt-4o", "messages": [{"role": "assistant", "content": None, "tool_calls": [call]}]}
    )
    (block,) = transcript.messages[0].blocks
    assert isinstance(block, ToolCall)
    assert block.signature == "c2ln"
    message = transcript.messages[0].with_blocks([replace(block, signature=None)])

    body = written(FORMAT, with_message(transcript, 0, message), CHAT)

    assert "extra_content" not in body["messages"][0]["tool_calls"][0]


def test_a_legacy_call_that_got_an_id_becomes_a_modern_one() -> None:
    transcript = fixture("custom-tool-and-legacy-function.json")
    call, result = transcript.messages[4], transcript.messages[5]
    changed = with_message(transcript, 4, call.with_blocks([replace(call.blocks[0], id="call_w")]))
    changed = with_message(changed, 5, result.with_blocks([replace(result.blocks[0], call_id="call_w")]))

    messages = written(FORMAT, changed, replace(CHAT, model="gpt-5.2"))["messages"]

    function = {"name": "weather", "arguments": '{"city":"Bern"}'}
    assert messages[4]["tool_calls"] == [{"id": "call_w", "type": "function", "function": function}]
    assert "function_call" not in messages[4]
    assert messages[5] == {"role": "tool", "name": "weather", "content": "sunny", "tool_call_id": "call_w"}


def test_new_tools_replace_the_source_s_and_keep_other_keys() -> None:
    transcript = replace(fixture("parallel-calls.json"), tools=(Tool("write", "Write.", {"type": "object"}),))

    body = written(FORMAT, transcript, CHAT)

    parameters = {"type": "object", "properties": {}}
    function = {"name": "write", "description": "Write.", "parameters": parameters}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert (body["tool_choice"], body["stream"]) == ("auto", True)
    assert list(body) == ["model", "tools", "tool_choice", "messages", "stream"]


def test_tools_that_are_gone_take_their_options_along() -> None:
    transcript = replace(fixture("parallel-calls.json"), tools=())

    body = written(FORMAT, transcript, CHAT)

    assert not {"tools", "tool_choice"} & body.keys()


def test_a_bare_array_says_that_it_cannot_declare_tools() -> None:
    transcript = replace(fixture("bare-array.json"), tools=(Tool("write"),))

    _, changes = write_one(FORMAT, transcript, CHAT)

    assert [(change.kind, change.rule) for change in changes] == [("dropped", "undeclared-tool")]


# ------------------------------------------------------------------------- other formats' messages


def test_a_history_of_another_format_becomes_a_whole_body() -> None:
    call = ToolCall("toolu_1", "read", {"path": "ä"}, raw={"type": "tool_use"})
    transcript = made(
        Message("user", (Text("hi", raw={"type": "text"}),)),
        Message("assistant", (Text("one"), call), origin=CLAUDE),
        Message("user", (ToolResult("toolu_1", "read", (Text("a"), Text("b"))), Text("go on"))),
        tools=[Tool("read")],
    )
    transcript = replace(transcript, system=(Text("Be brief."), Text("Be kind.")))

    body = written(FORMAT, transcript, CHAT)

    parameters = {"type": "object", "properties": {}}
    assert body == {
        "model": "gpt-4o",
        "messages": [
            {"role": "system", "content": "Be brief.\n\nBe kind."},
            {"role": "user", "content": "hi"},
            {
                "role": "assistant",
                "content": "one",
                "tool_calls": [
                    {"id": "toolu_1", "type": "function", "function": {"name": "read", "arguments": '{"path":"ä"}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "toolu_1", "content": "a\nb"},
            {"role": "user", "content": "go on"},
        ],
        "tools": [{"type": "function", "function": {"name": "read", "parameters": parameters}}],
    }


def test_several_texts_are_parts_where_parts_are_taken_and_one_text_elsewhere() -> None:
    transcript = made(Message("assistant", (Text("one"), Text("two")), origin=CLAUDE))

    ours, clone = (written(FORMAT, transcript, target)["messages"][0] for target in (CHAT, CLONE))

    assert ours["content"] == [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    assert clone["content"] == "one\n\ntwo"


def test_a_turn_of_calls_only_has_null_content_at_openai_and_an_empty_text_elsewhere() -> None:
    transcript = made(Message("assistant", (ToolCall("c", "f", {}),), origin=CLAUDE))

    contents = [written(FORMAT, transcript, target)["messages"][0]["content"] for target in (CHAT, CLONE)]

    assert contents == [None, ""]


def test_an_empty_result_is_an_empty_text() -> None:
    transcript = made(Message("tool", (ToolResult("c", "f", ()),)))

    assert written(FORMAT, transcript, CHAT)["messages"] == [{"role": "tool", "tool_call_id": "c", "content": ""}]


def test_a_refusal_goes_back_as_a_refusal() -> None:
    transcript = made(Message("assistant", (Text("no", refusal=True),), origin=CLAUDE))

    assert written(FORMAT, transcript, CHAT)["messages"] == [{"role": "assistant", "content": None, "refusal": "no"}]
    assert written(FORMAT, transcript, CLONE)["messages"] == [{"role": "assistant", "content": "no"}]


def test_thinking_goes_back_in_the_field_that_it_came_in() -> None:
    details = '[{"type":"reasoning.text","text":"hm"}]'
    transcript = made(
        Message("assistant", (Thinking("a", "reasoning"), Thinking("b", "reasoning"), Text("x")), origin=CLAUDE),
        Message("assistant", (Thinking("hm", details), Text("y")), origin=CLAUDE),
        Message("assistant", (Thinking("", "reasoning_content"), Text("z")), origin=CLAUDE),
    )

    first, second, third = written(FORMAT, transcript, CLONE)["messages"]

    assert first == {"role": "assistant", "content": "x", "reasoning": "a\nb"}
    assert second == {"role": "assistant", "content": "y", "reasoning_details": json.loads(details)}
    assert third == {"role": "assistant", "content": "z", "reasoning_content": ""}


def test_thinking_keeps_its_field_where_the_host_has_a_list_of_details() -> None:
    transcript = made(Message("assistant", (Thinking("a", "reasoning"), Text("x")), origin=CLAUDE))

    (message,) = written(FORMAT, transcript, replace(CLONE, thinking_field="reasoning_details"))["messages"]

    assert message == {"role": "assistant", "content": "x", "reasoning": "a"}


def test_thinking_without_a_field_is_told() -> None:
    transcript = made(Message("assistant", (Thinking("a", "c2ln"), Text("x")), origin=CLAUDE))

    output, changes = write_one(FORMAT, transcript, CHAT)

    assert json.loads(output)["messages"] == [{"role": "assistant", "content": "x"}]
    assert [(change.kind, change.rule, change.before) for change in changes] == [("dropped", "foreign-thinking", "a")]


def test_media_of_the_user_become_parts() -> None:
    transcript = made(
        Message(
            "user",
            (
                Media("image", "image/png", data="QUJD"),
                Media("image", "", url="https://example.org/a.png"),
                Media("document", "application/pdf", data="QUJD"),
            ),
        )
    )

    (message,) = written(FORMAT, transcript, CHAT)["messages"]

    assert message["content"] == [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        {"type": "file", "file": {"filename": "document.pdf", "file_data": "data:application/pdf;base64,QUJD"}},
    ]


def test_what_the_shape_cannot_say_is_told() -> None:
    image = Media("image", "image/png", data="QUJD")
    transcript = made(
        Message("user", (Text("see"), Media("document", "", url="https://example.org/a.pdf"), Opaque("hologram"))),
        Message("assistant", (Text("x"), image), origin=CLAUDE),
        Message("tool", (ToolResult("c", "f", (image, Text("seen"))),)),
    )

    output, changes = write_one(FORMAT, transcript, CHAT)

    assert [(change.message, change.rule) for change in changes] == [
        (0, "unsupported-media"),
        (0, "unknown-block"),
        (1, "unsupported-media"),
        (2, "unsupported-media"),
    ]
    assert json.loads(output)["messages"][2]["content"] == "seen"


def test_broken_arguments_and_lone_surrogates_are_written_as_they_are() -> None:
    calls = (ToolCall("a", "f", '{"path": "a'), ToolCall("b", "f", {"x": "\ud83d"}))
    transcript = made(Message("assistant", calls, origin=CLAUDE))

    functions = [call["function"] for call in written(FORMAT, transcript, CHAT)["messages"][0]["tool_calls"]]

    assert functions[0]["arguments"] == '{"path": "a'
    assert json.loads(functions[1]["arguments"]) == {"x": "\ud83d"}
