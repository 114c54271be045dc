"""Bodies of Bedrock's Converse: read, written as they were, and changed only where something changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from claude_transcripts import SESSIONS, data_of, named, read_all, said

from segue.formats.bedrock_converse import recognise
from segue.model import Media, Opaque, Text, Thinking, ToolCall, ToolResult
from segue.options import Options
from segue.pipeline import convert
from segue.reading.transcripts import read
from segue.targets import resolve

FOLDER = "bedrock-converse"
API = "bedrock-converse-stream"
CLAUDE = "amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0"
LLAMA = "amazon-bedrock/meta.llama4-scout-17b-instruct-v1:0"
KIMI = "amazon-bedrock/moonshotai.kimi-k2.5"
NOVA = "amazon-bedrock/amazon.nova-pro-v1:0"
LISTS = ("bare-array.json", "message-lines.jsonl")
OTHERS = sorted(path for path in SESSIONS.glob("*/*") if path.parent.name != FOLDER)
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


def body(name: str) -> bytes:
    return data_of(FOLDER, name)


def own_model(name: str) -> str:
    (transcript, *_), _ = read_all(body(name))
    return f"amazon-bedrock/{transcript.session.model}" if transcript.session.model else CLAUDE


def asked(value: Any, model: str = CLAUDE, **options: Any) -> Any:
    return convert(json.dumps(value).encode() + b"\n", Options(model, api=API, **options))


def fitted(value: Any, model: str = CLAUDE, **options: Any) -> Any:
    return json.loads(asked(value, model, **options).output)


def told(outcome: Any) -> list[tuple[str, str]]:
    return [(change.kind, change.rule) for change in outcome.report.changes]


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"text": block} if isinstance(block, str) else block for block in blocks]}


def assistant(*blocks: Any) -> dict[str, Any]:
    return user(*blocks) | {"role": "assistant"}


def pi_call(*said: Any, **answer: Any) -> list[Any]:
    """Make a history of pi's with one call, in the words of another model."""
    origin = {"provider": "openai", "api": "openai-responses", "model": "gpt-5.2", "stopReason": "toolUse"}
    call = {"type": "toolCall", "id": "call_1", "name": "read", "arguments": {"path": "a"}}
    result = {"role": "toolResult", "toolCallId": "call_1", "toolName": "read", "isError": False, "content": []}
    return [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [*said, call], **origin},
        result | answer,
    ]


# ------------------------------------------------------------------------------------------ bytes


@pytest.mark.parametrize("name", named(FOLDER))
def test_body_is_recognised(name: str) -> None:
    assert read(body(name)).format.name == FOLDER


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_other_format_is_taken_for_it(path: Path) -> None:
    values = [json.loads(path.read_bytes())] if path.suffix == ".json" else _lines(path.read_bytes())

    assert not recognise(values, len(values) == 1)


def _lines(data: bytes) -> list[Any]:
    """Parse those of the first lines that are sound."""
    values = []
    for line in data.splitlines()[:20]:
        try:
            values.append(json.loads(line))
        except ValueError:
            continue
    return values or [None]


@pytest.mark.parametrize("name", named(FOLDER))
def test_untouched_body_comes_back_byte_for_byte(name: str) -> None:
    reading = read(body(name))
    target = resolve(own_model(name), API)

    written = [b"".join(reading.format.write(transcript, target)) for transcript, _ in reading.transcripts]  # type: ignore[arg-type]

    assert b"\n".join(written) + b"\n" == body(name)


@pytest.mark.parametrize("name", named(FOLDER))
def test_sound_body_for_its_own_model_comes_back_byte_for_byte(name: str) -> None:
    outcome = convert(body(name), Options(own_model(name), api=API))

    assert outcome.output == body(name)
    assert outcome.report.changes == []
    assert [problem for problem in outcome.report.problems if problem.severity == "error"] == []


