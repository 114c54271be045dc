"""Read and write `pi-messages`: the unified messages that pi hands from model to model.

A JSON array of messages with the roles `user`, `assistant` and `toolResult` (also `system`), or an object with
`messages` (and `systemPrompt`, `tools`), or JSON lines of one message each. JSON lines of arrays or objects are a data
set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from segue.changes import Change
from segue.formats._document import messages_around, printed, style_of, unchanged
from segue.formats._pi import FORMATS, read_message, read_tools, tools_after
from segue.formats._pi_agent import MESSAGE_ROLES, is_excluded
from segue.formats._pi_spelling import plain, separated, write_message, write_tools
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Json, Message, Place, Record, Session, Text, Tool, Transcript
from segue.records import dumps, record_text
from segue.targets import Target

NAME = "pi-messages"

_BLOCK_KEYS = ("textSignature", "thinkingSignature", "thoughtSignature", "mimeType")


def recognise(values: Sequence[object], whole: bool) -> bool:
    """Recognise pi's messages: all of them have a role, and one of them a trait that no other format has."""
    found = False
    for value in values:
        messages: object = value
        if isinstance(value, Mapping) and "messages" in value:
            messages = value["messages"]
            found = found or isinstance(value.get("systemPrompt"), str)
        elif isinstance(value, Mapping):
            messages = [value]
        if not isinstance(messages, list) or not all(isinstance(message, Mapping) for message in messages):
            return False
        if not all(isinstance(message.get("role"), str) and "type" not in message for message in messages):
            return False
        found = found or any(map(_is_pis, messages))
    return found


def read(records: Iterable[Record], options: ReadOptions) -> Read:
    """Read one document, a data set of them, or lines of one message each."""
    stream = iter(records)
    first = next(stream, None)
    if first is None:
        return
    second = next(stream, None)
    is_only = second is None
    number = 0
    among_lines = False
    for record in chain((first,), () if second is None else (second,), stream):
        value = record.value
        if isinstance(value, Mapping) and "messages" not in value:
            if not among_lines:
                among_lines, number = True, 0
                leads = value.get("role") in ("system", "developer")
                yield Session(NAME, "lines", prefix_known=leads, record=record.number)
            yield record
            place = Place(record.number, record.line, number, 0)
            for item in _read_one(value, place, options):
                number += isinstance(item, Message)
                yield item
        elif isinstance(value, (list, Mapping)):
            among_lines = False
            yield from _read_document(record, None if is_only else record.line, options)
        else:
            yield record
            yield Change("dropped", "unknown-role", f"no message: {_shown(value)}", line=record.line)


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    """Write the messages into the container that the source had; from another format as an array, or an object."""
    if transcript.session.format == NAME:
        yield from _write_own(transcript)
        return
    own = transcript.session.format in FORMATS
    messages = map(plain, transcript.messages)
    values, changes = separated(chain.from_iterable(write_message(message, own) for message in messages))
    yield from changes
    if not transcript.system and not transcript.tools:
        yield dumps(values)
        return
    yield dumps(_head(transcript.system, transcript.tools, own) | {"messages": values})


# ----------------------------------------------------------------------------------------- reading


def _read_document(record: Record, line: int | None, options: ReadOptions) -> Read:
    value = record.value
    is_body = isinstance(value, Mapping)
    messages = value.get("messages") if is_body else value
    messages = messages if isinstance(messages, list) else []
    prompt = value.get("systemPrompt") if is_body else None
    first = messages[0] if messages and isinstance(messages[0], Mapping) else {}
    tools = read_tools(value.get("tools")) if is_body else ()
    yield Session(
        format=NAME,
        container="body" if is_body else "array",
        system=(Text(prompt),) if isinstance(prompt, str) and prompt else (),
        tools=_tools_on_the_way(tools, messages),
        raw=value if is_body else None,
        # A bare array leaves open whether there was a prompt; an object would have had it.
        prefix_known=is_body or first.get("role") in ("system", "developer"),
        record=record.number,
    )
    yield record
    number = 0
    for item in messages:
        for read_item in _read_one(item, Place(record.number, line, number, 0), options):
            number += isinstance(read_item, Message)
            yield read_item


