"""Block shapes of Bedrock's Converse api, as they are written.

`own` lays a block over the object that it was read from, so that unknown fields survive.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

from segue.formats._bedrock import DOCUMENT_FORMATS, MARK, cited_text, document_words, is_tool, json_text, tools_in
from segue.model import Block, Json, Media, Opaque, Text, Thinking, Tool, ToolCall, ToolResult
from segue.targets import Target

NAMELESS = "document"
_FORMATS = {media_type: kind for kind, media_type in DOCUMENT_FORMATS.items()}


def write_blocks(blocks: Iterable[Block], target: Target, own: bool) -> list[dict[str, Any]]:
    """Spell blocks; a cache point stands behind the block that it marks."""
    written: list[dict[str, Any]] = []
    for block in blocks:
        raw: Mapping[str, Json] = (block.raw or {}) if own else {}
        mark = None if type(block) is Opaque and block.type == MARK else raw.get(MARK)
        if mark is not None:
            raw = {key: value for key, value in raw.items() if key != MARK}
        shape = _written(block, raw, target, own)
        if shape is not None:
            written.append(shape)
            if mark is not None:
                written.append({MARK: mark})
    return written


def _written(block: Block, raw: Mapping[str, Json], target: Target, own: bool) -> dict[str, Any] | None:
    """Spell one block, None where this dialect has no word for it."""
    if isinstance(block, Text):
        return _text(block, raw)
    if isinstance(block, Thinking):
        return _thinking(block, raw, target)
    if isinstance(block, ToolCall):
        call = {**_inner(raw, "toolUse"), "toolUseId": block.id, "name": block.name, "input": block.arguments}
        return {**raw, "toolUse": call}
    if isinstance(block, ToolResult):
        return _result(block, raw, target, own)
    if isinstance(block, Media):
        return _media(block, raw)
    return dict(raw) if raw else None


def _inner(raw: Mapping[str, Json], key: str) -> dict[str, Any]:
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def _text(block: Text, raw: Mapping[str, Json]) -> dict[str, Any]:
    """Spell a text; words that nobody changed keep the richer form they came in."""
    if "json" in raw and json_text(raw["json"]) == block.text:
        return dict(raw)
    if cited_text(raw.get("citationsContent")) == block.text:
        return dict(raw)
    guarded = _inner(raw, "guardContent").get("text")
    if isinstance(guarded, dict):
        return {**raw, "guardContent": {"text": {**guarded, "text": block.text}}}
    kept = {key: value for key, value in raw.items() if key not in ("json", "citationsContent", "guardContent")}
    return {**kept, "text": block.text}


def _thinking(block: Thinking, raw: Mapping[str, Json], target: Target) -> dict[str, Any]:
    if block.redacted:
        return {**raw, "reasoningContent": {"redactedContent": block.signature or ""}}
    said = {**_inner(_inner(raw, "reasoningContent"), "reasoningText"), "text": block.text}
    if block.signature is not None and target.thinking == "signed":
        said["signature"] = block.signature
    else:
        said.pop("signature", None)
    return {**raw, "reasoningContent": {"reasoningText": said}}


def _result(block: ToolResult, raw: Mapping[str, Json], target: Target, own: bool) -> dict[str, Any]:
    before = _inner(raw, "toolResult")
    content = write_blocks(block.content, target, own)
    written: dict[str, Any] = {**before, "toolUseId": block.call_id, "content": content}
    if not target.error_flag:
        written.pop("status", None)
    elif block.is_error:
        written["status"] = "error"
    elif not before or "status" in before:
        written["status"] = "success"
    return {**raw, "toolResult": written}


def _media(block: Media, raw: Mapping[str, Json]) -> dict[str, Any]:
    guarded = _inner(raw, "guardContent").get("image")
    before = guarded if isinstance(guarded, dict) else _inner(raw, block.kind)
    source = _source(block, before.get("source"))
    written: dict[str, Any] = dict(before)
    if "bytes" in source or "s3Location" in source:  # a document of words needs no format
        written["format"] = format_of(block)
    if block.kind == "document":
        written["name"] = block.name or NAMELESS
    written["source"] = source
    return {**raw, "guardContent": {"image": written}} if before is guarded else {**raw, block.kind: written}


def _source(block: Media, before: Json) -> dict[str, Any]:
    if block.data is None:
        stored = before.get("s3Location") if isinstance(before, dict) else None
        location = {**(stored if isinstance(stored, dict) else {}), "uri": block.url or block.file or ""}
        return {"s3Location": location}
    words = document_words(before) if isinstance(before, dict) and "bytes" not in before else None
    if words is not None and base64.b64encode(words.encode("utf-8", "replace")).decode("ascii") == block.data:
        return dict(before)
    return {"bytes": block.data}


def format_of(media: Media) -> str:
    """Name the format of a medium as Bedrock does; of a link without a type its ending tells.

    >>> format_of(Media("image", "image/jpg", "")), format_of(Media("document", "", url="s3://a/b.docx"))
    ('jpeg', 'docx')
    """
    ending = (media.url or media.name or "").rpartition(".")[2].lower()
    if media.kind == "image":
        kind = media.media_type.removeprefix("image/") or (ending if ending in _IMAGES else "png")
        return "jpeg" if kind == "jpg" else kind
    known = _FORMATS.get(media.media_type.partition(";")[0].strip().lower())
    return known or (ending if ending in DOCUMENT_FORMATS else media.media_type or "pdf")


_IMAGES = frozenset({"png", "jpeg", "jpg", "gif", "webp"})


def write_tools(tools: Iterable[Tool], own: bool) -> list[dict[str, Any]]:
    """Spell tool definitions; a name that a rule changed is laid over the own shape."""
    written: list[dict[str, Any]] = []
    for tool in tools:
        raw = tool.raw if own and tool.raw is not None and "toolSpec" in tool.raw else None
        if raw is not None:
            written.append({**raw, "toolSpec": {**raw["toolSpec"], "name": tool.name}})
            continue
        schema = tool.parameters if isinstance(tool.parameters, dict) else {}
        spec: dict[str, Any] = {"name": tool.name}
        if tool.description:
            spec["description"] = tool.description
        spec["inputSchema"] = {"json": schema if schema.get("type") == "object" else {**schema, "type": "object"}}
        written.append({"toolSpec": spec})
    return written


def own_tools(config: Json, tools: Iterable[Tool]) -> list[Json]:
    """Spell the tools among what a `toolConfig` holds beside them: the server's own before, cache points behind."""
    others = [item for item in tools_in(config) if not is_tool(item)]
    marks = [item for item in others if isinstance(item, dict) and MARK in item]
    hosted = [item for item in others if not any(item is mark for mark in marks)]
    return [*hosted, *write_tools(tools, own=True), *marks]
