"""Request bodies of OpenAI's Chat Completions, bare message lists, and data sets of either.

Reads one body; an array of messages; JSON lines of messages; data sets with one body (or array) on each line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from segue.changes import Change
from segue.formats import _chat_documents as documents
from segue.formats._chat import ROLES, read_message
from segue.formats._chat_spelling import spelled
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Record, Transcript
from segue.targets import Target

NAME = "openai-chat"
DIALECT = documents.Dialect(NAME, read_message, spelled)
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


def read(records: Iterable[Record], options: ReadOptions) -> Read:
    return documents.read(DIALECT, records, options)


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    return documents.write(DIALECT, transcript, target)


FORMAT = Format(
    name=NAME,
    about="request body of POST /v1/chat/completions (also one object a line: data sets)",
    recognise=recognise,
    read=read,
    write=write,
    api="openai-completions",
    provider="openai",
)
