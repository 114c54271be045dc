"""Bytes to records and back: JSON documents, JSON lines, and what is left of either after an accident.

    bytes ── decoded ──> UTF-8 text ── read_source ──> Record, Record, Change, Record …

Lines end at line feeds only: U+2028, U+2029 and U+0085 may stand in strings. What is sound costs hardly more than
parsing; what fails to parse goes to `reading.damage`. Faults that can be survived are Changes: `damaged-line`
(dropped), `glued-records`, `raw-control-character`, `non-finite-number` and `deep-nesting` (rewritten, line by line),
and, told once per kind, what is only the form of the file: `source-encoding` and `final-newline` (rewritten).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import orjson

from segue.changes import Change
from segue.errors import UnreadableSource
from segue.jsontext import TooDeep, dumps, long_numbers, parse
from segue.model import Json, Record
from segue.reading.damage import recovered
from segue.reading.decoding import decoded
from segue.reading.documents import Whole, read_document, whole_document
from segue.reading.form import BLANKS, end_of_text
from segue.reading.search import Damage

__all__ = ["Layout", "RecordStream", "TooDeep", "decoded", "dumps", "layout", "parse", "read_records", "read_source"]
__all__ += ["record_text"]

Layout: TypeAlias = Literal["document", "lines"]

_SHOWN = 40  # characters of an unreadable source that its error quotes


@dataclass(frozen=True, slots=True)
class RecordStream:
    """The records of one source, to be read as often as wanted.

    `data` is the source as UTF-8 text, which the records' `start` and `end` refer to. `changes` tells what decoding
    did; what reading does comes among the records. Iterating raises UnreadableSource at its end if there was no record.
    """

    data: bytes
    layout: Layout
    changes: tuple[Change, ...] = ()
    _parsed: list[Whole] = field(default_factory=list, repr=False, compare=False)

    def __iter__(self) -> Iterator[Record | Change]:
        if self.layout == "lines":
            return _read_lines(self.data)
        # What finding the layout has parsed is handed on once and not kept: a document may be large.
        whole = self._parsed.pop() if self._parsed else whole_document(self.data)
        return read_document(self.data, whole) if whole else _read_lines(self.data)


def read_source(data: bytes) -> RecordStream:
    """Decode a source and prepare its records.

    Raises UnreadableSource when there is nothing in it. The error's text has no path; the caller knows it.
    """
    text, changes = decoded(data)
    if end_of_text(text) == 0:
        raise UnreadableSource("it is empty" if not text else "it is empty but for blanks and NUL bytes")
    whole = whole_document(text)
    return RecordStream(text, "document" if whole else "lines", tuple(changes), [whole] if whole else [])


def read_records(data: bytes) -> Iterator[Record | Change]:
    """Read decoded text record by record, in file order."""
    whole = whole_document(data)
    return read_document(data, whole) if whole else _read_lines(data)


def layout(data: bytes) -> Layout:
    """Tell whether decoded text is one JSON value, be it pretty-printed or on one line, or a sequence of them.

    A document with foreign text behind it is still a document, unless it might be the first of several records.
    """
    return "document" if whole_document(data) else "lines"


def record_text(record: Record, data: bytes) -> bytes:
    """Give a record's bytes: those of the source, or its value printed anew where they were repaired."""
    return dumps(record.value) if record.repaired else data[record.start : record.end]


def value_of(record: Record, data: bytes) -> Json:
    """Give a record's value, also if its reader has let it go; None if it nests too deep."""
    if record.value is not None:
        return record.value
    try:
        return parse(record_text(record, data))
    except ValueError:
        return None


def _read_lines(data: bytes) -> Iterator[Record | Change]:
    loads = orjson.loads
    size = len(data)
    suspects = long_numbers(data)
    suspect = next(suspects, size)
    damage = Damage(data)
    start = number = 0
    line = 1
    lists = False  # the file holds a list on each line: a data set of bare lists
    while start < size:
        end = data.find(b"\n", start)
        if end < 0:
            end = size
        try:
            value = loads(data[start:end])
        except ValueError:
            value = None
        if suspect < end:
            value = None
            while suspect < end:
                suspect = next(suspects, size)
        if type(value) is list and number == 0:
            lists = bool(value) and type(value[0]) is dict
        if type(value) is dict or (lists and type(value) is list):
            yield Record(number, line, start, end, value)
            number += 1
            line += 1
            start = end + 1
        else:
            start, line, number = yield from recovered(damage, start, end, line, number)
    if not damage.is_cut and data.find(b"\n", damage.text_end) < 0:
        damage.form.note("no newline", data.count(b"\n", 0, damage.text_end) + 1)
    yield from damage.form.changes()
    if not number:
        raise UnreadableSource(_nothing_found(data))


def _nothing_found(data: bytes) -> str:
    text = data.lstrip(BLANKS)
    line = data.count(b"\n", 0, len(data) - len(text)) + 1
    opening = text[: 4 * _SHOWN].split(b"\n", 1)[0].decode("utf-8", "ignore")
    quoted = repr(opening[:_SHOWN])
    missing = "no whole JSON object" if text[:1] in (b"{", b"[") else "no JSON"
    return f"{missing} in it: line {line} starts with {quoted}"
