"""Judge the contents of Gemini's generateContent, each for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from segue.apis._gemini_calls import call, result
from segue.apis._gemini_keys import (
    BLOCKS,
    MEMBER_KEYS,
    MESSAGE_KEYS,
    PART_KEYS,
    RESULT_ROLE,
    ROLES,
    snake,
)
from segue.apis._gemini_media import blob
from segue.apis._gemini_reading import Part, items, key_of, member, signed
from segue.apis._gemini_rules import field as path
from segue.apis._gemini_rules import invalid, problem, unknown_name
from segue.apis._media import Medium
from segue.apis._walk import escaped, foreign_keys, shown
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

_CONTENT = "type.googleapis.com/google.ai.generativelanguage.v1beta.Content"
_PART = "type.googleapis.com/google.ai.generativelanguage.v1beta.Part"
_NO_DATA = "required oneof field 'data' must have one initialized field"
# Base64 in either alphabet, padded or not. The documented stand-ins for a signature are base64 as they are.
_BASE64 = re.compile(r"[A-Za-z0-9+/_\s-]*={0,2}\s*")
_ROLE_BLOCKS = {"user": BLOCKS["user"], "model": BLOCKS["assistant"], RESULT_ROLE: frozenset({"functionResponse"})}


@dataclass(frozen=True, slots=True)
class Setting:
    """What a content is judged by beside itself; `media` collects what is found."""

    target: Target
    media: list[Medium] = field(default_factory=list)


def is_base64(text: str) -> bool:
    """Tell whether a text can be read as base64.

    >>> is_base64("skip_thought_signature_validator"), is_base64("aGk="), is_base64("a b?"), is_base64("abcde")
    (True, True, False, False)
    """
    return _BASE64.fullmatch(text) is not None and len("".join(text.split()).rstrip("=")) % 4 != 1


def judged(content: Json, pointer: str, setting: Setting) -> Iterator[Problem]:
    """Judge one content and its parts."""
    if not isinstance(content, dict):
        what = f"a content is an object, this is {shown(content)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, _CONTENT, content))
        return
    for key in foreign_keys(content, MESSAGE_KEYS):
        yield problem(
            "unknown-key",
            f"{pointer}/{escaped(key)}",
            f"a content knows no key {shown(key)}",
            unknown_name(key, pointer),
        )
    role = content.get("role")
    if role is not None and role not in (*ROLES, RESULT_ROLE):
        says = "Please use a valid role: user, model."
        yield problem("unknown-role", f"{pointer}/role", f"the role {shown(role)} is none of this api's", says)
        role = None
    allowed = _ROLE_BLOCKS["user" if role is None else role]
    yield from parts_of(content, pointer, setting, allowed, f"a content of the role '{role or 'user'}'")


def system(value: Json, pointer: str, setting: Setting) -> Iterator[Problem]:
    """Judge the system prompt, a content of texts whose role does not count."""
    if not isinstance(value, dict):
        what = f"the system prompt is a content, this is {shown(value)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, _CONTENT, value))
        return
    for key in foreign_keys(value, MESSAGE_KEYS):
        yield problem(
            "unknown-key",
            f"{pointer}/{escaped(key)}",
            f"a content knows no key {shown(key)}",
            unknown_name(key, pointer),
        )
    yield from parts_of(value, pointer, setting, BLOCKS["system"], "the system prompt")


def parts_of(
    content: dict[str, Json], pointer: str, setting: Setting, allowed: frozenset[str], owner: str
) -> Iterator[Problem]:
    """Judge the parts of a content; `owner` names it for people."""
    value = content.get("parts")
    if value is not None and not isinstance(value, (list, dict)):
        what = f"the parts of a content are a list, this is {shown(value)}"
        yield problem("wrong-type", f"{pointer}/parts", what, invalid(f"{pointer}/parts", _PART, value))
        return
    found = items(value, f"{pointer}/parts")
    if not found:
        place = f"{pointer}/parts" if "parts" in content else pointer
        says = f"GenerateContentRequest.{path(pointer)}.parts: contents.parts must not be empty."
        yield problem("empty-content", place, f"{owner} without parts", says)
        return
    if all(_is_void(part) for _, part in found):
        says = f"GenerateContentRequest.{path(pointer)}.parts[0].data: {_NO_DATA}"
        yield problem("empty-content", f"{pointer}/parts", f"{owner} holds nothing but empty texts", says)
        return
    for place, part in found:
        if not isinstance(part, dict):
            what = f"a part is an object, this is {shown(part)}"
            yield problem("wrong-type", place, what, invalid(place, _PART, part))
        else:
            yield from _part(Part(place, part), setting, allowed, owner)


def _is_void(part: Json) -> bool:
    return isinstance(part, dict) and part.get("text") == "" and Part("", part).kinds == ("text",) and not signed(part)


def _part(part: Part, setting: Setting, allowed: frozenset[str], owner: str) -> Iterator[Problem]:
    pointer = part.pointer
    for key in foreign_keys(part.value, PART_KEYS):
        what = f"a part knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, unknown_name(key, pointer))
    yield from doubled(part.value, pointer)
    yield from _signature(part, owner)
    kind = part.kind
    if kind is None:
        if signed(part.value):
            what = "a part with nothing but a signature, as the server's media processing leaves it"
            yield problem("media-processing", pointer, what, "Invalid thought signature")
        else:
            says = f"GenerateContentRequest.{path(pointer)}.data: {_NO_DATA}"
            yield problem("empty-part", pointer, "a part without data", says)
        return
    if len(part.kinds) > 1:
        second = part.kinds[1]
        says = f"{invalid(pointer, 'oneof', None)}, oneof field 'data' is already set. Cannot set '{second}'"
        yield problem("two-in-one-part", pointer, f"a part with {' and '.join(map(shown, part.kinds))}", says)
    if kind not in allowed:
        yield problem("block-in-wrong-role", pointer, f"{owner} holds a part with {shown(kind)}", _misplaced(kind))
    place, value = part.data(kind)
    if kind == "text":
        yield from _text(part, value, place)
    elif not isinstance(value, dict):
        what = f"{shown(kind)} is an object, this is {shown(value)}"
        yield problem(
            "wrong-type", place, what, invalid(place, f"type.googleapis.com/{kind[0].upper()}{kind[1:]}", value)
        )
    else:
        yield from _data(kind, value, place, setting)


def doubled(value: dict[str, Json], pointer: str) -> Iterator[Problem]:
    """Find keys that an object has in both spellings."""
    for key in value:
        if (other := snake(key)) != key and other in value:
            what = f"the key {shown(key)} stands beside {shown(other)}, which is the same one"
            yield problem("doubled-key", f"{pointer}/{escaped(other)}", what)


def _misplaced(kind: str) -> str | None:
    if kind == "functionCall":
        return (
            "Please ensure that function call turn comes immediately after a user turn "
            "or after a function response turn."
        )
    if kind == "functionResponse":
        return "Please ensure that function response turn comes immediately after a function call turn."
    return None


def _text(part: Part, text: Json, pointer: str) -> Iterator[Problem]:
    if not isinstance(text, str):
        what = f"a text is a string, this is {shown(text)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, "TYPE_STRING", text))
    elif not text and not signed(part.value):
        says = f"GenerateContentRequest.{path(part.pointer)}.data: {_NO_DATA}"
        yield problem("blank-text", pointer, "an empty text without a signature", says)


def _signature(part: Part, owner: str) -> Iterator[Problem]:
    key = key_of(part.value, "thoughtSignature")
    value = part.value.get(key)
    if value is None or value == "":
        return
    pointer = f"{part.pointer}/{key}"
    if not isinstance(value, str):
        what = f"a signature is base64, this is {shown(value)}"
        yield problem("signature-shape", pointer, what, invalid(pointer, "TYPE_BYTES", value))
    elif not is_base64(value):
        says = f'{invalid(pointer, "TYPE_BYTES", None)}, Base64 decoding failed for "{value[:80]}"'
        yield problem("signature-shape", pointer, f"the signature {shown(value)} is not base64", says)
    elif "'model'" not in owner:
        yield problem("misplaced-signature", pointer, f"a thought signature in {owner}, where a model's belongs")


def _data(kind: str, value: dict[str, Json], pointer: str, setting: Setting) -> Iterator[Problem]:
    known = MEMBER_KEYS[kind]
    for key in foreign_keys(value, known):
        what = f"{shown(kind)} knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, unknown_name(key, pointer))
    yield from doubled(value, pointer)
    if kind in ("inlineData", "fileData"):
        yield from blob(kind, value, pointer, setting.target, setting.media)
    elif kind == "functionCall":
        yield from call(value, pointer, setting.target)
    elif kind == "functionResponse":
        yield from result(value, pointer, setting.target, setting.media)
    elif str(member(value, "toolType")).upper() == "MEDIA_PROCESSING":
        what = "a step of the server's media processing"
        yield problem("media-processing", pointer, what, "Invalid thought signature")
