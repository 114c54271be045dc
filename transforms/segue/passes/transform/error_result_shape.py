"""Let results marked as errors hold text only, and some.

The api refuses an error result that holds an image or nothing at all. Media follow behind all results of the turn; an
empty one says that there was no output.
Source: api rule A-T8; pi issue 10794, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "fetch", "content": [], "is_error": true}]}
  →
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "fetch", "content": "(no output)", "is_error": true}]}

    = 0.0 put a placeholder into the empty error result of call 'c1' (fetch)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, call_named, rewritten
from segue.model import Block, History, Media, Message, Text, ToolResult
from segue.passes._policy import Policy
from segue.passes.transform.media_in_tool_result import media_moved
from segue.targets import Target

RULE = "error-result-shape"
NEEDS = frozenset({"error-result"})
SENT_ONLY = True
EMPTY = "(no output)"


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if not target.text_only_error_results:
        yield from history.messages
        return
    filled: list[Message] = []
    for message in history.messages:
        empty = [b for b in message.blocks if isinstance(b, ToolResult) and b.is_error and _is_empty(b)]
        for block in empty:
            called = call_named(block)
            what = f"put a placeholder into the empty error result of call {called}"
            yield rewritten(RULE, what, message, block, before=None, after=EMPTY)
        blocks: list[Block] = [_filled(b) if any(b is e for e in empty) else b for b in message.blocks]
        filled.append(message.with_blocks(blocks) if empty else message)
    caption = "Attached {kind} from the error result of call {call}:"
    moved = replace(history, messages=tuple(filled))
    yield from media_moved(moved, RULE, lambda result: result.is_error, caption)


def _is_empty(result: ToolResult) -> bool:
    return not any(isinstance(b, Media) or (isinstance(b, Text) and b.text.strip()) for b in result.content)


def _filled(block: Block) -> Block:
    return replace(block, content=(Text(EMPTY),)) if isinstance(block, ToolResult) else block
