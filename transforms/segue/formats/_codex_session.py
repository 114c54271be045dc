"""Start a Codex rollout for a history from elsewhere.

What the agent asks of a file to resume it: a header with id, time, folder, originator and version; a time on every
line; contents as lists of parts. The name of the file has to be `rollout-…-ID.jsonl` with the header's id. Its list of
sessions wants an event for each prompt. The header names no provider: another one than the user's is refused.
Facts: Codex 0.60 to 0.171, resumed 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from segue.changes import Change, dropped, hidden, shortened
from segue.formats._codex_fold import PROVIDER
from segue.formats._codex_items import spelled_items
from segue.formats._openai import joined_texts
from segue.formats._pi_spelling import iso_time, milliseconds
from segue.formats._responses_spelling import Spelling
from segue.identity import derived_uuid
from segue.model import Json, Message, Text, Transcript
from segue.records import dumps
from segue.targets import Target

DIALECT = "openai-responses"
ORIGINATOR = "codex_cli_rs"
VERSION = "0.171.0"
_PROVIDERS = frozenset({PROVIDER, "openai-codex", "azure"})  # whose models the agent can be set to


def new_session(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    """Write a new rollout."""
    session = transcript.session
    if transcript.system:
        what = "dropped the system prompt: codex brings its own"
        yield dropped("system-prompt", what, before=shortened(joined_texts(transcript.system)))
    if transcript.tools:
        what = f"{len(transcript.tools)} tool definitions left to codex, which declares its own"
        yield hidden("tool-definitions", what, (), count=len(transcript.tools))
    originals = {message.number: message for message in transcript.source.messages}
    spelling = Spelling(session, target, session.format == DIALECT, originals)
    folder = (session.raw or {}).get("cwd")
    cwd = folder if isinstance(folder, str) and folder else "/"
    clock = _Clock(transcript)
    lines = [dumps(_header(transcript, cwd, clock.stamp))]
    model: str | None = None
    models = _models(transcript.messages, target)
    for index, message in enumerate(transcript.messages):
        clock.reach(message)
        if message.role == "user" and models[index] != model:
            model = models[index]
            lines.append(clock.line("turn_context", _turn(cwd, model or target.model)))
        if message.role == "system" and all(other.role == "system" for other in transcript.messages[:index]):
            yield _without_prompt(message)
            continue
        for item in spelled_items(message, spelling):
            if isinstance(item, Change):
                yield item
            else:
                lines.append(clock.line("response_item", item))
        event = _event(message)
        if event is not None:
            lines.append(clock.line("event_msg", event))
    yield b"\n".join(lines)


def _header(transcript: Transcript, cwd: str, stamp: str) -> Json:
    session = transcript.session
    begin = [(message.role, repr(message.blocks)) for message in transcript.messages[:1]]
    payload = {
        "id": derived_uuid("rollout", session.format, session.id or "", begin),
        "timestamp": stamp,
        "cwd": cwd,
        "originator": ORIGINATOR,
        "cli_version": VERSION,
        "source": "cli",
    }
    return {"timestamp": stamp, "type": "session_meta", "payload": payload}


def _models(messages: tuple[Message, ...], target: Target) -> list[str]:
    """For each message, name the model that answers it next: its own if the agent can be set to it, else the target."""
    found: list[str] = []
    model = target.model
    for message in reversed(messages):
        origin = message.origin
        if message.role == "assistant" and origin is not None:
            is_at_hand = origin.provider in _PROVIDERS or target.wrote(origin)
            model = origin.model if is_at_hand else target.model
        found.append(model)
    return found[::-1]


def _turn(cwd: str, model: str) -> Json:
    return {
        "cwd": cwd,
        "approval_policy": "on-request",
        "sandbox_policy": {"type": "read-only"},
        "model": model,
        "summary": "auto",
    }


def _without_prompt(message: Message) -> Change:
    words = joined_texts(block for block in message.blocks if isinstance(block, Text))
    return dropped("system-prompt", "dropped a system message: codex brings its own", message, before=shortened(words))


def _event(message: Message) -> Mapping[str, str] | None:
    """Say for the screen what a prompt or an answer says."""
    kind = {"user": "user_message", "assistant": "agent_message"}.get(message.role)
    words = joined_texts(block for block in message.blocks if isinstance(block, Text))
    return {"type": kind, "message": words} if kind and words else None


class _Clock:
    """Times of new lines: those of the messages, else a millisecond after the line before, always rising."""

    def __init__(self, transcript: Transcript) -> None:
        times = (milliseconds(message.time) for message in transcript.messages)
        self.time = next((time for time in times if time is not None), 0)

    @property
    def stamp(self) -> str:
        return iso_time(self.time)

    def reach(self, message: Message) -> None:
        time = milliseconds(message.time)
        self.time = max(self.time, (time or 0) - 1)

    def line(self, kind: str, payload: Json) -> bytes:
        self.time += 1
        return dumps({"timestamp": self.stamp, "type": kind, "payload": payload})
