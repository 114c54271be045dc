"""The branches of a session tree: which there are, what is told of them, and that their ids lead to them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from claude_transcripts import data_of, named, read_all

from segue.errors import UsageError
from segue.formats import ReadOptions
from segue.formats._types import Branch
from segue.model import Message, Transcript
from segue.reading.transcripts import branches
from segue.tokens import estimate

TREES = [(folder, name) for folder in ("claude-code", "pi") for name in named(folder)]


def _told(folder: str, name: str, leaf: str | None = None) -> list[Branch]:
    _, found = branches(data_of(folder, name), options=ReadOptions(leaf=leaf))
    assert found is not None
    return list(found)


def _line(number: int, parent: int | None, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": f"msg_{number}", "type": "message", "model": "claude-opus-4-8", "stop_reason": "end_turn"}
    return {
        "parentUuid": None if parent is None else f"u{parent}",
        "isSidechain": False,
        "sessionId": "s",
        "type": kind,
        "message": message,
        "uuid": f"u{number}",
        "timestamp": f"2026-02-03T10:{number // 60:02d}:{number % 60:02d}.000Z",
    } | more


def _of_lines(*lines: dict[str, Any]) -> list[Branch]:
    _, found = branches("\n".join(map(json.dumps, lines)).encode(), "claude-code")
    assert found is not None
    return list(found)


def _result(call: str) -> list[dict[str, str]]:
    return [{"type": "tool_result", "tool_use_id": call, "content": "done"}]


def _call(call: str) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": call, "name": "Bash", "input": {}}]


def _words(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


# ------------------------------------------------------------------------------------- ids lead to branches


@pytest.mark.parametrize(("folder", "name"), TREES)
def test_each_leaf_leads_to_as_many_messages_as_were_told(folder: str, name: str) -> None:
    told = _told(folder, name)

    read = [read_all(data_of(folder, name), branch.leaf)[0][0] for branch in told]

    assert [len(transcript.messages) for transcript in read] == [branch.messages for branch in told]


@pytest.mark.parametrize(("folder", "name"), TREES)
def test_first_leaf_leads_to_what_is_taken_without_one(folder: str, name: str) -> None:
    first = _told(folder, name)[0]

    (chosen,), _ = read_all(data_of(folder, name), first.leaf)

    assert first.is_active
    assert chosen.messages == read_all(data_of(folder, name))[0][0].messages


@pytest.mark.parametrize(("folder", "name"), [("claude-code", "two-rewinds.jsonl"), ("pi", "branch-of-a-branch.jsonl")])
def test_tokens_are_the_estimate_of_the_history_that_the_leaf_leads_to(folder: str, name: str) -> None:
    for branch in _told(folder, name):
        (transcript,), _ = read_all(data_of(folder, name), branch.leaf)

        assert abs(branch.tokens - _tokens(transcript, transcript.messages)) <= 1


def test_tokens_are_counted_since_the_last_compaction() -> None:
    active, left = _told("claude-code", "rewind-before-compaction.jsonl")

    (transcript,), _ = read_all(data_of("claude-code", "rewind-before-compaction.jsonl"), active.leaf)

    sent = transcript.messages[-4:]
    assert "compaction-boundary" in sent[0].marks
    assert abs(active.tokens - _tokens(transcript, sent)) <= 1
    assert (active.is_compacted, left.is_compacted) == (False, True)


def _tokens(transcript: Transcript, messages: tuple[Message, ...]) -> int:
    return estimate(Transcript(transcript.session, messages, transcript.source))


# ----------------------------------------------------------------------------------------- what is a branch


def test_rewinds_are_told_latest_first_with_what_they_leave() -> None:
    active, left, draft = _told("claude-code", "two-rewinds.jsonl")

    assert [active.prompt, left.prompt, draft.prompt] == [
        "Which teas are on the shelf?",
        "Brew the assam.",
        "And some for the",
    ]
    assert (left.leaves, left.fork_line, left.fork_prompt) == (active.leaf, 7, "Which teas are on the shelf?")
    assert (draft.leaves, draft.fork_line, draft.fork_prompt) == (left.leaf, 13, "Brew the assam.")
    assert (left.own_messages, left.messages) == (7, 12)
    assert [active.answered, left.answered, draft.answered] == [True, True, False]
    assert active.age == 0 and left.age == 3603


def test_line_that_the_agent_put_in_at_the_end_is_part_of_its_branch() -> None:
    active = _told("claude-code", "two-rewinds.jsonl")[0]

    assert active.line == 19


def test_lines_replayed_by_a_compaction_are_no_branch() -> None:
    (only,) = _told("claude-code", "lines-replayed.jsonl")

    assert only.messages == 6


@pytest.mark.parametrize(
    "name", ["parallel-branches.jsonl", "parallel-interleaved.jsonl", "split-response.jsonl", "through-progress.jsonl"]
)
def test_parallel_calls_are_no_branches(name: str) -> None:
    assert len(_told("claude-code", name)) == 1


def test_second_result_of_one_call_is_no_branch() -> None:
    told = _of_lines(
        _line(1, None, "user", "Go"),
        _line(2, 1, "assistant", _call("t1")),
        _line(3, 2, "user", _result("t1")),
        _line(4, 2, "user", _result("t1")),
        _line(5, 4, "assistant", _words("Done")),
    )

    assert len(told) == 1


def test_words_of_the_agent_beside_the_history_are_no_branch() -> None:
    told = _of_lines(
        _line(1, None, "user", "Go"),
        _line(2, 1, "assistant", _words("Gone")),
        _line(3, 2, "user", "Told by the agent", isMeta=True),
        _line(4, 2, "user", "[Request interrupted by user]"),
        _line(5, 2, "user", "On"),
        _line(6, 5, "assistant", _words("Gone on")),
    )

    assert len(told) == 1


def test_rewind_between_a_call_and_its_result_keeps_the_result_in_both() -> None:
    lines = (
        _line(1, None, "user", "Go"),
        _line(2, 1, "assistant", _call("t1")),
        _line(3, 2, "user", "Stop, this way"),
        _line(4, 3, "assistant", _words("This way")),
        _line(5, 2, "user", _result("t1")),
        _line(6, 5, "assistant", _words("That way")),
    )

    active, left = _of_lines(*lines)

    (transcript,), _ = read_all("\n".join(map(json.dumps, lines)).encode(), left.leaf)
    assert (active.messages, left.messages, left.own_messages) == (4, len(transcript.messages), 2)


def test_second_answer_to_one_prompt_is_a_branch_without_a_prompt() -> None:
    _, left = _of_lines(
        _line(1, None, "user", "Go"),
        _line(2, 1, "assistant", _words("No")),
        _line(3, 1, "assistant", _words("Yes")),
    )

    assert (left.leaf, left.prompt, left.answered, left.own_messages) == ("u2", None, True, 1)


def test_root_of_its_own_leaves_no_branch() -> None:
    _, left = _of_lines(
        _line(1, None, "user", "Go"),
        _line(2, 1, "assistant", _words("Gone")),
        _line(90, None, "user", "Begin anew"),
        _line(91, 90, "assistant", _words("Begun")),
    )

    assert (left.leaf, left.leaves, left.fork_line) == ("u2", None, None)


def test_command_and_shell_line_are_told_as_they_were_typed() -> None:
    command = "<command-name>/model</command-name>\n<command-args>opus</command-args>"
    told = _of_lines(
        _line(1, None, "user", "Go"),
        _line(2, 1, "assistant", _words("Gone")),
        _line(3, 2, "user", command),
        _line(4, 2, "user", "<bash-input>ls -l</bash-input>"),
        _line(5, 2, "user", "On"),
    )

    assert [branch.prompt for branch in told] == ["Go", "! ls -l", "/model opus"]


def test_subagents_in_the_file_come_last() -> None:
    main, run = _told("claude-code", "sidechain.jsonl")

    assert (main.is_subagent, run.is_subagent) == (False, True)
    assert (run.prompt, run.own_messages) == ("Where is the tea book?", 2)


def test_leaf_in_the_options_comes_first() -> None:
    left = _told("claude-code", "two-rewinds.jsonl")[1]

    told = _told("claude-code", "two-rewinds.jsonl", left.leaf)

    assert told[0].leaf == left.leaf and told[0].is_active
    assert [branch.is_active for branch in told[1:]] == [False] * len(told[1:])


def test_unknown_leaf_is_refused() -> None:
    with pytest.raises(UsageError, match="no line has the id 'nothing'"):
        _told("claude-code", "two-rewinds.jsonl", "nothing")


# ----------------------------------------------------------------------------------------------------- pi


def test_branch_of_a_branch_names_the_one_that_it_leaves() -> None:
    active, left, draft = _told("pi", "branch-of-a-branch.jsonl")

    assert (active.leaf, left.leaf, draft.leaf) == ("d000000a", "d0000007", "d0000005")
    assert (left.leaves, left.fork_line, left.fork_prompt) == ("d000000a", 3, "Name a tea")
    assert (draft.leaves, draft.fork_line, draft.fork_prompt) == ("d0000007", 5, "A black one")
    assert (draft.answered, left.answered) == (False, True)
    assert left.age == 116 * 60


def test_linear_session_has_one_branch_without_an_id() -> None:
    (only,) = _told("pi", "version-1-compaction.jsonl")

    assert (only.leaf, only.is_active) == (None, True)


def test_list_has_no_branches() -> None:
    known, found = branches(b'{"model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}')

    assert (known.name, found) == ("openai-chat", None)


# ---------------------------------------------------------------------------------------------- large files


def test_hundreds_of_dead_ends_are_walked_once() -> None:
    lines = []
    for turn in range(0, 3000, 3):
        before = None if turn == 0 else turn - 2
        lines.append(_line(turn, before, "user", f"Prompt {turn}"))
        lines.append(_line(turn + 1, turn, "assistant", _words("Answer")))
        lines.append(_line(turn + 2, turn + 1, "user", f"Dead end {turn}"))

    told = _of_lines(*lines)

    assert len(told) == 1000
    assert told[0].prompt == "Prompt 0" and told[-1].prompt == "Dead end 0"
