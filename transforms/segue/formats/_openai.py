"""What OpenAI's two request formats share: arguments as text, data URLs, tool definitions, media parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from segue.model import Block, Json, Media, Place, Session, Text, Tool, ToolCall, ToolResult
from segue.records import dumps, parse

DIALECTS = frozenset({"openai-chat", "openai-responses"})
CUSTOM_PARAMETERS = {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}
DOCUMENT_NAME = "document.pdf"  # a file's data must come with a name

AnyBlock = TypeVar("AnyBlock", bound=Block)


# --------------------------------------------------------------------------------------- arguments


def parsed_arguments(value: Json) -> Json:
    """Read a call's arguments: an object where the text is one, else the text as the model wrote it."""
    if isinstance(value, dict):
        return value
    if value is None:
        return {}
    if not isinstance(value, str):
        return dumps(value).decode()
    try:
        parsed = parse(value.encode("utf-8", "surrogatepass"))
    except ValueError:
        return value
    return parsed if isinstance(parsed, dict) else value


def arguments_text(arguments: Json, source: Json = None) -> str:
    """Spell arguments as JSON text: as the source has them if they are the same, else compact."""
    if isinstance(arguments, str):
        return arguments
    if isinstance(source, str) and parsed_arguments(source) == arguments:
        return source
    return dumps(arguments).decode()


def custom_input(arguments: Json) -> str | None:
    """Give the free text of a custom tool's call, None where the arguments have another form by now."""
    if isinstance(arguments, dict) and arguments.keys() == {"input"} and isinstance(arguments["input"], str):
        return arguments["input"]
    return None


def tool_names(blocks: Iterable[Block]) -> dict[str, str]:
    """Tell which tool each id of a turn calls; an id that is empty, or that two tools share, tells nothing."""
    names: dict[str, str] = {}
    for block in blocks:
        if isinstance(block, ToolCall) and block.id:
            names[block.id] = block.name if names.get(block.id, block.name) == block.name else ""
    return names


# ------------------------------------------------------------------------------------------- media


def media_from_url(kind: Literal["image", "document"], url: str, raw: Json, name: str | None = None) -> Media:
    """Read a data URL into its base64 text and its type; any other address stays an address."""
    if url[:5].lower() == "data:":
        head, comma, data = url.partition(",")
        if comma and head.endswith(";base64"):
            return Media(kind, head[5:].split(";", 1)[0].lower(), data=data, name=name, raw=raw)
    return Media(kind, "", url=url, name=name, raw=raw)


def data_url(media: Media) -> str:
    return f"data:{media.media_type};base64,{media.data}"


def address(media: Media) -> str | None:
    """Give the URL that says a medium: a data URL or its own address, None where it is an uploaded file."""
    return data_url(media) if media.data is not None else media.url


# ------------------------------------------------------------------------------------------- tools


def read_tools(values: Json) -> tuple[Tool, ...]:
    """Read the definitions of functions and custom tools, in either dialect; the host's own tools are no Tool."""
    if not isinstance(values, list):
        return ()
    return tuple(tool for tool in map(_read_tool, values) if tool is not None)


def is_tool(value: Json) -> bool:
    return _read_tool(value) is not None


def chat_tool(tool: Tool) -> Json:
    """Spell a tool as Chat Completions wants it, with the unknown fields it had there."""
    raw = tool.raw or {}
    for key in ("function", "custom"):
        if isinstance(raw.get(key), dict):
            return {**raw, key: _definition(tool, raw[key])}
    return {"type": "function", "function": _new_definition(tool)}


def responses_tool(tool: Tool) -> Json:
    """Spell a tool as Responses wants it, with the unknown fields it had there."""
    raw = tool.raw or {}
    if raw.get("type") in ("function", "custom") and isinstance(raw.get("name"), str):
        return _definition(tool, raw)
    # Left out, `strict` would mean yes here, and a schema that was not made for it would be refused.
    return {"type": "function", **_new_definition(tool), "strict": False}


def _read_tool(value: Json) -> Tool | None:
    if not isinstance(value, dict) or value.get("type", "function") not in ("function", "custom"):
        return None
    custom = value.get("type") == "custom"
    nested = value.get("custom" if custom else "function")
    definition = nested if isinstance(nested, dict) else value
    name, description = definition.get("name"), definition.get("description")
    if not isinstance(name, str):
        return None
    parameters = CUSTOM_PARAMETERS if custom else definition.get("parameters")
    return Tool(
        name,
        description if isinstance(description, str) else "",
        parameters if isinstance(parameters, dict) else {"type": "object"},
        raw=value,
    )


def _definition(tool: Tool, raw: Mapping[str, Json]) -> Json:
    read = _read_tool(tool.raw)
    definition = dict(raw) | {"name": tool.name}
    if read is None or read.description != tool.description:
        definition["description"] = tool.description
    if read is None or read.parameters != tool.parameters:
        definition["parameters"] = tool.parameters
    return definition


def _new_definition(tool: Tool) -> dict[str, Json]:
    definition: dict[str, Json] = {"name": tool.name}
    if tool.description:
        definition["description"] = tool.description
    parameters = tool.parameters
    if isinstance(parameters, dict) and parameters.get("type") == "object" and "properties" not in parameters:
        parameters = {**parameters, "properties": {}}  # an object schema without properties is refused
    definition["parameters"] = parameters
    return definition


# ------------------------------------------------------------------------------------ small things


def system_role(raw: Json, session: Session) -> str:
    """Keep the name that the source had for a system message, where it has OpenAI's names."""
    if session.format in DIALECTS and isinstance(raw, Mapping) and raw.get("role") == "developer":
        return "developer"
    return "system"


def joined_texts(texts: Iterable[Text]) -> str:
    return "\n\n".join(text.text for text in texts)


def placed(blocks: Sequence[AnyBlock], record: int, line: int | None, message: int) -> tuple[AnyBlock, ...]:
    """Tell blocks where they stand; what is inside a result stands where the result does."""
    return tuple(at(block, Place(record, line, message, index)) for index, block in enumerate(blocks))


def at(block: AnyBlock, place: Place) -> AnyBlock:
    if isinstance(block, ToolResult):
        return replace(block, content=tuple(replace(part, place=place) for part in block.content), place=place)
    return replace(block, place=place)


def same(one: Iterable[Block], other: Iterable[Block]) -> bool:
    """Compare blocks without their places."""
    return [_nowhere(block) for block in one] == [_nowhere(block) for block in other]


def _nowhere(block: Block) -> Block:
    if isinstance(block, ToolResult):
        return replace(block, content=tuple(replace(part, place=None) for part in block.content), place=None)
    return replace(block, place=None)


def first_text(*candidates: Json) -> str:
    """Give the first candidate that is a text, else an empty one."""
    return next((candidate for candidate in candidates if isinstance(candidate, str)), "")
