"""The dialect of pi, written: how messages and blocks are spelled, for `pi-messages` and `pi` sessions alike.

What was read from the dialect (`own`) keeps what its `raw` has beside our fields, in the order of its keys; a
key is touched only if its meaning changed. What comes from elsewhere has the known keys only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from segue.changes import Change, downgraded, dropped, media_left_out
from segue.formats._pi import ROLES, string
from segue.formats._pi_agent import is_agent_message, respelled
from segue.model import Block, Json, Media, Message, Opaque, Raw, Text, Thinking, Tool, ToolCall, ToolResult

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECONDS_BELOW = 100_000_000_000  # a smaller number counts seconds, a larger one milliseconds (of 1973 and later)

_CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "MAX_TOKENS"})


def write_message(message: Message, own: bool) -> Iterator[dict[str, Any] | Change]:
    """Spell a message as pi messages: each of its results is one, they come first, then the rest."""
    results = [block for block in message.blocks if isinstance(block, ToolResult)]
    rest = [block for block in message.blocks if not isinstance(block, ToolResult)]
    for result in results:
        yield from _result(result, message, own)
    if message.role == "tool":
        yield from (_without_shape(block, message) for block in rest)
    elif (rest or not results) and "compaction-boundary" not in message.marks:
        yield from _turn(message, rest, own)


def plain(message: Message) -> Message:
    """Take words of the agent as what they are to a model, a user's message without a kind of its own."""
    return replace(message, raw=None) if message.raw is not None and is_agent_message(message.raw) else message


def write_content(blocks: Iterable[Block], message: Message, own: bool) -> Iterator[dict[str, Any] | Change]:
    """Spell blocks; what pi has no shape for is yielded as a Change."""
    for block in blocks:
        raw = block.raw if own else None
        if isinstance(block, Text):
            yield _laid(raw, "text", {"text": block.text}, {"textSignature": block.signature})
        elif isinstance(block, Thinking):
            marks = {"thinkingSignature": block.signature, "redacted": block.redacted}
            yield _laid(raw, "thinking", {"thinking": block.text}, marks)
        elif isinstance(block, ToolCall):
            fields = {"id": block.id, "name": block.name, "arguments": block.arguments}
            yield _laid(raw, "toolCall", fields, {"thoughtSignature": block.signature})
        elif isinstance(block, Media) and block.kind == "image" and block.data is not None:
            yield _laid(raw, "image", {"data": block.data, "mimeType": block.media_type}, {})
        elif isinstance(block, Media):
            text = media_left_out(block, "pi holds images only, as base64")
            yield {"type": "text", "text": text}
            what = f"{block.kind} to placeholder: pi holds images only, as base64"
            yield downgraded("unsupported-media", what, message, block, after=text)
        elif isinstance(block, Opaque) and raw is not None:
            yield dict(raw)
        else:
            yield _without_shape(block, message)


