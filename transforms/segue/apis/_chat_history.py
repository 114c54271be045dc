"""Judge the order of messages of Chat Completions, and which result answers which call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from segue.apis._chat_messages import problem
from segue.apis._walk import bare, shown, text_of
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

_SYSTEM = ("system", "developer")


def judged(request: dict[str, Json], messages: Sequence[Json], target: Target) -> Iterator[Problem]:
    """Judge the messages of a request as a whole."""
    yield from _order(messages, target)
    yield from _pairs(messages)
    if target.declares_tools and not request.get("tools"):
        yield from _undeclared(messages)


def _order(messages: Sequence[Json], target: Target) -> Iterator[Problem]:
    roles = [message.get("role") if isinstance(message, dict) else None for message in messages]
    begun = False
    for number, role in enumerate(roles):
        pointer = f"/messages/{number}"
        before = roles[number - 1] if number else None
        if role in _SYSTEM and begun and not target.late_system:
            says = "System message must be at the beginning."
            what = f"{target.name} takes system messages only before all others"
            yield problem("misplaced-system", pointer, what, says)
        elif role == before and role in ("user", "assistant") and target.alternates:
            says = "Conversation roles must alternate user/assistant/user/assistant/..."
            what = f"two messages of the role '{role}' follow each other, which templates of {target.name} refuse"
            yield problem("consecutive-role", pointer, what, says)
        elif role == "user" and before == "tool" and not target.user_after_results:
            says = "Unexpected role 'user' after role 'tool'"
            what = f"a user's message stands right behind a result, which {target.name} does not take"
            doubt: Severity | None = None if target.known else "warning"
            yield problem("user-after-result", pointer, what, says, doubt)
        begun = begun or role not in _SYSTEM
    if roles and roles[-1] == "assistant" and not target.prefill:
        what = f"the history ends on the assistant, and {target.name} wants a user's turn last"
        yield problem("ends-on-assistant", f"/messages/{len(roles) - 1}", what)


@dataclass(slots=True)
class _Open:
    """The calls of one message that wait for their results: by id the places and names, first come first served."""

    waiting: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)


def _pairs(messages: Sequence[Json]) -> Iterator[Problem]:
    """Pair calls and results: only the tool messages right behind a message answer its calls."""
    open_calls = _Open()
    ever: set[str] = set()
    for number, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        pointer = f"/messages/{number}"
        if role == "tool":
            yield from _result(text_of(message.get("tool_call_id")), f"{pointer}/tool_call_id", open_calls)
            continue
        yield from _unanswered(open_calls)
        open_calls = _Open()
        for index, call_id, name in _calls(message):
            place = f"{pointer}/tool_calls/{index}/id"
            same = open_calls.waiting.setdefault(call_id, [])
            if same:
                yield problem("duplicate-call-id", place, f"a second call {shown(call_id)} in one message")
            elif call_id in ever:
                yield problem("reused-call-id", place, f"call {shown(call_id)} has the id of an earlier call")
            same.append((place, name))
            ever.add(call_id)
    yield from _unanswered(open_calls)


def _calls(message: Json) -> Iterator[tuple[int, str, str]]:
    calls = message.get("tool_calls") if isinstance(message, dict) and message.get("role") == "assistant" else None
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        call_id = text_of(call.get("id")) if isinstance(call, dict) else None
        if call_id is not None:
            inner = call.get("function") or call.get("custom")
            yield index, call_id, bare(inner.get("name") if isinstance(inner, dict) else None)


def _result(call_id: str | None, pointer: str, open_calls: _Open) -> Iterator[Problem]:
    if call_id is None:
        return
    if waiting := open_calls.waiting.get(call_id):
        waiting.pop(0)
        open_calls.answered.add(call_id)
    elif call_id in open_calls.answered:
        yield problem("duplicate-result", pointer, f"a second result for call {shown(call_id)}")
    else:
        says = (
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        )
        what = f"a result for call {shown(call_id)}, which no message right before it holds"
        yield problem("result-without-call", pointer, what, says)


def _unanswered(open_calls: _Open) -> Iterator[Problem]:
    left: Iterable[tuple[str, str, str]] = (
        (call_id, place, name) for call_id, places in open_calls.waiting.items() for place, name in places
    )
    for call_id, pointer, name in left:
        says = (
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {call_id}"
        )
        what = f"call {shown(call_id)} ({name}) has no result right behind it"
        yield problem("call-without-result", pointer, what, says)


def _undeclared(messages: Sequence[Json]) -> Iterator[Problem]:
    for number, message in enumerate(messages):
        if isinstance(message, dict) and (message.get("tool_calls") or message.get("role") == "tool"):
            what = "the history holds calls, and the request declares no tools"
            yield problem("tools-missing", f"/messages/{number}", what)
            return
