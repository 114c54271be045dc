"""Request bodies of OpenAI's Chat Completions, bare message lists, and data sets of either.

Reads one body; an array of messages; JSON lines of messages; data sets with one body (or array) on each line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from segue.changes import Change, dropped
from segue.formats._chat import ROLES, read_message
from segue.formats._chat_spelling import Spelling, spelled
from segue.formats._document import COMPACT, messages_around, printed, stands_alone, unchanged
from segue.formats._openai import chat_tool, is_tool, joined_texts, read_tools
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Json, Message, Origin, Record, Session, Transcript
from segue.targets import Target

NAME = "openai-chat"
MESSAGE_KEYS = ("content", "tool_calls", "function_call", "refusal", "audio")


def recognise(values: Sequence[object], whole: bool) -> bool:
    """Tell whether every record is a body with messages, a list of messages, or a message."""
    return bool(values) and all(map(_is_source, values))


def _is_source(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_is_message, value))
    if not isinstance(value, dict):
        return False
    messages = value.get("messages")
    if isinstance(messages, list):
        return all(map(_is_message, messages)) and (bool(messages) or "model" in value)
    return _is_message(value)


def _is_message(value: object) -> bool:
    if not isinstance(value, dict) or value.get("role") not in tuple(ROLES):
        return False
    if not isinstance(value.get("content"), str | list | None):
        return False
    # Other programs' exports have roles too, and keep the words elsewhere: read as this, they would all be lost.
    return "content" in value or (value["role"] == "assistant" and any(value.get(key) for key in MESSAGE_KEYS))


# ----------------------------------------------------------------------------------------- reading


def read(records: Iterable[Record], options: ReadOptions) -> Read:
    """Read bodies and lists as a session each, single messages as one session of lines."""
    in_lines = False
    number = 0
    names: dict[str, str] = {}
    for record in records:
        value = record.value
        body = value if isinstance(value, dict) and isinstance(value.get("messages"), list) else None
        if body is not None:
            in_lines = False
            model = body["model"] if isinstance(body.get("model"), str) else None
            tools = read_tools(body.get("tools")) or read_tools(body.get("functions"))
            yield Session(NAME, "body", model=model, tools=tools, raw=body, record=record.number)
            yield record
            yield from _listed(body["messages"], record, options.origin(model))
        elif isinstance(value, list):
            in_lines = False
            yield Session(NAME, "array", prefix_known=False, record=record.number)
            yield record
            yield from _listed(value, record, options.origin(None))
        else:
            if not in_lines:
                in_lines, number, names = True, 0, {}
                yield Session(NAME, "lines", prefix_known=False, record=record.number)
            message = read_message(value, record, number, options.origin(None), names)
            if message is None:
                yield _not_a_message(value, record)
                continue
            yield record
            yield message
            number += 1


def _listed(values: Sequence[Json], record: Record, origin: Origin | None) -> Iterator[Message | Change]:
    names: dict[str, str] = {}
    number = 0
    for value in values:
        message = read_message(value, record, number, origin, names)
        if message is None:
            yield _not_a_message(value, record)
        else:
            yield message
            number += 1


def _not_a_message(value: Json, record: Record) -> Change:
    role = value.get("role") if isinstance(value, dict) else None
    what = f"a message of the unknown role {role!r}" if isinstance(role, str) else "a value that is no message"
    return Change("dropped", "unknown-role", what, line=record.line)


# ----------------------------------------------------------------------------------------- writing


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    """Write a body, or whatever shape the source had if it had this format."""
    session = transcript.session
    own = session.format == NAME
    messages: list[Json] = []
    changes: list[Change] = []
    for piece in _spelled(transcript, target, own):
        if isinstance(piece, Change):
            changes.append(piece)
        else:
            messages.append(piece)
    if not own:
        yield printed(_new_body(transcript, target, messages), COMPACT)
        yield from changes
        return
    replaced, removed = _around(transcript, target)
    source = None if changes or replaced or removed else unchanged(transcript)
    yield source if source is not None else messages_around(transcript, messages, "messages", replaced, removed)
    yield from changes
    if session.container != "body" and any(not tool.stub for tool in transcript.tools):
        yield dropped("undeclared-tool", f"a bare list of messages cannot declare {len(transcript.tools)} tools")


def _spelled(transcript: Transcript, target: Target, own: bool) -> Iterator[Json | Change]:
    originals = {message.number: message for message in transcript.source.messages}
    spelling = Spelling(transcript.session, target, own, originals)
    if transcript.system:
        yield {"role": "system", "content": joined_texts(transcript.system)}
    for message in transcript.messages:
        yield from spelled(message, spelling)


def _new_body(transcript: Transcript, target: Target, messages: Sequence[Json]) -> Mapping[str, Json]:
    body: dict[str, Json] = {"model": target.model, **transcript.settings, "messages": messages}
    if transcript.tools:
        body["tools"] = [chat_tool(tool) for tool in transcript.tools]
    return body


def _around(transcript: Transcript, target: Target) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Tell which keys of the source's own body have to change: its model and its tools."""
    session = transcript.session
    replaced: dict[str, Json] = {}
    removed: tuple[str, ...] = ()
    if session.container != "body":
        return replaced, removed
    raw = session.raw or {}
    # A line of a data set needs no model (fine-tuning refuses one); a body on its own is to be sent.
    if session.model != target.model and ("model" in raw or stands_alone(transcript)):
        replaced["model"] = target.model
    replaced |= transcript.settings
    if transcript.tools != session.tools:
        hosted = [tool for tool in raw.get("tools") or () if not is_tool(tool)]
        tools = hosted + [chat_tool(tool) for tool in transcript.tools]
        removed = tuple(key for key in ("functions", "function_call") if key in raw)
        if tools:
            replaced["tools"] = tools
        else:
            removed += tuple(key for key in ("tools", "tool_choice", "parallel_tool_calls") if key in raw)
    return replaced, removed


FORMAT = Format(
    name=NAME,
    about="request body of POST /v1/chat/completions (also one object a line: data sets)",
    recognise=recognise,
    read=read,
    write=write,
    api="openai-completions",
    provider="openai",
)
