"""Lines that are not one JSON object each: what can be had from them is had, the rest is told.

In this order: padding is taken off; records glued together are separated; a value that runs on over the next lines is
followed there; a cut record is dropped, and the whole one behind it on the line is found.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple, TypeAlias

from segue.changes import Change
from segue.jsontext import TooDeep, parse_noting, value_end
from segue.model import Record
from segue.reading.form import BLANKS, end_of_text, excerpt_of, repair_changes
from segue.reading.search import SLACK, Damage, far_end, next_record, object_in, skip_blanks

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_EDGE = re.compile(rb"[ \t\r\0]*")
_BEFORE = "before a record"
_CUT = "truncated record: the text ends inside it"
_LINE_REST = re.compile(rb"[ \t\r\0]*\n?")
_INK = re.compile(rb"[^ \t\r\n\0]")

Position: TypeAlias = "tuple[int, int, int]"  # where reading goes on, the line there, the number of the next record


def recovered(
    damage: Damage, start: int, end: int, line: int, number: int
) -> Generator[Record | Change, None, Position]:
    """Read what can be read of the line at `start`, which is no sound JSON object."""
    data = damage.data
    begin, stop = _without_padding(damage, start, end, line)
    if begin == stop:
        return end + 1, line + 1, number
    if data[begin] in b"{":
        bounds = (start, end) if data[start:end].strip(BLANKS[:3]) == data[begin:stop] else (begin, stop)
        try:
            value, repairs = parse_noting(data[begin:stop])
        except TooDeep:
            yield Change(
                "rewritten", "deep-nesting", "record nests too deep to be parsed, kept as it stands", line=line
            )
            yield Record(number, line, *bounds, None)
        except ValueError:
            return (yield from _pieces(damage, begin, stop, line, number))
        else:
            yield from repair_changes(repairs, line)
            yield Record(number, line, *bounds, value, bool(repairs))
        return end + 1, line + 1, number + 1
    if data.find(b'{"', begin, stop) >= 0 or data[begin] in b"[],":
        return (yield from _pieces(damage, begin, stop, line, number))
    yield Change(
        "dropped", "damaged-line", "malformed line: no JSON object", line=line, before=excerpt_of(data, begin, stop)
    )
    return end + 1, line + 1, number


def _without_padding(damage: Damage, start: int, end: int, line: int) -> tuple[int, int]:
    """Take blanks, NUL bytes and byte order marks off both ends of a line."""
    data = damage.data
    begin = _edge(data, start, end)
    if data.startswith(_BYTE_ORDER_MARK, begin):
        damage.form.note("byte order mark", line)
        begin = _edge(data, begin + len(_BYTE_ORDER_MARK), end)
    stop = end_of_text(data, begin, end)
    if data.find(b"\0", start, begin) >= 0 or data.find(b"\0", stop, end) >= 0:
        damage.form.note("NUL bytes", line)
    elif begin == stop:
        damage.form.note("blank", line)
    return begin, stop


def _edge(data: bytes, start: int, end: int) -> int:
    found = _EDGE.match(data, start, end)
    return found.end() if found else start


def _pieces(
    damage: Damage, begin: int, stop: int, line: int, number: int
) -> Generator[Record | Change, None, Position]:
    """Go through a line from value to value; what is no object is left out as soon as the next one begins."""
    data = damage.data
    text = data[begin:stop].decode("latin-1")
    position, left_out, records = 0, -1, 0
    place = _Place(None)
    while position < len(text):
        place = _value_at(damage, text, begin, position)
        if place.end is not None and text[position] == "{":
            if left_out >= 0:
                yield from _left_out(damage, text, begin, left_out, position, line, _BEFORE)
                left_out = -1
            if place.is_cut:
                yield Change(
                    "dropped", "damaged-line", _CUT, line=line, before=excerpt_of(data, begin + position, stop)
                )
            else:
                records += yield from _record(damage, begin + position, begin + place.end, line, number + records)
        elif left_out < 0:
            left_out = position
        if place.end is not None:
            position = skip_blanks(text, place.end)
        elif text[position] in "]," or (
            text[position] == "[" and text.startswith("{", skip_blanks(text, position + 1))
        ):
            position = skip_blanks(text, position + 1)
        else:
            position = next_record(damage, text, position, place.trouble) or len(text)

    if left_out >= 0:
        where = "after a record" if records else ""
        ends_inside = stop >= damage.text_end and place.trouble >= len(text) - SLACK
        yield from _left_out(damage, text, begin, left_out, len(text), line, where, ends_inside)
    if records > 1:
        yield Change("rewritten", "glued-records", f"{records} records on one line separated", line=line)
    rest = _LINE_REST.match(data, begin + position)
    resume = rest.end() if rest else len(data)
    return resume, line + data.count(b"\n", begin, resume), number + records


class _Place(NamedTuple):
    """Where a value ends, in the text of its line or beyond it; None, and the place of the trouble, where none is."""

    end: int | None
    trouble: int = -1
    is_cut: bool = False


def _value_at(damage: Damage, text: str, begin: int, position: int) -> _Place:
    if text[position] not in "{[":
        return _Place(None, position)
    end, trouble = value_end(text, position)
    if end is not None or trouble < len(text) - SLACK or begin + len(text) >= damage.text_end:
        return _Place(end, trouble)
    data, start = damage.data, begin + position
    far = far_end(damage, start, len(text) - position)
    if far is None:
        return _Place(None, trouble)
    if far > len(data):
        # Only a value in many lines may take the rest of the file with it, not a cut record with whole ones behind it.
        if text[position] == "[" or data.find(b"\n{", start) >= 0:
            return _Place(None, trouble)
        damage.is_cut = True
        return _Place(far - begin, is_cut=True)
    if _swallows_a_record(data, start, far):
        return _Place(None, trouble)
    return _Place(far - begin)


def _swallows_a_record(data: bytes, start: int, end: int) -> bool:
    """Tell whether a string that seems to run over a line's end rather is a cut record with a whole one behind it."""
    if object_in(data[start:end]) is not None:
        return False
    ink = _INK.search(data, data.find(b"\n", start, end), end)
    if ink is None:
        return False
    line_end = data.find(b"\n", ink.start())
    return object_in(data[ink.start() : line_end if line_end >= 0 else len(data)]) is not None


