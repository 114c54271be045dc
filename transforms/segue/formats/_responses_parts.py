"""Spell the parts that are put in: what a user's or a system's message holds, and a result."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from segue.changes import Change, dropped
from segue.formats._openai import DOCUMENT_NAME, address, data_url
from segue.model import Block, Json, Media, Message, Opaque, Text


def spelled_content(blocks: Sequence[Block], parts: list[Json], before: Json) -> Json:
    """Keep a text a text, where it was one and still is; a new content is a list of parts."""
    if isinstance(before, str) and all(isinstance(block, Text) for block in blocks):
        return "\n".join(part["text"] for part in parts)
    return parts


def spelled_parts(message: Message, blocks: Sequence[Block], own: bool) -> Generator[Change, None, list[Json]]:
    parts: list[Json] = []
    for block in blocks:
        part = _part(block, dict(block.raw) if own and block.raw is not None else {})
        if part is None:
            yield unspeakable(message, block)
        else:
            parts.append(part)
    return parts


def _part(block: Block, raw: dict[str, Json]) -> Json:
    """Spell a part of what is put in, None where the shape has no place for it."""
    if isinstance(block, Text):
        return raw | {"type": raw.get("type", "input_text"), "text": block.text}
    if isinstance(block, Media):
        return raw | (_image(block, raw) if block.kind == "image" else _file(block, raw))
    return raw or None


def _image(media: Media, raw: Mapping[str, Json]) -> dict[str, Json]:
    image: dict[str, Json] = {"type": "input_image"}
    url = address(media)
    image |= {"image_url": url} if url is not None else {"file_id": media.file}
    return image if raw else image | {"detail": "auto"}


def _file(media: Media, raw: Mapping[str, Json]) -> dict[str, Json]:
    if media.data is None:
        return {"type": "input_file"} | ({"file_url": media.url} if media.url else {"file_id": media.file})
    return {"type": "input_file", "filename": media.name or DOCUMENT_NAME, "file_data": data_url(media)}


def unspeakable(message: Message, block: Block) -> Change:
    if isinstance(block, Media):
        who = message.role
        return dropped("unsupported-media", f"a message of the {who} cannot hold this {block.kind}", message, block)
    name = block.type if isinstance(block, Opaque) else type(block).__name__.lower()
    return dropped("unknown-block", f"the request has no place for a block {name!r}", message, block)
