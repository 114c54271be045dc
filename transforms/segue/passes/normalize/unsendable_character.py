"""Replace characters that no request can carry.

Half of a surrogate pair is no Unicode text: it cannot be written as UTF-8, and its escape makes the api refuse the
whole body. NUL is legal JSON, but stores and templates behind the apis choke on it. Both become U+FFFD, in texts,
results, names, arguments and their keys. Signed thinking that would have to change loses its signature with its
words, for they no longer match.
Source: api rules X1 and X3; anthropic error text on low surrogates, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "user", "content": "cut emoji \\ud83d here"}
  →
    {"role": "user", "content": "cut emoji � here"}

    = 0.0 replaced 1 lone surrogate by U+FFFD
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from segue.changes import Change, downgraded, rewritten
from segue.model import Block, ContentBlock, History, Json, Media, Message, Opaque, Text, Thinking, ToolCall, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "unsendable-character"
NEEDS = frozenset({"Text", "Thinking", "ToolCall", "ToolResult"})
ALONE = True
_UNSENDABLE = re.compile("[\x00\ud800-\udfff]")


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        for block in message.blocks:
            if _is_unsendable(block):
                yield from _repaired(message)
                break
        else:
            yield message


def _repaired(message: Message) -> Iterator[Message | Change]:
    blocks: list[Block] = []
    for block in message.blocks:
        if not _is_unsendable(block):
            blocks.append(block)
            continue
        found: list[str] = []
        blocks.append(_clean(block, found))
        yield rewritten(RULE, f"replaced {_named(found)} by U+FFFD", message, block, before=None)
        if isinstance(block, Thinking) and block.signature:
            yield downgraded(RULE, "a signature no longer matches its repaired thinking", message, block, before=None)
    yield message.with_blocks(blocks)


def _is_unsendable(block: Block) -> bool:
    if isinstance(block, (Text, Thinking)):
        return _is_bad(block.text)
    if isinstance(block, ToolResult):
        return any(map(_is_unsendable, block.content)) or _is_bad(block.call_id) or _is_bad(block.name)
    if isinstance(block, ToolCall):
        return _is_bad(block.id) or _is_bad(block.name) or _is_bad_value(block.arguments)
    return False


def _is_bad(text: str) -> bool:
    # Encoding is many times as fast as the expression, and of ASCII it is known beforehand that it would succeed.
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return True
    return "\x00" in text


def _is_bad_value(value: Json) -> bool:
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            if _is_bad(value):
                return True
        elif isinstance(value, dict):
            waiting.extend(value)
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return False


def _clean(block: Block, found: list[str]) -> Block:
    if isinstance(block, Text):
        return replace(block, text=_clean_text(block.text, found))
    if isinstance(block, Thinking):
        return replace(block, text=_clean_text(block.text, found), signature=None)
    if isinstance(block, ToolCall):
        return replace(
            block,
            id=_clean_text(block.id, found),
            name=_clean_text(block.name, found),
            arguments=_clean_value(block.arguments, found),
        )
    if isinstance(block, ToolResult):
        content: list[ContentBlock] = [
            inner if isinstance(inner, (Media, Opaque)) else replace(inner, text=_clean_text(inner.text, found))
            for inner in block.content
        ]
        return replace(
            block,
            call_id=_clean_text(block.call_id, found),
            name=_clean_text(block.name, found),
            content=tuple(content),
        )
    return block


def _clean_text(text: str, found: list[str]) -> str:
    if not _is_bad(text):
        return text
    found.extend(_UNSENDABLE.findall(text))
    return _UNSENDABLE.sub("�", text)


def _clean_value(value: Json, found: list[str]) -> Json:
    """Copy a value with clean texts and keys; without recursion, for arguments may nest deeply."""
    root = [value]
    waiting: list[tuple[Any, Any]] = [(root, 0)]
    while waiting:
        holder, key = waiting.pop()
        inner = holder[key]
        if isinstance(inner, str):
            holder[key] = _clean_text(inner, found)
        elif isinstance(inner, dict):
            holder[key] = inner = {_clean_text(name, found): item for name, item in inner.items()}
            waiting.extend((inner, name) for name in inner)
        elif isinstance(inner, list):
            holder[key] = inner = list(inner)
            waiting.extend((inner, index) for index in range(len(inner)))
    return root[0]


def _named(found: list[str]) -> str:
    zeros = found.count("\x00")
    halves = len(found) - zeros
    parts = []
    if halves:
        parts.append(f"{halves:,} lone surrogate{'s' if halves != 1 else ''}")
    if zeros:
        parts.append(f"{zeros:,} NUL character{'s' if zeros != 1 else ''} (U+0000)")
    return " and ".join(parts)
