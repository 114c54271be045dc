"""Short excerpts of what a JSON pointer leads to, however large that is."""

from __future__ import annotations

from segue.apis._walk import shown
from segue.changes import EXCERPT_LENGTH, shortened
from segue.model import Json

_ENOUGH = 2 * EXCERPT_LENGTH
_DEEPEST = 6


def excerpt_at(body: Json, pointer: str) -> str | None:
    """Write the value at a pointer as JSON on one line, cut to EXCERPT_LENGTH characters; None if nothing is there.

    >>> excerpt_at({"a": [1, {"b~/": "x"}]}, "/a/1"), excerpt_at({"a": {"~/": "x"}}, "/a/~0~1"), excerpt_at({}, "/a")
    ('{"b~/": "x"}', '"x"', None)
    """
    value = body
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    pieces: list[str] = []
    _spell(value, pieces, _ENOUGH, _DEEPEST)
    return shortened("".join(pieces))


def _spell(value: Json, pieces: list[str], room: int, depth: int) -> int:
    """Append the beginning of a value's JSON; give the room that is left."""
    if isinstance(value, str):
        return _put(f'"{value[:room]}"', pieces, room)
    if isinstance(value, (dict, list)):
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        room = _put(opening, pieces, room)
        if value and depth == 0:
            return _put(f"…{closing}", pieces, room)
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for number, (key, part) in enumerate(entries):
            if room <= 0:
                break
            room = _put(", " if number else "", pieces, room)
            if isinstance(value, dict):
                room = _put(f'"{key[:room]}": ', pieces, room)
            room = _spell(part, pieces, room, depth - 1)
        return _put(closing, pieces, room)
    return _put(shown(value), pieces, room)


def _put(text: str, pieces: list[str], room: int) -> int:
    pieces.append(text)
    return room - len(text)
