"""Judge a request body of OpenAI Chat Completions (`POST /v1/chat/completions`) the way its server reads it.

Many hosts speak this api, each with keys of its own. What only some of them refuse is a warning, and so is an unknown key
where the host takes reasoning back or nobody described it. Roles may follow each other in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from segue.apis import _openai_media as openai_media
from segue.apis import _openai_tools as tools
from segue.apis._media import Medium
from segue.apis._media import judged as judged_media
from segue.apis._openai_keys import (
    CHAT_CALL,
    CHAT_MESSAGE,
    CHAT_PARTS,
    CHAT_REQUEST,
    CHAT_ROLE_PARTS,
    HOST_REQUEST,
    REASONING,
)
from segue.apis._openai_rules import COMPLETIONS as RULES
from segue.apis._rule import reporter
from segue.apis._walk import bracketed, escaped, foreign_keys, shown, text_of, unsendable
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

__all__ = ["RULES", "lint"]

problem = reporter(RULES)

_LARGEST_BODY = 536_870_912
_NAME = re.compile(r"[^\s<|\\/>]{1,64}")
_SYSTEM = ("system", "developer")


@dataclass(frozen=True, slots=True)
class _Setting:
    target: Target
    media: list[Medium] = field(default_factory=list)

    @property
    def doubt(self) -> Severity | None:
        return None if self.target.known else "warning"

    @property
    def strict(self) -> Severity | None:
        """How sure an unknown key is to be refused: hosts that take reasoning back are lenient."""
        return None if self.target.known and self.target.thinking != "field" else "warning"


def lint(request: Json, target: Target) -> Iterator[Problem]:
    """Find what the server would refuse in a request body, or treat in a way that the user should know."""
    yield from unsendable(request, problem, _LARGEST_BODY)
    if not isinstance(request, dict):
        yield problem("wrong-type", "", f"a request is an object, this is {shown(request)}")
        return
    setting = _Setting(target)
    yield from _request(request, setting)
    yield from tools.judged(request, target, problem, chat=True)
    messages = request.get("messages")
    if not isinstance(messages, list):
        return
    for number, message in enumerate(messages):
        yield from _message(message, f"/messages/{number}", setting)
    yield from _order(messages, target)
    yield from _pairs(messages)
    if target.declares_tools and not request.get("tools"):
        yield from _undeclared(messages)
    yield from judged_media(setting.media, target, problem, openai_media.SAYS)


def _request(request: dict[str, Json], setting: _Setting) -> Iterator[Problem]:
    for key in ("model", "messages"):
        if key not in request:
            says = f"Missing required parameter: '{key}'."
            yield problem("missing-key", "", f"the request needs the key '{key}'", says)
    for key in foreign_keys(request, CHAT_REQUEST):
        says = f"Unrecognized request argument supplied: {key}"
        if key in HOST_REQUEST:
            what = f"the key {shown(key)} is one of some hosts only"
            yield problem("unknown-key", f"/{key}", what, says, "warning")
        else:
            what = f"a request knows no key {shown(key)}"
            yield problem("unknown-key", f"/{escaped(key)}", what, says, setting.strict)
    messages = request.get("messages", ...)
    if messages == []:
        says = (
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead."
        )
        yield problem("empty-messages", "/messages", "there is no message", says)
    elif messages is not ... and not isinstance(messages, list):
        yield problem("wrong-type", "/messages", f"the messages are a list, this is {shown(messages)}")
    yield from _limit(request, setting.target)
    effort = request.get("reasoning_effort")
    if effort not in (None, "none") and request.get("tools") and setting.target.thinking != "field":
        says = f"Function tools with reasoning_effort are not supported for {setting.target.model} in /v1/chat/completions."
        what = f"tools with the reasoning effort {shown(effort)}; newer models take them in OpenAI Responses only"
        yield problem("tools-with-reasoning", "/reasoning_effort", what, says)


def _limit(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    for key in ("max_tokens", "max_completion_tokens"):
        value = request.get(key)
        if type(value) is int and target.max_output is not None and value > target.max_output:
            says = f"{key} is too large: {value}. This model supports at most {target.max_output} completion tokens."
            what = f"{key} is {value:,}, {target.name} writes {target.max_output:,} at most"
            yield problem("max-tokens", f"/{key}", what, says)
        elif value is not None and (type(value) is not int or value < 0):
            yield problem("wrong-type", f"/{key}", f"{key} is a whole number, this is {shown(value)}")
    if request.get("max_tokens") is not None and request.get("reasoning_effort") not in (None, "none"):
        says = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        yield problem("max-tokens-key", "/max_tokens", "max_tokens beside a reasoning effort", says)


def _message(message: Json, pointer: str, setting: _Setting) -> Iterator[Problem]:
    if not isinstance(message, dict):
        yield problem("wrong-type", pointer, f"a message is an object, this is {shown(message)}")
        return
    role = message.get("role")
    known = CHAT_MESSAGE.get(role) if isinstance(role, str) else None
    if known is None:
        says = f"Invalid value: {shown(role)}. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'."
        yield problem("unknown-role", f"{pointer}/role", f"the role {shown(role)} is none of this api's", says)
        return
    if role == "developer" and (not setting.target.known or setting.target.thinking == "field"):
        yield problem("developer-role", f"{pointer}/role", "the role 'developer', where most hosts know only 'system'")
    yield from _keys(message, pointer, known, setting)
    name = message.get("name")
    if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
        says = f"Invalid '{bracketed(pointer)}.name': string does not match pattern. Expected a string that matches the pattern"
        what = f"the name {shown(name)} on a message is not 1 to 64 characters without white space and any of <|\\/>"
        yield problem("message-name-shape", f"{pointer}/name", what, says)
    yield from _content(message, role, pointer, setting)
    if role == "assistant":
        yield from _calls(message, pointer, setting)
    elif role == "tool":
        yield from _call_id(message, "tool_call_id", pointer, setting.target)


def _keys(message: dict[str, Json], pointer: str, known: frozenset[str], setting: _Setting) -> Iterator[Problem]:
    for key in foreign_keys(message, known):
        if key in REASONING and message["role"] == "assistant" and setting.target.thinking == "field":
            continue
        if key == "cache_control" and setting.target.cache_marks:
            continue
        what = f"a message of the role '{message['role']}' knows no key {shown(key)}"
        if key in REASONING:
            what = f"reasoning in the key {shown(key)}, which {setting.target.name} does not take back"
        says = f"Additional properties are not allowed ({shown(key)} was unexpected) - '{bracketed(pointer)}'"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, says, setting.strict)


def _content(message: dict[str, Json], role: str, pointer: str, setting: _Setting) -> Iterator[Problem]:
    content = message.get("content")
    if isinstance(content, list):
        if not content:
            says = f"Invalid '{bracketed(pointer)}.content': empty array. Expected an array with minimum length 1"
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
        says = f"Invalid type for '{bracketed(pointer)}.content': expected one of a string or array of objects"
        what = f"the content of a message is a text or a list of parts, this is {shown(content)}"
        yield problem("wrong-type", f"{pointer}/content", what, says)


def _part(part: Json, pointer: str, role: str, setting: _Setting) -> Iterator[Problem]:
    path = bracketed(pointer)
    if not isinstance(part, dict):
        says = f"Invalid type for '{path}': expected an object."
        yield problem("wrong-type", pointer, f"a part is an object, this is {shown(part)}", says)
        return
    kind = part.get("type")
    known = CHAT_PARTS.get(kind) if isinstance(kind, str) else None
    if known is None:
        says = f"Invalid value: {shown(kind)}. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', and 'file'."
        yield problem("unknown-part", pointer, f"a part of the unknown type {shown(kind)}", says, setting.strict)
        return
    if kind not in CHAT_ROLE_PARTS[role] and not (
        role == "tool" and kind in ("image_url", "file") and setting.target.media_in_results
    ):
        says = f"Invalid '{bracketed(pointer.rsplit('/', 2)[0])}'. "
        says += f"Content of type '{kind}' is only allowed for messages with other roles than '{role}'."
        if kind == "image_url":
            says = (
                f"Invalid '{bracketed(pointer.rsplit('/', 2)[0])}'. Image URLs are only allowed for messages with role 'user', "
                f"but this message with role '{role}' contains an image URL."
            )
        what = f"a part of type '{kind}' cannot stand in a message of the role '{role}'"
        yield problem("part-in-wrong-role", pointer, what, says)
    for key in foreign_keys(part, known):
        if key != "cache_control" or not setting.target.cache_marks:
            what = f"a part of type '{kind}' knows no key {shown(key)}"
            says = f"Unknown parameter: '{path}.{key}'."
            yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, says, setting.strict)
    yield from _inside(part, kind, pointer, setting)


def _inside(part: dict[str, Json], kind: str, pointer: str, setting: _Setting) -> Iterator[Problem]:
    value = part.get(kind)
    if kind in ("text", "refusal"):
        if not isinstance(value, str):
            says = f"Invalid type for '{bracketed(pointer)}.{kind}': expected a string."
            yield problem("wrong-type", pointer, f"the text of a part is a string, this is {shown(value)}", says)
    elif not isinstance(value, dict):
        says = f"Invalid type for '{bracketed(pointer)}.{kind}': expected an object."
        yield problem(
            "image-source" if kind == "image_url" else "wrong-type",
            pointer,
            f"'{kind}' is an object, this is {shown(value)}",
            says,
        )
    elif kind == "image_url":
        yield from openai_media.image(value.get("url"), f"{pointer}/image_url/url", setting.media, problem)
    elif kind == "file":
        yield from openai_media.file(value, f"{pointer}/file", setting.media, problem)
    else:
        yield problem("audio", pointer, f"audio, which {setting.target.name} may not hear")


def _calls(message: dict[str, Json], pointer: str, setting: _Setting) -> Iterator[Problem]:
    calls = message.get("tool_calls")
    if calls == []:
        says = (
            f"Invalid '{bracketed(pointer)}.tool_calls': empty array. Expected an array with minimum length 1, but got an "
            "empty array instead."
        )
        yield problem("empty-tool-calls", f"{pointer}/tool_calls", "an empty list of calls", says)
    elif calls is not None and not isinstance(calls, list):
        yield problem("wrong-type", f"{pointer}/tool_calls", f"the calls are a list, this is {shown(calls)}")
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        yield from _call(call, f"{pointer}/tool_calls/{index}", setting)


def _call(call: Json, pointer: str, setting: _Setting) -> Iterator[Problem]:
    path = bracketed(pointer)
    if not isinstance(call, dict):
        yield problem("call-shape", pointer, f"a call is an object, this is {shown(call)}")
        return
    yield from _call_id(call, "id", pointer, setting.target)
    for key in foreign_keys(call, CHAT_CALL):
        what = f"a call knows no key {shown(key)}"
        yield problem(
            "unknown-key", f"{pointer}/{escaped(key)}", what, f"Unknown parameter: '{path}.{key}'.", "warning"
        )
    kind = call.get("type")
    if kind not in ("function", "custom"):
        says = f"Missing required parameter: '{path}.type'." if kind is None else f"Invalid value: {shown(kind)}."
        yield problem("call-shape", pointer, f"a call of type {shown(kind)}, not 'function' or 'custom'", says)
        return
    inner = call.get(kind)
    if not isinstance(inner, dict):
        says = f"Missing required parameter: '{path}.{kind}'."
        yield problem("call-shape", pointer, f"call {shown(call.get('id'))} has no '{kind}'", says)
        return
    named = f"call {shown(call.get('id'))} ({shown(inner.get('name'))})"
    yield from tools.name(inner.get("name"), f"{pointer}/{kind}/name", setting.target, problem, True)
    if kind == "function":
        yield from tools.arguments(inner.get("arguments"), named, f"{pointer}/function/arguments", problem)
    elif not isinstance(inner.get("input"), str):
        what = f"the input of {named} is {shown(inner.get('input'))}, not a text"
        yield problem("arguments-not-text", f"{pointer}/custom/input", what)


def _call_id(owner: dict[str, Json], key: str, pointer: str, target: Target) -> Iterator[Problem]:
    value, path, longest = owner.get(key), f"{bracketed(pointer)}.{key}", target.call_id.length
    if not isinstance(value, str):
        says = f"Missing required parameter: '{path}'."
        what = f"the id of a call is a string, this is {shown(value)}"
        yield problem("call-id-shape", f"{pointer}/{key}" if key in owner else pointer, what, says)
    elif not value or len(value) > longest:
        says = (
            f"Invalid '{path}': string too long. Expected a string with maximum length {longest}, but got a string with length "
            f"{len(value)} instead."
        )
        if not value:
            says = f"Invalid '{path}': empty string. Expected a string with minimum length 1"
        what = f"the call id {shown(value)} has {len(value)} characters, not 1 to {longest}"
        yield problem("call-id-shape", f"{pointer}/{key}", what, says)


def _order(messages: Sequence[Json], target: Target) -> Iterator[Problem]:
    roles = [message.get("role") if isinstance(message, dict) else None for message in messages]
    if not target.late_system:
        begun = False
        for number, role in enumerate(roles):
            if role in _SYSTEM and begun:
                says = "System message must be at the beginning."
                what = f"{target.name} takes system messages only before all others"
                yield problem("misplaced-system", f"/messages/{number}", what, says)
            begun = begun or role not in _SYSTEM
    if roles and roles[-1] == "assistant" and not target.prefill:
        what = f"the history ends on the assistant, and {target.name} wants a user's turn last"
        yield problem("ends-on-assistant", f"/messages/{len(roles) - 1}", what)


def _pairs(messages: Sequence[Json]) -> Iterator[Problem]:
    """Only the tool messages right behind a message answer its calls."""
    open_calls: dict[str, tuple[str, str]] = {}
    answered: set[str] = set()
    ever: set[str] = set()
    for number, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        pointer = f"/messages/{number}"
        if role == "tool":
            call_id = text_of(message.get("tool_call_id"))
            if call_id is None:
                continue
            if call_id in open_calls:
                del open_calls[call_id]
                answered.add(call_id)
            elif call_id in answered:
                yield problem(
                    "duplicate-result", f"{pointer}/tool_call_id", f"a second result for call {shown(call_id)}"
                )
            else:
                says = (
                    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
                    "'tool_calls'."
                )
                what = f"a result for call {shown(call_id)}, which no message right before it holds"
                yield problem("result-without-call", f"{pointer}/tool_call_id", what, says)
            continue
        yield from _unanswered(open_calls)
        open_calls, answered = {}, set()
        calls = message.get("tool_calls") if role == "assistant" else None
        for index, call in enumerate(calls if isinstance(calls, list) else ()):
            call_id = text_of(call.get("id")) if isinstance(call, dict) else None
            if call_id is None:
                continue
            place = f"{pointer}/tool_calls/{index}/id"
            if call_id in open_calls:
                yield problem("duplicate-call-id", place, f"a second call {shown(call_id)} in one message")
            elif call_id in ever:
                yield problem("reused-call-id", place, f"call {shown(call_id)} has the id of an earlier call")
            ever.add(call_id)
            inner = call.get("function") or call.get("custom")
            open_calls[call_id] = (place, shown(inner.get("name")) if isinstance(inner, dict) else "")
    yield from _unanswered(open_calls)


def _unanswered(open_calls: dict[str, tuple[str, str]]) -> Iterator[Problem]:
    for call_id, (pointer, name) in open_calls.items():
        says = (
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The "
            f"following tool_call_ids did not have response messages: {call_id}"
        )
        yield problem(
            "call-without-result", pointer, f"call {shown(call_id)} ({name}) has no result right behind it", says
        )


def _undeclared(messages: Sequence[Json]) -> Iterator[Problem]:
    for number, message in enumerate(messages):
        if isinstance(message, dict) and (message.get("tool_calls") or message.get("role") == "tool"):
            what = "the history holds calls, and the request declares no tools"
            yield problem("tools-missing", f"/messages/{number}", what)
            return
