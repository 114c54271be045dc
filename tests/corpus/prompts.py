"""Which words of a person must arrive, whatever a session is converted to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from session_chain import active_chain, lines_of, message_of, object_of

Json = Any

_HIDDEN_MARKS = ("isMeta", "isVirtual", "isSnipped", "snipped")
_UNSENDABLE = re.compile("[\x00\ud800-\udfff]")


def expected_prompts(data: bytes) -> list[str]:
    """Collect every text that a person wrote into the active chain since the last compaction."""
    lines = lines_of(data)
    chain = active_chain(lines)
    snipped = {uuid for node in lines.nodes.values() for uuid in _snipped_by(node)}
    found: list[str] = []
    for node in chain:
        if node["uuid"] in snipped or any(node.get(mark) for mark in _HIDDEN_MARKS):
            continue
        if node.get("isSidechain") and not lines.is_subagents:
            continue
        if node.get("isVisibleInTranscriptOnly") and not node.get("isCompactSummary"):
            continue
        found.extend(_texts(_words(node)))
    return [sendable(text) for text in dict.fromkeys(found) if text.strip()]


def _snipped_by(node: Json) -> Iterable[str]:
    told = node.get("snipMetadata") if node.get("subtype") == "snip_boundary" else None
    return (told.get("removedUuids") or told.get("removed_uuids") or ()) if isinstance(told, dict) else ()


def _words(node: Json) -> Json:
    if node["type"] == "attachment":
        attachment = object_of(node.get("attachment"))
        return attachment.get("prompt") if attachment.get("type") == "queued_command" else None
    return message_of(node).get("content") if node["type"] == "user" else None


def _texts(content: Json) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
                yield block["text"]


def lost_prompts(source: bytes, output: bytes, is_session: bool) -> list[str]:
    """Say which texts of the source's active chain are not in the output.

    A session is read like the source, for its file also holds what no model sees; of a body every string counts.
    """
    there = expected_prompts(output) if is_session else [sendable(text) for text in _strings(json.loads(output))]
    whole = set(there)
    lost = [
        text for text in expected_prompts(source) if text not in whole and not any(text in other for other in there)
    ]
    return [f"lost prompt: {text[:80]!r}" for text in lost]


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)


def sendable(text: str) -> str:
    """Put U+FFFD where no request can carry a character."""
    return _UNSENDABLE.sub("\ufffd", text)
