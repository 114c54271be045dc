"""The random histories in the words of Gemini's generateContent."""

from __future__ import annotations

import json
import re
from typing import Any

Json = Any
Messages = list[dict[str, Json]]


def gemini_body(messages: Messages, model: str, variant: int) -> Json:
    """Spell a body: with ids on calls or without, in camelCase or, as Python's SDK dumps it, in snake_case."""
    contents = [_content(message, with_ids=variant % 2 == 0) for message in messages]
    prompt = {"systemInstruction": {"parts": [{"text": "be kind"}]}} if variant % 5 == 0 else {}
    named = {"model": model} if variant % 3 else {}
    body = {**named, **prompt, "contents": contents}
    return _snake(body) if variant % 4 > 1 else body


def _content(message: Json, with_ids: bool) -> Json:
    said = message["content"]
    if message["role"] == "toolResult":
        id = {"id": message["toolCallId"]} if with_ids and message["toolCallId"] else {}
        texts = said if isinstance(said, str) else "\n".join(b["text"] for b in said if b.get("type") == "text")
        response = {"error" if message["isError"] else "output": _structured(texts)}
        media = [] if isinstance(said, str) else [_part(b, with_ids) for b in said if "mimeType" in b]
        parts = {"parts": media} if media else {}
        return {
            "role": "user",
            "parts": [{"functionResponse": {**id, "name": message["toolName"], "response": response, **parts}}],
        }
    parts = [{"text": said}] if isinstance(said, str) else [_part(block, with_ids) for block in said]
    return {"role": "model" if message["role"] == "assistant" else "user", "parts": parts}


def _structured(text: str) -> Json:
    """Give the JSON that a result is behind its token, if it is some."""
    token, _, rest = text.partition(" ")
    try:
        value = json.loads(rest)
    except ValueError:
        return text
    return {"token": token, "value": value} if isinstance(value, dict | list) else text


def _part(block: Json, with_ids: bool) -> Json:
    match block.get("type"):
        case "text":
            return {"text": block["text"], **_signed(block.get("textSignature"))}
        case "thinking":
            return {"text": block["thinking"], "thought": True, **_signed(block.get("thinkingSignature"))}
        case "toolCall":
            id = {"id": block["id"]} if with_ids and block["id"] else {}
            call = {**id, "name": block["name"], "args": block["arguments"]}
            return {"functionCall": call, **_signed(block.get("thoughtSignature"))}
        case "image" | "document" if "url" in block:
            return {"fileData": {"mimeType": block["mimeType"], "fileUri": block["url"]}}
        case "image" | "document":
            named = {"displayName": block["name"]} if "name" in block else {}
            return {"inlineData": {"mimeType": block["mimeType"], "data": block["data"], **named}}
    return {block.get("type", "untyped"): {key: value for key, value in block.items() if key != "type"}}


def _signed(signature: str | None) -> Json:
    return {"thoughtSignature": signature} if signature else {}


def _snake(value: Json) -> Json:
    """Rename the keys of a body, but not what is inside of arguments and responses."""
    if isinstance(value, list):
        return [_snake(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        re.sub("[A-Z]", lambda found: "_" + found[0].lower(), key): item
        if key in ("args", "response")
        else _snake(item)
        for key, item in value.items()
    }
