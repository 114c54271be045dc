"""The walk of a transcript: read → fit → write → lint. `convert` is all four.

    bytes → records (lines with their numbers) → a format's reader (messages) → the rules, in order, for one target
    → a format's writer → bytes; a request body is then read once more by the api's own lint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from segue import __about__, apis, passes, records, tokens
from segue.changes import Change, Problem, Report, dropped, shortened
from segue.errors import RefusedByTarget, UnreadableSource, UsageError
from segue.formats import SAMPLE_SIZE, Format, ReadOptions, format_named, recognised, request_format
from segue.model import History, Message, Origin, Record, Session, Source, Text, Tool, ToolCall, Transcript
from segue.passes import Policy
from segue.targets import Target, resolve


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is told. Names are those of the command's options."""

    model: str | None = None
    api: str | None = None
    source_format: str | None = None
    to: str | None = None
    source_model: str | None = None
    thinking: Any = "auto"
    orphan_results: Any = "auto"
    system: str | None = None
    tools: tuple[Tool, ...] | None = None
    prompt: str | None = None
    leaf: str | None = None
    force: bool = False


@dataclass(slots=True)
class Outcome:
    """What a run made: the bytes of the result, with its final newline, and the report."""

    output: bytes
    report: Report
    format: Format
    refused: bool = False


# ------------------------------------------------------------------------------------------------ read


@dataclass(slots=True)
class Reading:
    """A source that was recognised: its format, and its transcripts one after another."""

    format: Format
    data: bytes
    transcripts: Iterator[tuple[Transcript, list[Change]]]
    models: dict[Origin, int] = field(default_factory=dict)


def read(data: bytes, source_format: str | None = None, options: ReadOptions | None = None) -> Reading:
    """Recognise a source and read it, one transcript at a time.

    Raises UnreadableSource when nothing in it can be used, UsageError for an unknown format.
    """
    stream = records.read_source(data)
    wanted = format_named(source_format) if source_format else None
    head: list[Record | Change] = []
    values: list[object] = []
    walk = iter(stream)
    for item in walk:
        head.append(item)
        if isinstance(item, Record):
            values.append(item.value)
            if len(values) == SAMPLE_SIZE:
                break
    if not values:
        raise UnreadableSource("no JSON in it")
    known = wanted or recognised(values, stream.layout == "document")
    if known is None:
        raise UnreadableSource("not a transcript of a format that segue knows; -f names the format if it is one")
    items = chain(stream.changes, head, walk)
    return Reading(known, stream.data, _transcripts(known, items, stream.data, options or ReadOptions()))


def _transcripts(
    known: Format, items: Iterable[Record | Change], data: bytes, options: ReadOptions
) -> Iterator[tuple[Transcript, list[Change]]]:
    aside: list[Change] = []  # what reading the bytes found, between the reader's own yields

    def only_records() -> Iterator[Record]:
        for item in items:
            if isinstance(item, Record):
                yield item
            else:
                aside.append(item)

    session: Session | None = None
    kept: list[Record] = []
    messages: list[Message] = []
    changes: list[Change] = []
    for item in known.read(only_records(), options):
        kind = type(item)
        if kind is Message:
            messages.append(item)  # type: ignore[arg-type]
        elif kind is Record:
            kept.append(item)  # type: ignore[arg-type]
        elif kind is Change:
            changes.append(item)  # type: ignore[arg-type]
        else:
            if session is not None:
                last = kept.pop() if kept and kept[-1].number == item.record else None  # type: ignore[union-attr]
                yield _transcript(session, messages, kept, data), aside + changes
                aside.clear()
                changes = []
                if last:
                    kept.append(last)
            session = item  # type: ignore[assignment]
    if session is None:
        raise UnreadableSource(f"nothing usable in it as {known.name}")
    yield _transcript(session, messages, kept, data), aside + changes


def _transcript(session: Session, messages: list[Message], kept: list[Record], data: bytes) -> Transcript:
    """Make a transcript of what was collected, and empty the lists: who lets go of it shall free its memory."""
    source = Source(data, tuple(kept), tuple(messages))
    kept.clear()
    messages.clear()
    return Transcript(session, source.messages, source, session.system, session.tools)


# ------------------------------------------------------------------------------------------------- fit


def normalize(transcript: Transcript, policy: Policy | None = None) -> tuple[Transcript, list[Change]]:
    """Put in order what the recorder left, for any target."""
    anyone = Target("", "", "")
    return _run(transcript, anyone, policy or Policy(), passes.NORMALIZE)


