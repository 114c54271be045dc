"""Write a Codex rollout over: a list of lines, some of which hold lists of items themselves.

Only what has to change changes; every other line is the bytes that it was. Each block of a fitted message goes home to
the item that it was read from: a line, or a place in a compaction's list or in the document of the first agent. A
home whose blocks are all the very same is left alone, a changed one is spelled anew in its place, one that nobody comes
home to is removed. What is new, and what a rule has moved, stands behind the item that it follows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, pairwise
from operator import is_

from segue.changes import Change, hidden
from segue.formats._codex_context import is_payload
from segue.formats._codex_homes import LISTS, Home, Homes, items_of
from segue.formats._codex_items import spelled_items
from segue.formats._codex_numbers import numbered
from segue.formats._document import printed, style_of
from segue.formats._openai import joined_texts
from segue.formats._responses_spelling import Spelling
from segue.model import Block, Json, Message, Record, Text, Transcript
from segue.records import record_text, value_of
from segue.targets import Target

EPOCH = "1970-01-01T00:00:00.000Z"


@dataclass(slots=True)
class Layout:
    """What becomes of the source's items."""

    values: dict[Home, Json] = field(default_factory=dict)  # new items in old places
    gone: set[Home] = field(default_factory=set)
    before: dict[Home, list[Json]] = field(default_factory=dict)
    after: dict[Home, list[Json]] = field(default_factory=dict)
    end: list[Json] = field(default_factory=list)

    @property
    def touched(self) -> set[int]:
        return {home.record for home in chain(self.values, self.gone, self.before, self.after)}


