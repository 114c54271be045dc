"""Join the system messages at the head where the host takes one only.

Chat templates raise when a second system message follows the first. What several said, one says, a part each.
Source: wire rules 6.3 and 6.4; raullenchai/Rapid-MLX#1543, read 2026-11.

Example, for vllm/some-model over openai-completions:

    {"role": "system", "content": "be terse"}
    {"role": "system", "content": "use metric"}
    {"role": "user", "content": "hi"}
  →
    {"role": "system", "content": [{"type": "text", "text": "be terse"}, {"type": "text", "text": "use metric"}]}
    {"role": "user", "content": "hi"}

    = 1 joined a system message to the one before it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import Declared, History, Message, Text
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "second-system"
NEEDS = frozenset({"system"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change | Declared]:
    head = 0
    while head < len(history.messages) and history.messages[head].role == "system":
        head += 1
    leading = history.messages[:head]
    if not (target.single_system and policy.as_request) or head + bool(history.system) < 2:
        yield from history.messages
        return
    first, *others = leading
    for message in leading if history.system else others:
        yield rewritten(RULE, "joined a system message to the one before it", message, before=None)
    if history.system:  # they join the prompt that stands beside the messages
        texts = tuple(block for message in leading for block in message.blocks if isinstance(block, Text))
        yield Declared(system=history.system + texts)
    else:
        blocks = tuple(block for message in leading for block in message.blocks)
        records = tuple(dict.fromkeys(record for message in leading for record in message.records))
        yield replace(first.with_blocks(blocks), records=records)
    yield from history.messages[head:]
