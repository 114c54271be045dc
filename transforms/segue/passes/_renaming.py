"""Renaming calls together with the results that answer them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from segue.model import Block, History, Message
from segue.passes.pairing import Pair


def renamed(history: History, new_ids: Iterable[tuple[Pair, str]]) -> Iterator[Message]:
    """Yield the messages with new ids on each pair's call and all its results; untouched ones as they are."""
    changed: dict[int, dict[int, Block]] = {}
    for pair, new in new_ids:
        changed.setdefault(pair.at.message, {})[pair.at.block] = replace(pair.call, id=new)
        for spot, result in pair.results:
            changed.setdefault(spot.message, {})[spot.block] = replace(result, call_id=new)
    for index, message in enumerate(history.messages):
        if index in changed:
            of_message = changed[index]
            yield message.with_blocks(of_message.get(number, block) for number, block in enumerate(message.blocks))
        else:
            yield message
