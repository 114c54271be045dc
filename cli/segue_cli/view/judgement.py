"""What a request body would be refused for, in the order of the body, at a glance.

The numbers behind `#` count from 0, as JSON pointers do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from segue.changes import Problem, Report, Severity
from segue.linting import Judgement
from segue_cli.view.frame import PROBLEM_SIGNS, PROBLEM_STYLES, header, severity_mark
from segue_cli.view.layout import (
    ACCENT,
    DIM,
    GAP,
    INDENT,
    counted,
    cut,
    flowing,
    padded,
    page_width,
    print_lines,
    row,
    wrapped,
)
from segue_cli.view.plain import plain
from segue_cli.view.verdict import target_name

MOST_LINES = 60  # what problems may take: about one tall screen
_MOST_WRAPPED = 4
_STEPS = (10_000, 20, 5, 3, 2, 1)  # of one rule that many are shown, until there is room for all


def print_judgement(judgement: Judgement, console: Console) -> None:
    """Print all problems, grouped by message; what is many of a kind is folded."""
    width = page_width(console)
    lines = _header(judgement, width)
    for part in (_body(judgement.problems, width), _footer(judgement, width)):
        lines += [Text(""), *part] if part else []
    print_lines(lines, console)


def print_judgement_summary(judgement: Judgement, console: Console) -> None:
    """Print one line per rule: how often, and where first."""
    width = page_width(console)
    runs = _runs(judgement.problems)
    widest = max((len(f"{len(run):,}") for run in runs), default=0)
    rules = max((len(plain(run[0].rule)) for run in runs), default=0)
    lines = _header(judgement, width)
    body = []
    for run in runs:
        left = Text(INDENT).append(*severity_mark(run[0].severity)).append(f"{len(run):>{widest},}{GAP}")
        left.append(padded(plain(run[0].rule), rules), ACCENT)
        body.append(left.append(GAP).append(cut(_place(run[0]), width - left.cell_len - len(GAP)), DIM))
    for part in (body, _footer(judgement, width)):
        lines += [Text(""), *part] if part else []
    print_lines(lines, console)


def _header(judgement: Judgement, width: int) -> list[Text]:
    source = judgement.source
    if source.get("bodies", 1) > 1:
        source = source | {"format": f"{source['format']} · {counted(source['bodies'], 'body', 'bodies')}"}
    return header(Report(judgement.version, source=source, target=judgement.target), width)


# ------------------------------------------------------------------------------------------------ body


def _runs(problems: Sequence[Problem]) -> list[list[Problem]]:
    """Put together what one rule found, errors first, else in the order of the body."""
    runs: dict[tuple[Severity, str], list[Problem]] = {}
    for problem in problems:
        runs.setdefault((problem.severity, problem.rule), []).append(problem)
    ranks = list(PROBLEM_SIGNS)
    return sorted(runs.values(), key=lambda run: ranks.index(run[0].severity))


def _body(problems: Sequence[Problem], width: int) -> list[Text]:
    """Show all problems if there is room, else the first ones of each rule, and how many more there are."""
    runs = _runs(problems)
    lines: list[Text] = []
    for most in _STEPS:
        if most > 1 and sum(min(len(run), most) for run in runs) > MOST_LINES:
            continue
        # Folding a single one away would save nothing.
        kept = [len(run) if len(run) <= most + 1 else most for run in runs]
        shown = {id(problem) for run, keep in zip(runs, kept, strict=True) for problem in run[:keep]}
        lines = _groups([problem for problem in problems if id(problem) in shown], width)
        folded = [_fold(run[keep:], width) for run, keep in zip(runs, kept, strict=True) if keep < len(run)]
        if folded:
            lines += [Text(""), *folded]
        if len(lines) <= MOST_LINES:
            return lines
    left = len(lines) - MOST_LINES + 1
    return [
        *lines[: MOST_LINES - 1],
        Text(f"{INDENT}… {counted(left, 'more line')} of problems in the JSON report", DIM),
    ]


def _groups(problems: Sequence[Problem], width: int) -> list[Text]:
    lines: list[Text] = []
    for heading, group in groupby(problems, key=_owner):
        if lines:
            lines.append(Text(""))
        lines.append(Text(INDENT).append(cut(heading, width - len(INDENT)), "bold"))
        for problem in group:
            lines += _problem(problem, width)
    return lines


def _owner(problem: Problem) -> str:
    """Name what a problem is about: a message, else the request; of a data set the line, too."""
    line, colon, _ = (problem.pointer or "").partition(":")
    where = f"line {int(line):,}" if colon and line.isdecimal() else ""
    what = f"#{problem.message:,}" if problem.message is not None else "the request"
    return f"{where}{GAP}{what}" if where else what


def _problem(problem: Problem, width: int) -> list[Text]:
    """Draw one problem: what, then where with an excerpt and the rule, then what the api would answer."""
    head = Text(INDENT).append(*severity_mark(problem.severity))
    room = width - head.cell_len
    indent = " " * head.cell_len
    style = PROBLEM_STYLES[problem.severity]
    first, *rest = wrapped(problem.what[: 12 * width], room)[:_MOST_WRAPPED]
    lines = [head.append(first, style), *(Text(indent).append(part, style) for part in rest)]
    rule = Text(plain(problem.rule), ACCENT)
    place = Text(indent).append(cut(_place(problem), max(room - rule.cell_len - len(GAP), 0)), DIM)
    beside = width - place.cell_len - rule.cell_len - 2 * len(GAP)
    excerpt = problem.excerpt or ""
    if excerpt and beside >= min(len(excerpt), _NARROWEST_EXCERPT):
        place.append(GAP).append(cut(excerpt, beside))
        excerpt = ""
    lines.append(row(place, rule, width))
    if excerpt:
        lines.append(Text(indent).append(cut(excerpt, room)))
    if problem.says:
        lines += [
            Text(indent).append(part, DIM)
            for part in wrapped(f"it would say: {problem.says}"[: 12 * width], room)[:_MOST_WRAPPED]
        ]
    return lines


_NARROWEST_EXCERPT = 20


def _place(problem: Problem) -> str:
    return "the whole body" if problem.pointer == "" else problem.pointer or ""


def _fold(rest: Sequence[Problem], width: int) -> Text:
    left = Text(INDENT).append(*severity_mark(rest[0].severity))
    left.append(f"… {len(rest):,} more", PROBLEM_STYLES[rest[0].severity])
    rule = Text(plain(rest[0].rule), ACCENT)
    where = f"{_place(rest[0])} to {_place(rest[-1])}" if len(rest) > 1 else _place(rest[0])
    left.append(GAP).append(cut(where, width - left.cell_len - rule.cell_len - 2 * len(GAP)), DIM)
    return row(left, rule, width)


# ---------------------------------------------------------------------------------------------- footer


def _footer(judgement: Judgement, width: int) -> list[Text]:
    counts = Counter(problem.severity for problem in judgement.problems)
    pieces = [
        Text(f"{PROBLEM_SIGNS[severity]} ", PROBLEM_STYLES[severity]).append(counted(counts[severity], severity))
        for severity in PROBLEM_SIGNS
        if counts[severity]
    ]
    verdict, style = _verdict(judgement)
    lines = [Text(part, style) for part in wrapped(verdict, width - len(INDENT))]
    return [*(flowing(pieces, Text(GAP + " "), width) if pieces else []), *flowing(lines, Text(" "), width)]


def _verdict(judgement: Judgement) -> tuple[str, str]:
    name = target_name(Report(judgement.version, target=judgement.target))
    if judgement.is_refused:
        return f"would be refused by {name}", "bold red"
    if any(problem.severity == "warning" for problem in judgement.problems):
        return f"accepted by {name}, with doubts", "bold yellow"
    return f"accepted by {name}", "bold green"
