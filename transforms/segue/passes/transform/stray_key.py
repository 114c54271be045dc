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

from collections.abc import Iterator, Mapping
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
        changes: list[Change] = []
        cleaned: dict[int, Mapping[str, Json]] = {}  # by the identity of the source's object: blocks may share one
        blocks = [_stripped(message, block, target, cleaned, changes) for block in message.blocks]
        raw = message.raw or {}
        if id(raw) in cleaned:  # a block was read from the whole object: what went from it is told
            raw = cleaned[id(raw)]
        stray = [key for key, value in raw.items() if _is_stray(key, value, target)]
        changes.extend(_told(message, None, key, raw[key]) for key in stray)
        yield from changes
        if not changes:
            yield message
            continue
        kept = {key: value for key, value in raw.items() if key not in stray}
        blocks = [replace(block, raw=kept) if block.raw is raw else block for block in blocks]
        yield replace(message.with_blocks(blocks), raw=kept or None)


def _is_stray(key: str, value: Json, target: Target) -> bool:
    if key in target.thinking_keys:
        return target.thinking == "none" and _is_void(value) and value != ""  # an empty text is blank thinking
    return key not in target.message_keys


def _stripped(
    message: Message, block: Block, target: Target, cleaned: dict[int, Mapping[str, Json]], changes: list[Change]
) -> Block:
    if not block.raw:
        return block
    if id(block.raw) not in cleaned:
        cleaned[id(block.raw)] = _cleaned(block.raw, message, block, target, changes)
    after = cleaned[id(block.raw)]
    if isinstance(block, ToolResult):
        content = tuple(_stripped(message, inner, target, cleaned, changes) for inner in block.content)
        if any(one is not other for one, other in zip(content, block.content, strict=True)):
            block = replace(block, content=content)  # type: ignore[arg-type]
    return block if after is block.raw else replace(block, raw=after)


def _cleaned(
    raw: Mapping[str, Json], message: Message, block: Block, target: Target, changes: list[Change]
) -> Mapping[str, Json]:
    """Strip the object that a block was read from, and the parts inside it; the very same one if nothing is stray."""
    name = _name(raw, target)
    known = target.block_keys.get(name or "")
    if name is None or known is None:
        return raw
    kept: dict[str, Json] = {}
    changed = False
    for key, value in raw.items():
        after = value
        if key not in known:
            changes.append(_told(message, block, key, value))
            changed = True
            continue
        inside = target.member_keys.get(name)
        if key == name and inside is not None and isinstance(value, dict) and not inside >= value.keys():
            changes.extend(_told(message, block, one, value[one]) for one in value if one not in inside)
            after = {one: item for one, item in value.items() if one in inside}
        elif key == "content" and isinstance(value, list) and type(block) is not ToolResult:
            after = [_cleaned(p, message, block, target, changes) if isinstance(p, dict) else p for p in value]
            if all(one is other for one, other in zip(after, value, strict=True)):
                after = value
        changed = changed or after is not value
        kept[key] = after
    return kept if changed else raw


def _name(raw: Mapping[str, Json], target: Target) -> str | None:
    """Name a block: its type, or, where blocks have none, the first of its keys that is a name of blocks."""
    if "type" in raw:
        return str(raw["type"])
    return next((key for key, value in raw.items() if key in target.block_keys and value is not None), None)


def _told(message: Message, block: Block | None, key: str, value: Json) -> Change:
    tell = rewritten if _is_void(value) else dropped
    return tell(RULE, f"dropped an unknown key {key!r}", message, block, before=shortened(str(value)))


def _is_void(value: Json) -> bool:
    return value is None or (isinstance(value, (str, list, dict)) and not value)
