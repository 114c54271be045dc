"""Whole walks through the command: a file in, the result and the JSON report out.

Each folder of fixtures/walks holds `in.*`, `args` (one line of options for `segue convert`), `out.*` (none where the
target refuses) and `report.json`. `SEGUE_ACCEPT=1` writes the last two anew: read their diff before you commit it.
"""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from segue.passes import ORDER, rule_name
from segue_cli.main import run

WALKS = Path(__file__).parents[2] / "fixtures" / "walks"
FOLDERS = sorted(path for path in WALKS.iterdir() if path.is_dir())
MISSION = [folder.name for folder in FOLDERS if folder.name.startswith("mission-example")]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_walk_ends_where_it_did(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = next(folder.glob("in.*")).name
    monkeypatch.chdir(folder)

    code = run(["convert", source, *shlex.split((folder / "args").read_text()), "--report", "json"])

    captured = capfdbinary.readouterr()
    if os.environ.get("SEGUE_ACCEPT"):
        _accept(folder, captured.out, captured.err)
    assert captured.out == b"".join(path.read_bytes() for path in folder.glob("out.*"))
    assert captured.err == (folder / "report.json").read_bytes()
    assert code == json.loads(captured.err)["exit"]


def _accept(folder: Path, result: bytes, report: bytes) -> None:
    for old in folder.glob("out.*"):
        old.unlink()
    if result:
        is_lines = result.count(b"\n") > 1 and all(line.endswith(b"}") for line in result.splitlines())
        (folder / ("out.jsonl" if is_lines else "out.json")).write_bytes(result)
    (folder / "report.json").write_bytes(report)


def _reports() -> dict[str, Any]:
    return {folder.name: json.loads((folder / "report.json").read_bytes()) for folder in FOLDERS}


TOO_LARGE = {"oversized-request"}  # a walk of 32 MB: tests/rules has it instead


def test_every_rule_is_met_on_some_walk() -> None:
    met = {change["rule"] for report in _reports().values() for change in report["changes"]}

    assert {rule_name(rule) for rule in ORDER} - met == TOO_LARGE


@pytest.mark.parametrize("name", [name for name in MISSION if not name.endswith("same-model")])
def test_example_of_the_mission_costs_three_downgrades(name: str) -> None:
    report = _reports()[name]

    told = [(change["rule"], change["what"]) for change in report["changes"]]

    assert report["counts"] == {"dropped": 0, "downgraded": 3, "synthesized": 0, "rewritten": 0, "hidden": 0}
    assert told == [
        ("foreign-thinking", "turned thinking of claude-sonnet-4-6 into text"),
        ("foreign-signature", "lost the signature of thinking"),
        ("foreign-signature", "lost the signature of a text"),
    ]


def test_example_of_the_mission_keeps_the_turn_in_its_place() -> None:
    before = json.loads((WALKS / "mission-example" / "in.json").read_bytes())
    after = json.loads((WALKS / "mission-example" / "out.json").read_bytes())

    thinking, text, call = before[1]["content"]

    assert after[0] == before[0]
    assert after[1]["content"] == [
        {"type": "text", "text": thinking["thinking"]},
        {"type": "text", "text": text["text"]},
        call,
    ]
    assert {**after[1], "content": None} == {**before[1], "content": None}
    assert after[2] == before[2]


def test_example_of_the_mission_for_its_own_model_is_unchanged() -> None:
    folder = WALKS / "mission-example-same-model"

    assert (folder / "out.json").read_bytes() == (folder / "in.json").read_bytes()
    assert _reports()[folder.name]["changes"] == []
