"""Find which messages of a session are new or moved, and where they belong: step 2 of `_tree`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from segue.model import Message, Transcript


@dataclass(frozen=True, slots=True)
class Item:
    """A message to put in. `leads`: it belongs to what stands behind it, not to what stands before it."""

    message: Message
    leads: bool


def moved_messages(transcript: Transcript) -> list[Message]:
    """Find the fewest messages that stand behind another one than in the source."""
    order = {message.number: index for index, message in enumerate(transcript.source.messages)}
    recorded = [message for message in transcript.messages if message.records and message.number in order]
    places = [order[message.number] for message in recorded]
    if all(one <= other for one, other in pairwise(places)):
        return _within_a_turn(transcript)
    # The longest run that still ascends stays; everything else was moved.
    ends: list[int] = []
    chain: list[int] = []
    before: list[int | None] = []
    for index, place in enumerate(places):
        at = bisect_right(ends, place)
        ends[at:] = [place] if at == len(ends) else [place, *ends[at + 1 :]]
        chain[at:] = [index] if at == len(chain) else [index, *chain[at + 1 :]]
        before.append(chain[at - 1] if at else None)
    stays: set[int] = set()
    step: int | None = chain[-1]
    while step is not None:
        stays.add(step)
        step = before[step]
    still = {number for index in stays for number in recorded[index].records}
    rest = [message for index, message in enumerate(recorded) if index not in stays]
    return [message for message in rest if not still.intersection(message.records)]


def _within_a_turn(transcript: Transcript) -> list[Message]:
    """Find what stands in the midst of a turn's records, and behind results that are new: it has to follow them."""
    found: list[Message] = []
    last, is_answered = -1, False  # the last record of the turn, and whether it has new results
    for message in transcript.messages:
        if message.role == "assistant" and message.records:
            last, is_answered = max(message.records), False
        elif not message.records:
            is_answered = is_answered or message.role == "tool"
        elif is_answered and max(message.records) < last:
            found.append(message)
    return found


def placed(transcript: Transcript, path: Sequence[int], moving: set[int]) -> dict[int, list[Item]]:
    """Find the place of the path behind which each new or moved message comes; -1 is before the first."""
    places = {number: index for index, number in enumerate(path)}
    fitted = transcript.messages
    spots = [() if id(one) in moving else tuple(places[n] for n in one.records if n in places) for one in fitted]
    owned = {place for spot in spots for place in spot}
    items: dict[int, list[Item]] = {}
    passed: set[int] = set()
    before: int | None = None
    nexts = _nexts(spots)
    for message, spot, after in zip(fitted, spots, nexts, strict=True):
        if spot:
            passed.update(spot)
            before = max(spot)
        elif not message.records or id(message) in moving:
            place = None if before is None else _behind(before, passed, owned)
            # Its neighbours may stand the other way round in the file: what is kept of a compaction, for one. But
            # results belong to the turn before them, in whose midst the next message may stand.
            leads = place is not None and after is not None and after <= place and message.role != "tool"
            if after is not None and (place is None or leads):
                place = after - 1
            items.setdefault(len(path) - 1 if place is None else place, []).append(Item(message, leads))
    return items


def _nexts(spots: Sequence[tuple[int, ...]]) -> list[int | None]:
    """For each message, the first place of the next one that has a place."""
    nexts: list[int | None] = []
    after: int | None = None
    for spot in reversed(spots):
        nexts.append(after)
        after = min(spot) if spot else after
    return nexts[::-1]


def _behind(place: int, passed: set[int], owned: set[int]) -> int:
    """Go on behind further records of messages that came before: one answer's records may have results among them."""
    last = max(owned)
    step = place + 1
    while step <= last and (step in passed or step not in owned):
        place = step if step in passed else place
        step += 1
    return place
