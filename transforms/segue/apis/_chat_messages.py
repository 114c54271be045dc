"""Judge the messages of OpenAI Chat Completions, each for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from segue.apis import _openai_media as openai_media
from segue.apis import _openai_says as answers
from segue.apis import _openai_tools as tools
from segue.apis._media import Medium
from segue.apis._openai_keys import CHAT_CALL, CHAT_MESSAGE, CHAT_PARTS, CHAT_ROLE_PARTS, REASONING
from segue.apis._openai_rules import COMPLETIONS
from segue.apis._rule import reporter
from segue.apis._walk import bare, bracketed, dotted, escaped, foreign_keys, shown
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

problem = reporter(COMPLETIONS)

_NAME = re.compile(r"[^\s<|\\/>]{1,64}")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a message is judged by beside itself; `media` collects what is found."""

    target: Target
    media: list[Medium] = field(default_factory=list)

    @property
    def strict(self) -> Severity | None:
        """How sure an unknown key is to be refused: many hosts pass over it."""
        return None if self.target.known and self.target.strict_keys else "warning"


def judged(message: Json, pointer: str, setting: Setting) -> Iterator[Problem]:
    """Judge one message and what is inside it."""
    if not isinstance(message, dict):
        yield problem("wrong-type", pointer, f"a message is an object, this is {shown(message)}")
        return
    role = message.get("role")
    known = CHAT_MESSAGE.get(role) if isinstance(role, str) else None
    if not isinstance(role, str) or known is None:
        says = f"Invalid value: {shown(role)}. Supported values are: {', '.join(map(repr, CHAT_MESSAGE))}."
        yield problem("unknown-role", f"{pointer}/role", f"the role {shown(role)} is none of this api's", says)
        return
    if role == "developer" and (not setting.target.known or setting.target.thinking == "field"):
        yield problem("developer-role", f"{pointer}/role", "the role 'developer', where most hosts know only 'system'")
    yield from _keys(message, pointer, known, setting)
    name = message.get("name")
    if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
        says = answers.unmatched(f"{bracketed(pointer)}.name", r"^[^\s<|\\/>]+$")
        what = f"the name {shown(name)} on a message is not 1 to 64 characters without white space and any of <|\\/>"
        yield problem("message-name-shape", f"{pointer}/name", what, says)
    yield from _content(message, role, pointer, setting)
    if role == "assistant":
        yield from _calls(message, pointer, setting)
    elif role == "tool":
        yield from _call_id(message, "tool_call_id", pointer, setting.target)


def _keys(message: dict[str, Json], pointer: str, known: frozenset[str], setting: Setting) -> Iterator[Problem]:
    target = setting.target
    for key in foreign_keys(message, known):
        # A host that looks for one of them passes over the others, unless it is strict.
        is_looked_for = key == target.thinking_field or not target.strict_keys
        if key in REASONING and message["role"] == "assistant" and target.thinking == "field" and is_looked_for:
            continue
        if key == "cache_control" and target.cache_marks:
            continue
        what = f"a message of the role '{message['role']}' knows no key {shown(key)}"
        if key in REASONING:
            what = f"reasoning in the key {shown(key)}, which {target.name} does not take back"
        says = _says_of_key(key, message["role"], pointer, target)
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, says, setting.strict)


def _says_of_key(key: str, role: str, pointer: str, target: Target) -> str:
    """Give the answer for an unknown key; strict hosts that take reasoning, or none of it, word it their own way."""
    place = dotted(pointer)
    if key in REASONING and target.thinking == "field":
        inner = f"('{place}' : property '{key}' is unsupported)"
        return f"'{place}' : for 'role:{role}' the following must be satisfied[{inner}]"
    if key in REASONING and not target.text_parts:
        return f"{place}.{role}.{key}: property '{place}.{role}.{key}' is unsupported"
    return f"Additional properties are not allowed ({shown(key)} was unexpected) - '{bracketed(pointer)}'"


def _content(message: dict[str, Json], role: str, pointer: str, setting: Setting) -> Iterator[Problem]:
    content = message.get("content")
    if isinstance(content, list):
        if not content:
            says = answers.empty_array(f"{bracketed(pointer)}.content")
            yield problem("empty-content", f"{pointer}/content", "an empty list as content", says)
        for index, part in enumerate(content):
            yield from _part(part, f"{pointer}/content/{index}", role, setting)
    elif content is None:
        optional = role == "assistant" and any(
            message.get(key) for key in ("tool_calls", "function_call", "refusal", "audio")
        )
        if not optional and role != "function":
            says = "Invalid value for 'content': expected a string, got null."
            what = f"a message of the role '{role}' without content"
            yield problem("empty-content", f"{pointer}/content" if "content" in message else pointer, what, says)
    elif not isinstance(content, str):
        says = answers.wrong_type(f"{bracketed(pointer)}.content", "one of a string or array of objects")
        what = f"the content of a message is a text or a list of parts, this is {shown(content)}"
        yield problem("wrong-type", f"{pointer}/content", what, says)


