"""Read and write Gemini's bodies in tests, without rules in between."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from claude_transcripts import data_of, read_all

from segue.changes import Change
from segue.formats import gemini
from segue.model import Message, Session, Source, Text, Tool, Transcript
from segue.options import Options
from segue.pipeline import Outcome, convert
from segue.targets.target import Target

FOLDER = "gemini"
OLD = Target("google", "google-generative-ai", "gemini-2.5-pro", call_ids_on_wire=False)
NEW = Target("google", "google-generative-ai", "gemini-3-pro-preview", text_after_results=False)


def body(name: str) -> bytes:
    return data_of(FOLDER, name)


def transcript_of(name: str) -> Transcript:
    (transcript,), _ = read_all(body(name))
    return transcript


def written(transcript: Transcript, target: Target) -> tuple[bytes, list[tuple[str, str]]]:
    """Write a transcript, and say which changes the writer had to tell of."""
    pieces = list(gemini.write(transcript, target))
    output = b"".join(piece for piece in pieces if isinstance(piece, bytes))
    return output, [(piece.rule, piece.what) for piece in pieces if isinstance(piece, Change)]


def contents(transcript: Transcript, target: Target) -> list[Any]:
    """Write a transcript and give its contents; no change may be needed."""
    output, changes = written(transcript, target)
    assert changes == []
    value = json.loads(output)
    found: list[Any] = value["contents"] if isinstance(value, dict) else value
    return found


def made(*messages: Message, tools: Sequence[Tool] = (), system: str | None = None) -> Transcript:
    """Make a transcript as if another format had been read."""
    prompt = (Text(system),) if system else ()
    numbered = tuple(replace(message, number=number) for number, message in enumerate(messages))
    session = Session("neutral", tools=tuple(tools), system=prompt)
    return Transcript(session, numbered, Source(b"", (), numbered), prompt, tuple(tools))


def touched(transcript: Transcript, number: int, **more: Any) -> Transcript:
    """Change the blocks of one message, as a rule does."""
    messages = list(transcript.messages)
    messages[number] = replace(messages[number], touched=True, **more)
    return replace(transcript, messages=tuple(messages))


def fitted(data: bytes, model: str, **options: Any) -> Outcome:
    return convert(data, Options(model, **options))


def own(data: bytes, model: str = "google/gemini-3-pro-preview", **options: Any) -> Outcome:
    """Convert a body for the model that wrote its turns."""
    return fitted(data, model, source_model=model, **options)
