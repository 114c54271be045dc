"""Judge the calls and results of Gemini's generateContent, each for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.apis._gemini_media import result_parts
from segue.apis._gemini_reading import items, member
from segue.apis._gemini_rules import field as path
from segue.apis._gemini_rules import invalid, problem
from segue.apis._media import Medium
from segue.apis._walk import shown
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

_STRING, _STRUCT = "TYPE_STRING", "type.googleapis.com/google.protobuf.Struct"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}")


def call(value: dict[str, Json], pointer: str, target: Target) -> Iterator[Problem]:
    """Judge a call."""
    yield from _name(value, pointer, target)
    yield from _id(value, pointer, target)
    arguments = value.get("args")
    if arguments is not None and not isinstance(arguments, dict):
        what = f"the args of call {shown(value.get('name'))} are {shown(arguments)}, not an object"
        yield problem("arguments-not-object", f"{pointer}/args", what, invalid(f"{pointer}/args", _STRUCT, None))


def result(value: dict[str, Json], pointer: str, target: Target, media: list[Medium]) -> Iterator[Problem]:
    """Judge a result, and put the media inside it with the others."""
    yield from _name(value, pointer, target)
    yield from _id(value, pointer, target)
    response, parts = value.get("response"), value.get("parts")
    place = f"{pointer}/response"
    if response is None:
        if not parts:
            yield problem("missing-key", pointer, f"the result of {shown(value.get('name'))} has no 'response'")
    elif not isinstance(response, dict):
        what = f"the response of {shown(value.get('name'))} is {shown(response)}, not an object"
        yield problem("result-not-object", place, what, invalid(place, _STRUCT, None))
    yield from result_parts(parts, f"{pointer}/parts", target, media)
    if isinstance(response, dict):
        names = _display_names(parts)
        for reference in _references(response):
            if reference not in names:
                what = f"the response has a '$ref' to {shown(reference)}, and the result has no such part"
                yield problem("result-reference", place, what)
                return


def _name(value: dict[str, Json], pointer: str, target: Target) -> Iterator[Problem]:
    if value.get("name") is None:
        what = "a call or a result without the name of its function"
        yield problem(
            "missing-key", pointer, what, f"GenerateContentRequest.{path(pointer)}.name: Name cannot be empty."
        )
    else:
        yield from name(value["name"], f"{pointer}/name", target)


def name(value: Json, pointer: str, target: Target) -> Iterator[Problem]:
    """Judge the name of a function, in its declaration, a call or a result."""
    if not isinstance(value, str):
        what = f"the name of a function is a string, this is {shown(value)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, _STRING, value))
    elif not _NAME.fullmatch(value):
        says = (
            "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), "
            "underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128."
        )
        what = f"the name {shown(value)} is not 1 to 128 letters, digits, '_', '.', ':' and '-', with no digit first"
        yield problem("tool-name-shape", pointer, what, says)
    elif not target.tool_name.accepts(value):
        what = f"the name {shown(value)} has more than {target.tool_name.length} characters, or a colon"
        yield problem("long-tool-name", pointer, what)


def _id(value: dict[str, Json], pointer: str, target: Target) -> Iterator[Problem]:
    call_id = value.get("id")
    if call_id is None:
        return
    place = f"{pointer}/id"
    if not isinstance(call_id, str):
        what = f"the id of a call is a string, this is {shown(call_id)}"
        yield problem("wrong-type", place, what, invalid(place, _STRING, call_id))
    elif not target.call_ids_on_wire:
        what = f"the id {shown(call_id)} on a call or a result, which {target.name} knows none of"
        severity: Severity | None = None if target.known else "warning"
        yield problem("call-id-refused", place, what, f"Unknown name \"id\" at '{path(pointer)}'", severity)
    elif not target.call_id.accepts(call_id):
        what = f"the id {shown(call_id)} is not 1 to {target.call_id.length} letters, digits, '_' and '-'"
        yield problem("call-id-shape", place, what)


def _display_names(parts: Json) -> set[str]:
    found: set[str] = set()
    for _, part in items(parts, ""):
        for kind in ("inlineData", "fileData"):
            inner = member(part, kind) if isinstance(part, dict) else None
            if isinstance(inner, dict) and isinstance(called := member(inner, "displayName"), str):
                found.add(called)
    return found


def _references(response: dict[str, Json]) -> Iterator[Json]:
    rest: list[Json] = [response]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            if "$ref" in value:
                yield value["$ref"] if isinstance(value["$ref"], str) else None
            rest.extend(value.values())
        elif isinstance(value, list):
            rest.extend(value)