def written(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    """Write a fitted transcript over the lines that it was read from."""
    records, data = transcript.source.records, transcript.source.data
    if transcript.tools != transcript.session.tools:
        what = f"{len(transcript.tools)} tool definitions left to codex, which declares its own"
        yield hidden("tool-definitions", what, (), count=len(transcript.tools))
    changes: list[Change] = []
    layout = _layout(transcript, target, changes)
    yield from changes
    values = _changed_records(transcript, layout)
    if not layout.touched and not layout.end and not values and _are_neighbours(records):
        yield data[records[0].start : records[-1].end]
        return
    yield b"\n".join(_lines(transcript, layout, values))


# ---------------------------------------------------------------------------------------------- layout


@dataclass(slots=True)
class _Piece:
    """Blocks of a fitted message that have one home, or none yet."""

    home: Home | None
    message: Message
    blocks: list[Block]


def _layout(transcript: Transcript, target: Target, changes: list[Change]) -> Layout:
    homes = Homes(transcript)
    spelling = Spelling(transcript.session, target, True, {}, whole_ids=True)
    pieces = [piece for message in transcript.messages for piece in _pieces(message, homes)]
    together: dict[Home, list[_Piece]] = {}
    for piece in pieces:
        if piece.home is not None:
            together.setdefault(piece.home, []).append(piece)
    for message in transcript.source.messages:
        if message.number in transcript.hidden:
            for at, blocks in homes.shares(message):
                together.setdefault(at, []).append(_Piece(at, message, blocks))
    layout = Layout(gone=homes.blocks.keys() - together.keys())
    order: list[tuple[Home | None, list[Json], Message]] = []  # homes, and the new items between them
    done: set[Home] = set()
    for piece in pieces:
        if (home := piece.home) is None:
            order.append((None, _spelled(piece.message, piece.blocks, None, spelling, changes), piece.message))
        elif home not in done:
            done.add(home)
            more = _settle(home, together[home], homes, layout, spelling, changes)
            order.append((home, [], piece.message))
            if more:
                order.append((None, more, piece.message))
    _place(order, homes, layout)
    return layout


def _pieces(message: Message, homes: Homes) -> Iterator[_Piece]:
    source = homes.messages.get(message.number) if message.number is not None else None
    if source is not None and message is source:
        yield from (_Piece(home, message, blocks) for home, blocks in homes.shares(message))
        return
    if source is not None and source.raw is not None and not message.blocks:
        yield from (_Piece(home, message, []) for home, _ in homes.shares(source))  # an item may hold nothing
        return
    first = next((home for home, _ in homes.shares(source)), None) if source is not None and message.records else None
    at = first
    spots: list[tuple[Home | None, Block]] = []
    for block in message.blocks:
        at = homes.of(block) or at
        spots.append((at, block))
    for home, group in groupby(spots, lambda spot: spot[0]):
        yield _Piece(home, message, [block for _, block in group])


def _settle(
    home: Home, pieces: list[_Piece], homes: Homes, layout: Layout, spelling: Spelling, changes: list[Change]
) -> list[Json]:
    """Spell a home's item anew if anything in it has changed. Gives what has to follow it."""
    pieces = sorted(pieces, key=lambda piece: -1 if piece.message.number is None else piece.message.number)
    blocks = [block for piece in pieces for block in piece.blocks]
    before = homes.blocks[home]
    if len(blocks) == len(before) and all(map(is_, blocks, before)):
        return []
    item = homes.items[home]
    made = _spelled(pieces[0].message, blocks, item, spelling, changes)
    if not made:
        layout.gone.add(home)
    elif made[0] != item:
        # What the agent notes for itself beside an item holds on, whatever the item says now.
        layout.values[home] = made[0] | {key: item[key] for key in item if key.startswith("internal_")}
    return made[1:]


def _spelled(
    message: Message, blocks: Sequence[Block], item: Json, spelling: Spelling, changes: list[Change]
) -> list[Json]:
    """Spell blocks as items; `item` is what they were read from."""
    if item is not None and is_payload(item):
        key = "message" if isinstance(item.get("message"), str) else "content"
        return [{**item, key: joined_texts(block for block in blocks if isinstance(block, Text))}]
    made: list[Json] = []
    for piece in spelled_items(replace(message, blocks=tuple(blocks), touched=True), spelling):
        if isinstance(piece, Change):
            changes.append(piece)
        else:
            made.append(piece)
    return made


def _place(order: Sequence[tuple[Home | None, list[Json], Message]], homes: Homes, layout: Layout) -> None:
    """Put what is new, or was moved, behind what it follows; a prompt at the end goes to the end."""
    ranks = {home: rank for rank, home in enumerate(homes.blocks)}
    places = [(index, ranks[home]) for index, (home, _, _) in enumerate(order) if home is not None]
    stays = _ascending(places)
    last = max(stays, default=-1)
    anchor: Home | None = None
    waiting: list[Json] = []
    for index, (home, new, message) in enumerate(order):
        if home is not None and index in stays:
            layout.before.setdefault(home, []).extend(waiting)
            waiting, anchor = [], home
            continue
        if home is not None:
            new = [layout.values.pop(home, homes.items[home])]
            layout.gone.add(home)
        if anchor is None:
            waiting.extend(new)
        elif index > last and message.role == "user":
            layout.end.extend(new)
        else:
            layout.after.setdefault(anchor, []).extend(new)
    layout.end.extend(waiting)
    layout.before = {home: new for home, new in layout.before.items() if new}


def _ascending(places: Sequence[tuple[int, int]]) -> set[int]:
    """Give the indices of the longest run of places that still ascends: everything else was moved."""
    ends: list[int] = []
    links: list[int] = []
    back: list[int | None] = []
    for at, (_, rank) in enumerate(places):
        spot = bisect_right(ends, rank)
        ends[spot:] = [rank] if spot == len(ends) else [rank, *ends[spot + 1 :]]
        links[spot:] = [at] if spot == len(links) else [at, *links[spot + 1 :]]
        back.append(links[spot - 1] if spot else None)
    found: set[int] = set()
    step: int | None = links[-1] if links else None
    while step is not None:
        found.add(places[step][0])
        step = back[step]
    return found


# ------------------------------------------------------------------------------------------------ lines


def _changed_records(transcript: Transcript, layout: Layout) -> dict[int, Json]:
    """Give the new values of records, by index: with a list of their own, or the header with another prompt."""
    records, data = transcript.source.records, transcript.source.data
    alone = len(records) == 1
    values: dict[int, Json] = {}
    for index, record in enumerate(records):
        if (index in layout.touched or (alone and layout.end)) and items_of(record.value) is not None:
            values[index] = _with_items(record.value, index, layout, layout.end if alone else [])
    if transcript.system == transcript.session.system:
        return values
    for index, record in enumerate(records):
        value = values.get(index) or value_of(record, data)
        inner = value.get("payload", value.get("session", value)) if isinstance(value, Mapping) else None
        if inner == transcript.session.raw:
            values[index] = _with_prompt(value, joined_texts(transcript.system))
            break
    return values


def _with_items(value: Json, index: int, layout: Layout, end: Sequence[Json]) -> Json:
    made: list[Json] = []
    for slot, item in enumerate(items_of(value) or ()):
        home = Home(index, slot)
        made.extend(layout.before.get(home, ()))
        if home not in layout.gone:
            made.append(layout.values.get(home, item))
        made.extend(layout.after.get(home, ()))
    if "payload" in value:
        return {**value, "payload": {**value["payload"], LISTS[1]: made}}
    return {**value, LISTS[0]: [*made, *end]}


def _with_prompt(value: Json, words: str) -> Json:
    key = next((key for key in ("payload", "session") if key in value), None)
    head = value[key] if key else value
    base = head.get("base_instructions")
    text = words or None
    new = {"base_instructions": {**base, "text": words}} if isinstance(base, Mapping) else {"instructions": text}
    return {**value, key: {**head, **new}} if key else {**value, **new}


def _lines(transcript: Transcript, layout: Layout, values: Mapping[int, Json]) -> list[bytes]:
    records, data = transcript.source.records, transcript.source.data
    lines: list[bytes] = []
    new: set[int] = set()  # which lines have no number of their own yet

    def add(items: Sequence[Json], near: Record) -> None:
        for item in items:
            new.add(len(lines))
            lines.append(printed(_in_line(item, value_of(near, data)), style_of(record_text(near, data))))

    for index, record in enumerate(records):
        home = Home(index)
        add(layout.before.get(home, ()), record)
        if home in layout.values:
            value = value_of(record, data)
            item = layout.values[home]
            value = {**value, "payload": item} if "payload" in value else item
            lines.append(printed(value, style_of(record_text(record, data))))
        elif home not in layout.gone:
            text = record_text(record, data)
            lines.append(printed(values[index], style_of(text)) if index in values else text)
        add(layout.after.get(home, ()), record)
    if not (len(records) == 1 and items_of(records[0].value) is not None):
        add(layout.end, records[-1])
    return numbered(lines, new)


def _in_line(item: Json, near: Json) -> Json:
    """Give an item the envelope that the line beside it has, with that line's time."""
    if not isinstance(near, Mapping) or "payload" not in near:
        return item
    return {"timestamp": near.get("timestamp", EPOCH), "type": "response_item", "payload": item}


def _are_neighbours(records: Sequence[Record]) -> bool:
    """Tell whether the records stand line by line in the source, with nothing between that had to be left out."""
    sound = bool(records) and not any(record.repaired for record in records)
    return sound and all(one.end + 1 == other.start for one, other in pairwise(records))
