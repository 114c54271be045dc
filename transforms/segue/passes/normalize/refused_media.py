"""Take out media that an api error blames.

A file that is too large, protected or broken is refused with the whole request, and it stays in the history: every
later request fails the same way. The error says which kind of block was at fault; blocks of that kind go from the
nearest message before it that its agent wrote (`meta`), or else from the user's messages and results since the last
answer. A short mark stays in place. The error notice itself is hidden by `api-error-turn`, which runs next.
Source: Claude Code's message normalisation as described in public analyses; Anthropic's error texts as quoted in public
issues, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "user", "content": [{"type": "text", "text": "sum it up"}, {"type": "document", "media_type": "application/pdf", "data": "JVBERi0="}]}
    {"role": "assistant", "content": "API Error: 400 A maximum of 100 PDF pages may be provided.", "marks": ["api-error"]}
    {"role": "user", "content": "and now?"}
  →
    {"role": "user", "content": [{"type": "text", "text": "sum it up"}, {"type": "text", "text": "[document removed: too large]"}]}
    {"role": "assistant", "content": "API Error: 400 A maximum of 100 PDF pages may be provided.", "marks": ["api-error"]}
    {"role": "user", "content": "and now?"}

    - 0.1 dropped a document (application/pdf, 5 bytes) that an api error blames: too large
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, dropped, media_named
from segue.model import Block, ContentBlock, History, Media, Message, Text, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "refused-media"
NEEDS = frozenset({"api-error"})

_BLAMED: tuple[tuple[re.Pattern[str], str, frozenset[str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reason, frozenset(kinds))
    for pattern, reason, kinds in (
        (r"pdf.{0,40}password.protected", "password protected", {"document"}),
        (r"pdf.{0,60}\bnot valid", "not valid", {"document"}),
        (r"pdf too large|maximum of \d+ pdf pages|pdf.{0,80}(too large|exceeds)", "too large", {"document"}),
        (r"request too large|request exceeds the maximum size|request_too_large", "request too large", {"document", "image"}),
        (r"image was too large|image exceeds|image dimensions|many-image requests", "too large", {"image"}),
        (r"could not process image|does not match the provided media type|invalid image", "not valid", {"image"}),
    )
)  # fmt: skip


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    messages = list(history.messages)
    for index, message in enumerate(messages):
        if "api-error" not in message.marks:
            continue
        blame = _blame(message)
        if blame is None:
            continue
        reason, kinds = blame
        for place in _blamed_messages(messages, index, kinds):
            changed, changes = _stripped(messages[place], kinds, reason)
            messages[place] = changed
            yield from changes
    yield from messages


def _blame(notice: Message) -> tuple[str, frozenset[str]] | None:
    text = " ".join(block.text for block in notice.blocks if isinstance(block, Text))
    return next(((reason, kinds) for pattern, reason, kinds in _BLAMED if pattern.search(text)), None)


def _blamed_messages(messages: list[Message], error: int, kinds: frozenset[str]) -> list[int]:
    """Find where the refused media stand: the nearest message of the agent's own, else all since the last answer."""
    since = []
    for index in range(error - 1, -1, -1):
        message = messages[index]
        if message.role == "assistant":
            if "api-error" in message.marks:
                continue
            break
        if _holds(message, kinds):
            if "meta" in message.marks:
                return [index]
            since.append(index)
    return since


def _holds(message: Message, kinds: frozenset[str]) -> bool:
    return any(
        block.kind in kinds
        for outer in message.blocks
        for block in (outer.content if isinstance(outer, ToolResult) else (outer,))
        if isinstance(block, Media)
    )


def _stripped(message: Message, kinds: frozenset[str], reason: str) -> tuple[Message, list[Change]]:
    changes: list[Change] = []

    def mark(block: Media, place: Block) -> Text:
        what = f"dropped {media_named(block)} that an api error blames: {reason}"
        changes.append(dropped(RULE, what, message, place))
        return Text(f"[{block.kind} removed: {reason}]", place=place.place)

    blocks: list[Block] = []
    for block in message.blocks:
        if isinstance(block, Media) and block.kind in kinds:
            blocks.append(mark(block, block))
        elif isinstance(block, ToolResult) and any(isinstance(b, Media) and b.kind in kinds for b in block.content):
            content: list[ContentBlock] = [
                mark(inner, block) if isinstance(inner, Media) and inner.kind in kinds else inner
                for inner in block.content
            ]
            blocks.append(replace(block, content=tuple(content)))
        else:
            blocks.append(block)
    return (message.with_blocks(blocks) if changes else message), changes
