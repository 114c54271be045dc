"""What came out of it, in words."""

from __future__ import annotations

from segue.changes import Problem, Report
from segue_cli.view.plain import plain

_LONGEST_REASON = 240


def verdict(report: Report) -> str:
    """Say in one line whether the target takes the history, how much of its window it fills, and what it cost.

    `accepted by openai/gpt-5.2 · about 51,200 of 400,000 tokens · with loss`
    """
    return " · ".join(verdict_parts(report))


def verdict_parts(report: Report) -> list[str]:
    """Give the parts of the verdict: acceptance, window, cost."""
    errors = [problem for problem in report.problems if problem.severity == "error"]
    fits = report.fit.get("fits") is not False
    if errors or (fits and report.exit == 4):
        parts = [_refused(report, errors)]
        if not fits:
            parts.append(f"does not fit: {_tokens(report)}")
        return parts
    if not fits:
        parts = [f"does not fit {target_name(report)}: {_tokens(report)}"]
    else:
        parts = [f"accepted by {target_name(report)}"]
        if report.fit.get("tokens") is not None:
            parts.append(_tokens(report))
    parts.append(_cost(report))
    return parts


def target_name(report: Report) -> str:
    """Give the target's name as the user typed it; a bare api stands for itself."""
    named = [report.target.get("provider"), report.target.get("model")]
    return plain("/".join(str(part) for part in named if part) or str(report.target.get("api") or "the target"))


def _refused(report: Report, errors: list[Problem]) -> str:
    text = f"would be refused by {target_name(report)}"
    if errors:
        text += f": {plain(errors[0].what[:_LONGEST_REASON])}"
    if len(errors) > 1:
        text += f", and {len(errors) - 1:,} more"
    return text


def _tokens(report: Report) -> str:
    tokens, window = report.fit.get("tokens"), report.fit.get("context_window")
    about = "about " if report.fit.get("method", "estimate") == "estimate" else ""
    if tokens is None:
        return f"window {window:,}" if window else "more tokens than its window"
    if window is None:
        return f"{about}{tokens:,} tokens"
    if report.fit.get("fits") is False:
        return f"{about}{tokens:,} tokens, window {window:,}"
    return f"{about}{tokens:,} of {window:,} tokens"


def _cost(report: Report) -> str:
    if report.loses:
        return "with loss"
    return "nothing lost" if report.changes else "nothing changed"
