"""The walk of a transcript: read → fit → write → lint. `convert` is all four.

bytes → records (lines with their numbers) → a format's reader (messages) → the rules, in order, for one target
→ a format's writer → bytes; a request body is then read once more by the api's own lint.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from segue import __about__, tokens
from segue.changes import Change, Problem, Report
from segue.errors import RefusedByTarget, UnreadableSource, UsageError
from segue.fitting import fit
from segue.formats import Format
from segue.formats._types import Subagent
from segue.model import Origin, Transcript
from segue.options import Options, output_format, policy_of, read_options, same_target, with_authors, with_given
from segue.passes import Policy
from segue.reading.transcripts import Reading, read
from segue.request_body import (
    as_body,
    judged,
    other_tongue,
    settings_left,
    with_binding,
    with_effort,
    with_renamed_choice,
    with_thinking_off,
    with_tools,
)
from segue.subagent_files import Written, separated
from segue.subagents import Taken, with_subagents
from segue.targets import Target, resolve
from segue.targets.catalogue import plain_name, siblings_like


@dataclass(slots=True)
class Outcome:
    """What a run made: the bytes of the result, with its final newline, the report, and the subagents' own files."""

    output: bytes
    report: Report
    format: Format
    refused: bool = False
    subagents: list[Written] = field(default_factory=list)


def convert(data: bytes, options: Options, path: str | None = None) -> Outcome:
    """Fit a transcript to a model and write it: the whole walk, from bytes to bytes.

    Raises UnreadableSource, UsageError, and RefusedByTarget (with the report as its `report`) for a request body that
    the target would refuse, unless `options.force`.
    """
    return _walk(data, options, path, writes=True)


def _convert_run(data: bytes, options: Options, path: str) -> tuple[bytes, Report]:
    outcome = convert(data, options, path)
    return outcome.output, outcome.report


def check(data: bytes, options: Options, path: str | None = None) -> Report:
    """Tell what converting would cost: the same walk, and nothing comes out. The report's exit code is the verdict."""
    outcome = _walk(data, options, path, writes=False)
    report = outcome.report
    overflows = report.fit.get("fits") is False
    report.exit = 4 if outcome.refused or overflows else 1 if report.loses else 0
    return report


# ------------------------------------------------------------------------------------------------ walk


@dataclass(slots=True)
class _Account:
    """What is counted over all conversations of a source."""

    messages: int = 0
    written: int = 0
    tokens: int = 0
    largest: int = 0
    sessions: list[str] = field(default_factory=list)
    authors: dict[Origin, int] = field(default_factory=dict)
    outputs: list[bytes] = field(default_factory=list)
    refused: bool = False
    runs: list[Subagent] = field(default_factory=list)

    def count(self, source: Transcript, fitted: Transcript) -> None:
        estimate = tokens.estimate(fitted)
        self.messages += sum(1 for m in source.source.messages if "compaction-boundary" not in m.marks)
        self.written += len(fitted.messages)
        self.tokens += estimate
        self.largest = max(self.largest, estimate)
        if source.session.id:
            self.sessions.append(source.session.id)
        for message in source.source.messages:
            if message.role == "assistant" and message.origin is not None and "api-error" not in message.marks:
                self.authors[message.origin] = self.authors.get(message.origin, 0) + 1


class _Left(NamedTuple):
    """What is still to know of a conversation when it was written and let go."""

    policy: Policy
    is_empty: bool
    open_end: int | None
    near_misses: list[Problem]


def _walk(data: bytes, options: Options, path: str | None, writes: bool) -> Outcome:
    is_named = options.model not in (None, "same")
    target = resolve(options.model or "", options.api, models=options.models) if is_named else None
    reading = read(data, options.source_format, read_options(options))
    report = Report(__about__.__version__)
    account = _Account()
    to: Format | None = None
    for transcript, changes in reading.transcripts:
        if target is None:
            target = same_target(transcript, reading.format, options)
        if to is None:
            to = output_format(options, reading.format, target)
        taken = with_subagents(transcript, changes, reading.format, options)
        transcript = taken.transcript
        account.runs.extend(taken.separate)
        report.problems.extend(taken.problems)
        report.changes.extend(c for c in taken.changes if c.rule != "final-newline" or to is reading.format)
        if to is reading.format and to.api and any(change.rule == "unknown-role" for change in changes):
            transcript = replace(
                transcript, reshaped=True
            )  # what its reader left out is not to come back with the bytes
        output, left = _convert_one(transcript, reading.format, to, target, options, report, account, taken)
        del transcript, taken  # before its output is parsed once more: each may be large
        _judge(output, left, target, report, account)
    if target is None or to is None or not account.messages:
        raise UnreadableSource("no message in it")
    if len(account.outputs) > 1 and to.api is None and to.session:
        count = len(account.outputs)
        raise UsageError(f"a data set of {count:,} conversations cannot be one {to.name} file")
    written: list[Written] = []
    if writes and account.runs:
        written, of_runs, problems = separated(account.runs, options, to, reading.format, _convert_run)
        report.changes.extend(of_runs)
        report.problems.extend(problems)
    _describe(report, reading, to, target, account, path)
    outcome = Outcome(b"\n".join((*account.outputs, b"")), report, to, account.refused, written)
    if account.refused:
        report.exit = 4
        if writes and not options.force:
            raise _refusal(report, target)
        if writes:
            report.exit = 0
    return outcome


