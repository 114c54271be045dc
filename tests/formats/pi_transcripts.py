"""Read and write pi's formats in tests, without passes in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from segue.changes import Change
from segue.formats._types import Format, ReadOptions
from segue.model import Message, Record, Session, Source, Transcript
from segue.records import read_source
from segue.targets.target import Target

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
TARGET = Target("openai", "openai-responses", "gpt-5.2")


def read_all(known: Format, data: bytes, leaf: str | None = None) -> tuple[list[Transcript], list[Change]]:
    """Read every session of a source."""
    stream = read_source(data)
    sessions: list[tuple[Session, list[Record], list[Message]]] = []
    changes: list[Change] = []
    records = (item for item in stream if isinstance(item, Record))
    for item in known.read(records, ReadOptions(leaf=leaf)):
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


def fixture(known: Format, name: str) -> bytes:
    return (SESSIONS / known.name / name).read_bytes()


def written(known: Format, transcript: Transcript) -> tuple[bytes, list[Change]]:
    """Write a transcript; the bytes with their final newline, and what was told."""
    pieces = list(known.write(transcript, TARGET))
    body = b"".join(piece for piece in pieces if isinstance(piece, bytes))
    return body + b"\n", [piece for piece in pieces if isinstance(piece, Change)]
