"""Subagents set apart: each run is converted as a session of its own, and gets the name of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from segue import records
from segue.changes import Change, Problem, Report, hidden
from segue.errors import SegueError
from segue.formats._types import Format, Subagent
from segue.options import Options
from segue.subagent_text import RULE, counted, named

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")

Convert: TypeAlias = "Callable[[bytes, Options, str], tuple[bytes, Report]]"


class Written(NamedTuple):
    """A run that was converted: the file's name below the output's folder, its bytes, and the report of its own."""

    name: str
    data: bytes
    report: Report | None = None


def separated(
    runs: Sequence[Subagent], options: Options, to: Format, source: Format, convert: Convert
) -> tuple[list[Written], list[Change], list[Problem]]:
    """Convert each run as a session of its own; one that cannot be converted is a problem and stops no other."""
    own = replace(
        options, subagents="omit", leaf=None, prompt=None, source_format=source.name, to=options.to and to.name
    )
    written: list[Written] = []
    changes: list[Change] = []
    problems: list[Problem] = []
    names: set[str] = set()
    for run in runs:
        try:
            output, report = convert(run.data, own, run.where)
        except SegueError as error:
            problems.append(Problem(RULE, "warning", f"{named(run)} ({run.where}) was not written: {error}"))
            continue
        name = _file_name(run.id, names)
        written.append(Written(f"{name}{to.extension}", output, report))
        if to.name == source.name and (meta := _meta(run)):
            written.append(Written(f"{name}.meta.json", records.dumps(meta) + b"\n"))
        count = report.source["messages"]
        cost = ", ".join(f"{number:,} {kind}" for kind, number in report.counts.items() if number)
        what = f"wrote {named(run)} ({run.where}, {counted(count)}) to {name + to.extension!r}"
        changes.append(hidden(RULE, what + (f": {cost}" if cost else ""), (), count=count))
        problems.extend(
            replace(problem, what=f"{named(run)}: {problem.what}", message=None, pointer=None, says=None)
            for problem in report.problems
            if problem.severity != "note"
        )
    return written, changes, problems


def _file_name(identity: str, names: set[str]) -> str:
    """Make a file's name of an id, which nobody vouches for; no two are the same, also where case does not count."""
    plain = "".join(character for character in identity if character in _NAME_CHARACTERS)[:100] or "unnamed"
    name, number = f"subagents/agent-{plain}", 1
    while name.casefold() in names:
        number += 1
        name = f"subagents/agent-{plain}-{number}"
    names.add(name.casefold())
    return name


def _meta(run: Subagent) -> dict[str, str]:
    known = {"agentType": run.kind, "description": run.description, "toolUseId": run.call_id}
    return {key: value for key, value in known.items() if value is not None}
