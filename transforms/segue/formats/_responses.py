"""The items of OpenAI's Responses, read into messages: what the assistant did in a row is one turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from segue.changes import Change
from segue.formats._openai import at, first_text, media_from_url, parsed_arguments, placed, tool_names
from segue.model import (
    Block,
    ContentBlock,
    Json,
    Media,
    Message,
    Opaque,
    Origin,
    Place,
    Record,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from segue.records import dumps, parse

MESSAGE_ROLES = ("user", "assistant", "system", "developer")
CALLS = ("function_call", "custom_tool_call")
OUTPUTS = ("function_call_output", "custom_tool_call_output")
# fmt: off
OTHER_ITEMS = (
    "web_search_call", "file_search_call", "computer_call", "computer_call_output", "code_interpreter_call",
    "image_generation_call", "local_shell_call", "local_shell_call_output", "shell_call", "shell_call_output",
    "apply_patch_call", "apply_patch_call_output", "mcp_call", "mcp_list_tools", "mcp_approval_request",
    "mcp_approval_response", "tool_search_call", "tool_search_output", "compaction", "compaction_summary",
    "compaction_trigger", "item_reference", "additional_tools", "configuration_update",
)
# fmt: on
WORD_PARTS = ("output_text", "text")
ITEM_TYPES = (*OTHER_ITEMS, "reasoning", *CALLS, *OUTPUTS)


def is_item(value: object) -> bool:
    """Whether a value is an item: one of a known type, or a message with one of the roles."""
    if not isinstance(value, dict):
        return False
    if value.get("type", "message") == "message":
        return value.get("role") in MESSAGE_ROLES and isinstance(value.get("content"), str | list)
    kind = value.get("type")
    return kind in ITEM_TYPES or (isinstance(kind, str) and kind.endswith(("_call", "_call_output")))


def is_certain(value: object) -> bool:
    """Whether a value can be nothing but an item: a plain message could be another format's as well."""
    if not isinstance(value, dict):
        return False
    if value.get("type") in ITEM_TYPES or (value.get("type") == "message" and value.get("role") in MESSAGE_ROLES):
        return True
    content = value.get("content")
    parts = content if isinstance(content, list) else ()
    return any(isinstance(part, dict) and part.get("type") in ("input_text", "output_text") for part in parts)


# ----------------------------------------------------------------------------------------- reading


@dataclass(slots=True)
class _Turn:
    """What the assistant has done since anybody else said something."""

    blocks: list[tuple[Block, Record]] = field(default_factory=list)
    items: list[Json] = field(default_factory=list)


def read_items(items: Iterable[tuple[Json, Record]], origin: Origin | None) -> Iterator[Message | Change]:
    """Read items, each with the record that it stands in, into messages numbered from 0."""
    number = 0
    turn = _Turn()
    names: dict[str, str] = {}  # a call's id → the tool that it named
    for item, record in items:
        blocks = assistant_blocks(item)
        if blocks is not None:
            turn.blocks.extend((block, record) for block in blocks)
            turn.items.append(item)
            continue
        if turn.items:
            names.update(tool_names(block for block, _ in turn.blocks))
            yield _assistant(turn, number, origin)
            turn, number = _Turn(), number + 1
        message = _other_message(item, record, number, names)
        if message is None:
            yield _not_an_item(item, record)
            continue
        yield message
        number += 1
    if turn.items:
        yield _assistant(turn, number, origin)


def _assistant(turn: _Turn, number: int, origin: Origin | None) -> Message:
    records = [record for _, record in turn.blocks]
    return Message(
        "assistant",
        tuple(
            at(block, Place(record.number, record.line, number, index))
            for index, (block, record) in enumerate(turn.blocks)
        ),
        origin=origin,
        number=number,
        line=records[0].line,
        records=tuple(dict.fromkeys(record.number for record in records)),
        raw=turn.items[0] if len(turn.items) == 1 else None,
    )


def _other_message(item: Json, record: Record, number: int, names: Mapping[str, str]) -> Message | None:
    """Read what somebody else said: a result, or a message of the user or the system."""
    if not isinstance(item, dict):
        return None
    blocks: tuple[Block, ...]
    role: Role
    if item.get("type") in OUTPUTS:
        role, blocks = "tool", (read_output(item, names),)
    elif item.get("type", "message") == "message" and item.get("role") in MESSAGE_ROLES:
        role, blocks = "user" if item["role"] == "user" else "system", tuple(content_blocks(item.get("content")))
    else:
        return None
    return Message(
        role,
        placed(blocks, record.number, record.line, number),
        number=number,
        line=record.line,
        records=(record.number,),
        raw=item,
    )


def _not_an_item(item: Json, record: Record) -> Change:
    if not isinstance(item, dict):
        return Change("dropped", "unknown-role", "a value that is no item", line=record.line)
    if item.get("type", "message") == "message":
        what = f"a message of the unknown role {item.get('role')!r}"
        return Change("dropped", "unknown-role", what, line=record.line)
    return Change("dropped", "unknown-block", f"an item of the unknown type {item['type']!r}", line=record.line)


