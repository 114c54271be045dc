"""Put a word in the place of the oldest media of a history that would not go into one request.

A request has a limit of size as a whole, and media are the first to break it: each of them is small enough, together they
are refused, and every later request with them. The oldest go first, until the rest and all words fit.
Source: api rule A-L1; anthropics/claude-code#8092 and #34751, read 2026-11.

Example, for anthropic/claude-opus-4-8 in a request of 720 bytes:

    {"role": "user", "content": [{"type": "image", "media_type": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJgggAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="}]}
    {"role": "user", "content": [{"type": "image", "media_type": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="}]}
    {"role": "user", "content": [{"type": "image", "media_type": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="}]}
  →
    {"role": "user", "content": [{"type": "text", "text": "(image omitted: image/png, 220 bytes: a request has 720 bytes at most)"}]}
    {"role": "user", "content": [{"type": "image", "media_type": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="}]}
    {"role": "user", "content": [{"type": "image", "media_type": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="}]}

    ~ 0.0 turned an image (image/png, 220 bytes) into a placeholder: a request has 720 bytes at most
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change
from segue.model import History, Json, Media, Message, Opaque, Text, Thinking, ToolCall, ToolResult
from segue.passes._policy import Policy
from segue.passes.transform.oversized_media import media_of, with_placeholders
from segue.records import dumps
from segue.targets import Target

RULE = "oversized-request"
NEEDS = frozenset({"Media"})
_PLACEHOLDER = 120  # bytes of the words that say what was there
# Around each block, at most.
_ENVELOPE = '{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":""}}]}'


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    reasons = _reasons(history, target.request_size)
    for message in history.messages:
        if reasons and any(id(found) in reasons for found in media_of(message)):
            yield from with_placeholders(message, reasons, RULE)
        else:
            yield message


def _reasons(history: History, limit: int | None) -> dict[int, str]:
    """Say of the oldest media, by identity, why they have to go."""
    media: list[Media] = [found for message in history.messages for found in media_of(message) if found.data]
    total = sum(len(found.data or "") for found in media)
    if limit is None or total < limit // 4:
        return {}  # words alone are no reason for an image to go
    surplus = total + _size_of_the_rest(history) - limit
    reasons: dict[int, str] = {}
    for found in media:
        if surplus <= 0:
            break
        reasons[id(found)] = f"a request has {limit:,} bytes at most"
        surplus -= len(found.data or "") - _PLACEHOLDER
    return reasons


def _size_of_the_rest(history: History) -> int:
    """Estimate the bytes that all but the data of media takes in a request."""
    tools = sum(len(dumps(tool.parameters)) + len(tool.description.encode()) for tool in history.tools)
    return tools + sum(len(dumps(_words(message))) for message in history.messages)


def _words(message: Message) -> list[Json]:
    said: list[Json] = []
    for block in message.blocks:
        for part in (block, *block.content) if isinstance(block, ToolResult) else (block,):
            said.append(_ENVELOPE)
            if isinstance(part, (Text, Thinking)):
                said += [part.text, part.signature]
            elif isinstance(part, ToolCall):
                said += [part.id, part.name, part.arguments, part.signature]
            elif isinstance(part, ToolResult):
                said.append(part.call_id)
            elif isinstance(part, Opaque):
                said.append(part.raw)
    return said
