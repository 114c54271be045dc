"""Judge the blocks of Anthropic Messages, each for itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import NoneType

from segue.apis._anthropic_keys import (
    BLOCK_KEYS,
    BLOCKS,
    DOCUMENT_SOURCE_KEYS,
    IMAGE_SOURCE_KEYS,
    REQUIRED_KEYS,
)
from segue.apis._anthropic_rules import problem
from segue.apis._media import Medium
from segue.apis._walk import dotted, escaped, foreign_keys, is_blank, shown, text_of
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_SERVER_ID = re.compile(r"srvtoolu_[a-zA-Z0-9_]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_BASE64_START = re.compile(r"[A-Za-z0-9+/=_-]*")
_NOT_TEXT = BLOCKS["result"] - {"text"}
_SIGNATURE_SAMPLE = 200
_LONGEST_ID = 64


@dataclass(frozen=True, slots=True)
class Place:
    """Where blocks stand: `where` is the role, or `result` inside a tool result; `media` collects what is found."""

    where: str
    target: Target
    media: list[Medium] = field(default_factory=list)

    def inside_result(self) -> Place:
        return Place("result", self.target, self.media)


def judged(block: Json, pointer: str, place: Place) -> Iterator[Problem]:
    """Judge one block and what is inside it."""
    if not isinstance(block, dict):
        says = f"{dotted(pointer)}: Input should be a valid dictionary"
        yield problem("wrong-type", pointer, f"a block is an object, this is {shown(block)}", says)
        return
    kind = block.get("type")
    known = BLOCK_KEYS.get(kind) if isinstance(kind, str) else None
    if not isinstance(kind, str) or known is None:
        what = "a block without a type" if kind is None else f"a block of the unknown type {shown(kind)}"
        yield problem("unknown-block", pointer, what, _untagged(kind, pointer, place.where))
        return
    if kind not in BLOCKS[place.where]:
        what = f"a block of type '{kind}' cannot stand in {_named(place.where)}"
        yield problem("block-in-wrong-role", pointer, what)
    for key in REQUIRED_KEYS.get(kind, ()):
        if key not in block:
            says = f"{dotted(pointer)}.{kind}.{key}: Field required"
            yield problem("missing-key", pointer, f"a block of type '{kind}' needs the key '{key}'", says)
    for key in foreign_keys(block, known):
        says = f"{dotted(pointer)}.{kind}.{key}: Extra inputs are not permitted"
        what = f"a block of type '{kind}' knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, says)
    judge = _JUDGES.get(kind)
    if judge is not None:
        yield from judge(block, pointer, place)


def _untagged(kind: Json, pointer: str, where: str) -> str:
    if kind is None:
        return f"{dotted(pointer)}.type: Field required"
    expected = ", ".join(f"'{name}'" for name in sorted(BLOCKS[where]))
    found = str(kind)[:80]
    return (
        f"{dotted(pointer)}: Input tag '{found}' found using 'type' does not match any of the expected tags: {expected}"
    )


def _named(where: str) -> str:
    return {"user": "a user's message", "assistant": "an assistant's message", "system": "a system message"}.get(
        where, "a tool result"
    )


def _text(block: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    text = block.get("text")
    if not isinstance(text, str):
        if "text" in block:
            says = f"{dotted(pointer)}.text.text: Input should be a valid string"
            yield problem("wrong-type", f"{pointer}/text", f"a text is a string, this is {shown(text)}", says)
    elif is_blank(text) and not place.target.blank_text:
        yield blank(text, f"{pointer}/text")


def blank(text: str, pointer: str) -> Problem:
    """Tell of a text block without a text."""
    if not text:
        says = "messages: text content blocks must be non-empty"
        return problem("blank-text", pointer, "a text block is empty", says)
    says = "messages: text content blocks must contain non-whitespace text"
    return problem("blank-text", pointer, f"a text block holds only white space, {shown(text)}", says)


def _tool_use(block: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    yield from _id(block, "id", pointer, place.target)
    if "name" in block:
        yield from name(block["name"], f"{pointer}/name", f"{dotted(pointer)}.tool_use.name")
    yield from _input(block, pointer)


def _server_tool_use(block: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    value = block.get("id")
    if isinstance(value, str) and not _SERVER_ID.fullmatch(value):
        says = f"{dotted(pointer)}.server_tool_use.id: String should match pattern '^{_SERVER_ID.pattern}$'"
        what = f"the id {shown(value)} of a server tool's call does not begin with 'srvtoolu_' or has other characters"
        yield problem("call-id-shape", f"{pointer}/id", what, says)
    yield from _input(block, pointer)


def _input(block: dict[str, Json], pointer: str) -> Iterator[Problem]:
    if "input" in block and not isinstance(block["input"], dict):
        says = f"{dotted(pointer)}.{block['type']}.input: Input should be a valid dictionary"
        what = f"the input of call {shown(block.get('id'))} is {shown(block['input'])}, not an object"
        yield problem("arguments-not-object", f"{pointer}/input", what, says)


def _id(block: dict[str, Json], key: str, pointer: str, target: Target) -> Iterator[Problem]:
    value = block.get(key)
    path = f"{dotted(pointer)}.{block['type']}.{key}"
    if not isinstance(value, str):
        if key in block:
            what = f"the id of a call is a string, this is {shown(value)}"
            yield problem("wrong-type", f"{pointer}/{key}", what, f"{path}: Input should be a valid string")
    elif not _ID.fullmatch(value):
        says = f"{path}: String should match pattern '^[a-zA-Z0-9_-]+$'"
        what = f"the call id {shown(value)} has other characters than letters, digits, '_' and '-'"
        yield problem("call-id-shape", f"{pointer}/{key}", what if value else "an empty call id", says)
    elif len(value) > max(_LONGEST_ID, target.call_id.length):
        what = f"the call id {shown(value)} has {len(value)} characters, more than {_LONGEST_ID}"
        yield problem("long-call-id", f"{pointer}/{key}", what)


def name(value: Json, pointer: str, path: str) -> Iterator[Problem]:
    """Judge the name of a tool; `path` is its place as the api writes it."""
    if not isinstance(value, str):
        what = f"the name of a tool is a string, this is {shown(value)}"
        yield problem("wrong-type", pointer, what, f"{path}: Input should be a valid string")
    elif not _NAME.fullmatch(value):
        says = f"{path}: String should match pattern '^{_NAME.pattern}$'"
        what = f"the tool name {shown(value)} is not 1 to 128 letters, digits, '_' and '-'"
        yield problem("tool-name-shape", pointer, what, says)


def _tool_result(block: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    yield from _id(block, "tool_use_id", pointer, place.target)
    content = block.get("content")
    if isinstance(content, list):
        for index, inner in enumerate(content):
            yield from judged(inner, f"{pointer}/content/{index}", place.inside_result())
    elif content is not None and not isinstance(content, str):
        says = f"{dotted(pointer)}.tool_result.content: Input should be a valid list"
        what = f"the content of a result is a text or a list of blocks, this is {shown(content)}"
        yield problem("wrong-type", f"{pointer}/content", what, says)
    if not isinstance(block.get("is_error", False), (bool, NoneType)):
        says = f"{dotted(pointer)}.tool_result.is_error: Input should be a valid boolean"
        what = f"is_error is true or false, this is {shown(block['is_error'])}"
        yield problem("wrong-type", f"{pointer}/is_error", what, says)
    if block.get("is_error") is True and place.target.text_only_error_results:
        yield from _error_result(block, content, pointer)


def _error_result(block: dict[str, Json], content: Json, pointer: str) -> Iterator[Problem]:
    result = f"the result of call {shown(block.get('tool_use_id'))} is marked as an error"
    if not content:
        says = f"{dotted(pointer)}.tool_result: content cannot be empty if `is_error` is true"
        yield problem("error-result", pointer, f"{result} and says nothing", says)
    elif isinstance(content, list):
        for index, inner in enumerate(content):
            if isinstance(inner, dict) and text_of(inner.get("type")) in _NOT_TEXT:
                says = f'{dotted(pointer)}.tool_result: all content must be type "text" if "is_error" is true'
                what = f"{result} and holds a block of type '{inner['type']}'"
                yield problem("error-result", f"{pointer}/content/{index}", what, says)


def _thinking(block: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    signature = block.get("signature")
    if not isinstance(block.get("thinking"), str) and "thinking" in block:
        says = f"{dotted(pointer)}.thinking.thinking: Input should be a valid string"
        yield problem("wrong-type", f"{pointer}/thinking", "the text of a thinking block is a string", says)
    if place.target.unsigned_thinking:
        return
    if not isinstance(signature, str):
        says = f"{dotted(pointer)}.thinking.signature.str: Input should be a valid string"
        yield problem("thinking-without-signature", pointer, "a thinking block without a signature", says)
    elif not signature:
        says = f"{dotted(pointer)}: Invalid `signature` in `thinking` block"
        if not block.get("thinking"):
            says = f"{dotted(pointer)}.thinking: each thinking block must contain thinking"
        yield problem("thinking-without-signature", pointer, "a thinking block with an empty signature", says)
    elif not _BASE64_START.fullmatch(signature[:_SIGNATURE_SAMPLE]):
        says = f"{dotted(pointer)}: Invalid `signature` in `thinking` block"
        yield problem("signature-shape", f"{pointer}/signature", f"the signature {shown(signature)} is no base64", says)


def _redacted_thinking(block: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    data = block.get("data")
    if not isinstance(data, str) or not data:
        says = f"{dotted(pointer)}.redacted_thinking.data: Input should be a valid string"
        yield problem("redacted-without-data", pointer, "redacted thinking without its data", says)


def _image(block: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    source = block.get("source")
    yield from _source("image", source, f"{pointer}/source", IMAGE_SOURCE_KEYS)
    yield from _medium("image", source, pointer, place)


def _document(block: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    source = block.get("source")
    yield from _source("document", source, f"{pointer}/source", DOCUMENT_SOURCE_KEYS)
    if not isinstance(source, dict):
        return
    kind, content = source.get("type"), source.get("content")
    if kind == "base64" and source.get("media_type") != "application/pdf":
        says = f"{dotted(pointer)}.document.source.base64.media_type: Input should be 'application/pdf'"
        what = f"a base64 document of type {shown(source.get('media_type'))}; only PDF goes as base64"
        yield problem("document-type", f"{pointer}/source/media_type", what, says)
    elif kind == "text" and source.get("media_type") != "text/plain":
        says = f"{dotted(pointer)}.document.source.text.media_type: Input should be 'text/plain'"
        what = f"a text document of type {shown(source.get('media_type'))}; only plain text goes as text"
        yield problem("document-type", f"{pointer}/source/media_type", what, says)
    elif kind == "content" and isinstance(content, list):
        for index, inner in enumerate(content):
            yield from judged(inner, f"{pointer}/source/content/{index}", place.inside_result())
    if kind in ("base64", "url", "file"):  # the others are text for every model
        yield from _medium("document", source, pointer, place)


def _source(kind: str, source: Json, pointer: str, known: dict[str, frozenset[str]]) -> Iterator[Problem]:
    if not isinstance(source, dict):
        if source is not None:
            says = f"{dotted(pointer)}: Input should be a valid dictionary"
            yield problem("wrong-type", pointer, f"the source of a medium is an object, this is {shown(source)}", says)
        return
    source_type = source.get("type")
    keys = known.get(source_type) if isinstance(source_type, str) else None
    if keys is None:
        expected = ", ".join(f"'{name}'" for name in known)
        found = f"Input tag '{str(source_type)[:80]}' found using 'type'"
        says = f"{dotted(pointer)}: {found} does not match any of the expected tags: {expected}"
        what = f"the source of the {kind} has the unknown type {shown(source_type)}"
        yield problem("wrong-type", pointer, what, says)
        return
    for key in sorted(keys - source.keys()):
        says = f"{dotted(pointer)}.{source_type}.{key}: Field required"
        yield problem("missing-key", pointer, f"the source of the {kind} needs the key '{key}'", says)
    for key in foreign_keys(source, keys):
        says = f"{dotted(pointer)}.{source_type}.{key}: Extra inputs are not permitted"
        what = f"the source of the {kind} knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, says)


def _medium(kind: str, source: Json, pointer: str, place: Place) -> Iterator[Problem]:
    if not isinstance(source, dict):
        return
    data = source.get("data") if source.get("type") == "base64" else None
    media_type = source.get("media_type")
    place.media.append(
        Medium(
            "image" if kind == "image" else "document",
            f"{pointer}/source",
            f"{dotted(pointer)}.{kind}.source.base64",
            media_type if isinstance(media_type, str) else None,
            data if isinstance(data, str) else None,
        )
    )
    if place.where == "result" and not place.target.result_media:
        what = f"{place.target.name} takes no {kind} inside a tool result"
        yield problem("media-in-result", pointer, what, severity="error" if place.target.known else "warning")


_JUDGES: dict[str, Callable[[dict[str, Json], str, Place], Iterator[Problem]]] = {
    "text": _text,
    "thinking": _thinking,
    "redacted_thinking": _redacted_thinking,
    "tool_use": _tool_use,
    "server_tool_use": _server_tool_use,
    "tool_result": _tool_result,
    "image": _image,
    "document": _document,
}
