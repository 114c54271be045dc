"""Leave out cache marks beyond the number that the api takes.

The latest marks matter, for a cache is looked up from the end; on thinking none is taken. Marks are hints to the
server and no part of what was said.
Source: api rule A-S11, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "user", "content": [{"type": "text", "text": "1", "raw": {"cache_control": {"type": "ephemeral"}}}, {"type": "text", "text": "2", "raw": {"cache_control": {"type": "ephemeral"}}}, {"type": "text", "text": "3", "raw": {"cache_control": {"type": "ephemeral"}}}, {"type": "text", "text": "4", "raw": {"cache_control": {"type": "ephemeral"}}}, {"type": "text", "text": "5", "raw": {"cache_control": {"type": "ephemeral"}}}]}
  →
    {"role": "user", "content": [{"type": "text", "text": "1"}, {"type": "text", "text": "2", "raw": {"cache_control": {"type": "ephemeral"}}}, {"type": "text", "text": "3", "raw": {"cache_control": {"type": "ephemeral"}}}, {"type": "text", "text": "4", "raw": {"cache_control": {"type": "ephemeral"}}}, {"type": "text", "text": "5", "raw": {"cache_control": {"type": "ephemeral"}}}]}

    = 0.0 left out a cache mark: more than 4
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import Block, History, Message, Thinking
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "cache-mark"
NEEDS: frozenset[str] = frozenset()
SENT_ONLY = True
KEY = "cache_control"


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if not (policy.same_format and policy.as_request and target.cache_marks):
        yield from history.messages
        return
    outside = sum(_has(text) for text in history.system) + sum(bool((t.raw or {}).get(KEY)) for t in history.tools)
    marked = [
        block
        for message in history.messages
        for block in message.blocks
        if _has(block) and not isinstance(block, Thinking)
    ]
    surplus = len(marked) + outside - target.cache_marks
    gone = {id(block) for block in marked[: max(0, surplus)]}
    for message in history.messages:
        if not any(id(b) in gone or (isinstance(b, Thinking) and _has(b)) for b in message.blocks):
            yield message
            continue
        blocks: list[Block] = []
        for block in message.blocks:
            on_thinking = isinstance(block, Thinking) and _has(block)
            if id(block) in gone or on_thinking:
                why = "none may be on thinking" if on_thinking else f"more than {target.cache_marks}"
                yield rewritten(RULE, f"left out a cache mark: {why}", message, block, before=None)
                kept = {key: value for key, value in (block.raw or {}).items() if key != KEY}
                blocks.append(replace(block, raw=kept or None))
            else:
                blocks.append(block)
        yield message.with_blocks(blocks)


def _has(block: Block) -> bool:
    return block.raw is not None and bool(block.raw.get(KEY))
