"""Judge the blocks of Bedrock's Converse, each for itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from segue.apis._bedrock_keys import (
    BLOCKS,
    CONTENT,
    GUARDED_TEXT_KEYS,
    MEMBER_KEYS,
    REQUIRED_KEYS,
    RESULT_CONTENT,
    SYSTEM_CONTENT,
)
from segue.apis._bedrock_media import Media, document, guarded_image, image, moving
from segue.apis._bedrock_reasoning import reasoning
from segue.apis._bedrock_rules import member, problem, refused, unknown_key
from segue.apis._walk import foreign_keys, is_blank, shown
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

_ID = re.compile(r"[a-zA-Z0-9_.:-]{1,64}")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_STATUSES = ("success", "error")


@dataclass(frozen=True, slots=True)
class Place:
    """Where blocks stand: `where` is the role, or `result` inside a tool result; `media` collects what is found."""

    where: str
    target: Target
    media: Media = field(default_factory=Media)

    def inside_result(self) -> Place:
        return Place("result", self.target, self.media)


def member_of(block: Json) -> tuple[str, Json] | None:
    """Give the one member of a block and its value, None when there is none or are several."""
    found = [(key, value) for key, value in block.items() if key in CONTENT | RESULT_CONTENT and value is not None]
    return found[0] if len(found) == 1 else None


def judged(block: Json, pointer: str, place: Place) -> Iterator[Problem]:
    """Judge one block and what is inside it."""
    known = RESULT_CONTENT if place.where == "result" else CONTENT
    if not isinstance(block, dict):
        yield problem("wrong-type", pointer, f"a block is an object, this is {shown(block)}")
        return
    there = [key for key, value in block.items() if value is not None]
    members = [key for key in there if key in CONTENT | RESULT_CONTENT]
    for key in there:
        if key not in members and members:
            yield unknown_key("a block", key, pointer)
    if not members:
        yield _unknown_block(there, pointer)
        return
    if len(members) > 1:
        what = f"a block has one member, this has {', '.join(members)}"
        yield problem("block-members", pointer, what)
        return
    name = members[0]
    if name not in known or name not in BLOCKS[place.where]:
        what = f"a block of type '{name}' cannot stand in {_named(place.where)}"
        yield problem("block-in-wrong-role", pointer, what)
        return
    value, inside = block[name], f"{pointer}/{name}"
    if name in MEMBER_KEYS:
        if not isinstance(value, dict):
            yield problem("wrong-type", inside, f"the member '{name}' is an object, this is {shown(value)}")
            return
        yield from _keys(name, value, inside)
    judge = _JUDGES.get(name)
    if judge is not None:
        yield from judge(value, inside, place)


def _unknown_block(there: list[str], pointer: str) -> Problem:
    named = "a block without a member" if not there else f"a block of the unknown type {shown(there[0])}"
    if "type" in there:
        named = "a block in the form of another api, with a type"
    return problem("unknown-block", pointer, named)


def _keys(name: str, value: dict[str, Json], pointer: str) -> Iterator[Problem]:
    for key in REQUIRED_KEYS.get(name, ()):
        if value.get(key) is None:
            says = f"Value null at '{member(f'{pointer}/{key}')}' failed to satisfy constraint: Member must not be null"
            yield problem("missing-key", pointer, f"the member '{name}' needs the key '{key}'", says)
    for key in foreign_keys(value, MEMBER_KEYS[name]):
        yield unknown_key(f"the member '{name}'", key, pointer)


def _named(where: str) -> str:
    return {"user": "a user's message", "assistant": "an assistant's message", "system": "a system message"}.get(
        where, "a tool result"
    )


def text(value: Json, pointer: str) -> Iterator[Problem]:
    """Judge the words of a text."""
    if not isinstance(value, str):
        yield problem("wrong-type", pointer, f"a text is a string, this is {shown(value)}")
    elif is_blank(value):
        block = pointer[1 : pointer.rindex("/")].replace("/", ".")
        says = (
            f"The text field in the ContentBlock object at {block} is blank. Add text to the text field, and try again."
        )
        what = f"a text holds only white space, {shown(value)}" if value else "a text is empty"
        yield problem("blank-text", pointer, what, says)


def _text(value: Json, pointer: str, place: Place) -> Iterator[Problem]:
    yield from text(value, pointer)


def system(block: Json, pointer: str) -> Iterator[Problem]:
    """Judge one block of the system prompt."""
    if not isinstance(block, dict):
        yield problem("wrong-type", pointer, f"a block is an object, this is {shown(block)}")
        return
    there = [key for key, value in block.items() if value is not None]
    if not there:
        yield _unknown_block(there, pointer)
        return
    known = [key for key in there if key in SYSTEM_CONTENT]
    if not known:
        what = (
            f"a block of type {shown(there[0])} in the system prompt, which holds {', '.join(sorted(SYSTEM_CONTENT))}"
        )
        yield problem("block-in-wrong-role", pointer, what)
    elif len(there) > 1:
        yield problem("block-members", pointer, f"a block has one member, this has {', '.join(map(shown, there))}")
    elif known == ["text"]:
        yield from text(block["text"], f"{pointer}/text")


def _tool_use(value: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    yield from _id(value, pointer, place.target)
    if value.get("name") is not None:
        yield from name(value["name"], f"{pointer}/name")
    arguments = value.get("input")
    if arguments is not None and not isinstance(arguments, dict):
        what = f"the input of call {shown(value.get('toolUseId'))} is {shown(arguments)}, not an object"
        says = (
            f"The format of the value at {pointer[1:].replace('/', '.')}.input is invalid. Provide a json object for "
            "the field and try again."
        )
        yield problem("arguments-not-object", f"{pointer}/input", what, says)
    elif arguments and _has_empty_key(arguments):
        what = f"the input of call {shown(value.get('toolUseId'))} has a key of no characters"
        yield problem("empty-argument-key", f"{pointer}/input", what)
    if value.get("type") not in (None, "server_tool_use"):
        says = refused(value["type"], f"{pointer}/type", "enum value set: [server_tool_use]")
        yield problem("wrong-type", f"{pointer}/type", f"a call has no type {shown(value['type'])}", says)


def _has_empty_key(value: Json) -> bool:
    rest = [value]
    while rest:
        inner = rest.pop()
        if isinstance(inner, dict):
            if "" in inner:
                return True
            rest.extend(inner.values())
        elif isinstance(inner, list):
            rest.extend(inner)
    return False


def _id(value: dict[str, Json], pointer: str, target: Target) -> Iterator[Problem]:
    call_id, path = value.get("toolUseId"), f"{pointer}/toolUseId"
    if call_id is None:
        return
    if not isinstance(call_id, str):
        yield problem("wrong-type", path, f"the id of a call is a string, this is {shown(call_id)}")
    elif not _ID.fullmatch(call_id):
        says = refused(call_id, path, "regular expression pattern: [a-zA-Z0-9_.:-]+")
        what = f"the call id {shown(call_id)} has other characters than letters, digits, '_', '.', ':' and '-'"
        if len(call_id) > 64:
            says = refused(call_id, path, "length less than or equal to 64")
            what = f"the call id {shown(call_id)} has {len(call_id)} characters, more than 64"
        yield problem("call-id-shape", path, what if call_id else "an empty call id", says)
    elif not target.call_id.accepts(call_id):
        what = f"the call id {shown(call_id)} has characters that {target.name} itself may refuse"
        yield problem("call-id-shape", path, what, severity="warning")


def name(value: Json, pointer: str) -> Iterator[Problem]:
    """Judge the name of a tool."""
    if not isinstance(value, str):
        yield problem("wrong-type", pointer, f"the name of a tool is a string, this is {shown(value)}")
    elif not _NAME.fullmatch(value):
        says = refused(value, pointer, "regular expression pattern: [a-zA-Z0-9_-]+")
        what = f"the name {shown(value)} is not 1 to 64 letters, digits, '_' and '-'"
        yield problem("tool-name-shape", pointer, what, says)


def _tool_result(value: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    if place.where == "assistant" and value.get("type") is None:
        yield problem("block-in-wrong-role", pointer, "a tool result cannot stand in an assistant's message")
    yield from _id(value, pointer, place.target)
    content, status = value.get("content"), value.get("status")
    if isinstance(content, list):
        for index, inner in enumerate(content):
            yield from judged(inner, f"{pointer}/content/{index}", place.inside_result())
    elif content is not None:
        what = f"the content of a result is a list of blocks, this is {shown(content)}"
        yield problem("wrong-type", f"{pointer}/content", what)
    if status is None:
        return
    if status not in _STATUSES:
        says = refused(status, f"{pointer}/status", "enum value set: [success, error]")
        yield problem("wrong-type", f"{pointer}/status", f"a status is success or error, not {shown(status)}", says)
    elif not place.target.error_flag:
        what = f"a status, which is documented for other models than {place.target.name}; some refuse it"
        yield problem("result-status", f"{pointer}/status", what)
    if status == "error" and isinstance(content, list):
        yield from _error_result(content, pointer, place.target)


def _error_result(content: list[Json], pointer: str, target: Target) -> Iterator[Problem]:
    path = pointer[1:].replace("/", ".")
    if not content:
        says = f"The content field at {path} cannot be empty when status value is error."
        yield problem("error-result", f"{pointer}/content", "a result marked as an error holds nothing", says)
    if not target.text_only_error_results:
        return
    for index, inner in enumerate(content):
        found = member_of(inner) if isinstance(inner, dict) else None
        if found is not None and found[0] not in ("text", "json"):
            sure = target.thinking == "signed"
            says = f'{path}: all content must be type "text" if "is_error" is true'
            what = f"a result marked as an error holds a block of type '{found[0]}'"
            severity = None if sure else "warning"
            yield problem("error-result", f"{pointer}/content/{index}", what, says if sure else None, severity)  # type: ignore[arg-type]


def _reasoning(value: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    yield from reasoning(value, pointer, place.target)


def _guarded(value: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    there = [key for key in ("text", "image") if value.get(key) is not None]
    if len(there) != 1:
        yield problem(
            "block-members", pointer, f"guarded content has one member, this has {' and '.join(there) or 'none'}"
        )
    elif there == ["image"]:
        yield from guarded_image(value["image"], f"{pointer}/image", place.media)
    elif not isinstance(value["text"], dict):
        yield problem("wrong-type", f"{pointer}/text", f"a guarded text is an object, this is {shown(value['text'])}")
    else:
        for key in foreign_keys(value["text"], GUARDED_TEXT_KEYS):
            yield unknown_key("a guarded text", key, f"{pointer}/text")
        if value["text"].get("text") is None:
            yield problem("missing-key", f"{pointer}/text", "a guarded text needs the key 'text'")
        else:
            yield from text(value["text"]["text"], f"{pointer}/text/text")


def _cache_point(value: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    yield from cache_point(value, pointer)


def cache_point(value: dict[str, Json], pointer: str) -> Iterator[Problem]:
    for key, known in (("type", ("default",)), ("ttl", ("5m", "1h"))):
        given = value.get(key)
        if given is not None and given not in known:
            says = refused(given, f"{pointer}/{key}", f"enum value set: [{', '.join(known)}]")
            what = f"the {key} of a cache point is {' or '.join(known)}, not {shown(given)}"
            yield problem("wrong-type", f"{pointer}/{key}", what, says)


def _image(value: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    yield from image(value, pointer, place.where, place.target, place.media)


def _document(value: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    yield from document(value, pointer, place.where, place.target, place.media)


def _video(value: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    yield from moving("video", value, pointer, place.target)


def _audio(value: dict[str, Json], pointer: str, place: Place) -> Iterator[Problem]:
    yield from moving("audio", value, pointer, place.target)


_JUDGES: dict[str, Callable[..., Iterator[Problem]]] = {
    "text": _text,
    "toolUse": _tool_use,
    "toolResult": _tool_result,
    "reasoningContent": _reasoning,
    "guardContent": _guarded,
    "cachePoint": _cache_point,
    "image": _image,
    "document": _document,
    "video": _video,
    "audio": _audio,
}
