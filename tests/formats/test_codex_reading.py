"""Codex rollouts: which of their lines are the history, who wrote it, and what is told of the rest."""

from __future__ import annotations

from typing import Any

import pytest
from claude_transcripts import data_of, named, read_all, said

from segue.changes import Change
from segue.formats import recognised
from segue.model import Message, Origin, ToolCall
from segue.options import Options
from segue.pipeline import convert

FOLDER = "codex"


def session(name: str) -> bytes:
    return data_of(FOLDER, name if "." in name else f"{name}.jsonl")


def history(name: str) -> list[Message]:
    (transcript,), _ = read_all(session(name))
    return list(transcript.messages)


def told(name: str) -> list[Change]:
    return read_all(session(name))[1]


# --------------------------------------------------------------------------------------- recognising


def recognised_as(*values: Any, whole: bool = False) -> str | None:
    known = recognised(values, whole)
    return known.name if known else None


def test_each_fixture_is_recognised() -> None:
    found = {name: read_all(session(name))[0][0].session.format for name in named(FOLDER)}

    assert set(found.values()) == {"codex"}


def test_window_of_a_rollout_is_recognised_without_its_header() -> None:
    event = {"timestamp": "2026-05-04T08:00:00.000Z", "type": "event_msg", "payload": {"type": "token_count"}}

    assert recognised_as(event) == "codex"


def test_stream_of_codex_exec_is_no_rollout() -> None:
    started = {"type": "thread.started", "thread_id": "0196a000-0000-7000-8000-000000000001"}
    item = {"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": "At 06:12."}}

    assert recognised_as(started, {"type": "turn.started"}, item) != "codex"


def test_bare_items_without_a_header_are_a_request() -> None:
    user = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}

    assert recognised_as(user, {"type": "function_call", "call_id": "c", "name": "ls", "arguments": "{}"}) != "codex"


# ------------------------------------------------------------------------------------------- history


def test_bare_items_are_read() -> None:
    messages = history("bare-items")

    assert [said(message) for message in messages][1:] == [
        ("user", "text When is high tide?"),
        ("assistant", "thinking A table must be near.", "call call_1"),
        ("tool", 'result call_1: text {"output":"06:12,4.1\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}'),
        ("assistant", "text At 06:12."),
    ]
    assert messages[2].origin is None


def test_document_of_the_first_agent_is_read() -> None:
    messages = history("single-document.json")

    assert [message.role for message in messages] == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert said(messages[3]) == ("assistant", "text One file: tides.csv.")


def test_early_envelope_counts_as_written_by_openai() -> None:
    messages = history("early-envelope")

    assert messages[2].origin == Origin("openai", "openai-responses", "gpt-5.1")
    assert [message.time for message in messages[2:4]] == ["2026-05-04T08:00:07.000Z", "2026-05-04T08:00:09.000Z"]


def test_compaction_without_a_list_keeps_the_prompts_and_its_latest_summary() -> None:
    messages = history("compaction-without-list")

    notes = "Another language model started to solve this problem and left notes. Its notes:\n"
    assert [said(message) for message in messages] == [
        ("user", "text When is high tide?"),
        ("user", "text And tomorrow?"),
        ("user [compaction-summary]", f"text {notes}high tide is at 06:12, tomorrow at 07:03."),
        ("user", "text Thanks"),
        ("assistant", "text Any time."),
    ]


def test_compaction_with_a_list_replaces_all_before_it() -> None:
    messages = history("compaction-with-list")

    assert [said(message)[0] for message in messages] == [
        *("user", "system [injected]", "user [injected]", "user [compaction-summary]", "user", "assistant")
    ]
    assert [message.line for message in messages] == [10, 10, 10, 10, 13, 14]


def test_what_a_compaction_replaced_is_told_once() -> None:
    (change,) = [change for change in told("compaction-with-list") if change.rule == "before-compaction"]

    assert (change.kind, change.count, change.line) == ("hidden", 7, 10)


def test_turns_that_were_taken_back_are_gone_with_the_context_above_them() -> None:
    messages = history("turns-taken-back")

    (change,) = [change for change in told("turns-taken-back") if change.rule == "taken-back"]
    assert [said(message)[-1] for message in messages][2:] == [
        *("text When is high tide?", "text At 06:12.", "text And tomorrow?", "text At 07:03.")
    ]
    assert (change.kind, change.count) == ("hidden", 6)


def test_fork_is_named_by_its_first_header() -> None:
    (transcript,), _ = read_all(session("fork-with-parent-header"))

    assert transcript.session.id == "0196a000-0000-7000-8000-000000000008"
    assert transcript.messages[1].origin == Origin("openai", "openai-responses", "gpt-5.2")