@pytest.mark.parametrize("name", LISTS)
def test_list_of_messages_becomes_a_body_when_a_request_is_asked_for(name: str) -> None:
    request = json.loads(convert(body(name), Options(CLAUDE, api=API, to="request")).output)

    assert request.keys() == {"toolConfig", "messages"}
    assert [tool["toolSpec"]["name"] for tool in request["toolConfig"]["tools"]] == ["read"]
    assert len(request["messages"]) == 5


@pytest.mark.parametrize("name", LISTS)
def test_list_of_messages_tells_what_it_cannot_hold(name: str) -> None:
    outcome = convert(body(name), Options(CLAUDE, api=API, system="Be brief."))

    assert outcome.output == body(name)
    assert told(outcome) == [("dropped", "system-prompt")]


def test_data_set_has_one_body_a_line_in_and_out() -> None:
    transcripts, _ = read_all(body("data-set.jsonl"))

    assert [len(transcript.messages) for transcript in transcripts] == [3, 5]
    assert [text.text for text in transcripts[1].system] == ["Count."]
    assert len(convert(body("data-set.jsonl"), Options(NOVA, api=API)).output.splitlines()) == 2


# ---------------------------------------------------------------------------------------- reading


def test_results_lead_their_user_message_and_know_their_tool() -> None:
    (transcript,), _ = read_all(body("parallel-results.json"))

    results = transcript.messages[2].of(ToolResult)

    assert said(transcript.messages[2]) == (
        "user",
        "result tooluse_1: text rain",
        "result tooluse_2: text no such place",
        "text Which is warmer?",
    )
    assert [(result.name, result.is_error) for result in results] == [("weather", False), ("weather", True)]
    assert [tool.name for tool in transcript.tools] == ["weather"]
    assert transcript.tools[0].parameters["properties"] == {"place": {"type": "string"}}


def test_reasoning_keeps_signature_and_payload() -> None:
    (transcript,), _ = read_all(body("signed-thinking.json"))

    first, redacted, call = transcript.messages[1].blocks
    wordless = transcript.messages[3].of(Thinking)[0]

    assert isinstance(first, Thinking) and first.text == "One call will do." and first.signature
    assert isinstance(redacted, Thinking) and redacted.redacted and redacted.signature == "aGlkZGVuIHRob3VnaHQ="
    assert isinstance(call, ToolCall)
    assert not wordless.text and wordless.signature


def test_media_are_read_at_the_top_and_inside_results() -> None:
    (transcript,), _ = read_all(body("images-and-documents.json"))

    image, plan, table, notes, linked, words = transcript.messages[0].blocks
    inside = transcript.messages[2].of(ToolResult)[0].content

    assert isinstance(image, Media) and (image.kind, image.media_type) == ("image", "image/png")
    assert isinstance(plan, Media) and (plan.media_type, plan.name) == ("application/pdf", "Map of the valley")
    assert isinstance(table, Media) and table.media_type == "text/csv" and table.data
    assert isinstance(notes, Media) and notes.media_type == "text/plain" and notes.name == "two notes"
    assert isinstance(linked, Media) and linked.url == "s3://valley-pictures/lake.jpg"
    assert isinstance(words, Text)
    assert [type(block) for block in inside] == [Text, Media, Media]


def test_structured_output_of_a_tool_is_text_for_others() -> None:
    (transcript,), _ = read_all(body("structured-results.json"))

    first, second = transcript.messages[2].of(ToolResult)[0].content

    assert json.loads(first.text) == {"hut": "upper", "metres": 2310, "at": [47.1, 9.8], "open": None}
    assert second.text == "one hit"


def test_guarded_and_cited_words_are_words() -> None:
    (transcript,), _ = read_all(body("citations-and-guarded-words.json"))

    assert [text.text for text in transcript.system] == ["Speak of huts only."]
    assert said(transcript.messages[0]) == ("user", "text Is the upper hut open?", "image", "searchResult")
    assert said(transcript.messages[1]) == ("assistant", "text As I read it, ", "text it opens in June", "text .")


