"""Which result answers which call: one answer that every rule about calls and results asks.

A result belongs to the latest open call before it that has its id (among several in one turn: the one of its tool's
name, else the first). Where none is open it repeats the latest answered one, and where no call has its id it is an
orphan. Ids alone do not tell: models use them again, turn after turn.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from segue.model import Block, History, Message, Text, ToolCall, ToolResult

FILLER = "No result provided"
# What other agents write for a result that they have lost. They are recognised, never written.
_FILLERS = frozenset(
    text.casefold()
    for text in (
        FILLER,
        "[Tool result missing due to internal error]",
        "[Tool result missing: the session was interrupted before the tool finished]",
        "[Tool execution interrupted]",
        "[Tool execution was interrupted]",
        "Operation aborted",
        "aborted",
    )
)


class Spot(NamedTuple):
    """A block of the history: index of its message, index in the message."""

    message: int
    block: int


@dataclass(slots=True)
class Pair:
    """A call and every result that answers it, in the order of the history."""

    at: Spot
    call: ToolCall
    results: list[tuple[Spot, ToolResult]] = field(default_factory=list)


@dataclass
class Pairing:
    """All pairs in order, the results that answer nothing, and whether every result stands right behind its call."""

    pairs: list[Pair]
    orphans: list[tuple[Spot, ToolResult]]
    is_sound: bool

    def of_message(self, index: int) -> list[Pair]:
        return [pair for pair in self.pairs if pair.at.message == index]


def pairing_of(history: History) -> Pairing:
    """Pair the calls and results of a history; asked again for the same history, the same object answers."""
    found = history.__dict__.get("_pairing")
    if found is None:
        found = history.__dict__["_pairing"] = _paired(history.messages)
    return found


def is_filler(result: ToolResult) -> bool:
    """Tell whether a result was made up by some agent for one that it had lost."""
    return (
        len(result.content) == 1
        and isinstance(result.content[0], Text)
        and result.content[0].text.strip().casefold() in _FILLERS
    )


def rank(result: ToolResult) -> int:
    """Rank results of one call: a real one beats an error, an error beats a filler."""
    return 0 if is_filler(result) else 1 if result.is_error else 2


def _paired(messages: Iterable[Message]) -> Pairing:
    pairs: list[Pair] = []
    orphans: list[tuple[Spot, ToolResult]] = []
    open_by_id: dict[str, list[Pair]] = {}
    answered_by_id: dict[str, Pair] = {}
    sound = True
    waiting = 0  # calls of the latest assistant turn that have no result yet
    turn = -1  # index of that turn
    in_run = False  # nothing but results since that turn
    for index, message in enumerate(messages):
        if message.role == "assistant":
            sound = sound and not waiting
            turn, waiting, in_run = index, 0, True
        for number, block in enumerate(message.blocks):
            kind = type(block)
            if kind is ToolCall:
                pair = Pair(Spot(index, number), block)  # type: ignore[arg-type]
                pairs.append(pair)
                open_by_id.setdefault(block.id, []).append(pair)  # type: ignore[union-attr]
                waiting += 1
            elif kind is ToolResult:
                spot = Spot(index, number)
                candidates = open_by_id.get(block.call_id)  # type: ignore[union-attr]
                if candidates:
                    pair = candidates.pop(_best(candidates, block))  # type: ignore[arg-type]
                    answered_by_id[block.call_id] = pair  # type: ignore[union-attr]
                    pair.results.append((spot, block))  # type: ignore[arg-type]
                    if pair.at.message == turn and in_run:
                        waiting -= 1
                    else:
                        sound = False
                        waiting -= pair.at.message == turn
                else:
                    sound = False
                    repeated = answered_by_id.get(block.call_id)  # type: ignore[union-attr]
                    if repeated is not None:
                        repeated.results.append((spot, block))  # type: ignore[arg-type]
                    else:
                        orphans.append((spot, block))  # type: ignore[arg-type]
            elif message.role != "assistant":
                in_run = False
        if message.role in ("user", "system") and not message.blocks:
            in_run = False
    return Pairing(pairs, orphans, sound and not waiting)


def _best(candidates: list[Pair], result: ToolResult) -> int:
    """Choose among open calls of one id, by index: of the latest turn the one of the tool's name, else the first."""
    if len(candidates) == 1:
        return 0
    latest = candidates[-1].at.message
    first = bisect_left(candidates, latest, key=lambda pair: pair.at.message)
    if result.name:
        for index in range(first, len(candidates)):
            if candidates[index].call.name == result.name:
                return index
    return first


def without(blocks: tuple[Block, ...], gone: set[int]) -> list[Block]:
    """Return the blocks but for those at the given indices."""
    return [block for index, block in enumerate(blocks) if index not in gone]
