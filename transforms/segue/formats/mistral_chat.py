"""Request bodies of Mistral's chat completions, bare message lists, and data sets of either.

Much is as in Chat Completions; what tells them apart is the model's name, thinking in chunks, addresses of images as
plain texts, documents by address, and answers that are to be continued. A body without any of these is taken for
OpenAI's, and `-f mistral-chat` says otherwise.
Facts: mistralai 3.7, mistral_common 1.13, read 2026-11.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from segue.changes import Change
from segue.formats import _chat_documents as documents
from segue.formats import openai_chat
from segue.formats._mistral import read_message, spelled
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Json, Record, Transcript
from segue.targets import Target

NAME = "mistral-chat"
DIALECT = documents.Dialect(NAME, read_message, spelled)
_MODELS = re.compile(
    r"(open-)?(mistral|mixtral|ministral|codestral|devstral|pixtral|magistral|voxtral|leanstral)-|labs-"
)
_REQUEST_KEYS = frozenset({"safe_prompt", "random_seed", "prompt_mode", "guardrails"})


def recognise(values: Sequence[object], whole: bool) -> bool:
    """Tell whether all are chat messages, and something is there that only Mistral has."""
    return openai_chat.recognise(values, whole) and any(map(_is_marked, values))


def _is_marked(value: Json) -> bool:
    if isinstance(value, list):
        return any(map(_is_marked, value))
    if "messages" not in value:
        return "prefix" in value or (isinstance(value.get("content"), list) and any(map(_is_chunk, value["content"])))
    model = value.get("model")
    is_named = isinstance(model, str) and _MODELS.match(model) is not None
    return is_named or not _REQUEST_KEYS.isdisjoint(value) or any(map(_is_marked, value["messages"]))


def _is_chunk(part: Json) -> bool:
    if not isinstance(part, dict):
        return False
    kind = part.get("type")
    return (
        (kind == "thinking" and isinstance(part.get("thinking"), list))
        or (kind == "image_url" and isinstance(part.get("image_url"), str))
        or kind in ("document_url", "reference")
    )


def read(records: Iterable[Record], options: ReadOptions) -> Read:
    return documents.read(DIALECT, records, options)


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    return documents.write(DIALECT, transcript, target)


FORMAT = Format(
    name=NAME,
    about="request body of Mistral's POST /v1/chat/completions",
    recognise=recognise,
    read=read,
    write=write,
    api="mistral-conversations",
    provider="mistral",
)