def test_cache_points_are_marks_and_no_blocks() -> None:
    (transcript,), _ = read_all(body("cache-points.json"))

    assert [said(message) for message in transcript.messages] == [
        ("user", "text Which hut is open?"),
        ("assistant", "text The upper one."),
        ("user", "text And the lower?"),
    ]
    assert [text.text for text in transcript.system] == ["You know every hut."]
    assert [tool.name for tool in transcript.tools] == ["huts"]


def test_members_that_are_null_are_not_there() -> None:
    (transcript,), _ = read_all(body("members-that-are-null.json"))

    assert [said(message) for message in transcript.messages] == [
        ("user", "text ls"),
        ("assistant", "call tooluse_1"),
        ("user", "result tooluse_1: text a.txt"),
    ]


def test_calls_of_the_servers_own_tools_stay_whole() -> None:
    (transcript,), _ = read_all(body("server-tools.json"))

    assert [block.type for block in transcript.messages[1].of(Opaque)] == ["toolUse", "toolResult"]


def test_several_members_of_one_block_are_as_many_blocks() -> None:
    both = {"text": "look", "image": {"format": "png", "source": {"bytes": PNG}}}

    (transcript,), _ = read_all(json.dumps({"messages": [user(both)]}).encode())

    assert said(transcript.messages[0]) == ("user", "text look", "image")


@pytest.mark.parametrize(
    "block",
    [
        {"image": "x"},
        {"document": {}},
        {"toolUse": []},
        {"toolResult": 1},
        {"reasoningContent": {}},
        {"text": 1},
        {"citationsContent": {}},
        {"hologram": {}},
    ],
)
def test_malformed_block_does_not_stop_the_reader(block: Any) -> None:
    outcome = asked({"messages": [user("hi", block)]})

    assert json.loads(outcome.output)["messages"] == [user("hi")]
    assert told(outcome) == [("dropped", "unknown-block")]


# ---------------------------------------------------------------------------------------- touching


def test_only_the_touched_message_changes() -> None:
    value = json.loads(body("signed-thinking.json"))
    value["messages"][1]["content"][2]["toolUse"]["input"] = '{"place":"Graz"}'

    after = fitted(value)

    assert after["messages"][1]["content"][2]["toolUse"]["input"] == {"place": "Graz"}
    assert after["messages"][0] == value["messages"][0]
    assert after["messages"][2:] == value["messages"][2:]
    assert {**after, "messages": None} == {**value, "messages": None}


def test_cache_points_stay_behind_the_blocks_of_a_touched_message() -> None:
    value = json.loads(body("cache-points.json"))
    value["messages"].insert(1, user("Now."))

    after = fitted(value)

    mark = {"cachePoint": {"type": "default"}}
    assert after["messages"][0] == user("Which hut is open?", mark, "Now.")
    assert after["messages"][1:] == value["messages"][2:]
    assert {**after, "messages": None} == {**value, "messages": None}


def test_richer_forms_of_a_touched_message_stay_where_their_words_do() -> None:
    value = json.loads(body("citations-and-guarded-words.json"))
    for message in value["messages"]:
        message["content"].append({"text": ""})

    after = fitted(value)

    for message in value["messages"]:
        del message["content"][-1]
    assert after == value


def test_media_of_a_touched_message_keep_their_form() -> None:
    value = json.loads(body("images-and-documents.json"))
    value["messages"][0]["content"].append({"text": " "})
    value["messages"][2]["content"].append({"text": " "})

    after = fitted(value)

    del value["messages"][0]["content"][-1], value["messages"][2]["content"][-1]
    assert after == value


def test_pretty_printed_body_stays_pretty_when_it_changes() -> None:
    outcome = convert(body("pretty-printed.json"), Options(CLAUDE, api=API, prompt="Und der zweithöchste?"))

    before, after = body("pretty-printed.json").decode(), outcome.output.decode()

    assert after.splitlines()[:10] == before.splitlines()[:10]
    assert json.loads(after)["messages"][-1] == user("Wie hoch?", "Und der zweithöchste?")


