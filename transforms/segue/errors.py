"""Every way to fail, each with its exit code.

    SegueError                70  a fault of ours
    ├── UsageError             2  the command was given wrong
    ├── UnreadableSource       3  missing, not a transcript, nothing usable in it
    ├── RefusedByTarget        4  the target would refuse the result
    └── UnwritableOutput       5  the output cannot be written

A fault inside a transcript that can be survived is a Change, never an exception.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from segue.changes import Report


class SegueError(Exception):
    """Anything that ends a run. The text is one line: what, where, what would be right."""

    exit_code = 70


class UsageError(SegueError):
    """An unknown option, model, format or rule; the text names the nearest ones."""

    exit_code = 2


class UnreadableSource(SegueError):
    """A source that is missing, is no transcript, or holds nothing usable."""

    exit_code = 3


class RefusedByTarget(SegueError):
    """A request body that the target would refuse; `report` tells why."""

    exit_code = 4
    report: Report


class UnwritableOutput(SegueError):
    """An output that cannot be written whole."""

    exit_code = 5
