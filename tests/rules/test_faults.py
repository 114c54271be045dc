"""Faults that were found once: each has its fixture, named for its oddity."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segue.errors import SegueError
from segue.options import Options
from segue.pipeline import convert

RULES = Path(__file__).parents[2] / "fixtures" / "rules"


def converted(name, model):
    outcome = convert((RULES / name).read_bytes(), Options(model=model, to="request"))
    return json.loads(outcome.output), [(change.kind, change.rule, change.what) for change in outcome.report.changes]


@pytest.mark.parametrize(
    ("model", "block"), [("anthropic/claude-opus-4-8", "document"), ("openai/gpt-5.2", "input_file")]
)
def test_image_whose_bytes_are_a_pdf_becomes_a_document(model, block):
    body, changes = converted("unsupported-media/image-that-is-a-pdf.jsonl", model)

    content = body.get("messages", body.get("input"))[0]["content"]
    assert [part["type"] for part in content][-1] == block
    what = "corrected the media type 'image/png' to 'application/pdf', which its bytes are"
    assert ("rewritten", "unsupported-media", what) in changes


def test_message_id_that_two_texts_share_stays_on_the_first_also_without_reasoning():
    body, changes = converted("item-id/same-message-id-without-reasoning.jsonl", "openai/gpt-4o")

    assert [item.get("id") for item in body["input"]] == [None, "msg_1", None, None]
    assert [change[:2] for change in changes] == [("rewritten", "item-id")]


def test_marks_that_the_own_api_has_no_place_for_are_told():
    name = "foreign-signature/signature-of-another-vendor-on-an-own-call.jsonl"

    _, changes = converted(name, "anthropic/claude-opus-4-8")

    assert [change[:2] for change in changes] == [("downgraded", "foreign-signature")] * 2


def test_tool_reference_outside_a_result_is_dropped():
    body, changes = converted("internal-block/reference-outside-a-result.json", "anthropic/claude-opus-4-8")

    assert body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    assert [change[:2] for change in changes] == [("dropped", "internal-block")]


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("claude-code", {"type": ["user"], "uuid": "a"}),
        ("pi", {"type": {"x": 1}, "id": "a"}),
        ("neutral", {"content": "no role"}),
        ("neutral", {"role": "user", "content": [{"type": "text", "text": 5}]}),
    ],
)
def test_line_of_the_wrong_shape_is_no_fault_of_ours(format, line):
    source = json.dumps(line).encode() + b"\n"

    with pytest.raises(SegueError) as error:
        convert(source, Options(model="openai/gpt-4o", source_format=format))

    assert error.value.exit_code == 3


def test_system_message_that_becomes_the_users_keeps_its_words_in_its_own_format():
    source = (RULES / "misplaced-system/late-system-of-a-chat-body.json").read_bytes()

    outcome = convert(source, Options(model="anthropic/claude-sonnet-4-6"))

    assert json.loads(outcome.output)["messages"][-1] == {"role": "user", "content": "be terse"}


def test_file_of_the_own_body_gets_the_name_that_its_data_needs():
    body, changes = converted("document-name/file-without-a-name.json", "openai/gpt-5.2")

    assert body["input"][0]["content"][1]["filename"] == "document.pdf"
    assert changes == [("rewritten", "document-name", "named a document 'document.pdf'")]


def test_keys_of_own_calls_that_the_api_refuses_are_left_out():
    source = (RULES / "stray-key/extra-content-of-own-calls.json").read_bytes()

    outcome = convert(source, Options(model="openai/gpt-4o", api="openai-completions"))

    calls = json.loads(outcome.output)["messages"][1]["tool_calls"]
    assert [list(call) for call in calls] == [["id", "type", "function"]] * 2
    rules = [(change.kind, change.rule) for change in outcome.report.changes]
    assert rules[0] == ("downgraded", "foreign-signature")
    assert set(rules[1:]) == {("dropped", "stray-key")}


def test_thinking_that_needs_no_signature_loses_only_a_foreign_one():
    body, changes = converted("foreign-signature/field-name-on-gemini-thinking.jsonl", "google/gemini-2.5-flash")

    assert body["contents"][1]["parts"] == [{"text": "hm", "thought": True}, {"text": "Yes."}]
    assert [change[:2] for change in changes] == [("downgraded", "foreign-signature")]


def test_call_of_a_rollout_and_its_result_keep_one_id():
    source = (RULES / "item-id/piped-call-id-of-a-rollout.jsonl").read_bytes()

    outcome = convert(source, Options(model="google/gemini-2.5-flash"))

    items = [json.loads(line)["payload"] for line in outcome.output.splitlines()]
    assert [item["call_id"] for item in items if "call_id" in item] == ["call_1|fc_1"] * 2


def test_result_keeps_up_with_a_piped_call_that_lost_its_item_id():
    body, changes = converted("item-id/piped-call-that-lost-its-thinking.jsonl", "openai/gpt-5.2")

    assert body["input"][-1] == {"type": "function_call_output", "call_id": "call_1", "output": "a stone"}
    assert ("rewritten", "item-id", "left out item id 'fc_1': its reasoning is not in the history") in changes


def test_signature_that_the_wire_has_no_place_for_is_told():
    body, changes = converted(
        "unsigned-thinking/signature-that-no-chunk-holds.jsonl", "mistral/magistral-medium-latest"
    )

    assert "EqQB" not in json.dumps(body)
    assert [change[:2] for change in changes] == [("downgraded", "foreign-signature")]


def test_blank_thinking_of_mistral_goes_whatever_is_attached():
    name = "unsigned-thinking/blank-with-a-signature-to-mistral.jsonl"

    body, changes = converted(name, "mistral/magistral-medium-latest")

    assert body["messages"][1] == {"role": "assistant", "content": "Here."}
    assert [change[:2] for change in changes] == [("dropped", "blank-thinking")]


def test_file_whose_data_is_no_data_url_becomes_one():
    source = (RULES / "media-data/file-without-the-head-of-its-data-url.json").read_bytes()

    outcome = convert(source, Options(model="openai/gpt-4o", api="openai-completions"))

    file = json.loads(outcome.output)["messages"][0]["content"][1]["file"]
    assert file == {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0xLjQKJSVFT0Y="}
    assert [(change.kind, change.rule) for change in outcome.report.changes] == [("rewritten", "media-data")]


def test_reasoning_whose_words_came_in_the_next_answer_stays():
    turns = [
        {"role": "user", "content": "Dig."},
        {"role": "assistant", "content": "", "reasoning_content": "Where?"},
        {"role": "assistant", "content": "Here."},
        {"role": "user", "content": "Deeper."},
    ]
    body = json.dumps({"model": "glm-5.2", "messages": turns}).encode()

    outcome = convert(body, Options(model="zai/glm-5.2"))

    answer = json.loads(outcome.output)["messages"][1]
    assert (answer["content"], answer["reasoning_content"]) == ("Here.", "Where?")
    assert [change.rule for change in outcome.report.changes] == ["final-newline", "consecutive-role"]


def test_oldest_images_go_until_the_rest_is_one_request():
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" + "A" * 4_000_000
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png}}
    turns = []
    for number in range(10):
        turns.append({"role": "user", "content": [image, {"type": "text", "text": f"picture {number}"}]})
        turns.append({"role": "assistant", "content": "Seen."})
    body = json.dumps({"model": "claude-opus-4-8", "max_tokens": 10, "messages": turns[:-1]}).encode()

    outcome = convert(body, Options(model="anthropic/claude-opus-4-8"))

    kinds = [message["content"][0]["type"] for message in json.loads(outcome.output)["messages"][::2]]
    assert kinds == ["text", "text", *["image"] * 8]
    assert len(outcome.output) < 33_554_432
    assert [change.rule for change in outcome.report.changes if change.kind == "downgraded"] == [
        "oversized-request"
    ] * 2


def test_call_that_the_model_made_by_itself_loses_nothing_with_its_caller():
    call = {"type": "tool_use", "id": "toolu_1", "name": "ls", "input": {}, "caller": {"type": "direct"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a.txt"}
    turns = [
        {"role": "user", "content": "List."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    body = json.dumps({"model": "claude-opus-4-8", "max_tokens": 10, "messages": turns}).encode()

    outcome = convert(body, Options(model="openai/gpt-5.2", to="request"))

    assert not outcome.report.loses
    assert b"caller" not in outcome.output


ADVISED = [
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "advisor", "input": {}},
    {"type": "advisor_tool_result", "tool_use_id": "srvtoolu_1", "content": {"type": "advisor_result", "text": "B"}},
    {"type": "text", "text": "Plan B."},
]


def test_adviser_that_the_body_declares_stays_in_it():
    turns = [
        {"role": "user", "content": "Which?"},
        {"role": "assistant", "content": ADVISED},
        {"role": "user", "content": "Go."},
    ]
    tools = [{"type": "advisor_20260301", "name": "advisor", "model": "claude-opus-4-8"}]
    body = (
        json.dumps({"model": "claude-opus-4-8", "max_tokens": 10, "tools": tools, "messages": turns}).encode() + b"\n"
    )

    outcome = convert(body, Options(model="anthropic/claude-opus-4-8"))

    assert outcome.output == body


def test_thinking_of_the_latest_turn_goes_when_something_behind_it_has_gone():
    signed = {"type": "thinking", "thinking": "hm", "signature": "EqQBCkYIBRgCKkDTZWFsZWQ="}
    blank, words = {"type": "text", "text": "\n\n"}, {"type": "text", "text": "Yes."}

    def kinds_after(*content):
        turns = [{"role": "user", "content": "Even?"}, {"role": "assistant", "content": list(content)}]
        body = json.dumps({"model": "claude-opus-4-8", "max_tokens": 10, "messages": turns}).encode()
        outcome = convert(body, Options(model="anthropic/claude-opus-4-8"))
        after = json.loads(outcome.output)["messages"][1]["content"]
        return [block["type"] for block in after], {change.rule for change in outcome.report.changes}

    assert kinds_after(blank, signed, words) == (["thinking", "text"], {"blank-text", "final-newline"})
    kinds, rules = kinds_after(signed, blank, words)
    assert kinds == ["text", "text"]
    assert "partial-thinking" in rules


def test_no_call_is_made_up_behind_a_turn_with_signed_thinking():
    signed = {"type": "thinking", "thinking": "hm", "signature": "EqQBCkYIBRgCKkDTZWFsZWQ="}
    call = {"type": "tool_use", "id": "toolu_1", "name": "ls", "input": {}}
    turns = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [signed, {"type": "text", "text": "Well."}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "a.txt"}]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": "And?"},
    ]
    body = json.dumps({"model": "claude-opus-4-8", "max_tokens": 10, "messages": turns}).encode()

    outcome = convert(body, Options(model="anthropic/claude-opus-4-8"))

    messages = json.loads(outcome.output)["messages"]
    assert [block["type"] for block in messages[1]["content"]] == ["thinking", "text"]
    assert [block["type"] for block in messages[2]["content"]] == ["text", "text"]
