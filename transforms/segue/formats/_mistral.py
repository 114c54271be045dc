"""Mistral's chat messages, over what Chat Completions has: thinking and documents in chunks, results with names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from segue.changes import Change, dropped
from segue.formats import _chat
from segue.formats._chat_spelling import Spelling, spell_calls
from segue.formats._openai import address, first_text, joined_texts, media_from_url, same
from segue.model import (
    Block,
    ContentBlock,
    Json,
    Media,
    Message,
    Opaque,
    Origin,
    Record,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)

# ----------------------------------------------------------------------------------------- reading


def read_message(
    value: Json, record: Record, number: int, origin: Origin | None, names: dict[str, str]
) -> Message | None:
    """Read one message object, None if its role is unknown."""
    message = _chat.read_message(value, record, number, origin, names)
    if message is None or not any(isinstance(block, Opaque | ToolResult) for block in message.blocks):
        return message
    return replace(message, blocks=tuple(map(_block, message.blocks)))


def _block(block: Block) -> Block:
    if isinstance(block, ToolResult):
        return replace(block, content=tuple(map(_chunk, block.content)))
    if isinstance(block, Opaque) and block.type == "thinking":
        thinking = (block.raw or {}).get("thinking")
        if isinstance(thinking, list):
            return Thinking("".join(map(_words, thinking)), raw=block.raw, place=block.place)
    return _chunk(block) if isinstance(block, Opaque) else block


def _words(part: Json) -> str:
    return first_text(part.get("text")) if isinstance(part, dict) else ""


def _chunk(block: ContentBlock) -> ContentBlock:
    url = (block.raw or {}).get("document_url") if isinstance(block, Opaque) else None
    if not isinstance(url, str):
        return block
    name = first_text((block.raw or {}).get("document_name")) or None
    return replace(media_from_url("document", url, block.raw, name), place=block.place)


# ----------------------------------------------------------------------------------------- writing


def spelled(message: Message, spelling: Spelling) -> Iterator[Json | Change]:
    """Spell a message as one or more message objects; what the shape cannot say is told as a Change."""
    original = spelling.original(message)
    if original is message and message.raw is not None:
        yield message.raw
        return
    raw = dict(message.raw or {}) if spelling.own else {}
    results = message.of(ToolResult)
    for result in results:
        yield from _result(message, result, spelling)
    said = [block for block in message.blocks if not isinstance(block, ToolResult)]
    if message.role == "assistant":
        yield from _assistant(message, said, raw, original, spelling)
    elif said or not results:
        role = "system" if message.role == "system" else "user"
        content, changes = _content(message, said, spelling)
        yield from changes
        yield {**({} if results else raw), "role": role, "content": content}


def _assistant(
    message: Message, said: Sequence[Block], raw: dict[str, Json], original: Message | None, spelling: Spelling
) -> Iterator[Json | Change]:
    """Spell an answer: thinking is its first chunk, and there is only one; a text alone is a plain string."""
    body: dict[str, Json] = raw or {"role": "assistant", "content": ""}
    calls = message.of(ToolCall)
    before = original.blocks if original else ()
    if not original or not same(calls, [block for block in before if isinstance(block, ToolCall)]):
        spell_calls(calls, body, spelling.own)
    words = [block for block in said if not isinstance(block, ToolCall)]
    if not original or not same(words, [block for block in before if not isinstance(block, ToolCall)]):
        body["content"], changes = _content(message, words, spelling)
        yield from changes
    if body.get("content") is None:
        body["content"] = ""
    yield body


def _result(message: Message, result: ToolResult, spelling: Spelling) -> Iterator[Json | Change]:
    raw = (result.raw or {}) if spelling.own else {}
    body: dict[str, Json] = {**raw, "role": "tool"}
    if result.name or "name" in body:
        body["name"] = result.name
    if any(block.raw for block in result.content) or not all(isinstance(block, Text) for block in result.content):
        body["content"], changes = _content(message, result.content, spelling)
        yield from changes
    else:
        body["content"] = result.text
    body["tool_call_id"] = result.call_id
    yield body


def _content(message: Message, blocks: Sequence[Block], spelling: Spelling) -> tuple[Json, list[Change]]:
    """Spell a content: a text where it is one, chunks where it is not."""
    changes: list[Change] = []
    thinking = [block for block in blocks if isinstance(block, Thinking)]
    chunks: list[Json] = [_thinking(thinking, spelling.own)] if thinking else []
    rest = [block for block in blocks if not isinstance(block, Thinking)]
    keeps_parts = spelling.own and any(block.raw for block in rest)
    texts = [block for block in rest if isinstance(block, Text)]
    if not chunks and len(texts) == len(rest) and not (keeps_parts and len(texts) > 1):
        return joined_texts(texts), changes
    for block in rest:
        chunk = _spelled_chunk(block, spelling.own)
        if chunk is None:
            name = block.type if isinstance(block, Opaque) else type(block).__name__.lower()
            what = f"a chat message has no place for a block {name!r}"
            changes.append(dropped("unknown-block", what, message, block))
        else:
            chunks.append(chunk)
    return chunks or "", changes


def _thinking(thinking: Sequence[Thinking], own: bool) -> Json:
    """Say all that was thought in one chunk: a second one is refused."""
    first = thinking[0]
    if own and len(thinking) == 1 and first.raw and _block(Opaque("thinking", first.raw, first.place)) == first:
        return first.raw
    raw = dict(first.raw or {}) if own else {}
    text = "\n".join(block.text for block in thinking)
    return raw | {"type": "thinking", "thinking": [{"type": "text", "text": text}]}


def _spelled_chunk(block: Block, own: bool) -> Json:
    raw: Mapping[str, Json] = block.raw if own and block.raw is not None else {}
    if isinstance(block, Text):
        return {**raw, "type": "text", "text": block.text}
    if isinstance(block, Media):
        return _spelled_media(block, raw)
    return raw or None


def _spelled_media(block: Media, raw: Mapping[str, Json]) -> Json:
    url = address(block)
    if url is None:
        return raw or None
    if block.kind == "image":
        image = raw.get("image_url")
        return {**raw, "type": "image_url", "image_url": {**image, "url": url} if isinstance(image, dict) else url}
    named = {"document_name": block.name} if block.name else {}
    return {**raw, "type": "document_url", "document_url": url, **named}
