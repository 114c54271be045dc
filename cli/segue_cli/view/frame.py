"""What stands around the changes: the header, the problems, the counts and the verdict."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from segue.changes import KINDS, Kind, Problem, Report, Severity
from segue_cli.view.layout import ACCENT, DIM, GAP, INDENT, counted, cut, cut_front, flowing, row, wrapped
from segue_cli.view.plain import plain
from segue_cli.view.verdict import target_name, verdict_parts

SIGNS: dict[Kind, str] = {"dropped": "-", "downgraded": "~", "synthesized": "+", "rewritten": "=", "hidden": "·"}
STYLES: dict[Kind, str] = {
    "dropped": "red",
    "downgraded": "yellow",
    "synthesized": "green",
    "rewritten": DIM,
    "hidden": DIM,
}
PROBLEM_SIGNS: dict[Severity, str] = {"error": "✗", "warning": "!", "note": "i"}
PROBLEM_STYLES: dict[Severity, str] = {"error": "red", "warning": "yellow", "note": DIM}
_MODELS_SHOWN = 4
_PATH_ROOM = 24


# ------------------------------------------------------------------------------------------- header


def header(report: Report, width: int) -> list[Text]:
    """Say what was read, who wrote it, and what it is fitted to."""
    facts = _source_facts(report.source, width)
    path = str(report.source.get("path") or "-")
    path = "standard input" if path == "-" else path
    facts_width = cell_len(facts)
    beside = width - len(INDENT) - len(GAP) - 1 - facts_width
    lines = []
    if not facts or cell_len(cut(path, width)) <= beside or beside >= _PATH_ROOM:
        lines.append(Text(INDENT).append(cut_front(path, beside), "bold").append(GAP + " ").append(facts))
    else:
        lines.append(Text(INDENT).append(cut_front(path, width - len(INDENT)), "bold"))
        lines += [Text(INDENT + part) for part in wrapped(facts, width - len(INDENT))]
    return [*lines, _target_line(report, width)]


def _source_facts(source: dict[str, Any], width: int) -> str:
    facts = [plain(str(source["format"]))] if source.get("format") else []
    if source.get("messages") is not None:
        facts.append(counted(source["messages"], "message"))
    models = source.get("models") or []
    names = [str(model.get("model") or "unknown model") for model in models]
    shown = []
    for model, name in zip(models[:_MODELS_SHOWN], names, strict=False):
        # The id alone says enough, unless two hosts of one model wrote turns.
        full = f"{model.get('provider')}/{name}" if names.count(name) > 1 else name
        turns = f" ×{model['turns']:,}" if model.get("turns") else ""
        shown.append(cut(full, width // 2) + turns)
    if len(models) > _MODELS_SHOWN:
        shown.append(f"{len(models) - _MODELS_SHOWN} more")
    if shown:
        facts.append(", ".join(shown))
    return " · ".join(facts)


def _target_line(report: Report, width: int) -> Text:
    facts = [plain(str(report.target["api"]))] if report.target.get("api") else []
    written = report.output.get("format")
    if written and written not in facts:
        facts.append(f"written as {plain(str(written))}")
    messages = report.output.get("messages")
    if messages is not None and messages != report.source.get("messages"):
        facts.append(counted(messages, "message"))
    told = " · ".join(facts)
    name = cut(target_name(report), max(width - len(INDENT) - 2 - len(GAP) - 1 - cell_len(told), width // 3))
    line = Text(INDENT).append("→ ").append(name, f"bold {ACCENT}")
    return line.append(f"{GAP} {cut(told, width - line.cell_len - 3)}") if told else line


# ----------------------------------------------------------------------------------------- problems


def problem_lines(problems: Iterable[Problem], width: int, room: int, *, compact: bool = False) -> list[Text]:
    """List problems, errors first, in at most `room` lines; of one rule the first few. `compact`: one line for each."""
    ranks = list(PROBLEM_SIGNS)
    ordered = sorted(problems, key=lambda problem: (ranks.index(problem.severity), problem.rule))
    runs = [list(run) for _, run in groupby(ordered, key=lambda problem: (problem.severity, problem.rule))]
    lines: list[Text] = []
    for most in (5, 3, 1):
        lines = []
        for run in runs:
            # Folding a single one away would save nothing.
            kept = len(run) if len(run) <= most + 1 else most
            for problem in run[:kept]:
                lines += _problem(problem, width, compact)
            if run[kept:]:
                lines.append(_more_problems(run[0], len(run) - kept, width))
        if len(lines) <= room:
            return lines
    if not compact:
        return problem_lines(ordered, width, room, compact=True)
    left = len(lines) - room + 1
    return [*lines[: room - 1], Text(f"{INDENT}… {counted(left, 'more line')} of problems in the JSON report", DIM)]


def _problem(problem: Problem, width: int, compact: bool) -> list[Text]:
    head = Text(INDENT).append(*severity_mark(problem.severity))
    rule = Text(plain(problem.rule), ACCENT)
    room = width - head.cell_len
    if compact:
        return [row(head.append(cut(problem.what, room - rule.cell_len - len(GAP))), rule, width)]
    indent = " " * head.cell_len
    first, *rest = wrapped(problem.what[: 12 * width], room)[:4]
    lines = [head.append(first), *(Text(indent + part) for part in rest)]
    if problem.says:
        lines.append(Text(indent).append(cut(f"it would say: {problem.says}", room), DIM))
    place = [f"#{problem.message:,}"] if problem.message is not None else []
    if problem.pointer:
        place.append(cut(problem.pointer, width // 3))
    right = Text().append(" · ".join(place), DIM).append(GAP if place else "").append(rule)
    if lines[-1].cell_len + len(GAP) + right.cell_len <= width:
        return [*lines[:-1], row(lines[-1], right, width)]
    return [*lines, row(Text(indent).append(" · ".join(place), DIM), rule, width)]


def _more_problems(problem: Problem, count: int, width: int) -> Text:
    left = Text(INDENT).append(*severity_mark(problem.severity)).append(f"… {count:,} more", DIM)
    return row(left, Text(plain(problem.rule), ACCENT), width)


def severity_mark(severity: Severity) -> tuple[str, str]:
    """Give sign and word of a severity with its style, to be appended."""
    return f"{PROBLEM_SIGNS[severity]} {severity:<9}", PROBLEM_STYLES[severity]


# ------------------------------------------------------------------------------------------- footer


def footer(report: Report, width: int) -> list[Text]:
    """Give the counts, which explain the signs on the way, and the verdict."""
    counts = report.counts
    pieces = [
        Text(f"{SIGNS[kind]} ", STYLES[kind]).append(f"{counts[kind]:,} {kind}") for kind in KINDS if counts[kind]
    ]
    return [*flowing(pieces, Text(GAP + " "), width), *verdict_lines(report, width)]


def verdict_lines(report: Report, width: int) -> list[Text]:
    """Give the verdict in its colours: green for a yes, yellow for a price, red for a no."""
    pieces = []
    for part in verdict_parts(report):
        style = _verdict_style(part)
        pieces += [Text(line, style) for line in wrapped(part, width - len(INDENT))]
    return flowing(pieces, Text(" · "), width)


def _verdict_style(part: str) -> str:
    if part.startswith(("would be refused", "does not fit")):
        return "bold red"
    if part == "with loss":
        return "bold yellow"
    if part.startswith(("accepted", "nothing")):
        return "bold green"
    return ""
