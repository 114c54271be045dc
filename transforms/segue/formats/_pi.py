"""The dialect of pi: how its messages and blocks are read, for `pi-messages` and `pi` sessions alike.

Roles are `system` (older: `developer`), `user`, `assistant` and `toolResult`; one message holds one result. A content
is a string or a list of blocks: text, thinking, toolCall, image. `_pi_agent` knows the messages of the agent itself,
`_pi_spelling` the way back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from segue.formats._pi_agent import agent_text, is_agent_message, is_compaction
from segue.formats._types import ReadOptions
from segue.model import (
    Block,
    Json,
    Media,
    Message,
    Opaque,
    Origin,
    Place,
    Role,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
)

FORMATS = frozenset({"pi", "pi-messages"})
ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
}
API_ALIASES = {"messages": "anthropic-messages"}


def read_message(
    value: Mapping[str, Json], place: Place, options: ReadOptions, leads: bool | None = None
) -> Message | None:
    """Read one message; `place` is that of its first block. None if its role is unknown.

    `leads`: as a system message it is the whole prompt, not an update of one (default: the first message is).
    """
    role = _role(value)
    if role is None:
        return None
    leads = place.message == 0 if leads is None else leads
    assistant = role == "assistant"
    stop_reason, time = value.get("stopReason"), value.get("timestamp")
    return Message(
        role=role,
        blocks=tuple(_blocks(value, role, place, leads)),
        origin=_origin(value, options) if assistant else None,
        stop_reason=stop_reason if assistant and isinstance(stop_reason, str) else None,
        number=place.message,
        line=place.line,
        records=(place.record,),
        time=time if isinstance(time, (str, int, float)) and not isinstance(time, bool) else None,
        marks=frozenset({"compaction-summary"}) if is_compaction(value) else frozenset(),
        raw=value,
    )


def read_content(content: Json, place: Place) -> tuple[Block, ...]:
    """Read a content: a string, a list of blocks, or null for none."""
    if isinstance(content, str):
        return (Text(content, place=place),)
    if content is None:
        return ()
    items = content if isinstance(content, list) else [content]
    return tuple(_block(item, place._replace(block=index)) for index, item in enumerate(items))


def read_tools(declared: Json) -> tuple[Tool, ...]:
    """Read tool declarations: objects with name, description and parameters."""
    return tuple(
        Tool(
            name=value["name"],
            description=string(value.get("description")),
            parameters=value["parameters"] if isinstance(value.get("parameters"), Mapping) else {"type": "object"},
            raw=value,
        )
        for value in (declared if isinstance(declared, list) else ())
        if isinstance(value, Mapping) and isinstance(value.get("name"), str)
    )


def tools_after(tools: tuple[Tool, ...], value: Mapping[str, Json]) -> tuple[Tool, ...]:
    """Follow what a system message does to the tools: it adds some and removes some."""
    added = read_tools(value.get("toolsAdded"))
    removed = value.get("toolsRemoved")
    names = {tool.get("name") for tool in removed if isinstance(tool, Mapping)} if isinstance(removed, list) else set()
    if not added and not names:
        return tools
    names |= {tool.name for tool in added}
    return (*(tool for tool in tools if tool.name not in names), *added)


def string(value: Json) -> str:
    """Take what should be a string as one."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def _role(value: Mapping[str, Json]) -> Role | None:
    if is_agent_message(value):
        return "user"
    role = value.get("role")
    return ROLES.get(role) if isinstance(role, str) else None


def _blocks(value: Mapping[str, Json], role: Role, place: Place, leads: bool) -> Iterator[Block]:
    text = agent_text(value)
    if text is not None:
        yield Text(text, place=place)
    elif role == "tool":
        yield _result(value, place)
    else:
        blocks = read_content(value.get("content"), place)
        yield from blocks
        if role == "system":
            yield from _sections(value.get("sections"), place._replace(block=len(blocks)), leads)


def _block(item: Json, place: Place) -> Block:
    if isinstance(item, str):
        return Text(item, place=place)
    if not isinstance(item, Mapping):
        return Opaque(type(item).__name__, place=place)
    kind = item.get("type")
    if kind == "text" and isinstance(item.get("text", ""), str):
        return Text(item.get("text", ""), _mark(item.get("textSignature")), raw=item, place=place)
    if kind == "thinking" and isinstance(item.get("thinking", ""), str):
        signature, redacted = _mark(item.get("thinkingSignature")), bool(item.get("redacted"))
        return Thinking(item.get("thinking", ""), signature, redacted, raw=item, place=place)
    if kind == "toolCall":
        arguments, signature = item.get("arguments"), _mark(item.get("thoughtSignature"))
        arguments = {} if arguments is None else arguments
        return ToolCall(string(item.get("id")), string(item.get("name")), arguments, signature, raw=item, place=place)
    if kind == "image" and isinstance(item.get("data"), str):
        return Media("image", string(item.get("mimeType")), data=item["data"], raw=item, place=place)
    return Opaque(string(kind) or "unknown", raw=item, place=place)


def _result(value: Mapping[str, Json], place: Place) -> ToolResult:
    content = read_content(value.get("content"), place)
    return ToolResult(
        call_id=string(value.get("toolCallId")),
        name=string(value.get("toolName")),
        content=tuple(block for block in content if isinstance(block, (Text, Media, Opaque))),
        is_error=bool(value.get("isError")),
        raw=value,
        place=place,
    )


def _sections(sections: Json, place: Place, leads: bool) -> Iterator[Text]:
    """Read the named sections of a system message: as they are in a whole prompt, told as updates in a later one."""
    for name, text in sections.items() if isinstance(sections, Mapping) else ():
        if not isinstance(text, str):
            words = "" if leads else f'Removed system prompt section "{name}".'
        else:
            words = text if leads else f'Updated system prompt section "{name}":\n\n{text}'
        if words:
            yield Text(words, raw={"section": name, "words": words}, place=place)
            place = place._replace(block=place.block + 1)


def _origin(value: Mapping[str, Json], options: ReadOptions) -> Origin | None:
    provider, api, model = value.get("provider"), value.get("api"), value.get("model")
    if isinstance(provider, str) and isinstance(api, str) and isinstance(model, str) and provider and api and model:
        return Origin(provider, API_ALIASES.get(api, api), model)
    return options.origin(model if isinstance(model, str) and model else None)


def _mark(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None