def _convert_one(
    transcript: Transcript,
    source: Format,
    to: Format,
    target: Target,
    options: Options,
    report: Report,
    account: _Account,
    taken: Taken,
) -> tuple[bytes, _Left]:
    """Fit one conversation and write it."""
    transcript = with_given(with_authors(transcript, source, target, options), options)
    policy = taken.policy(policy_of(options, source, to, target, transcript))
    report.problems.extend(settings_left(transcript, source, to))
    if policy.as_request:
        transcript, of_body = as_body(transcript, target, policy, asked=options.to is not None)
        report.changes.extend(of_body)
    fitted, of_fit = fit(transcript, target, policy, taken.changed_from)
    report.changes.extend(of_fit)
    if policy.as_request:
        fitted = with_renamed_choice(transcript, fitted, policy)
        fitted, of_tools = with_tools(fitted, target)
        fitted, of_binding = with_binding(fitted, target, policy)
        fitted, of_effort = with_effort(fitted, target, policy)
        fitted, of_thinking = with_thinking_off(fitted, target, policy)
        report.problems.extend(of_tools + of_binding + of_effort + of_thinking)
    pieces: list[bytes] = []
    for piece in to.write(fitted, target):
        if isinstance(piece, Change):
            report.changes.append(piece)
        else:
            pieces.append(piece)
    output = pieces[0] if len(pieces) == 1 else b"".join(pieces)
    account.outputs.append(output)
    account.count(transcript, fitted)
    near_misses = list(_near_misses(transcript, target, of_fit))
    left_policy = replace(policy, answer_of=None)  # which holds on to the transcript
    return output, _Left(left_policy, not fitted.messages, _open_end(fitted), near_misses)


def _judge(output: bytes, left: _Left, target: Target, report: Report, account: _Account) -> None:
    """Read once more what was written, as the target would."""
    problems = list(judged(output, left.open_end, target, left.policy))
    if left.is_empty and not left.policy.as_request and not (left.policy.keeps_records and output.strip()):
        problems.append(Problem("empty-history", "error", "nothing of the history is left that could be sent"))
    report.problems.extend(problems)
    report.problems.extend(left.near_misses)
    account.refused = account.refused or any(problem.severity == "error" for problem in problems)


def _open_end(transcript: Transcript) -> int | None:
    """Return the index of the assistant's turn that the history ends on, None when it ends otherwise."""
    messages = transcript.messages
    return len(messages) - 1 if messages and messages[-1].role == "assistant" else None


def _describe(
    report: Report, reading: Reading, to: Format, target: Target, account: _Account, path: str | None
) -> None:
    """Fill in what the report says of source, target, output and fit."""
    report.problems.extend(other_tongue(to, target))
    if not target.known:
        near = f"the rules of {target.api} and its nearest family count"
        what = f"the catalogue does not know {target.name!r}: {near}{siblings_like(target)}"
        report.problems.append(Problem("unknown-model", "warning", what))
    report.changes.sort(key=_source_order)
    report.source = {
        "path": path,
        "format": reading.format.name,
        "session": account.sessions[0] if len(account.sessions) == 1 else None,
        "messages": account.messages,
        "models": [
            {"provider": o.provider, "api": o.api, "model": o.model, "turns": turns}
            for o, turns in account.authors.items()
        ],
    }
    report.target = {"provider": target.provider, "api": target.api, "model": target.model}
    report.output = {"format": to.name, "messages": account.written}
    report.fit = tokens.fit_of(account.tokens, account.largest, target)
    if report.fit["fits"] is False:
        what = f"does not fit: about {report.fit['tokens']:,} tokens, window {target.context_window:,}"
        report.problems.append(Problem("context-window", "warning", what))


def _refusal(report: Report, target: Target) -> RefusedByTarget:
    first = next(problem for problem in report.problems if problem.severity == "error")
    error = RefusedByTarget(f"{target.name} would refuse the result: {first.what}; --force writes it anyway")
    error.report = report
    return error


def _near_misses(transcript: Transcript, target: Target, changes: list[Change]) -> Iterator[Problem]:
    """Point out that naming the recorded model would keep thinking which a near name costs."""
    lost = sum(change.rule in ("foreign-thinking", "redacted-thinking", "blank-thinking") for change in changes)
    if not lost:
        return
    recorded = {message.origin for message in transcript.messages if message.role == "assistant" and message.origin}
    for origin in sorted(recorded):
        if target.wrote(origin) or plain_name(origin.model) != plain_name(target.model):
            continue
        keep = f"-m {origin.provider}/{origin.model}"
        who = f"{origin.provider}/{origin.model} wrote turns here, which is not {target.name}"
        what = f"{who}: {keep} or -m same keeps its thinking"
        yield Problem("near-miss", "note", what)


def _source_order(change: Change) -> tuple[bool, int, int]:
    return (change.kind != "hidden", change.message if change.message is not None else -1, change.block or 0)
