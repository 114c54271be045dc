"""JSON text to values and back, where orjson alone would lie, give up or refuse.

orjson does the work wherever it is right. What it cannot carry goes to the standard library: integers beyond 64 bits
(orjson reads floats instead), `NaN`, `Infinity` and `1e400`, raw control characters, lone surrogates, and the writing
of values that nest more than 254 levels deep. Of equal keys in one object the last one counts, as in every JSON.parse.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite, isinf
from typing import NamedTuple

import orjson

from segue.errors import SegueError
from segue.model import Json

DEEPEST = 1024  # levels that orjson reads
MOST_DIGITS = 640  # the longest integer that Python reads under any setting of its digit limit

_WINDOW = 1 << 18
_DIGITS_TO_ZERO = bytes(0x30 if 0x30 <= byte <= 0x39 else 0x20 for byte in range(256))
_LONG_NUMBER = re.compile(rb"(?<![0-9A-Za-z.\"+-])(?:-[0-9]{19}|[0-9]{20})")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_SCANNER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)


class TooDeep(ValueError):
    """JSON that nests deeper than any parser here can follow."""


class Repair(NamedTuple):
    """What had to be read differently than it was written: the rule that says so, and the places, as written."""

    rule: str
    literals: tuple[str, ...]


def parse(text: bytes) -> Json:
    """Read one JSON value from UTF-8 text.

    Integers stay exact; numbers that no float can hold become strings ("NaN", "1e400"). Raises ValueError, and its
    kind TooDeep beyond 1,024 levels (where the standard library has to read, beyond about 900).
    """
    return parse_noting(text)[0]


def parse_noting(text: bytes) -> tuple[Json, tuple[Repair, ...]]:
    """Read one JSON value as `parse` does, and tell what in its text was not JSON as the standard has it."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        # The standard library's own limit varies with the Python and with the caller's depth; orjson's is the rule.
        if text.count(b"[") + text.count(b"{") > DEEPEST:
            characters = text.decode("utf-8")
            if _balanced_end(characters)[1] > DEEPEST:
                raise _depth_error(characters) from None
        return _parse_leniently(text)
    if next(long_numbers(text), None) is not None:
        return _parse_leniently(text)
    return value, ()


def long_numbers(text: bytes) -> Iterator[int]:
    """Find, in order, where numbers start that may be too long for 64 bits.

    A search by regular expression takes several times as long as parsing. Every fourth byte is enough to see a run of
    19 digits, for it shows there as four digits in a row; only around such a place the text itself is looked at.
    """
    for window in range(0, len(text), _WINDOW):
        sample = text[window : window + _WINDOW + 24 : 4].translate(_DIGITS_TO_ZERO)
        found = sample.find(b"0000")
        while found >= 0:
            place = window + 4 * found
            if text[place : place + 13].isdigit():
                match = _LONG_NUMBER.search(text, max(place - 5, 0), place + 24)
                if match:
                    yield match.start()
            found = sample.find(b"0000", found + 1)


def value_end(text: str, start: int) -> tuple[int | None, int]:
    """Find where the JSON value that begins at `start` ends: its end, or None and the place of the trouble.

    The trouble is at the text's own end when the text ends inside the value. Line feeds and other control characters
    may stand raw in strings; what nests too deep is no value here. `text` may be bytes read as Latin-1: the structure
    of JSON is ASCII, so the places are those of the bytes.
    """
    try:
        return _SCANNER.raw_decode(text, start)[1], start
    except json.JSONDecodeError as error:
        return None, len(text) if error.msg.startswith("Unterminated") else error.pos
    except RecursionError:
        return None, start


def dumps(value: Json, indent: int | None = None) -> bytes:
    """Write a value as UTF-8 JSON, compact or indented.

    Lone surrogates are escaped, everything else stands as it is. What nests too deep for the standard library is
    written compact whatever the indent. Raises SegueError for a float that is not finite.
    """
    option = orjson.OPT_INDENT_2 if indent == 2 else 0
    if indent is None or indent == 2:
        try:
            text = orjson.dumps(value, option=option)
        except TypeError:
            pass
        else:
            if b"null" in text:
                _refuse_non_finite(value)
            return text
    return _dumps_by_standard_library(value, indent)


