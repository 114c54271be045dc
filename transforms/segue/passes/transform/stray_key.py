"""Strip keys that the api does not know.

Request bodies that went through an agent or a log carry its bookkeeping on messages and blocks. Anthropic refuses any
unknown key.
Source: api rule A-S12, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "user", "content": [{"type": "text", "text": "hi", "raw": {"type": "text", "shownAt": 3}}]}
  →
    {"role": "user", "content": [{"type": "text", "text": "hi", "raw": {"type": "text"}}]}

    - 0.0 dropped an unknown key 'shownAt'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, dropped, rewritten, shortened
from segue.model import Block, History, Json, Message, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "stray-key"
NEEDS: frozenset[str] = frozenset()
ALONE = True
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if not (policy.same_format and policy.as_request and target.message_keys):
        yield from history.messages
        return
    for message in history.messages:
        blocks: list[Block] = []
        changes: list[Change] = []
        for block in message.blocks:
            blocks.append(_stripped(message, block, target, changes))
        raw = message.raw or {}
        stray = [key for key, value in raw.items() if _is_stray(key, value, target)]
        changes.extend(_told(message, None, key, raw[key]) for key in stray)
        yield from changes
        if not changes:
            yield message
            continue
        kept = {key: value for key, value in raw.items() if key not in stray}
        yield replace(message.with_blocks(blocks), raw=kept or None)


def _is_stray(key: str, value: Json, target: Target) -> bool:
    if key in target.thinking_keys:
        return target.thinking == "none" and _is_void(value)
    return key not in target.message_keys


def _stripped(message: Message, block: Block, target: Target, changes: list[Change]) -> Block:
    known = target.block_keys.get(str((block.raw or {}).get("type")))
    if known is None or not block.raw:
        return block
    stray = [key for key in block.raw if key not in known]
    if isinstance(block, ToolResult):
        before = len(changes)
        content = tuple(_stripped(message, inner, target, changes) for inner in block.content)
        if len(changes) > before:
            block = replace(block, content=content)  # type: ignore[arg-type]
    if not stray:
        return block
    changes.extend(_told(message, block, key, block.raw[key]) for key in stray if block.raw)
    return replace(block, raw={key: value for key, value in (block.raw or {}).items() if key not in stray})


def _told(message: Message, block: Block | None, key: str, value: Json) -> Change:
    tell = rewritten if _is_void(value) else dropped
    return tell(RULE, f"dropped an unknown key {key!r}", message, block, before=shortened(str(value)))


def _is_void(value: Json) -> bool:
    return value is None or (isinstance(value, (str, list, dict)) and not value)