def _record(damage: Damage, start: int, end: int, line: int, number: int) -> Generator[Record | Change, None, int]:
    """Read the object between `start` and `end`, and count it; one on several lines is printed anew on one."""
    text = damage.data[start:end]
    spread = b"\n" in text
    try:
        value, repairs = parse_noting(text)
    except TooDeep:
        if spread:
            yield Change("dropped", "deep-nesting", "record on several lines nests too deep to be parsed", line=line)
            return 0
        yield Change("rewritten", "deep-nesting", "record nests too deep to be parsed, kept as it stands", line=line)
        yield Record(number, line, start, end, None)
        return 1
    if spread and not repairs:
        damage.form.note("spread", line)
    yield from repair_changes(repairs, line)
    yield Record(number, line, start, end, value, spread or bool(repairs))
    return 1


def _left_out(
    damage: Damage, text: str, begin: int, start: int, end: int, line: int, where: str, ends_inside: bool = False
) -> Iterator[Change]:
    """Tell what of a line is no record."""
    if not text[start:end].strip("[], \t\r\0"):
        damage.form.note("brackets", line)
        return
    start = end - len(text[start:end].lstrip(", \t"))
    if ends_inside and text[start] in "{[":
        damage.is_cut = True
        what = _CUT
    elif where == _BEFORE and text[start] == "{":
        what = "malformed record, cut off where the next one on its line begins"
    elif where:
        what = f"malformed text {where}"
    else:
        what = "malformed line: no JSON object"
    yield Change("dropped", "damaged-line", what, line=line, before=excerpt_of(damage.data, begin + start, begin + end))
