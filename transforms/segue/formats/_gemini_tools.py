"""Tool declarations of Gemini's generateContent api.

A group of `tools` holds declarations of the client's functions, or switches a tool of the host on. Parameters come in
Google's own schema dialect (`parameters`: types in capitals, `nullable`) or as JSON schema (`parametersJsonSchema`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from segue.formats._gemini import SNAKE, as_list, key_in, member
from segue.model import Json, Tool

_NUMBERS = frozenset({"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"})
_KEYS = {
    "type_": "type", "format_": "format", "min_items": "minItems", "max_items": "maxItems", "any_of": "anyOf",
    "min_length": "minLength", "max_length": "maxLength", "min_properties": "minProperties",
    "max_properties": "maxProperties", "additional_properties": "additionalProperties", "ref": "$ref", "defs": "$defs",
}  # fmt: skip
_UNSAID = frozenset({"propertyOrdering", "property_ordering", "nullable", "example"})


# ------------------------------------------------------------------------------------------------ reading


def read_tools(tools: Json) -> tuple[Tool, ...]:
    """Read the declarations of all groups; the host's own tools are no Tool."""
    return tuple(_tool(item) for group in as_list(tools) for item in declarations_in(group))


def declarations_in(group: Json) -> list[dict[str, Any]]:
    """List the declarations of a group of tools."""
    found = member(group, "functionDeclarations") if isinstance(group, dict) else None
    return [item for item in as_list(found) if isinstance(item, dict) and isinstance(item.get("name"), str)]


def _tool(item: dict[str, Any]) -> Tool:
    description = item.get("description")
    return Tool(item["name"], description if isinstance(description, str) else "", _parameters(item), False, item)


def _parameters(item: Mapping[str, Json]) -> Json:
    schema = member(item, "parametersJsonSchema")
    if isinstance(schema, dict):
        return schema
    schema = item.get("parameters")
    return as_json_schema(schema) if isinstance(schema, dict) else {"type": "object"}


def as_json_schema(schema: Json) -> Json:
    """Say a schema of Google's dialect as JSON schema.

    >>> as_json_schema({"type": "STRING", "nullable": True, "example": "a"})
    {'type': ['string', 'null'], 'examples': ['a']}
    """
    if not isinstance(schema, dict):
        return schema
    said: dict[str, Any] = {}
    for key, value in schema.items():
        name = str(_KEYS.get(key, key))
        if key in _UNSAID or value is None:
            continue
        if name == "type" and isinstance(value, str):
            if value != "TYPE_UNSPECIFIED":
                said["type"] = value.lower()
        elif name in _NUMBERS and isinstance(value, str) and value.isascii() and value.isdigit():
            said[name] = int(value)  # 64 bits wide numbers are texts in Google's JSON
        elif name in ("properties", "$defs") and isinstance(value, dict):
            said[name] = {inner: as_json_schema(item) for inner, item in value.items()}
        elif name == "anyOf" and isinstance(value, list):
            said[name] = [as_json_schema(item) for item in value]
        else:
            said[name] = as_json_schema(value) if name in ("items", "additionalProperties") else value
    if schema.get("nullable") is True and isinstance(said.get("type"), str):
        said["type"] = [said["type"], "null"]
    if schema.get("example") is not None:
        said["examples"] = [schema["example"]]
    return said


# ------------------------------------------------------------------------------------------------ writing


def write_tools(tools: Iterable[Tool], snake: bool = False) -> list[dict[str, Any]]:
    """Spell tool definitions as one group of declarations."""
    declared = [_declaration(tool, None, snake) for tool in tools]
    return [{_key("functionDeclarations", snake): declared}] if declared else []


def own_tools(groups: Json, tools: Iterable[Tool], snake: bool) -> list[Json]:
    """Spell tools over the groups that the source had: the host's own stay, and what is new joins the last group."""
    left = {id(tool.raw) if tool.raw is not None else -index: tool for index, tool in enumerate(tools, 1)}
    written: list[Json] = []
    at: tuple[dict[str, Any], str] | None = None
    for group in as_list(groups):
        declared = declarations_in(group)
        key = key_in(group, "functionDeclarations") if declared else None
        if key is None:
            written.append(group)
            continue
        kept = [_declaration(left.pop(id(item)), item, snake) for item in declared if id(item) in left]
        others = {name: value for name, value in group.items() if name != key}
        if kept:
            changed = {**group, key: kept}
            at = changed, key
            written.append(changed)
        elif others:
            written.append(others)
    if not left:
        return written
    new = [_declaration(tool, None, snake) for tool in left.values()]
    if at is None:
        return [*written, {_key("functionDeclarations", snake): new}]
    at[0][at[1]] += new
    return written


def _declaration(tool: Tool, raw: Mapping[str, Json] | None, snake: bool) -> dict[str, Any]:
    if raw is not None:
        return {**raw, "name": tool.name}
    written: dict[str, Any] = {"name": tool.name}
    if tool.description:
        written["description"] = tool.description
    schema = tool.parameters if isinstance(tool.parameters, dict) else {}
    written[_key("parametersJsonSchema", snake)] = schema if "type" in schema else {**schema, "type": "object"}
    return written


def _key(name: str, snake: bool) -> str:
    return SNAKE[name] if snake else name
