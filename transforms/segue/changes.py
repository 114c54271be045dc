"""What happened to a transcript: changes, problems, and the report of both.

Loss is data. Whatever is lost, weakened or made up is a Change, yielded in the place where it happens.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from segue.model import Block, Media, Message, Opaque, Place, Text, Thinking, ToolCall, ToolResult

Kind: TypeAlias = Literal["dropped", "downgraded", "synthesized", "rewritten", "hidden"]
Severity: TypeAlias = Literal["error", "warning", "note"]
KINDS: tuple[Kind, ...] = ("dropped", "downgraded", "synthesized", "rewritten", "hidden")
LOSSES: tuple[Kind, ...] = ("dropped", "downgraded", "synthesized")
EXCERPT_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Change:
    """One act of one rule.

    `line`, `message` and `block` are places in the source, None where they have no meaning. `count` is above 1 only
    for what was `hidden`, which is told once per reason; `hides` names the messages that left the history so.
    `author` is who wrote the message ("assistant · claude-opus-4-8"), for people.
    """

    kind: Kind
    rule: str
    what: str
    line: int | None = None
    message: int | None = None
    block: int | None = None
    before: str | None = None
    after: str | None = None
    count: int = 1
    hides: tuple[int, ...] = ()
    author: str | None = None

    def as_json(self) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "kind": self.kind,
            "rule": self.rule,
            "what": self.what,
            "line": self.line,
            "message": self.message,
            "block": self.block,
            "before": self.before,
            "after": self.after,
        }
        if self.count != 1:
            entry["count"] = self.count
        return entry


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that the target would refuse (`error`), or may treat in a way the user should know.

    `pointer` is a JSON pointer into the request body, `says` the error text that the api would answer, where known.
    `excerpt` is the beginning of what the pointer leads to, where a body is judged for itself.
    """

    rule: str
    severity: Severity
    what: str
    message: int | None = None
    pointer: str | None = None
    says: str | None = None
    excerpt: str | None = None

    def as_json(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"rule": self.rule, "severity": self.severity, "what": self.what}
        entry |= {"message": self.message, "pointer": self.pointer}
        if self.says:
            entry["says"] = self.says
        if self.excerpt:
            entry["excerpt"] = self.excerpt
        return entry


@dataclass(slots=True)
class Report:
    """All changes and problems of one run, with what was read and what came out. `as_json` is the contract's form."""

    version: str
    source: dict[str, Any] = field(default_factory=dict)
    target: dict[str, Any] = field(default_factory=dict)
    output: dict[str, Any] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    fit: dict[str, Any] = field(default_factory=dict)
    exit: int = 0

    @property
    def counts(self) -> dict[Kind, int]:
        counts: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        for change in self.changes:
            counts[change.kind] += change.count
        return counts

    @property
    def loses(self) -> bool:
        return any(change.kind in LOSSES for change in self.changes)

    def as_json(self) -> dict[str, Any]:
        return {
            "segue": self.version,
            "source": self.source,
            "target": self.target,
            "output": self.output,
            "counts": self.counts,
            "changes": [change.as_json() for change in self.changes],
            "problems": [problem.as_json() for problem in self.problems],
            "fit": self.fit,
            "exit": self.exit,
        }


# ------------------------------------------------------------------------------------------- verbs


def dropped(rule: str, what: str, message: Message | None = None, block: Block | None = None, **more: Any) -> Change:
    """Tell that something is gone."""
    return _change("dropped", rule, what, message, block, more)


def downgraded(rule: str, what: str, message: Message | None = None, block: Block | None = None, **more: Any) -> Change:
    """Tell that something weaker stands in its place; a lost signature too."""
    return _change("downgraded", rule, what, message, block, more)


def synthesized(
    rule: str, what: str, message: Message | None = None, block: Block | None = None, **more: Any
) -> Change:
    """Tell that something was made up."""
    return _change("synthesized", rule, what, message, block, more)


