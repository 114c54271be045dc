"""Put a word of the assistant between tool results and what the user says right behind them.

Some models' templates know no user turn directly after results, and some take no document beside them. The filler
says nothing: it only closes the turn.
Source: api rules M-S2 and B-T7; aliou/pi-neuralwatt#12, read 2026-11.

Example, for mistral/mistral-small-latest:

    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "find", "content": "3 hits"}]}
    {"role": "user", "content": "stop"}
  →
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "find", "content": "3 hits"}]}
    {"role": "assistant", "content": "(results received)"}
    {"role": "user", "content": "stop"}

    + 1 synthesized an assistant message between the results and the user's words
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from segue.changes import Change, synthesized
from segue.model import Block, History, Media, Message, Text, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "user-after-result"
NEEDS = frozenset({"ToolResult"})
SENT_ONLY = True
FILLER = "(results received)"


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if target.user_after_results and target.documents_beside_results:
        yield from history.messages
        return
    behind_results = False
    for message in history.messages:
        if message.role == "assistant":
            behind_results = False
            yield message
            continue
        lead = 0
        while lead < len(message.blocks) and isinstance(message.blocks[lead], ToolResult):
            lead += 1
        behind_results = behind_results or lead > 0
        said = message.blocks[lead:]
        if not (behind_results and said and _is_refused(said, target)):
            yield message
            continue
        what = "synthesized an assistant message between the results and the user's words"
        yield synthesized(RULE, what, message, before=None, after=FILLER)
        if lead:
            yield replace(message.with_blocks(message.blocks[:lead]), role="tool", raw=None)
        yield Message("assistant", (Text(FILLER),), time=message.time, touched=True)
        yield message.with_blocks(said) if lead else message
        behind_results = False


def _is_refused(said: Sequence[Block], target: Target) -> bool:
    """Tell whether the target refuses these blocks in the turn of the results."""
    if not target.user_after_results:
        return True
    return any(isinstance(block, Media) and block.kind == "document" for block in said)
