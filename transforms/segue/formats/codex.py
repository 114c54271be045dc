"""Codex rollout, JSON lines.

A log of items in the dialect of Responses, with the agent's own records between them. `_codex_fold` finds the history
that the agent would send, `_codex_messages` reads it; `_codex_lines` writes a rollout over, `_codex_session` starts
one for a history from elsewhere.

Who wrote a turn: the model of the turn's settings, the provider of the session's header (`openai` where none is
named), and the api `openai-responses`: whether a rollout was made with a key or with a login it does not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from segue.changes import Change, hidden
from segue.formats._codex_fold import ENVELOPES, Fold, folded
from segue.formats._codex_lines import written
from segue.formats._codex_messages import messages_of
from segue.formats._codex_session import new_session
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Json, Record, Session, Text, Transcript
from segue.targets import Target

NAME = "codex"


def recognise(values: Sequence[object], whole: bool) -> bool:
    """Tell a rollout by its header, by an envelope, or by the document of the first agent."""
    lines = [value for value in values if isinstance(value, Mapping)]
    if not lines:
        return False
    first = lines[0]
    if isinstance(first.get("session"), Mapping) and isinstance(first.get("items"), list):
        return whole
    has_header = "type" not in first and "instructions" in first and {"id", "timestamp"} <= first.keys()
    return has_header or any(_is_enveloped(line) for line in lines)


def _is_enveloped(line: Mapping[str, object]) -> bool:
    kind = line.get("type")
    return isinstance(kind, str) and kind in ENVELOPES and isinstance(line.get("payload"), Mapping)


def read(records: Iterable[Record], options: ReadOptions) -> Read:
    """Read the history that the agent would resume, and tell what it would not send."""
    lines: list[Record] = []
    fold = folded(_noted(records, lines))
    head = fold.head or {}
    name = head.get("id")
    yield Session(
        NAME,
        id=name if isinstance(name, str) else None,
        model=fold.model,
        system=_system(head),
        raw=head,
        prefix_known=False,  # the tools are the agent's own, and not on file
    )
    lists = {entry.record.number for entry in fold.entries if entry.slot is not None}
    for record in lines:
        # Of the other records the items live on in their messages; for the rest the bytes are enough.
        yield record if record.number in lists or record.repaired else replace(record, value=None)
    yield from messages_of(fold.entries, options)
    yield from _left_aside(fold)


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    """Write over the rollout that was read, or start a new one for a history from elsewhere."""
    make = written if transcript.session.format == NAME else new_session
    yield from make(transcript, target)


def _noted(records: Iterable[Record], lines: list[Record]) -> Iterator[Record]:
    for record in records:
        lines.append(record)
        yield record


def _system(head: Mapping[str, Json]) -> tuple[Text, ...]:
    base = head.get("base_instructions")
    words = base.get("text") if isinstance(base, Mapping) else head.get("instructions")
    return (Text(words),) if isinstance(words, str) and words else ()


def _left_aside(fold: Fold) -> Iterator[Change]:
    lost, line = fold.compacted
    if lost:
        what = f"hid {_counted(lost, 'item')} before the compaction at line {line:,}"
        yield hidden("before-compaction", what, (), count=lost, line=line)
    lost, line = fold.taken_back
    if lost:
        yield hidden(
            "taken-back", f"hid {_counted(lost, 'item')} of turns that were taken back", (), count=lost, line=line
        )
    total = fold.aside.total()
    if total:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in fold.aside.most_common(6))
        yield hidden("bookkeeping-record", f"hid {_counted(total, 'bookkeeping record')}: {kinds}", (), count=total)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


FORMAT = Format(NAME, "Codex rollout, JSON lines", recognise, read, write, session=True, extension=".jsonl")
