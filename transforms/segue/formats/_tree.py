"""Write a session back in its own format: a file of records that name their parents.

Only what has to change changes; every other line is the bytes that it was. The plan:

1. *Contents.* A message that is the very one that was read leaves its records alone. The blocks of a changed one go
   back to the records that they came from (`block.place.record`; a new block goes with the one before it), and the
   format's `rewrite` lays them over. Records of messages that are gone, and not merely hidden, are removed.
2. *Places.* New messages, and messages that a rule moved, come behind the message that they follow now.
3. *Links.* Along the path that leads to the leaf each record gets the one before it as its parent, new ones included;
   off the path a child of a removed record goes to the nearest ancestor left. `relink` repairs other references.
4. *Lines.* File order stays; what is new or moved stands right behind the record that it follows.

A `linear` file has no ids: its order is the path, and `relink` repairs what counts lines. Step 2 is in
`_tree_places`, 3 and 4 in `_tree_links`; they are taken only if something is gone, new or moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from segue.formats._document import COMPACT, Style, printed, style_of
from segue.formats._tree_links import Links, Tree, linked
from segue.formats._tree_places import moved_messages
from segue.model import Block, Json, Message, Record, Transcript
from segue.records import record_text, value_of

__all__ = ["Links", "Tree", "written_lines"]


def written_lines(transcript: Transcript, tree: Tree) -> list[bytes]:
    """Write a fitted transcript over the records that it was read from: lines without the last one's end."""
    records, data = transcript.source.records, transcript.source.data
    values, gone = _contents(transcript, tree)
    by_number = {record.number: record for record in records} if transcript.session.joined else {}
    for number, above in transcript.session.joined.items():
        parent = value_of(by_number[above], data)
        value = values.get(number, value_of(by_number[number], data))
        if number not in gone and isinstance(value, dict) and isinstance(parent, dict):
            values[number] = {**value, tree.parent: parent.get(tree.id)}
    moved = moved_messages(transcript)
    order: list[Json] = list(records)
    if gone or moved or any(not message.records for message in transcript.messages):
        parsed = {record.number: values.get(record.number, value_of(record, data)) for record in records}
        before = dict(parsed)
        order = linked(transcript, tree, parsed, gone, moved)
        values |= {number: value for number, value in parsed.items() if value is not before[number]}
    elif not values and _are_neighbours(records):
        return [data[records[0].start : records[-1].end]]  # all lines at once
    style = _style(records, data)
    return [_line(entry, values, data) if isinstance(entry, Record) else printed(entry, style) for entry in order]


def _are_neighbours(records: Sequence[Record]) -> bool:
    """Whether the records stand line by line in the source, with nothing between that would have to be left out."""
    sound = bool(records) and not any(record.repaired for record in records)
    return sound and all(one.end + 1 == other.start for one, other in pairwise(records))


def _contents(transcript: Transcript, tree: Tree) -> tuple[dict[int, Json], set[int]]:
    """Find the new values of changed records, and the numbers of the records that are gone."""
    source = transcript.source
    records = {record.number: record for record in source.records}
    originals = {message.number: message for message in source.messages}
    values: dict[int, Json] = {}
    kept: set[int] = set()
    changed: dict[tuple[int, int | None], tuple[Message, list[Block]]] = {}
    for message in transcript.messages:
        if message.number is not None and originals.get(message.number) is message:
            kept.update(message.records)
            continue
        for number, blocks in _shares(message):
            # Two messages share a record once a rule has split what was one.
            changed.setdefault((number, message.number), (message, []))[1].extend(blocks)
    for (number, _), (message, blocks) in changed.items():
        before = values.get(number, value_of(records[number], source.data))
        after = tree.rewrite(before, tuple(blocks), message)
        if after is None:
            continue
        kept.add(number)
        if after != before:
            values[number] = after
    for message in source.messages:
        if message.number in transcript.hidden:
            kept.update(message.records)
    gone = {number for message in source.messages for number in message.records} - kept
    return values, gone


def _shares(message: Message) -> list[tuple[int, list[Block]]]:
    """Give each record of a message its blocks."""
    shares: dict[int, list[Block]] = {number: [] for number in message.records}
    current = message.records[0] if message.records else None
    for block in message.blocks:
        if block.place is not None and block.place.record in shares:
            current = block.place.record
        if current is not None:
            shares[current].append(block)
    return list(shares.items())


def _line(record: Record, values: dict[int, Json], data: bytes) -> bytes:
    """Copy a record's bytes, or print its new value the way its line was printed."""
    text = record_text(record, data)
    if record.number not in values or values[record.number] == value_of(record, data):
        return text
    return printed(values[record.number], style_of(text))


def _style(records: tuple[Record, ...], data: bytes) -> Style:
    return style_of(record_text(records[0], data)) if records else COMPACT
