"""`segue show --tree`: the branches of a session, so that a person can choose one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from running import SESSIONS, Run

REWINDS = SESSIONS / "claude-code" / "two-rewinds.jsonl"
NESTED = SESSIONS / "pi" / "branch-of-a-branch.jsonl"
SUBAGENT = SESSIONS / "claude-code" / "sidechain.jsonl"
IDS = re.compile(r"^ {4}(\w+(?:-\w+)*)$", re.MULTILINE)


def test_branches_are_printed_with_their_ids_active_first(segue: Run) -> None:
    ended = segue("show", "--tree", REWINDS)

    out = ended.out.decode()
    assert (ended.code, ended.err) == (0, "")
    assert "3 branches" in out
    assert [name[-2:] for name in IDS.findall(out)] == ["19", "16", "14"]
    assert "  1 active · at the end of the file" in out
    assert 'leaves the active branch after line 7, "Which teas are on the shelf?"' in out
    assert "never answered: a draft" in out


@pytest.mark.parametrize("source", [REWINDS, NESTED, SUBAGENT])
def test_every_printed_id_makes_convert_and_show_take_that_branch(segue: Run, source: Path) -> None:
    out = segue("show", "--tree", source).out.decode()
    parts = re.split(r"^ +\d+ (?=active|\d)", out, flags=re.MULTILINE)[1:]

    for name, part in zip(IDS.findall(out), parts, strict=True):
        shown = segue("show", source, "--leaf", name)
        converted = segue("convert", source, "--leaf", name, "-m", "same", "-t", "neutral", "--report", "none")

        (messages,) = re.findall(r"([\d,]+) in all", part) or re.findall(r"([\d,]+) messages?\b", part)[:1]
        records = [json.loads(line) for line in converted.out.splitlines()]
        first = re.search(r'^ {4}"(.+)"$', part, re.MULTILINE)
        assert (shown.code, converted.code) == (0, 0)
        assert f" {messages} message" in shown.out.decode().split("\n")[0] + shown.out.decode().split("\n")[1]
        assert first is not None and first[1] in shown.out.decode()
        assert first[1] in json.dumps(records)


def test_first_id_is_the_branch_that_convert_takes_without_one(segue: Run) -> None:
    name = IDS.findall(segue("show", "--tree", REWINDS).out.decode())[0]
    words = ("convert", REWINDS, "-m", "anthropic/claude-opus-4-8", "-t", "request", "--report", "none")

    assert segue(*words, "--leaf", name).out == segue(*words).out


def test_session_without_branches_says_so(segue: Run) -> None:
    ended = segue("show", "--tree", SESSIONS / "claude-code" / "parallel-branches.jsonl")

    out = ended.out.decode()
    assert "1 branch · nothing was rewound" in out
    assert len(IDS.findall(out)) == 1


def test_subagents_are_a_part_of_their_own(segue: Run) -> None:
    out = segue("show", "--tree", SUBAGENT).out.decode()

    assert "1 run of a subagent" in out
    assert out.index("subagents") < out.index("Where is the tea book?")


def test_format_without_a_tree_is_called_a_list(segue: Run, chat: bytes) -> None:
    ended = segue("show", "--tree", given=chat)

    out = ended.out.decode()
    assert ended.code == 0
    assert out.startswith("an openai-chat file is a list") and out.count("\n") == 1


def test_pipe_gets_the_same_words_without_colour(process: Run) -> None:
    plain = process("show", "--tree", REWINDS)
    coloured = process("show", "--tree", REWINDS, env={"FORCE_COLOR": "1"})

    assert b"\x1b" not in plain.out and b"\x1b" in coloured.out
    assert re.sub(rb"\x1b\[[\d;]*m", b"", coloured.out) == plain.out


@pytest.mark.parametrize("source", [REWINDS, NESTED, SUBAGENT])
def test_narrow_page_holds_every_line(segue: Run, monkeypatch: pytest.MonkeyPatch, source: Path) -> None:
    monkeypatch.setenv("COLUMNS", "40")

    out = segue("show", "--tree", source).out.decode()

    assert max(map(cell_len, out.split("\n"))) <= 40


def test_nothing_in_a_session_reaches_the_terminal_unescaped(segue: Run) -> None:
    line = {
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": "s",
        "type": "user",
        "message": {"role": "user", "content": "\x1b[2Jcleared \u202eturned [bold]marked"},
        "uuid": "id\x1b[31m\nred",
        "timestamp": "2026-02-03\x1b[0m",
    }

    ended = segue("show", "--tree", "-f", "claude-code", given=json.dumps(line).encode())

    assert ended.code == 0
    assert b"\x1b" not in ended.out and "\u202e" not in ended.out.decode()
    assert "[bold]marked" in ended.out.decode()


def test_file_that_is_not_there_is_an_error_in_one_line(segue: Run) -> None:
    ended = segue("show", "--tree", "nowhere.jsonl")

    assert (ended.code, ended.out) == (3, b"")
    assert ended.err.count("\n") == 1 and "nowhere.jsonl" in ended.err


def test_file_that_is_no_transcript_is_an_error_in_one_line(segue: Run) -> None:
    ended = segue("show", "--tree", given=b"no JSON at all\n")

    assert (ended.code, ended.out) == (3, b"")
    assert ended.err.count("\n") == 1 and "standard input" in ended.err


def test_broken_lines_do_not_hide_the_branches(segue: Run) -> None:
    ended = segue("show", "--tree", given=REWINDS.read_bytes() + b'{"type": "user", "uuid": "cut')

    assert ended.code == 0
    assert "3 branches" in ended.out.decode()


def test_unknown_leaf_is_an_error_that_names_it(segue: Run) -> None:
    ended = segue("show", "--tree", REWINDS, "--leaf", "nothing")

    assert (ended.code, ended.out) == (2, b"")
    assert "nothing" in ended.err