def test_unknown_keys_are_stripped_from_blocks_and_from_what_is_in_them() -> None:
    call = {"toolUse": {"toolUseId": "t1", "name": "ls", "input": {}, "index": 1}, "shownAt": 3}
    result = {"toolResult": {"toolUseId": "t1", "content": [{"text": "a", "id": 7}]}}
    tools = {"tools": [{"toolSpec": {"name": "ls", "inputSchema": {"json": {"type": "object"}}}}]}

    outcome = asked({"messages": [user("ls") | {"id": 1}, assistant(call), user(result)], "toolConfig": tools, "n": 1})

    after = json.loads(outcome.output)
    assert after["messages"][0] == user("ls")
    assert after["messages"][1] == assistant({"toolUse": {"toolUseId": "t1", "name": "ls", "input": {}}})
    assert after["messages"][2]["content"][0]["toolResult"]["content"] == [{"text": "a"}]
    assert "n" not in after
    assert told(outcome) == [("dropped", "stray-key")] * 5


def test_other_model_gets_its_name_and_what_it_takes() -> None:
    outcome = convert(body("signed-thinking.json"), Options(LLAMA, api=API))

    after = json.loads(outcome.output)

    assert after["modelId"] == "meta.llama4-scout-17b-instruct-v1:0"
    assert "reasoningContent" not in outcome.output.decode()
    assert "One call will do." in outcome.output.decode()


def test_body_without_a_model_gets_none() -> None:
    after = json.loads(convert(body("body-without-a-model.json"), Options(NOVA, api=API, to="request")).output)

    assert after == json.loads(body("body-without-a-model.json"))


def test_longest_answer_is_lowered_to_what_the_model_can() -> None:
    model = "anthropic/claude-haiku-4-5"
    value = {"messages": [user("hi")], "inferenceConfig": {"maxTokens": 10_000_000, "topP": 1}}

    outcome = asked(value, model)

    most = resolve(model, API).max_output
    assert json.loads(outcome.output)["inferenceConfig"] == {"maxTokens": most, "topP": 1}
    assert told(outcome) == [("rewritten", "request-limit")]


def test_servers_tools_and_cache_points_stay_when_a_tool_is_renamed() -> None:
    value = json.loads(body("cache-points.json"))
    value["toolConfig"]["tools"].append({"systemTool": {"name": "nova_grounding"}})
    value["toolConfig"]["tools"][0]["toolSpec"]["name"] = "huts.all"

    config = fitted(value)["toolConfig"]

    assert [next(iter(tool)) for tool in config["tools"]] == ["systemTool", "toolSpec", "cachePoint"]
    assert config["tools"][1]["toolSpec"] == value["toolConfig"]["tools"][0]["toolSpec"] | {"name": "huts_all"}
    assert config["toolChoice"] == {"auto": {}}


# ---------------------------------------------------------------------------------------- translating


def test_history_of_another_vendor_becomes_a_whole_body() -> None:
    value = pi_call({"type": "text", "text": "Reading."}, content=[{"type": "text", "text": "step one"}])

    body = fitted({"systemPrompt": "Be brief.", "messages": value}, to="request")

    assert body == {
        "system": [{"text": "Be brief."}],
        "toolConfig": {"tools": [{"toolSpec": {"name": "read", "inputSchema": {"json": {"type": "object"}}}}]},
        "messages": [
            user("go"),
            assistant("Reading.", {"toolUse": {"toolUseId": "call_1", "name": "read", "input": {"path": "a"}}}),
            user({"toolResult": {"toolUseId": "call_1", "content": [{"text": "step one"}], "status": "success"}}),
        ],
    }


def test_results_and_the_users_next_words_are_one_message() -> None:
    history = [*pi_call(content=[{"type": "text", "text": "one"}]), {"role": "user", "content": "go on"}]

    body = fitted(history, to="request")

    assert [next(iter(block)) for block in body["messages"][-1]["content"]] == ["toolResult", "text"]


