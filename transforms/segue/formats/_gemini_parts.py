"""Parts of Gemini's generateContent api, as they are written.

A block is laid over the object that it was read from, where that speaks this dialect, so that unknown fields survive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from segue.formats._gemini import SNAKE, as_standard_base64, heard, key_in, member
from segue.model import Block, Json, Media, Message, Opaque, Text, Thinking, ToolCall, ToolResult
from segue.targets import Target

_ENDINGS = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif",
    "heic": "image/heic", "heif": "image/heif", "pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown",
    "csv": "text/csv", "html": "text/html", "xml": "text/xml",
}  # fmt: skip
_USUAL = {"image": "image/jpeg", "document": "application/pdf"}
_WORDS = ("output", "result")


@dataclass(slots=True)
class Spelling:
    """What spelling a message depends on, beside the message.

    `own`: the source speaks this dialect, so the `raw` objects are of use; `snake`: it does so in snake_case. `names`
    are the tools of the calls so far, `unsent` the ids of calls that bring none on the wire, `order` the places of the
    latest calls. `ids_left_out` counts those that the source had.
    """

    target: Target
    own: bool
    snake: bool = False
    names: dict[str, str] = field(default_factory=dict)
    unsent: set[str] = field(default_factory=set)
    order: dict[str, int] = field(default_factory=dict)
    ids_left_out: int = 0

    def note_calls(self, message: Message) -> None:
        """Remember the calls of an assistant's turn for the results behind it."""
        calls = message.of(ToolCall)
        self.order = {call.id: place for place, call in enumerate(calls)}
        for call in calls:
            self.names[call.id] = call.name
            raw = self.raw(call)
            has_none = bool(raw) and not member(inner(raw, "functionCall"), "id")
            (self.unsent.add if has_none else self.unsent.discard)(call.id)

    def raw(self, block: Block) -> Mapping[str, Json]:
        return (block.raw or {}) if self.own else {}

    def wire_id(self, call_id: str) -> str | None:
        """Give the id that goes out: none where the api takes none, or where it was derived from the place."""
        return call_id if self.target.call_ids_on_wire and call_id not in self.unsent else None

    def name(self, result: ToolResult) -> str:
        return self.names.get(result.call_id) or result.name


def inner(raw: Mapping[str, Json], name: str) -> dict[str, Any]:
    value = member(raw, name)
    return value if isinstance(value, dict) else {}


def laid(raw: Mapping[str, Json], values: Mapping[str, Json], snake: bool) -> dict[str, Any]:
    """Lay values over an object, by the keys that it has in either case; None takes a member away.

    >>> laid({"mime_type": "a/b", "x": 1}, {"mimeType": "c/d", "fileUri": "e"}, True)
    {'mime_type': 'c/d', 'x': 1, 'file_uri': 'e'}
    """
    written = dict(raw)
    for name, value in values.items():
        key = key_in(raw, name)
        if value is None:
            written.pop(key, None) if key is not None else None
        else:
            written[key or (SNAKE.get(name, name) if snake else name)] = value
    return written


# ------------------------------------------------------------------------------------------------- blocks


def write_parts(blocks: list[Block], spelling: Spelling) -> list[dict[str, Any]]:
    return [part for block in blocks if (part := _written(block, spelling)) is not None]


def _written(block: Block, spelling: Spelling) -> dict[str, Any] | None:
    """Spell one block, None where this dialect has no word for it."""
    raw = spelling.raw(block)
    if isinstance(block, Text):
        values = {"text": block.text, "thoughtSignature": block.signature or None}
        return laid(raw, values, spelling.snake)
    if isinstance(block, Thinking):
        if block.redacted:
            return None
        thought = {"text": block.text, "thought": True, "thoughtSignature": block.signature or None}
        return laid(raw, thought, spelling.snake)
    if isinstance(block, ToolCall):
        return _call(block, raw, spelling)
    if isinstance(block, ToolResult):
        return _result(block, raw, spelling)
    if isinstance(block, Media):
        return _media(block, raw, spelling)
    return dict(raw) if raw else None


def _call(block: ToolCall, raw: Mapping[str, Json], spelling: Spelling) -> dict[str, Any]:
    before = inner(raw, "functionCall")
    unsaid = before and block.arguments == {} and before.get("args") is None
    values = {"id": spelling.wire_id(block.id), "name": block.name, "args": None if unsaid else block.arguments}
    call = laid(before, values, spelling.snake)
    return laid(raw, {"functionCall": call, "thoughtSignature": block.signature or None}, spelling.snake)


def _result(block: ToolResult, raw: Mapping[str, Json], spelling: Spelling) -> dict[str, Any]:
    before = inner(raw, "functionResponse")
    response = before.get("response")
    if not is_sayable(block, before):
        response = {_key(block, response): block.text}
    media = [part for part in block.content if not isinstance(part, Text)]
    values = {
        "id": spelling.wire_id(block.call_id),
        "name": spelling.name(block),
        "response": response,
        "parts": write_parts(list(media), spelling) or None,
    }
    return laid(raw, {"functionResponse": laid(before, values, spelling.snake)}, spelling.snake)


def is_sayable(block: ToolResult, before: Mapping[str, Json]) -> bool:
    """Tell whether a response can stay as the source has it: it says what the result says, in a form that is taken."""
    response = before.get("response")
    if response is None and before and heard(None) == (block.text, block.is_error):
        return True
    if not isinstance(response, dict) or heard(response) != (block.text, block.is_error):
        return False
    named = {part.name for part in block.content if isinstance(part, Media)}
    named |= {member(inner(part.raw or {}, "inlineData"), "displayName") for part in block.content}
    return all(isinstance(target, str) and target in named for target in _references(response))


def _references(value: Json) -> Iterator[Json]:
    """Find what a response refers to: a key `$ref` anywhere in it has to name one of the response's own parts."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if "$ref" in item:
                yield item["$ref"]
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)


def _key(block: ToolResult, response: Json) -> str:
    if block.is_error:
        return "error"
    used = [key for key in response if key in _WORDS] if isinstance(response, dict) and len(response) == 1 else []
    return used[0] if used else "output"


def _media(block: Media, raw: Mapping[str, Json], spelling: Spelling) -> dict[str, Any]:
    named = {"displayName": block.name} if block.name and not raw else {}
    if block.data is not None:
        before = inner(raw, "inlineData")
        is_same = as_standard_base64(str(before.get("data", ""))) == block.data
        values = {"mimeType": media_type_of(block), "data": before["data"] if is_same and before else block.data}
        blob = laid(before, values | named, spelling.snake)
        return laid(raw, {"inlineData": blob, "fileData": None}, spelling.snake)
    before = inner(raw, "fileData")
    values = {"mimeType": media_type_of(block), "fileUri": block.url or block.file or ""}
    return laid(raw, {"fileData": laid(before, values | named, spelling.snake), "inlineData": None}, spelling.snake)


def media_type_of(media: Media) -> str:
    """Name the type of a medium, which the api demands; of a link without one its ending tells.

    >>> media_type_of(Media("document", "", url="https://example.com/a.csv?v=1"))
    'text/csv'
    """
    if media.media_type:
        return media.media_type
    address = (media.url or media.name or "").partition("?")[0].partition("#")[0]
    return _ENDINGS.get(address.rpartition(".")[2].lower(), _USUAL[media.kind])


def is_unsayable(block: Block) -> bool:
    """Tell whether this dialect has no word for a block."""
    return (isinstance(block, Thinking) and block.redacted) or (isinstance(block, Opaque) and not block.raw)
