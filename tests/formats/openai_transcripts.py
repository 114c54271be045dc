"""Read and write the OpenAI formats in tests, without passes in between."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from segue.changes import Change
from segue.formats._types import Format, ReadOptions
from segue.model import Message, Origin, Record, Session, Source, Tool, Transcript
from segue.records import read_source
from segue.targets.target import Target

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
CHAT = Target("openai", "openai-completions", "gpt-4o", text_parts=True)
CLONE = Target("deepseek", "openai-completions", "deepseek-chat", thinking="field")
MEDIA = frozenset({"image", "document"})
RESPONSES = Target("openai", "openai-responses", "gpt-5.2", thinking="item", text_signatures=True, result_media=MEDIA)


def read_all(known: Format, data: bytes) -> tuple[list[Transcript], list[Change]]:
    """Read every session of a source; its own model, or gpt-4o, is taken for the author of its assistant turns."""
    stream = read_source(data)
    sessions: list[tuple[Session, list[Record], list[Message]]] = []
    changes: list[Change] = []

    def origin(model: str | None) -> Origin:
        return Origin(known.provider or "", known.api or "", model or "gpt-4o")

    records = (item for item in stream if isinstance(item, Record))
    for item in known.read(records, ReadOptions(origin)):
        if isinstance(item, Session):
            sessions.append((item, [], []))
        elif isinstance(item, Record):
            sessions[-1][1].append(item)
        elif isinstance(item, Message):
            sessions[-1][2].append(item)
        else:
            changes.append(item)
    transcripts = [
        Transcript(
            session,
            tuple(messages),
            Source(stream.data, tuple(records), tuple(messages)),
            session.system,
            session.tools,
        )
        for session, records, messages in sessions
    ]
    return transcripts, changes


def read_one(known: Format, value: Any) -> Transcript:
    """Read one transcript from a JSON value, or from the bytes of a file."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    (transcript,), _ = read_all(known, data)
    return transcript


def write_one(known: Format, transcript: Transcript, target: Target) -> tuple[bytes, list[Change]]:
    pieces = list(known.write(transcript, target))
    output = b"".join(piece for piece in pieces if isinstance(piece, bytes))
    return output, [piece for piece in pieces if isinstance(piece, Change)]


def written(known: Format, transcript: Transcript, target: Target) -> Any:
    """Write a transcript and parse what came out; no change may be needed."""
    output, changes = write_one(known, transcript, target)
    assert changes == []
    return json.loads(output)


def made(*messages: Message, tools: Sequence[Tool] = (), known: str = "neutral") -> Transcript:
    """Make a transcript as if another format had been read."""
    session = Session(known, tools=tuple(tools))
    numbered = tuple(replace(message, number=number) for number, message in enumerate(messages))
    return Transcript(session, numbered, Source(b"", (), numbered), (), tuple(tools))


def with_message(transcript: Transcript, number: int, message: Message) -> Transcript:
    messages = list(transcript.messages)
    messages[number] = message
    return replace(transcript, messages=tuple(messages))


def fixtures(known: Format) -> list[Path]:
    return sorted((SESSIONS / known.name).iterdir())


def own_target(known: Format, transcript: Transcript) -> Target:
    """Make the target that wrote a transcript's turns."""
    model = transcript.session.model or "gpt-4o"
    base = CHAT if known.name == "openai-chat" else RESPONSES
    return replace(base, model=model)
