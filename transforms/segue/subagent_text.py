"""A subagent's run in words: as readable text, for a model that reads it in the result of a call, and in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from segue import records
from segue.changes import Change, dropped, hidden
from segue.formats._types import Subagent
from segue.model import Json, Media, Message, Opaque, Text, Thinking, ToolCall, ToolResult, Transcript

RULE = "sidechain"
HEAD = "[the subagent's own run"
DEPTH = 8  # how many runs may stand in one another
_LEFT_OUT = frozenset({"virtual", "snipped", "api-error", "compaction-boundary", "attachment", "injected"})

Read = Callable[[Subagent], "tuple[Transcript | None, list[Change]]"]
Started = Callable[[str | None, str], Sequence[Subagent]]


@dataclass(slots=True)
class Told:
    """A run as text, the number of its messages, what did not come with it, and all runs that were come to."""

    text: str
    count: int
    changes: list[Change]
    runs: set[str]


@dataclass(slots=True)
class _Telling:
    """What is asked and counted while a run and those in it are told."""

    read: Read
    started: Started
    within: tuple[str, ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def leave_out(self, what: str) -> None:
        self.left_out[what] = self.left_out.get(what, 0) + 1


def told(run: Subagent, read: Read, started: Started, answer: str) -> Told | None:
    """Tell a run, and those that it has started itself; None where nothing in it can be read.

    `answer` is what the result says behind it: a last message that stands there is not told twice.
    """
    telling = _Telling(read, started)
    found = _run_text(run, telling, answer)
    if found is None:
        return None
    text, count = found
    if telling.left_out:
        parts = [f"{number:,} {what}{'s' if number != 1 else ''}" for what, number in telling.left_out.items()]
        left = f"left {', '.join(parts)} out of the text of subagent {run.id!r}"
        telling.changes.append(dropped(RULE, left))
    return Told(text, count, telling.changes, telling.seen)


def head(run: Subagent, count: int) -> str:
    """Write the line that a told run begins with."""
    kind = ", ".join(filter(None, (run.kind, f"agent {run.id}")))
    return f"{HEAD} ({kind}): {count:,} message{'s' if count != 1 else ''}]"


def _run_text(run: Subagent, telling: _Telling, answer: str) -> tuple[str, int] | None:
    telling.seen.add(run.where)
    transcript, changes = telling.read(run)
    if transcript is None:
        return None
    for change in changes:
        if change.kind != "hidden" and change.rule != "final-newline":
            what = f"in the run of subagent {run.id!r} ({run.where}): {change.what}"
            telling.changes.append(replace(change, what=what, line=None, message=None, block=None))
    messages = [message for message in transcript.messages if not message.marks & _LEFT_OUT]
    unsent = len(transcript.messages) - len(messages)
    if unsent:
        what = f"hid {unsent:,} message{'s' if unsent != 1 else ''} that subagent {run.id!r} itself would not have sent"
        telling.changes.append(hidden(RULE, what, (), count=unsent))
    inner = replace(telling, within=(*telling.within, run.where))  # counts and changes are the same objects
    lines = [head(run, len(messages))]
    for index, message in enumerate(messages):
        if index == len(messages) - 1 and _stands_in(message, answer):
            lines.append("assistant: (its answer stands below)")
            continue
        lines.extend(_message_lines(message, messages[index + 1 :], run, inner))
    lines.append("[end of the subagent's own run]")
    return "\n".join(lines), len(messages)


def _stands_in(message: Message, answer: str) -> bool:
    words = "\n".join(block.text for block in message.blocks if isinstance(block, Text)).strip()
    return bool(words) and words in answer and not message.of(ToolCall)


def _message_lines(message: Message, later: Sequence[Message], run: Subagent, telling: _Telling) -> Iterator[str]:
    for block in message.blocks:
        match block:
            case Text():
                if block.text.strip():
                    yield f"{message.role}: {block.text}"
            case Thinking():
                if block.text.strip() or block.signature:
                    telling.leave_out("thinking block")
            case ToolCall():
                yield f"{message.role} calls {block.name}: {_arguments(block.arguments)}"
                if not any(result.call_id == block.id for m in later for result in m.of(ToolResult)):
                    yield from _nested(run, block.id, "", telling)
            case ToolResult():
                yield from _nested(run, block.call_id, block.text, telling)
                error = " (error)" if block.is_error else ""
                content = "\n".join(_content(part, telling) for part in block.content)
                yield f"result of {block.name or block.call_id}{error}: {content}"
            case _:
                yield f"{message.role}: {_content(block, telling)}"


def _nested(run: Subagent, call_id: str, answer: str, telling: _Telling) -> Iterator[str]:
    """Tell the runs that a call of this run has started, unless they run in a circle or too deep."""
    for inner in telling.started(run.where, call_id):
        if inner.where in telling.within or len(telling.within) >= DEPTH:
            reason = "runs in a circle" if inner.where in telling.within else f"stands more than {DEPTH} runs deep"
            telling.seen.add(inner.where)
            telling.changes.append(hidden(RULE, f"hid subagent {inner.id!r} ({inner.where}): it {reason}", (), count=1))
            continue
        found = _run_text(inner, telling, answer)
        if found is not None:
            yield found[0]


def _content(block: Text | Media | Opaque, telling: _Telling) -> str:
    if isinstance(block, Text):
        return block.text
    word = block.kind if isinstance(block, Media) else block.type
    telling.leave_out(word if isinstance(block, Media) else f"{word} block")
    return f"[{word}]"


def _arguments(arguments: Json) -> str:
    return arguments if isinstance(arguments, str) else records.dumps(arguments).decode("utf-8", "replace")


def named(run: Subagent) -> str:
    """Name a run, for a sentence: `the run of subagent 'a1' (Explore)`."""
    return f"the run of subagent {run.id!r}" + (f" ({run.kind})" if run.kind else "")


def counted(count: int) -> str:
    """Count messages, for a sentence."""
    return f"{count:,} message{'s' if count != 1 else ''}"
