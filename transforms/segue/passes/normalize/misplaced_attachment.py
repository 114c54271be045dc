"""Move attachments up to the answer that they follow.

An agent records the context that it adds (files, reminders, queued prompts) wherever it came up; when it sends, each
moves up until an assistant turn or a tool result stops it, or to the top. So the note stands before the prompt it
belongs to and never between a call and its result. This is the order that the model had seen.
Source: Claude Code's message normalisation as described in public analyses; public analyses of Claude Code's
normalisation, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": "hello"}
    {"role": "user", "content": "look at it"}
    {"role": "user", "content": "notes.txt: milk", "marks": ["attachment"]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": "hello"}
    {"role": "user", "content": "notes.txt: milk", "marks": ["attachment"]}
    {"role": "user", "content": "look at it"}

    = 2 moved an attachment to where its agent sends it
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, rewritten
from segue.model import History, Message, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "misplaced-attachment"
NEEDS = frozenset({"attachment"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    reversed_order: list[Message] = []
    waiting: list[Message] = []  # attachments on their way up, the last of the history first
    passed: dict[int, int] = {}  # how many messages stood below when an attachment began its way
    for message in reversed(history.messages):
        if "attachment" in message.marks:
            waiting.append(message)
            passed[id(message)] = len(reversed_order)
            continue
        if _stops(message):
            yield from _moves(waiting, passed, len(reversed_order))
            reversed_order.extend(waiting)
            waiting = []
        reversed_order.append(message)
    yield from _moves(waiting, passed, len(reversed_order))
    reversed_order.extend(waiting)
    yield from reversed(reversed_order)


def _stops(message: Message) -> bool:
    return message.role in ("assistant", "tool") or any(type(block) is ToolResult for block in message.blocks)


def _moves(waiting: list[Message], passed: dict[int, int], now: int) -> Iterator[Change]:
    for attachment in waiting:
        if passed[id(attachment)] != now:
            yield rewritten(RULE, "moved an attachment to where its agent sends it", attachment)