def _parse_leniently(text: bytes) -> tuple[Json, tuple[Repair, ...]]:
    characters = text.decode("utf-8")
    unusual: list[str] = []
    reader = _noting_decoder(unusual, strict=True)
    try:
        return reader.decode(characters), _non_finite(unusual)
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Invalid control character"):
            raise
        control = characters[error.pos]
    except RecursionError:
        raise _depth_error(characters) from None
    unusual.clear()
    reader = _noting_decoder(unusual, strict=False)
    try:
        value = reader.decode(characters)
    except RecursionError:
        raise _depth_error(characters) from None
    return value, (Repair("raw-control-character", (f"U+{ord(control):04X}",)), *_non_finite(unusual))


def _noting_decoder(unusual: list[str], strict: bool) -> json.JSONDecoder:
    def as_text(literal: str) -> str:
        unusual.append(literal)
        return literal

    def number(literal: str) -> float | str:
        value = float(literal)
        return as_text(literal) if isinf(value) else value

    def integer(literal: str) -> int | str:
        return int(literal) if len(literal) <= MOST_DIGITS else as_text(literal)

    return json.JSONDecoder(strict=strict, parse_constant=as_text, parse_float=number, parse_int=integer)


def _non_finite(literals: list[str]) -> tuple[Repair, ...]:
    return (Repair("non-finite-number", tuple(literals)),) if literals else ()


def _depth_error(text: str) -> ValueError:
    """Make the error for text that nests too deep: TooDeep, or a plain ValueError if its brackets do not match."""
    end, _ = _balanced_end(text)
    if end is None or text[end:].strip(" \t\r\n"):
        return ValueError("not JSON: its brackets do not match")
    return TooDeep("JSON nests too deep to be parsed")


def _balanced_end(text: str) -> tuple[int | None, int]:
    """Find the end of the first value by brackets and strings alone, and how many levels it has."""
    open_brackets: list[str] = []
    deepest = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "[{":
            open_brackets.append("]" if token == "[" else "}")
            deepest = max(deepest, len(open_brackets))
        elif token in "]}":
            if not open_brackets or open_brackets.pop() != token:
                return None, deepest
            if not open_brackets:
                return match.end(), deepest
    return None, deepest


def _refuse_non_finite(value: Json) -> None:
    containers: list[Json] = [[value]]
    for container in containers:
        for item in container.values() if type(container) is dict else container:
            kind = type(item)
            if kind is str or item is None:
                continue
            if kind is dict or kind is list or kind is tuple:
                containers.append(item)
            elif kind is float and not isfinite(item):
                raise SegueError(f"a number that JSON cannot hold: '{item}'")


def _dumps_by_standard_library(value: Json, indent: int | None) -> bytes:
    separators = (",", ":") if indent is None else (",", ": ")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators, indent=indent)
    except RecursionError:
        text = _dumps_deep(value)
    except ValueError as error:
        _refuse_non_finite(value)
        raise SegueError(f"a value that JSON cannot hold: {error}") from error
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode("utf-8")


def _dumps_deep(value: Json) -> str:
    """Write a value compactly without recursion, for the depths where every encoder gives up."""
    _refuse_non_finite(value)
    pieces: list[str] = []
    pending: list[tuple[str, Json]] = [("value", value)]
    while pending:
        kind, item = pending.pop()
        if kind == "text":
            pieces.append(item)
        elif isinstance(item, dict):
            pieces.append("{")
            pending.append(("text", "}"))
            entries = list(item.items())
            for index in range(len(entries) - 1, -1, -1):
                key, member = entries[index]
                pending.append(("value", member))
                comma = "," if index else ""
                pending.append(("text", f"{comma}{json.dumps(key, ensure_ascii=False)}:"))
        elif isinstance(item, (list, tuple)):
            pieces.append("[")
            pending.append(("text", "]"))
            for index in range(len(item) - 1, -1, -1):
                pending.append(("value", item[index]))
                if index:
                    pending.append(("text", ","))
        else:
            pieces.append(json.dumps(item, ensure_ascii=False))
    return "".join(pieces)
