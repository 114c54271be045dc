"""Block shapes of Anthropic's Messages api, which Claude Code's sessions share."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from segue.model import Block, ContentBlock, Json, Media, Opaque, Place, Text, Thinking, Tool, ToolCall, ToolResult

# ---------------------------------------------------------------------------------------------- reading


def read_blocks(content: Json, record: int, line: int | None, number: int, first: int = 0) -> tuple[Block, ...]:
    """Read a message's content: a string, a list of blocks, or nothing."""
    if isinstance(content, str):
        return (Text(content, place=Place(record, line, number, first)),)
    if not isinstance(content, list):
        return ()
    return tuple(
        _read_block(item, Place(record, line, number, first + index))
        for index, item in enumerate(content)
        if isinstance(item, (dict, str))
    )


def with_names(blocks: tuple[Block, ...], names: dict[str, str]) -> tuple[Block, ...]:
    """Let results know the tool of their call: the wire tells it on the call only. `names` collects what was called."""
    changed = False
    named: list[Block] = []
    for block in blocks:
        if type(block) is ToolCall:
            names[block.id] = block.name
        elif type(block) is ToolResult and block.call_id in names:
            block, changed = replace(block, name=names[block.call_id]), True
        named.append(block)
    return tuple(named) if changed else blocks


def _read_block(item: Any, place: Place) -> Block:
    if isinstance(item, str):
        return Text(item, place=place)
    kind = item.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    block = reader(item, place) if reader is not None else None
    return block if block is not None else Opaque(str(kind or "untyped"), item, place)


def _text(item: dict[str, Any], place: Place) -> Block | None:
    text = item.get("text")
    return Text(text, None, False, item, place) if isinstance(text, str) else None


def _thinking(item: dict[str, Any], place: Place) -> Block | None:
    text, signature = item.get("thinking"), item.get("signature")
    return Thinking(
        text if isinstance(text, str) else "", signature if isinstance(signature, str) else None, False, item, place
    )


def _redacted(item: dict[str, Any], place: Place) -> Block | None:
    data = item.get("data")
    return Thinking("", data if isinstance(data, str) else None, True, item, place)


def _tool_use(item: dict[str, Any], place: Place) -> Block | None:
    return ToolCall(_string(item.get("id")), _string(item.get("name")), item.get("input"), None, None, item, place)


def _tool_result(item: dict[str, Any], place: Place) -> Block | None:
    content = item.get("content")
    inner: tuple[ContentBlock, ...]
    if isinstance(content, str):
        inner = (Text(content),) if content else ()
    elif isinstance(content, list):
        inner = tuple(_content_block(block, place) for block in content)
    else:
        inner = ()
    return ToolResult(_string(item.get("tool_use_id")), "", inner, item.get("is_error") is True, item, place)


def _content_block(item: Any, place: Place) -> ContentBlock:
    block = _read_block(item, place) if isinstance(item, (dict, str)) else Text(str(item), place=place)
    if isinstance(block, (Text, Media, Opaque)):
        return block
    return Opaque(str(item.get("type")), item, place)


def _media(item: dict[str, Any], place: Place) -> Block | None:
    source = item.get("source")
    if not isinstance(source, dict):
        return None
    kind: Any = item["type"]
    name = item.get("title") if isinstance(item.get("title"), str) else None
    media_type = _string(source.get("media_type"))
    match source.get("type"):
        case "base64" if isinstance(source.get("data"), str):
            return Media(kind, media_type, source["data"], None, None, name, item, place)
        case "url" if isinstance(source.get("url"), str):
            return Media(kind, media_type, None, source["url"], None, name, item, place)
        case "file" if isinstance(source.get("file_id"), str):
            return Media(kind, media_type, None, None, source["file_id"], name, item, place)
        case "text" if isinstance(source.get("data"), str):
            data = base64.b64encode(source["data"].encode("utf-8", "replace")).decode("ascii")
            return Media(kind, media_type or "text/plain", data, None, None, name, item, place)
    return None


_READERS = {
    "text": _text,
    "thinking": _thinking,
    "redacted_thinking": _redacted,
    "tool_use": _tool_use,
    "tool_result": _tool_result,
    "image": _media,
    "document": _media,
}


