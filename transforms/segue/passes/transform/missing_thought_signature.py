"""Sign the first call of each step of the current turn where the target demands it and nobody did.

Gemini from 3 on checks that the calls since the last prompt bring the signatures that it gave them. What another
model called, or another transport of the same, has none; Google documents a word that stands in for it. It costs
quality, so it is used only where the request would be refused: on the first call of a step, since the last user text.
Source: api rules G-R1 and G-R2; Google's document on thought signatures, read 2026-11.

Example, for google/gemini-3-pro-preview:

    {"role": "user", "content": "list"}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}, {"type": "tool_call", "id": "c2", "name": "pwd", "arguments": {}}]}
  →
    {"role": "user", "content": "list"}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}, "signature": "skip_thought_signature_validator"}, {"type": "tool_call", "id": "c2", "name": "pwd", "arguments": {}}]}

    + 1.0 synthesized a stand-in for the thought signature of call 'c1' (ls)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, synthesized
from segue.model import History, Message, Text, ToolCall
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "missing-thought-signature"
NEEDS = frozenset({"ToolCall"})
STAND_IN = "skip_thought_signature_validator"


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if not (target.required_call_signatures and policy.as_request):
        yield from history.messages
        return
    start = _current_turn(history.messages)
    yield from history.messages[:start]
    for message in history.messages[start:]:
        first = next((index for index, block in enumerate(message.blocks) if isinstance(block, ToolCall)), None)
        call = message.blocks[first] if first is not None else None
        if first is None or not isinstance(call, ToolCall) or call.signature:
            yield message
            continue
        what = f"synthesized a stand-in for the thought signature of call {call.id!r} ({call.name})"
        yield synthesized(RULE, what, message, call, after=STAND_IN)
        blocks = list(message.blocks)
        blocks[first] = replace(call, signature=STAND_IN)
        yield message.with_blocks(blocks)


def _current_turn(messages: tuple[Message, ...]) -> int:
    """Find the first message behind the last user text; results alone begin no turn."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.role == "user" and any(isinstance(b, Text) and b.text.strip() for b in message.blocks):
            return index + 1
    return 0
