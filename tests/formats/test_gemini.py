"""Bodies of generateContent: read in either case, written as they were, and changed only where something changed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from claude_transcripts import data_of, named, read_all, said
from gemini_transcripts import FOLDER, NEW, OLD, body, contents, fitted, made, own, touched, transcript_of, written

from segue.formats import format_named, request_format
from segue.formats._gemini_tools import as_json_schema
from segue.model import Media, Message, Opaque, Text, Thinking, Tool, ToolCall, ToolResult
from segue.reading.transcripts import read
from segue.targets.target import Target

GEMINI = "google/gemini-3-pro-preview"
PLAIN = Target("google", "google-generative-ai", "gemini-3-pro-preview")  # takes whatever stands there
FAULTY = (
    "kinds-of-responses.json",
    "late-and-lone-responses.json",
    "missing-response.json",
    "responses-in-several-contents.json",
    "responses-of-other-names.json",
    "roles-of-other-apis.json",
    "unknown-fields.json",
    "words-behind-responses.json",
)
REFUSED = ("kinds-of-responses.json", "responses-of-other-names.json", "roles-of-other-apis.json")
UNSIGNED = ("missing-response.json", "parallel-calls-without-ids.json")
SOUND = tuple(name for name in named(FOLDER) if name not in (*FAULTY, "call-form-of-the-sdk.json"))


def call(name: str, id: str = "c1", **more: Any) -> ToolCall:
    return ToolCall(id, name, {}, **more)


def result(name: str, text: str, id: str = "c1", **more: Any) -> ToolResult:
    return ToolResult(id, name, (Text(text),), **more)


# ------------------------------------------------------------------------------------------ recognising


@pytest.mark.parametrize("name", named(FOLDER))
def test_body_is_recognised(name: str) -> None:
    assert read(body(name)).format.name == FOLDER


@pytest.mark.parametrize("folder", ("openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse", "pi"))
def test_other_formats_are_not_taken_for_this_one(folder: str) -> None:
    recognised = {read(data_of(folder, name)).format.name for name in named(folder)}

    assert recognised == {folder}


@pytest.mark.parametrize(
    "value",
    (
        [{"role": "user", "parts": [{"type": "text", "text": "hi"}]}],
        [{"role": "user", "parts": [{"kind": "text", "text": "hi"}]}],
        [{"role": ["user"], "parts": [{"text": "hi"}]}],
        {"contents": []},
        {"contents": [{"title": "chapter one"}]},
        {"chunkedPrompt": {"chunks": [{"role": "user", "text": "hi"}]}},
    ),
)
def test_what_only_looks_alike_is_not_recognised(value: Any) -> None:
    assert not format_named("gemini").recognise([value], True)


@pytest.mark.parametrize("name", ("gemini", "google-generative-ai", "google-vertex"))
def test_both_transports_have_this_request_format(name: str) -> None:
    assert request_format(name).name == FOLDER


# ------------------------------------------------------------------------------------------------ bytes


@pytest.mark.parametrize("name", [name for name in named(FOLDER) if name not in REFUSED])
def test_untouched_body_comes_back_byte_for_byte(name: str) -> None:
    transcripts, _ = read_all(body(name))
    model = transcripts[0].session.model or PLAIN.model

    outputs = [written(transcript, replace(PLAIN, model=model)) for transcript in transcripts]

    assert b"\n".join(output for output, _ in outputs) + b"\n" == body(name)
    assert [changes for _, changes in outputs if changes] == []


@pytest.mark.parametrize("name", SOUND)
def test_sound_body_for_its_own_model_comes_back_byte_for_byte(name: str) -> None:
    model = "google/gemini-2.5-pro" if name in UNSIGNED else GEMINI

    outcome = own(body(name), model)

    assert outcome.output == body(name)
    assert outcome.report.changes == []


@pytest.mark.parametrize("name", [name for name in named(FOLDER) if not name.endswith(".jsonl")])
@pytest.mark.parametrize("model", (GEMINI, "google/gemini-2.5-pro"))
def test_second_run_changes_nothing(name: str, model: str) -> None:
    first = own(body(name), model)

    second = own(first.output, model)

    assert second.output == first.output
    assert second.report.changes == []


def test_list_of_contents_becomes_a_body_without_a_model_when_a_request_is_asked_for() -> None:
    request = json.loads(own(body("bare-array.json"), to="request").output)

    assert request == {"contents": json.loads(body("bare-array.json"))}


@pytest.mark.parametrize("name", ("bare-array.json", "content-lines.jsonl"))
def test_list_of_contents_tells_what_it_cannot_hold(name: str) -> None:
    outcome = own(body(name), system="Be brief.")

    assert outcome.output == body(name)
    assert [(change.kind, change.rule) for change in outcome.report.changes] == [("dropped", "system-prompt")]


def test_data_set_has_one_body_a_line_in_and_out() -> None:
    transcripts, _ = read_all(body("data-set.jsonl"))

    assert [len(transcript.messages) for transcript in transcripts] == [2, 4]
    assert [text.text for text in transcripts[0].system] == ["Rate it."]
    assert len(own(body("data-set.jsonl"), force=True).output.splitlines()) == 2


# ---------------------------------------------------------------------------------------------- reading


def test_calls_without_ids_are_answered_by_name_and_order() -> None:
    messages = transcript_of("parallel-calls-without-ids.json").messages

    bergen, graz, clock = messages[1].of(ToolCall)
    results = messages[2].of(ToolResult)

    assert len({bergen.id, graz.id, clock.id}) == 3
    assert [(one.call_id, one.text) for one in results] == [(clock.id, "noon"), (bergen.id, "rain"), (graz.id, "sun")]


def test_derived_ids_are_the_same_in_a_longer_history() -> None:
    value = json.loads(body("parallel-calls-without-ids.json"))
    value["contents"].append({"role": "model", "parts": [{"functionCall": {"name": "clock"}}]})

    (longer,), _ = read_all(json.dumps(value).encode())

    before = transcript_of("parallel-calls-without-ids.json").messages
    assert [m.of(ToolCall) for m in longer.messages[:5]] == [m.of(ToolCall) for m in before]


def test_thoughts_and_signatures_stand_on_their_blocks() -> None:
    messages = transcript_of("signed-steps.json").messages

    thought, blank, first, second = messages[1].blocks

    assert isinstance(thought, Thinking) and (thought.text, thought.signature) == ("I look at the calendar.", None)
    assert isinstance(blank, Text) and (blank.text, blank.signature) == ("", "dGhlIGFuc3dlcg==")
    assert isinstance(first, ToolCall) and first.signature == "c3RlcCBvbmU="
    assert isinstance(second, ToolCall) and second.signature is None
    assert messages[5].blocks[0].signature == "dGhlIGVuZCBvZiBpdA=="  # type: ignore[union-attr]


def test_path_in_front_of_the_models_name_is_no_part_of_it() -> None:
    assert transcript_of("signed-steps.json").session.model == "gemini-3-pro-preview"


def test_snake_case_says_the_same() -> None:
    transcript = transcript_of("snake-case.json")

    assert [said(message) for message in transcript.messages] == [
        ("user", "text What is on it?", "image"),
        ("assistant", "call call_1"),
        ("user", "result call_1: text a dot"),
        ("assistant", "text A dot."),
        ("user", "text Thanks."),
    ]
    assert transcript.messages[1].of(ToolCall)[0].signature == "c3RlcCBvbmU="
    assert "+" in transcript.messages[0].of(Media)[0].data  # the usual alphabet, not the one for addresses
    assert [text.text for text in transcript.system] == ["Be brief."]
    assert [tool.name for tool in transcript.tools] == ["look"]


def test_call_form_of_the_sdk_brings_prompt_and_tools_in_its_config() -> None:
    transcript = transcript_of("call-form-of-the-sdk.json")

    assert [said(message)[0] for message in transcript.messages] == ["user", "assistant", "user"]
    assert [text.text for text in transcript.system] == ["Count only."]
    assert [tool.name for tool in transcript.tools] == ["count"]


def test_media_are_told_apart_by_type_and_address() -> None:
    messages = transcript_of("media.json").messages

    picture, plan, table, stored, linked, uploaded = messages[0].of(Media)
    sound, film = messages[2].of(Opaque)

    assert [medium.kind for medium in (picture, plan, table)] == ["image", "document", "document"]
    assert plan.name == "plan.pdf"
    assert stored.url == "gs://huts/north.jpg"
    assert linked.url == "https://example.com/map.pdf"
    assert uploaded.file is not None and uploaded.url is None
    assert (sound.type, film.type) == ("inlineData", "fileData")


def test_responses_are_read_as_words_and_errors() -> None:
    results = transcript_of("kinds-of-responses.json").messages[2].of(ToolResult)

    assert [(one.text, one.is_error) for one in results] == [
        ("two\nlines", False),
        ('[{"id":1},{"id":2}]', False),
        ("no such hut", True),
        ('{"open":true,"beds":12}', False),
        ("", False),
        ('{"output":"half","error":"timed out"}', True),
        ('{"schema":{"$ref":"#/defs/hut"}}', False),
    ]


def test_pictures_of_a_response_belong_to_the_result() -> None:
    (shot,) = transcript_of("pictures-in-a-response.json").messages[2].of(ToolResult)

    assert [type(block) for block in shot.content] == [Text, Media]


def test_results_lead_their_message_wherever_they_stood() -> None:
    message = transcript_of("words-before-responses.json").messages[2]

    assert said(message) == ("user", "result c1: text A", "result c2: text B", "text I opened them for you.")
    assert [block.place.block for block in message.blocks if block.place] == [1, 2, 0]


def test_late_repeated_and_lone_responses_are_told_apart() -> None:
    messages = transcript_of("late-and-lone-responses.json").messages
    (ls,), (pwd,) = messages[1].of(ToolCall), messages[3].of(ToolCall)

    late, answer, repeated, lone = messages[4].of(ToolResult)

    assert [late.call_id, answer.call_id, repeated.call_id] == [ls.id, pwd.id, pwd.id]
    assert lone.call_id not in (ls.id, pwd.id) and lone.name == "ls"


def test_response_whose_name_is_no_tools_answers_the_call_that_is_left() -> None:
    messages = transcript_of("responses-of-other-names.json").messages
    ls, pwd = messages[1].of(ToolCall)

    results = messages[2].of(ToolResult)

    assert [(one.call_id, one.name) for one in results] == [(pwd.id, "pwd"), (ls.id, "ls")]


def test_roles_of_other_apis_are_read() -> None:
    (transcript,), changes = read_all(body("roles-of-other-apis.json"))

    roles = [message.role for message in transcript.messages]

    assert roles == ["system", "user", "assistant", "user", "assistant", "user", "assistant", "user"]
    assert [(change.kind, change.rule) for change in changes] == [("dropped", "unknown-role")]


def test_schema_of_google_is_read_as_json_schema() -> None:
    weather, clock = transcript_of("parallel-calls-without-ids.json").tools

    assert weather.parameters == {
        "type": "object",
        "properties": {
            "place": {"type": "string"},
            "days": {"type": ["array", "null"], "items": {"type": "integer"}, "minItems": 1},
        },
        "required": ["place"],
    }
    assert clock.parameters == {"type": "object"}
    assert as_json_schema({"any_of": [{"type_": "STRING"}, {"type": "TYPE_UNSPECIFIED"}]}) == {
        "anyOf": [{"type": "string"}, {}]
    }


# ---------------------------------------------------------------------------------------------- writing


def test_new_body_has_no_model_and_one_content_a_turn() -> None:
    transcript = made(
        Message("user", (Text("Check."),)),
        Message("assistant", (Thinking("hm", "c3RlcA=="), call("ls", signature="c3RlcCBvbmU="))),
        Message("tool", (result("ls", "a.txt"),)),
        Message("user", (Text("Go on."),)),
        tools=(Tool("ls", "Lists.", {"oneOf": [{"type": "object"}]}),),
        system="Be brief.",
    )

    output, changes = written(transcript, replace(OLD, call_ids_on_wire=True))

    assert changes == []
    assert json.loads(output) == {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "tools": [
            {
                "functionDeclarations": [
                    {
                        "name": "ls",
                        "description": "Lists.",
                        "parametersJsonSchema": {"oneOf": [{"type": "object"}], "type": "object"},
                    }
                ]
            }
        ],
        "contents": [
            {"role": "user", "parts": [{"text": "Check."}]},
            {
                "role": "model",
                "parts": [
                    {"text": "hm", "thought": True, "thoughtSignature": "c3RlcA=="},
                    {"functionCall": {"id": "c1", "name": "ls", "args": {}}, "thoughtSignature": "c3RlcCBvbmU="},
                ],
            },
            {
                "role": "user",
                "parts": [
                    {"functionResponse": {"id": "c1", "name": "ls", "response": {"output": "a.txt"}}},
                    {"text": "Go on."},
                ],
            },
        ],
    }


def test_words_go_in_front_of_results_where_the_model_wants_them_there() -> None:
    transcript = made(
        Message("assistant", (call("ls"),)),
        Message("tool", (result("ls", "a.txt"),)),
        Message("user", (Text("Go on."),)),
    )

    output, changes = written(transcript, NEW)

    assert [next(iter(part)) for part in json.loads(output)["contents"][1]["parts"]] == ["text", "functionResponse"]
    assert [rule for rule, _ in changes] == ["text-after-results"]


def test_words_that_stood_in_front_already_are_no_change() -> None:
    transcript = transcript_of("words-before-responses.json")
    blocks = transcript.messages[2].blocks

    after = contents(touched(transcript, 2, blocks=(*blocks, Text("Look.", place=blocks[-1].place))), NEW)

    assert [next(iter(part)) for part in after[2]["parts"]] == ["text", "text", "functionResponse", "functionResponse"]


def test_ids_stay_off_the_wire_where_the_model_takes_none() -> None:
    transcript = made(Message("assistant", (call("ls"),)), Message("tool", (result("ls", "a.txt", is_error=True),)))

    asked, answered = contents(transcript, OLD)

    assert asked["parts"] == [{"functionCall": {"name": "ls", "args": {}}}]
    assert answered["parts"] == [{"functionResponse": {"name": "ls", "response": {"error": "a.txt"}}}]


def test_results_of_one_tool_keep_to_their_calls_where_only_order_tells() -> None:
    transcript = made(
        Message("assistant", (call("read", "c1"), call("read", "c2"))),
        Message("tool", (result("read", "B", "c2"), result("read", "A", "c1"))),
    )

    output, changes = written(transcript, OLD)

    responses = [part["functionResponse"]["response"]["output"] for part in json.loads(output)["contents"][1]["parts"]]
    assert responses == ["A", "B"]
    assert [rule for rule, _ in changes] == ["wire-shape"]


def test_derived_ids_never_reach_the_wire() -> None:
    transcript = transcript_of("parallel-calls-without-ids.json")
    blocks = [
        replace(block, text="Three calls.") if type(block) is Text else block for block in transcript.messages[1].blocks
    ]
    changed = touched(transcript, 1, blocks=tuple(blocks))

    after = contents(touched(changed, 2, blocks=changed.messages[2].blocks), PLAIN)

    before = json.loads(body("parallel-calls-without-ids.json"))["contents"]
    before[1]["parts"][0]["text"] = "Three calls."
    assert after == before


def test_response_carries_the_name_of_its_call() -> None:
    transcript = made(Message("assistant", (call("ls"),)), Message("tool", (result("call_17", "a.txt"),)))

    assert contents(transcript, OLD)[1]["parts"][0]["functionResponse"]["name"] == "ls"


def test_media_are_written_beside_words_and_inside_results() -> None:
    picture = Media("image", "image/png", "iVBORw0KGgo=")
    linked = Media("document", "", url="https://example.com/map.pdf")
    transcript = made(
        Message("user", (picture, linked, Media("document", "application/pdf", "JVBERi0=", name="plan.pdf"))),
        Message("assistant", (call("look"),)),
        Message("tool", (ToolResult("c1", "look", (Text("seen"), picture)),)),
    )

    shown, _, seen = contents(transcript, PLAIN)

    blob = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
    assert shown["parts"] == [
        blob,
        {"fileData": {"mimeType": "application/pdf", "fileUri": "https://example.com/map.pdf"}},
        {"inlineData": {"mimeType": "application/pdf", "data": "JVBERi0=", "displayName": "plan.pdf"}},
    ]
    assert seen["parts"][0]["functionResponse"]["parts"] == [blob]


def test_blank_text_that_is_signed_is_written() -> None:
    transcript = made(Message("assistant", (Text("", "c3RlcA=="),)))

    assert contents(transcript, PLAIN)[0]["parts"] == [{"text": "", "thoughtSignature": "c3RlcA=="}]


def test_redacted_thinking_is_told_where_no_rule_took_it() -> None:
    transcript = made(Message("assistant", (Thinking("", "blob", redacted=True), Text("Yes."))))

    output, changes = written(transcript, PLAIN)

    assert json.loads(output)["contents"][0]["parts"] == [{"text": "Yes."}]
    assert [rule for rule, _ in changes] == ["redacted-thinking"]


# --------------------------------------------------------------------------------------------- touching


def test_only_the_touched_message_changes() -> None:
    transcript = transcript_of("snake-case.json")
    asked = replace(transcript.messages[1].of(ToolCall)[0], arguments={"at_once": False}, signature=None)

    after, changes = written(touched(transcript, 1, blocks=(asked,)), PLAIN)

    expected = body("snake-case.json").replace(b'"at_once":true}', b'"at_once":false}')
    expected = expected.replace(b',"thought_signature":"c3RlcCBvbmU="', b"")
    assert after + b"\n" == expected
    assert changes == []


def test_unknown_fields_of_a_touched_content_survive() -> None:
    transcript = transcript_of("unknown-fields.json")
    words = replace(transcript.messages[0].of(Text)[0], text="Good day.")

    after = contents(touched(transcript, 0, blocks=(words,)), PLAIN)

    assert after[0] == {"role": "user", "parts": [{"text": "Good day.", "partMetadata": {"from": "phone"}}], "tag": 1}


def test_structured_response_stays_structured_as_long_as_it_says_the_same() -> None:
    transcript = transcript_of("pictures-in-a-response.json")
    (shot,) = transcript.messages[2].of(ToolResult)

    kept = contents(touched(transcript, 2, blocks=(shot,)), PLAIN)[2]
    alone = contents(touched(transcript, 2, blocks=(replace(shot, content=shot.content[:1]),)), PLAIN)[2]

    assert kept == json.loads(body("pictures-in-a-response.json"))["contents"][2]
    assert alone["parts"][0]["functionResponse"]["response"] == {"output": shot.text}  # refers to nothing any more
    assert "parts" not in alone["parts"][0]["functionResponse"]


@pytest.mark.parametrize(
    ("name", "what"),
    (
        ("kinds-of-responses.json", "said the response to call 'c7' (refers) as words"),
        ("responses-of-other-names.json", "the name of the call"),
        ("roles-of-other-apis.json", "called the role 'assistant' 'model'"),
    ),
)
def test_what_the_api_would_refuse_is_put_right_and_told(name: str, what: str) -> None:
    _, changes = written(transcript_of(name), PLAIN)

    assert {rule for rule, _ in changes} == {"wire-shape"}
    assert any(what in told for _, told in changes)


def test_renamed_tool_is_renamed_in_its_group_and_hosted_tools_stay() -> None:
    transcript = transcript_of("hosted-tools.json")
    renamed = replace(transcript, tools=tuple(replace(tool, name="jot") for tool in transcript.tools))

    after = json.loads(written(renamed, PLAIN)[0])

    before = json.loads(body("hosted-tools.json"))
    before["tools"][2]["functionDeclarations"][0]["name"] = "jot"
    assert after == before


def test_longest_answer_is_lowered_to_what_the_model_can() -> None:
    transcript = transcript_of("snake-case.json")

    output, changes = written(transcript, replace(PLAIN, max_output=128))

    assert json.loads(output)["generation_config"] == {"max_output_tokens": 128}
    assert [rule for rule, _ in changes] == ["request-limit"]


def test_new_model_is_named_as_the_body_named_the_old_one() -> None:
    outcome = fitted(body("signed-steps.json"), "google/gemini-2.5-pro")

    assert json.loads(outcome.output)["model"] == "models/gemini-2.5-pro"


def test_new_prompt_takes_the_place_of_the_old_one() -> None:
    outcome = own(body("snake-case.json"), system="Be loud.")

    after, before = json.loads(outcome.output), json.loads(body("snake-case.json"))
    assert after == {**before, "system_instruction": {"parts": [{"text": "Be loud."}]}}


# ----------------------------------------------------------------------------------------- round trips


@pytest.mark.parametrize("over", ("anthropic/claude-opus-4-8", "openai/gpt-5.2", "openai/gpt-4o"))
@pytest.mark.parametrize("name", ("parallel-calls-without-ids.json", "words-behind-responses.json", "snake-case.json"))
def test_words_calls_and_results_come_back_from_another_format(name: str, over: str) -> None:
    there = fitted(body(name), over, to="request")

    back = fitted(there.output, GEMINI, to="request")

    (transcript,), _ = read_all(back.output)
    before = transcript_of(name)
    assert [_words(message) for message in transcript.messages] == [_words(message) for message in before.messages]
    declared = {tool.name for tool in transcript.tools}
    assert declared >= {tool.name for tool in before.tools}  # what was called and not declared is declared by now


def _words(message: Message) -> list[Any]:
    results = sorted((block.name, block.text) for block in message.of(ToolResult))
    calls = [(block.name, block.arguments) for block in message.of(ToolCall)]
    return [message.role, results, calls, [block.text for block in message.of(Text)], len(message.of(Media))]


def test_signatures_do_not_travel() -> None:
    there = fitted(body("signed-steps.json"), "anthropic/claude-opus-4-8", to="request")

    back = fitted(there.output, GEMINI, to="request")

    for signature in (b"c3RlcCBvbmU=", b"c3RlcCB0d28=", b"dGhlIGFuc3dlcg==", b"dGhlIGVuZCBvZiBpdA=="):
        assert signature not in there.output
        assert signature not in back.output


def test_code_that_ran_on_the_server_becomes_words_for_another_model() -> None:
    outcome = fitted(body("hosted-tools.json"), "openai/gpt-4o", to="request")

    assert b"print(2 + 2)" in outcome.output
    assert {"hosted-tools"} == {problem.rule for problem in outcome.report.problems}
