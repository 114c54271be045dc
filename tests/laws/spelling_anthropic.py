"""The random histories in the words of Anthropic Messages, and of Amazon's Converse."""

from __future__ import annotations

import base64
from typing import Any

Json = Any
Messages = list[dict[str, Json]]


def anthropic_body(messages: Messages, model: str, variant: int) -> Json:
    return {"model": model, "max_tokens": 1024, "messages": [anthropic_message(message) for message in messages]}


def anthropic_message(message: Json) -> Json:
    said = message["content"]
    if message["role"] == "toolResult":
        block = {"type": "tool_result", "tool_use_id": message["toolCallId"], "content": _anthropic_blocks(said)}
        return {"role": "user", "content": [block | ({"is_error": True} if message["isError"] else {})]}
    return {"role": message["role"], "content": _anthropic_blocks(said)}


def _anthropic_blocks(said: Json) -> Json:
    return said if isinstance(said, str) else [_anthropic_block(block) for block in said]


def _anthropic_block(block: Json) -> Json:
    match block.get("type"):
        case "text":
            return {"type": "text", "text": block["text"]}
        case "thinking" if block.get("redacted"):
            return {"type": "redacted_thinking", "data": block.get("thinkingSignature", "")}
        case "thinking":
            made = {"type": "thinking", "thinking": block["thinking"]}
            return made | ({"signature": block["thinkingSignature"]} if "thinkingSignature" in block else {})
        case "toolCall":
            return {"type": "tool_use", "id": block["id"], "name": block["name"], "input": block["arguments"]}
        case "image" | "document":
            named = {"title": block["name"]} if "name" in block else {}
            return {"type": block["type"], "source": _anthropic_source(block), **named}
    return block


def _anthropic_source(block: Json) -> Json:
    if "url" in block:
        return {"type": "url", "url": block["url"]}
    if block["type"] == "document" and block["mimeType"] == "text/plain":
        return {"type": "text", "media_type": "text/plain", "data": base64.b64decode(block["data"]).decode()}
    return {"type": "base64", "media_type": block["mimeType"], "data": block["data"]}


# ---------------------------------------------------------------------------------------- Converse

_FORMATS = {"text/plain": "txt", "text/csv": "csv", "application/msword": "doc"}


def converse_body(messages: Messages, model: str, variant: int) -> Json:
    """Spell a body, as boto3 takes it with the model's id and as it goes over the wire without one, by turns."""
    prompt = {"system": [{"text": "be kind"}]} if variant % 5 == 0 else {}
    named = {"modelId": model} if variant % 2 else {}
    return {**named, **prompt, "messages": [_converse(message) for message in messages]}


def _converse(message: Json) -> Json:
    said = _converse_blocks(message["content"])
    if message["role"] == "toolResult":
        status = {"status": "error"} if message["isError"] else {}
        return {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": message["toolCallId"], "content": said, **status}}],
        }
    return {"role": message["role"], "content": said}


def _converse_blocks(said: Json) -> Json:
    return [{"text": said}] if isinstance(said, str) else [_converse_block(block) for block in said]


def _converse_block(block: Json) -> Json:
    match block.get("type"):
        case "text":
            return {"text": block["text"]}
        case "thinking" if block.get("redacted"):
            return {"reasoningContent": {"redactedContent": block.get("thinkingSignature", "")}}
        case "thinking":
            signed = {"signature": block["thinkingSignature"]} if "thinkingSignature" in block else {}
            return {"reasoningContent": {"reasoningText": {"text": block["thinking"], **signed}}}
        case "toolCall":
            return {"toolUse": {"toolUseId": block["id"], "name": block["name"], "input": block["arguments"]}}
        case "image":
            return {"image": {"format": _format(block), "source": _converse_source(block)}}
        case "document":
            named = {"name": block["name"]} if "name" in block else {}
            return {"document": {"format": _format(block), "source": _converse_source(block), **named}}
    return {block.get("type", "untyped"): {key: value for key, value in block.items() if key != "type"}}


def _format(block: Json) -> str:
    return _FORMATS.get(block["mimeType"], block["mimeType"].rpartition("/")[2])


def _converse_source(block: Json) -> Json:
    return {"s3Location": {"uri": block["url"]}} if "url" in block else {"bytes": block["data"]}
