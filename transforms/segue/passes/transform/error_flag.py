"""Tell that a result's error mark cannot be said on this api.

Chat Completions and Responses have no field for it: the model only sees the words, so they begin with `[tool error]`
from now on. Results that were made up say themselves what they are.
Source: pi adapters 1.6, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "not found", "is_error": true}]}
  →
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "[tool error] not found"}]}

    ~ 0.0 lost the error mark of the result of call 'c1' (ls)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, call_named, downgraded
from segue.model import ContentBlock, History, Message, Text, ToolResult
from segue.passes._policy import Policy
from segue.passes.pairing import is_filler
from segue.targets import Target

RULE = "error-flag"
NEEDS = frozenset({"error-result"})
PREFIX = "[tool error]"
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
                _in_words(b) if isinstance(b, ToolResult) and b.is_error else b for b in message.blocks
            )


def _in_words(result: ToolResult) -> ToolResult:
    """Say in the result's text what its flag had said."""
    content: list[ContentBlock] = list(result.content)
    first = next((index for index, block in enumerate(content) if isinstance(block, Text)), None)
    if not is_filler(result):
        block = content[first] if first is not None else None
        if not isinstance(block, Text) or first is None:
            content.insert(0, Text(PREFIX))
        elif not block.text.lstrip().casefold().startswith(PREFIX):
            content[first] = replace(block, text=f"{PREFIX} {block.text}".rstrip())
    return replace(result, content=tuple(content), is_error=False)
