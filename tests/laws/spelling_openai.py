"""The random histories in the words of Chat Completions, of Mistral, and of Responses."""

from __future__ import annotations

import json
from typing import Any

Json = Any
Messages = list[dict[str, Json]]
_FIELDS = ("reasoning_content", "reasoning", "reasoning_text")


def chat_body(messages: Messages, model: str, variant: int) -> Json:
    return {"model": model, "messages": [_chat(message, variant) for message in messages]}


def _chat(message: Json, variant: int) -> Json:
    said = message["content"]
    parts = said if isinstance(said, str) else [_chat_part(block) for block in said if _is_part(block)]
    if message["role"] == "toolResult":
        return {"role": "tool", "tool_call_id": message["toolCallId"], "content": parts}
    if message["role"] != "assistant":
        return {"role": message["role"], "content": parts}
    calls = [_chat_call(block) for block in said if block.get("type") == "toolCall"]
    made = {"role": "assistant", "content": parts or None}
    return made | ({"tool_calls": calls} if calls else {}) | _reasoning(said, variant)


def _reasoning(said: Json, variant: int) -> Json:
    thoughts = "".join(block["thinking"] for block in said if block.get("type") == "thinking")
    if not thoughts:
        return {}
    if variant % 4 == 3:
        return {"reasoning_details": [{"type": "reasoning.text", "text": thoughts}]}
    return {_FIELDS[variant % 4]: thoughts}


def _is_part(block: Json) -> bool:
    return block.get("type") not in ("thinking", "toolCall")


def _chat_part(block: Json) -> Json:
    match block.get("type"):
        case "text":
            return {"type": "text", "text": block["text"]}
        case "image":
            return {"type": "image_url", "image_url": {"url": _address(block)}}
        case "document":
            named = {"filename": block["name"]} if "name" in block else {}
            return {"type": "file", "file": {"file_data": _address(block), **named}}
    return block


def _address(block: Json) -> str:
    return block["url"] if "url" in block else f"data:{block['mimeType']};base64,{block['data']}"


def _chat_call(block: Json) -> Json:
    function = {"name": block["name"], "arguments": _spelled(block["arguments"])}
    google = block.get("thoughtSignature")
    extra = {"extra_content": {"google": {"thought_signature": google}}} if google else {}
    return {"id": block["id"], "type": "function", "function": function, **extra}


def _spelled(arguments: Json) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


# ----------------------------------------------------------------------------------------- Mistral


def mistral_body(messages: Messages, model: str, variant: int) -> Json:
    return {"model": model, "messages": [_mistral(message, variant) for message in messages]}


def _mistral(message: Json, variant: int) -> Json:
    said = message["content"]
    if message["role"] == "toolResult":
        parts = said if isinstance(said, str) else [_mistral_chunk(block, variant) for block in said]
        head = {"role": "tool", "name": message["toolName"], "tool_call_id": message["toolCallId"]}
        return head | {"content": parts}
    if message["role"] != "assistant":
        parts = said if isinstance(said, str) else [_mistral_chunk(block, variant) for block in said]
        return {"role": message["role"], "content": parts}
    chunks = [_mistral_chunk(block, variant) for block in said if block.get("type") != "toolCall"]
    calls = [_mistral_call(block, variant) for block in said if block.get("type") == "toolCall"]
    is_plain = len(chunks) == 1 and chunks[0].get("type") == "text"
    content = chunks[0]["text"] if is_plain else chunks or ""
    return {"role": "assistant", "content": content} | ({"tool_calls": calls} if calls else {})


def _mistral_chunk(block: Json, variant: int) -> Json:
    match block.get("type"):
        case "thinking":
            return {"type": "thinking", "thinking": [{"type": "text", "text": block["thinking"]}]}
        case "image":
            return {"type": "image_url", "image_url": _address(block) if variant % 2 else {"url": _address(block)}}
        case "document":
            named = {"document_name": block["name"]} if "name" in block else {}
            return {"type": "document_url", "document_url": _address(block), **named}
        case "text":
            return {"type": "text", "text": block["text"]}
    return block


def _mistral_call(block: Json, variant: int) -> Json:
    arguments = block["arguments"] if variant % 2 else _spelled(block["arguments"])
    return {"id": block["id"], "function": {"name": block["name"], "arguments": arguments}}


# --------------------------------------------------------------------------------------- Responses


def responses_body(messages: Messages, model: str, variant: int) -> Json:
    return {"model": model, "input": [item for message in messages for item in items(message)]}


def items(message: Json) -> list[Json]:
    """Spell a message as items of Responses."""
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
            return {"type": "input_image", "image_url": _address(block)}
        case "document":
            named = {"filename": block["name"]} if "name" in block else {}
            return {"type": "input_file", "file_data": _address(block), **named}
    return block


def _item(block: Json) -> Json:
    match block.get("type"):
        case "text":
            part = {"type": "output_text", "text": block["text"], "annotations": []}
            return {"type": "message", "role": "assistant", "content": [part]}
        case "thinking":
            return _reasoning_item(block)
        case "toolCall":
            arguments = _spelled(block["arguments"])
            return {"type": "function_call", "call_id": block["id"], "name": block["name"], "arguments": arguments}
    return block


def _reasoning_item(block: Json) -> Json:
    """Give the item that a signature holds, where it is OpenAI's."""
    signature = block.get("thinkingSignature", "")
    if signature.startswith('{"type": "reasoning"'):
        return json.loads(signature)
    summary = [{"type": "summary_text", "text": block["thinking"]}]
    made = {"type": "reasoning", "id": "rs_1", "summary": summary}
    return made | ({"encrypted_content": "gAAA"} if signature else {})
