"""Leave out text blocks of white space only.

They are legal as a model's output and refused as input. A message that holds nothing else goes with `empty-turn`. A
blank text that brings its model's own signature stays: Gemini wants it back.
Source: api rules A-S6 and G-S3; measured on public sessions, 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "text", "text": "\\n\\n"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "text", "text": "Yes."}]}

    = 0.0 left out a blank text
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import Block, ContentBlock, Declared, History, Message, Text, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "blank-text"
NEEDS = frozenset({"Text"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change | Declared]:
    if target.blank_text:
        yield from history.messages
        return
    for message in history.messages:
        if not any(_goes(block, target) or _holds_blank(block) for block in message.blocks):
            yield message
            continue
        blocks: list[Block] = []
        for block in message.blocks:
            if _goes(block, target):
                yield rewritten(RULE, "left out a blank text", message, block, before=None)
            elif _holds_blank(block):
                result: ToolResult = block  # type: ignore[assignment]
                what = f"left out a blank text of the result of call {result.call_id!r}"
                yield rewritten(RULE, what, message, result, before=None)
                kept: tuple[ContentBlock, ...] = tuple(inner for inner in result.content if not _is_blank(inner))
                blocks.append(replace(result, content=kept))
            else:
                blocks.append(block)
        yield message.with_blocks(blocks)
    if any(_is_blank(text) for text in history.system):
        yield rewritten(RULE, "left out a blank text of the system prompt")
        yield Declared(system=tuple(text for text in history.system if not _is_blank(text)))


def _goes(block: Block, target: Target) -> bool:
    return _is_blank(block) and not (target.text_signatures and type(block) is Text and block.signature)


def _is_blank(block: Block) -> bool:
    return type(block) is Text and (not block.text or block.text.isspace())


def _holds_blank(block: Block) -> bool:
    return type(block) is ToolResult and any(map(_is_blank, block.content))
