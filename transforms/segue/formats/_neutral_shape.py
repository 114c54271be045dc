"""Tell whether a line of the neutral format has its shape: nothing that does not is read."""

from __future__ import annotations

from typing import Any, get_args

from segue.model import Json, Mark, Role

_ROLES = frozenset(get_args(Role))
_MARKS = frozenset(get_args(Mark))


def is_header(value: dict[str, Any]) -> bool:
    """Tell whether a first line says what it may: a system prompt, tools, a model."""
    tools, system = value.get("tools", []), value.get("system", [])
    return (
        isinstance(system, list)
        and all(isinstance(text, str) for text in system)
        and isinstance(tools, list)
        and all(isinstance(tool, dict) and _is_tool(tool) for tool in tools)
        and _are_words(value, "model")
    )


def is_message(value: dict[str, Any]) -> bool:
    """Tell whether a line is a message, all its blocks of a known form."""
    time, marks, role = value.get("time"), value.get("marks", []), value.get("role")
    return (
        isinstance(role, str)
        and role in _ROLES
        and _are_words(value, "by", "api", "stop", "id")
        and (time is None or (isinstance(time, str | int | float) and not isinstance(time, bool)))
        and isinstance(marks, list)
        and all(isinstance(mark, str) and mark in _MARKS for mark in marks)
        and _is_content(value.get("content"), may_hold_results=True)
    )


def _is_content(content: Json, may_hold_results: bool) -> bool:
    if content is None or isinstance(content, str):
        return True
    return isinstance(content, list) and all(
        isinstance(item, dict) and _is_block(item, may_hold_results) for item in content
    )


def _is_block(item: dict[str, Any], may_hold_results: bool) -> bool:
    if not isinstance(item.get("raw"), dict | None):
        return False
    match item.get("type"):
        case "text":
            return isinstance(item.get("text"), str) and _are_words(item, "signature")
        case "thinking":
            return may_hold_results and isinstance(item.get("text"), str) and _are_words(item, "signature")
        case "tool_call":
            named = isinstance(item.get("id"), str) and isinstance(item.get("name"), str)
            return may_hold_results and named and _are_words(item, "signature", "item")
        case "tool_result":
            named = isinstance(item.get("call_id"), str) and isinstance(item.get("name", ""), str)
            return may_hold_results and named and _is_content(item.get("content"), may_hold_results=False)
        case "image" | "document":
            sources = [item[key] for key in ("data", "url", "file") if item.get(key) is not None]
            is_named = isinstance(item.get("media_type", ""), str) and _are_words(item, "filename")
            return is_named and len(sources) == 1 and isinstance(sources[0], str)
        case kind:
            return isinstance(kind, str) and _are_words(item, "name")


def _is_tool(tool: dict[str, Any]) -> bool:
    described = isinstance(tool.get("description", ""), str) and isinstance(tool.get("parameters", {}), dict)
    return isinstance(tool.get("name"), str) and described


def _are_words(value: dict[str, Any], *keys: str) -> bool:
    return all(isinstance(value.get(key), str | None) for key in keys)
