"""Judge a request body of Bedrock's Converse and ConverseStream the way its server reads it.

The body as it goes over HTTP is judged: bytes are base64 text there. The SDKs' keyword form, which names the model as
`modelId`, passes too. What a body does not tell, and so is not judged, stands in `_bedrock_rules.UNSEEN`.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.apis import _bedrock_blocks as blocks
from segue.apis import _bedrock_media as media
from segue.apis import _bedrock_pairs as pairs
from segue.apis import _bedrock_settings as settings
from segue.apis import _bedrock_tools as tools
from segue.apis._bedrock_keys import MESSAGE_KEYS, REQUEST_KEYS, ROLES
from segue.apis._bedrock_rules import LEGAL, RULES, UNSEEN, problem, refused, unknown_key
from segue.apis._walk import foreign_keys, shown, unsendable
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

__all__ = ["LEGAL", "RULES", "UNSEEN", "lint"]

_NO_LIMIT = 1 << 62  # no size of a whole body is documented: media have limits of their own, texts the window
_LONGEST_TOKEN = 16  # characters of a token, on the average of any text that is not made up
_NO_WORDS = frozenset({"bytes", "redactedContent", "signature"})


def lint(request: Json, target: Target) -> Iterator[Problem]:
    """Find what the server would refuse in a request body, or treat in a way that the user should know."""
    yield from unsendable(request, problem, _NO_LIMIT)
    if not isinstance(request, dict):
        yield problem("wrong-type", "", f"a request is an object, this is {shown(request)}")
        return
    messages = request.get("messages")
    listed = messages if isinstance(messages, list) else []
    turns = pairs.turns_of(listed)
    yield from _request(request, target)
    yield from settings.judged(request, turns, target)
    yield from tools.judged(request, turns, target)
    yield from _system(request.get("system"))
    found = media.Media()
    places = {role: blocks.Place(role, target, found) for role in ROLES}
    for number, message in enumerate(listed):
        yield from _message(message, f"/messages/{number}", places)
    yield from pairs.ordered(turns, target)
    yield from pairs.placed(turns, target)
    yield from pairs.paired(turns, target)
    if target.thinking == "signed":
        yield from pairs.altered(turns)
    yield from media.judged(found, target)
    yield from _length(request, target)


def _request(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    for key in foreign_keys(request, REQUEST_KEYS):
        yield unknown_key("a request", key, "")
    model = request.get("modelId")
    if model is not None and (not isinstance(model, str) or not model):
        yield problem("wrong-type", "/modelId", f"the modelId is a string, this is {shown(model)}")
    messages = request.get("messages")
    if messages is None:
        yield problem("missing-key", "", "the request needs the key 'messages'")
    elif not isinstance(messages, list):
        yield problem("wrong-type", "/messages", f"the messages are a list, this is {shown(messages)}")
    elif not messages:
        says = (
            "A conversation must start with a user message. Try again with a conversation that starts with a user "
            "message."
        )
        yield problem("empty-messages", "/messages", "there is no message", says)


def _system(system: Json) -> Iterator[Problem]:
    if isinstance(system, list):
        for index, block in enumerate(system):
            yield from blocks.system(block, f"/system/{index}")
    elif system is not None:
        yield problem("wrong-type", "/system", f"the system prompt is a list of blocks, this is {shown(system)}")


def _message(message: Json, pointer: str, places: dict[str, blocks.Place]) -> Iterator[Problem]:
    if not isinstance(message, dict):
        yield problem("wrong-type", pointer, f"a message is an object, this is {shown(message)}")
        return
    role, content = message.get("role"), message.get("content")
    for key in foreign_keys(message, MESSAGE_KEYS):
        yield unknown_key("a message", key, pointer)
    place = places.get(role) if isinstance(role, str) else None
    if place is None:
        says = refused(role, f"{pointer}/role", "enum value set: [user, assistant]")
        yield problem("unknown-role", f"{pointer}/role", f"the role {shown(role)} is none of this api's", says)
        return
    if not isinstance(content, list):
        what = f"the content of a message is a list of blocks, this is {shown(content)}"
        yield problem("wrong-type", f"{pointer}/content", what)
    elif not content:
        says = (
            f"The content field in the Message object at {pointer[1:].replace('/', '.')} is empty. Add a ContentBlock "
            "object to the content field and try again."
        )
        yield problem("empty-content", f"{pointer}/content", "a message without content", says)
    else:
        for index, block in enumerate(content):
            yield from blocks.judged(block, f"{pointer}/content/{index}", place)


def _length(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    """Find texts that are longer than the window can be, however they are counted."""
    if target.context_window is None:
        return
    size = 0
    rest: list[Json] = [request.get("system"), request.get("messages"), request.get("toolConfig")]
    while rest:
        value = rest.pop()
        if isinstance(value, str):
            size += len(value)
        elif isinstance(value, list):
            rest.extend(value)
        elif isinstance(value, dict):
            rest.extend(part for key, part in value.items() if key not in _NO_WORDS)
    if size > target.context_window * _LONGEST_TOKEN:
        what = f"{size:,} characters of text, more than a window of {target.context_window:,} tokens holds"
        yield problem("body-too-large", "", what, "input is too long for requested model")
