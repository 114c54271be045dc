"""Hiding marked messages, with the other half of every pair that they break."""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, hidden
from segue.model import History, Mark, Message
from segue.passes.pairing import Spot, pairing_of, without


def hide_marked(history: History, rule: str, mark: Mark) -> Iterator[Message | Change]:
    """Hide every message with the mark; calls and results elsewhere that belong to one of it go along."""
    marked = {index for index, message in enumerate(history.messages) if mark in message.marks}
    halves = _other_halves(history, marked)
    gone: list[Message] = []
    kept: list[Message] = []
    for index, message in enumerate(history.messages):
        if index in marked:
            gone.append(message)
        elif index in halves:
            blocks = without(message.blocks, halves[index])
            if blocks:
                kept.append(message.with_blocks(blocks))
            else:
                gone.append(message)
        else:
            kept.append(message)
    plural = "s" if len(gone) != 1 else ""
    yield hidden(rule, f"hid {len(gone):,} {mark} message{plural}", gone)
    yield from kept


def _other_halves(history: History, marked: set[int]) -> dict[int, set[int]]:
    halves: dict[int, set[int]] = {}
    for pair in pairing_of(history).pairs:
        spots: list[Spot] = [pair.at, *(spot for spot, _ in pair.results)]
        if any(spot.message in marked for spot in spots):
            for spot in spots:
                if spot.message not in marked:
                    halves.setdefault(spot.message, set()).add(spot.block)
    return halves
