"""Judge a request body of Mistral's chat completions (`POST /v1/chat/completions`) the way its server reads it.

What its validator refuses for every model is an error. Where generations of models differ, the target's data decide;
what no data tell stands in `_mistral_rules.UNSEEN`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise

from segue.apis import _mistral_messages as chat
from segue.apis._media import judged as judged_media
from segue.apis._mistral_keys import CHOICE_KEYS, CHOICES, FUNCTION_KEYS, REQUEST_KEYS, TOOL_KEYS
from segue.apis._mistral_rules import LEGAL, RULES, UNSEEN, extra_key, invalid, missing, problem
from segue.apis._walk import escaped, foreign_keys, shown, text_of, unsendable
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

__all__ = ["LEGAL", "RULES", "UNSEEN", "lint"]

_MOST_TOOLS = 128
_COUNT = "Not the same number of function calls and responses"
_SAYS = {
    "media-type": "Image, '{path}', could not be loaded as a valid image.",
    "image-type": "Image, '{path}', could not be loaded as a valid image.",
    "image-unreadable": "Image, '{path}', could not be loaded as a valid image.",
    "image-too-large": "Image, '{path}', is larger than {limit} bytes of base64.",
}


def lint(request: Json, target: Target) -> Iterator[Problem]:
    """Find what the server would refuse in a request body, or treat in a way that the user should know."""
    yield from unsendable(request, problem, sys.maxsize)  # no limit of the whole body is told
    if not isinstance(request, dict):
        yield problem("wrong-type", "", f"a request is an object, this is {shown(request)}", invalid("", "dict"))
        return
    yield from _request(request, target)
    yield from _tools(request)
    messages = request.get("messages")
    if not isinstance(messages, list):
        return
    setting = chat.Setting(target)
    for number, message in enumerate(messages):
        yield from chat.judged(message, f"/messages/{number}", setting, number == len(messages) - 1)
    yield from _order(messages, target)
    yield from _pairs(messages)
    yield from judged_media(setting.media, target, problem, _SAYS)


def _request(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    for key in ("model", "messages"):
        if key not in request:
            yield problem("missing-key", "", f"the request needs the key '{key}'", missing("", key))
    for key in foreign_keys(request, REQUEST_KEYS):
        yield problem("unknown-key", f"/{escaped(key)}", f"a request knows no key {shown(key)}", extra_key("", key))
    messages = request.get("messages", ...)
    if messages == []:
        yield problem(
            "empty-messages", "/messages", "there is no message", "Conversation must have at least one message"
        )
    elif messages is not ... and not isinstance(messages, list):
        what = f"the messages are a list, this is {shown(messages)}"
        yield problem("wrong-type", "/messages", what, invalid("/messages", "list"))
    limit = request.get("max_tokens")
    if limit is not None and (type(limit) is not int or limit < 0):
        what = f"max_tokens is a whole number, this is {shown(limit)}"
        yield problem("wrong-type", "/max_tokens", what, invalid("/max_tokens", "integer"))
    yield from _effort(request.get("reasoning_effort"), target)


def _effort(effort: Json, target: Target) -> Iterator[Problem]:
    if effort is None:
        return
    if not isinstance(effort, str):
        what = f"the effort is a string, this is {shown(effort)}"
        yield problem("wrong-type", "/reasoning_effort", what, invalid("/reasoning_effort", "string"))
    elif target.thinking == "none" or (target.efforts and effort not in target.efforts):
        what = f"the reasoning effort {shown(effort)}, and {target.name} does not reason"
        if target.thinking != "none":
            what = f"the reasoning effort {shown(effort)}; {target.name} takes {', '.join(sorted(target.efforts))}"
        says = f"reasoning_effort='{effort[:40]}' is not supported for this model"
        yield problem("effort", "/reasoning_effort", what, says, None if target.known else "warning")


def _tools(request: dict[str, Json]) -> Iterator[Problem]:
    tools = request.get("tools")
    if tools is not None and not isinstance(tools, list):
        yield problem(
            "wrong-type", "/tools", f"the tools are a list, this is {shown(tools)}", invalid("/tools", "list")
        )
    elif tools and len(tools) > _MOST_TOOLS:
        what = f"{len(tools)} tools, more than {_MOST_TOOLS}"
        yield problem("too-many-tools", f"/tools/{_MOST_TOOLS}", what)
    for index, tool in enumerate(tools if isinstance(tools, list) else ()):
        yield from _tool(tool, f"/tools/{index}")
    choice = request.get("tool_choice")
    if isinstance(choice, dict):
        for key in foreign_keys(choice, CHOICE_KEYS):
            what = f"a tool choice knows no key {shown(key)}"
            yield problem("unknown-key", f"/tool_choice/{escaped(key)}", what, extra_key("/tool_choice", key))
    elif choice is not None and choice not in CHOICES:
        what = f"a tool choice is one of {', '.join(CHOICES)}, or an object, this is {shown(choice)}"
        yield problem("wrong-type", "/tool_choice", what, invalid("/tool_choice", "enum"))


def _tool(tool: Json, pointer: str) -> Iterator[Problem]:
    if not isinstance(tool, dict):
        yield problem("wrong-type", pointer, f"a tool is an object, this is {shown(tool)}", invalid(pointer, "dict"))
        return
    if tool.get("type", "function") != "function":
        return  # the server's own
    for key in foreign_keys(tool, TOOL_KEYS):
        says = extra_key(pointer, key)
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", f"a tool knows no key {shown(key)}", says)
    function, place = tool.get("function"), f"{pointer}/function"
    if function is None:
        yield problem("missing-key", pointer, "a tool without its function", missing(pointer, "function"))
        return
    if not isinstance(function, dict):
        yield problem(
            "wrong-type", place, f"a function is an object, this is {shown(function)}", invalid(place, "dict")
        )
        return
    for key in foreign_keys(function, FUNCTION_KEYS):
        what = f"a function knows no key {shown(key)}"
        yield problem("unknown-key", f"{place}/{escaped(key)}", what, extra_key(place, key))
    for key in ("name", "parameters"):
        if key not in function:
            what = f"the function {shown(function.get('name'))} needs the key '{key}'"
            yield problem("missing-key", place, what, missing(place, key))
    if "name" in function:
        yield from chat.name(function["name"], f"{place}/name")
    if not isinstance(function.get("parameters", {}), dict):
        what = (
            f"the parameters of {shown(function.get('name'))} are {shown(function['parameters'])}, not a schema object"
        )
        yield problem("tool-schema", f"{place}/parameters", what, invalid(f"{place}/parameters", "dict"))


def _order(messages: Sequence[Json], target: Target) -> Iterator[Problem]:
    roles = [message.get("role") if isinstance(message, dict) else None for message in messages]
    if len(roles) == 1 and roles[0] in ("assistant", "tool"):
        says = "Conversation must start with a user message or system message"
        yield problem("first-not-user", "/messages/0/role", f"the only message is of the role '{roles[0]}'", says)
    for number, (before, role) in enumerate(pairwise(roles), 1):
        says = f"Unexpected role '{role}' after role '{before}'"
        if role == "system" and before in ("assistant", "tool"):
            what = f"a system message right behind one of the role '{before}'"
            yield problem("misplaced-system", f"/messages/{number}", what, says)
        elif role == "user" and before == "tool" and not target.user_after_results:
            what = f"the user speaks right behind a tool, and {target.name} wants an assistant's word between"
            severity: Severity | None = None if target.known else "warning"
            yield problem("user-after-results", f"/messages/{number}", what, says, severity)
    if len(roles) < 2:
        return
    last, place = messages[-1], f"/messages/{len(roles) - 1}"
    says = f"Expected last role User or Tool (or Assistant with prefix True) for serving but got {roles[-1]}"
    if roles[-1] == "assistant" and last.get("prefix") is not True:
        what = f"the history ends on the assistant, and {target.name} wants a user's turn last, or a prefix"
        yield problem("ends-on-assistant", place, what, says)
    elif roles[-1] == "system":
        yield problem("ends-on-system", place, "the history ends on a system message", says)


def _pairs(messages: Sequence[Json]) -> Iterator[Problem]:
    """Pair calls and results: only the tool messages right behind a message answer its calls."""
    waiting: dict[str, tuple[str, str]] = {}  # by id: pointer, name
    answered: set[str] = set()
    ever: set[str] = set()
    for number, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        pointer = f"/messages/{number}"
        if role == "tool":
            call_id = text_of(message.get("tool_call_id"))
            if call_id in waiting:
                del waiting[call_id]
                answered.add(call_id)
            elif call_id is not None:
                yield _surplus(call_id, f"{pointer}/tool_call_id", call_id in answered)
            continue
        yield from _unanswered(waiting)
        waiting, answered = {}, set()
        for index, call_id, name in _calls(message):
            place = f"{pointer}/tool_calls/{index}/id"
            if call_id in waiting:
                says = f"Duplicate tool call id {call_id[:80]} in assistant message"
                yield problem("duplicate-call-id", place, f"a second call {shown(call_id)} in one message", says)
            elif call_id in ever:
                yield problem("reused-call-id", place, f"call {shown(call_id)} has the id of an earlier call")
            ever.add(call_id)
            waiting[call_id] = place, name
    yield from _unanswered(waiting)


def _calls(message: Json) -> Iterator[tuple[int, str, str]]:
    calls = message.get("tool_calls") if isinstance(message, dict) and message.get("role") == "assistant" else None
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        call_id = text_of(call.get("id")) if isinstance(call, dict) else None
        if call_id is not None:
            function = call.get("function")
            yield index, call_id, shown(function.get("name") if isinstance(function, dict) else None)


def _surplus(call_id: str, pointer: str, is_answered: bool) -> Problem:
    if is_answered:
        says = f"Duplicate tool call id {call_id[:80]} in tool results"
        return problem("duplicate-result", pointer, f"a second result for call {shown(call_id)}", says)
    says = f"Unexpected tool call id {call_id[:80]} in tool results"
    what = f"a result for call {shown(call_id)}, which no message right before it holds"
    return problem("result-without-call", pointer, what, says)


def _unanswered(waiting: dict[str, tuple[str, str]]) -> Iterator[Problem]:
    for call_id, (pointer, name) in waiting.items():
        what = f"call {shown(call_id)} ({name}) has no result right behind it"
        yield problem("call-without-result", pointer, what, _COUNT)