def test_status_stands_only_where_the_model_knows_it() -> None:
    history = pi_call(content=[{"type": "text", "text": "no such file"}], isError=True)

    claude, llama = (fitted(history, model, to="request") for model in (CLAUDE, LLAMA))

    assert claude["messages"][-1]["content"][0]["toolResult"]["status"] == "error"
    assert "status" not in llama["messages"][-1]["content"][0]["toolResult"]
    assert "no such file" in llama["messages"][-1]["content"][0]["toolResult"]["content"][0]["text"]


def test_images_have_a_format_and_documents_a_name() -> None:
    content = [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "data:image/jpg;base64,/9j/4AAQSkZJRgAB"}},
        {"type": "file", "file": {"filename": "plan_v2.pdf", "file_data": "data:application/pdf;base64,JVBERi0xLjQK"}},
    ]

    request = fitted({"model": "gpt-4o", "messages": [{"role": "user", "content": content}]}, to="request")

    assert request["messages"][0]["content"] == [
        {"text": "look"},
        {"image": {"format": "jpeg", "source": {"bytes": "/9j/4AAQSkZJRgAB"}}},
        {"document": {"format": "pdf", "name": "plan v2 pdf", "source": {"bytes": "JVBERi0xLjQK"}}},
    ]


def test_reasoning_goes_back_to_its_own_model_as_that_model_takes_it() -> None:
    def history(model: str, signature: str | None) -> list[Any]:
        thought = {"type": "thinking", "thinking": "hm"} | ({"thinkingSignature": signature} if signature else {})
        origin = {"provider": "amazon-bedrock", "api": API, "model": model.partition("/")[2], "stopReason": "stop"}
        turn = {"role": "assistant", "content": [thought, {"type": "text", "text": "Yes."}], **origin}
        return [{"role": "user", "content": "hi"}, turn, {"role": "user", "content": "go on"}]

    signed = fitted(history(CLAUDE, "EqQB"), CLAUDE, to="request")["messages"][1]["content"][0]
    plain = fitted(history(KIMI, None), KIMI, to="request")["messages"][1]["content"][0]
    vain = asked(history(KIMI, "EqQB"), KIMI, to="request")
    none = fitted(history(NOVA, "EqQB"), NOVA, to="request")["messages"][1]["content"]

    assert signed == {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "EqQB"}}}
    assert plain == {"reasoningContent": {"reasoningText": {"text": "hm"}}}
    assert json.loads(vain.output)["messages"][1]["content"][0] == plain
    assert told(vain) == [("downgraded", "foreign-signature")]
    assert none == [{"text": "hm"}, {"text": "Yes."}]


def test_signature_in_an_own_body_goes_where_its_model_takes_none() -> None:
    value = json.loads(body("plain-reasoning.json"))
    value["messages"][1]["content"][0]["reasoningContent"]["reasoningText"]["signature"] = "EqQB"

    outcome = asked(value, KIMI)

    assert json.loads(outcome.output) == json.loads(body("plain-reasoning.json"))
    assert told(outcome) == [("downgraded", "foreign-signature")]


@pytest.mark.parametrize("name", named(FOLDER))
@pytest.mark.parametrize("model", ["anthropic/claude-opus-4-8", "openai/gpt-5.2"])
def test_every_body_can_be_sent_to_other_vendors(name: str, model: str) -> None:
    outcome = convert(body(name), Options(model, to="request"))

    assert [problem for problem in outcome.report.problems if problem.severity == "error"] == []


@pytest.mark.parametrize("model", [CLAUDE, LLAMA, KIMI, NOVA])
@pytest.mark.parametrize("path", OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_second_run_changes_nothing(path: Path, model: str) -> None:
    first = convert(path.read_bytes(), Options(model, api=API, to="request", source_format=path.parent.name))

    second = convert(first.output, Options(model, api=API, source_model=model, source_format=FOLDER))

    assert second.output == first.output
    assert second.report.changes == []