def write_tools(tools: Iterable[Tool], own: bool) -> list[dict[str, Any]]:
    """Spell tool declarations."""
    return [
        dict(tool.raw if own and tool.raw else {})
        | {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        for tool in tools
    ]


def separated(spelled: Iterable[dict[str, Any] | Change]) -> tuple[list[dict[str, Any]], list[Change]]:
    """Part what was spelled from what was told."""
    values: list[dict[str, Any]] = []
    changes: list[Change] = []
    for item in spelled:
        if isinstance(item, Change):
            changes.append(item)
        else:
            values.append(item)
    return values, changes


def milliseconds(time: Json) -> int | None:
    """Read a time as milliseconds since 1970: ISO text, seconds or milliseconds; None if it is none of these.

    >>> milliseconds("2026-01-02T03:04:05.678Z"), milliseconds(1767323045), milliseconds("yesterday")
    (1767323045678, 1767323045000, None)
    """
    if isinstance(time, str):
        try:
            moment = datetime.fromisoformat(time)
            aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return (aware - EPOCH) // timedelta(milliseconds=1)
        except (ValueError, OverflowError):
            return None
    if isinstance(time, bool) or not isinstance(time, (int, float)) or not 0 <= time < SECONDS_BELOW * 1000:
        return None
    return int(time * 1000) if time < SECONDS_BELOW else int(time)


def iso_time(time: int) -> str:
    """Write milliseconds since 1970 as pi does.

    >>> iso_time(1767323045678)
    '2026-01-02T03:04:05.678Z'
    """
    return (EPOCH + timedelta(milliseconds=time)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _result(block: ToolResult, message: Message, own: bool) -> Iterator[dict[str, Any] | Change]:
    raw = block.raw if own and block.raw is not None and block.raw.get("role") == "toolResult" else None
    content, changes = separated(write_content(block.content, message, own))
    yield from changes
    value: dict[str, Any] = dict(raw or {"role": "toolResult"})
    for key, text in (("toolCallId", block.call_id), ("toolName", block.name)):
        if raw is None or string(value.get(key)) != text:
            value[key] = text
    _lay_content(value, content)
    if raw is None or bool(value.get("isError")) != block.is_error:
        value["isError"] = block.is_error
    yield value if raw is not None else _timed(value, message)


def _turn(message: Message, blocks: Sequence[Block], own: bool) -> Iterator[dict[str, Any] | Change]:
    raw = message.raw if own and message.raw is not None and _role_of(message.raw) == message.role else None
    sections = [block for block in blocks if raw is not None and _is_section(block)]
    plain = [block for block in blocks if raw is None or not _is_section(block)]
    content, changes = separated(write_content(plain, message, own))
    yield from changes
    if raw is None:
        yield _timed(_new_turn(message, content), message)
        return
    if is_agent_message(raw):
        yield respelled(raw, content)
        return
    value = dict(raw)
    _lay_content(value, content)
    if message.role == "system":
        _lay_sections(value, sections)
    if message.stop_reason is not None and value.get("stopReason") != message.stop_reason:
        value["stopReason"] = message.stop_reason
    yield value


def _role_of(raw: Mapping[str, Json]) -> str | None:
    role = raw.get("role")
    return "user" if is_agent_message(raw) else ROLES.get(role) if isinstance(role, str) else None


def _new_turn(message: Message, content: list[dict[str, Any]]) -> dict[str, Any]:
    if message.role == "system":
        return {"role": "system", "content": "\n\n".join(block.get("text", "") for block in content)}
    value: dict[str, Any] = {"role": message.role, "content": content}
    if message.role == "assistant":
        if message.origin is not None:
            provider, api, model = message.origin
            value |= {"api": api, "provider": provider, "model": model}
        value["stopReason"] = _stop_reason(message)
    return value


def _stop_reason(message: Message) -> str:
    # Never an error: pi leaves such a turn out, and the rules have already decided that this one stays.
    if message.of(ToolCall):
        return "toolUse"
    return "length" if message.stop_reason in _CUT_OFF else "stop"


def _laid(raw: Raw, kind: str, fields: Mapping[str, Json], marks: Mapping[str, Json]) -> dict[str, Any]:
    """Lay a block's fields over what it was read from. A mark is written only if there is one."""
    value: dict[str, Any] = dict(raw) if raw is not None and raw.get("type") == kind else {"type": kind}
    value |= fields
    for key, mark in marks.items():
        if mark:
            value[key] = mark
        elif value.get(key):
            del value[key]
    return value


def _lay_content(value: dict[str, Any], content: list[dict[str, Any]]) -> None:
    """Replace a content. What was a string stays one, what was null stays null, while that can say the same."""
    before = value.get("content", content)
    is_plain = len(content) == 1 and content[0].keys() == {"type", "text"} and content[0]["type"] == "text"
    if isinstance(before, str) and is_plain:
        value["content"] = content[0]["text"]
    elif before is not None or content:
        value["content"] = content


def _is_section(block: Block) -> bool:
    return isinstance(block, Text) and block.raw is not None and "section" in block.raw


def _lay_sections(value: dict[str, Any], blocks: Iterable[Block]) -> None:
    """Give the named sections of a system message the words that their blocks have now; one without a block goes."""
    sections = value.get("sections")
    if not isinstance(sections, Mapping):
        return
    words = {block.raw["section"]: block for block in blocks if isinstance(block, Text) and block.raw is not None}
    kept: dict[str, Json] = {}
    for name, text in sections.items():
        block = words.get(name)
        if block is None:
            if not text:
                kept[name] = text
            continue
        before = block.raw["words"] if block.raw is not None else ""
        frame = before.removesuffix(text) if isinstance(text, str) else before
        kept[name] = text if block.text == before else block.text.removeprefix(frame)
    value["sections"] = kept


def _timed(value: dict[str, Any], message: Message) -> dict[str, Any]:
    time = milliseconds(message.time)
    return value if time is None else {**value, "timestamp": time}


def _without_shape(block: Block, message: Message) -> Change:
    kind = block.type if isinstance(block, Opaque) else type(block).__name__
    return dropped("unknown-block", f"dropped block '{kind}': pi has no shape for it", message, block)
