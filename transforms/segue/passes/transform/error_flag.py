"""Tell that a result's error mark cannot be said on this api.

Chat Completions and Responses have no field for it: the model only sees the words. Results that were made up say
themselves what they are.
Source: pi adapters, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "not found", "is_error": true}]}
  →
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "not found"}]}

    ~ 0.0 lost the error mark of the result of call 'c1' (ls)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, call_named, downgraded
from segue.model import History, Message, ToolResult
from segue.passes._policy import Policy
from segue.passes.pairing import is_filler
from segue.targets import Target

RULE = "error-flag"
NEEDS = frozenset({"error-result"})
ALONE = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if target.error_flag or not policy.as_request:
        yield from history.messages
        return
    for message in history.messages:
        marked = [block for block in message.blocks if isinstance(block, ToolResult) and block.is_error]
        for block in marked:
            if not is_filler(block):
                called = call_named(block)
                yield downgraded(RULE, f"lost the error mark of the result of call {called}", message, block)
        if not marked:
            yield message
        else:
            yield message.with_blocks(
                replace(b, is_error=False) if isinstance(b, ToolResult) and b.is_error else b for b in message.blocks
            )