def rewritten(rule: str, what: str, message: Message | None = None, block: Block | None = None, **more: Any) -> Change:
    """Tell that something has another form and nothing is lost: ids, order, merges."""
    return _change("rewritten", rule, what, message, block, more)


def hidden(rule: str, what: str, messages: Iterable[Message], **more: Any) -> Change:
    """Tell, once for all messages of one reason, that the recording agent itself would not have sent them."""
    listed = list(messages)
    numbers = tuple(message.number for message in listed if message.number is not None)
    first = listed[0] if listed else None
    more.setdefault("count", len(listed))
    return _change("hidden", rule, what, first, None, more | {"hides": numbers})


def _change(
    kind: Kind, rule: str, what: str, message: Message | None, block: Block | None, more: dict[str, Any]
) -> Change:
    place: Place | None = block.place if block is not None else None
    if place is not None:
        line, number, index = place.line, place.message, place.block
        index_or_none: int | None = index
    else:
        line = message.line if message is not None else None
        number = message.number if message is not None else None  # type: ignore[assignment]
        index_or_none = None
    line = more.pop("line", line)
    if block is not None and "before" not in more and kind != "synthesized":
        more["before"] = excerpt(block)
    if message is not None:
        more.setdefault("author", author(message))
    return Change(kind, rule, what, line, number, index_or_none, **more)


def author(message: Message) -> str:
    """Say who wrote a message, for people: `assistant · claude-opus-4-8`, `user`, `result of Bash`."""
    if message.role == "assistant" and message.origin is not None:
        return f"assistant · {message.origin.model}"
    if message.role == "tool" and message.blocks:
        first = message.blocks[0]
        if isinstance(first, ToolResult) and first.name:
            return f"result of {first.name}"
    return {"tool": "result"}.get(message.role, message.role)


def excerpt(block: Block) -> str:
    """Make a short one-line excerpt of a block's content, at most EXCERPT_LENGTH characters."""
    if isinstance(block, Text):
        return shortened(block.text)
    if isinstance(block, Thinking):
        return shortened(block.text or block.signature or "")
    if isinstance(block, ToolCall):
        return shortened(f"{block.name} {block.id}")
    if isinstance(block, ToolResult):
        return shortened(block.text)
    if isinstance(block, Media):
        return described(block)
    return block.type


def shortened(text: str) -> str:
    """Fold white space and cut a text to EXCERPT_LENGTH characters, the last one an ellipsis if it was cut."""
    folded = " ".join(text[: 4 * EXCERPT_LENGTH].split())
    if len(folded) > EXCERPT_LENGTH or len(text) > 4 * EXCERPT_LENGTH:
        return folded[: EXCERPT_LENGTH - 1] + "…"
    return folded


def call_named(result: ToolResult) -> str:
    """Name the call that a result answers, for a sentence: `'toolu_1' (Bash)`."""
    return f"{result.call_id!r} ({result.name})" if result.name else repr(result.call_id)


def media_named(media: Media) -> str:
    """Name a medium, for a sentence: `an image (image/png, 212 kB)`."""
    return f"{'an image' if media.kind == 'image' else 'a document'} ({described(media)})"


def media_left_out(media: Media, reason: str) -> str:
    """Say, in the place of a medium that had to go, what was there and why it is not: `(image omitted: …)`."""
    what = ", ".join(filter(None, (media.name, described(media))))
    return f"({media.kind} omitted: {what}: {reason})"


def described(block: Media | Opaque) -> str:
    """Name a medium by type and size: `image/png, 212 kB`."""
    if isinstance(block, Opaque):
        return block.type
    name = block.media_type or block.kind
    if block.data is not None:
        size = len(block.data) * 3 // 4 - block.data[-2:].count("=")
        return f"{name}, {size / 1000:,.0f} kB" if size >= 1000 else f"{name}, {size} bytes"
    return f"{name} {shortened(block.url or block.file or '')}".strip()
