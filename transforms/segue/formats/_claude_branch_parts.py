"""What the branches of a Claude Code session ask of its lines: what they amount to, and what belongs to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from segue.formats._claude_messages import messages_of
from segue.formats._claude_nodes import SPEAKS, Chain, Lines, Node, calls_of, content_of, results_of
from segue.formats._claude_queue import Queued, queued_prompts
from segue.formats._claude_rescue import response_of
from segue.formats._types import ReadOptions
from segue.model import Message
from segue.tokens import MESSAGE_TOKENS, of_block

_SYNTHETIC = "<synthetic>"
_COMMAND = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_SHELL = re.compile(r"<bash-input>(.*)</bash-input>", re.DOTALL)
# What the agent writes in the user's name without saying so.
_NOT_ASKED = ("[Request interrupted by user", "<local-command-", "<task-notification", "<bash-stdout", "<bash-stderr")


class Mark(NamedTuple):
    """What a history amounts to up to a line: messages, tokens since its last compaction, the user's last word."""

    messages: int = 0
    tokens: float = 0.0
    prompt: str | None = None


Prompts = dict[str, list[Queued]]


# ------------------------------------------------------------------------------------- what lines amount to


def prompts_of(lines: Lines) -> Prompts:
    """Find the prompts that stand only in the queue, by the line that they go behind."""
    found: Prompts = {}
    if lines.queue:
        for prompt in queued_prompts(lines, Chain(lines.nodes))[0]:
            found.setdefault(prompt.behind.uuid, []).append(prompt)
    return found


def marks_of(
    lines: Lines, chain: Chain, start: Mark, prompts: Prompts, past: frozenset[str] = frozenset()
) -> list[Mark]:
    """Tell what the history amounts to at each line, given what it amounts to before; what is `past` is in that."""
    scene = Lines(by_uuid=lines.by_uuid, replacements=lines.replacements)
    by_record: dict[int, set[int]] = {}
    tokens: dict[int, float] = {}
    for number, message in enumerate(_messages(scene, chain)):
        for record in message.records:
            by_record.setdefault(record, set()).add(number)
        for block in message.blocks:
            if block.place is not None:
                by_record.setdefault(block.place.record, set()).add(number)
                tokens[block.place.record] = tokens.get(block.place.record, 0.0) + of_block(block)
    seen: set[int] = set()
    marks: list[Mark] = []
    mark = start
    for node in chain.nodes:
        fresh = by_record.get(node.record.number, set()) - seen
        seen |= fresh
        if node.uuid not in past:
            added = len(fresh) * MESSAGE_TOKENS + tokens.get(node.record.number, 0.0)
            queued = prompts.get(node.uuid, ())
            added += sum(MESSAGE_TOKENS + len(str(prompt.content)) / 4 for prompt in queued)
            so_far = 0.0 if node.is_boundary else mark.tokens
            mark = Mark(mark.messages + len(fresh) + len(queued), so_far + added, prompt_of(node) or mark.prompt)
        marks.append(mark)
    return marks


def _messages(lines: Lines, chain: Chain) -> Iterator[Message]:
    return (item for item in messages_of(lines, chain, {}, ReadOptions()) if isinstance(item, Message))


# ---------------------------------------------------------------------------------------- what lines say


def prompt_of(node: Node) -> str | None:
    """Give what the user asks on a line, None for what the agent writes in the user's name."""
    value = node.value or {}
    if node.type != "user" or value.get("isMeta") is True or value.get("isCompactSummary") is True:
        return None
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    texts = [content] if isinstance(content, str) else [block.get("text") for block in content_of(node)]
    words = "\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip())
    command = _COMMAND.search(words) if words.startswith("<command-") else None
    if command is not None:
        arguments = _ARGUMENTS.search(words)
        return f"{command[1].strip()} {arguments[1].strip() if arguments else ''}".strip() or None
    shell = _SHELL.fullmatch(words)
    if shell is not None:
        return f"! {shell[1].strip()}"
    return words if words and not words.startswith(_NOT_ASKED) else None


