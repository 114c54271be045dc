"""Block shapes of Bedrock's Converse api, as they are read.

A block is an object with one member, whose name is the block's type: `{"text": …}`, `{"toolUse": {…}}`. Members that
are null count as not there. A cache point is a block of its own that marks the one before it, and is kept in that
one's `raw`: like cache marks elsewhere it is no part of what was said.
Facts: botocore 1.44, service model of bedrock-runtime, read 2026-11.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal

from segue.model import Block, ContentBlock, Json, Media, Opaque, Place, Text, Thinking, Tool, ToolCall, ToolResult
from segue.records import dumps

MARK = "cachePoint"
MEMBERS = frozenset(
    {
        "text", "image", "document", "video", "audio", "toolUse", "toolResult", "guardContent", MARK,
        "reasoningContent", "citationsContent", "searchResult", "toolAddition", "toolRemoval", "json",
    }
)  # fmt: skip
DOCUMENT_FORMATS = {
    "pdf": "application/pdf",
    "csv": "text/csv",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html",
    "txt": "text/plain",
    "md": "text/markdown",
}


def read_blocks(content: Json, record: int, line: int | None, number: int) -> tuple[Block, ...]:
    """Read a message's content: a list of blocks; a bare string, which the api refuses, counts as one text."""
    if isinstance(content, str):
        return (Text(content, place=Place(record, line, number, 0)),)
    blocks: list[Block] = []
    for index, item in enumerate(content if isinstance(content, list) else ()):
        for block in _blocks_of(item, Place(record, line, number, index)):
            marked = _marked(blocks[-1], block) if blocks else None
            if marked is not None:
                blocks[-1] = marked
            else:
                blocks.append(block)
    return tuple(blocks)


def _marked(before: Block, block: Block) -> Block | None:
    """Put a cache point into the raw object of the block that it follows; None when it is none, or a second one."""
    mark = block.raw.get(MARK) if type(block) is Opaque and block.type == MARK and block.raw else None
    if mark is None or not before.raw or before.raw.get(MARK) is not None:
        return None
    return replace(before, raw={**before.raw, MARK: mark})


def members_of(item: Json) -> list[str]:
    """List the members of a block that are there.

    >>> members_of({"text": "a", "image": None}), members_of({"type": "text"})
    (['text'], [])
    """
    return [key for key, value in item.items() if key in MEMBERS and value is not None] if type(item) is dict else []


def _blocks_of(item: Json, place: Place) -> Iterator[Block]:
    """Read one object of a content list. Several members, which the api refuses, are as many blocks."""
    if isinstance(item, str):
        yield Text(item, place=place)
        return
    if not isinstance(item, dict):
        return
    members = members_of(item)
    if not members:
        yield Opaque("untyped" if "type" in item or not item else next(iter(item)), item, place)
    for member in members:
        raw = item if len(members) == 1 else {member: item[member]}
        reader = _READERS.get(member)
        block = reader(item[member], raw, place) if reader is not None else Opaque(member, raw, place)
        yield block if block is not None else Opaque("untyped", raw, place)


def _text(value: Json, raw: dict[str, Any], place: Place) -> Block | None:
    return Text(value, None, False, raw, place) if isinstance(value, str) else None


def _json(value: Json, raw: dict[str, Any], place: Place) -> Block | None:
    return Text(json_text(value), None, False, raw, place)


def json_text(value: Json) -> str:
    """Write structured output of a tool as the text that other formats take."""
    return dumps(value).decode("utf-8", "replace")


def _guarded(value: Json, raw: dict[str, Any], place: Place) -> Block | None:
    """Read what a guardrail is to look at: words or a picture of the user like any other."""
    inner = value if isinstance(value, dict) else {}
    text, image = inner.get("text"), inner.get("image")
    if isinstance(text, dict) and isinstance(text.get("text"), str):
        return Text(text["text"], None, False, raw, place)
    return _image(image, raw, place) if isinstance(image, dict) else None


def cited_text(value: Json) -> str | None:
    """Give the words of an answer with citations, None when it has none.

    >>> cited_text({"content": [{"text": "Yes"}, {"text": "."}], "citations": []})
    'Yes.'
    """
    content = value.get("content") if isinstance(value, dict) else None
    if not isinstance(content, list):
        return None
    return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))


def _cited(value: Json, raw: dict[str, Any], place: Place) -> Block | None:
    text = cited_text(value)
    return None if text is None else Text(text, None, False, raw, place)


