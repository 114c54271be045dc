"""Judge a request body of OpenAI Chat Completions (`POST /v1/chat/completions`) the way its server reads it.

Many hosts speak this api, each with keys of its own. What only some of them refuse is a warning, and so is an unknown
key where the host takes reasoning back or nobody described it. Roles may follow each other in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.apis import _chat_messages as chat
from segue.apis import _openai_media as openai_media
from segue.apis import _openai_says as answers
from segue.apis import _openai_tools as tools
from segue.apis._chat_messages import problem
from segue.apis._media import judged as judged_media
from segue.apis._openai_keys import CHAT_REQUEST, HOST_REQUEST
from segue.apis._openai_rules import COMPLETIONS as RULES
from segue.apis._walk import escaped, foreign_keys, shown, text_of, unsendable
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

__all__ = ["RULES", "lint"]

_LARGEST_BODY = 536_870_912
_SYSTEM = ("system", "developer")


def lint(request: Json, target: Target) -> Iterator[Problem]:
    """Find what the server would refuse in a request body, or treat in a way that the user should know."""
    yield from unsendable(request, problem, _LARGEST_BODY)
    if not isinstance(request, dict):
        yield problem("wrong-type", "", f"a request is an object, this is {shown(request)}")
        return
    setting = chat.Setting(target)
    yield from _request(request, setting)
    yield from tools.judged(request, target, problem, chat=True)
    messages = request.get("messages")
    if not isinstance(messages, list):
        return
    for number, message in enumerate(messages):
        yield from chat.judged(message, f"/messages/{number}", setting)
    yield from _order(messages, target)
    yield from _pairs(messages)
    if target.declares_tools and not request.get("tools"):
        yield from _undeclared(messages)
    yield from judged_media(setting.media, target, problem, openai_media.SAYS)


def _request(request: dict[str, Json], setting: chat.Setting) -> Iterator[Problem]:
    for key in ("model", "messages"):
        if key not in request:
            yield problem("missing-key", "", f"the request needs the key '{key}'", answers.missing(key))
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
        model = setting.target.model
        says = f"Function tools with reasoning_effort are not supported for {model} in /v1/chat/completions."
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
    """Pair calls and results: only the tool messages right behind a message answer its calls."""
    waiting: list[tuple[str, str, str]] = []  # id, pointer, name
    answered: set[str] = set()
    ever: set[str] = set()
    for number, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        pointer = f"/messages/{number}"
        if role == "tool":
            call_id = text_of(message.get("tool_call_id"))
            call = next((call for call in waiting if call[0] == call_id), None)
            if call is not None:
                waiting.remove(call)
                answered.add(call[0])
            elif call_id is not None:
                yield _surplus(call_id, f"{pointer}/tool_call_id", call_id in answered)
            continue
        yield from _unanswered(waiting)
        waiting, answered = [], set()
        for index, call_id, name in _calls(message):
            place = f"{pointer}/tool_calls/{index}/id"
            if any(call_id == other for other, _, _ in waiting):
                yield problem("duplicate-call-id", place, f"a second call {shown(call_id)} in one message")
            elif call_id in ever:
                yield problem("reused-call-id", place, f"call {shown(call_id)} has the id of an earlier call")
            ever.add(call_id)
            waiting.append((call_id, place, name))
    yield from _unanswered(waiting)


def _calls(message: Json) -> Iterator[tuple[int, str, str]]:
    calls = message.get("tool_calls") if isinstance(message, dict) and message.get("role") == "assistant" else None
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        call_id = text_of(call.get("id")) if isinstance(call, dict) else None
        if call_id is not None:
            inner = call.get("function") or call.get("custom")
            yield index, call_id, shown(inner.get("name") if isinstance(inner, dict) else None)


def _surplus(call_id: str, pointer: str, is_answered: bool) -> Problem:
    if is_answered:
        return problem("duplicate-result", pointer, f"a second result for call {shown(call_id)}")
    says = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
    what = f"a result for call {shown(call_id)}, which no message right before it holds"
    return problem("result-without-call", pointer, what, says)


def _unanswered(waiting: Sequence[tuple[str, str, str]]) -> Iterator[Problem]:
    for call_id, pointer, name in waiting:
        says = (
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {call_id}"
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
