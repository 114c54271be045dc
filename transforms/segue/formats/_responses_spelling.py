"""Spell messages as items of Responses, over the source's own items where the source speaks the dialect.

An item's own id goes along only where the target itself wrote the turn: the server checks an item with an id against
the reasoning that it remembers for it, and refuses ids that it did not make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from segue.changes import Change, dropped, rewritten
from segue.formats._openai import (
    arguments_text,
    custom_input,
    same,
    system_role,
)
from segue.formats._responses import (
    OUTPUTS,
    read_output,
    read_reasoning,
    read_text_signature,
    reasoning_item,
    word_blocks,
)
from segue.formats._responses_parts import spelled_content, spelled_parts, unspeakable
from segue.identity import digest, id_parts
from segue.model import (
    Block,
    Json,
    Message,
    Opaque,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from segue.targets import Target

PREFIXES = {"message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc"}
RULE = "item-id"  # the pass that this backs up: it sees what calls and texts carry, not the other items
_LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass
class Spelling:
    """What spelling depends on, and what was spelled so far. `originals` are the source's messages by number.

    `own`: the source speaks this dialect, so the `raw` items are of use. `whole_ids`: what stays unspelled beside has
    calls' ids as they were read, so that none is taken apart.
    """

    session: Session
    target: Target
    own: bool
    originals: Mapping[int | None, Message]
    ids: set[str] = field(default_factory=set)  # item ids; the server refuses one that comes twice
    kinds: dict[str, str] = field(default_factory=dict)  # a call's id → the type of its item
    whole_ids: bool = False

    def id_parts(self, call_id: str) -> tuple[str, str | None]:
        return (call_id, None) if self.whole_ids else id_parts(call_id)


def spelled(message: Message, spelling: Spelling) -> Iterator[Json | Change]:
    """Spell a message as items; what the shape cannot say is told as a Change."""
    if message.role == "assistant":
        yield from _assistant(message, spelling)
        return
    rest: list[Block] = []
    for block in message.blocks:
        if isinstance(block, ToolResult):
            yield from _output(message, block, spelling)
        else:
            rest.append(block)
    if message.role == "tool":
        for block in rest:
            yield unspeakable(message, block)
    elif rest or not message.blocks:
        yield from _said(message, rest, spelling)


# ------------------------------------------------------------------------------- user and system


def _said(message: Message, blocks: Sequence[Block], spelling: Spelling) -> Iterator[Json | Change]:
    raw = (message.raw or {}) if spelling.own else {}
    item: Mapping[str, Json] = raw
    if not raw or spelling.originals.get(message.number) is not message:
        role = "user" if message.role == "user" else system_role(message.raw, spelling.session)
        parts = yield from spelled_parts(message, blocks, spelling.own)
        item = {
            **(raw or {"type": "message", "role": role}),
            "content": spelled_content(blocks, parts, raw.get("content")),
        }
    yield from _with_sound_id(message, item, "message", spelling)


# ----------------------------------------------------------------------------------------- results


def _output(message: Message, result: ToolResult, spelling: Spelling) -> Iterator[Json | Change]:
    raw = (result.raw or {}) if spelling.own else {}
    wire_id = spelling.id_parts(result.call_id)[0]
    kind = spelling.kinds.get(wire_id) or raw.get("type", OUTPUTS[0]).removesuffix("_output")
    kind = f"{kind}_output"
    before = read_output(raw, {}) if raw else None
    if before and (raw["type"], before.call_id) == (kind, wire_id) and same(before.content, result.content):
        yield raw
        return
    output: Json = result.text
    if isinstance(raw.get("output"), list) or any(not isinstance(block, Text) for block in result.content):
        output = (yield from spelled_parts(message, result.content, bool(raw))) or ""
    yield {**raw, "type": kind, "call_id": wire_id, "output": output}


# --------------------------------------------------------------------------------------- assistant


def _assistant(message: Message, spelling: Spelling) -> Iterator[Json | Change]:
    for _, group in groupby(enumerate(message.blocks), lambda entry: _item_key(entry[0], entry[1], spelling)):
        entries = list(group)
        index, block = entries[0]
        raw = block.raw if spelling.own else None
        words = [entry for _, entry in entries if isinstance(entry, Text | Opaque)]
        if words and raw is not None and raw.get("type", "message") == "message":
            yield from _own_words(message, words, raw, spelling)
        elif isinstance(block, Text):
            yield from _new_words(message, index, [word for word in words if isinstance(word, Text)], spelling)
        elif isinstance(block, Thinking):
            yield from _reasoning(message, block, spelling)
        elif isinstance(block, ToolCall):
            yield from _call(message, block, spelling)
        elif isinstance(block, Opaque) and raw is not None:
            yield from _with_sound_id(message, raw, block.type, spelling)
        else:
            yield unspeakable(message, block)


def _item_key(index: int, block: Block, spelling: Spelling) -> tuple[str, object]:
    """Tell which neighbours are parts of one message item: those read from one, or those that share its id."""
    if isinstance(block, Text | Opaque) and spelling.own and block.raw is not None:
        return "raw", id(block.raw)
    if isinstance(block, Text) and not block.refusal and read_text_signature(block.signature)[0]:
        return "signature", block.signature
    return "block", index


def _own_words(
    message: Message, blocks: Sequence[Text | Opaque], raw: Mapping[str, Json], spelling: Spelling
) -> Iterator[Json | Change]:
    before = list(word_blocks(raw))
    signature = next((block.signature for block in blocks if isinstance(block, Text)), None)
    had = next((block.signature for block in before if isinstance(block, Text)), None)
    item = raw
    if [_word(block) for block in before] != [_word(block) for block in blocks]:
        item = {**raw, "content": _own_content(blocks, raw.get("content"))}
    if had is not None and signature is None:
        yield _without_id(item)
    elif spelling.target.wrote(message.origin) or "id" not in raw:
        yield from _with_sound_id(message, item, "message", spelling)
    else:
        yield rewritten(RULE, f"left out another model's item id {raw['id']!r}", message, blocks[0])
        yield _without_id(item)


def _own_content(blocks: Sequence[Text | Opaque], before: Json) -> Json:
    """Spell changed words, over the parts that did not change."""
    if isinstance(before, str) and len(blocks) == 1 and isinstance(blocks[0], Text) and not blocks[0].refusal:
        return blocks[0].text
    parts = list(before) if isinstance(before, list) else []
    content = []
    for block in blocks:
        old = next((part for part in parts if _word(block) == _part_word(part)), None)
        if old is not None:
            parts.remove(old)
            content.append(old)
        elif isinstance(block, Text):
            content.append(_output_text(block))
    return content


def _word(block: Text | Opaque) -> tuple[str, str]:
    if isinstance(block, Text):
        return "refusal" if block.refusal else "text", block.text
    return block.type, ""


def _part_word(part: Json) -> tuple[str, str]:
    (block,) = word_blocks({"content": [part]})
    return _word(block)


def _without_id(item: Mapping[str, Json]) -> Json:
    """Take an item's id away, and what only goes with one; one plain text is then said as a text."""
    kept = {key: value for key, value in item.items() if key not in ("id", "status", "phase")}
    parts = kept.get("content")
    if isinstance(parts, list) and len(parts) == 1 and isinstance(parts[0], dict):
        part = parts[0]
        extra = [key for key, value in part.items() if key not in ("type", "text") and value]
        if part.get("type") == "output_text" and not extra:
            kept["content"] = part["text"]
    return kept