def is_answer(node: Node) -> bool:
    """Tell a model's line from a notice of the agent in its place."""
    value: dict[str, Any] = node.value or {}
    message = value.get("message")
    model = message.get("model") if isinstance(message, dict) else None
    return node.type == "assistant" and value.get("isApiErrorMessage") is not True and model != _SYNTHETIC


def is_spoken(node: Node) -> bool:
    """Tell a line of the user's or the model's own from results and notices: no branch is made of those."""
    if is_answer(node) or prompt_of(node) is not None:
        return True
    is_meta = (node.value or {}).get("isMeta") is True
    return node.type == "user" and not is_meta and any(b.get("type") in ("image", "document") for b in content_of(node))


# ---------------------------------------------------------------------------------------- what goes together


class Relatives:
    """Which lines of a file go together, so that nobody has to look through all of them again."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.responses: dict[Any, list[Node]] = {}
        self.callers: dict[str, list[Node]] = {}
        self.results: dict[str, list[Node]] = {}
        self.hanging: dict[str, list[Node]] = {}
        self.stamped: dict[tuple[str, str], list[Node]] = {}
        for node in lines.nodes:
            value = node.value or {}
            if node.type in SPEAKS:
                self._add_speaking(node, value)
            if node.type == "attachment" or (node.type == "user" and value.get("isMeta") is True):
                for key in {node.parent, value.get("sourceToolUseID")}:
                    if isinstance(key, str):
                        self.hanging.setdefault(key, []).append(node)

    def _add_speaking(self, node: Node, value: dict[str, Any]) -> None:
        key = response_of(node)
        if key is not None:
            self.responses.setdefault(key, []).append(node)
        for call in calls_of(node):
            self.callers.setdefault(call, []).append(node)
        for call in results_of(node):
            self.results.setdefault(call, []).append(node)
        stamp = value.get("timestamp")
        if isinstance(stamp, str):
            self.stamped.setdefault((node.type, stamp), []).append(node)

    def copied(self, node: Node) -> Iterator[Node]:
        """Find other lines of one content with the same time or response: what a compaction or a fork writes again."""
        value = node.value or {}
        stamp, message = value.get("timestamp"), value.get("message")
        for other in self.stamped.get((node.type, stamp), ()) if isinstance(stamp, str) else ():
            if other is not node and (other.value or {}).get("message") == message:
                yield other
        for other in self.responses.get(response_of(node), ()):
            if other is not node and content_of(other) == content_of(node):
                yield other

    def beside(self, path: Sequence[Node], end: Node | None) -> list[Node]:
        """Find the lines that may belong to a path beside it, in order; `end` is the line that it goes on from."""
        path_ids = {node.uuid for node in path}
        around = [*path, *([self._speaker(end)] if end is not None else ())]
        found: dict[str, Node] = {}
        for node in around:
            _note(found, [node])
            for call in results_of(node):
                _note(found, self.callers.get(call, ()))
        for node in list(found.values()):
            _note(found, self.responses.get(response_of(node), ()))
        for node in list(found.values()):
            for call in calls_of(node):
                _note(found, self.results.get(call, ()))
                _note(found, self.hanging.get(call, ()))
        waiting = [node for node in found.values() if node.type not in SPEAKS or node.type == "user"]
        while waiting:
            for node in self.hanging.get(waiting.pop().uuid, ()):
                if node.uuid not in found:
                    found[node.uuid] = node
                    waiting.append(node)
        return sorted((node for node in found.values() if node.uuid not in path_ids), key=lambda node: node.index)

    def _speaker(self, node: Node) -> Node:
        """Climb to a line that speaks: what hangs between belongs to it."""
        seen: set[str] = set()
        at: Node | None = node
        while at is not None and at.type not in SPEAKS and at.uuid not in seen:
            seen.add(at.uuid)
            at = self.lines.by_uuid.get(at.parent) if at.parent else None
        return at or node


def _note(found: dict[str, Node], nodes: Iterable[Node]) -> None:
    found.update((node.uuid, node) for node in nodes)
