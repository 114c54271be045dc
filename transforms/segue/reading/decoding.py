"""Bytes of any encoding that JSON comes in, to UTF-8 text without a byte order mark and with plain line feeds."""

from __future__ import annotations

import codecs
import re

from segue.changes import Change
from segue.reading.compression import unpacked

_CHUNK = 1 << 15
_REPLACEMENT = "\ufffd".encode()
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le", 4),
    (codecs.BOM_UTF32_BE, "utf-32-be", 4),
    (codecs.BOM_UTF16_LE, "utf-16-le", 2),
    (codecs.BOM_UTF16_BE, "utf-16-be", 2),
)


def decoded(data: bytes) -> tuple[bytes, list[Change]]:
    """Make UTF-8 text of a source, and tell what that took: one Change per kind of deviation, with its first line.

    A byte order mark is removed, UTF-16 and UTF-32 become UTF-8, bytes that are no UTF-8 become U+FFFD, CRLF becomes
    LF. Sound text is handed on as the same object. A compressed source is unpacked before.
    """
    data, unpacking = unpacked(data)
    text, changes = _as_utf8(data)
    changes = unpacking + changes
    returned = text.find(b"\r")
    if returned >= 0:
        text, more = _with_plain_line_ends(text)
        changes += more
    return text, changes


def _as_utf8(data: bytes) -> tuple[bytes, list[Change]]:
    if data.startswith(codecs.BOM_UTF8):
        text, changes = _repaired_utf8(data[len(codecs.BOM_UTF8) :])
        return text, [_form("byte order mark removed", 1), *changes]
    for mark, codec, width in _MARKS:
        # The mark of UTF-16 followed by a NUL looks like that of UTF-32; the length tells them apart well enough.
        if data.startswith(mark) and (width == 2 or len(data) % width == 0):
            return _from_wide(data[len(mark) :], codec, width)
    if len(data) > 3 and data[0] in b"{[" and data[1] == data[3] == 0 and data[2]:
        return _from_wide(data, "utf-16-le", 2)
    if len(data) > 3 and data[1] in b"{[" and data[0] == data[2] == 0 and data[3]:
        return _from_wide(data, "utf-16-be", 2)
    return _repaired_utf8(data)


def _from_wide(data: bytes, codec: str, width: int) -> tuple[bytes, list[Change]]:
    """Decode text of units of `width` bytes. Half a surrogate pair and numbers beyond Unicode become U+FFFD."""
    whole = len(data) - len(data) % width
    try:
        text = data[:whole].decode(codec, "surrogatepass")
    except UnicodeDecodeError:
        text = data[:whole].decode(codec, "replace")
    changes = [_form(f"{codec.upper()} became UTF-8", 1)]
    first = _SURROGATE.search(text)
    if first:
        line = text.count("\n", 0, first.start()) + 1
        text, places = _SURROGATE.subn("\ufffd", text)
        changes.append(_form(f"unpaired surrogates in {_places(places)} became U+FFFD", line))
    if whole < len(data):
        changes.append(_form(f"cut {codec.upper()} character at the end left out", text.count("\n") + 1))
    return text.encode(), changes


def _repaired_utf8(data: bytes) -> tuple[bytes, list[Change]]:
    first = _first_invalid(data)
    if first is None:
        return data, []
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pieces = [decoder.decode(data[start : start + _CHUNK]).encode() for start in range(0, len(data), _CHUNK)]
    text = b"".join((*pieces, decoder.decode(b"", True).encode()))
    places = text.count(_REPLACEMENT) - data.count(_REPLACEMENT)
    line = data.count(b"\n", 0, first) + 1
    return text, [_form(f"invalid UTF-8 in {_places(places)} became U+FFFD", line)]


def _first_invalid(data: bytes) -> int | None:
    # In chunks: text with a few wide characters would otherwise take four times its size for a moment.
    start = 0
    while start < len(data):
        chunk = data[start : start + _CHUNK]
        if chunk.isascii():
            start += len(chunk)
            continue
        try:
            start += codecs.utf_8_decode(chunk, "strict", start + len(chunk) == len(data))[1]
        except UnicodeDecodeError as error:
            return start + error.start
    return None


def _with_plain_line_ends(text: bytes) -> tuple[bytes, list[Change]]:
    first = text.find(b"\r\n")
    ends = text.count(b"\r\n")
    if first < 0 and not text.endswith(b"\r"):
        return text, []
    line = text.count(b"\n", 0, first if ends else len(text)) + 1
    if text.endswith(b"\r"):
        text = text[:-1]
        ends += 1
    # Twice converted files have two carriage returns.
    text = text.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n")
    return text, [_form(f"CRLF line ends on {ends} {'line' if ends == 1 else 'lines'}", line)]


def _places(count: int) -> str:
    return "1 place" if count == 1 else f"{count} places"


def _form(what: str, line: int) -> Change:
    return Change("rewritten", "source-encoding", what, line=line)
