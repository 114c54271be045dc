"""Which runs a Claude Code session has, and which call each of them answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from segue import Options, convert
from segue.formats import claude_code
from segue.formats._types import Subagent
from segue.reading.transcripts import read

SUBAGENTS = Path(__file__).parents[2] / "fixtures" / "subagents"


def _beside(name: str) -> dict[str, bytes]:
    folder = SUBAGENTS / name
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _found(data: bytes, beside: dict[str, bytes]) -> list[Subagent]:
    assert claude_code.FORMAT.subagents is not None
    transcript, _ = next(read(data).transcripts)
    return list(claude_code.FORMAT.subagents(transcript, beside))


def _session(name: str) -> bytes:
    return (SUBAGENTS / f"{name}.jsonl").read_bytes()


def test_call_is_named_by_the_meta_file_or_the_prompt() -> None:
    found = _found(_session("folder"), _beside("folder"))

    parent = "subagents/agent-a1.jsonl"
    assert [(run.id, run.parent, run.call_id, run.is_summary) for run in found] == [
        ("a1", None, "toolu_lib", False),
        ("acompact-9f", None, None, True),
        ("b2", parent, "toolu_page", False),
        ("d4", None, None, False),
    ]


def test_call_is_named_by_what_its_result_says_of_the_agent() -> None:
    found = _found(_session("beside/session"), _beside("beside"))

    assert [(run.id, run.call_id) for run in found] == [("f6", "toolu_lib")]


def test_call_is_named_by_the_words_of_its_result() -> None:
    data = _session("beside/session").replace(b'"toolUseResult":{"agentId":"f6","content":"Shelf four."},', b"")
    data = data.replace(b'"content":"Shelf four."}]', b'"content":"Shelf four.\\nagentId: f6 (to go on with it)"}]')

    found = _found(data, _beside("beside"))

    assert [(run.id, run.call_id) for run in found] == [("f6", "toolu_lib")]


def test_runs_inside_a_session_are_told_apart() -> None:
    found = _found(_session("inside-no-result"), {})

    assert [(run.where, run.call_id, run.record) for run in found] == [
        ("line 3", "toolu_lib", 3),
        ("line 5", None, 5),
    ]
    assert b"".join(run.data for run in found) == b"".join(_session("inside-no-result").splitlines(True)[2:6])


def test_runs_of_a_workflow_belong_to_the_call_that_launched_it() -> None:
    data = _session("beside/session").replace(b'{"agentId":"f6",', b'{"runId":"wf_tea",')
    run = (SUBAGENTS / "beside" / "agent-f6.jsonl").read_bytes().replace(b"Find the tea book", b"Count the shelves")
    beside = {f"subagents/workflows/wf_tea/agent-{name}.jsonl": run for name in ("g1", "g2")}

    found = _found(data, beside)

    assert [(run.id, run.call_id) for run in found] == [("g1", "toolu_lib"), ("g2", "toolu_lib")]


def test_runs_own_session_has_only_the_runs_that_it_started() -> None:
    folder = SUBAGENTS / "folder" / "subagents"
    beside = {path.name: path.read_bytes() for path in folder.iterdir()}

    found = _found((folder / "agent-a1.jsonl").read_bytes(), beside)

    assert [(run.id, run.call_id) for run in found] == [("b2", "toolu_page")]


def test_two_calls_with_one_prompt_have_a_run_each() -> None:
    lines = [json.loads(line) for line in _session("inside-no-result").splitlines()]
    lines[1]["message"]["content"].append({**lines[1]["message"]["content"][0], "id": "toolu_other"})
    lines[4]["message"]["content"] = lines[2]["message"]["content"]

    found = _found(b"\n".join(json.dumps(line).encode() for line in lines), {})

    assert [run.call_id for run in found] == ["toolu_lib", "toolu_other"]


def test_call_on_another_branch_is_known() -> None:
    lines = [json.loads(line) for line in _session("folder").splitlines()]
    again = {**lines[0], "uuid": "5a000009-0000-4000-8000-000000000001", "timestamp": "2026-02-03T11:00:00.000Z"}
    data = b"\n".join(json.dumps(line).encode() for line in (*lines, again))
    options = Options(model="openai/gpt-5.2", to="request", subagents="inline", beside=_beside("folder"))

    report = convert(data, options).report

    hidden = [change.what for change in report.changes if change.rule == "sidechain" and "'a1'" in change.what]
    run = "'a1' (librarian) (subagents/agent-a1.jsonl)"
    assert hidden == [f"hid the run of subagent {run}: its call is not in the history that is sent"]


@pytest.mark.parametrize(("depth", "told"), [(3, 3), (12, 8)])
def test_runs_stand_in_one_another_down_to_a_limit(depth: int, told: int) -> None:
    beside = {f"subagents/agent-n{level}.jsonl": _nested(level) for level in range(depth)}
    data = _session("folder").replace(b"toolu_lib", b"toolu_n0").replace(b"Where is the tea book?", b"Level 0?")
    options = Options(model="openai/gpt-5.2", to="request", subagents="inline", beside=beside)

    outcome = convert(data, options)

    left = [change.what for change in outcome.report.changes if change.kind == "hidden"]
    assert outcome.output.count(b"[the subagent's own run") == told
    assert len(left) == depth - told
    assert all(any(f"'n{level}'" in what for what in left) for level in range(told, depth))


def _nested(level: int) -> bytes:
    """Make a run that starts the run of the next level."""
    lines = (SUBAGENTS / "circle" / "subagents" / "agent-c1.jsonl").read_text()
    text = lines.replace("toolu_four", f"toolu_n{level + 1}").replace("Four?", f"Level {level + 1}?")
    return text.replace("Three?", f"Level {level}?").replace('"agentId":"c1"', f'"agentId":"n{level}"').encode()


@pytest.mark.parametrize("meta", [b"", b"[]", b"{", b'{"toolUseId":3,"agentType":[]}', b'{"parentAgentId":"a1"}'])
@pytest.mark.parametrize(
    "run", [b"", b"\xff\xfe", b"{}\n[1]\n", b'{"type":"user","message":{"content":[1,{"text":2}]}}']
)
@pytest.mark.parametrize("choice", ["omit", "inline", "separate"])
def test_damaged_runs_stop_nothing(meta: bytes, run: bytes, choice: Any) -> None:
    beside = {"subagents/agent-a1.jsonl": run, "subagents/agent-a1.meta.json": meta}
    options = Options(model="openai/gpt-5.2", to="request", subagents=choice, beside=beside)

    outcome = convert(_session("no-result"), options)

    assert b"Still there?" in outcome.output
