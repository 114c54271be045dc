"""Where in damaged text whole values are: how far one runs over the lines, and where the next record begins.

All work that fails draws on a budget of a few times the size of the file, so a hostile file costs no more than a long
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from segue.jsontext import parse, value_end
from segue.model import Json
from segue.reading.form import Form, end_of_text

SLACK = 6  # a cut `\u00e` or `fals` is noticed where it begins, so this much before the text's end

_CANDIDATES = 64
_HEAD = 24  # characters that a record and its cut first attempt share, but no part of it
_KNOWN_LINES = 64
_KNOWN_LENGTH = 1 << 20
_BLANK = re.compile(r"[ \t\r\0]*")
_OPENING = re.compile(r'\{"([^"\\]*)"')


class Damage:
    """What is remembered while one file is read: its form, the work still allowed, how its sound records look."""

    __slots__ = ("_shapes", "budget", "data", "form", "is_cut", "text_end")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.form = Form()
        self.budget = 8 * len(data) + (1 << 20)
        self.is_cut = False
        self.text_end = end_of_text(data)
        self._shapes: dict[frozenset[str], str] | None = None

    @property
    def shapes(self) -> dict[frozenset[str], str]:
        """The sets of keys that sound records at the head of the file have, each with its first key."""
        if self._shapes is None:
            self._shapes = {}
            start = 0
            for _ in range(_KNOWN_LINES):
                end = self.data.find(b"\n", start)
                end = len(self.data) if end < 0 else end
                value = object_in(self.data[start:end]) if end - start < _KNOWN_LENGTH else None
                if value:
                    self._shapes.setdefault(frozenset(value), next(iter(value)))
                start = end + 1
        return self._shapes


def object_in(text: bytes) -> dict[str, Json] | None:
    """Parse text that is one sound JSON object; None when it is not."""
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def far_end(damage: Damage, start: int, length: int) -> int | None:
    """Find the end of a value that may run over several lines; `length` is that of its first line.

    None when it is no JSON; a place beyond the text when the text ends inside the value.
    """
    data, size, spent = damage.data, max(4096, 2 * length), 0
    while spent < damage.budget:
        # A window that grows: the cost of a failure stays in proportion to what was read.
        window = data[start : start + size].decode("latin-1")
        finish, trouble = value_end(window, 0)
        if finish is not None:
            return start + finish
        spent += len(window)
        ends_inside = trouble >= len(window) - SLACK
        if not ends_inside or start + size >= len(data):
            damage.budget -= spent
            return len(data) + 1 if ends_inside else None
        size *= 2
    damage.budget -= spent
    return None


def next_record(damage: Damage, text: str, position: int, trouble: int) -> int | None:
    """Find where behind `position`, at which no whole value begins, the next record of a line begins.

    `text` is the line as Latin-1, `trouble` the place where parsing from `position` failed. An object that begins just
    where it may not is a record of its own. Elsewhere it must reach to the line's end or to another one, and begin like
    the cut one or look like the file's other records, for it might be a part.
    """
    if damage.budget <= 0:
        return None
    # The place of an error is found by counting lines from the text's start: many errors on one long line add up.
    damage.budget -= trouble - position + trouble // 64
    near = text.find('{"', max(position + 1, trouble - SLACK), trouble + SLACK)
    while near >= 0:
        if near <= trouble and _reach(damage, text, near):
            return near
        near = text.find('{"', near + 1, trouble + SLACK)
    own = _OPENING.match(text, position)
    keys = set(damage.shapes.values()) | ({own[1]} if own else set())
    for place in _openings(text, position + 1, keys):
        if damage.budget <= 0:
            break
        finish = _reach(damage, text, place)
        if finish and (_begins_alike(text, position, place) or _looks_like_a_record(damage, text[place:finish])):
            return place
    damage.budget -= len(text) - position
    return None


def _openings(text: str, start: int, keys: set[str]) -> Iterator[int]:
    """Find objects that begin with one of the keys: the first ones behind `start`, then the last ones of the text."""
    tried = 0
    for match in _OPENING.finditer(text, start):
        if match[1] in keys:
            if tried == _CANDIDATES:
                break
            yield match.start()
            tried += 1
    if tried < _CANDIDATES:
        return
    place = len(text)
    for _ in range(_CANDIDATES):
        place = text.rfind('{"', start, place)
        if place < 0:
            return
        last = _OPENING.match(text, place)
        if last and last[1] in keys:
            yield place


def skip_blanks(text: str, position: int) -> int:
    """Find the next character that is neither blank nor NUL; a place beyond the text stays what it is."""
    found = _BLANK.match(text, position)
    return max(position, found.end()) if found else position


def _reach(damage: Damage, text: str, start: int) -> int | None:
    """Find the end of the object at `start` if nothing but another one follows it."""
    if damage.budget <= 0:
        return None
    finish, trouble = value_end(text, start)
    damage.budget -= (finish or trouble + trouble // 64) - start
    if finish is None:
        return None
    behind = skip_blanks(text, finish)
    return finish if behind == len(text) or text[behind] == "{" else None


def _begins_alike(text: str, position: int, place: int) -> bool:
    return place - position >= _HEAD and text.startswith(text[position : position + _HEAD], place)


def _looks_like_a_record(damage: Damage, text: str) -> bool:
    try:
        keys = set(parse(text.encode("latin-1")))
    except ValueError:
        return False
    if not damage.shapes:
        return True
    return any(5 * len(keys & shape) >= 4 * len(shape) for shape in damage.shapes)
