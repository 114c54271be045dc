"""Which apis a request body may be meant for, told by its own marks.

Only to say one clear thing of a body that was given to the wrong api, where its judge would object to every second key.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.model import Json

_ANTHROPIC = frozenset({"anthropic-messages"})
_CHAT = frozenset({"openai-completions", "mistral-conversations"})
_CONVERSE = frozenset({"bedrock-converse-stream"})
_RESPONSES = frozenset({"openai-responses"})
_GEMINI = frozenset({"google-generative-ai"})
_MESSAGES = _ANTHROPIC | _CHAT | _CONVERSE
_ANY = _MESSAGES | _RESPONSES | _GEMINI

_CONVERSE_KEYS = frozenset({"toolConfig", "inferenceConfig", "additionalModelRequestFields", "guardrailConfig"})
_CONVERSE_BLOCKS = frozenset({"text", "toolUse", "toolResult", "image", "document", "reasoningContent", "cachePoint"})
_CHAT_ROLES = frozenset({"tool", "developer", "function"})
_CHAT_PARTS = frozenset({"image_url", "input_audio", "file"})
_ANTHROPIC_BLOCKS = frozenset({"tool_use", "tool_result", "redacted_thinking", "image", "document", "server_tool_use"})


def is_body(value: Json) -> bool:
    """Tell whether a value holds a history the way a request body does."""
    return isinstance(value, dict) and any(isinstance(value.get(key), (list, str)) for key in _HISTORIES)


_HISTORIES = ("messages", "input", "contents")


def meant_for(body: Json) -> frozenset[str]:
    """Name the apis that a body may be meant for; all of them where nothing in it tells.

    >>> sorted(meant_for({"input": "Hello"})), len(meant_for({"model": "m"}))
    (['openai-responses'], 6)
    """
    if not isinstance(body, dict):
        return _ANY
    named = [key for key in _HISTORIES if key in body]
    if len(named) != 1:
        return _ANY
    if named != ["messages"]:
        return _RESPONSES if named == ["input"] else _GEMINI
    met = {*_marks_around(body), *_marks_inside(body["messages"])}
    # Marks of two apis are a mistake within a body, which its judge has to point at.
    return met.pop() if len(met) == 1 else _MESSAGES


def _marks_around(body: dict[str, Json]) -> Iterator[frozenset[str]]:
    if not _CONVERSE_KEYS.isdisjoint(body):
        yield _CONVERSE
    system, tools = body.get("system"), body.get("tools")
    if isinstance(system, str):
        yield _ANTHROPIC
    elif isinstance(system, list) and system and isinstance(system[0], dict):
        yield _ANTHROPIC if "type" in system[0] else _CONVERSE
    if isinstance(tools, list) and tools and isinstance(tools[0], dict):
        if "input_schema" in tools[0]:
            yield _ANTHROPIC
        elif isinstance(tools[0].get("function"), dict):
            yield _CHAT


def _marks_inside(messages: Json) -> Iterator[frozenset[str]]:
    for message in messages if isinstance(messages, list) else ():
        if not isinstance(message, dict):
            continue
        role, content = message.get("role"), message.get("content")
        if (isinstance(role, str) and role in _CHAT_ROLES) or "tool_calls" in message:
            yield _CHAT
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and (mark := _mark(block)):
                yield mark


def _mark(block: dict[str, Json]) -> frozenset[str] | None:
    kind = block.get("type")
    if kind is None:
        return None if _CONVERSE_BLOCKS.isdisjoint(block) else _CONVERSE
    if not isinstance(kind, str):
        return None
    if kind in _CHAT_PARTS:
        return _CHAT
    if kind == "thinking":
        return _CHAT if isinstance(block.get("thinking"), list) else _ANTHROPIC
    return _ANTHROPIC if kind in _ANTHROPIC_BLOCKS else None
