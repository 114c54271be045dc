"""A transcript as a person reads it: who said what, in order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain
from math import isfinite

from rich.console import Console
from rich.text import Text

from segue.changes import described
from segue.model import Block, Mark, Media, Message, Opaque, Thinking, ToolCall, ToolResult, Transcript
from segue.model import Text as Words
from segue_cli.view.layout import ACCENT, DIM, GAP, INDENT, counted, cut, flowing, page_width, print_lines, row, wrapped
from segue_cli.view.plain import plain

WIDEST_TEXT = 120  # longer lines of prose are hard to read
RESULT_LINES = 12
SYSTEM_LINES = 12
ARGUMENT_LINES = 3
_BODY = " " * 6
_THINKING = "┆ "  # tells thinking from text where there is no colour
_TAB = 4
_LINES_AT_ONCE = 500

_MARKS: dict[Mark, str] = {
    "compaction-boundary": "what stands above was compacted away",
    "compaction-summary": "summary of what was compacted",
    "virtual": "shown to the person only, never sent",
    "snipped": "snipped, not sent",
    "attachment": "attachment",
    "queued": "typed while the agent worked",
    "meta": "put in by the agent",
    "injected": "the agent's own surroundings",
    "api-error": "a failed request, never sent",
}
_UNSENT: frozenset[Mark] = frozenset({"virtual", "snipped", "api-error", "compaction-boundary"})
_NORMAL_STOPS = frozenset(
    {"stop", "end_turn", "stop_sequence", "tool_use", "tooluse", "tool_calls", "function_call", "completed"}
)


def print_transcript(transcript: Transcript, console: Console) -> None:
    """Print a transcript message by message, with number (from 0), source line and time where they are known."""
    width = page_width(console)
    print_lines(_opening(transcript, width), console)
    for message in transcript.messages:
        lines = chain([Text(""), _heading(message, width)], _message_lines(message, min(width, WIDEST_TEXT)))
        # A pasted log of a hundred thousand lines is written in parts as well.
        for part in _in_parts(lines, _LINES_AT_ONCE):
            print_lines(part, console)


def _in_parts(lines: Iterable[Text], size: int) -> Iterator[list[Text]]:
    part: list[Text] = []
    for line in lines:
        part.append(line)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part


# ------------------------------------------------------------------------------------------ opening


def _opening(transcript: Transcript, width: int) -> list[Text]:
    session = transcript.session
    facts = [Text(plain(session.format), "bold")]
    if session.id:
        facts.append(Text(f"session {cut(session.id, width // 2)}"))
    facts.append(Text(counted(len(transcript.messages), "message")))
    turns = Counter(message.origin for message in transcript.messages if message.origin is not None)
    facts += [Text(cut(str(origin), width // 2), ACCENT).append(f" ×{count:,}") for origin, count in turns.items()]
    lines = flowing(facts, Text(" · "), width)
    if transcript.tools:
        names = ", ".join(tool.name for tool in transcript.tools)
        label = f"{counted(len(transcript.tools), 'tool')}: "
        lines.append(Text(INDENT + label, DIM).append(cut(names, width - len(INDENT) - len(label))))
    if transcript.system:
        lines += [Text(""), Text(INDENT).append("system prompt", "bold")]
        text = "\n".join(block.text for block in transcript.system)
        lines += _shortened(text, SYSTEM_LINES, _BODY, width)
    return lines


# ----------------------------------------------------------------------------------------- messages


def _heading(message: Message, width: int) -> Text:
    left = Text(INDENT)
    left.append("new" if message.number is None else f"#{message.number:,}", f"bold {ACCENT}")
    left.append(GAP + message.role, "bold")
    facts = [spelled_time(message.time)] if message.time is not None else []
    if message.line is not None:
        facts.append(f"line {message.line:,}")
    right = Text(" · ".join(facts), DIM)
    notes = [_MARKS[mark] for mark in sorted(message.marks)]
    if message.stop_reason and message.stop_reason.lower() not in _NORMAL_STOPS:
        notes.append(f"stopped: {message.stop_reason}")
    if message.origin is not None:
        room = width - left.cell_len - right.cell_len - len(GAP) - 3
        left.append(" · ").append(cut(message.origin.model, max(room, 12)), ACCENT)
    if notes:
        room = width - left.cell_len - right.cell_len - len(GAP) - 3
        left.append(" · ").append(cut(", ".join(notes), max(room, 12)), "yellow")
    return row(left, right, width) if right else left


def spelled_time(time: str | float | int) -> str:
    """Spell a time: text as it is to the second, numbers as seconds or milliseconds since 1970, in UTC."""
    if isinstance(time, str):
        return plain(time[:19].replace("T", " ", 1) if time[10:11] == "T" else time[:40])
    seconds = time / 1000 if abs(time) > 1e11 else time
    if not isfinite(seconds) or abs(seconds) > 2e11:
        return plain(str(time)[:40])
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _message_lines(message: Message, width: int) -> Iterator[Text]:
    unsent = not _UNSENT.isdisjoint(message.marks)
    for block in message.blocks:
        yield from _block_lines(block, width, DIM if unsent else "")


def _block_lines(block: Block, width: int, base: str) -> Iterator[Text]:
    room = width - len(_BODY)
    if isinstance(block, Words):
        if block.refusal:
            yield Text(_BODY).append("refused:", "red")
        yield from _text_lines(block.text, _BODY, room, base)
    elif isinstance(block, Thinking):
        yield from _thinking_lines(block, room)
    elif isinstance(block, ToolCall):
        yield from _call_lines(block, room, base)
    elif isinstance(block, ToolResult):
        yield from _result_lines(block, width, base)
    else:
        yield _medium_line(block, _BODY, room)


def _text_lines(text: str, indent: str, room: int, style: str) -> Iterator[Text]:
    for line in text.strip("\n").split("\n"):
        for part in wrapped(line.rstrip("\r").expandtabs(_TAB), room):
            yield Text((indent + part).rstrip(), style)


def _thinking_lines(block: Thinking, room: int) -> Iterator[Text]:
    if block.text.strip():
        yield from _text_lines(block.text, _BODY + _THINKING, room - len(_THINKING), f"{DIM} italic")
        return
    size = f", {len(block.signature):,} bytes" if block.signature else ""
    kind = "encrypted thinking" if block.signature else "empty thinking"
    yield Text(_BODY).append(f"({'redacted thinking' if block.redacted else kind}{size})", f"{DIM} italic")


def _call_lines(block: ToolCall, room: int, base: str) -> Iterator[Text]:
    name = cut(block.name or "?", room // 2)
    first, *rest = wrapped(f"{name} {_spelled(block.arguments)[: 4 * ARGUMENT_LINES * room]}", room - 2)
    if len(rest) >= ARGUMENT_LINES:
        rest = [*rest[: ARGUMENT_LINES - 2], cut(" ".join(rest[ARGUMENT_LINES - 2 :]), room - 2)]
    line = Text(_BODY).append("→ ").append(first[: len(name)], f"bold {base}".strip()).append(first[len(name) :], base)
    yield line
    yield from (Text(f"{_BODY}  ").append(part, base) for part in rest)


def _spelled(arguments: object) -> str:
    if isinstance(arguments, str):
        return arguments
    try:
        return json.dumps(arguments, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return "{…}"


def _result_lines(block: ToolResult, width: int, base: str) -> Iterator[Text]:
    line = Text(_BODY).append("← ").append(cut(block.name or block.call_id or "?", width // 2), f"bold {base}".strip())
    if block.is_error:
        line.append(GAP + "error", "red")
    yield line
    indent = _BODY + INDENT
    for part in block.content:
        if isinstance(part, Words):
            yield from _shortened(part.text, RESULT_LINES, indent, width, base)
        else:
            yield _medium_line(part, indent, width - len(indent))


def _shortened(text: str, most: int, indent: str, width: int, style: str = "") -> Iterator[Text]:
    """Draw the first lines of a text, each cut to the width, and how many more there are."""
    stripped = text.strip("\n")
    lines = stripped.split("\n", most + 1)
    total = stripped.count("\n") + 1
    # "1 more line" would take the place of that very line.
    kept = lines if total <= most + 1 else lines[:most]
    for line in kept:
        shown = cut(line[: 8 * width].rstrip("\r").expandtabs(_TAB) + line[8 * width :][:1], width - len(indent))
        yield Text(indent).append(shown, style) if shown else Text("")
    if total > len(kept):
        yield Text(indent).append(f"… {counted(total - len(kept), 'more line')}", DIM)


def _medium_line(block: Media | Opaque, indent: str, room: int) -> Text:
    name = f" · {block.name}" if isinstance(block, Media) and block.name else ""
    return Text(indent).append(f"[{cut(described(block) + name, room - 2)}]", ACCENT)
