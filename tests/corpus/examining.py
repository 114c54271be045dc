"""Convert one session to one target, and hold against the result what no judge of segue's own can see.

session ── convert ──> output ── convert again ──> the same?      invariants · prompts · lint
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field

from invariants import broken
from prompts import lost_prompts

from segue import Options, Outcome, Problem, Report, convert, lint
from segue.errors import RefusedByTarget, SegueError, UnreadableSource, UsageError

TARGETS: dict[str, Options] = {
    "same": Options("same"),
    "same-request": Options("same", to="request"),
    "opus-5-5": Options("anthropic/claude-opus-5-5", to="request"),
    "gpt-responses": Options("openai/gpt-5.2", to="request"),
    "gpt-chat": Options("openai/gpt-5.2", to="request", api="openai-completions"),
    "gemini": Options("google/gemini-3-flash-preview", to="request"),
    "bedrock": Options("amazon-bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0", to="request"),
}
NO_MODEL = "no model is recorded"
# Conversion takes it that the user's next turn follows, and says so; lint judges the body as it stands.
_OPEN_END = "ends-on-assistant"


@dataclass
class Examination:
    """What became of one session for one target. `excuse` says why it is rightly none: no session, no model."""

    report: Report | None = None
    excuse: str | None = None
    problems: list[Problem] = field(default_factory=list)
    crashed: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    unstable: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        return [*self.crashed, *self.refused, *self.broken, *self.unstable, *self.lost]


def examine(data: bytes, options: Options) -> Examination:
    """Convert a session and check the result."""
    found = Examination()
    try:
        outcome = convert(data, options)
    except RefusedByTarget as error:
        found.problems = error.report.problems
        found.refused = [f"refused: {p.rule}: {p.what}" for p in found.problems if p.severity == "error"]
        return found
    except (UnreadableSource, UsageError) as error:
        if isinstance(error, UsageError) and not str(error).startswith(NO_MODEL):
            found.crashed = [f"UsageError: {error}"]
        else:
            found.excuse = str(error)
        return found
    except Exception as error:
        found.crashed = [_crash(error)]
        return found
    found.report = outcome.report
    found.problems = outcome.report.problems
    is_session = options.to is None
    if is_session:
        found.refused = [f"error: {p.rule}: {p.what}" for p in found.problems if p.severity == "error"]
    else:
        found.broken = broken(outcome.output, outcome.report.target["api"])
        found.refused = _linted(outcome)
    found.unstable = _second_run(outcome, options)
    found.lost = lost_prompts(data, outcome.output, is_session)
    return found


def _linted(outcome: Outcome) -> list[str]:
    target = outcome.report.target
    judgement = lint(outcome.output, f"{target['provider']}/{target['model']}", target["api"])
    return [
        f"lint: {problem.rule}: {problem.what} ({problem.pointer})"
        for problem in judgement.problems
        if problem.severity == "error" and problem.rule != _OPEN_END
    ]


def _second_run(outcome: Outcome, options: Options) -> list[str]:
    try:
        again = convert(outcome.output, options)
    except SegueError as error:
        return [f"second run: {error}"]
    except Exception as error:
        return [f"second run: {_crash(error)}"]
    found = [
        f"second run: {change.kind} {change.rule}: {change.what}"
        for change in again.report.changes
        if change.kind != "hidden"
    ]
    if again.output != outcome.output:
        found.append("second run: other bytes")
    return found


def _crash(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {str(error)[:100]} ({frame.filename.rpartition('/')[2]}:{frame.lineno})"
