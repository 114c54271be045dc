"""Keep one result for each call.

A repeated result is refused, or silently believed. A real result beats an error, an error beats a filler that some
agent had put in; of equals the first stays.
Source: pi's transformMessages 0.66; api rule A-T6, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "No result provided", "is_error": true}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "a.txt"}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "a.txt"}]}

    - 1.0 dropped a duplicate result of call 'c1' (ls): a better one is there
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, dropped
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.passes.pairing import pairing_of, rank, without
from segue.targets import Target

RULE = "duplicate-result"
NEEDS = frozenset({"ToolResult"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    gone: dict[int, set[int]] = {}
    pairing = pairing_of(history)
    for pair in pairing.pairs if not pairing.is_sound else ():
        if len(pair.results) < 2:
            continue
        best = max(pair.results, key=lambda found: rank(found[1]))
        for spot, result in pair.results:
            if spot == best[0]:
                continue
            message = history.messages[spot.message]
            why = "a better one is there" if rank(result) < rank(best[1]) else "the first one stays"
            what = f"dropped a duplicate result of call {pair.call.id!r} ({pair.call.name}): {why}"
            yield dropped(RULE, what, message, result)
            gone.setdefault(spot.message, set()).add(spot.block)
    for index, message in enumerate(history.messages):
        if index not in gone:
            yield message
        elif blocks := without(message.blocks, gone[index]):
            yield message.with_blocks(blocks)
