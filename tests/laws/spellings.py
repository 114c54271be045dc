"""The random histories in the words of other formats: message for message, faults and all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Json = Any
Messages = list[dict[str, Json]]


def anthropic_body(messages: Messages, model: str = "claude-opus-4-8") -> Json:
    return {"model": model, "max_tokens": 1024, "messages": [_anthropic(message) for message in messages]}


def _anthropic(message: Json) -> Json:
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
        case "image":
            return {
                "type": "image",
                "source": {"type": "base64", "media_type": block["mimeType"], "data": block["data"]},
            }
    return block


def chat_body(messages: Messages, model: str = "gpt-4o") -> Json:
    return {"model": model, "messages": [_chat(message) for message in messages]}


def _chat(message: Json) -> Json:
    said = message["content"]
    parts = said if isinstance(said, str) else [_chat_part(block) for block in said if _is_part(block)]
    if message["role"] == "toolResult":
        return {"role": "tool", "tool_call_id": message["toolCallId"], "content": parts}
    if message["role"] != "assistant":
        return {"role": message["role"], "content": parts}
    thoughts = [block["thinking"] for block in said if block.get("type") == "thinking"]
    calls = [_chat_call(block) for block in said if block.get("type") == "toolCall"]
    made = {"role": "assistant", "content": parts or None}
    return (
        made | ({"tool_calls": calls} if calls else {}) | ({"reasoning_content": "".join(thoughts)} if thoughts else {})
    )


def _is_part(block: Json) -> bool:
    return block.get("type") not in ("thinking", "toolCall")


def _chat_part(block: Json) -> Json:
    match block.get("type"):
        case "text":
            return {"type": "text", "text": block["text"]}
        case "image":
            return {"type": "image_url", "image_url": {"url": f"data:{block['mimeType']};base64,{block['data']}"}}
    return block


def _chat_call(block: Json) -> Json:
    function = {"name": block["name"], "arguments": _spelled(block["arguments"])}
    return {"id": block["id"], "type": "function", "function": function}


def _spelled(arguments: Json) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def responses_body(messages: Messages, model: str = "gpt-5.2") -> Json:
    return {"model": model, "input": [item for message in messages for item in _items(message)]}


def _items(message: Json) -> list[Json]:
    said = message["content"]
    if message["role"] == "toolResult":
        output = said if isinstance(said, str) else [_input_part(block) for block in said]
        return [{"type": "function_call_output", "call_id": message["toolCallId"], "output": output}]
    if message["role"] != "assistant":
        parts = said if isinstance(said, str) else [_input_part(block) for block in said]
        return [{"type": "message", "role": message["role"], "content": parts}]
    return [_item(block) for block in said]


def _input_part(block: Json) -> Json:
    match block.get("type"):
        case "text":
            return {"type": "input_text", "text": block["text"]}
        case "image":
            return {"type": "input_image", "image_url": f"data:{block['mimeType']};base64,{block['data']}"}
    return block


def _item(block: Json) -> Json:
    match block.get("type"):
        case "text":
            part = {"type": "output_text", "text": block["text"], "annotations": []}
            return {"type": "message", "role": "assistant", "content": [part]}
        case "thinking":
            summary = [{"type": "summary_text", "text": block["thinking"]}]
            made = {"type": "reasoning", "id": "rs_1", "summary": summary}
            return made | ({"encrypted_content": "gAAA"} if block.get("thinkingSignature") else {})
        case "toolCall":
            arguments = _spelled(block["arguments"])
            return {"type": "function_call", "call_id": block["id"], "name": block["name"], "arguments": arguments}
    return block


def claude_code(messages: Messages) -> list[Json]:
    """Lines of a Claude Code session, one message each, each the child of the one before."""
    lines = []
    for number, message in enumerate(messages):
        body = _anthropic(message)
        line: dict[str, Json] = {
            "parentUuid": _uuid(number - 1) if number else None,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/project",
            "sessionId": "6c1f0f2e-5b1d-4c55-9a57-0d3c8e1f7a10",
            "version": "2.1.120",
            "type": "assistant" if message["role"] == "assistant" else "user",
            "message": body | {"role": "assistant" if message["role"] == "assistant" else "user"},
            "uuid": _uuid(number),
            "timestamp": f"2026-03-12T09:{number // 60:02}:{number % 60:02}.000Z",
        }
        if message["role"] == "assistant":
            known = {"model": message.get("model", "claude-opus-4-8"), "id": f"msg_{number}", "type": "message"}
            reason = {"toolUse": "tool_use", "stop": "end_turn"}.get(message.get("stopReason", ""))
            line["message"] = known | line["message"] | {"stop_reason": reason, "stop_sequence": None}
        lines.append(line)
    return lines


def _uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def pi_session(messages: Messages) -> list[Json]:
    """Entries of a pi session, each the child of the one before."""
    head = {"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-03-04T10:00:00.000Z", "cwd": "/project"}
    entries = [
        {
            "type": "message",
            "id": f"{number:08}",
            "parentId": f"{number - 1:08}" if number else None,
            "timestamp": f"2026-03-04T10:{number // 60:02}:{number % 60:02}.000Z",
            "message": message,
        }
        for number, message in enumerate(messages)
    ]
    return [head, *entries]


BODIES: dict[str, Callable[..., Json]] = {
    "anthropic-messages": anthropic_body,
    "openai-chat": chat_body,
    "openai-responses": responses_body,
}
SESSIONS: dict[str, Callable[..., list[Json]]] = {"claude-code": claude_code, "pi": pi_session}


def spelled(messages: Messages, format: str, model: str | None = None) -> bytes:
    """Print a history as a file of the format."""
    if format == "pi-messages":
        return json.dumps(messages).encode() + b"\n"
    if format in SESSIONS:
        return b"".join(json.dumps(line).encode() + b"\n" for line in SESSIONS[format](messages))
    return json.dumps(BODIES[format](messages, *([model] if model else []))).encode() + b"\n"