def transform(transcript: Transcript, target: Target, policy: Policy | None = None) -> tuple[Transcript, list[Change]]:
    """Fit a history in good order to one target."""
    return _run(transcript, target, policy or Policy(), passes.TRANSFORM)


def fit(transcript: Transcript, target: Target, policy: Policy | None = None) -> tuple[Transcript, list[Change]]:
    """Fit a transcript to a target: normalize and transform, to a fixed point."""
    return _run(transcript, target, policy or Policy(), passes.ORDER)


def _run(transcript: Transcript, target: Target, policy: Policy, rules: Any) -> tuple[Transcript, list[Change]]:
    prefix_known = transcript.session.prefix_known
    before = History(transcript.messages, transcript.system, transcript.tools, prefix_known)
    after, changes = passes.run_rules(before, target, policy, rules)
    if after is before:
        return transcript, changes
    hidden = transcript.hidden.union(*(change.hides for change in changes))
    return (
        replace(transcript, messages=after.messages, system=after.system, tools=after.tools, hidden=hidden),
        changes,
    )


# --------------------------------------------------------------------------------------------- convert


def convert(data: bytes, options: Options, path: str | None = None) -> Outcome:
    """Fit a transcript to a model and write it: the whole walk, from bytes to bytes.

    Raises UnreadableSource, UsageError, and RefusedByTarget (with the report as its `report`) for a request body that
    the target would refuse, unless `options.force`.
    """
    return _walk(data, options, path, writes=True)


def check(data: bytes, options: Options, path: str | None = None) -> Report:
    """Tell what converting would cost: the same walk, and nothing comes out. The report's exit code is the verdict."""
    outcome = _walk(data, options, path, writes=False)
    report = outcome.report
    overflows = report.fit.get("fits") is False
    report.exit = 4 if outcome.refused or overflows else 1 if report.loses else 0
    return report


def _walk(data: bytes, options: Options, path: str | None, writes: bool) -> Outcome:
    target_or_same = None if options.model in (None, "same") else resolve(options.model or "", options.api)
    reading = read(data, options.source_format, _read_options(options, target_or_same))
    target: Target | None = target_or_same
    report = Report(__about__.__version__)
    to: Format | None = None
    outputs: list[bytes] = []
    counted = {"messages": 0, "output": 0, "tokens": 0, "largest": 0}
    sessions: list[str] = []
    authors: dict[Origin, int] = {}
    refused = False
    for transcript, changes in reading.transcripts:
        if target is None:
            target = _same(transcript, reading.format, options)
        if to is None:
            to = _output_format(options, reading.format, target)
        report.changes.extend(c for c in changes if c.rule != "final-newline" or to is reading.format)
        transcript = _with_given(_owned(transcript, reading.format, target, options), options)
        policy = _policy(options, reading.format, to, target, transcript)
        if policy.as_request:
            transcript, of_body = _as_body(transcript, target, policy)
            report.changes.extend(of_body)
        fitted, of_fit = fit(transcript, target, policy)
        report.changes.extend(of_fit)
        if policy.as_request:
            fitted, notes = _with_tools(fitted, target)
            report.problems.extend(notes)
        pieces: list[bytes] = []
        for piece in to.write(fitted, target):
            if isinstance(piece, Change):
                report.changes.append(piece)
            else:
                pieces.append(piece)
        output = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        outputs.append(output)
        near = list(_near_miss(transcript, target, of_fit))
        estimate = tokens.estimate(fitted)
        counted["messages"] += sum(1 for m in transcript.source.messages if "compaction-boundary" not in m.marks)
        counted["output"] += len(fitted.messages)
        counted["tokens"] += estimate
        counted["largest"] = max(counted["largest"], estimate)
        if transcript.session.id:
            sessions.append(transcript.session.id)
        _count_authors(transcript, authors)
        open_end = _open_end(fitted)
        del transcript, fitted, pieces  # before the output is parsed once more: each of them may be large
        problems = list(_judged(output, open_end, target, policy))
        report.problems.extend(problems)
        report.problems.extend(near)
        refused = refused or any(problem.severity == "error" for problem in problems)
    assert target is not None
    assert to is not None
    if not counted["messages"]:
        raise UnreadableSource("no message in it")
    _refuse_many(outputs, to)
    report.problems.extend(_other_tongue(to, target))
    if not target.known:
        near = "the rules of its api and nearest family count"
        what = f"the catalogue does not know {target.name!r}: {near}"
        report.problems.append(Problem("unknown-model", "warning", what))
    report.changes.sort(key=_source_order)
    report.source = {
        "path": path,
        "format": reading.format.name,
        "session": sessions[0] if len(sessions) == 1 else None,
        "messages": counted["messages"],
        "models": [
            {"provider": o.provider, "api": o.api, "model": o.model, "turns": turns} for o, turns in authors.items()
        ],
    }
    report.target = {"provider": target.provider, "api": target.api, "model": target.model}
    report.output = {"format": to.name, "messages": counted["output"]}
    report.fit = tokens.fit_of(counted["tokens"], counted["largest"], target)
    if report.fit["fits"] is False:
        what = f"does not fit: about {report.fit['tokens']:,} tokens, window {target.context_window:,}"
        report.problems.append(Problem("context-window", "warning", what))
    outcome = Outcome(b"\n".join((*outputs, b"")), report, to, refused)
    if refused:
        report.exit = 4
        if writes and not options.force:
            first = next(problem for problem in report.problems if problem.severity == "error")
            error = RefusedByTarget(f"{target.name} would refuse the result: {first.what}; --force writes it anyway")
            error.report = report
            raise error
        if writes:
            report.exit = 0
    return outcome


