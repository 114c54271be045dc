"""Where a report goes, and in which shape."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from segue_cli.commands._options import ReportKind

if TYPE_CHECKING:
    from segue.changes import Report


def show_report(report: Report, kind: ReportKind, stream: TextIO) -> None:
    """Print a report as the user asked for it."""
    if kind is ReportKind.none:
        return
    if kind is ReportKind.json:
        write_json([report.as_json()], stream)
        return
    from segue_cli.view.console import console

    if kind is ReportKind.summary:
        from segue_cli.view.summary import print_summary

        print_summary(report, console(stream))
    else:
        from segue_cli.view.diff import print_diff

        print_diff(report, console(stream))


def write_json(reports: list[dict[str, object]], stream: TextIO) -> None:
    """Print one report as an object, several as an array."""
    stream.flush()
    stream.buffer.write(json_of(reports[0] if len(reports) == 1 else reports))
    stream.buffer.flush()


def json_of(value: object) -> bytes:
    from segue.records import dumps

    return dumps(value, 2) + b"\n"


def write_report_file(report: Report, path: Path | None) -> None:
    """Write the JSON report beside whatever else is shown."""
    if path is not None:
        from segue_cli.files import write_output

        write_output(json_of(report.as_json()), path)


def flush_output() -> None:
    """On one terminal the result has to stand before its report."""
    sys.stdout.flush()
