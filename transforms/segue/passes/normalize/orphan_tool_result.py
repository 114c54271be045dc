"""Settle a result whose call is gone.

The window began in the middle, or the call went with a compaction. No api takes a result without its call. By default
the call is made up where the tool's name is known and can be declared, so that the result stays a result; otherwise
its words become the user's text. A turn with signed thinking of the target's own is never lengthened by a made-up call.
`--orphan-results` decides otherwise.
Source: Claude Code's message normalisation as described in public analyses; api rules A-T6, O-T4 and C-T3, read
2026-11.

Example, for anthropic/claude-opus-4-8 with --orphan-results text:

    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "sql", "content": "42 rows"}]}
    {"role": "user", "content": "export them"}
  →
    {"role": "user", "content": [{"type": "text", "text": "[result of an earlier tool call (sql, id c1) that is not in this history]"}, {"type": "text", "text": "42 rows"}]}
    {"role": "user", "content": "export them"}

    ~ 0.0 turned the orphan result of call 'c1' (sql) into text
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, downgraded, dropped, synthesized
from segue.model import Block, History, Message, Opaque, Role, Text, Thinking, ToolCall, ToolResult
from segue.passes._policy import Policy
from segue.passes.pairing import is_filler, pairing_of
from segue.targets import Target

RULE = "orphan-tool-result"
NEEDS = frozenset({"ToolResult"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    orphans: dict[int, set[int]] = {}
    for spot, _ in pairing_of(history).orphans:
        orphans.setdefault(spot.message, set()).add(spot.block)
    if not orphans:
        yield from history.messages
        return
    names = {block.id: block.name for message in history.messages for block in message.of(ToolCall)}
    before: Message | None = None
    for index, message in enumerate(history.messages):
        if index in orphans:
            may_synthesize = not _is_signed(before, target) if before is not None else not target.leading_user
            yield from _settled(message, orphans[index], policy, names, may_synthesize)
        else:
            yield message
        before = message


def _is_signed(message: Message, target: Target) -> bool:
    """Tell a turn of the target's own that holds thinking, and that a call behind it would become a part of."""
    return message.role == "assistant" and target.wrote(message.origin) and bool(message.of(Thinking))


def _settled(
    message: Message, orphans: set[int], policy: Policy, names: dict[str, str], may_synthesize: bool
) -> Iterator[Message | Change]:
    results: list[Block] = []  # of the turn before: they stay directly behind it
    made: list[Message] = []
    words: list[Block] = []
    for index, block in enumerate(message.blocks):
        if index not in orphans:
            (results if isinstance(block, ToolResult) else words).append(block)
            continue
        result: ToolResult = block  # type: ignore[assignment]
        name = result.name or names.get(result.call_id, "")
        called = f"call {result.call_id!r}" + (f" ({name})" if name else "")
        match _choice(policy, result, name, may_synthesize):
            case "drop":
                yield dropped(RULE, f"dropped the orphan result of {called}", message, result)
            case "synthesize":
                yield synthesized(
                    RULE, f"synthesized {called}, whose result was an orphan", message, result, after=name
                )
                call = ToolCall(result.call_id, name or "unknown_tool", {})
                made.append(Message("assistant", (call,), stop_reason="toolUse", time=message.time, touched=True))
                answer = replace(result, name=call.name)
                made.append(Message("tool", (answer,), time=message.time, line=message.line, touched=True))
            case _:
                yield downgraded(RULE, f"turned the orphan result of {called} into text", message, result)
                words.extend(_as_text(result, name))
    if not made:
        if results or words:
            yield _as_role(message.with_blocks(results + words), "user" if words else "tool")
        return
    if results:
        yield _as_role(message.with_blocks(results), "tool")
        message = replace(message, records=(), raw=None)
    yield from made
    if words:
        yield _as_role(message.with_blocks(words), "user")


def _as_role(message: Message, role: Role) -> Message:
    """Change a message's role; the object that it was read from says the old one and is of no use then."""
    return message if message.role in (role, "user") else replace(message, role=role, raw=None)


def _choice(policy: Policy, result: ToolResult, name: str, may_synthesize: bool) -> str:
    if policy.orphan_results != "auto":
        return policy.orphan_results
    if is_filler(result):
        return "drop"
    return "synthesize" if name and result.call_id and may_synthesize else "text"


def _as_text(result: ToolResult, name: str) -> list[Block]:
    told = ", ".join(part for part in (name, f"id {result.call_id}" if result.call_id else "") if part)
    head = f"[result of an earlier tool call ({told}) that is not in this history]"
    kept: list[Block] = [block for block in result.content if not isinstance(block, Opaque)]
    return [Text(head.replace(" ()", ""), place=result.place), *kept]
