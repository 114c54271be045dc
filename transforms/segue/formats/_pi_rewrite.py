"""How a pi session is written over: what `_tree` needs to know about its entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from segue.changes import Change
from segue.formats._pi_agent import ENTRY_TYPES, respelled
from segue.formats._pi_entries import entry, is_linear, spoken
from segue.formats._pi_session import message_entries, short_id
from segue.formats._pi_spelling import separated, write_content, write_message
from segue.formats._tree import Links, Tree
from segue.model import Block, Json, Message, ToolResult, Transcript


def rewriter(transcript: Transcript, changes: list[Change]) -> tuple[Transcript, Tree]:
    """Give the transcript with one result a message, as pi has it, and the tree that it is written over.

    What pi has no shape for is added to `changes` while the tree is written.
    """
    linear = _is_linear(transcript)
    edits = {
        entry(record)["targetId"]: record.number
        for record in transcript.source.records
        if entry(record).get("type") == "context_edit"
    }
    tree = Tree(
        rewrite=partial(_rewrite, changes=changes, edits=edits),
        create=partial(_create, changes=changes, linear=linear),
        relink=partial(_relink, linear=linear),
        is_turn=lambda value: spoken(value) is not None,
        new_id=short_id,
        linear=linear,
    )
    return replace(transcript, messages=tuple(_messages(transcript))), tree


def _is_linear(transcript: Transcript) -> bool:
    header = transcript.session.raw
    if header is None:
        return is_linear(transcript.source.records)
    version = header.get("version")
    return not isinstance(version, (int, float)) or version < 2


def _messages(transcript: Transcript) -> Iterator[Message]:
    if transcript.system != transcript.session.system:
        yield Message("system", transcript.system)
    homes = {m.records[0]: m for m in transcript.source.messages if m.role == "tool" and m.records}
    for message in transcript.messages:
        results = [block for block in message.blocks if isinstance(block, ToolResult)]
        if not results or (len(message.blocks) == 1 and message.role == "tool" and _is_home(message, results[0])):
            yield message
            continue
        for result in results:
            home = homes.get(result.place.record) if result.place is not None else None
            if home is None:
                yield Message("tool", (result,), time=message.time, touched=True)
            else:
                yield home if home.blocks == (result,) else home.with_blocks((result,))
        rest = [block for block in message.blocks if not isinstance(block, ToolResult)]
        if rest:
            yield message.with_blocks(rest)


def _is_home(message: Message, result: ToolResult) -> bool:
    return not message.records or result.place is None or result.place.record in message.records


def _rewrite(
    value: Json, blocks: tuple[Block, ...], message: Message, changes: list[Change], edits: Mapping[str, int]
) -> Json | None:
    """Lay blocks over an entry; None if nothing of it is left."""
    if not isinstance(value, Mapping) or "compaction-boundary" in message.marks:
        return value
    if value.get("type") == "context_edit":
        return _rewrite_edit(value, blocks, message, changes)
    edit = edits.get(value.get("id", ""))
    if edit is not None:
        # What the model sees of it stands in its edit; here only the ids may have changed.
        blocks = tuple(block for block in message.blocks if block.place is not None and block.place.record == edit)
    elif not blocks and len(message.records) > 1:
        return None
    said = value.get("systemMessage") if message.role == "system" and "systemMessage" in value else spoken(value)
    said = said if isinstance(said, Mapping) else {}
    alone = len(message.records) == 1 or edit is not None
    part = replace(message, blocks=blocks, raw=said, stop_reason=message.stop_reason if alone else None)
    if value.get("type") in ENTRY_TYPES and message.role != "system":
        content, told = separated(write_content(blocks, part, own=True))
        changes.extend(told)
        return respelled(value, content)
    spelled, told = separated(write_message(part, own=True))
    changes.extend(told)
    if not spelled:
        return None
    new = spelled[0] if edit is None else {**spelled[0], "content": said.get("content")}
    if "timestamp" in said and "timestamp" not in new:
        new["timestamp"] = said["timestamp"]
    return {**value, "systemMessage" if value.get("type") == "compaction" else "message": new}


def _rewrite_edit(
    value: Mapping[str, Json], blocks: tuple[Block, ...], message: Message, changes: list[Change]
) -> Json:
    before = value.get("replacement")
    if not isinstance(before, Mapping):
        return value
    inner: list[Block] = []
    for block in blocks:
        inner.extend(block.content if isinstance(block, ToolResult) else (block,))
    spelled, told = separated(write_content(inner, message, own=True))
    changes.extend(told)
    content: Json = spelled
    if isinstance(before.get("content"), str) and [block.keys() for block in spelled] == [{"type", "text"}]:
        content = spelled[0]["text"]
    return {**value, "replacement": {**before, "content": content}}


def _create(
    message: Message, parent_id: str | None, new_id: str, time: Json, changes: list[Change], linear: bool
) -> list[dict[str, Any]]:
    """Make the entries of a message that no record stands for yet."""
    timed = message if message.time is not None else replace(message, time=time)
    spelled, told = separated(message_entries(timed, own=True))
    changes.extend(told)
    entries: list[dict[str, Any]] = []
    for index, made in enumerate(spelled):
        if isinstance(time, str):
            made["timestamp"] = time
        if linear:
            entries.append(made)
            continue
        name = new_id if index == 0 else short_id(new_id, index)
        entries.append({"type": made["type"], "id": name, "parentId": parent_id} | made)
        parent_id = name
    return entries


def _relink(value: Json, links: Links, linear: bool) -> Json:
    """Let a compaction keep what it kept: its first entry may be gone, or have got one before it."""
    if not isinstance(value, Mapping) or value.get("type") != "compaction":
        return value
    if linear:
        index = value.get("firstKeptEntryIndex")
        line = links.lines.get(index) if isinstance(index, int) and index > 0 else None
        return value if line is None else {**value, "firstKeptEntryIndex": line}
    name = value.get("firstKeptEntryId")
    if not isinstance(name, str) or name not in links.followers:
        return value
    return {**value, "firstKeptEntryId": links.followers[name] or value.get("id")}