def read_tools(tools: Json) -> tuple[Tool, ...]:
    """Read tool definitions in Anthropic's shape; the server's own tools are no Tool."""
    if not isinstance(tools, list):
        return ()
    return tuple(
        Tool(_string(tool.get("name")), _string(tool.get("description")), tool.get("input_schema") or {}, False, tool)
        for tool in tools
        if is_tool(tool)
    )


def read_server_tools(tools: Json) -> tuple[Tool, ...]:
    """Read the definitions of tools that the server runs by itself."""
    if not isinstance(tools, list):
        return ()
    return tuple(
        Tool(_string(tool.get("name")), server=True, raw=tool)
        for tool in tools
        if isinstance(tool, dict) and not is_tool(tool)
    )


def is_tool(value: Json) -> bool:
    """Tell a definition of a tool that the client runs."""
    return isinstance(value, dict) and value.get("type") in (None, "custom")


def _string(value: Json) -> str:
    return value if isinstance(value, str) else ""


# ---------------------------------------------------------------------------------------------- writing


def write_blocks(blocks: Iterable[Block], own: bool) -> list[dict[str, Any]]:
    """Spell blocks. `own` lays them over the objects that they were read from, so unknown fields survive."""
    return [written for block in blocks if (written := write_block(block, own)) is not None]


def write_block(block: Block, own: bool) -> dict[str, Any] | None:
    """Spell one block, None where this dialect has no word for it."""
    raw: Mapping[str, Json] = (block.raw or {}) if own else {}
    if isinstance(block, Text):
        return {**raw, "type": "text", "text": block.text}
    if isinstance(block, Thinking):
        if block.redacted:
            return {**raw, "type": "redacted_thinking", "data": block.signature or ""}
        if own and block.signature is None and "signature" not in raw:
            return {**raw, "type": "thinking", "thinking": block.text}
        return {**raw, "type": "thinking", "thinking": block.text, "signature": block.signature or ""}
    if isinstance(block, ToolCall):
        return {**raw, "type": "tool_use", "id": block.id, "name": block.name, "input": block.arguments}
    if isinstance(block, ToolResult):
        return _write_result(block, raw, own)
    if isinstance(block, Media):
        return _write_media(block, raw)
    return dict(block.raw) if block.raw else None  # what its rules let pass has the shape of this dialect


def _write_result(block: ToolResult, raw: Mapping[str, Json], own: bool) -> dict[str, Any]:
    written: dict[str, Any] = {**raw, "type": "tool_result", "tool_use_id": block.call_id}
    content = write_blocks(block.content, own)
    is_one_text = len(block.content) == 1 and isinstance(block.content[0], Text) and not block.content[0].raw
    if is_one_text and not isinstance(raw.get("content"), list):
        written["content"] = content[0]["text"]
    elif content or isinstance(raw.get("content"), list):
        written["content"] = content
    elif not own or raw.get("content"):
        written["content"] = ""
    if block.is_error:
        written["is_error"] = True
    elif written.get("is_error"):
        del written["is_error"]
    return written


def _write_media(block: Media, raw: Mapping[str, Json]) -> dict[str, Any]:
    source: dict[str, Any]
    if block.data is not None and block.kind == "document" and block.media_type.startswith("text/"):
        text = base64.b64decode(block.data).decode("utf-8", "replace")
        source = {"type": "text", "media_type": "text/plain", "data": text}
    elif block.data is not None:
        source = {"type": "base64", "media_type": block.media_type, "data": block.data}
    elif block.url is not None:
        source = {"type": "url", "url": block.url}
    else:
        source = {"type": "file", "file_id": block.file}
    before = raw.get("source")
    if isinstance(before, dict):
        source = {**before, **source}
    written: dict[str, Any] = {**raw, "type": block.kind, "source": source}
    if block.kind == "document" and block.name and "title" not in written:
        written["title"] = block.name
    return written


def write_tools(tools: Iterable[Tool], own: bool) -> list[dict[str, Any]]:
    """Spell tool definitions; a name that a rule changed is laid over the own shape."""
    written = []
    for tool in tools:
        if own and tool.raw is not None:
            written.append({**tool.raw, "name": tool.name})
            continue
        schema = tool.parameters if isinstance(tool.parameters, dict) else {}
        shape: dict[str, Any] = {"name": tool.name}
        if tool.description:
            shape["description"] = tool.description
        written.append(
            shape | {"input_schema": schema if schema.get("type") == "object" else {**schema, "type": "object"}}
        )
    return written
