"""Drop thinking without words that nobody can read.

Thinking with no words but its own model's signature is kept: the display was omitted, or the reasoning is encrypted,
and the model wants it back. Any other blank thinking says nothing, and an empty block is refused.
Source: pi's transformMessages 0.66; api rule A-R1, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "thinking", "text": "", "signature": "EqQB"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "text", "text": "Yes."}]}

    - 0.0 dropped thinking without words
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, dropped, rewritten
from segue.model import Block, History, Message, Thinking
from segue.passes._policy import Policy
from segue.passes._signatures import CHAT_FIELDS, holds, is_required_blank
from segue.targets import Target

RULE = "blank-thinking"
NEEDS = frozenset({"Thinking"})
ALONE = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        is_own = target.wrote(message.origin)
        gone = [
            block
            for block in message.blocks
            if type(block) is Thinking
            and not block.redacted
            and not block.text.strip()
            and not (is_own and holds(block.signature, target, policy))
            and not is_required_blank(block, target, policy)
        ]
        if not gone:
            yield message
            continue
        for block in gone:
            if block.signature in CHAT_FIELDS and not block.text:
                yield rewritten(RULE, f"left out the empty field {block.signature!r}", message, block, before=None)
                continue
            why = f" ({_item_id(block)})" if _item_id(block) else ""
            yield dropped(RULE, f"dropped thinking without words{why}", message, block)
        kept: list[Block] = [block for block in message.blocks if not any(block is other for other in gone)]
        yield replace(message.with_blocks(kept), marks=message.marks | {"thinking-lost"})


def _item_id(block: Thinking) -> str | None:
    found = (block.raw or {}).get("id")
    return f"reasoning {found!r}" if isinstance(found, str) else None
