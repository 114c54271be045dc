"""Messages out of the lines of a Claude Code session: joined, marked, and named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from segue.changes import Change
from segue.formats._anthropic import read_blocks, with_names
from segue.formats._claude_attachments import attachment_blocks
from segue.formats._claude_nodes import Chain, Node
from segue.formats._types import ReadOptions
from segue.model import Block, Mark, Message, Origin, Place, Text, ToolResult

PROVIDER, API = "anthropic", "anthropic-messages"
SYNTHETIC = "<synthetic>"


@dataclass(slots=True)
class _Draft:
    """A message while lines still join it."""

    role: Any
    node: Node
    blocks: list[Block] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    stop_reason: str | None = None
    marks: frozenset[Mark] = frozenset()
    signatures: set[str] = field(default_factory=set)  # of blocks, to tell a line that was written twice


def messages_of(chain: Chain, aside: dict[str, int], options: ReadOptions) -> Iterator[Message | Change]:
    drafts: list[_Draft] = []
    by_response: dict[tuple[str, Any, Any, bool], int] = {}
    snipped = {uuid for node in chain.nodes for uuid in _snipped_by(node)}
    blocking = -1  # index of the last draft that a later line of an earlier response may not pass
    for node in chain.nodes:
        value = node.value
        if value is None:
            aside[node.type] = aside.get(node.type, 0) + 1
            continue
        if node.uuid in snipped:
            value = {**value, "isSnipped": True}
        if node.type == "assistant":
            draft, is_new = _assistant(node, value, drafts, by_response, blocking, aside)
        else:
            draft = _other(node, value, len(drafts), aside)
            is_new = draft is not None
        if draft is None or not is_new:
            continue
        drafts.append(draft)
        if draft.role == "assistant" or (draft.role == "user" and not _is_carried(draft)):
            blocking = len(drafts) - 1
    names: dict[str, str] = {}
    for number, draft in enumerate(drafts):
        if "compaction-boundary" in draft.marks:
            names.clear()  # what was called before it is not in the history
        yield _message(draft, number, options, names)


def _assistant(
    node: Node,
    value: dict[str, Any],
    drafts: list[_Draft],
    by_response: dict[tuple[str, Any, Any, bool], int],
    blocking: int,
    aside: dict[str, int],
) -> tuple[_Draft | None, bool]:
    message = value.get("message")
    if not isinstance(message, dict):
        return None, False
    marks = _marks(value)
    model = message.get("model")
    is_error = value.get("isApiErrorMessage") is True or (model == SYNTHETIC and _starts_with_error(message))
    if is_error:
        marks |= {"api-error"}
    elif model == SYNTHETIC:
        aside["placeholder answer"] = aside.get("placeholder answer", 0) + 1
        return None, False
    name = message.get("id")
    response = (name, value.get("requestId"), model, "snipped" in marks) if isinstance(name, str) and name else None
    key = None if is_error else response
    at = by_response.get(key) if key is not None else None
    is_new = at is None or blocking > at
    number = len(drafts) if is_new else at
    assert number is not None
    draft = _Draft("assistant", node, marks=marks) if is_new else drafts[number]
    blocks = read_blocks(message.get("content"), node.record.number, node.record.line, number, len(draft.blocks))
    if _repeats(draft, message.get("content")) and not is_new:
        aside["repeated line"] = aside.get("repeated line", 0) + 1
        return None, False
    draft.blocks.extend(blocks)
    draft.records.append(node.record.number)
    stop = message.get("stop_reason")
    draft.stop_reason = stop if isinstance(stop, str) else draft.stop_reason
    if key is not None and is_new:
        by_response[key] = number
    return draft, is_new


def _repeats(draft: _Draft, content: Any) -> bool:
    """Note the calls and signatures of a line; tell whether all of them were there before."""
    found = set()
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            mark = block.get("id") if block.get("type") == "tool_use" else block.get("signature")
            if isinstance(mark, str) and mark:
                found.add(mark)
    repeated = bool(found) and found <= draft.signatures
    draft.signatures |= found
    return repeated


def _other(node: Node, value: dict[str, Any], number: int, aside: dict[str, int]) -> _Draft | None:
    record = node.record
    if node.type == "user":
        message = value.get("message")
        marks = _marks(value)
        if not isinstance(message, dict) or ("isVisibleInTranscriptOnly" in value and _only_shown(value)):
            aside["line shown only"] = aside.get("line shown only", 0) + 1
            return None
        blocks = read_blocks(message.get("content"), record.number, record.line, number)
        is_results = bool(blocks) and all(isinstance(block, ToolResult) for block in blocks)
        return _Draft("tool" if is_results else "user", node, list(blocks), [record.number], marks=marks)
    place = Place(record.number, record.line, number, 0)
    if node.type == "attachment":
        attachment = value.get("attachment")
        said = attachment_blocks(attachment, place) if isinstance(attachment, dict) else None
        if said is None:
            kind = attachment.get("type") if isinstance(attachment, dict) else "?"
            aside[f"attachment {kind}"] = aside.get(f"attachment {kind}", 0) + 1
            return None
        return _Draft("user", node, list(said), [record.number], marks=frozenset({"attachment", *_marks(value)}))
    if node.is_boundary:
        return _Draft("system", node, [], [record.number], marks=frozenset({"compaction-boundary"}))
    if value.get("subtype") == "local_command" and isinstance(value.get("content"), str):
        return _Draft("user", node, [Text(value["content"], place=place)], [record.number], marks=_marks(value))
    aside["system"] = aside.get("system", 0) + 1
    return None


def _marks(value: dict[str, Any]) -> frozenset[Mark]:
    found: set[Mark] = set()
    if value.get("isVirtual") is True:
        found.add("virtual")
    if value.get("isMeta") is True:
        found.add("meta")
    if value.get("isCompactSummary") is True:
        found.add("compaction-summary")
    if value.get("isSnipped") or value.get("snipped"):
        found.add("snipped")
    return frozenset(found)


def _snipped_by(node: Node) -> Iterator[str]:
    """Name the lines that a snip took out of the sent view."""
    value = node.value or {}
    told = value.get("snipMetadata") if value.get("subtype") == "snip_boundary" else None
    for key in ("removedUuids", "removed_uuids"):
        named = told.get(key) if isinstance(told, dict) else None
        yield from (uuid for uuid in named if isinstance(uuid, str)) if isinstance(named, list) else ()


def _only_shown(value: dict[str, Any]) -> bool:
    return value.get("isVisibleInTranscriptOnly") is True and value.get("isCompactSummary") is not True


def _is_carried(draft: _Draft) -> bool:
    """Tell what may stand between two lines of one response: results, attachments, what is never sent."""
    return "attachment" in draft.marks or "virtual" in draft.marks


def _starts_with_error(message: dict[str, Any]) -> bool:
    content = message.get("content")
    first = content[0] if isinstance(content, list) and content else {}
    return isinstance(first, dict) and str(first.get("text", "")).startswith("API Error")


def _message(draft: _Draft, number: int, options: ReadOptions, names: dict[str, str]) -> Message:
    value = draft.node.value or {}
    body = value.get("message")
    model = body.get("model") if isinstance(body, dict) else None
    origin = None
    if draft.role == "assistant":
        known = isinstance(model, str) and model and model != SYNTHETIC
        origin = options.origin(model) or (Origin(PROVIDER, API, str(model)) if known else None)
    return Message(
        draft.role,
        with_names(tuple(draft.blocks), names),
        origin,
        draft.stop_reason,
        number,
        draft.node.record.line,
        tuple(draft.records),
        _text(body.get("id")) if isinstance(body, dict) else None,
        _text(value.get("timestamp")),
        draft.marks,
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