def _count_authors(transcript: Transcript, authors: dict[Origin, int]) -> None:
    """Count the turns that each model wrote."""
    for message in transcript.source.messages:
        if message.role == "assistant" and message.origin is not None and "api-error" not in message.marks:
            authors[message.origin] = authors.get(message.origin, 0) + 1


def _open_end(transcript: Transcript) -> int | None:
    """Return the index of the assistant's turn that the history ends on, None when it ends otherwise."""
    messages = transcript.messages
    return len(messages) - 1 if messages and messages[-1].role == "assistant" else None


def _read_options(options: Options, target: Target | None) -> ReadOptions:
    given = _source_origin(options.source_model) if options.source_model else None
    return ReadOptions(origin=lambda model: given, leaf=options.leaf)


def _source_origin(name: str) -> Origin:
    return resolve(name, lenient=True).origin


def _same(transcript: Transcript, source: Format, options: Options) -> Target:
    """Find the model that the session itself used last."""
    if options.source_model:
        return resolve(options.source_model, options.api, lenient=True)
    for message in reversed(transcript.messages):
        if message.role == "assistant" and message.origin is not None and "api-error" not in message.marks:
            provider, api, model = message.origin
            return replace(resolve(f"{provider}/{model}", options.api or api, lenient=True), api=options.api or api)
    if source.api and source.provider and transcript.session.model:
        return resolve(f"{source.provider}/{transcript.session.model}", options.api or source.api, lenient=True)
    raise UsageError("no model is recorded that 'same' could mean; name it with --source-model PROVIDER/ID")


def _output_format(options: Options, source: Format, target: Target) -> Format:
    if options.to is None:
        return source
    if options.to == "request":
        return request_format(target.api)
    to = format_named(options.to)
    return to


def _owned(transcript: Transcript, source: Format, target: Target, options: Options) -> Transcript:
    """Say who wrote the turns of a request body: the target itself where api and model agree, else its own provider."""
    if source.api is None or not source.provider:
        return transcript
    model = transcript.session.model
    if options.source_model:
        origin: Origin | None = _source_origin(options.source_model)
    elif model and model == target.model and request_format(target.api) is source:
        origin = target.origin
    elif model:
        origin = Origin(source.provider, source.api, model)
    else:
        origin = None
    if origin is None:
        return transcript
    messages = tuple(
        replace(message, origin=origin) if message.role == "assistant" and message.origin is None else message
        for message in transcript.messages
    )
    return replace(transcript, messages=messages, source=replace(transcript.source, messages=messages))


def _with_given(transcript: Transcript, options: Options) -> Transcript:
    """Lay the user's system prompt, tools and prompt over the source's."""
    if options.system is not None:
        head = 0
        while head < len(transcript.messages) and transcript.messages[head].role == "system":
            head += 1
        messages = transcript.messages[head:]
        transcript = replace(transcript, system=(Text(options.system),), messages=messages)
    if options.tools is not None:
        transcript = replace(transcript, tools=options.tools)
    if options.prompt is not None:
        last = transcript.messages[-1] if transcript.messages else None
        prompt = Message("user", (Text(options.prompt),), time=last.time if last else None, touched=True)
        transcript = replace(transcript, messages=(*transcript.messages, prompt))
    return transcript


