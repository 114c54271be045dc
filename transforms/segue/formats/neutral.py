"""The model itself as JSON lines: for goldens, documents and debugging.

A first line `{"segue": "neutral", …}` may hold `system`, `tools` and `model`; each further line is a message with
`role`, `content` (a text, or blocks), and where there is something to say `by` (PROVIDER/ID), `api`, `stop`, `marks`,
`id`, `time`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from segue import records
from segue.changes import Change
from segue.formats._neutral_shape import is_header, is_message
from segue.formats._types import Format, Read, ReadOptions
from segue.model import (
    Block,
    Media,
    Message,
    Opaque,
    Origin,
    Place,
    Record,
    Session,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    Transcript,
)
from segue.targets import Target

USUAL_APIS = {"anthropic": "anthropic-messages", "openai": "openai-responses"}


def recognise(values: Sequence[object], whole: bool) -> bool:
    return bool(values) and isinstance(values[0], dict) and values[0].get("segue") == "neutral"


def read(source: Iterable[Record], options: ReadOptions) -> Read:
    number = 0
    started = False
    for record in source:
        yield record
        value = record.value
        is_object = isinstance(value, dict)
        if is_object and "segue" in value and is_header(value):
            yield _session(value)
            started = True
            continue
        if not started:
            yield Session("neutral")
            started = True
        if not is_object or not is_message(value):
            yield Change("dropped", "unknown-role", "no message of the neutral format", line=record.line)
            continue
        yield message_of(value, record.number, record.line, number, options)
        number += 1
    if not started:
        yield Session("neutral")


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    if transcript.session.format == "neutral" and transcript.is_unchanged:
        source = transcript.source
        yield b"\n".join(records.record_text(record, source.data) for record in source.records)
        return
    lines = [_header(transcript)]
    lines += [records.dumps(object_of(message)) for message in transcript.messages]
    yield b"\n".join(lines)


FORMAT = Format(
    "neutral",
    "segue's own model as JSON lines, for goldens and debugging",
    recognise,
    read,
    write,
    session=False,
    extension=".jsonl",
)


# ---------------------------------------------------------------------------------------------- reading


def _session(value: dict[str, Any]) -> Session:
    system = tuple(Text(text) for text in value.get("system", ()))
    tools = tuple(Tool(t["name"], t.get("description", ""), t.get("parameters", {})) for t in value.get("tools", ()))
    return Session("neutral", model=value.get("model"), system=system, tools=tools, raw=value)


def message_of(
    value: dict[str, Any], record: int, line: int | None, number: int, options: ReadOptions | None = None
) -> Message:
    """Read one line."""
    content = value.get("content") or []
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    blocks = tuple(_block(item, Place(record, line, number, index)) for index, item in enumerate(content))
    origin = None
    if value.get("by"):
        provider, _, model = value["by"].partition("/")
        origin = Origin(provider, value.get("api") or USUAL_APIS.get(provider, "openai-completions"), model)
    elif options is not None and value["role"] == "assistant":
        origin = options.origin(None)
    return Message(
        value["role"],
        blocks,
        origin,
        value.get("stop"),
        number,
        line,
        (record,),
        value.get("id"),
        value.get("time"),
        frozenset(value.get("marks", ())),
        value["raw"] if isinstance(value.get("raw"), dict) else value,
    )


def _block(item: dict[str, Any], place: Place) -> Block:
    raw = item.get("raw")
    match item["type"]:
        case "text":
            return Text(item["text"], item.get("signature"), item.get("refusal", False), raw, place)
        case "thinking":
            return Thinking(item["text"], item.get("signature"), item.get("redacted", False), raw, place)
        case "tool_call":
            call_id, name, arguments = item["id"], item["name"], item.get("arguments")
            return ToolCall(call_id, name, arguments, item.get("signature"), item.get("item"), raw, place)
        case "tool_result":
            content = item.get("content") or []
            if isinstance(content, str):
                content = [{"type": "text", "text": content}]
            inner: tuple[Any, ...] = tuple(_block(block, place) for block in content)
            return ToolResult(item["call_id"], item.get("name", ""), inner, item.get("is_error", False), raw, place)
        case "image" | "document" as kind:
            media_type, data, url = item.get("media_type", ""), item.get("data"), item.get("url")
            return Media(kind, media_type, data, url, item.get("file"), item.get("filename"), raw, place)
        case _:
            return Opaque(item.get("name") or item["type"], raw or {}, place)


# ---------------------------------------------------------------------------------------------- writing


def _header(transcript: Transcript) -> bytes:
    header: dict[str, Any] = {"segue": "neutral"}
    if transcript.session.model:
        header["model"] = transcript.session.model
    if transcript.system:
        header["system"] = [text.text for text in transcript.system]
    if transcript.tools:
        header["tools"] = [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in transcript.tools
        ]
    return records.dumps(header)


def object_of(message: Message) -> dict[str, Any]:
    """Say a message as an object; one plain text is its content."""
    value: dict[str, Any] = {"role": message.role}
    if message.origin is not None:
        value["by"] = f"{message.origin.provider}/{message.origin.model}"
        if message.origin.api != USUAL_APIS.get(message.origin.provider, "openai-completions"):
            value["api"] = message.origin.api
    more = {"id": message.id, "time": message.time, "stop": message.stop_reason}
    value |= {key: found for key, found in more.items() if found is not None}
    if message.marks - {"thinking-lost"}:
        value["marks"] = sorted(message.marks - {"thinking-lost"})
    value["content"] = _content_of(message.blocks)
    return value


def _content_of(blocks: Iterable[Block]) -> Any:
    content = [_object_of(block) for block in blocks]
    if len(content) == 1 and set(content[0]) == {"type", "text"} and content[0]["type"] == "text":
        return content[0]["text"]
    return content


def _object_of(block: Block) -> dict[str, Any]:
    if isinstance(block, Text):
        value: dict[str, Any] = {"type": "text", "text": block.text, "signature": block.signature}
        value["refusal"] = block.refusal or None
    elif isinstance(block, Thinking):
        value = {"type": "thinking", "text": block.text, "signature": block.signature}
        value["redacted"] = block.redacted or None
    elif isinstance(block, ToolCall):
        value = {"type": "tool_call", "id": block.id, "name": block.name, "arguments": block.arguments}
        value |= {"signature": block.signature, "item": block.item}
    elif isinstance(block, ToolResult):
        value = {"type": "tool_result", "call_id": block.call_id, "name": block.name}
        value |= {"content": _content_of(block.content), "is_error": block.is_error or None}
    elif isinstance(block, Media):
        value = {"type": block.kind, "media_type": block.media_type, "data": block.data, "url": block.url}
        value |= {"file": block.file, "filename": block.name}
    else:
        value = {"type": "opaque", "name": block.type}
    if block.raw:
        value["raw"] = dict(block.raw)
    return {key: found for key, found in value.items() if found is not None}
