"""Run the rules over a transcript: normalize, transform, and both, to a fixed point."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

from segue import passes
from segue.changes import Change
from segue.model import History, Transcript
from segue.passes import Policy
from segue.targets import Target


def normalize(transcript: Transcript, policy: Policy | None = None) -> tuple[Transcript, list[Change]]:
    """Put in order what the recorder left, for any target."""
    anyone = Target("", "", "")
    return _run(transcript, anyone, policy or Policy(), passes.NORMALIZE)


def transform(transcript: Transcript, target: Target, policy: Policy | None = None) -> tuple[Transcript, list[Change]]:
    """Fit a history in good order to one target."""
    return _run(transcript, target, policy or Policy(), passes.TRANSFORM)


def fit(
    transcript: Transcript, target: Target, policy: Policy | None = None, changed_from: tuple[int, int] | None = None
) -> tuple[Transcript, list[Change]]:
    """Fit a transcript to a target: normalize and transform, to a fixed point.

    `changed_from` is where the history was changed before any rule saw it, as in History.
    """
    return _run(transcript, target, policy or Policy(), passes.ORDER, changed_from)


def _run(
    transcript: Transcript,
    target: Target,
    policy: Policy,
    rules: tuple[ModuleType, ...],
    changed_from: tuple[int, int] | None = None,
) -> tuple[Transcript, list[Change]]:
    session = transcript.session
    is_own_prefix = (transcript.system, transcript.tools) == (session.system, session.tools)
    prefix_known = session.prefix_known and is_own_prefix
    before = History(
        transcript.messages, transcript.system, transcript.tools, prefix_known, changed_from, transcript.server_tools
    )
    after, changes = passes.run_rules(before, target, policy, rules)
    if after is before:
        return transcript, changes
    hidden = transcript.hidden.union(*(change.hides for change in changes))
    return (
        replace(transcript, messages=after.messages, system=after.system, tools=after.tools, hidden=hidden),
        changes,
    )
