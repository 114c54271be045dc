"""Put a word in the place of media that the target cannot take.

A model without eyes refuses images, one without a reader documents, and each api has its list of types. A run of
images becomes one placeholder. A type that does not match the bytes is corrected, data that is no base64 goes, and a
plain-text document becomes text where only PDFs are taken.
Source: api rules A-M1, O-M1 and C-S4; pi issue 3429 (placeholder texts as pi writes them), read 2026-11.

Example, for openai/o3-mini:

    {"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "image", "media_type": "image/png", "data": "iVBORw0KGgo="}]}
  →
    {"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "text", "text": "(image omitted: model does not support images)"}]}

    ~ 0.1 turned an image (image/png, 8 bytes) into a placeholder: the model sees no images
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from segue.changes import Change, described, downgraded, media_left_out, media_named, rewritten
from segue.images import sniffed_type
from segue.model import Block, ContentBlock, History, Media, Message, Text, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "unsupported-media"
NEEDS = frozenset({"Media"})
ALONE = True

USER_PLACEHOLDER = "(image omitted: model does not support images)"
RESULT_PLACEHOLDER = "(tool image omitted: model does not support images)"


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        blocks: list[Block] = []
        changes: list[Change] = []
        for block in message.blocks:
            if isinstance(block, Media):
                _append(blocks, _settled(message, block, block, target, policy, USER_PLACEHOLDER, changes))
            elif isinstance(block, ToolResult) and any(isinstance(inner, Media) for inner in block.content):
                content: list[Block] = []
                before = len(changes)
                for inner in block.content:
                    after: Block = inner
                    if isinstance(inner, Media):
                        after = _settled(message, block, inner, target, policy, RESULT_PLACEHOLDER, changes)
                    _append(content, after)
                kept: tuple[ContentBlock, ...] = tuple(content)  # type: ignore[arg-type]
                blocks.append(replace(block, content=kept) if len(changes) > before else block)
            else:
                blocks.append(block)
        yield from changes
        yield message.with_blocks(blocks) if changes else message


def _append(blocks: list[Block], block: Block) -> None:
    """Append a block, but one placeholder for a run of images only."""
    is_placeholder = isinstance(block, Text) and block.text in (USER_PLACEHOLDER, RESULT_PLACEHOLDER)
    last = blocks[-1] if blocks else None
    if is_placeholder and isinstance(last, Text) and last.text == block.text:  # type: ignore[union-attr]
        return
    blocks.append(block)


def _settled(
    message: Message,
    place: Block,
    media: Media,
    target: Target,
    policy: Policy,
    placeholder: str,
    changes: list[Change],
) -> Block:
    media = _with_true_type(message, place, media, changes)
    called = media_named(media)
    if media.kind == "image" and not target.images:
        what = f"turned {called} into a placeholder: the model sees no images"
        changes.append(downgraded(RULE, what, message, place, before=described(media), after=placeholder))
        return Text(placeholder, place=place.place)
    types = target.image_types if media.kind == "image" else target.document_types if target.documents else frozenset()
    is_empty = media.data is not None and not _is_base64(media.data)
    if is_empty:
        reason = "its data is no base64"
    elif media.file is not None:
        if policy.same_format and (media.kind == "image" or target.documents):
            return media
        reason = "it is stored with another vendor"
        if policy.same_format:
            reason = "the model reads no documents"
    elif media.url is not None and media.url.partition(":")[0].lower() not in target.url_schemes:
        reason = "the api fetches nothing from such an address"
    elif media.media_type in types or (media.url is not None and (media.kind == "image" or target.documents)):
        return media
    elif media.kind == "document" and media.media_type.startswith("text/") and media.data is not None:
        words = base64.b64decode(media.data).decode("utf-8", "replace")
        what = f"turned {called} into text: only {' and '.join(sorted(types)) or 'text'} is taken"
        changes.append(downgraded(RULE, what, message, place, before=described(media)))
        return Text(f"{media.name}:\n{words}" if media.name else words, place=place.place)
    else:
        reason = f"{media.media_type or media.kind} is not supported"
    text = media_left_out(media, reason)
    what = f"turned {called} into a placeholder: {reason}"
    changes.append(downgraded(RULE, what, message, place, before=described(media), after=text))
    return Text(text, place=place.place)


def _with_true_type(message: Message, place: Block, media: Media, changes: list[Change]) -> Media:
    true_type = sniffed_type(media.data) if media.data else None
    if true_type is None or true_type == media.media_type or media.media_type.startswith("text/"):
        return media  # words may well quote a header
    what = f"corrected the media type {media.media_type!r} to {true_type!r}, which its bytes are"
    changes.append(rewritten(RULE, what, message, place, before=media.media_type, after=true_type))
    kind: Literal["image", "document"] = "document" if true_type == "application/pdf" else "image"
    # The object that it was read from says the other kind, and is of no use then.
    return replace(media, kind=kind, media_type=true_type, raw=media.raw if kind == media.kind else None)


def _is_base64(data: str) -> bool:
    """Tell by its ends and its length whether a text is base64; decoding megabytes would say little more."""
    if not data or len(data) % 4:
        return False
    try:
        base64.b64decode(data[:64], validate=True)
        base64.b64decode(data[-64:], validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
