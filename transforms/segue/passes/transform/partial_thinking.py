"""Settle what is left of the latest turn's thinking when a part of it had to go.

Anthropic compares the thinking of the latest assistant turn with what it had sent: all of it, in its order, or none.
A block missing, or something that stood between or behind it gone, and the request is refused. (A blank text that
leads the turn may go.) The rest is treated like thinking that its api does not take back: it becomes text, or goes with
`--thinking drop`.
Source: api rule A-R3; anthropics/claude-code#63574; anomalyco/opencode#16748, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "user", "content": "even?"}
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "marks": ["thinking-lost"], "content": [{"type": "thinking", "text": "hm", "signature": "EqQB"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "user", "content": "even?"}
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "marks": ["thinking-lost"], "content": [{"type": "text", "text": "hm"}, {"type": "text", "text": "Yes."}]}

    ~ 1.0 turned what is left of the latest turn's thinking into text
    ~ 1.0 lost the signature of thinking
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from segue.changes import Change
from segue.model import History, Message, Thinking
from segue.passes._policy import Policy
from segue.passes.transform.foreign_thinking import as_text_or_dropped
from segue.targets import Target

RULE = "partial-thinking"
NEEDS = frozenset({"Thinking"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    last = max((index for index, m in enumerate(history.messages) if m.role == "assistant"), default=-1)
    for index, message in enumerate(history.messages):
        thinking = message.of(Thinking) if index == last and target.whole_thinking else []
        if not thinking or not ("thinking-lost" in message.marks or _has_gaps(message)):
            yield message
            continue
        called = "what is left of the latest turn's thinking"
        yield from as_text_or_dropped(message, thinking, RULE, called, target, policy)


def _has_gaps(message: Message) -> bool:
    """Tell whether something is gone that stood behind thinking, among the blocks of one source message."""
    thought: set[int] = set()
    for one, other in pairwise(message.blocks):
        if one.place is None or other.place is None or one.place.message != other.place.message:
            continue
        if isinstance(one, Thinking):
            thought.add(one.place.message)
        if one.place.message in thought and other.place.block - one.place.block > 1:
            return True
    return False
