"""Judge what vendors of Chat Completions ask for in their own way: reasoning given back, texts as plain strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.apis._chat_messages import problem
from segue.apis._walk import shown
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target


def judged(request: dict[str, Json], messages: Sequence[Json], target: Target) -> Iterator[Problem]:
    """Judge a request by what its host's fields of Target say."""
    if target.required_thinking != "none" and not _is_thinking_off(request):
        yield from _reasoning_missing(request, messages, target)
        yield from _forced(request, target)
    if request.get("thinking") is not None and request.get("reasoning_effort") is not None:
        says = "cannot specify both 'thinking' and 'reasoning_effort'"
        yield problem("two-thinking-switches", "/thinking", "both 'thinking' and 'reasoning_effort' are set", says)
    if not target.text_parts:
        yield from _plain_texts(messages, target)


def _is_thinking_off(request: dict[str, Json]) -> bool:
    thinking, template = request.get("thinking"), request.get("chat_template_kwargs")
    return (
        (isinstance(thinking, dict) and thinking.get("type") == "disabled")
        or request.get("enable_thinking") is False
        or request.get("reasoning_effort") == "none"
        or (isinstance(template, dict) and any(template.get(key) is False for key in ("thinking", "enable_thinking")))
    )


def _reasoning_missing(request: dict[str, Json], messages: Sequence[Json], target: Target) -> Iterator[Problem]:
    """Find answers without the reasoning field that the host wants back.

    Where all answers have to bring it, the server was only seen to refuse calls behind the last user's message.
    """
    roles = [message.get("role") if isinstance(message, dict) else None for message in messages]
    last_user = max((number for number, role in enumerate(roles) if role == "user"), default=-1)
    everywhere = target.required_thinking == "all"
    for number, message in enumerate(messages):
        if roles[number] != "assistant":
            continue
        brought = message.get(target.thinking_field)
        # Where an empty field does not do, the server takes it for none.
        if isinstance(brought, list) or (isinstance(brought, str) and (brought or not target.thinking_filler)):
            continue
        calls = bool(message.get("tool_calls"))
        if not calls and not everywhere:
            continue
        says = "The `reasoning_content` in the thinking mode must be passed back to the API."
        if not everywhere:
            says = (
                f"thinking is enabled but reasoning_content is missing in assistant tool call message at index {number}"
            )
        is_looked_for = not everywhere or (number > last_user and bool(request.get("tools")))
        sure = target.known and calls and brought is None and is_looked_for
        kind = "an answer with calls" if calls else "an answer"
        what = f"{kind} without '{target.thinking_field}', which {target.name} wants back while it thinks"
        what += f"; {target.thinking_filler!r} will do"
        yield problem("reasoning-missing", f"/messages/{number}", what, says, None if sure else "warning")


def _forced(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    choice = request.get("tool_choice")
    if choice == "required" or isinstance(choice, dict):
        what = f"the tool choice {shown(choice)} forces a call, which {target.name} does not take while it thinks"
        severity: Severity | None = None if target.known else "warning"
        yield problem(
            "forced-tool-choice", "/tool_choice", what, "Thinking mode does not support this tool_choice", severity
        )


def _plain_texts(messages: Sequence[Json], target: Target) -> Iterator[Problem]:
    """Find texts in parts, and no text at all, where many hosts want a string; a user's message may hold images."""
    has_user = False
    for number, message in enumerate(messages):
        if not isinstance(message, dict):
            continue
        role, pointer = message.get("role"), f"/messages/{number}"
        has_user = has_user or role == "user"
        if role != "user" and isinstance(message.get("content"), list):
            what = (
                f"the content of a message of the role {shown(role)} is a list of parts, where many hosts want a text"
            )
            yield problem("content-not-text", f"{pointer}/content", what)
        elif role == "assistant" and message.get("content") is None and message.get("tool_calls"):
            what = f"an answer without content beside its calls; {target.name} may want an empty text"
            says = "Invalid request content: Each message must have at least one content element."
            yield problem("null-content", pointer, what, says)
    if messages and not has_user:
        what = "no message is the user's, and some hosts want one"
        says = "The messages parameter is illegal. Please check the documentation."
        yield problem("no-user-message", "/messages", what, says)
