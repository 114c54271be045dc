"""Drop thinking that is bound to a history which has changed.

The newest Claude models sign their thinking together with all that stood before it: prompt, tools and every message.
Whatever else had to change in front of a signed block, an id or an image, makes the server refuse it. From the first
change on all thinking goes. In a request made from a session whose prompt and tools are not on file, all of it does.
Source: vendors' documents and error texts; Anthropic's documents on preserved thinking, read 2026-11.

Example, for anthropic/claude-opus-5-5 after a change in message 0:

    {"role": "assistant", "by": "anthropic/claude-opus-5-5", "content": [{"type": "thinking", "text": "hm", "signature": "EqQB"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-5-5", "content": [{"type": "text", "text": "Yes."}]}

    - 0.0 dropped thinking bound to a history that has changed
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, dropped
from segue.model import Block, History, Message, Thinking
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "bound-thinking"
NEEDS = frozenset({"Thinking"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    start = history.changed_from
    if policy.as_request and not history.prefix_known:
        start = 0
    if not target.bound_thinking or start is None:
        yield from history.messages
        return
    reached = False
    for message in history.messages:
        reached = reached or message.number is None or message.number >= start
        if not reached or not message.of(Thinking):
            yield message
            continue
        for block in message.of(Thinking):
            yield dropped(RULE, "dropped thinking bound to a history that has changed", message, block)
        kept: list[Block] = [block for block in message.blocks if not isinstance(block, Thinking)]
        yield message.with_blocks(kept)
