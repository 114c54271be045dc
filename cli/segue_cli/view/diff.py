"""The diff: what happened to a transcript, where and why, at a glance.

The numbers behind `#` count from 0, as `message` does in the JSON report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from segue.changes import Change, Kind, Report
from segue_cli.view.frame import SIGNS, STYLES, footer, header, problem_lines, verdict_lines
from segue_cli.view.layout import ACCENT, DIM, GAP, INDENT, cut, padded, page_width, print_lines, row, wrapped
from segue_cli.view.order import in_source_order, place_of, reason_of, runs_of, sentence, shared_label, span
from segue_cli.view.plain import plain

BODY_LINES = 44  # what changes may take, …
PROBLEM_LINES = 12  # … and problems: together with header and footer about one tall screen
_NARROWEST_EXCERPT = 20
_NARROWEST_LABEL = 16
_WIDEST_LABEL = 48
_CONTEXT = 8
_MEDIUM = re.compile(r"\w+/\S+(, [\d,]+ (kB|bytes))?")


def print_diff(report: Report, console: Console) -> None:
    """Print a report as a diff, grouped by message in the order of the source; what is many of a kind is folded."""
    width = page_width(console)
    if not report.changes and not report.problems:
        print_lines([*header(report, width), *verdict_lines(report, width)], console)
        return
    parts = [
        header(report, width),
        _hidden_lines([change for change in report.changes if change.kind == "hidden"], width),
        _body([change for change in report.changes if change.kind != "hidden"], width),
        problem_lines(report.problems, width, PROBLEM_LINES),
        footer(report, width),
    ]
    lines: list[Text] = []
    for part in parts:
        lines += [Text(""), *part] if lines and part else part
    print_lines(lines, console)


# ------------------------------------------------------------------------------------------- hidden


def _hidden_lines(changes: Sequence[Change], width: int) -> list[Text]:
    """Give one dim line per reason."""
    lines = []
    for run in runs_of(changes):
        rule = plain(run[0].rule)
        count, (reason, says_number) = sum(change.count for change in run), reason_of(run)
        left = Text(f"{INDENT}{SIGNS['hidden']} {count:,} {'' if says_number else '× '}", DIM)
        left.append(cut(reason, width - left.cell_len - len(GAP) - cell_len(rule)))
        lines.append(row(left, Text(rule, f"{DIM} {ACCENT}"), width))
    return lines


# --------------------------------------------------------------------------------------------- body


def _body(changes: Sequence[Change], width: int) -> list[Text]:
    """Show all changes if there is room, else the first of each rule, and how many more there are."""
    ordered = in_source_order(changes)
    if len(ordered) <= BODY_LINES:
        lines = _groups(ordered, width)
        if len(lines) <= BODY_LINES:
            return lines
    runs = runs_of(ordered)
    for most in (3, 2, 1, 0):
        # Folding a single one away would save nothing.
        kept = [len(run) if len(run) <= most + 1 else most for run in runs]
        shown = {id(change) for run, keep in zip(runs, kept, strict=True) for change in run[:keep]}
        lines = _groups([change for change in ordered if id(change) in shown], width)
        folded = [(run, keep) for run, keep in zip(runs, kept, strict=True) if keep < len(run)]
        if lines and folded:
            lines.append(Text(""))
        lines += [_fold(run, keep, width) for run, keep in folded]
        if len(lines) <= BODY_LINES:
            break
    return lines


def _groups(changes: Sequence[Change], width: int) -> list[Text]:
    """Draw changes under the message that they happened to."""
    label_width = _label_width(changes, width)
    lines: list[Text] = []
    for _, group in groupby(changes, key=place_of):
        members = list(group)
        if lines:
            lines.append(Text(""))
        lines.append(_heading(members, width))
        for change in members:
            lines += _change_lines(change, label_width, width)
    return lines


def _heading(members: Sequence[Change], width: int) -> Text:
    first = members[0]
    found = [change.line for change in members if change.line is not None]
    left = Text(INDENT)
    if first.message is not None:
        right = f"line {min(found):,}" if found else ""
        written_by = next((change.author for change in members if change.author), "")
        left.append(f"#{first.message:,}", f"bold {ACCENT}")
        left.append(GAP + cut(written_by, width - left.cell_len - len(right) - 2 * len(GAP)), "bold")
    elif found:
        right = f"line {min(found):,}"
        left.append("beside the messages", "bold")
    else:
        right = ""
        left.append("the whole transcript", "bold")
    return row(left, Text(right, DIM), width) if right else left


def _label_width(changes: Sequence[Change], width: int) -> int:
    """Align the excerpts behind the longest label that leaves them enough room."""
    most = min(width * 2 // 5, _WIDEST_LABEL)
    return max((size for change in changes if (size := cell_len(sentence(change))) <= most), default=0)


def _change_lines(change: Change, label_width: int, width: int) -> list[Text]:
    """Draw one change: sign, what, excerpt, rule; on two lines where one would be too short."""
    style = STYLES[change.kind]
    base = DIM if change.kind == "rewritten" else ""
    rule = Text(plain(change.rule), f"{base} {ACCENT}".strip())
    left = Text(INDENT).append(f"{SIGNS[change.kind]} ", style)
    room = width - left.cell_len - len(GAP) - rule.cell_len
    what = sentence(change)
    size = cell_len(what)
    wanted = _excerpt(change, 10 * width)
    beside = room - max(size, label_width) - len(GAP)

    if not wanted and size <= room:
        return [row(left.append(what, style), rule, width)]
    # Half a sentence tells something, half an id nothing.
    needed = cell_len(wanted) if change.after and '"' not in wanted else _NARROWEST_EXCERPT
    if wanted and beside >= min(needed, cell_len(wanted)):
        left.append(padded(what, label_width) + GAP, style).append(_excerpt(change, beside), base)
        return [row(left, rule, width)]
    if size <= width - left.cell_len:
        below = Text(" " * (left.cell_len + 2)).append(_excerpt(change, room - 2), base)
        return [left.append(what, style), row(below, rule, width)]
    head, *rest = wrapped(what, width - left.cell_len)
    below = Text(" " * left.cell_len).append(cut(" ".join(rest), room), style)
    return [left.append(head, style), row(below, rule, width)]


def _excerpt(change: Change, room: int) -> str:
    """Tell before → after in at most `room` cells, without what the sentence says already."""
    before = "" if _is_told(change.before, change.what) else _quoted(change.before)
    after = "" if _is_told(change.after, change.what) else _quoted(change.after)
    if not after or change.before == change.after:
        return cut(before, room)
    if not before:
        return cut(after if change.kind == "synthesized" else f"→ {after}", room)
    room -= len(" → ")
    if cell_len(before) + cell_len(after) > room:
        before, after = _where_they_part(before, after)
    after = cut(after, max(room // 2, room - cell_len(before)))
    return f"{cut(before, room - cell_len(after))} → {after}"


def _where_they_part(before: str, after: str) -> tuple[str, str]:
    """Leave out a long beginning that both have: cut to the same few words, they would look alike."""
    pairs = enumerate(zip(before, after, strict=False))
    alike = next((index for index, (one, other) in pairs if one != other), min(len(before), len(after)))
    skipped = alike - _CONTEXT
    return (f"…{before[skipped:]}", f"…{after[skipped:]}") if skipped >= _CONTEXT else (before, after)


def _is_told(excerpt: str | None, what: str) -> bool:
    return not excerpt or f"'{excerpt}'" in what


def _quoted(excerpt: str | None) -> str:
    """Quote what somebody said; ids and media stand as they are."""
    text = plain(excerpt or "")
    return f'"{text}"' if " " in text and not _MEDIUM.fullmatch(text) else text


def _fold(run: Sequence[Change], keep: int, width: int) -> Text:
    """Draw what is left of a run on one line: how many, what, and where."""
    rest = run[keep:]
    kind: Kind = run[0].kind
    style = STYLES[kind]
    rule = Text(plain(run[0].rule), f"{DIM if kind == 'rewritten' else ''} {ACCENT}".strip())
    left = Text(INDENT).append(f"{SIGNS[kind]} ", style)
    left.append(f"… {len(rest):,} more: " if keep else f"{len(rest):,} × ", style)
    room = width - left.cell_len - rule.cell_len - len(GAP)
    where = span(rest)
    beside = room - len(where) - len(GAP)
    if not where or beside < _NARROWEST_LABEL:
        return row(left.append(cut(shared_label(rest), room), style), rule, width)
    left.append(cut(shared_label(rest), beside), style).append(GAP + where, DIM)
    return row(left, rule, width)
