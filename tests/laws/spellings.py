"""The random histories in the words of every format: message for message, faults and all.

Most formats have more than one way to say the same: `variant` chooses among them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from spelling_anthropic import anthropic_body, converse_body
from spelling_google import gemini_body
from spelling_openai import chat_body, mistral_body, responses_body
from spelling_sessions import claude_code, codex, pi_session

Json = Any
Messages = list[dict[str, Json]]

BODIES: dict[str, Callable[[Messages, str, int], Json]] = {
    "anthropic-messages": anthropic_body,
    "openai-chat": chat_body,
    "openai-responses": responses_body,
    "gemini": gemini_body,
    "bedrock-converse": converse_body,
    "mistral-chat": mistral_body,
}
SESSIONS: dict[str, Callable[[Messages, int], list[Json]]] = {
    "claude-code": claude_code,
    "pi": pi_session,
    "codex": codex,
}


def spelled(messages: Messages, format: str, model: str = "another-model", variant: int = 0) -> bytes:
    """Print a history as a file of the format, with escapes only: lone surrogates and all."""
    if format == "pi-messages":
        return _printed([messages])
    if format == "neutral":
        return _printed([{"segue": "neutral"}, *map(_neutral, messages)])
    if format in SESSIONS:
        return _printed(SESSIONS[format](messages, variant))
    return _printed([BODIES[format](messages, model, variant)])


def _printed(lines: list[Json]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


# ----------------------------------------------------------------------------------------- neutral


def _neutral(message: Json) -> Json:
    said = _neutral_content(message["content"])
    if message["role"] == "toolResult":
        head = {"type": "tool_result", "call_id": message["toolCallId"], "name": message["toolName"]}
        return {"role": "tool", "content": [{**head, "content": said, "is_error": message["isError"]}]}
    known: dict[str, Json] = {"role": message["role"], "content": said}
    if "model" in message:
        known |= {"by": f"{message['provider']}/{message['model']}", "api": message["api"]}
    if "stopReason" in message:
        known["stop"] = message["stopReason"]
    return known


def _neutral_content(said: Json) -> Json:
    return said if isinstance(said, str) else [_neutral_block(block) for block in said]


def _neutral_block(block: Json) -> Json:
    match block.get("type"):
        case "text":
            return {"type": "text", "text": block["text"], "signature": block.get("textSignature")}
        case "thinking":
            marks = {"signature": block.get("thinkingSignature"), "redacted": block.get("redacted", False)}
            return {"type": "thinking", "text": block["thinking"], **marks}
        case "toolCall":
            call = {"id": block["id"], "name": block["name"], "arguments": block["arguments"]}
            return {"type": "tool_call", **call, "signature": block.get("thoughtSignature")}
        case "image" | "document" as kind:
            source = {"url": block["url"]} if "url" in block else {"data": block["data"]}
            return {"type": kind, "media_type": block["mimeType"], **source, "filename": block.get("name")}
    return {"type": "opaque", "name": block.get("type", "untyped"), "raw": block}
