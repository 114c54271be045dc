"""Settle the own model's thinking that its api would not take back.

An aborted stream or a log leaves thinking without its signature, a copy cuts one short, and some apis take no
reasoning back at all. Such thinking is treated like another model's: it becomes text, or goes with `--thinking drop`.
Where thinking may go back without a signature, only one that is plainly another vendor's is taken off it.
Source: api rules A-R1, O-R1 and C-R1; pi issue 4464, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "thinking", "text": "Is it even?"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "text", "text": "Is it even?"}, {"type": "text", "text": "Yes."}]}

    ~ 0.0 turned thinking without a valid signature into text
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, downgraded, shortened
from segue.model import Block, History, Message, Thinking
from segue.passes._policy import Policy
from segue.passes._signatures import holds, is_foreign
from segue.passes.transform.foreign_thinking import as_text_or_dropped
from segue.targets import Target

RULE = "unsigned-thinking"
NEEDS = frozenset({"Thinking"})
ALONE = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        if not target.wrote(message.origin):
            yield message
            continue
        if target.unsigned_thinking:
            yield from _without_foreign_signatures(message, target, policy)
            continue
        thinking = [
            block
            for block in message.of(Thinking)
            if not (block.redacted and target.thinking == "signed") and not holds(block.signature, target, policy)
        ]
        if not thinking:
            yield message
            continue
        called = "thinking that its api takes back in no form" if target.thinking == "none" else (
            "thinking without a valid signature"
        )  # fmt: skip
        yield from as_text_or_dropped(message, thinking, RULE, called, target, policy)


def _without_foreign_signatures(message: Message, target: Target, policy: Policy) -> Iterator[Message | Change]:
    blocks: list[Block] = []
    for block in message.blocks:
        if isinstance(block, Thinking) and block.signature and is_foreign(block.signature, target, policy):
            what = "lost the signature of thinking: the api has no place for it"
            yield downgraded("foreign-signature", what, message, block, before=shortened(block.signature))
            block = replace(block, signature=None)
        blocks.append(block)
    is_same = all(one is other for one, other in zip(blocks, message.blocks, strict=True))
    yield message if is_same else message.with_blocks(blocks)
