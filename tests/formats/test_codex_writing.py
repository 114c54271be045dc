"""Codex rollouts: what a repair writes back, and what a rollout made from another format looks like."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from claude_transcripts import data_of, named, read_all, said, written

from segue.options import Options
from segue.pipeline import Outcome, convert

FOLDER = "codex"
AUTHOR = "openai/gpt-5.2"  # of the fixtures that name no model
NAMELESS = ("bare-items.jsonl", "bare-items-missing-result.jsonl", "single-document.json")
FAULTY = {  # what would make the next request fail, or another model's reasoning
    *("bare-items-missing-result.jsonl", "compaction-list-lacks-a-result.jsonl", "custom-and-hosted-calls.jsonl"),
    *("late-result.jsonl", "numbered-lines-missing-result.jsonl", "other-vendor.jsonl", "results-gone-wrong.jsonl"),
    *("single-document.json", "thinking-without-words.jsonl", "two-models.jsonl"),
}
FILLER = {"type": "function_call_output", "call_id": "call_1", "output": "No result provided"}


def session(name: str) -> bytes:
    return data_of(FOLDER, name)


def fitted(data: bytes, name: str) -> Outcome:
    return convert(data, Options("same", source_model=AUTHOR if name in NAMELESS else None))


def repaired(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in fitted(session(name), name).output.splitlines()]


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in session(name).splitlines()]


# ------------------------------------------------------------------------------------------ repairs


@pytest.mark.parametrize("name", named(FOLDER))
def test_untouched_rollout_is_written_byte_for_byte(name: str) -> None:
    assert written(session(name)) == session(name)


@pytest.mark.parametrize("name", sorted(set(named(FOLDER)) - FAULTY))
def test_sound_rollout_comes_back_byte_for_byte_for_its_own_model(name: str) -> None:
    outcome = fitted(session(name), name)

    assert outcome.output == session(name)
    assert not outcome.report.loses


@pytest.mark.parametrize("name", sorted(FAULTY))
def test_repaired_rollout_needs_no_second_repair(name: str) -> None:
    once = fitted(session(name), name).output

    twice = fitted(once, name)

    assert once != session(name)
    assert twice.output == once
    assert not twice.report.loses


@pytest.mark.parametrize("name", named(FOLDER))
def test_repaired_rollout_is_read_as_what_was_fitted(name: str) -> None:
    (before,), _ = read_all(session(name))

    (after,), _ = read_all(fitted(session(name), name).output)

    assert [m for m in map(said, before.messages) if m[0] == "user"] == [
        m for m in map(said, after.messages) if m[0] == "user" and "earlier tool call" not in m[1]
    ]


def test_missing_result_is_one_new_line_with_its_neighbours_time_and_the_next_number() -> None:
    before = lines_of("numbered-lines-missing-result.jsonl")

    after = repaired("numbered-lines-missing-result.jsonl")

    assert after[7] == {"timestamp": before[6]["timestamp"], "ordinal": 7, "type": "response_item", "payload": FILLER}
    assert after[:7] == before[:7]
    assert after[8:] == [line | {"ordinal": line["ordinal"] + 1} for line in before[7:]]


def test_missing_result_among_bare_items_is_a_bare_item() -> None:
    before = lines_of("bare-items-missing-result.jsonl")

    after = repaired("bare-items-missing-result.jsonl")

    assert after == [*before[:7], FILLER, *before[7:]]


def test_missing_result_of_a_compaction_stands_in_its_list() -> None:
    before = lines_of("compaction-list-lacks-a-result.jsonl")

    after = repaired("compaction-list-lacks-a-result.jsonl")

    listed = before[4]["payload"]["replacement_history"]
    assert after[4]["payload"]["replacement_history"] == [*listed[:2], FILLER, *listed[2:]]
    assert after[:4] + after[5:] == before[:4] + before[5:]


def test_call_that_a_compaction_replaced_asks_for_nothing() -> None:
    report = fitted(session("compaction-list-lacks-a-result.jsonl"), "").report

    assert [change.rule for change in report.changes if change.kind == "synthesized"] == ["missing-tool-result"]


def test_document_stays_a_document_in_its_own_style() -> None:
    after = fitted(session("single-document.json"), "single-document.json").output

    items = json.loads(after)["items"]
    assert items[-1] == FILLER | {"call_id": "call_2"}
    assert after.startswith(b'{\n  "session": {\n    "id"')


def test_local_shell_is_answered_and_stays_what_it_is() -> None:
    before = lines_of("custom-and-hosted-calls.jsonl")

    after = repaired("custom-and-hosted-calls.jsonl")

    assert after[10]["payload"] == FILLER | {"call_id": "call_3"}
    assert after[:10] + after[11:] == before


def test_repeated_result_goes_an_orphan_becomes_words_and_a_used_id_is_given_anew() -> None:
    before = lines_of("results-gone-wrong.jsonl")

    after = repaired("results-gone-wrong.jsonl")

    kept = [line for line in after if line in before]
    assert len(kept) == len(before) - 4
    words = after[7]["payload"]
    assert (words["type"], words["role"], words["content"][1]["text"]) == ("message", "user", "from before")
    assert after[9]["payload"]["call_id"] == after[10]["payload"]["call_id"] == "call_1-2"


def test_late_result_moves_behind_its_call() -> None:
    before = lines_of("late-result.jsonl")

    after = repaired("late-result.jsonl")

    assert [line["payload"] for line in after] == [before[at]["payload"] for at in (0, 1, 2, 3, 5, 4, 6)]


def test_reasoning_of_another_model_changes_the_lines_of_its_turn_only() -> None:
    before = lines_of("two-models.jsonl")

    after = repaired("two-models.jsonl")

    assert [at for at, line in enumerate(after) if line != before[at]] == [3, 4]
    assert after[3]["payload"]["content"] == [{"type": "output_text", "text": "A table must be near."}]


def test_dropped_turn_takes_its_line_along() -> None:
    before = lines_of("thinking-without-words.jsonl")

    after = repaired("thinking-without-words.jsonl")

    assert after == before[:3] + before[4:]


def test_prompt_stands_at_the_end() -> None:
    name = "turns-taken-back.jsonl"

    after = convert(session(name), Options("same", prompt="Go on")).output

    assert after.startswith(session(name))
    assert json.loads(after.splitlines()[-1])["payload"]["content"] == [{"type": "input_text", "text": "Go on"}]


def test_other_system_prompt_is_written_into_the_header() -> None:
    for name in ("compaction-with-list.jsonl", "early-envelope.jsonl", "bare-items.jsonl", "single-document.json"):
        outcome = convert(session(name), Options("same", source_model=AUTHOR, system="Be brief."))

        (transcript,), _ = read_all(outcome.output)
        assert [text.text for text in transcript.system] == ["Be brief."]


# -------------------------------------------------------------------------------------- new rollouts

BODY = {
    "systemPrompt": "You are pi.",
    "messages": [
        {"role": "user", "content": "When is high tide?", "timestamp": 1777881600000},
        {
            "role": "assistant",
            "provider": "openai",
            "api": "openai-responses",
            "model": "gpt-5.2",
            "stopReason": "toolUse",
            "timestamp": 1777881601000,
            "content": [
                {"type": "thinking", "thinking": "A table must be near.", "thinkingSignature": json.dumps(
                    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAABtides=="}
                )},
                {"type": "text", "text": "I look.", "textSignature": '{"v":1,"id":"msg_1","phase":"commentary"}'},
                {"type": "toolCall", "id": "call_1|fc_1", "name": "read", "arguments": {"path": "tides.csv"}},
                {"type": "toolCall", "id": "call_2|fc_2", "name": "read", "arguments": {"path": "moon.png"}},
            ],
        },
        {"role": "toolResult", "toolCallId": "call_1|fc_1", "toolName": "read", "isError": True,
         "content": [{"type": "text", "text": "no such file"}], "timestamp": 1777881601500},
        {"role": "toolResult", "toolCallId": "call_2|fc_2", "toolName": "read", "isError": False,
         "content": [{"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}], "timestamp": 1777881601500},
        {"role": "user", "content": "Well?", "timestamp": 1777881602000},
        {
            "role": "assistant",
            "provider": "anthropic",
            "api": "anthropic-messages",
            "model": "claude-opus-4-8",
            "stopReason": "stop",
            "timestamp": 1777881603000,
            "content": [{"type": "text", "text": "There is none."}],
        },
    ],
}  # fmt: skip


def new_rollout(body: Any = BODY, model: str = AUTHOR) -> tuple[list[dict[str, Any]], Outcome]:
    outcome = convert(json.dumps(body).encode(), Options(model, to="codex"))
    return [json.loads(line) for line in outcome.output.splitlines()], outcome


def test_new_rollout_has_what_its_agent_asks_for() -> None:
    lines, _ = new_rollout()

    header = lines[0]
    assert header["type"] == "session_meta"
    assert {"id", "timestamp", "cwd", "originator", "cli_version"} <= header["payload"].keys()
    assert "model_provider" not in header["payload"]
    assert all(line.keys() == {"timestamp", "type", "payload"} for line in lines)


def test_new_rollout_holds_items_as_its_agent_writes_them() -> None:
    lines, _ = new_rollout()

    items = [line["payload"] for line in lines if line["type"] == "response_item"]
    assert items == [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "When is high tide?"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAABtides=="},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "I look."}],
            "phase": "commentary",
        },
        {"type": "function_call", "name": "read", "arguments": '{"path":"tides.csv"}', "call_id": "call_1"},
        {"type": "function_call", "name": "read", "arguments": '{"path":"moon.png"}', "call_id": "call_2"},
        {"type": "function_call_output", "call_id": "call_1", "output": "[tool error] no such file"},
        {
            "type": "function_call_output",
            "call_id": "call_2",
            "output": [{"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}],
        },
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Well?"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "There is none."}]},
    ]


def test_new_rollout_shows_prompts_and_answers_to_its_user() -> None:
    lines, _ = new_rollout()

    events = [line["payload"] for line in lines if line["type"] == "event_msg"]
    assert [(event["type"], event["message"]) for event in events] == [
        ("user_message", "When is high tide?"),
        ("agent_message", "I look."),
        ("user_message", "Well?"),
        ("agent_message", "There is none."),
    ]


def test_new_rollout_names_models_that_its_agent_can_be_set_to() -> None:
    lines, _ = new_rollout(model="openai/gpt-5.1")

    turns = [line["payload"]["model"] for line in lines if line["type"] == "turn_context"]
    assert turns == ["gpt-5.2", "gpt-5.1"]


def test_new_rollout_rises_in_time() -> None:
    lines, _ = new_rollout()

    times = [datetime.fromisoformat(line["timestamp"]) for line in lines]
    assert times == sorted(set(times))


def test_what_a_rollout_cannot_hold_is_told() -> None:
    body = {"messages": [{"role": "user", "content": [
        {"type": "text", "text": "Read this"},
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQK"}},
    ]}], "max_tokens": 5, "model": "claude-opus-4-8", "system": "You are kind."}  # fmt: skip

    lines, outcome = new_rollout(body)

    rules = {(change.kind, change.rule) for change in outcome.report.changes}
    assert {("dropped", "system-prompt"), ("downgraded", "unsupported-media")} <= rules
    (item,) = [line["payload"] for line in lines if line["type"] == "response_item"]
    assert (
        item["content"][1]["text"]
        == "(document omitted: application/pdf, 9 bytes: a session of codex holds no documents)"
    )


def test_lost_error_mark_is_told() -> None:
    _, outcome = new_rollout()

    assert [change.kind for change in outcome.report.changes if change.rule == "error-flag"] == ["downgraded"]


def test_new_rollout_is_read_as_what_went_in() -> None:
    _, outcome = new_rollout()

    (transcript,), _ = read_all(outcome.output)
    assert [said(message) for message in transcript.messages] == [
        ("user", "text When is high tide?"),
        ("assistant", "thinking", "text I look.", "call call_1", "call call_2"),
        ("tool", "result call_1: text [tool error] no such file"),
        ("tool", "result call_2: image"),
        ("user", "text Well?"),
        ("assistant", "text There is none."),
    ]


def test_new_rollout_comes_back_byte_for_byte() -> None:
    _, outcome = new_rollout()

    assert convert(outcome.output, Options("same")).output == outcome.output


def test_same_input_makes_the_same_rollout() -> None:
    assert new_rollout()[1].output == new_rollout()[1].output


@pytest.mark.parametrize("folder", ["pi", "claude-code", "pi-messages", "openai-responses", "anthropic-messages"])
def test_every_session_becomes_a_rollout_that_is_sound(folder: str) -> None:
    for name in named(folder):
        if "set" in name or "lines" in name:  # data sets hold many conversations
            continue
        outcome = convert(data_of(folder, name), Options(AUTHOR, to="codex", source_format=folder))

        again = convert(outcome.output, Options("same", source_model=AUTHOR))

        assert again.output == outcome.output
        assert [change for change in again.report.changes if change.kind != "hidden"] == []
