"""What comes out where: the result, the report, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from running import CLEAN, Run

GPT = ("-m", "openai/gpt-5.2", "-t", "request")
CHAT = ("-m", "openai/gpt-4o", "--api", "openai-completions")


def test_result_goes_to_standard_output_and_report_to_standard_error(process: Run, demo: Path) -> None:
    ended = process("convert", demo, *GPT)

    assert ended.code == 0
    assert json.loads(ended.out)["model"] == "gpt-5.2"
    assert ended.out.endswith(b"}\n") and ended.out.count(b"\n") == 1
    assert "foreign-thinking" in ended.err
    assert "\x1b" not in ended.err


def test_two_runs_are_byte_identical(process: Run, demo: Path) -> None:
    one = process("convert", demo, *GPT, "--report", "json", env={"PYTHONHASHSEED": "1"})
    other = process("convert", demo, *GPT, "--report", "json", env={"PYTHONHASHSEED": "2"})

    assert one == other


@pytest.mark.parametrize("source", [(), ("-",)])
def test_standard_input_is_the_source_when_none_is_named(segue: Run, chat: bytes, source: tuple[str, ...]) -> None:
    ended = segue("convert", *source, *CHAT, "--report", "json", given=chat)

    assert ended.out == chat
    assert json.loads(ended.err)["source"]["path"] == "standard input"


def test_pipe_of_two_commands_carries_the_transcript(process: Run, demo: Path) -> None:
    first = process("convert", demo, "-m", "openai/gpt-5.2", "-t", "pi-messages", "--report", "none")

    second = process("convert", "-m", "anthropic/claude-opus-4-8", "-t", "request", "--report", "none", given=first.out)

    assert (second.code, second.err) == (0, "")
    assert json.loads(second.out)["messages"][0]["role"] == "user"


def test_reader_that_closes_the_pipe_ends_the_command_quietly(tmp_path: Path) -> None:
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "x" * 2_000_000}]}
    source = tmp_path / "large.json"
    source.write_text(json.dumps(body))
    words = [sys.executable, "-m", "segue_cli", "convert", str(source), *CHAT, "--report", "none"]

    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=CLEAN) as started:
        assert started.stdout is not None and started.stderr is not None
        head = started.stdout.read(10)
        started.stdout.close()
        said = started.stderr.read()
        code = started.wait(60)

    assert head == b'{"model": '
    assert code in (0, 141)
    assert said == b""


@pytest.mark.parametrize("command", ["rules", "formats", "show"])
def test_list_that_is_read_halfway_ends_quietly(command: str, demo: Path) -> None:
    words = [sys.executable, "-m", "segue_cli", command, *([str(demo)] if command == "show" else [])]

    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=CLEAN) as started:
        assert started.stdout is not None and started.stderr is not None
        started.stdout.close()
        said = started.stderr.read()
        code = started.wait(60)

    assert code in (0, 141)
    assert said == b""


# ------------------------------------------------------------------------------------------ reports


def test_summary_is_short(segue: Run, demo: Path) -> None:
    ended = segue("convert", demo, *GPT, "--report", "summary")

    assert 1 <= len(ended.err.splitlines()) <= 20
    assert "2 dropped" in ended.err


def test_report_can_be_left_out(segue: Run, demo: Path) -> None:
    ended = segue("convert", demo, *GPT, "--report", "none")

    assert (ended.code, ended.err) == (0, "")


def test_json_report_has_the_shape_of_the_contract(segue: Run, demo: Path) -> None:
    report = json.loads(segue("convert", demo, *GPT, "--report", "json").err)

    assert list(report) == ["segue", "source", "target", "output", "counts", "changes", "problems", "fit", "exit"]
    assert list(report["source"]) == ["path", "format", "session", "messages", "models"]
    assert report["source"]["models"][0] == {
        "provider": "anthropic",
        "api": "anthropic-messages",
        "model": "claude-opus-4-8",
        "turns": 6,
    }
    assert report["target"] == {"provider": "openai", "api": "openai-responses", "model": "gpt-5.2"}
    assert report["counts"] == {"dropped": 2, "downgraded": 7, "synthesized": 1, "rewritten": 2, "hidden": 8}
    keys = {"kind", "rule", "what", "line", "message", "block", "before", "after"}
    assert all(keys <= change.keys() <= keys | {"count"} for change in report["changes"])
    assert {"tokens", "method", "context_window", "fits"} <= report["fit"].keys()


def test_report_file_holds_the_json_beside_what_is_shown(segue: Run, demo: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.json"

    ended = segue("convert", demo, *GPT, "--report", "summary", "--report-file", path)

    shown = segue("convert", demo, *GPT, "--report", "json")
    assert "summary" not in ended.err
    assert path.read_text() == shown.err


# ------------------------------------------------------------------------------------------- colour


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, None),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colour_is_for_terminals_and_for_who_asks(
    segue: Run, demo: Path, monkeypatch: pytest.MonkeyPatch, env: dict[str, str], coloured: bool | None
) -> None:
    for key, value in env.items():
        monkeypatch.setenv(key, value)

    ended = segue("convert", demo, *GPT)

    if coloured is not None:
        assert ("\x1b[" in ended.err) is coloured
    assert b"\x1b" not in ended.out


def test_words_are_the_same_with_and_without_colour(segue: Run, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import re

    plain = segue("convert", demo, *GPT).err
    monkeypatch.setenv("FORCE_COLOR", "1")

    coloured = segue("convert", demo, *GPT).err

    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


HOSTILE = "\x1b[2J\x1b]0;title\x07\x1b]8;;https://example.com\x1b\\[bold red]x[/]\x9b31m\r\x08"


def test_nothing_in_a_transcript_reaches_the_terminal_as_control(segue: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    thinking = {"type": "thinking", "thinking": HOSTILE, "signature": HOSTILE}
    call = {"type": "tool_use", "id": HOSTILE, "name": HOSTILE, "input": {}}
    body = {
        "model": HOSTILE,
        "max_tokens": 9,
        "messages": [{"role": "user", "content": HOSTILE}, {"role": "assistant", "content": [thinking, call]}],
    }

    ended = segue("convert", *GPT, given=json.dumps(body).encode())
    shown = segue("show", given=json.dumps(body).encode())
    failed = segue("convert", HOSTILE, "-m", HOSTILE, "-t", HOSTILE)

    for text in (ended.err, shown.out.decode(), failed.err):
        rest = text.replace("\x1b[0m", "")
        assert not set(rest) & {"\x07", "\x08", "\r", "\x9b"}
        assert "\x1b]" not in rest and "\x1b[2J" not in rest
    assert "[bold red]x[/]" in shown.out.decode()
