"""Give media the plain base64 text that apis take.

Some programs put a whole data URL where only its base64 belongs, or the base64 alone where the URL does, name one as
an address, or break the text into lines. The bytes are the same; the spelling is refused.
Source: Anthropic's and OpenAI's image documents, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "user", "content": [{"type": "image", "media_type": "image/png", "data": "data:image/png;base64,iVBORw0KGgo="}]}
  →
    {"role": "user", "content": [{"type": "image", "media_type": "image/png", "data": "iVBORw0KGgo="}]}

    = 0.0 took the base64 of an image out of its data URL
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import Block, ContentBlock, History, Media, Message, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "media-data"
NEEDS = frozenset({"Media"})
ALONE = True
_HEAD = 200  # characters within which a data URL's own head ends


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        blocks: list[Block] = []
        changes: list[Change] = []
        for block in message.blocks:
            if isinstance(block, Media):
                blocks.append(_plain(message, block, block, target, changes))
            elif isinstance(block, ToolResult) and any(isinstance(inner, Media) for inner in block.content):
                before = len(changes)
                content: list[ContentBlock] = [
                    _plain(message, block, inner, target, changes) if isinstance(inner, Media) else inner
                    for inner in block.content
                ]
                blocks.append(block if len(changes) == before else replace(block, content=tuple(content)))
            else:
                blocks.append(block)
        yield from changes
        yield message.with_blocks(blocks) if changes else message


def _plain(message: Message, place: Block, media: Media, target: Target, changes: list[Change]) -> Media:
    called = "an image" if media.kind == "image" else "a document"
    given = media.data if media.data is not None else media.url or ""
    after = media
    if given[:5].lower() == "data:" and (at := given.find(",", 5, _HEAD)) > 0:
        media_type, _, encoding = given[5:at].partition(";")
        if encoding.lower().endswith("base64"):
            changes.append(
                rewritten(RULE, f"took the base64 of {called} out of its data URL", message, place, before=given[:at])
            )
            # The object that it was read from says an address, and is of no use then.
            raw = media.raw if media.data is not None else None
            after = replace(media, media_type=media_type or media.media_type, data=given[at + 1 :], url=None, raw=raw)
    if after.data is not None and any(blank in after.data for blank in "\n\r \t"):
        changes.append(rewritten(RULE, f"took white space out of the base64 of {called}", message, place, before=None))
        after = replace(after, data="".join(after.data.split()))
    if after.data is not None and target.named_documents and _is_bare(after):
        what = f"put the base64 of {called} into a data URL"
        changes.append(rewritten(RULE, what, message, place, before=None))
        after = replace(after, raw=None)
    return after


def _is_bare(media: Media) -> bool:
    """Tell whether the object that a file was read from holds its base64 without the head of a data URL."""
    raw = media.raw or {}
    file = raw["file"] if isinstance(raw.get("file"), dict) else raw
    return media.data is not None and file.get("file_data") == media.data
