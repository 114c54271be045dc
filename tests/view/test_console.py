"""Colour and width: who decides."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from rich.text import Text

from segue_cli.view.console import console


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class _ClosedPipe(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize(
    ("terminal", "environment", "coloured"),
    [
        (True, {"TERM": "xterm"}, True),
        (False, {"TERM": "xterm"}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
    ],
)
def test_colour_follows_stream_and_environment(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, environment: dict[str, str], coloured: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = _Terminal() if terminal else io.StringIO()

    console(stream).print(Text("words", "bold red"))

    assert ("\x1b[" in stream.getvalue()) is coloured


def test_width_is_80_where_nobody_says_another() -> None:
    assert console(io.StringIO()).width == 80


def test_width_is_that_of_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "123")

    made = console(_Terminal())

    assert made.width == 123


@pytest.mark.parametrize("columns", ["0", "", "-5", "wide"])
def test_columns_that_are_no_width_are_passed_over(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)

    made = console(io.StringIO())

    assert made.width == 80


def test_a_closed_pipe_is_left_to_the_command() -> None:
    closed = console(_ClosedPipe())

    with pytest.raises(BrokenPipeError):
        closed.print("words")


def test_a_narrow_encoding_escapes_what_it_cannot_spell() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")

    console(stream).print(Text("a → b"))
    stream.flush()

    assert stream.buffer.getvalue() == b"a \\u2192 b\n"


def test_verdict_and_plain_do_without_rich() -> None:
    code = "import sys, segue_cli.view.verdict, segue_cli.view.plain; sys.exit('rich' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, check=False)

    assert done.returncode == 0


def test_views_leave_the_slow_parts_of_rich_alone() -> None:
    code = (
        "import sys, segue_cli.view.diff, segue_cli.view.show, segue_cli.view.summary\n"
        "sys.exit('rich.markdown' in sys.modules or 'rich.traceback' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, check=False)

    assert done.returncode == 0
