"""Settle the own model's thinking that its api would not take back.

An aborted stream or a log leaves thinking without its signature, a copy cuts one short, and some apis take no
reasoning back at all. Such thinking is treated like another model's: it becomes text, or goes with `--thinking drop`.
Source: api rules A-R1, O-R1 and C-R1; pi issue 4464, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "thinking", "text": "Is it even?"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "text", "text": "Is it even?"}, {"type": "text", "text": "Yes."}]}

    ~ 0.0 turned thinking without a valid signature into text
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change
from segue.model import History, Message, Thinking
from segue.passes._policy import Policy
from segue.passes._signatures import holds
from segue.passes.transform.foreign_thinking import as_text_or_dropped
from segue.targets import Target

RULE = "unsigned-thinking"
NEEDS = frozenset({"Thinking"})
ALONE = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        if not target.wrote(message.origin) or target.unsigned_thinking:
            yield message
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
