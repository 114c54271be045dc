"""Records to transcripts: recognise the format of a source, and read it one conversation at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from segue import records
from segue.changes import Change
from segue.errors import UnreadableSource
from segue.formats import SAMPLE_SIZE, Format, ReadOptions, format_named, recognised
from segue.formats._types import Branch
from segue.model import Message, Record, Session, Source, Transcript


@dataclass(slots=True)
class Reading:
    """A source that was recognised: its format, and its transcripts one after another."""

    format: Format
    data: bytes
    transcripts: Iterator[tuple[Transcript, list[Change]]]


def read(data: bytes, source_format: str | None = None, options: ReadOptions | None = None) -> Reading:
    """Recognise a source and read it, one transcript at a time.

    Raises UnreadableSource when nothing in it can be used, UsageError for an unknown format.
    """
    known, items, text = _recognised(data, source_format)
    return Reading(known, text, _transcripts(known, items, text, options or ReadOptions()))


def branches(
    data: bytes, source_format: str | None = None, options: ReadOptions | None = None
) -> tuple[Format, Sequence[Branch] | None]:
    """Recognise a source and tell the branches of its tree; None for a format that is a list.

    Raises UnreadableSource when nothing in it can be used, UsageError for an unknown format or leaf.
    """
    known, items, _ = _recognised(data, source_format)
    if known.branches is None:
        return known, None
    found = known.branches((item for item in items if isinstance(item, Record)), options or ReadOptions())
    if not found:
        raise UnreadableSource(f"nothing usable in it as {known.name}")
    return known, found


def _recognised(data: bytes, source_format: str | None) -> tuple[Format, Iterator[Record | Change], bytes]:
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
    return known, chain(stream.changes, head, walk), stream.data


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
    return Transcript(
        session, source.messages, source, session.system, session.tools, server_tools=session.server_tools
    )