def _new_words(message: Message, index: int, texts: Sequence[Text], spelling: Spelling) -> Iterator[Json | Change]:
    item_id, phase = read_text_signature(texts[0].signature)
    if not spelling.target.wrote(message.origin):
        item_id = phase = None
    if item_id is not None and len(item_id) > 64:
        item_id = f"msg_{digest(item_id)}"
    refused = texts[0].refusal
    if refused and item_id is None:
        # Only a whole item with an id may hold a refusal; this kind of id is one that the server takes from anybody.
        item_id = f"msg_{digest('refusal', message.number, message.line, index)}"
    item: dict[str, Json] = {"type": "message", "role": "assistant"}
    if item_id is not None:
        item |= {"id": item_id, "status": "completed", "content": [_output_text(text) for text in texts]}
    else:
        item["content"] = "\n\n".join(text.text for text in texts)
    yield from _with_sound_id(message, item | ({"phase": phase} if phase else {}), "message", spelling)


def _output_text(text: Text) -> Json:
    if text.refusal:
        return {"type": "refusal", "refusal": text.text}
    return {"type": "output_text", "text": text.text, "annotations": []}


def _reasoning(message: Message, thought: Thinking, spelling: Spelling) -> Iterator[Json | Change]:
    raw = thought.raw if spelling.own else None
    item: Json = None
    if raw is not None and raw.get("type") == "reasoning" and same([read_reasoning(raw)], [thought]):
        item = raw
    else:
        item = reasoning_item(thought.signature)
        if isinstance(item, dict) and item.get("content", ...) is None:
            item = {key: value for key, value in item.items() if key != "content"}  # Codex keeps it as null
    if item is None and spelling.target.unsigned_thinking and thought.text:
        item = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": thought.text}]}
    if item is None:
        yield dropped("unsigned-thinking", "thinking without its reasoning item cannot be sent back", message, thought)
    else:
        yield from _with_sound_id(message, item, "reasoning", spelling)


