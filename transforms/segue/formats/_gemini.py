"""Parts of Gemini's generateContent api, as they are read.

A part is an object with one member, whose name is the part's type: `{"text": …}`, `{"functionCall": {…}}`; marks like
`thought` and `thoughtSignature` stand beside it. The server reads camelCase and snake_case alike; members that are null
count as not there.
Facts: google-genai 3.6, types.py; wire rules of the api, read 2026-11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from segue.model import Block, ContentBlock, Json, Media, Opaque, Place, Text, Thinking, ToolCall, ToolResult
from segue.records import dumps

_CAMEL = (
    "functionCall", "functionResponse", "inlineData", "fileData", "executableCode", "codeExecutionResult", "toolCall",
    "toolResponse", "videoMetadata", "mediaResolution", "partMetadata", "thoughtSignature", "mimeType", "fileUri",
    "displayName", "systemInstruction", "functionDeclarations", "parametersJsonSchema", "generationConfig",
    "maxOutputTokens", "toolConfig", "safetySettings", "cachedContent", "serviceTier", "modelId",
)  # fmt: skip
SNAKE = {name: "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name) for name in _CAMEL}
SPOKEN = frozenset(SNAKE.values()) - {"model_id"}  # keys by which a body shows that it is in snake_case
MEMBERS = (
    "functionCall", "functionResponse", "inlineData", "fileData", "executableCode", "codeExecutionResult", "toolCall",
    "toolResponse", "text",
)  # fmt: skip
MARKS = ("thought", "thoughtSignature", "videoMetadata", "mediaResolution", "partMetadata")
_FILES = "https://generativelanguage.googleapis.com/"  # addresses there are the vendor's own store of uploaded files
_TO_STANDARD = str.maketrans("-_", "+/")


def key_in(value: Mapping[str, Json], name: str) -> str | None:
    """Give the key by which an object has a member that is not null, in either case.

    >>> key_in({"mime_type": "a/b"}, "mimeType"), key_in({"text": None}, "text")
    ('mime_type', None)
    """
    if value.get(name) is not None:
        return name
    snake = SNAKE.get(name)
    return snake if snake is not None and value.get(snake) is not None else None


def member(value: Mapping[str, Json], name: str) -> Json:
    """Give a member of an object, whichever case its key has; None where there is none."""
    key = key_in(value, name)
    return None if key is None else value[key]


def as_list(value: Json) -> list[Json]:
    """Read what should be a list: one thing alone counts as a list of it."""
    return value if isinstance(value, list) else [] if value is None else [value]


# ------------------------------------------------------------------------------------------------- parts


def read_parts(parts: Json, role: str, record: int, line: int | None, number: int) -> tuple[Block, ...]:
    """Read the parts of a content. Calls and results that bring no id have an empty one."""
    blocks: list[Block] = []
    for index, part in enumerate(as_list(parts)):
        blocks.extend(_blocks_of(part, role, Place(record, line, number, index)))
    return tuple(blocks)


def _blocks_of(part: Json, role: str, place: Place) -> Iterator[Block]:
    """Read one part. Several members, which the api refuses, are as many blocks."""
    if isinstance(part, str):
        yield Text(part, place=place)
        return
    if not isinstance(part, dict):
        return
    found = [name for name in MEMBERS if key_in(part, name)]
    if not found:
        signature = _string(member(part, "thoughtSignature"))
        known = next((name for name in MARKS if key_in(part, name)), None)
        if signature:
            yield _words("", signature, part, role, place)
        else:
            yield Opaque(known or next(iter(part), "untyped"), part, place)
    for name in found:
        raw = part if len(found) == 1 else _alone(part, name, found)
        block = _READERS[name](member(part, name), raw, role, place) if name in _READERS else None
        yield block if block is not None else Opaque(name, raw, place)


def _alone(part: dict[str, Any], name: str, found: list[str]) -> dict[str, Any]:
    others = {key for other in found if other != name for key in (other, SNAKE.get(other))}
    return {key: value for key, value in part.items() if key not in others}


def _text(value: Json, raw: dict[str, Any], role: str, place: Place) -> Block | None:
    if not isinstance(value, str):
        return Opaque("untyped", raw, place)
    return _words(value, _string(member(raw, "thoughtSignature")), raw, role, place)


def _words(text: str, signature: str, raw: dict[str, Any], role: str, place: Place) -> Block:
    if raw.get("thought") is True and role == "assistant":
        return Thinking(text, signature or None, False, raw, place)
    return Text(text, signature or None, False, raw, place)


def _call(value: Json, raw: dict[str, Any], role: str, place: Place) -> Block | None:
    if not isinstance(value, dict):
        return None
    arguments = value.get("args")
    signature = _string(member(raw, "thoughtSignature"))
    return ToolCall(
        _string(value.get("id")),
        _string(value.get("name")),
        {} if arguments is None else arguments,
        signature or None,
        None,
        raw,
        place,
    )


def _result(value: Json, raw: dict[str, Any], role: str, place: Place) -> Block | None:
    if not isinstance(value, dict):
        return None
    words, is_error = heard(value.get("response"))
    content: list[ContentBlock] = [Text(words)] if words else []
    for part in as_list(value.get("parts")):
        for block in _blocks_of(part, "tool", place):
            fits = isinstance(block, (Text, Media, Opaque))
            content.append(block if fits else Opaque("untyped", block.raw, place))  # type: ignore[arg-type]
    return ToolResult(_string(value.get("id")), _string(value.get("name")), tuple(content), is_error, raw, place)


def heard(response: Json) -> tuple[str, bool]:
    """Give the words of a response, and whether it says that the tool failed.

    >>> heard({"output": "a"}), heard({"error": "no"}), heard({"rows": [1]}), heard({})
    (('a', False), ('no', True), ('{"rows":[1]}', False), ('', False))
    """
    if isinstance(response, dict):
        said = {key: value for key, value in response.items() if value is not None}
        if not said:
            return "", False
        if len(said) == 1:
            key = next(iter(said))
            if key in ("output", "result", "error"):
                return spoken(said[key]), key == "error"
        return json_text(response), bool(said.get("error"))
    return spoken(response), False


def spoken(value: Json) -> str:
    return value if isinstance(value, str) else "" if value is None else json_text(value)


def json_text(value: Json) -> str:
    """Write structured output of a tool as the text that other formats take."""
    return dumps(value).decode("utf-8", "replace")


# ------------------------------------------------------------------------------------------------- media


def _inline(value: Json, raw: dict[str, Any], role: str, place: Place) -> Block | None:
    data = value.get("data") if isinstance(value, dict) else None
    kind = _kind(value, role)
    if kind is None or not isinstance(data, str):
        return None
    media_type, name = _string(member(value, "mimeType")), _string(member(value, "displayName"))
    return Media(kind, media_type, as_standard_base64(data), None, None, name or None, raw, place)


def as_standard_base64(data: str) -> str:
    """Give base64 in its usual alphabet: Python's SDK prints bytes in the one that is safe in addresses."""
    return data if data.startswith("data:") else data.translate(_TO_STANDARD)


def _file(value: Json, raw: dict[str, Any], role: str, place: Place) -> Block | None:
    uri = _string(member(value, "fileUri")) if isinstance(value, dict) else ""
    kind = _kind(value, role)
    if kind is None or not uri:
        return None
    media_type, name = _string(member(value, "mimeType")), _string(member(value, "displayName"))
    if "://" not in uri or uri.startswith(_FILES):
        return Media(kind, media_type, None, None, uri, name or None, raw, place)
    return Media(kind, media_type, None, uri, None, name or None, raw, place)


def _kind(value: Json, role: str) -> Literal["image", "document"] | None:
    """Tell what a medium is; None where no other format knows its like: sound, film, what the model made itself."""
    media_type = _string(member(value, "mimeType")).lower() if isinstance(value, dict) else ""
    if role == "assistant":
        return None
    if media_type.startswith("image/"):
        return "image"
    return "document" if media_type == "application/pdf" or media_type.startswith("text/") else None


_READERS: dict[str, Callable[[Json, dict[str, Any], str, Place], Block | None]] = {
    "text": _text,
    "functionCall": _call,
    "functionResponse": _result,
    "inlineData": _inline,
    "fileData": _file,
}


def _string(value: Json) -> str:
    return value if isinstance(value, str) else ""
