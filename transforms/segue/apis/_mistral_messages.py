"""Judge the messages of Mistral's chat completions, each for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from segue.apis._media import Medium
from segue.apis._mistral_chunks import chunk, is_text_only
from segue.apis._mistral_keys import CALL_KEYS, FUNCTION_CALL_KEYS, MESSAGES
from segue.apis._mistral_rules import NINE, extra_key, invalid, missing, name_shape, problem
from segue.apis._walk import bracketed, escaped, foreign_keys, is_json, shown, text_of
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_NO_ID = "null"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a message is judged by beside itself; `media` collects what is found."""

    target: Target
    media: list[Medium] = field(default_factory=list)


def judged(message: Json, pointer: str, setting: Setting, is_last: bool) -> Iterator[Problem]:
    """Judge one message and what is inside it."""
    if not isinstance(message, dict):
        what = f"a message is an object, this is {shown(message)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, "dict"))
        return
    role = message.get("role")
    known = MESSAGES.get(role) if isinstance(role, str) else None
    if not isinstance(role, str) or known is None:
        expected = ", ".join(f"'{name}'" for name in sorted(MESSAGES))
        says = f"Input tag {shown(role)} found using 'role' does not match any of the expected tags: {expected}"
        yield problem("unknown-role", f"{pointer}/role", f"the role {shown(role)} is none of this api's", says)
        return
    for key in foreign_keys(message, known):
        what = f"a message of the role '{role}' knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, extra_key(pointer, key, role))
    yield from _content(message, role, pointer, setting)
    if role == "assistant":
        yield from _calls(message, pointer, setting.target)
        yield from _prefix(message, pointer, is_last)
    elif role == "tool":
        yield from _result(message, pointer, setting.target)


def _content(message: dict[str, Json], role: str, pointer: str, setting: Setting) -> Iterator[Problem]:
    content = message.get("content")
    place = f"{pointer}/content"
    if role == "assistant" and not content and not message.get("tool_calls"):
        says = "Assistant message must have either content or tool_calls, but not none."
        yield problem("empty-content", place if "content" in message else pointer, _NEITHER, says)
    elif content is None:
        if role != "assistant":
            says = "System prompt must have content" if role == "system" else missing(pointer, "content", role)
            what = f"a message of the role '{role}' without content"
            yield problem("empty-content", place if "content" in message else pointer, what, says)
    elif isinstance(content, list):
        for index, part in enumerate(content):
            yield from chunk(part, f"{place}/{index}", role, setting.target, setting.media)
        if role == "assistant":
            yield from _thinking(content, place)
            if is_text_only(content) and not message.get("tool_calls") and not setting.target.text_parts:
                what = "an answer of texts alone comes as a list, which some deployments take for none"
                says = "Assistant message must have either content or tool_calls, but not none."
                yield problem("text-in-chunks", place, what, says)
    elif not isinstance(content, str):
        what = f"the content of a message is a text or a list of chunks, this is {shown(content)}"
        yield problem("wrong-type", place, what, invalid(place, "string", role))


_NEITHER = "an assistant's message with neither content nor calls"


def _thinking(content: list[Json], pointer: str) -> Iterator[Problem]:
    places = [index for index, part in enumerate(content) if isinstance(part, dict) and part.get("type") == "thinking"]
    says = "Expected at most one leading ThinkChunk"
    if places and places[0] > 0:
        yield problem("thinking-chunks", f"{pointer}/{places[0]}", "a thinking chunk behind other chunks", says)
    if len(places) > 1:
        yield problem("thinking-chunks", f"{pointer}/{places[1]}", "a second thinking chunk in one message", says)


def _prefix(message: dict[str, Json], pointer: str, is_last: bool) -> Iterator[Problem]:
    prefix = message.get("prefix")
    place = f"{pointer}/prefix"
    if prefix is not None and not isinstance(prefix, bool):
        what = f"the prefix of a message is true or false, this is {shown(prefix)}"
        yield problem("wrong-type", place, what, invalid(place, "bool", "assistant"))
    elif prefix and not is_last:
        says = "Assistant message with prefix True must be last message"
        yield problem("prefix", place, "a prefix that is not the last message", says)