def _reasoning(value: Json, raw: dict[str, Any], place: Place) -> Block | None:
    if not isinstance(value, dict):
        return None
    data, said = value.get("redactedContent"), value.get("reasoningText")
    if isinstance(said, dict):
        signature = said.get("signature")
        return Thinking(_string(said.get("text")), signature if isinstance(signature, str) else None, False, raw, place)
    return Thinking("", data, True, raw, place) if isinstance(data, str) else None


def _tool_use(value: Json, raw: dict[str, Any], place: Place) -> Block | None:
    if not isinstance(value, dict):
        return None
    if value.get("type") is not None:  # the server runs it itself
        return Opaque("toolUse", raw, place)
    call_id, name = _string(value.get("toolUseId")), _string(value.get("name"))
    return ToolCall(call_id, name, value.get("input"), None, None, raw, place)


def _tool_result(value: Json, raw: dict[str, Any], place: Place) -> Block | None:
    if not isinstance(value, dict):
        return None
    if value.get("type") is not None:
        return Opaque("toolResult", raw, place)
    content = value.get("content")
    inner: list[ContentBlock] = []
    if isinstance(content, str) and content:
        inner.append(Text(content, place=place))
    for item in content if isinstance(content, list) else ():
        for block in _blocks_of(item, place):
            fits = isinstance(block, (Text, Media, Opaque))
            inner.append(block if fits else Opaque("untyped", block.raw, place))  # type: ignore[arg-type]
    call_id = _string(value.get("toolUseId"))
    return ToolResult(call_id, "", tuple(inner), value.get("status") == "error", raw, place)


def _image(value: Json, raw: dict[str, Any], place: Place) -> Block | None:
    if not isinstance(value, dict):
        return None
    kind = _string(value.get("format")).lower()
    return _medium("image", f"image/{'jpeg' if kind == 'jpg' else kind}", value, raw, place)


def _document(value: Json, raw: dict[str, Any], place: Place) -> Block | None:
    if not isinstance(value, dict):
        return None
    kind = _string(value.get("format")).lower()
    return _medium("document", DOCUMENT_FORMATS.get(kind, kind), value, raw, place)


def _medium(
    kind: Literal["image", "document"], media_type: str, value: dict[str, Any], raw: dict[str, Any], place: Place
) -> Block | None:
    source = value.get("source")
    if not isinstance(source, dict):
        return None
    name = value.get("name") if isinstance(value.get("name"), str) else None
    data, stored = source.get("bytes"), source.get("s3Location")
    if isinstance(data, str):
        return Media(kind, media_type, data, None, None, name, raw, place)
    if isinstance(stored, dict) and isinstance(stored.get("uri"), str):
        return Media(kind, media_type, None, stored["uri"], None, name, raw, place)
    words = document_words(source)
    if kind == "image" or words is None:
        return None
    data = base64.b64encode(words.encode("utf-8", "replace")).decode("ascii")
    is_text = media_type.startswith("text/")
    return Media(kind, media_type if is_text else "text/plain", data, None, None, name, raw, place)


def document_words(source: dict[str, Json]) -> str | None:
    """Give the words of a document that comes as text or as pieces of text, None when it comes otherwise."""
    text = source.get("text")
    return text if isinstance(text, str) else cited_text(source)


_READERS: dict[str, Callable[[Json, dict[str, Any], Place], Block | None]] = {
    "text": _text,
    "json": _json,
    "guardContent": _guarded,
    "citationsContent": _cited,
    "reasoningContent": _reasoning,
    "toolUse": _tool_use,
    "toolResult": _tool_result,
    "image": _image,
    "document": _document,
}


def read_tools(config: Json) -> tuple[Tool, ...]:
    """Read the tools of a `toolConfig`; the server's own and cache points are no Tool."""
    return tuple(_tool(item) for item in tools_in(config) if is_tool(item))


def tools_in(config: Json) -> list[Json]:
    tools = config.get("tools") if isinstance(config, dict) else None
    return tools if isinstance(tools, list) else []


def is_tool(item: Json) -> bool:
    """Tell a definition of a tool that the client runs."""
    return isinstance(item, dict) and isinstance(item.get("toolSpec"), dict)


def _tool(item: dict[str, Any]) -> Tool:
    spec = item["toolSpec"]
    schema = spec.get("inputSchema")
    parameters = schema.get("json") if isinstance(schema, dict) else None
    return Tool(
        _string(spec.get("name")),
        _string(spec.get("description")),
        parameters if isinstance(parameters, dict) else {},
        False,
        item,
    )


def _string(value: Json) -> str:
    return value if isinstance(value, str) else ""
