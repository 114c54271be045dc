"""Request bodies of OpenAI's Responses, bare item lists, and data sets of bodies.

Reads one body; an array of items; JSON lines of items; data sets with one body on each line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from segue.changes import Change, dropped
from segue.formats._document import COMPACT, messages_around, printed, stands_alone, unchanged
from segue.formats._openai import is_tool, joined_texts, placed, read_tools, responses_tool
from segue.formats._responses import is_certain, is_item, read_items
from segue.formats._responses_spelling import Spelling, spelled
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Json, Message, Record, Session, Text, Transcript
from segue.targets import Target

NAME = "openai-responses"
ENCRYPTED = "reasoning.encrypted_content"
ELSEWHERE = ("previous_response_id", "conversation")  # the server holds the turns before
BODY_KEYS = ("model", "instructions", "store", *ELSEWHERE)  # one of them, where `input` alone would not tell


def recognise(values: Sequence[object], whole: bool) -> bool:
    """Tell whether every record is a body with input, or an item, and not all are plain messages."""
    if not values:
        return False
    if all(isinstance(value, dict) and _is_body(value) for value in values):
        return True
    if whole and isinstance(values[0], dict):
        return False
    items = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    return bool(items) and all(map(is_item, items)) and any(map(is_certain, items))


def _is_body(value: Mapping[str, object]) -> bool:
    entries = value.get("input")
    if "messages" in value or not isinstance(entries, str | list):
        return False
    if isinstance(entries, str) or not entries:
        return any(key in value for key in BODY_KEYS)
    # The api grows new items: one known among them is enough, for the key `input` has told the rest.
    return all(isinstance(entry, dict) and isinstance(entry.get("type", ""), str) for entry in entries) and any(
        map(is_item, entries)
    )


# ----------------------------------------------------------------------------------------- reading


def read(records: Iterable[Record], options: ReadOptions) -> Read:
    """Read bodies and lists as a session each, single items as one session of lines."""
    lines: list[Record] = []
    for record in records:
        value = record.value
        if isinstance(value, dict) and "input" in value and not is_item(value):
            yield from _read_lines(lines, options)
            lines = []
            yield from _read_body(value, record, options)
        elif isinstance(value, list):
            yield from _read_lines(lines, options)
            lines = []
            yield Session(NAME, "array", prefix_known=False, record=record.number)
            yield record
            yield from read_items(((item, record) for item in value), options.origin(None))
        else:
            lines.append(record)
    yield from _read_lines(lines, options)


def _read_body(body: Mapping[str, Json], record: Record, options: ReadOptions) -> Read:
    model = body["model"] if isinstance(body.get("model"), str) else None
    instructions = body.get("instructions")
    system = (Text(instructions),) if isinstance(instructions, str) and instructions else ()
    tools = read_tools(body.get("tools"))
    yield Session(NAME, "body", model=model, system=system, tools=tools, raw=body, record=record.number)
    yield record
    for key in ELSEWHERE:
        if body.get(key):
            what = f"{key} {_name(body[key])!r}: the turns before are on the server, not in this file"
            yield Change("dropped", "history-elsewhere", what, line=record.line)
    entries = body["input"]
    if isinstance(entries, str):
        blocks = placed([Text(entries)], record.number, record.line, 0)
        yield Message("user", blocks, number=0, line=record.line, records=(record.number,))
    else:
        yield from read_items(((item, record) for item in entries or ()), options.origin(model))


def _read_lines(lines: Sequence[Record], options: ReadOptions) -> Read:
    if not lines:
        return
    yield Session(NAME, "lines", prefix_known=False, record=lines[0].number)
    for record in lines:
        if isinstance(record.value, dict):
            yield record
    yield from read_items(((record.value, record) for record in lines), options.origin(None))


def _name(value: Json) -> str:
    return str(value.get("id") if isinstance(value, dict) else value)


# ----------------------------------------------------------------------------------------- writing


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    """Write a body, or whatever shape the source had if it had this format."""
    session = transcript.session
    own = session.format == NAME
    originals = {message.number: message for message in transcript.source.messages}
    spelling = Spelling(session, target, own, originals)
    items: list[Json] = []
    changes: list[Change] = []
    for message in transcript.messages:
        for piece in spelled(message, spelling):
            if isinstance(piece, Change):
                changes.append(piece)
            else:
                items.append(piece)
    if not own:
        yield printed(_new_body(transcript, target, items), COMPACT)
    elif session.container == "body":
        replaced, removed = _around(transcript, target)
        same = not changes and not replaced and not removed
        yield (unchanged(transcript) if same else None) or _own_body(transcript, items, replaced, removed)
    else:
        items = _leading_system(transcript) + items
        yield (None if changes else unchanged(transcript)) or messages_around(transcript, items, "input")
        if any(not tool.stub for tool in transcript.tools):
            changes.append(
                dropped("undeclared-tool", f"a bare list of items cannot declare {len(transcript.tools)} tools")
            )
    yield from changes


def _new_body(transcript: Transcript, target: Target, items: Sequence[Json]) -> Mapping[str, Json]:
    body: dict[str, Json] = {"model": target.model}
    if transcript.system:
        body["instructions"] = joined_texts(transcript.system)
    body["input"] = items
    if transcript.tools:
        body["tools"] = [responses_tool(tool) for tool in transcript.tools]
    body["store"] = False
    if any(item.get("type") == "reasoning" for item in items):
        body["include"] = [ENCRYPTED]
    return body


def _own_body(
    transcript: Transcript, items: Sequence[Json], replaced: Mapping[str, Json], removed: Sequence[str]
) -> bytes:
    entries = (transcript.session.raw or {}).get("input")
    only = transcript.messages[0] if len(transcript.messages) == 1 else None
    if isinstance(entries, str) and only is not None and only.role == "user" and len(only.blocks) == 1:
        (block,) = only.blocks
        if isinstance(block, Text):
            replaced = {**replaced, "input": block.text}
    return messages_around(transcript, items, "input", replaced, removed)


def _leading_system(transcript: Transcript) -> list[Json]:
    """Say a system prompt that was given beside a bare list as the list's first message."""
    if not transcript.system:
        return []
    content = [{"type": "input_text", "text": joined_texts(transcript.system)}]
    return [{"type": "message", "role": "system", "content": content}]


def _around(transcript: Transcript, target: Target) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Tell which keys of the source's own body have to change: its model, system prompt and tools."""
    session = transcript.session
    raw = session.raw or {}
    replaced: dict[str, Json] = {}
    removed: tuple[str, ...] = ()
    if session.model != target.model and ("model" in raw or stands_alone(transcript)):
        replaced["model"] = target.model
    if transcript.system != session.system:
        if transcript.system:
            replaced["instructions"] = joined_texts(transcript.system)
        else:
            removed += ("instructions",)
    if transcript.tools != session.tools:
        hosted = [tool for tool in raw.get("tools") or () if not is_tool(tool)]
        tools = hosted + [responses_tool(tool) for tool in transcript.tools]
        if tools:
            replaced["tools"] = tools
        else:
            removed += tuple(key for key in ("tools", "tool_choice", "parallel_tool_calls") if key in raw)
    return replaced, removed


FORMAT = Format(
    name=NAME,
    about="request body of POST /v1/responses",
    recognise=recognise,
    read=read,
    write=write,
    api="openai-responses",
    provider="openai",
)
