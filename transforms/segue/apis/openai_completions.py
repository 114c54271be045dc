"""Judge a request body of OpenAI Chat Completions (`POST /v1/chat/completions`) the way its server reads it.

Many hosts speak this api, each with keys of its own. What only some of them refuse is a warning, and so is an unknown
key where nobody knows that the host refuses it. With OpenAI itself roles may follow each other in any order.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.apis import _chat_history as history
from segue.apis import _chat_messages as chat
from segue.apis import _chat_vendors as vendors
from segue.apis import _openai_media as openai_media
from segue.apis import _openai_says as answers
from segue.apis import _openai_settings as settings
from segue.apis import _openai_tools as tools
from segue.apis._chat_messages import problem
from segue.apis._media import judged as judged_media
from segue.apis._openai_keys import CHAT_REQUEST, HOST_REQUEST
from segue.apis._openai_rules import COMPLETIONS as RULES
from segue.apis._openai_rules import COMPLETIONS_LEGAL as LEGAL
from segue.apis._openai_rules import COMPLETIONS_UNSEEN as UNSEEN
from segue.apis._walk import escaped, foreign_keys, shown, unsendable
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

__all__ = ["LEGAL", "RULES", "UNSEEN", "lint"]

_LARGEST_BODY = 536_870_912


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
    yield from history.judged(request, messages, target)
    yield from vendors.judged(request, messages, target)
    yield from judged_media(setting.media, target, problem, openai_media.SAYS, still=True)


def _request(request: dict[str, Json], setting: chat.Setting) -> Iterator[Problem]:
    for key in ("model", "messages"):
        if key not in request:
            yield problem("missing-key", "", f"the request needs the key '{key}'", answers.missing(key))
    for key in foreign_keys(request, CHAT_REQUEST):
        says = f"Unrecognized request argument supplied: {key}"
        if key in HOST_REQUEST:
            if not setting.target.strict_keys:
                continue
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
    yield from settings.judged(request, setting.target, problem, chat=True)
    if request.get("tools"):
        yield from _tools(request, setting.target)


def _tools(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    """Find tools that the model takes in OpenAI Responses only, at all or while it reasons."""
    doubt: Severity | None = None if target.known else "warning"
    elsewhere = "OpenAI Responses takes them: --api openai-responses"
    says = (
        f"Function tools with reasoning_effort are not supported for {target.model} in /v1/chat/completions. To use "
        "function tools, use /v1/responses"
    )
    if target.chat_tools == "never":
        what = f"{target.name} takes no tools in Chat Completions; {elsewhere}"
        yield problem("tools-refused", "/tools", what, f"{says}.", doubt)
        return
    effort = settings.effort_of(request, target, chat=True)
    if target.chat_tools == "without-effort" and effort != "none":
        asked = f"with the reasoning effort {shown(effort)}" if effort else "without the reasoning effort 'none'"
        what = f"{target.name} takes no tools in Chat Completions {asked}; {elsewhere}"
        pointer = "/reasoning_effort" if "reasoning_effort" in request else "/tools"
        # Nobody knows how a model reasons of which no default is told.
        yield problem("tools-with-reasoning", pointer, what, f"{says} or set reasoning_effort to 'none'.", doubt)


def _limit(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    for key in ("max_tokens", "max_completion_tokens"):
        value = request.get(key)
        if type(value) is int and target.max_output is not None and value > target.max_output:
            says = f"{key} is too large: {value}. This model supports at most {target.max_output} completion tokens."
            what = f"{key} is {value:,}, {target.name} writes {target.max_output:,} at most"
            yield problem("max-tokens", f"/{key}", what, says)
        elif value is not None and (type(value) is not int or value < 0):
            yield problem("wrong-type", f"/{key}", f"{key} is a whole number, this is {shown(value)}")
    for key in ("max_tokens", "max_completion_tokens"):
        if request.get(key) is not None and key not in target.output_keys:
            other = min(target.output_keys)
            says = f"Unsupported parameter: '{key}' is not supported with this model. Use '{other}' instead."
            severity: Severity | None = None if target.known else "warning"
            yield problem("max-tokens-key", f"/{key}", f"{target.name} takes {other}, not {key}", says, severity)
