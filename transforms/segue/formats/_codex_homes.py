"""Find the item of a Codex rollout that each block of its history was read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from segue.model import Block, Json, Message, Transcript

LISTS = ("items", "replacement_history")  # of the document of the first agent, of a compaction


@dataclass(frozen=True, slots=True)
class Home:
    """Where an item stands: the index of its record, and its place in the list that the record holds."""

    record: int
    slot: int = -1


class Homes:
    """Which item each block of the source was read from."""

    def __init__(self, transcript: Transcript) -> None:
        self.messages = {message.number: message for message in transcript.source.messages}
        self.slots: dict[int, Home] = {}
        index = {record.number: at for at, record in enumerate(transcript.source.records)}
        self.indices = index
        for record in transcript.source.records:
            for slot, item in enumerate(items_of(record.value) or ()):
                self.slots[id(item)] = Home(index[record.number], slot)
        self.blocks: dict[Home, list[Block]] = {}  # in the order of the history
        self.items: dict[Home, Json] = {}
        for message in transcript.source.messages:
            for home, blocks in self.shares(message):
                self.blocks.setdefault(home, []).extend(blocks)

    def shares(self, message: Message) -> list[tuple[Home, list[Block]]]:
        """Give each home of a source's message its blocks."""
        if message.raw is not None:
            home = self._home(message.raw, message.records[0])
            return [(home, list(message.blocks))]
        homes: dict[Home, list[Block]] = {}
        for block in message.blocks:
            if block.place is not None:
                homes.setdefault(self._home(block.raw, block.place.record), []).append(block)
        return list(homes.items())

    def of(self, block: Block) -> Home | None:
        """Find the home of any block that has a place."""
        place = block.place
        source = self.messages.get(place.message) if place is not None else None
        if place is None or source is None or place.block >= len(source.blocks):
            return None
        raw = source.raw if source.raw is not None else source.blocks[place.block].raw
        return self._home(raw, place.record)

    def _home(self, raw: Json, record: int) -> Home:
        home = self.slots.get(id(raw)) or Home(self.indices[record])
        self.items[home] = raw
        return home


def items_of(value: Json) -> list[Json] | None:
    """Give the list of items that a record holds, None if it holds none."""
    if not isinstance(value, Mapping):
        return None
    inner = value.get("payload") if value.get("type") == "compacted" else value
    key = LISTS[inner is not value]
    listed = inner.get(key) if isinstance(inner, Mapping) else None
    return listed if isinstance(listed, list) else None
