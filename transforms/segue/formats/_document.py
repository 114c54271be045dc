"""How a format of one JSON document keeps the form of its file.

What nobody changed is written as the bytes that it came from; the rest is printed the way the file was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from segue.model import Json, Record, Transcript
from segue.records import dumps, record_text

SAMPLE_BYTES = 65_536  # a document shows its style early; a picture in its first message need not be scanned

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|$)', re.DOTALL)
_INDENT = re.compile(rb"[\[{]\r?\n([ \t]+)")
_ESCAPED = re.compile(rb"(?<!\\)(?:\\\\)*\\u(?!00[0-7])")


@dataclass(frozen=True, slots=True)
class Style:
    """How a JSON document is printed: the indent of one level ("" is one line), its separators, its escapes."""

    indent: str = ""
    item_separator: str = ","
    key_separator: str = ":"
    escapes: bool = False  # characters outside ASCII are written as \uXXXX


COMPACT = Style()
PRETTY = Style(indent="  ", key_separator=": ")


def style_of(text: bytes) -> Style:
    """Tell how a JSON document is printed, from its first SAMPLE_BYTES.

    >>> style_of(b'{"a": 1, "b": []}')
    Style(indent='', item_separator=', ', key_separator=': ', escapes=False)
    """
    marks = _STRING.sub(b'""', text[:SAMPLE_BYTES])
    indent = _INDENT.search(marks)
    spaced_items = indent is None and b", " in marks
    # A file without one letter outside ASCII may have been printed either way: then nothing is escaped.
    escapes = text.isascii() and _ESCAPED.search(text) is not None
    return Style(
        indent=indent.group(1).decode() if indent else "",
        item_separator=", " if spaced_items else ",",
        key_separator=": " if b'": ' in marks else ":",
        escapes=escapes,
    )


def printed(value: Json, style: Style) -> bytes:
    """Print a value in a style, without a final newline."""
    if style == COMPACT:
        return dumps(value)
    if style == PRETTY:
        return dumps(value, 2)
    try:
        text = json.dumps(
            value,
            indent=style.indent or None,
            separators=(style.item_separator, style.key_separator),
            ensure_ascii=style.escapes,
        )
    except RecursionError:
        return dumps(value)
    # A lone surrogate has no UTF-8 form; its backslash escape is its JSON escape as well.
    return text.encode("utf-8", "backslashreplace")


def unchanged(transcript: Transcript) -> bytes | None:
    """Give the source's own bytes of a transcript that nobody changed, None for any other.

    A writer may pass them on when it writes the source's own format and nothing else (a model's name) has to change.
    """
    records = _records(transcript)
    if not records or not transcript.is_unchanged:
        return None
    return joined(records, transcript.source.data)


def joined(records: Sequence[Record], data: bytes) -> bytes:
    """Put records back as they stood in the source: blank lines between them stay, damaged ones are left out."""
    pieces: list[bytes] = []
    end: int | None = None
    for record in records:
        if pieces:
            gap = b"" if end is None or record.repaired else data[end : record.start].replace(b"\r", b"")
            pieces.append(gap if gap.isspace() and b"\n" in gap else b"\n")
        pieces.append(record_text(record, data))
        end = None if record.repaired else record.end
    return b"".join(pieces)


def messages_around(
    transcript: Transcript,
    messages: Sequence[Json],
    key: str,
    replaced: Mapping[str, Json] | None = None,
    removed: Collection[str] = (),
) -> bytes:
    """Put message objects back into the container that the source had, in the source's own style.

    In a body they become the value of `key`; the body's other keys stay, in their order, but for those `replaced`
    (added at the end if new) and `removed`. Among lines, an object that is the very one which was read from a line
    is written as that line's own bytes.
    """
    session = transcript.session
    if session.container == "lines":
        return _lines(transcript, messages)
    style = _style(transcript)
    if session.container == "array":
        return printed(list(messages), style)
    body = dict(session.raw or {}) | {key: list(messages)} | dict(replaced or {})
    for name in removed:
        body.pop(name, None)
    return printed(body, style)


def stands_alone(transcript: Transcript) -> bool:
    """Whether the source is this one document, not a data set of one on each line."""
    data = transcript.source.data
    for record in _records(transcript):
        around = data[max(0, record.start - 64) : record.start] + data[record.end : record.end + 64]
        return record.repaired or not around.strip()
    return True


def _lines(transcript: Transcript, messages: Sequence[Json]) -> bytes:
    style = _style(transcript)
    by_object = _records_by_object(transcript)
    data = transcript.source.data
    lines = []
    for message in messages:
        record = by_object.get(id(message))
        lines.append(printed(message, style) if record is None else record_text(record, data))
    return b"\n".join(lines)


def _records_by_object(transcript: Transcript) -> dict[int, Record]:
    """Index the records by the identity of the object that was read from each; the source's messages keep it alive."""
    numbered = {record.number: record for record in transcript.source.records}
    found: dict[int, Record] = {}
    for message in transcript.source.messages:
        if message.raw is not None and len(message.records) == 1 and message.records[0] in numbered:
            found[id(message.raw)] = numbered[message.records[0]]
        for block in message.blocks:
            # Where several records make one message, each block keeps the whole object that it came from.
            if block.raw is not None and block.place is not None and block.place.record in numbered:
                found.setdefault(id(block.raw), numbered[block.place.record])
    return found


def _style(transcript: Transcript) -> Style:
    records = _records(transcript)
    if not records or records[0].repaired:
        return COMPACT
    return style_of(transcript.source.data[records[0].start : records[0].end])


def _records(transcript: Transcript) -> Sequence[Record]:
    """Find the records that hold this transcript: all of them for lines, else the one of its document."""
    records = transcript.source.records
    if transcript.session.container == "lines":
        return records
    return [record for record in records if record.number == transcript.session.record][:1]
