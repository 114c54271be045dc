"""Put a word in the place of media beyond the api's limits.

An image whose data is too long or whose sides are too large is refused with the whole request. With more than a
certain number of media in a request the sides have to be smaller still, and there is a limit to the number itself:
the oldest go first, for the latest matter most. Documents have limits of size, number and pages.
Source: api rules A-M2, A-M3, A-M4, A-M5, O-M1 and B-M2, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "user", "content": [{"type": "image", "media_type": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAJxAAAAABAQAAAAA="}]}
  →
    {"role": "user", "content": [{"type": "text", "text": "(image omitted: image/png, 29 bytes: 10000×1 px is over 8000 px)"}]}

    ~ 0.0 turned an image (image/png, 29 bytes) into a placeholder: 10000×1 px is over 8000 px
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, described, downgraded, media_left_out, media_named
from segue.images import dimensions
from segue.model import Block, ContentBlock, History, Media, Message, Text, ToolResult
from segue.passes._policy import Policy
from segue.pdf import page_count
from segue.targets import DocumentLimits, ImageLimits, Target

RULE = "oversized-media"
NEEDS = frozenset({"Media"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if not (target.images or target.documents):
        yield from history.messages
        return
    media = [found for message in history.messages for found in media_of(message)]
    reasons = _reasons(media, target.image_limits)
    documents = [found for found in media if found.kind == "document" and id(found) not in reasons]
    reasons |= _of_documents(documents, target.document_limits)
    if not reasons:
        yield from history.messages
        return
    for message in history.messages:
        if any(id(found) in reasons for found in media_of(message)):
            yield from with_placeholders(message, reasons, RULE)
        else:
            yield message


def media_of(message: Message) -> Iterator[Media]:
    """Find the media of a message, those in results too."""
    for block in message.blocks:
        if isinstance(block, Media):
            yield block
        elif isinstance(block, ToolResult):
            yield from (inner for inner in block.content if isinstance(inner, Media))


def _reasons(media: list[Media], limits: ImageLimits) -> dict[int, str]:
    """Say of each medium that has to go, by identity, why."""
    reasons: dict[int, str] = {}
    sides: dict[int, tuple[int, int]] = {}
    for found in media:
        if found.kind != "image" or found.data is None:
            continue
        if limits.size is not None and len(found.data) > limits.size:
            reasons[id(found)] = (
                f"too large, {len(found.data):,} bytes are over {limits.size:,} ({limits.size >> 20} MB)"
            )
            continue
        if limits.side is None and limits.many_side is None:
            continue
        size = dimensions(found.data)
        if size is None:
            continue
        sides[id(found)] = size
        if limits.side is not None and max(size) > limits.side:
            reasons[id(found)] = f"{size[0]}×{size[1]} px is over {limits.side} px"
    left = [found for found in media if id(found) not in reasons]
    if limits.many is not None and limits.many_side is not None:
        over = [found for found in left if max(sides.get(id(found), (0, 0))) > limits.many_side]
        surplus = len(left) - limits.many
        for found in over:
            if surplus <= 0:
                break
            size = sides[id(found)]
            reasons[id(found)] = (
                f"{size[0]}×{size[1]} px is over {limits.many_side} px with more than {limits.many} images"
            )
            surplus -= 1
    if limits.count is not None:
        left = [found for found in media if found.kind == "image" and id(found) not in reasons]
        for found in left[: max(0, len(left) - limits.count)]:
            reasons[id(found)] = f"more than {limits.count} images"
    return reasons


def _of_documents(documents: list[Media], limits: DocumentLimits) -> dict[int, str]:
    reasons: dict[int, str] = {}
    for found in documents:
        if found.data is None:
            continue
        if limits.size is not None and len(found.data) > limits.size:
            reasons[id(found)] = f"too large, {len(found.data):,} bytes are over {limits.size:,}"
        elif limits.pages is not None and found.media_type == "application/pdf":
            pages = page_count(found.data)
            if pages is not None and pages > limits.pages:
                reasons[id(found)] = f"{pages:,} pages are over {limits.pages:,}"
    if limits.count is not None:
        left = [found for found in documents if id(found) not in reasons]
        for found in left[: max(0, len(left) - limits.count)]:
            reasons[id(found)] = f"more than {limits.count} documents"
    return reasons


def with_placeholders(message: Message, reasons: dict[int, str], rule: str) -> Iterator[Message | Change]:
    """Put words in the place of media that have a reason to go, by identity."""
    blocks: list[Block] = []
    for block in message.blocks:
        if isinstance(block, Media) and id(block) in reasons:
            change, text = _placeholder(message, block, block, reasons[id(block)], rule)
            yield change
            blocks.append(text)
        elif isinstance(block, ToolResult) and any(id(inner) in reasons for inner in block.content):
            content: list[ContentBlock] = []
            for inner in block.content:
                if isinstance(inner, Media) and id(inner) in reasons:
                    change, text = _placeholder(message, block, inner, reasons[id(inner)], rule)
                    yield change
                    content.append(text)
                else:
                    content.append(inner)
            blocks.append(replace(block, content=tuple(content)))
        else:
            blocks.append(block)
    yield message.with_blocks(blocks)


def _placeholder(message: Message, place: Block, media: Media, reason: str, rule: str) -> tuple[Change, Text]:
    called = media_named(media)
    text = media_left_out(media, reason)
    what = f"turned {called} into a placeholder: {reason}"
    change = downgraded(rule, what, message, place, before=described(media), after=text)
    return change, Text(text, place=place.place)