def _call(message: Message, call: ToolCall, spelling: Spelling) -> Iterator[Json | Change]:
    raw = (call.raw or {}) if spelling.own else {}
    wire_id, item_id = spelling.id_parts(call.id)
    item_id = call.item or item_id
    own_turn = spelling.target.wrote(message.origin)
    text = custom_input(call.arguments)
    custom = text is not None and (
        raw.get("type") == "custom_tool_call" or (not raw and own_turn and _is_custom(call, item_id))
    )
    kind = "custom_tool_call" if custom else "function_call"
    item: dict[str, Json] = {"type": kind, "id": item_id, "call_id": wire_id, "name": call.name}
    item |= {"input": text} if custom else {"arguments": arguments_text(call.arguments, raw.get("arguments"))}
    spelling.kinds[wire_id] = kind
    if raw.get("type") == kind:
        item = {**raw, **item}
    if item_id is not None and not own_turn:
        yield rewritten(RULE, f"left out another model's item id {item_id!r}", message, call, before=item_id)
    if (item_id is None and raw.get("id", "") is not None) or (item_id is not None and not own_turn):
        del item["id"]
    yield from _with_sound_id(message, raw if item == raw else item, kind, spelling)


def _is_custom(call: ToolCall, item_id: str | None) -> bool:
    """Tell a call of a custom tool by its item's id, or by the object that a session of the dialect holds."""
    has_id = item_id is not None and item_id.startswith(PREFIXES["custom_tool_call"])
    return has_id or (call.raw or {}).get("type") == "custom_tool_call"


# --------------------------------------------------------------------------------------------- ids


def _with_sound_id(
    message: Message, item: Mapping[str, Json], kind: str, spelling: Spelling
) -> Iterator[Json | Change]:
    """Pass an item on, without an id that the server would refuse: of another make, or there already."""
    item_id = item.get("id")
    if item_id is None:
        yield item
        return
    if not isinstance(item_id, str) or not item_id.startswith(PREFIXES.get(kind, "")) or not _LEGAL.fullmatch(item_id):
        why = "the server gives none of this form"
    elif item_id in spelling.ids and kind != "item_reference":
        why = "another item has it"
    else:
        spelling.ids.add(item_id)
        yield item
        return
    yield rewritten(RULE, f"left out item id {item_id!r}: {why}", message, before=str(item_id))
    if kind == "message" and item.get("role") == "assistant":
        yield _without_id(item) | ({"phase": item["phase"]} if "phase" in item else {})
    else:
        yield {key: value for key, value in item.items() if key != "id"}
