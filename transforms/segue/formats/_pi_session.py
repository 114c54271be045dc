"""Start a pi session for a history from elsewhere: a header, then one chain of messages.

What pi asks of a file to resume it: a header with an id, entries that name their parents without a gap, an assistant's
content as blocks, a stop reason that is no error. Times rise from entry to entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from segue.changes import Change, hidden
from segue.formats._pi import FORMATS
from segue.formats._pi_spelling import iso_time, milliseconds, plain, write_message
from segue.identity import derived_uuid
from segue.model import Message, Transcript
from segue.records import dumps

VERSION = 3
UNKNOWN = "unknown"
NO_COST = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
NO_USAGE = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0, "cost": NO_COST}


def write(transcript: Transcript) -> Iterator[bytes | Change]:
    """Write a new session."""
    own = transcript.session.format in FORMATS
    messages = [plain(message) for message in transcript.messages]
    if transcript.system:
        messages.insert(0, Message("system", transcript.system, time=_start(transcript)))
    if transcript.tools:
        what = f"{len(transcript.tools)} tool definitions left to pi, which declares its own"
        yield hidden("tool-definitions", what, (), count=len(transcript.tools))
    head = header(transcript, VERSION)
    lines = [dumps(head)]
    parent: str | None = None
    taken: set[str] = set()
    time = _start(transcript) - 1
    for message in messages:
        for made in message_entries(message, own):
            if isinstance(made, Change):
                yield made
                continue
            time = max(time + 1, milliseconds(message.time) or 0)
            name = _fresh(taken, head["id"], len(lines))
            entry = {"type": "message", "id": name, "parentId": parent, "timestamp": iso_time(time)}
            lines.append(dumps(entry | {"message": {"timestamp": time} | made["message"]}))
            parent = name
    yield b"\n".join(lines)


def header(transcript: Transcript, version: int) -> dict[str, Any]:
    """Make a session header; its id is derived from how the history begins."""
    session = transcript.session
    first = transcript.messages[0] if transcript.messages else None
    begin = [(message.role, repr(message.blocks)) for message in transcript.messages[:1]]
    cwd = session.raw.get("cwd") if session.raw is not None else None
    made: dict[str, Any] = {"type": "session"}
    if version > 1:
        made["version"] = version
    return made | {
        "id": derived_uuid("session", session.format, session.id or "", begin),
        "timestamp": iso_time(_start(transcript) if first is not None else 0),
        "cwd": cwd if isinstance(cwd, str) and cwd else "/",
    }


def message_entries(message: Message, own: bool) -> Iterator[dict[str, Any] | Change]:
    """Spell a message as entries of a session, without ids and parents."""
    for spelled in write_message(message, own):
        if isinstance(spelled, Change):
            yield spelled
            continue
        if spelled["role"] in ("assistant", "toolResult"):
            spelled = _whole(spelled)
        time = milliseconds(message.time) or 0
        yield {"type": "message", "timestamp": iso_time(time), "message": spelled}


def short_id(*parts: object) -> str:
    """Derive an id as pi has them: eight hexadecimal digits."""
    return derived_uuid(*parts)[:8]


def _whole(spelled: dict[str, Any]) -> dict[str, Any]:
    """Fill in what an assistant's turn, or a result, has to have in a session."""
    content = spelled.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    whole = spelled | {"content": blocks}
    if spelled["role"] == "assistant":
        wanted = {"api": UNKNOWN, "provider": UNKNOWN, "model": UNKNOWN, "usage": NO_USAGE, "stopReason": "stop"}
        whole |= {key: value for key, value in wanted.items() if key not in spelled}
    return whole


def _start(transcript: Transcript) -> int:
    times = (milliseconds(message.time) for message in transcript.messages)
    return next((time for time in times if time is not None), 0)


def _fresh(taken: set[str], *parts: object) -> str:
    name, attempt = short_id(*parts), 0
    while name in taken:
        attempt += 1
        name = short_id(*parts, attempt)
    taken.add(name)
    return name