def _result(message: dict[str, Json], pointer: str, target: Target) -> Iterator[Problem]:
    call_id = message.get("tool_call_id")
    if call_id is None:
        says = "Tool call id has to be defined."
        yield problem("missing-key", pointer, "a tool message without the id of its call", says)
    else:
        yield from _id(call_id, f"{pointer}/tool_call_id", target)
    if message.get("name") is not None:
        yield from name(message["name"], f"{pointer}/name")


def _calls(message: dict[str, Json], pointer: str, target: Target) -> Iterator[Problem]:
    calls = message.get("tool_calls")
    place = f"{pointer}/tool_calls"
    if calls is not None and not isinstance(calls, list):
        what = f"the calls of a message are a list, this is {shown(calls)}"
        yield problem("wrong-type", place, what, invalid(place, "list", "assistant"))
        return
    for index, call in enumerate(calls or ()):
        yield from _call(call, f"{place}/{index}", target)


def _call(call: Json, pointer: str, target: Target) -> Iterator[Problem]:
    if not isinstance(call, dict):
        what = f"a call is an object, this is {shown(call)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, "dict", "assistant"))
        return
    for key in foreign_keys(call, CALL_KEYS):
        says = extra_key(pointer, key, "assistant")
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", f"a call knows no key {shown(key)}", says)
    yield from _id(call.get("id", _NO_ID), f"{pointer}/id" if "id" in call else pointer, target)
    function = call.get("function")
    place = f"{pointer}/function"
    if function is None:
        yield problem("missing-key", pointer, "a call without its function", missing(pointer, "function", "assistant"))
        return
    if not isinstance(function, dict):
        what = f"the function of a call is an object, this is {shown(function)}"
        yield problem("wrong-type", place, what, invalid(place, "dict", "assistant"))
        return
    for key in foreign_keys(function, FUNCTION_CALL_KEYS):
        what = f"the function of a call knows no key {shown(key)}"
        yield problem("unknown-key", f"{place}/{escaped(key)}", what, extra_key(place, key, "assistant"))
    for key in ("name", "arguments"):
        if key not in function:
            says = missing(place, key, "assistant")
            yield problem("missing-key", place, f"the function of a call needs the key '{key}'", says)
    if "name" in function:
        yield from name(function["name"], f"{place}/name")
    if "arguments" in function:
        yield from _arguments(function, f"{place}/arguments")


def _id(call_id: Json, pointer: str, target: Target) -> Iterator[Problem]:
    if not isinstance(call_id, str):
        what = f"the id of a call is a string, this is {shown(call_id)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, "string", "assistant"))
    elif not call_id or call_id == _NO_ID:
        says = f"Tool call id must be a non-empty string other than '{_NO_ID}'"
        yield problem("call-id-shape", pointer, f"a call with the id {shown(call_id)}, which is none", says)
    elif not target.call_id.accepts(call_id):
        exact = target.call_id.exact
        what = (
            f"the id {shown(call_id)} is not nine letters and digits"
            if exact
            else f"the id {shown(call_id)} is too odd"
        )
        severity: Severity | None = None if exact and target.known else "warning"
        yield problem("call-id-shape", pointer, what, f"Tool call id was {call_id[:80]} but {NINE}", severity)


def name(value: Json, pointer: str) -> Iterator[Problem]:
    """Judge the name of a function, in its declaration, a call or a result."""
    if not isinstance(value, str):
        what = f"the name of a function is a string, this is {shown(value)}"
        yield problem("wrong-type", pointer, what, f"{bracketed(pointer)}: Input should be a valid string")
    elif not _NAME.fullmatch(value):
        what = f"the name {shown(value)} is not 1 to 64 letters, digits, '_' and '-'"
        yield problem("tool-name-shape", pointer, what, name_shape(value))


def _arguments(function: dict[str, Json], pointer: str) -> Iterator[Problem]:
    value = function["arguments"]
    owner = f"the arguments of {shown(text_of(function.get('name')))}"
    if isinstance(value, str):
        if not value.lstrip().startswith("{") or not is_json(value):
            what = f"{owner}, {shown(value)}, are not the text of a JSON object"
            yield problem("arguments-not-object", pointer, what, severity="warning")
    elif not isinstance(value, dict):
        what = f"{owner} are {shown(value)}, neither an object nor its text"
        yield problem("arguments-not-object", pointer, what, invalid(pointer, "string", "assistant"))