def test_each_turn_belongs_to_the_model_that_was_set_then() -> None:
    origins = [message.origin for message in history("two-models") if message.role == "assistant"]

    assert [origin and origin.model for origin in origins] == ["gpt-5.1", "gpt-5.2"]


def test_settings_of_a_thread_name_the_model_too() -> None:
    answers = [message for message in history("numbered-lines-missing-result") if message.role == "assistant"]

    assert answers[0].origin == Origin("openai", "openai-responses", "gpt-5.2")


def test_free_text_of_a_custom_tool_and_the_local_shell_are_calls() -> None:
    messages = history("custom-and-hosted-calls")

    calls = [block for message in messages for block in message.of(ToolCall)]
    assert [(call.id, call.name) for call in calls] == [
        *(("call_1", "apply_patch"), ("call_2", "local_shell"), ("call_3", "local_shell"))
    ]
    assert calls[0].arguments["input"].startswith("*** Begin Patch")
    assert calls[2].arguments == {"type": "exec", "command": ["git", "diff"]}
    assert said(messages[5]) == ("assistant", "web_search_call", "text Corrected.", "call call_3")


def test_other_agents_words_are_the_users() -> None:
    assert [said(message) for message in history("subagent")][:3] == [
        ("user [meta]", "text Find the table."),
        ("assistant", "text tides.csv"),
        ("user [meta]", "text Read it."),
    ]


def test_call_without_result_ends_a_turn() -> None:
    messages = history("compaction-list-lacks-a-result")

    assert [said(message) for message in messages][1:3] == [
        ("assistant", "call call_1"),
        ("assistant", "text I could not look."),
    ]


def test_records_that_are_not_sent_are_told_once() -> None:
    (change,) = told("unknown-records")

    assert [said(message) for message in history("unknown-records")] == [
        ("user", "text When is high tide?"),
        ("assistant", "text At 06:12."),
    ]
    assert (change.kind, change.rule, change.count) == ("hidden", "bookkeeping-record", 6)
    assert "1 ghost_snapshot, 1 dream, 1 system message, 1 moon_phase" in change.what


def test_instructions_are_the_system_prompt() -> None:
    (newer,), _ = read_all(session("compaction-with-list"))
    (older,), _ = read_all(session("bare-items"))

    assert [text.text for text in newer.system] == ["You are Codex, and you work in a terminal."]
    assert [text.text for text in older.system] == ["Heights are in metres."]


# ------------------------------------------------------------------------------------- context put in


def test_context_is_told_from_what_somebody_said() -> None:
    assert [said(message)[0] for message in history("context-put-in")] == [
        "system [injected]",
        "system",
        "user [injected]",  # the project's instructions
        "user [injected]",  # the surroundings, before the prompt in the same message
        "user",
        "assistant",
        "user [meta]",  # a command that the user ran
        "user",  # a prompt that only speaks of a mark
        "assistant",
        "user",  # one that newer recordings say is the user's
        "user [injected]",
        "user",
        "assistant",
    ]


def test_context_is_hidden_from_other_agents_and_prompts_are_not() -> None:
    outcome = convert(session("context-put-in"), Options("anthropic/claude-opus-4-8", to="request"))

    text = outcome.output.decode()
    (change,) = [change for change in outcome.report.changes if change.rule == "injected-context"]
    assert (change.kind, change.count) == ("hidden", 4)
    assert "<cwd>" not in text and "permissions" not in text and "turn_aborted" not in text
    for words in ("When is high tide?", "Answer briefly.", "date</command>", "Explain <environment", "my own", "Go on"):
        assert text.count(words) == 1


def test_reasoning_is_kept_for_its_own_model_only() -> None:
    own = convert(session("early-envelope"), Options("openai/gpt-5.1", to="request")).output
    other = convert(session("early-envelope"), Options("openai/gpt-5.2", to="request")).output

    assert b"gAAAAABtides==" in own
    assert b"gAAAAABtides==" not in other


def test_custom_call_goes_back_to_its_own_model_as_one() -> None:
    own = convert(session("custom-and-hosted-calls"), Options("openai/gpt-5.2-codex", to="request")).output
    other = convert(session("custom-and-hosted-calls"), Options("openai/gpt-5.2", to="request")).output

    assert own.count(b'"custom_tool_call"') == own.count(b'"custom_tool_call_output"') == 1
    assert b"custom_tool_call" not in other


@pytest.mark.parametrize("name", named(FOLDER))
@pytest.mark.parametrize("model", ["openai/gpt-5.2", "anthropic/claude-opus-4-8"])
def test_every_fixture_makes_a_request_that_is_taken(name: str, model: str) -> None:
    outcome = convert(session(name), Options(model, to="request", prompt="Go on"))

    assert [problem for problem in outcome.report.problems if problem.severity == "error"] == []
