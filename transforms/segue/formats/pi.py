"""Read and write `pi`: the sessions that pi records, JSON lines of versions 1 to 3.

A header, then entries that form a tree; the branch to the last entry is what pi resumes. `_pi_entries` finds it, and
what on it the model sees; `_pi_rewrite` writes a session over, `_pi_session` starts one for a history from elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from segue.changes import Change, synthesized
from segue.formats import _pi_branches, _pi_session
from segue.formats._pi import read_message, tools_after
from segue.formats._pi_agent import is_excluded
from segue.formats._pi_entries import Branch, chosen_branch, edited, entry, entry_message, spoken
from segue.formats._pi_rewrite import rewriter
from segue.formats._tree import written_lines
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Json, Message, Place, Record, Session, Tool, Transcript
from segue.records import dumps
from segue.targets import Target

NAME = "pi"


def recognise(values: Sequence[object], whole: bool) -> bool:
    """Recognise a session by its first line, as pi does."""
    first = values[0] if values else None
    return isinstance(first, Mapping) and first.get("type") == "session" and isinstance(first.get("id"), str)


def read(records: Iterable[Record], options: ReadOptions) -> Read:
    """Read the branch that pi would resume, or the one that leads to the leaf in the options.

    Raises UsageError for an unknown leaf.
    """
    lines, faults = _header_first(list(records))
    branch = chosen_branch(lines, options.leaf)
    messages = list(_messages(branch, options))
    yield _session(lines, branch, messages)
    edits = {record.number for record in branch.edits.values()}
    on_branch = {record.number for record in branch.records}
    for record in lines:
        says = record.number in on_branch and (record.number in edits or spoken(record.value) is not None)
        # Of the others only the bytes are needed again, where they have any.
        yield record if says or record.repaired else replace(record, value=None)
    yield from (*faults, *branch.faults)
    yield from messages
    yield from _passed_over(lines, branch, edits, on_branch)


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    """Write over the session that was read, or start a new one for a history from elsewhere."""
    if transcript.session.format != NAME:
        yield from _pi_session.write(transcript)
        return
    changes: list[Change] = []
    fitted, tree = rewriter(transcript, changes)
    lines = written_lines(fitted, tree)
    yield from changes
    if transcript.session.raw is None:
        header = _pi_session.header(transcript, 1 if tree.linear else 3)
        yield synthesized("missing-header", f"made a session header, id '{header['id']}'")
        lines.insert(0, dumps(header))
    yield b"\n".join(lines)


def _header_first(records: list[Record]) -> tuple[list[Record], list[Change]]:
    if not records or entry(records[0]).get("type") == "session":
        return records, []
    at = next((index for index, record in enumerate(records) if entry(record).get("type") == "session"), None)
    what = "the first line is no session header: pi would refuse the file"
    change = Change("rewritten", "missing-header", what, line=records[0].line)
    if at is None:
        return records, [change]
    return [records[at], *records[:at], *records[at + 1 :]], [change]


def _session(lines: Sequence[Record], branch: Branch, messages: Sequence[Message]) -> Session:
    header = next((entry(record) for record in lines if entry(record).get("type") == "session"), None)
    name = header.get("id") if header is not None else None
    prompts = [message.raw for message in messages if message.role == "system" and message.raw is not None]
    tools: tuple[Tool, ...] = ()
    for prompt in prompts:
        tools = tools_after(tools, prompt)
    return Session(
        format=NAME,
        id=name if isinstance(name, str) else None,
        model=_last_model(branch),
        tools=tools,
        raw=header,
        # Sessions before 1.6 leave the prompt to the agent.
        prefix_known=bool(prompts),
    )


def _last_model(branch: Branch) -> str | None:
    for record in reversed((*branch.before, *branch.kept, *branch.after)):
        value = entry(record)
        if value.get("type") == "model_change":
            model = value.get("modelId")
        else:
            said = spoken(value)
            model = said.get("model") if said is not None and said.get("role") == "assistant" else None
        if isinstance(model, str) and model:
            return model
    return None


def _messages(branch: Branch, options: ReadOptions) -> Iterator[Message]:
    number = 0
    for record in branch.before:
        message = entry_message(record, number, options)
        if message is not None:
            yield message
            number += 1
    if branch.compaction is not None:
        for message in _compaction(branch.compaction, number, options):
            yield message
            number += 1
    for record in (*branch.kept, *branch.after):
        message = entry_message(record, number, options)
        if message is not None:
            edit = branch.edits.get(record.number)
            yield message if edit is None else edited(message, edit, options)
            number += 1


def _compaction(record: Record, number: int, options: ReadOptions) -> Iterator[Message]:
    """Read a compaction: the line that it draws, the prompt that it holds anew, and its summary."""
    value = entry(record)
    name, time = value.get("id"), value.get("timestamp")
    yield Message(
        role="system",
        blocks=(),
        number=number,
        line=record.line,
        records=(record.number,),
        id=name if isinstance(name, str) else None,
        time=time if isinstance(time, (str, int, float)) else None,
        marks=frozenset({"compaction-boundary"}),
    )
    prompt = value.get("systemMessage")
    if isinstance(prompt, Mapping):
        place = Place(record.number, record.line, number + 1, 0)
        message = read_message({"role": "system", **prompt}, place, options, leads=True)
        if message is not None:
            number += 1
            yield message
    summary = entry_message(record, number + 1, options)
    if summary is not None:
        yield summary


def _passed_over(lines: Sequence[Record], branch: Branch, edits: set[int], on_branch: set[int]) -> Iterator[Change]:
    """Tell what the model does not see: once for each reason."""
    excluded = [record for record in branch.records if is_excluded(spoken(record.value) or {})]
    if excluded:
        commands = ", ".join(f"'{(spoken(record.value) or {}).get('command')}'" for record in excluded[:3])
        what = f"{_counted(len(excluded), 'shell output')} kept from the model: {commands}"
        yield Change("hidden", "excluded-output", what, line=excluded[0].line, count=len(excluded))
    strangers = [record for record in branch.records if _is_stranger(spoken(record.value))]
    if strangers:
        roles = sorted({str((spoken(record.value) or {}).get("role")) for record in strangers})
        what = f"{_counted(len(strangers), 'message')} of unknown role: {', '.join(roles)}"
        yield Change("hidden", "unknown-role", what, line=strangers[0].line, count=len(strangers))
    others = [record for record in lines if record.number not in on_branch and spoken(record.value) is not None]
    if others:
        tips = _tips(lines, on_branch)
        what = f"{_counted(len(others), 'message')} on {_counted(len(tips), 'abandoned branch', 'es')}: {_listed(tips)}"
        yield Change("hidden", "abandoned-branch", what, line=others[0].line, count=len(others))
    books = [record for record in lines if _keeps_books(record) and record.number not in edits]
    if books:
        types = Counter(str(entry(record).get("type")) for record in books)
        listed = ", ".join(f"{kind} {count}" for kind, count in sorted(types.items()))
        what = f"{_counted(len(books), 'bookkeeping record')}: {listed}"
        yield Change("hidden", "bookkeeping-record", what, line=books[0].line, count=len(books))


def _is_stranger(value: Mapping[str, Json] | None) -> bool:
    return value is not None and read_message(value, Place(0, None, 0, 0), ReadOptions()) is None


def _keeps_books(record: Record) -> bool:
    return entry(record).get("type") != "session" and spoken(record.value) is None


def _tips(lines: Sequence[Record], on_branch: set[int]) -> list[str]:
    """Find where the branches end that were not chosen."""
    others = [entry(record) for record in lines if record.number not in on_branch]
    parents = {value.get("parentId") for value in others if isinstance(value.get("parentId"), str)}
    names = [value.get("id") for value in others if value.get("type") != "session"]
    return [name for name in names if isinstance(name, str) and name not in parents]


def _counted(count: int, noun: str, plural: str = "s") -> str:
    return f"{count:,} {noun}{plural if count != 1 else ''}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown


FORMAT = Format(
    name=NAME,
    about="sessions of the coding agent pi, versions 1 to 3",
    recognise=recognise,
    read=read,
    write=write,
    session=True,
    extension=".jsonl",
    branches=_pi_branches.branches,
)
