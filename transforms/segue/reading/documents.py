"""A source that is one JSON value: to find that out, and to read it as its only record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from segue.changes import Change
from segue.jsontext import Repair, TooDeep, parse_noting, value_end
from segue.model import Json, Record
from segue.reading.form import BLANKS, Form, end_of_text, excerpt_of, repair_changes
from segue.reading.search import SLACK, Damage, far_end

_INK = re.compile(rb"[^ \t\r\n\0]")
_OPENING_LINE = re.compile(rb"\n[ \t\0]*[\[{]")


class Whole(NamedTuple):
    """The one value of a document: its bounds, without blanks, and its value."""

    start: int
    end: int
    value: Json
    repairs: tuple[Repair, ...] = ()
    too_deep: bool = False


def whole_document(data: bytes) -> Whole | None:
    """Parse text that is one JSON value, pretty-printed or not; None when it is anything else.

    A value may be followed by foreign text if no further record can be meant: the value is a list or spans several
    lines, and no line behind it opens another. Sequences of records are told apart by their first line.
    """
    ink = _INK.search(data)
    if ink is None:
        return None
    start, stop = ink.start(), end_of_text(data)
    line_end = data.find(b"\n", start, stop)
    if line_end < 0:
        return _parsed(data, start, stop) or _with_tail(data, start, stop)
    if data[start] not in b"{[":
        return None
    first_line = _parsed(data, start, line_end)
    if first_line is not None:
        return _with_tail(data, start, stop) if data[start] == ord("[") else None
    text = data[start:line_end].decode("latin-1")
    finish, trouble = value_end(text, 0)
    if finish is None and trouble < len(text) - SLACK:
        return None
    return _parsed(data, start, stop) or _with_tail(data, start, stop)


def read_document(data: bytes, whole: Whole) -> Iterator[Record | Change]:
    """Read a document as its one record, which keeps blanks on the lines that it stands on."""
    start, end = whole.start, whole.end
    form = Form()
    line = data.count(b"\n", 0, start) + 1
    last = line + data.count(b"\n", start, end)
    if whole.too_deep:
        yield Change("rewritten", "deep-nesting", "document nests too deep to be parsed, kept as it stands", line=line)
    yield from repair_changes(whole.repairs, line)

    head, tail = data[:start], data[end:]
    rest = tail.strip(BLANKS)
    if b"\0" in head:
        form.note("NUL bytes", 1)
    if line > 1:
        form.note("blank", 1, line - 1)
    if rest:
        foreign = end + tail.index(rest)
        what = "malformed text after the document"
        foreign_line = data.count(b"\n", 0, foreign) + 1
        yield Change(
            "dropped", "damaged-line", what, line=foreign_line, before=excerpt_of(data, foreign, foreign + len(rest))
        )
        tail = tail[tail.index(rest) + len(rest) :]
        last = foreign_line + rest.count(b"\n")
    if b"\0" in tail:
        form.note("NUL bytes", last)
    if tail.count(b"\n") > 1:
        form.note("blank", last + 1, tail.count(b"\n") - 1)
    if b"\n" not in tail:
        form.note("no newline", last)

    if b"\0" not in head:
        start = data.rfind(b"\n", 0, start) + 1
    if not rest and b"\0" not in tail:
        line_end = data.find(b"\n", end)
        end = line_end if line_end >= 0 else len(data)
    yield Record(0, line, start, end, whole.value, bool(whole.repairs))
    yield from form.changes()


def _parsed(data: bytes, start: int, end: int) -> Whole | None:
    try:
        return Whole(start, end, *parse_noting(data[start:end]))
    except TooDeep:
        return Whole(start, end, None, (), True)
    except ValueError:
        return None


def _with_tail(data: bytes, start: int, stop: int) -> Whole | None:
    """Parse a document that has foreign text behind it."""
    if data[start] not in b"{[":
        return None
    end = far_end(Damage(data), start, 0)
    if end is None or end > stop:
        return None
    line_end = data.find(b"\n", end, stop)
    same_line = data[end : line_end if line_end >= 0 else stop]
    if same_line.lstrip(BLANKS)[:1] in (b"{", b"[") or b'{"' in same_line or _OPENING_LINE.search(data, end, stop):
        return None
    if data[start] == ord("{") and line_end >= 0 and b"\n" not in data[start:end]:
        return None
    return _parsed(data, start, end)