def assistant_blocks(item: Json) -> list[Block] | None:
    """Read what the assistant did, None if it was somebody else's item."""
    if not isinstance(item, dict):
        return None
    kind = item.get("type", "message")
    if kind == "message":
        return list(word_blocks(item)) if item.get("role") == "assistant" else None
    if kind == "reasoning":
        return [read_reasoning(item)]
    if kind in CALLS:
        return [read_call(item)]
    if kind in OUTPUTS or not isinstance(kind, str):
        return None
    # Also a type that nobody knows yet: its own format sends it back as it is.
    return [Opaque(kind, raw=item)]


def word_blocks(item: Mapping[str, Json]) -> Iterator[Text | Opaque]:
    """Read an assistant's message item. Each block keeps the whole item as its `raw`."""
    signature = text_signature(item)
    content = item.get("content")
    if not isinstance(content, list) or not content:
        yield Text(first_text(content), signature, raw=item)
        return
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "refusal":
            yield Text(first_text(part.get("refusal")), signature, refusal=True, raw=item)
        elif kind in WORD_PARTS:
            yield Text(first_text(part.get("text")), signature, raw=item)
        else:
            yield Opaque(first_text(kind) or "unknown", raw=item)


def text_signature(item: Mapping[str, Json]) -> str | None:
    """Keep a message item's id and phase as JSON text, the way pi records them."""
    kept = {key: item[key] for key in ("id", "phase") if isinstance(item.get(key), str)}
    return dumps({"v": 1, **kept}).decode() if kept else None


def read_text_signature(signature: str | None) -> tuple[str | None, str | None]:
    """Give the id and the phase that a text's signature holds; a bare id is its older form."""
    if not signature:
        return None, None
    value = _json(signature)
    if isinstance(value, dict):
        return first_text(value.get("id")) or None, first_text(value.get("phase")) or None
    return (signature, None) if signature.startswith("msg") else (None, None)


def read_reasoning(item: Mapping[str, Json]) -> Thinking:
    """Read a reasoning item. Only an item that can be sent back on its own counts as signed."""
    parts = [*_listed(item.get("summary")), *_listed(item.get("content"))]
    text = "\n\n".join(filter(None, (first_text(part.get("text")) for part in parts if isinstance(part, dict))))
    signed = bool(item.get("encrypted_content") or item.get("content"))
    return Thinking(text, dumps(item).decode() if signed else None, raw=item)


def reasoning_item(signature: str | None) -> Json:
    """Give the reasoning item that a signature holds, None if it holds none."""
    value = _json(signature) if signature else None
    return value if isinstance(value, dict) and value.get("type") == "reasoning" else None


def read_call(item: Mapping[str, Json]) -> ToolCall:
    """Read a call of a function, or of a custom tool: its free text is the argument `input`."""
    custom = item["type"] == "custom_tool_call"
    arguments = {"input": first_text(item.get("input"))} if custom else parsed_arguments(item.get("arguments"))
    item_id = first_text(item.get("id")) or None
    return ToolCall(first_text(item.get("call_id")), first_text(item.get("name")), arguments, item=item_id, raw=item)


def read_output(item: Mapping[str, Json], names: Mapping[str, str]) -> ToolResult:
    """Read a result; `names` knows which tool the calls before it named."""
    call_id, output = first_text(item.get("call_id")), item.get("output")
    content = () if output == "" else tuple(content_blocks(output))
    return ToolResult(call_id, first_text(item.get("name")) or names.get(call_id, ""), content, raw=item)


def content_blocks(content: Json) -> list[ContentBlock]:
    """Read the content of a user's or a system's message, or a result's output: a text or parts."""
    if content is None:
        return []
    if isinstance(content, str):
        return [Text(content)]
    if not isinstance(content, list):
        return [Text(dumps(content).decode())]
    return [_part(part) for part in content]


def _part(part: Json) -> ContentBlock:
    if not isinstance(part, dict):
        return Text(part if isinstance(part, str) else dumps(part).decode())
    kind, name = part.get("type"), first_text(part.get("filename")) or None
    if kind in ("input_text", *WORD_PARTS) and isinstance(part.get("text"), str):
        return Text(part["text"], raw=part)
    if kind == "input_image":
        if isinstance(part.get("image_url"), str):
            return media_from_url("image", part["image_url"], part)
        if isinstance(part.get("file_id"), str):
            return Media("image", "", file=part["file_id"], raw=part)
    if kind == "input_file":
        url = first_text(part.get("file_data"), part.get("file_url"))
        if url:
            return media_from_url("document", url, part, name)
        if isinstance(part.get("file_id"), str):
            return Media("document", "", file=part["file_id"], name=name, raw=part)
    return Opaque(first_text(kind) or "unknown", raw=part)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _json(text: str) -> Json:
    try:
        return parse(text.encode("utf-8", "surrogatepass"))
    except ValueError:
        return None