def _part(part: Json, pointer: str, role: str, setting: Setting) -> Iterator[Problem]:
    path = bracketed(pointer)
    if not isinstance(part, dict):
        what = f"a part is an object, this is {shown(part)}"
        yield problem("wrong-type", pointer, what, answers.wrong_type(path, "an object"))
        return
    kind = part.get("type")
    known = CHAT_PARTS.get(kind) if isinstance(kind, str) else None
    if not isinstance(kind, str) or known is None:
        says = f"Invalid value: {shown(kind)}. Supported values are: {', '.join(map(repr, CHAT_PARTS))}."
        yield problem("unknown-part", pointer, f"a part of the unknown type {shown(kind)}", says, setting.strict)
        return
    allowed = CHAT_ROLE_PARTS[role]
    if role == "tool" and setting.target.result_media:
        allowed = allowed | {"image_url", "file"}
    if kind not in allowed:
        says = f"Invalid '{bracketed(pointer.rsplit('/', 2)[0])}'."
        if kind == "image_url":
            says += (
                " Image URLs are only allowed for messages with role 'user', but this message with role "
                f"'{role}' contains an image URL."
            )
        what = f"a part of type '{kind}' cannot stand in a message of the role '{role}'"
        yield problem("part-in-wrong-role", pointer, what, says)
    for key in foreign_keys(part, known):
        if key != "cache_control" or not setting.target.cache_marks:
            what = f"a part of type '{kind}' knows no key {shown(key)}"
            yield problem(
                "unknown-key", f"{pointer}/{escaped(key)}", what, answers.unknown(f"{path}.{key}"), setting.strict
            )
    yield from _inside(part, kind, pointer, setting)


def _inside(part: dict[str, Json], kind: str, pointer: str, setting: Setting) -> Iterator[Problem]:
    value = part.get(kind)
    if kind in ("text", "refusal"):
        if not isinstance(value, str):
            says = answers.wrong_type(f"{bracketed(pointer)}.{kind}")
            yield problem("wrong-type", pointer, f"the text of a part is a string, this is {shown(value)}", says)
    elif not isinstance(value, dict):
        says = answers.wrong_type(f"{bracketed(pointer)}.{kind}", "an object")
        name = "image-source" if kind == "image_url" else "wrong-type"
        yield problem(name, pointer, f"'{kind}' is an object, this is {shown(value)}", says)
    elif kind == "image_url":
        yield from openai_media.image(value.get("url"), f"{pointer}/image_url/url", setting.media, problem)
    elif kind == "file":
        yield from openai_media.file(value, f"{pointer}/file", setting.media, problem)
    else:
        yield problem("audio", pointer, f"audio, which {setting.target.name} may not hear")


def _calls(message: dict[str, Json], pointer: str, setting: Setting) -> Iterator[Problem]:
    calls = message.get("tool_calls")
    if calls == []:
        says = answers.empty_array(f"{bracketed(pointer)}.tool_calls")
        yield problem("empty-tool-calls", f"{pointer}/tool_calls", "an empty list of calls", says)
    elif calls is not None and not isinstance(calls, list):
        yield problem("wrong-type", f"{pointer}/tool_calls", f"the calls are a list, this is {shown(calls)}")
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        yield from _call(call, f"{pointer}/tool_calls/{index}", setting)


def _call(call: Json, pointer: str, setting: Setting) -> Iterator[Problem]:
    path = bracketed(pointer)
    if not isinstance(call, dict):
        yield problem("call-shape", pointer, f"a call is an object, this is {shown(call)}")
        return
    yield from _call_id(call, "id", pointer, setting.target)
    for key in foreign_keys(call, CHAT_CALL):
        what = f"a call knows no key {shown(key)}"
        says = f"Additional properties are not allowed ({shown(key)} was unexpected) - '{path}'"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, says, setting.strict)
    kind = call.get("type")
    if kind not in ("function", "custom"):
        says = answers.missing(f"{path}.type") if kind is None else f"Invalid value: {shown(kind)}."
        yield problem("call-shape", pointer, f"a call of type {shown(kind)}, not 'function' or 'custom'", says)
        return
    inner = call.get(kind)
    if not isinstance(inner, dict):
        what = f"call {shown(call.get('id'))} has no '{kind}'"
        yield problem("call-shape", pointer, what, answers.missing(f"{path}.{kind}"))
        return
    named = f"call {shown(call.get('id'))} ({bare(inner.get('name'))})"
    yield from tools.name(inner.get("name"), f"{pointer}/{kind}/name", setting.target, problem, True)
    if kind == "function":
        yield from tools.arguments(inner.get("arguments"), named, f"{pointer}/function/arguments", problem)
    elif not isinstance(inner.get("input"), str):
        what = f"the input of {named} is {shown(inner.get('input'))}, not a text"
        yield problem("arguments-not-text", f"{pointer}/custom/input", what)


def _call_id(owner: dict[str, Json], key: str, pointer: str, target: Target) -> Iterator[Problem]:
    value, path, longest = owner.get(key), f"{bracketed(pointer)}.{key}", target.call_id.length
    if not isinstance(value, str):
        says = answers.missing(path)
        what = f"the id of a call is a string, this is {shown(value)}"
        yield problem("call-id-shape", f"{pointer}/{key}" if key in owner else pointer, what, says)
    elif not value or len(value) > longest:
        says = answers.long_text(path, longest, len(value)) if value else answers.empty_text(path)
        what = f"the call id {shown(value)} has {len(value)} characters, not 1 to {longest}"
        yield problem("call-id-shape", f"{pointer}/{key}", what, says)