def _read_one(value: Json, place: Place, options: ReadOptions) -> Iterator[Message | Change]:
    if isinstance(value, Mapping):
        if is_excluded(value):
            what = f"shell output kept from the model: '{value.get('command')}'"
            yield Change("hidden", "excluded-output", what, line=place.line, count=1)
            return
        message = read_message(value, place, options)
        if message is not None:
            yield message
            return
    yield Change("dropped", "unknown-role", f"no message of a known role: {_shown(value)}", line=place.line)


def _tools_on_the_way(tools: tuple[Tool, ...], messages: Iterable[Json]) -> tuple[Tool, ...]:
    for message in messages:
        if isinstance(message, Mapping) and message.get("role") == "system":
            tools = tools_after(tools, message)
    return tools


def _shown(value: Json) -> str:
    if isinstance(value, Mapping):
        return f"'{value.get('role')}'"
    return type(value).__name__


def _is_pis(message: Mapping[str, Json]) -> bool:
    role = message.get("role")
    if role == "toolResult" or role in MESSAGE_ROLES or type(message.get("timestamp")) is int:
        return True
    if role == "assistant" and ("stopReason" in message or {"api", "provider", "model"} <= message.keys()):
        return True
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, Mapping) and (block.get("type") == "toolCall" or any(key in block for key in _BLOCK_KEYS)):
            return True
    return False


# ----------------------------------------------------------------------------------------- writing


def _write_own(transcript: Transcript) -> Iterator[bytes | Change]:
    untouched = unchanged(transcript)
    if untouched is not None:
        yield untouched
        return
    session = transcript.session
    head = _head(
        () if transcript.system == session.system else transcript.system,
        () if transcript.tools == session.tools else transcript.tools,
        own=True,
    )
    values, changes = separated(_woven(transcript))
    yield from changes
    if session.container == "lines":
        yield _lines(transcript, head, values)
    elif session.container == "array" and head:
        around = replace(transcript, session=replace(session, container="body", raw=head))
        yield messages_around(around, values, "messages")
    else:
        yield messages_around(transcript, values, "messages", head)


def _woven(transcript: Transcript) -> Iterator[dict[str, Any] | Change]:
    """Spell the messages, with what the history passes over (hidden messages, unknown roles) still in its place."""
    originals = {message.number: message for message in transcript.source.messages}
    numbers = {id(message.raw): message.number for message in transcript.source.messages}
    items = _items(transcript)
    places = {numbers[id(item)]: index for index, item in enumerate(items) if id(item) in numbers}
    stays = {None, *transcript.hidden}
    asides = [item if numbers.get(id(item)) in stays else None for item in items]
    done = 0
    for message in transcript.messages:
        original = originals.get(message.number) if message.number is not None else None
        until = places.get(message.number, 0) if original is not None else 0
        yield from (aside for aside in asides[done:until] if aside is not None)
        done = max(done, until)
        if original is message and message.raw is not None:
            yield message.raw  # type: ignore[misc]
        else:
            yield from write_message(message, own=True)
    yield from (aside for aside in asides[done:] if aside is not None)


def _items(transcript: Transcript) -> list[Any]:
    session = transcript.session
    if session.container == "lines":
        return [record.value for record in transcript.source.records]
    if session.container == "body":
        return list((session.raw or {}).get("messages") or ())
    return [item for record in transcript.source.records if record.number == session.record for item in record.value]


def _lines(transcript: Transcript, head: dict[str, Json], values: list[dict[str, Any]]) -> bytes:
    """Write one message a line; the line of an untouched one is copied."""
    data, records = transcript.source.data, transcript.source.records
    read_from = {id(record.value): record for record in records}
    style = style_of(record_text(records[0], data))
    if head:
        # Lines have no place around them: a prompt is one line more, as pi itself keeps it among its messages.
        prompt = {"role": "system", "content": head.get("systemPrompt", ""), "toolsAdded": head.get("tools")}
        values = [{key: value for key, value in prompt.items() if value is not None}, *values]
    return b"\n".join(
        record_text(read_from[id(value)], data) if id(value) in read_from else printed(value, style) for value in values
    )


def _head(system: Sequence[Text], tools: Sequence[Tool], own: bool) -> dict[str, Any]:
    head: dict[str, Any] = {}
    if system:
        head["systemPrompt"] = "\n\n".join(block.text for block in system)
    if tools:
        head["tools"] = write_tools(tools, own)
    return head


FORMAT = Format(
    name=NAME,
    about="unified messages as pi hands them from model to model: an array, an object around it, or lines",
    recognise=recognise,
    read=read,
    write=write,
)
