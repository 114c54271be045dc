"""Prompts of a Claude Code session that stand only in its queue.

What the user types while the agent works is queued. Taken out by `dequeue` it becomes an ordinary line. Taken out by
`remove` beside a tool's result it went to the model together with that result; newer versions write an attachment then,
older ones nothing at all. `popAll` gives everything back to the user's input line.
Facts: measured on public Claude Code sessions 2.0 to 2.1, 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from segue.changes import Change, hidden, shortened
from segue.formats._claude_nodes import Chain, Lines, Node, Operation, results_of, seconds

SECONDS = 2.0  # at most, from a result to the prompt that went with it
LINES = 6  # at most, between the two


@dataclass(frozen=True, slots=True)
class Queued:
    """A prompt that the model got with a result: what the user typed, where it stands, and the result's line."""

    content: Any
    operation: Operation
    behind: Node


def queued_prompts(lines: Lines, chain: Chain) -> tuple[list[Queued], list[Change]]:
    """Find the prompts on the history that stand only in the queue, and tell of those that were never sent."""
    waiting: list[Operation] = []
    sent: list[Queued] = []
    unsent: list[Operation] = []
    known: dict[str, int] | None = None  # what other lines say in the user's name, and where they do so last
    on_chain = {node.uuid for node in chain.nodes}
    for operation in lines.queue:
        value = operation.value
        match value.get("operation"):
            case "enqueue":
                waiting.append(operation)
            case "dequeue" if waiting:
                waiting.pop(0)
            case "popAll":
                unsent.extend(waiting)
                waiting.clear()
            case "remove" if waiting:
                at = _named(waiting, value.get("content"))
                prompt = waiting.pop(at)
                known = _said(lines) if known is None else known
                words = _words(prompt.value.get("content"))
                if known.get(words, -1) >= prompt.before:
                    continue
                behind = _result_beside(lines, operation)
                if behind is None:
                    unsent.append(prompt)
                elif behind.uuid in on_chain and words:
                    sent.append(Queued(prompt.value["content"], prompt, behind))
    unsent.extend(waiting)
    return sent, list(_told([one for one in unsent if _words(one.value.get("content"))]))


def _named(waiting: list[Operation], content: Any) -> int:
    """Find the prompt that an operation names; one that names none means the first."""
    words = _words(content)
    return next((at for at, one in enumerate(waiting) if words and _words(one.value.get("content")) == words), 0)


def _result_beside(lines: Lines, operation: Operation) -> Node | None:
    """Find the result that a removed prompt went along with: the latest of those near it that is no younger."""
    when = seconds(operation.value.get("timestamp"))
    if when is None:
        return None
    near = lines.nodes[max(0, operation.before - LINES) : operation.before + LINES]
    best: tuple[float, Node] | None = None
    for node in near:
        at = seconds(node.time) if results_of(node) else None
        if at is not None and abs(node.record.number - operation.record.number) <= LINES and 0 <= when - at <= SECONDS:
            best = (at, node) if best is None or at >= best[0] else best
    return best[1] if best is not None else None


def _said(lines: Lines) -> dict[str, int]:
    said: dict[str, int] = {}
    for node in lines.nodes:
        value = node.value or {}
        message, attachment = value.get("message"), value.get("attachment")
        if node.type == "user" and isinstance(message, dict):
            said[_words(message.get("content"))] = node.index
        elif isinstance(attachment, dict) and attachment.get("type") == "queued_command":
            said[_words(attachment.get("prompt"))] = node.index
    return said


def _words(content: Any) -> str:
    """Read the words of a prompt: a string, or a list of blocks."""
    if isinstance(content, str):
        return content.strip()
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return "\n".join(block["text"] for block in blocks if isinstance(block.get("text"), str)).strip()


def _told(unsent: list[Operation]) -> Iterator[Change]:
    if unsent:
        plural = "s that were" if len(unsent) != 1 else " that was"
        what = f"hid {len(unsent):,} queued prompt{plural} never sent"
        before = shortened(_words(unsent[0].value.get("content")))
        yield hidden("unsent-prompt", what, (), count=len(unsent), line=unsent[0].record.line, before=before)
