"""The console that everything is drawn on, in this project's manners."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import IO

from rich.console import Console

from segue_cli.view.plain import plain as plain

DEFAULT_WIDTH = 80


def console(stream: IO[str], *, width: int | None = None) -> Console:
    """Make a console for a stream: colour where it is wanted, and nothing in a text is ever taken for markup.

    `width` is in cells; left out, it is COLUMNS, else that of the terminal, else 80. NO_COLOR beats FORCE_COLOR, which
    beats TERM=dumb and streams that are no terminal. Without colour not a single escape sequence is written.
    """
    _survive_narrow_encodings(stream)
    colour = _wants_colour(stream)
    # The sixteen colours of the user's own palette; a Windows console finds out for itself what it can do.
    colours = "auto" if sys.platform == "win32" else "standard"
    return _Console(
        file=stream,
        width=width or _width(stream),
        force_terminal=colour,
        force_jupyter=False,
        color_system=colours if colour else None,  # type: ignore[arg-type]
        no_color=False,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=None if colour else False,
    )


class _Console(Console):
    """A console that leaves a closed pipe to the command, which knows what it means."""

    def on_broken_pipe(self) -> None:
        raise  # the error that rich is handling


def _wants_colour(stream: IO[str]) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return True
    return _is_terminal(stream) and os.environ.get("TERM") not in ("dumb", "unknown")


def _width(stream: IO[str]) -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    if _is_terminal(stream):
        try:
            return os.get_terminal_size(stream.fileno()).columns or DEFAULT_WIDTH
        except (OSError, ValueError):
            return DEFAULT_WIDTH
    return DEFAULT_WIDTH


def _is_terminal(stream: IO[str]) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _survive_narrow_encodings(stream: IO[str]) -> None:
    """Let a stream that cannot spell a character escape it: a report must never fail on an arrow."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    if not encoding.lower().replace("-", "").startswith("utf") and isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
