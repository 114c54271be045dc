"""Messages out of the lines of a Claude Code session: joined, marked, and named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from segue.changes import Change, rewritten
from segue.formats._anthropic import read_blocks, with_names
from segue.formats._claude_attachments import attachment_blocks
from segue.formats._claude_nodes import Chain, Lines, Node, content_of, results_of, snipped_by
from segue.formats._claude_queue import Queued, queued_prompts
from segue.formats._claude_results import result_beside, with_replacements
from segue.formats._types import ReadOptions
from segue.model import Block, Mark, Message, Origin, Place, Text, ToolCall, ToolResult

PROVIDER, API = "anthropic", "anthropic-messages"
SYNTHETIC = "<synthetic>"


@dataclass(slots=True)
class _Draft:
    """A message while lines still join it. Without records its own format writes it anew."""

    role: Any
    node: Node
    blocks: list[Block] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    stop_reason: str | None = None
    marks: frozenset[Mark] = frozenset()
    request: str | None = None
    calls: dict[str, Any] = field(default_factory=dict)  # the arguments of its calls
    signatures: set[str] = field(default_factory=set)  # of blocks, to tell a line that was written twice


@dataclass(slots=True)
class _Drafts:
    """The messages so far, and what decides whether the next line joins one of them."""

    made: list[_Draft] = field(default_factory=list)
    by_response: dict[tuple[str, Any, bool], int] = field(default_factory=dict)
    blocking: int = -1  # index of the last draft that a later line of an earlier response may not pass
    called: set[str] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)
    aside: dict[str, int] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    def add(self, draft: _Draft) -> None:
        self.made.append(draft)
        results = {block.call_id for block in draft.blocks if isinstance(block, ToolResult)}
        if "compaction-boundary" in draft.marks or (draft.role == "tool" and not results <= self.called):
            self.by_response.clear()  # nothing goes on beyond a compaction, or a result that is nobody's
        if "compaction-boundary" in draft.marks:
            self.called.clear()
            self.answered.clear()
        if draft.role == "assistant" or (draft.role == "user" and not _is_carried(draft)):
            self.blocking = len(self.made) - 1
        self.answered |= results


def messages_of(lines: Lines, chain: Chain, aside: dict[str, int], options: ReadOptions) -> Iterator[Message | Change]:
    prompts, changes = queued_prompts(lines, chain)
    drafts = _Drafts(aside=aside, changes=changes)
    behind: dict[str, list[Queued]] = {}
    for prompt in prompts:
        behind.setdefault(prompt.behind.uuid, []).append(prompt)
    snipped = {uuid for node in chain.nodes for uuid in snipped_by(node)}
    waiting: list[Queued] = []  # prompts until the run of results is over
    for node in chain.nodes:
        value = node.value
        if value is None:
            aside[node.type] = aside.get(node.type, 0) + 1
            continue
        if node.uuid in snipped:
            value = {**value, "isSnipped": True}
        if waiting and not results_of(node):
            _add_prompts(waiting, drafts)
        if node.type == "assistant":
            _add_assistant(node, value, chain, drafts)
        else:
            _add_other(node, value, lines, chain, drafts)
        waiting.extend(behind.get(node.uuid, ()))
    _add_prompts(waiting, drafts)
    yield from drafts.changes
    names: dict[str, str] = {}
    for number, draft in enumerate(drafts.made):
        if "compaction-boundary" in draft.marks:
            names.clear()  # what was called before it is not in the history
        yield _message(draft, number, options, names)


# ---------------------------------------------------------------------------------------------- answers


def _add_assistant(node: Node, value: dict[str, Any], chain: Chain, drafts: _Drafts) -> None:
    message = value.get("message")
    if not isinstance(message, dict):
        return
    marks = _marks(value)
    model = message.get("model")
    is_error = value.get("isApiErrorMessage") is True or (model == SYNTHETIC and _starts_with_error(message))
    if is_error:
        marks |= {"api-error"}
    elif model == SYNTHETIC:
        drafts.aside["placeholder answer"] = drafts.aside.get("placeholder answer", 0) + 1
        return
    name = message.get("id")
    key = (name, model, "snipped" in marks) if isinstance(name, str) and name and not is_error else None
    request = _text(value.get("requestId"))
    calls = {block["id"]: block.get("input") for block in content_of(node) if block.get("type") == "tool_use"
             and isinstance(block.get("id"), str)}  # fmt: skip
    is_stray = node.uuid in chain.strays
    at = drafts.by_response.get(key) if key is not None and not is_stray else None
    if at is not None and not _joins(drafts, at, request, calls):
        at = None
    number = len(drafts.made) if at is None else at
    draft = _Draft("assistant", node, marks=marks) if at is None else drafts.made[at]
    if _repeats(draft, message.get("content")):
        drafts.aside["repeated line"] = drafts.aside.get("repeated line", 0) + 1
        return
    draft.request = draft.request or request
    blocks = read_blocks(message.get("content"), node.record.number, node.record.line, number, len(draft.blocks))
    if is_stray:
        call = chain.strays[node.uuid]
        blocks = tuple(block for block in blocks if isinstance(block, ToolCall) and block.id == call)
        what = f"call {call!r} stands on line {node.record.line:,}, beside the history: it was put before its result"
        drafts.changes.append(rewritten("broken-chain", what, line=node.record.line))
    else:
        draft.records.append(node.record.number)
    draft.blocks.extend(blocks)
    draft.calls |= calls
    drafts.called.update(calls)
    stop = message.get("stop_reason")
    draft.stop_reason = stop if isinstance(stop, str) else draft.stop_reason
    if at is None:
        drafts.add(draft)
        if key is not None and not is_stray:
            drafts.by_response[key] = number


def _joins(drafts: _Drafts, at: int, request: str | None, calls: dict[str, Any]) -> bool:
    """Tell whether a line is one more of an earlier response, and not of another one with the same id.

    A prompt or another answer in between ends a response, unless calls of it are still open. Some proxies give all
    their responses one id.
    """
    draft = drafts.made[at]
    if request is not None and draft.request is not None and request != draft.request:
        return False
    if any(call in draft.calls and draft.calls[call] != arguments for call, arguments in calls.items()):
        return False
    if not calls and not drafts.answered.isdisjoint(draft.calls):
        return False  # a model says nothing more once a tool of its turn has answered
    return drafts.blocking <= at or (bool(calls) and not drafts.answered.issuperset(draft.calls))


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


# ------------------------------------------------------------------------------------- all other lines


def _add_other(node: Node, value: dict[str, Any], lines: Lines, chain: Chain, drafts: _Drafts) -> None:
    draft = _other(node, value, len(drafts.made), drafts.aside)
    if draft is None:
        return
    if node.uuid in chain.strays:
        call = chain.strays[node.uuid]
        draft.records = []
        what = f"the result of call {call!r} stands on line {node.record.line:,}, beside the history: it was taken up"
        drafts.changes.append(rewritten("broken-chain", what, line=node.record.line))
    if lines.replacements and draft.role in ("tool", "user"):
        draft.blocks, changes = with_replacements(draft.blocks, node, lines)
        drafts.changes.extend(changes)
    if node.type == "user" and not draft.blocks and value.get("toolUseResult"):
        result, changes = result_beside(node, lines, drafts.answered, len(drafts.made))
        drafts.changes.extend(changes)
        if result is not None:
            drafts.add(_Draft("tool", node, [result]))
    drafts.add(draft)


def _add_prompts(waiting: list[Queued], drafts: _Drafts) -> None:
    for queued in waiting:
        operation, record = queued.operation, queued.operation.record
        node = Node(operation.before, record, "", None, "queue-operation", False, operation.value)
        blocks = read_blocks(queued.content, record.number, record.line, len(drafts.made))
        drafts.add(_Draft("user", node, list(blocks), [record.number], marks=frozenset({"queued"})))
    waiting.clear()


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
        # A call that is written anew is no part of its old response.
        _text(body.get("id")) if isinstance(body, dict) and draft.records else None,
        _text(value.get("timestamp")),
        draft.marks,
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
