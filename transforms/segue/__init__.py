"""Fit a recorded conversation to another model, and know what it cost.

    from segue import Options, convert
    outcome = convert(data, Options(model="openai/gpt-5.2", to="request"))
    outcome.output, outcome.report.as_json()
"""

from segue.__about__ import __version__
from segue.changes import Change, Problem, Report
from segue.errors import RefusedByTarget, SegueError, UnreadableSource, UnwritableOutput, UsageError
from segue.model import History, Message, Origin, Session, Transcript
from segue.passes import Policy
from segue.pipeline import Options, Outcome, check, convert, fit, normalize, read, transform
from segue.targets import Target, resolve

__all__ = [
    "Change",
    "History",
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
    "normalize",
    "read",
    "resolve",
    "transform",
]
