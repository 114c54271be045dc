"""Move an assistant's texts in front of its calls where the api wants them there.

Bedrock refuses a text behind a call in one message. The words are the same, only their place is not.
Source: api rule B-S7, read 2026-11.

Example, for amazon-bedrock/anthropic.claude-sonnet-4-5:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}, {"type": "text", "text": "Listing."}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "text", "text": "Listing."}, {"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}]}

    = 0.1 moved a text in front of the calls of its message
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, rewritten
from segue.model import Block, History, Message, Text, ToolCall
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "text-after-call"
NEEDS = frozenset({"ToolCall"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if target.text_after_calls:
        yield from history.messages
        return
    for message in history.messages:
        first = next((index for index, block in enumerate(message.blocks) if isinstance(block, ToolCall)), None)
        late = [block for block in message.blocks[first:] if isinstance(block, Text)] if first is not None else []
        if message.role != "assistant" or first is None or not late:
            yield message
            continue
        for block in late:
            yield rewritten(RULE, "moved a text in front of the calls of its message", message, block)
        rest: list[Block] = [block for block in message.blocks[first:] if not isinstance(block, Text)]
        yield message.with_blocks([*message.blocks[:first], *late, *rest])
