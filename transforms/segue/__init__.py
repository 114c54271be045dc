"""Fit a recorded conversation to another model, and know what it cost.

from segue import Options, convert
outcome = convert(data, Options(model="openai/gpt-5.2", to="request"))
outcome.output, outcome.report.as_json()
"""

from importlib import import_module
from typing import TYPE_CHECKING

from segue.__about__ import __version__

if TYPE_CHECKING:
    from segue.changes import Change, Problem, Report
    from segue.errors import RefusedByTarget, SegueError, UnreadableSource, UnwritableOutput, UsageError
    from segue.fitting import fit, normalize, transform
    from segue.linting import Judgement, lint
    from segue.model import History, Message, Origin, Session, Transcript
    from segue.options import Options
    from segue.passes import Policy
    from segue.pipeline import Outcome, check, convert
    from segue.reading.transcripts import read
    from segue.targets import Target, resolve

__all__ = [
    "Change",
    "History",
    "Judgement",
    "Message",
    "Options",
    "Origin",
    "Outcome",
    "Policy",
    "Problem",
    "RefusedByTarget",
    "Report",
    "SegueError",
    "Session",
    "Target",
    "Transcript",
    "UnreadableSource",
    "UnwritableOutput",
    "UsageError",
    "__version__",
    "check",
    "convert",
    "fit",
    "lint",
    "normalize",
    "read",
    "resolve",
    "transform",
]

# Each name is imported when it is asked for: who wants one of them, or only the version, need not wait for all.
_HOMES = {
    "changes": ("Change", "Problem", "Report"),
    "errors": ("RefusedByTarget", "SegueError", "UnreadableSource", "UnwritableOutput", "UsageError"),
    "fitting": ("fit", "normalize", "transform"),
    "linting": ("Judgement", "lint"),
    "model": ("History", "Message", "Origin", "Session", "Transcript"),
    "options": ("Options",),
    "passes": ("Policy",),
    "pipeline": ("Outcome", "check", "convert"),
    "reading.transcripts": ("read",),
    "targets": ("Target", "resolve"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"segue.{home}"), name)
    raise AttributeError(f"module 'segue' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
