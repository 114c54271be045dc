"""Put an own turn's reasoning into the field that its host reads.

The same reasoning is called `reasoning_content`, `reasoning` or `reasoning_text`, as the server or the recorder had it. A
host that looks for one of them does not see it under another name, and a strict one refuses the key.
Source: api rules C-V3 and C-R1; NousResearch/hermes-agent#11089, earendil-works/pi#5114, read 2026-11.

Example, for groq/qwen/qwen3.8-27b:

    {"role": "assistant", "by": "groq/qwen/qwen3.8-27b", "content": [{"type": "thinking", "text": "Is it even?", "signature": "reasoning_content"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "groq/qwen/qwen3.8-27b", "content": [{"type": "thinking", "text": "Is it even?", "signature": "reasoning"}, {"type": "text", "text": "Yes."}]}

    = 0.0 moved the field 'reasoning_content' to 'reasoning'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import Block, History, Message, Thinking
from segue.passes._policy import Policy
from segue.passes._signatures import CHAT_FIELDS
from segue.targets import Target

RULE = "reasoning-field"
NEEDS = frozenset({"Thinking"})
ALONE = True
SENT_ONLY = True
_OF_TEXT = CHAT_FIELDS - {"reasoning_details"}  # that one is a list, and holds more than words


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    field = target.thinking_field
    if target.thinking != "field" or field not in _OF_TEXT or not policy.as_request:
        yield from history.messages
        return
    for message in history.messages:
        blocks: list[Block] = []
        changed = False
        for block in message.blocks:
            if isinstance(block, Thinking) and block.signature in _OF_TEXT and block.signature != field:
                what = f"moved the field {block.signature!r} to {field!r}"
                yield rewritten(RULE, what, message, block, before=None)
                block = replace(block, signature=field)
                changed = True
            blocks.append(block)
        yield message.with_blocks(blocks) if changed else message
