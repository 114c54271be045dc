"""Documents of chat messages, for every dialect of them: bodies, bare lists, lines of messages, data sets of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from segue.changes import Change, dropped
from segue.formats._chat_spelling import Spelling
from segue.formats._document import COMPACT, messages_around, printed, stands_alone, unchanged
from segue.formats._openai import chat_tool, is_tool, joined_texts, read_tools
from segue.formats._types import Read, ReadOptions
from segue.model import Json, Message, Origin, Record, Session, Transcript
from segue.targets import Target

Names: TypeAlias = dict[str, str]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one api's chat messages have of their own: its format's name, and how a message is read and spelled."""

    name: str
    read_message: Callable[[Json, Record, int, Origin | None, Names], Message | None]
    spelled: Callable[[Message, Spelling], Iterator[Json | Change]]


# ----------------------------------------------------------------------------------------- reading


def read(dialect: Dialect, records: Iterable[Record], options: ReadOptions) -> Read:
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
            yield Session(dialect.name, "body", model=model, tools=tools, raw=body, record=record.number)
            yield record
            yield from _listed(dialect, body["messages"], record, options.origin(model))
        elif isinstance(value, list):
            in_lines = False
            yield Session(dialect.name, "array", prefix_known=False, record=record.number)
            yield record
            yield from _listed(dialect, value, record, options.origin(None))
        else:
            if not in_lines:
                in_lines, number, names = True, 0, {}
                yield Session(dialect.name, "lines", prefix_known=False, record=record.number)
            message = dialect.read_message(value, record, number, options.origin(None), names)
            if message is None:
                yield _not_a_message(value, record)
                continue
            yield record
            yield message
            number += 1


def _listed(
    dialect: Dialect, values: Sequence[Json], record: Record, origin: Origin | None
) -> Iterator[Message | Change]:
    names: dict[str, str] = {}
    number = 0
    for value in values:
        message = dialect.read_message(value, record, number, origin, names)
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


def write(dialect: Dialect, transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    """Write a body, or whatever shape the source had if it had this format."""
    session = transcript.session
    own = session.format == dialect.name
    messages: list[Json] = []
    changes: list[Change] = []
    for piece in _spelled(dialect, transcript, target, own):
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


def _spelled(dialect: Dialect, transcript: Transcript, target: Target, own: bool) -> Iterator[Json | Change]:
    originals = {message.number: message for message in transcript.source.messages}
    spelling = Spelling(transcript.session, target, own, originals)
    if transcript.system:
        yield {"role": "system", "content": joined_texts(transcript.system)}
    for message in transcript.messages:
        yield from dialect.spelled(message, spelling)


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
