"""Every exit code, reached honestly, and the one line that goes with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from running import CLEAN, SESSIONS, Run

from segue import pipeline

CHAT = ("-m", "openai/gpt-4o", "--api", "openai-completions")


def one_line(said: str) -> bool:
    return said.startswith("segue: ") and said.count("\n") == 1 and "Traceback" not in said


@pytest.mark.parametrize("kinds", ["dropped", "downgraded,synthesized", "rewritten", "any"])
def test_needed_change_of_a_named_kind_is_1_and_nothing_is_written(segue: Run, demo: Path, kinds: str) -> None:
    ended = segue("convert", demo, "-m", "openai/gpt-5.2", "--fail-on", kinds, "--report", "json")

    assert (ended.code, ended.out) == (1, b"")
    assert json.loads(ended.err)["exit"] == 1


def test_change_of_no_named_kind_is_0(segue: Run, demo: Path) -> None:
    ended = segue("convert", demo, "-m", "anthropic/claude-opus-4-8", "--fail-on", "dropped", "--report", "none")

    assert ended.code == 0
    assert ended.out


def test_hidden_records_fail_on_nothing(segue: Run) -> None:
    session = (SESSIONS / "claude-code" / "rewind.jsonl").read_bytes()

    ended = segue("convert", "-m", "same", "--fail-on", "any", "--report", "none", given=session)

    assert (ended.code, ended.out) == (0, session)


@pytest.mark.parametrize(
    "arguments",
    [
        ("convert",),
        ("convert", "-m", "gpt-9"),
        ("convert", "-m", "openai/gpt-4o", "--colour"),
        ("convert", "-m", "openai/gpt-4o", "--report", "xml"),
        ("convert", "-m", "openai/gpt-4o", "--fail-on", "lost"),
        ("convert", "-m", "openai/gpt-4o", "--system", "missing.txt"),
        ("convert", "-m", "openai/gpt-4o", "--source-model", "nobody"),
        ("convert", "a", "b", "-m", "openai/gpt-4o"),
        ("check",),
        ("explain",),
        ("explain", "nothing-like-it"),
        ("frobnicate",),
    ],
    ids=" ".join,
)
def test_command_given_wrong_is_2(segue: Run, chat: bytes, arguments: tuple[str, ...]) -> None:
    ended = segue(*arguments, given=chat)

    assert (ended.code, ended.out) == (2, b"")
    assert one_line(ended.err)


def test_refused_body_is_4_and_force_writes_it(segue: Run, refused: bytes) -> None:
    ended = segue("convert", *CHAT, "--report", "none", given=refused)
    forced = segue("convert", *CHAT, "--report", "none", "--force", given=refused)

    assert (ended.code, ended.out) == (4, b"")
    assert one_line(ended.err) and "--force" in ended.err
    assert (forced.code, forced.out) == (0, refused)


def test_refused_body_leaves_one_json_value_for_programs(segue: Run, refused: bytes) -> None:
    report = json.loads(segue("convert", *CHAT, "--report", "json", given=refused).err)

    assert report["exit"] == 4
    assert [problem["severity"] for problem in report["problems"]] == ["error"]


def test_fault_of_our_own_is_70_in_one_line(segue: Run, chat: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("\x1b[31mnobody expects this")

    monkeypatch.setattr(pipeline, "convert", broken)

    ended = segue("convert", *CHAT, given=chat)

    assert ended.code == 70
    assert one_line(ended.err)
    assert "RuntimeError at test_exit_codes.py:" in ended.err and "SEGUE_DEBUG=1" in ended.err


def test_debug_shows_where(segue: Run, chat: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("nobody expects this")

    monkeypatch.setattr(pipeline, "convert", broken)
    monkeypatch.setenv("SEGUE_DEBUG", "1")

    ended = segue("convert", *CHAT, given=chat)

    assert ended.code == 70
    assert "Traceback" in ended.err


def test_interrupt_is_130_and_quiet() -> None:
    words = [sys.executable, "-m", "segue_cli", "convert", *CHAT]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=CLEAN
    ) as started:
        wait_for_reading(started.pid)
        started.send_signal(signal.SIGINT)
        out, said = started.communicate(timeout=60)

    assert started.returncode == 130
    assert (out, said) == (b"", b"")


def wait_for_reading(process: int) -> None:
    """Wait until the process sleeps over its standard input, where the system tells; else long enough."""
    where = Path(f"/proc/{process}/wchan")
    for _ in range(200):
        time.sleep(0.02)
        if where.exists() and "pipe" in where.read_text():
            return
    assert os.path.exists(f"/proc/{process}") or sys.platform != "linux"
