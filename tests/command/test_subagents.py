"""`--subagents`: left out, put into the results of their calls, or written as sessions of their own."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from running import SESSIONS, Ended, Run

SUBAGENTS = SESSIONS.parent / "subagents"
NAMES = ["folder", "no-result", "unfinished", "inside-no-result", "beside/session", "circle"]
CLAUDE = ("-m", "anthropic/claude-opus-4-8", "-t", "request")


def _report(ended: Ended) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ended.err)
    return found


def _of(report: dict[str, Any], rule: str) -> list[tuple[str, str]]:
    return [(change["kind"], change["what"]) for change in report["changes"] if change["rule"] == rule]


def _result(body: bytes) -> Any:
    for message in json.loads(body)["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block["type"] == "tool_result":
                return block["content"]
    return None


# ------------------------------------------------------------------------------------------ missing result


@pytest.mark.parametrize(
    ("name", "answer", "where"),
    [
        ("no-result", "Shelf seven.", "subagents/agent-a1.jsonl"),
        ("inside-no-result", "Shelf four.", "line 3"),
    ],
)
def test_missing_result_is_taken_from_the_subagents_own_session(segue: Run, name: str, answer: str, where: str) -> None:
    ended = segue("convert", SUBAGENTS / f"{name}.jsonl", *CLAUDE, "--report", "json")

    report = _report(ended)
    assert _result(ended.out) == answer
    assert _of(report, "missing-tool-result") == [
        ("rewritten", f"took the result of call 'toolu_lib' (Task) from its subagent's own session ({where})")
    ]
    assert report["counts"]["synthesized"] == 0


@pytest.mark.parametrize("model", ["openai/gpt-5.2", "google/gemini-2.5-pro", "same"])
@pytest.mark.parametrize("to", ["request", "claude-code", "pi"])
def test_taken_result_reaches_every_output(segue: Run, model: str, to: str) -> None:
    session = SUBAGENTS / "no-result.jsonl"

    ended = segue("convert", session, "-m", model, "-t", to, "--report", "json")

    assert ended.code == 0
    assert b"Shelf seven." in ended.out


@pytest.mark.parametrize("name", ["no-result", "inside-no-result"])
def test_taken_result_is_a_line_of_its_own_and_a_second_run_changes_nothing(
    segue: Run, tmp_path: Path, name: str
) -> None:
    source = SUBAGENTS / f"{name}.jsonl"

    once = segue("convert", source, "-m", "same", "-o", tmp_path / f"{name}.jsonl", "--report", "none")
    again = segue("convert", tmp_path / f"{name}.jsonl", "-m", "same", "--report", "json")

    lines = (tmp_path / f"{name}.jsonl").read_bytes()
    assert once.code == 0
    assert len(lines.splitlines()) == len(source.read_bytes().splitlines()) + 1
    assert again.out == lines
    assert _report(again)["counts"] | {"hidden": 0} == dict.fromkeys(_report(again)["counts"], 0)


def test_run_that_was_not_finished_answers_nothing(segue: Run) -> None:
    ended = segue("convert", SUBAGENTS / "unfinished.jsonl", *CLAUDE, "--report", "json")

    assert _result(ended.out) == "No result provided"
    assert [kind for kind, _ in _of(_report(ended), "missing-tool-result")] == ["synthesized"]


def test_standard_input_has_nothing_beside_it(segue: Run) -> None:
    ended = segue("convert", *CLAUDE, "--report", "none", given=(SUBAGENTS / "no-result.jsonl").read_bytes())

    assert _result(ended.out) == "No result provided"


def test_link_out_of_the_sessions_folder_is_not_followed(segue: Run, tmp_path: Path) -> None:
    shutil.copy(SUBAGENTS / "no-result.jsonl", tmp_path / "s.jsonl")
    (tmp_path / "s" / "subagents").mkdir(parents=True)
    for end in ("jsonl", "meta.json"):
        name = f"agent-a1.{end}"
        (tmp_path / "s" / "subagents" / name).symlink_to(SUBAGENTS / "no-result" / "subagents" / name)

    ended = segue("convert", tmp_path / "s.jsonl", *CLAUDE, "--report", "none")

    assert _result(ended.out) == "No result provided"


# -------------------------------------------------------------------------------------------------- inline


def test_runs_stand_in_the_result_before_the_answer(segue: Run) -> None:
    ended = segue("convert", SUBAGENTS / "folder.jsonl", *CLAUDE, "--subagents", "inline", "--report", "json")

    told, answer = _result(ended.out)
    assert answer == {"type": "text", "text": "Shelf four."}
    assert told["text"].splitlines() == [
        "[the subagent's own run (librarian, agent a1): 6 messages]",
        "user: Where is the tea book?",
        "assistant: I will look.",
        'assistant calls Read: {"file_path":"shelves.txt"}',
        "result of Read: A map.",
        "[image]",
        'assistant calls Agent: {"description":"Find the book","prompt":"Which shelf is it?",'
        '"subagent_type":"librarian"}',
        "[the subagent's own run (librarian, agent b2): 4 messages]",
        "user: Which shelf is it?",
        "assistant: I count: one, two, three.",
        "user: And?",
        "assistant: (its answer stands below)",
        "[end of the subagent's own run]",
        "result of Agent: Number four.",
        "assistant: (its answer stands below)",
        "[end of the subagent's own run]",
    ]


def test_what_inline_leaves_out_is_told(segue: Run) -> None:
    ended = segue("convert", SUBAGENTS / "folder.jsonl", *CLAUDE, "--subagents", "inline", "--report", "json")

    files = "subagents/agent"
    assert sorted(_of(_report(ended), "sidechain")) == [
        ("dropped", "left 1 thinking block, 1 image out of the text of subagent 'a1'"),
        (
            "hidden",
            f"hid the run of subagent 'acompact-9f' ({files}-acompact-9f.jsonl): "
            "the agent's own run that summed the history up, which is no conversation",
        ),
        ("hidden", f"hid the run of subagent 'd4' ({files}-d4.jsonl): nothing tells which call it belongs to"),
        (
            "rewritten",
            f"put the run of subagent 'a1' (librarian) ({files}-a1.jsonl, 6 messages) "
            "into the result of call 'toolu_lib' (Task)",
        ),
    ]


def test_run_inside_the_session_without_a_call_becomes_user_text(segue: Run) -> None:
    ended = segue("convert", SUBAGENTS / "inside-no-result.jsonl", *CLAUDE, "--subagents", "inline")

    texts = [block.get("text", "") for block in json.loads(ended.out)["messages"][2]["content"]]
    assert [text.splitlines()[1:2] for text in texts] == [[], ["user: Warm up."], []]


@pytest.mark.parametrize("name", NAMES)
def test_second_inline_run_changes_nothing(segue: Run, tmp_path: Path, name: str) -> None:
    place = tmp_path / "subagents"
    shutil.copytree(SUBAGENTS, place)
    options = ("-m", "same", "--subagents", "inline", "--report", "none")

    once = segue("convert", place / f"{name}.jsonl", *options)
    (place / f"{name}.jsonl").write_bytes(once.out)
    again = segue("convert", place / f"{name}.jsonl", *options)

    assert (b"the subagent's own run" in once.out) is (name != "unfinished")
    assert again.out == once.out


def test_runs_that_start_one_another_are_named_and_left_out(segue: Run) -> None:
    ended = segue("convert", SUBAGENTS / "circle.jsonl", *CLAUDE, "--subagents", "inline", "--report", "json")

    hidden = [what for kind, what in _of(_report(ended), "sidechain") if kind == "hidden"]
    assert ended.code == 0
    runs = [f"'{name}' (librarian) (subagents/agent-{name}.jsonl)" for name in ("b1", "c1")]
    assert hidden == [f"hid the run of subagent {run}: the run that started it is not told" for run in runs]


def test_check_counts_what_inline_costs(segue: Run) -> None:
    options = ("-m", "anthropic/claude-opus-4-8", "--report", "none")

    omitted = segue("check", SUBAGENTS / "folder.jsonl", *options)
    inline = segue("check", SUBAGENTS / "folder.jsonl", *options, "--subagents", "inline")

    assert (omitted.code, inline.code) == (0, 1)


@pytest.mark.parametrize("choice", ["inline", "separate"])
def test_other_formats_have_no_subagents(segue: Run, chat: bytes, tmp_path: Path, choice: str) -> None:
    options = ("-m", "openai/gpt-4o", "--api", "openai-completions", "-o", tmp_path / "out.json")

    ended = segue("convert", *options, "--subagents", choice, "--report", "json", given=chat)

    assert (ended.code, _report(ended)["problems"]) == (0, [])
    assert (tmp_path / "out.json").read_bytes() == chat
    assert os.listdir(tmp_path) == ["out.json"]


# ------------------------------------------------------------------------------------------------ separate


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_runs_are_written_as_sessions_of_their_own(segue: Run, tmp_path: Path) -> None:
    options = ("-m", "same", "-o", tmp_path / "out.jsonl", "--subagents", "separate", "--report", "json")

    ended = segue("convert", SUBAGENTS / "folder.jsonl", *options)

    names = [f"agent-{name}" for name in ("a1.jsonl", "a1.meta.json", "b2.jsonl", "b2.meta.json", "d4.jsonl")]
    assert ended.code == 0
    assert _files(tmp_path) == ["out.jsonl", *(f"out/subagents/{name}" for name in names)]
    assert (tmp_path / "out" / "subagents" / "agent-a1.jsonl").read_bytes() == (
        SUBAGENTS / "folder" / "subagents" / "agent-a1.jsonl"
    ).read_bytes()
    assert json.loads((tmp_path / "out" / "subagents" / "agent-b2.meta.json").read_bytes()) == {
        "agentType": "librarian",
        "description": "Find the book",
        "toolUseId": "toolu_page",
    }
    name = "subagents/agent-a1.jsonl"
    assert _of(_report(ended), "sidechain")[1] == (
        "hidden",
        f"wrote the run of subagent 'a1' (librarian) ({name}, 6 messages) to '{name}'",
    )


def test_runs_inside_the_session_are_written_too_and_none_twice(segue: Run, tmp_path: Path) -> None:
    options = (*CLAUDE, "-o", tmp_path / "out.json", "--subagents", "separate", "--prompt", "Well?", "--report", "none")

    ended = segue("convert", SUBAGENTS / "inside-no-result.jsonl", *options)

    first, second = (tmp_path / "out" / "subagents" / f"agent-5a000004{end}.json" for end in ("", "-2"))
    assert ended.code == 0
    assert [m["content"] for m in json.loads(first.read_bytes())["messages"]] == [
        "Where is the tea book?",
        "Shelf four.",
    ]
    assert [m["content"] for m in json.loads(second.read_bytes())["messages"]] == ["Warm up.", "Warm."]


def test_name_of_a_run_cannot_leave_the_folder(segue: Run, tmp_path: Path) -> None:
    text = (SUBAGENTS / "folder" / "subagents" / "agent-d4.jsonl").read_text()
    data = (SUBAGENTS / "folder.jsonl").read_text() + text.replace('"agentId":"d4"', '"agentId":"../../d/4"')
    options = ("-m", "same", "-o", tmp_path / "a" / "out.jsonl", "--subagents", "separate", "--report", "none")

    ended = segue("convert", *options, given=data.encode())

    assert ended.code == 0
    assert _files(tmp_path) == ["a/out.jsonl", "a/out/subagents/agent-d4.jsonl"]


def test_run_that_cannot_be_read_stops_no_other(segue: Run, tmp_path: Path) -> None:
    shutil.copytree(SUBAGENTS / "folder", tmp_path / "s")
    shutil.copy(SUBAGENTS / "folder.jsonl", tmp_path / "s.jsonl")
    (tmp_path / "s" / "subagents" / "agent-d4.jsonl").write_text("no session\n")
    options = ("-m", "same", "-o", tmp_path / "out.jsonl", "--subagents", "separate", "--report", "json")

    ended = segue("convert", tmp_path / "s.jsonl", *options)

    problems = [problem for problem in _report(ended)["problems"] if problem["rule"] == "sidechain"]
    assert ended.code == 0
    assert [problem["severity"] for problem in problems] == ["warning"]
    assert problems[0]["what"].startswith("the run of subagent 'd4' (subagents/agent-d4.jsonl) was not written: ")
    assert (tmp_path / "out" / "subagents" / "agent-a1.jsonl").exists()


def test_either_all_files_are_written_or_none(segue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    options = ("-m", "same", "-o", tmp_path / "out.jsonl", "--subagents", "separate", "--report", "none")

    ended = segue("convert", SUBAGENTS / "folder.jsonl", *options)

    assert (ended.code, ended.err.count("\n")) == (5, 1)
    assert os.listdir(tmp_path) == []


def test_source_own_files_are_never_written_over(segue: Run, tmp_path: Path) -> None:
    shutil.copytree(SUBAGENTS / "folder", tmp_path / "s")
    shutil.copy(SUBAGENTS / "folder.jsonl", tmp_path / "s.jsonl")
    before = {name: (tmp_path / name).read_bytes() for name in _files(tmp_path)}

    ended = segue("convert", tmp_path / "s.jsonl", "-m", "same", "-o", tmp_path / "s.new", "--subagents", "separate")

    assert ended.code == 2
    assert "one of the source's own" in ended.err
    assert {name: (tmp_path / name).read_bytes() for name in _files(tmp_path)} == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("convert", "-m", "same"), "name it with -o FILE"),
        (("convert", "-m", "same", "-o", "out"), "'out' has none"),
        (("check", "-m", "same"), "check writes none: omit or inline"),
    ],
)
def test_separate_without_a_place_is_told_in_one_line(segue: Run, words: tuple[str, ...], said: str) -> None:
    ended = segue(*words, SUBAGENTS / "folder.jsonl", "--subagents", "separate")

    assert (ended.code, ended.out, ended.err.count("\n")) == (2, b"", 1)
    assert said in ended.err


def test_fail_on_counts_what_the_runs_lose(segue: Run, tmp_path: Path) -> None:
    options = ("-m", "openai/gpt-5.2", "-t", "request", "-o", tmp_path / "out.json", "--fail-on", "downgraded")

    alone = segue("convert", SUBAGENTS / "folder.jsonl", *options[:-4], "--fail-on", "downgraded")
    ended = segue("convert", SUBAGENTS / "folder.jsonl", *options, "--subagents", "separate")

    assert (alone.code, ended.code) == (0, 1)
    assert os.listdir(tmp_path) == []