def _policy(options: Options, source: Format, to: Format, target: Target, transcript: Transcript) -> Policy:
    speaks_it = to.api is not None and request_format(target.api) is to
    keeps_list = options.to is None and to is source and transcript.session.container != "body"
    return Policy(
        thinking=options.thinking,
        orphan_results=options.orphan_results,
        keeps_records=to is source and to.api is None,
        as_request=speaks_it and not keeps_list,
        same_format=to is source,
    )


def _as_body(transcript: Transcript, target: Target, policy: Policy) -> tuple[Transcript, list[Change]]:
    """Make what surrounds the messages a request body: a bare list gets one, unknown keys of an object go."""
    session = transcript.session
    if not policy.same_format:
        return transcript, []
    if session.container != "body":
        return replace(transcript, session=replace(session, container="body", raw={"model": target.model}), reshaped=True), []
    stray = [key for key in session.raw or {} if target.request_keys and key not in target.request_keys]
    if not stray or session.raw is None:
        return transcript, []
    what = "dropped an unknown key {!r} of the request"
    changes = [dropped("stray-key", what.format(key), before=shortened(str(session.raw[key]))) for key in stray]
    raw = {key: value for key, value in session.raw.items() if key not in stray}
    return replace(transcript, session=replace(session, raw=raw), reshaped=True), changes


def _with_tools(transcript: Transcript, target: Target) -> tuple[Transcript, list[Problem]]:
    """Declare stubs for tools that the history calls and nobody declared, where the target demands declarations."""
    if not target.declares_tools:
        return transcript, []
    declared = {tool.name for tool in transcript.tools}
    called = dict.fromkeys(
        block.name for message in transcript.messages for block in message.blocks if type(block) is ToolCall
    )
    missing = [name for name in called if name not in declared]
    if not missing or (transcript.tools and transcript.session.tools == transcript.tools and declared):
        return transcript, []
    stubs = tuple(Tool(name, stub=True) for name in missing)
    listed = ", ".join(missing[:8]) + (f" and {len(missing) - 8} more" if len(missing) > 8 else "")
    what = f"declared {len(missing)} tool{'s' if len(missing) > 1 else ''} as stubs ({listed}): --tools gives the real ones"
    return replace(transcript, tools=transcript.tools + stubs), [Problem("undeclared-tool", "note", what)]


def _other_tongue(to: Format, target: Target) -> list[Problem]:
    """Point out a request body of an api that the target is not spoken to by: only a gateway can translate it."""
    if to.api is None or request_format(target.api) is to:
        return []
    what = f"{to.name} is not what {target.name} itself is spoken to by ({target.api}): only a gateway takes this"
    return [Problem("other-api", "warning", what)]


def _judged(output: bytes, open_end: int | None, target: Target, policy: Policy) -> Iterator[Problem]:
    """Read a request body once more as its api would; for other formats only look at the end."""
    if policy.as_request:
        body = records.parse(output)
        if policy.same_format and isinstance(body, dict) and "messages" in body and "model" not in body:
            body = {"model": target.model, **body}  # a line of a data set names no model: whoever sends it does
        for problem in apis.lint(body, target):
            if problem.rule != "ends-on-assistant":
                yield problem
    if open_end is not None and not target.prefill:
        what = "the history ends on the assistant: the target needs a user turn next; --prompt adds it"
        yield Problem("awaits-prompt", "note", what, message=open_end)


def _near_miss(transcript: Transcript, target: Target, changes: list[Change]) -> Iterator[Problem]:
    """Point out that naming the recorded model would keep thinking which a near name costs."""
    lost = sum(change.rule in ("foreign-thinking", "redacted-thinking", "blank-thinking") for change in changes)
    if not lost:
        return
    recorded = {message.origin for message in transcript.messages if message.role == "assistant" and message.origin}
    for origin in sorted(recorded):
        if target.wrote(origin) or not _is_near(origin.model, target.model):
            continue
        keep = f"-m {origin.provider}/{origin.model}"
        what = f"{origin.provider}/{origin.model} wrote turns here, which is not {target.name}: {keep} or -m same keeps its thinking"
        yield Problem("near-miss", "note", what)


def _is_near(recorded: str, wanted: str) -> bool:
    from segue.targets.catalogue import plain_name

    return plain_name(recorded) == plain_name(wanted)


def _refuse_many(outputs: list[bytes], to: Format) -> None:
    if len(outputs) > 1 and to.api is None and to.name not in ("pi-messages",):
        raise UsageError(f"a data set of {len(outputs):,} conversations cannot be one {to.name} file")


def _source_order(change: Change) -> tuple[bool, int, int]:
    return (change.kind != "hidden", change.message if change.message is not None else -1, change.block or 0)

