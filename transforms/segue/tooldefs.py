"""Tool definitions as people have them: in Anthropic's, OpenAI's or Gemini's shape."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from segue import records
from segue.errors import UsageError
from segue.model import Json, Tool


def read_tools(data: bytes) -> tuple[Tool, ...]:
    """Read a list of definitions, or an object that holds it as `tools`; UsageError when it is neither."""
    try:
        value = records.parse(data)
    except ValueError as error:
        raise UsageError(f"the tools are no JSON: {error}") from error
    tools = tuple(_tools(value))
    if not tools:
        raise UsageError("no tool definition in it; a list of objects with 'name' would be right")
    return tools


def _tools(value: Json) -> Iterator[Tool]:
    if isinstance(value, dict):
        inner = value.get("tools") or value.get("functionDeclarations") or value.get("function_declarations")
        if inner is not None:
            yield from _tools(inner)
        elif "function" in value and isinstance(value["function"], dict):
            yield from _tools(value["function"])
        elif isinstance(value.get("name"), str):
            yield _tool(value)
    elif isinstance(value, list):
        for item in value:
            yield from _tools(item)


def _tool(value: dict[str, Any]) -> Tool:
    schema = next(
        (value[key] for key in ("input_schema", "parameters", "parametersJsonSchema", "inputSchema") if key in value),
        None,
    )
    if _is_of_a_server(value, schema):
        return Tool(value["name"], server=True, raw=value)
    description = value.get("description")
    return Tool(
        value["name"],
        description if isinstance(description, str) else "",
        schema if isinstance(schema, dict) else {"type": "object"},
    )


def _is_of_a_server(value: dict[str, Any], schema: Json) -> bool:
    """Tell a tool that Anthropic's server runs by itself: its type has a date, and it has no schema."""
    kind = value.get("type")
    return schema is None and isinstance(kind, str) and re.fullmatch(r"[a-z_]+_\d{8}", kind) is not None
