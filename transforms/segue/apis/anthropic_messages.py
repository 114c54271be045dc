"""Judge a request body of Anthropic Messages (`POST /v1/messages`) the way its server reads it.

Neighbours of one role are one turn there, whatever its clones say, so two user messages in a row are no problem.
What a body does not tell, and so is not judged, stands in `_anthropic_rules.UNSEEN`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.apis import _anthropic_blocks as blocks
from segue.apis import _anthropic_settings as settings
from segue.apis import _anthropic_thinking as thinking
from segue.apis import _anthropic_tools as tools
from segue.apis._anthropic_keys import (
    MESSAGE_KEYS,
    REQUEST_KEYS,
    SERVER_CALLS,
    SERVER_RESULTS,
    SYSTEM_MESSAGE_KEYS,
)
from segue.apis._anthropic_marks import cache_marks
from segue.apis._anthropic_pairs import Turn, paired, server_payloads, turns_of
from segue.apis._anthropic_rules import LEGAL, RULES, UNSEEN, problem
from segue.apis._media import Medium
from segue.apis._media import judged as judged_media
from segue.apis._walk import escaped, foreign_keys, is_blank, shown, unsendable
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

__all__ = ["LEGAL", "RULES", "UNSEEN", "lint"]

_LARGEST_BODY = 33_554_432
_LARGEST_IMAGE = 10_485_760  # on Anthropic's own api; clouds and clones take what the target says
_MOST_MESSAGES = 100_000
_SAYS = {
    "media-type": "{path}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    "image-type": "{path}: The image was specified using the {declared} media type, "
    "but the image appears to be a {found} image",
    "image-unreadable": "Could not process image",
    "image-too-large": "{path}: image exceeds {megabytes} MB maximum: {size} bytes > {limit} bytes",
    "image-dimensions": "{path}.data: At least one of the image dimensions exceed max allowed size: {longest} pixels",
    "document-pages": "A maximum of {limit} PDF pages may be provided.",
    "many-dimensions": "{path}.data: At least one of the image dimensions exceed max allowed size "
    "for many-image requests: {longest} pixels",
}


def lint(request: Json, target: Target) -> Iterator[Problem]:
    """Find what the server would refuse in a request body, or treat in a way that the user should know."""
    yield from unsendable(request, problem, _LARGEST_BODY)
    if not isinstance(request, dict):
        yield problem("wrong-type", "", f"a request is an object, this is {shown(request)}")
        return
    yield from _request(request, target)
    yield from settings.judged(request, target)
    messages = request.get("messages")
    turns = turns_of(messages) if isinstance(messages, list) else []
    yield from tools.judged(request, turns, target)
    media: list[Medium] = []
    places = {role: blocks.Place(role, target, media) for role in ("user", "assistant", "system")}
    yield from _system(request.get("system"), places["system"])
    if not isinstance(messages, list):
        return
    for number, message in enumerate(messages):
        yield from _message(message, f"/messages/{number}", places)
    yield from _order(messages, turns, target)
    yield from paired(turns)
    declared = request.get("tools")
    yield from server_payloads(turns, declared if isinstance(declared, list) else [], request.get("container"))
    yield from thinking.judged(request, turns)
    yield from _compaction(turns)
    yield from cache_marks(request, target)
    yield from judged_media(media, target, problem, _SAYS, sure_size=_LARGEST_IMAGE, exact_types=True)


def _request(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    # Clouds have the model in the address and say so by a version of the api in the body.
    for key in ("max_tokens", "messages") if "anthropic_version" in request else ("model", "max_tokens", "messages"):
        if key not in request:
            yield problem("missing-key", "", f"the request needs the key '{key}'", f"{key}: Field required")
    for key in foreign_keys(request, REQUEST_KEYS):
        says = f"{key}: Extra inputs are not permitted"
        yield problem("unknown-key", f"/{escaped(key)}", f"a request knows no key {shown(key)}", says)
    messages = request.get("messages", ...)
    if not isinstance(messages, list):
        if messages is not ...:
            says = "messages: Input should be a valid list"
            yield problem("wrong-type", "/messages", f"the messages are a list, this is {shown(messages)}", says)
    elif not messages:
        yield problem(
            "empty-messages", "/messages", "there is no message", "messages: at least one message is required"
        )
    elif len(messages) > _MOST_MESSAGES:
        what = f"{len(messages):,} messages, more than {_MOST_MESSAGES:,}"
        yield problem("too-many-messages", f"/messages/{_MOST_MESSAGES}", what)
    yield from _limit(request, target)


def _limit(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    value = request.get("max_tokens", 0)
    if type(value) is not int or value < 0:
        says = "max_tokens: Input should be greater than or equal to 0"
        yield problem(
            "wrong-type", "/max_tokens", f"max_tokens is a whole number from 0 on, this is {shown(value)}", says
        )
        return
    most = target.max_output or target.context_window
    if most is not None and value > most:
        says = f"max_tokens: {value} > {most}, which is the maximum allowed number of output tokens for {target.model}"
        yield problem(
            "max-tokens", "/max_tokens", f"max_tokens is {value:,}, {target.name} writes {most:,} at most", says
        )


def _system(system: Json, place: blocks.Place) -> Iterator[Problem]:
    if isinstance(system, list):
        for index, block in enumerate(system):
            pointer = f"/system/{index}"
            if isinstance(block, dict) and block.get("type") not in (None, "text"):
                what = f"a block of type {shown(block.get('type'))} in the system prompt, which is text"
                yield problem("block-in-wrong-role", pointer, what, f"system.{index}.type: Input should be 'text'")
            else:
                yield from blocks.judged(block, pointer, place)
    elif system is not None and not isinstance(system, str):
        says = "system: Input should be a valid list"
        yield problem("wrong-type", "/system", f"the system prompt is a text or a list, this is {shown(system)}", says)


def _message(message: Json, pointer: str, places: dict[str, blocks.Place]) -> Iterator[Problem]:
    path = pointer[1:].replace("/", ".")
    if not isinstance(message, dict):
        says = f"{path}: Input should be a valid dictionary"
        yield problem("wrong-type", pointer, f"a message is an object, this is {shown(message)}", says)
        return
    role, content = message.get("role"), message.get("content")
    for key in foreign_keys(message, SYSTEM_MESSAGE_KEYS if role == "system" else MESSAGE_KEYS):
        says = f"{path}.{key}: Extra inputs are not permitted"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", f"a message knows no key {shown(key)}", says)
    place = places.get(role) if isinstance(role, str) else None
    if place is None:
        says = f"{path}.role: Input should be 'user' or 'assistant'"
        yield problem("unknown-role", f"{pointer}/role", f"the role {shown(role)} is none of this api's", says)
        return
    if isinstance(content, list):
        for index, block in enumerate(content):
            yield from blocks.judged(block, f"{pointer}/content/{index}", place)
    elif not isinstance(content, str):
        # A system message may hold nothing but settings.
        if content is not None or role != "system":
            says = f"{path}.content: Input should be a valid list"
            what = f"the content of a message is a text or a list of blocks, this is {shown(content)}"
            yield problem("wrong-type", f"{pointer}/content", what, says)
    elif not content:
        if role == "user":
            says = f"{path}: user messages must have non-empty content"
            yield problem(
                "empty-content", f"{pointer}/content", "the content of a user's message is an empty text", says
            )
    elif is_blank(content) and not place.target.blank_text:
        yield blocks.blank(content, f"{pointer}/content")


def _order(messages: Sequence[Json], turns: Sequence[Turn], target: Target) -> Iterator[Problem]:
    if not turns:
        return
    first = turns[0]
    # A conversation that the server compacted goes on from its own block.
    compacted = bool(first.blocks) and first.blocks[0][1].get("type") == "compaction"
    if first.role in ("assistant", "system") and not compacted:
        says = 'messages: first message must use the "user" role'
        yield problem("first-not-user", "/messages/0/role", f"the first message is of the role '{first.role}'", says)
    for index, turn in enumerate(turns):
        if turn.role == "system" and (index or target.late_system is False):
            yield from _late_system(turn, turns[index - 1] if index else None, turns[index + 1 : index + 2], target)
    if turns[-1].role == "assistant":
        yield from _ending(turns[-1], target)


def _late_system(turn: Turn, before: Turn | None, after: Sequence[Turn], target: Target) -> Iterator[Problem]:
    pointer = f"/messages/{turn.messages[0]}"
    if not target.late_system:
        says = "role 'system' is not supported on this model"
        yield problem("misplaced-system", pointer, f"{target.name} takes no system message among the others", says)
    elif target.system_placement:
        on_server = before is not None and before.last_type in SERVER_CALLS | SERVER_RESULTS
        if before is None or not (before.role == "user" or on_server):
            what = "a system message stands behind an assistant's turn, not behind a user's"
            yield problem("misplaced-system", pointer, what)
        elif after and after[0].role != "assistant":
            what = "a system message is neither the last one nor followed by an assistant's turn"
            yield problem("misplaced-system", pointer, what)


def _ending(turn: Turn, target: Target) -> Iterator[Problem]:
    """Judge an assistant's turn at the end. What the server itself paused is sent back as it is."""
    number = turn.messages[-1]
    kind = turn.last_type
    if kind in SERVER_CALLS | SERVER_RESULTS or kind == "compaction":
        return
    if kind in ("thinking", "redacted_thinking"):
        says = f"messages.{number}: The final block in an assistant message cannot be `thinking`."
        yield problem("ends-on-assistant", f"/messages/{number}", "the history ends on the assistant's thinking", says)
    elif not target.prefill:
        says = "This model does not support assistant message prefill. The conversation must end with a user message."
        what = f"the history ends on the assistant, and {target.name} wants a user's turn last"
        yield problem("ends-on-assistant", f"/messages/{number}", what, says)
    elif turn.blocks and str(turn.blocks[-1][1].get("text", ""))[-1:].isspace():
        says = "messages: final assistant content cannot end with trailing whitespace"
        what = "the history ends on an assistant's text with white space at its end"
        yield problem("ends-on-assistant", f"/messages/{number}", what, says)


def _compaction(turns: Sequence[Turn]) -> Iterator[Problem]:
    full = 0
    for index, turn in enumerate(turns):
        for position, (pointer, block) in enumerate(turn.blocks):
            if block.get("type") != "compaction":
                continue
            if turn.role == "system":
                yield problem(
                    "compaction-block", pointer, "a compaction block in a system message", "compaction_block_misplaced"
                )
            elif block.get("content") is not None:
                full += 1
                if full > 1:
                    what = "a second compaction block with content"
                    yield problem("compaction-block", pointer, what, "compaction_block_ambiguous")
                elif index or position:
                    what = "a compaction block that is not the conversation's first"
                    yield problem("compaction-block", pointer, what, "compaction_block_misplaced")
