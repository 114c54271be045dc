"""Say a result's empty list of parts as an empty text where the api refuses empty lists.

Source: api rule C-S2, read 2026-11.

Example, for openai/gpt-4o over openai-completions:

    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": [], "raw": {"content": []}}]}
  →
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": [], "raw": {"content": ""}}]}

    = 0.0 said the empty content of the result of call 'c1' (ls) as an empty text
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, call_named, rewritten
from segue.model import Block, History, Message, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "empty-content"
NEEDS = frozenset({"ToolResult"})
ALONE = True
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if target.empty_lists or not policy.same_format:
        yield from history.messages
        return
    for message in history.messages:
        if not any(map(_is_empty_list, message.blocks)):
            yield message
            continue
        blocks: list[Block] = []
        for block in message.blocks:
            if isinstance(block, ToolResult) and _is_empty_list(block):
                called = call_named(block)
                what = f"said the empty content of the result of call {called} as an empty text"
                yield rewritten(RULE, what, message, block, before=None)
                blocks.append(replace(block, raw={**(block.raw or {}), "content": ""}))
            else:
                blocks.append(block)
        yield message.with_blocks(blocks)


def _is_empty_list(block: Block) -> bool:
    return isinstance(block, ToolResult) and not block.content and isinstance((block.raw or {}).get("content"), list)
