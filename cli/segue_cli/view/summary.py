"""The summary: how many changes each rule made, on one screen."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from segue.changes import Change, Report
from segue_cli.view.frame import SIGNS, STYLES, footer, header, problem_lines
from segue_cli.view.layout import ACCENT, DIM, GAP, INDENT, counted, cut, padded, page_width, print_lines, row
from segue_cli.view.order import reason_of, runs_of, shared_label, span
from segue_cli.view.plain import plain

LINES = 25
PROBLEM_LINES = 5
_FEWEST_RULES = 3


def print_summary(report: Report, console: Console) -> None:
    """Print header, one line per rule, problems and verdict, all in 25 lines."""
    width = page_width(console)
    top = header(report, width)
    problems = problem_lines(report.problems, width, PROBLEM_LINES, compact=True)
    bottom = footer(report, width)
    room = LINES - len(top) - len(problems) - len(bottom) - 3
    lines: list[Text] = []
    for part in (top, _rule_lines(report, width, max(room, _FEWEST_RULES)), problems, bottom):
        lines += [Text(""), *part] if lines and part else part
    print_lines(lines, console)


def _rule_lines(report: Report, width: int, room: int) -> list[Text]:
    runs = runs_of(report.changes)
    kept = runs if len(runs) <= room else runs[: room - 1]
    counts = [f"{_count(run):,}" for run in kept]
    widest_count = max(map(len, counts), default=0)
    widest_rule = max((cell_len(plain(run[0].rule)) for run in kept), default=0)
    lines = [
        _rule_line(run, f"{count:>{widest_count}}", widest_rule, width) for run, count in zip(kept, counts, strict=True)
    ]
    if left := runs[len(kept) :]:
        changes = sum(map(_count, left))
        lines.append(Text(f"{INDENT}… {counted(len(left), 'more rule')}, {counted(changes, 'change')}", DIM))
    return lines


def _rule_line(run: list[Change], count: str, widest_rule: int, width: int) -> Text:
    kind = run[0].kind
    base = DIM if STYLES[kind] == DIM else ""
    left = Text(INDENT).append(f"{SIGNS[kind]} {count}", STYLES[kind])
    left.append(GAP + padded(plain(run[0].rule), widest_rule), f"{base} {ACCENT}".strip())
    right = Text(span(run), DIM)
    room = width - left.cell_len - right.cell_len - 2 * len(GAP)
    label = reason_of(run)[0] if kind == "hidden" else shared_label(run)
    left.append(GAP + cut(label, room), base)
    return row(left, right, width) if right else left


def _count(run: list[Change]) -> int:
    return sum(change.count for change in run)
