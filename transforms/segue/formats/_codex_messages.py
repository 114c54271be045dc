"""Messages out of the folded items of a Codex rollout, in the dialect of Responses.

What the assistant did in a row is one turn, as long as one model did it. A user's message that the agent put its own
context into becomes several, so that the context can be told from the prompt: all of one record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from segue.formats._codex_context import is_payload, is_summary, parts_of
from segue.formats._codex_fold import Entry
from segue.formats._openai import at, first_text, tool_names
from segue.formats._responses import OUTPUTS, assistant_blocks, content_blocks, read_output
from segue.formats._types import ReadOptions
from segue.model import Block, Json, Mark, Message, Opaque, Origin, Place, Role, Text, ToolCall

LOCAL_SHELL = "local_shell"  # the name of the host's shell tool, whose calls name none


def messages_of(entries: Sequence[Entry], options: ReadOptions) -> Iterator[Message]:
    """Read entries into messages, numbered from 0."""
    number = 0
    names: dict[str, str] = {}  # a call's id → the tool that it named
    answered = {first_text(entry.item.get("call_id")) for entry in entries if entry.item.get("type") in OUTPUTS}
    for key, group in groupby(entries, lambda entry: _speaker(entry, options)):
        if key is None:
            for entry in group:
                for message in _others(entry, number, names):
                    yield message
                    number += 1
            continue
        for turn in _turns(group, answered):
            names.update(tool_names(block for block, _ in turn))
            yield _assistant(turn, number, key[0])
            number += 1


def _turns(entries: Iterable[Entry], answered: Collection[Json]) -> Iterator[list[tuple[Block, Entry]]]:
    """Part what the assistant did in a row where a result must have stood: behind calls that have none."""
    turn: list[tuple[Block, Entry]] = []
    is_open = False
    for entry in entries:
        blocks = blocks_of(entry.item)
        calls = [block for block in blocks if isinstance(block, ToolCall)]
        if is_open and not calls:
            yield turn
            turn, is_open = [], False
        turn.extend((block, entry) for block in blocks)
        is_open = is_open or any(call.id not in answered for call in calls)
    yield turn


def blocks_of(item: Json) -> list[Block]:
    """Read what the assistant did; a call of the host's shell is one that the agent itself answers."""
    if item.get("type") == "local_shell_call":
        name = first_text(item.get("call_id"), item.get("id"))
        action = item.get("action")
        return [ToolCall(name, LOCAL_SHELL, action if isinstance(action, dict) else {}, raw=item)]
    return assistant_blocks(item) or []


def _speaker(entry: Entry, options: ReadOptions) -> tuple[Origin | None] | None:
    """Tell who did an item as an assistant; None if it is somebody else's."""
    if "recipient" in entry.item or is_payload(entry.item) or assistant_blocks(entry.item) is None:
        return None
    origin = entry.origin
    return (options.origin(origin.model if origin else None) or origin,)


def _assistant(turn: Sequence[tuple[Block, Entry]], number: int, origin: Origin | None) -> Message:
    first = turn[0][1]
    return Message(
        "assistant",
        tuple(at(block, _place(entry, number, index)) for index, (block, entry) in enumerate(turn)),
        origin=origin,
        number=number,
        line=first.record.line,
        records=tuple(dict.fromkeys(entry.record.number for _, entry in turn)),
        time=first.time,
    )


def _others(entry: Entry, number: int, names: dict[str, str]) -> Iterator[Message]:
    item = entry.item
    if item.get("type") in OUTPUTS:
        yield _message("tool", [read_output(item, names)], entry, number)
    elif is_payload(item) and isinstance(item.get("message"), str):
        yield _message("user", [Text(item["message"])], entry, number, {"compaction-summary"})
    elif "recipient" in item or is_payload(item):
        yield _message("user", _words_of_agent(item), entry, number, {"meta"})
    else:
        role: Role = "user" if item["role"] == "user" else "system"
        summary: set[Mark] = {"compaction-summary"} if is_summary(item) else set()
        blocks = content_blocks(item.get("content"))
        parts = list(zip(parts_of(item), blocks, strict=True))
        for is_injected, run in groupby(parts, lambda part: part[0] == "injected"):
            listed = list(run)
            marks: set[Mark] = {"injected"} if is_injected else set(summary)
            if not is_injected and all(kind == "told" for kind, _ in listed):
                marks.add("meta")
            yield _message(role, [block for _, block in listed], entry, number, marks)
            number += 1
        if not parts:
            yield _message(role, [], entry, number)


def _message(role: Role, blocks: Sequence[Block], entry: Entry, number: int, marks: set[Mark] | None = None) -> Message:
    return Message(
        role,
        tuple(at(block, _place(entry, number, index)) for index, block in enumerate(blocks)),
        number=number,
        line=entry.record.line,
        records=(entry.record.number,),
        time=entry.time,
        marks=frozenset(marks or ()),
        raw=entry.item,
    )


def _words_of_agent(item: Json) -> list[Block]:
    """Read what another agent said; sealed words cannot be read by anybody else."""
    content = item.get("content")
    if content:
        return list(content_blocks(content))
    return [Opaque("encrypted_content", raw=item)]


def _place(entry: Entry, number: int, index: int) -> Place:
    return Place(entry.record.number, entry.record.line, number, index)
