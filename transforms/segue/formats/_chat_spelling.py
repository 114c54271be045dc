"""Spell messages as Chat Completions has them, over the source's own objects where the source speaks the dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from segue.changes import Change, dropped
from segue.formats._chat import DETAILS, REASONING_KEYS, THINKING_FIELDS, read_result, thought_signature
from segue.formats._openai import (
    DOCUMENT_NAME,
    address,
    arguments_text,
    custom_input,
    joined_texts,
    same,
    system_role,
)
from segue.model import Block, Json, Media, Message, Opaque, Role, Session, Text, Thinking, ToolCall, ToolResult
from segue.records import parse
from segue.targets import Target

CONTENT_SUBSTITUTES = ("tool_calls", "function_call", "refusal", "audio")


@dataclass(frozen=True)
class Spelling:
    """What spelling a message depends on. `originals` are the source's messages by number.

    `own`: the source speaks this dialect, so the `raw` objects are of use.
    """

    session: Session
    target: Target
    own: bool
    originals: Mapping[int | None, Message]

    def original(self, message: Message) -> Message | None:
        return self.originals.get(message.number) if self.own else None


def spelled(message: Message, spelling: Spelling) -> Iterator[Json | Change]:
    """Spell a message as one or more message objects; what the shape cannot say is told as a Change."""
    original = spelling.original(message)
    if original is message and message.raw is not None:
        yield message.raw
    else:
        yield from _SPELLERS[message.role](message, original, spelling)


def _system(message: Message, original: Message | None, spelling: Spelling) -> Iterator[Json | Change]:
    role = system_role(message.raw, spelling.session) if spelling.target.developer_role else "system"
    yield from _with_content(message, message.blocks, original, spelling, {"role": role})


def _user(message: Message, original: Message | None, spelling: Spelling) -> Iterator[Json | Change]:
    results = message.of(ToolResult)
    yield from _results(message, results, spelling)
    rest = [block for block in message.blocks if not isinstance(block, ToolResult)]
    if rest or not results:
        yield from _with_content(message, rest, original, spelling, {"role": "user"})


def _tool(message: Message, original: Message | None, spelling: Spelling) -> Iterator[Json | Change]:
    yield from _results(message, message.of(ToolResult), spelling)
    for block in message.blocks:
        if not isinstance(block, ToolResult):
            yield _unspeakable(message, block)


def _with_content(
    message: Message, blocks: Sequence[Block], original: Message | None, spelling: Spelling, fresh: dict[str, Json]
) -> Iterator[Json | Change]:
    """Spell a system's or a user's message: a text stays a text, parts stay parts."""
    raw = dict(message.raw or {}) if spelling.own else {}
    if raw and original and same(blocks, original.blocks):
        yield raw
        return
    parts: list[Json] = []
    for block in blocks:
        part = _spelled_part(block, spelling.own)
        if part is None:
            yield _unspeakable(message, block)
        else:
            parts.append(part)
    plain = len(blocks) == 1 and isinstance(blocks[0], Text) and not (spelling.own and blocks[0].raw)
    content: Json = parts
    if (plain or not parts) and not isinstance(raw.get("content"), list):
        content = parts[0]["text"] if parts else ""
    elif _is_plain(blocks, raw, fresh["role"], spelling.target):
        content = joined_texts(block for block in blocks if isinstance(block, Text))
    yield (raw or fresh) | {"content": content}


def _is_plain(blocks: Sequence[Block], raw: Mapping[str, Json], role: str, target: Target) -> bool:
    """Tell whether several texts go as one: a system's always did, a user's where the host takes strings only."""
    if not raw and role != "user":
        return True
    are_texts = all(isinstance(block, Text) for block in blocks)
    return are_texts and not target.text_parts and not isinstance(raw.get("content"), list)


def _assistant(message: Message, original: Message | None, spelling: Spelling) -> Iterator[Json | Change]:
    own = spelling.own
    raw = dict(message.raw or {}) if own else {}
    before = original.blocks if original else ()
    body: dict[str, Json] = raw or {"role": "assistant", "content": None}
    thoughts = message.of(Thinking)
    if not original or not same(thoughts, _kind(before, Thinking)):
        for key in REASONING_KEYS:
            body.pop(key, None)
        yield from _reasoning(message, thoughts, spelling.target, body)

    calls = message.of(ToolCall)
    if not original or not same(calls, _kind(before, ToolCall)):
        spell_calls(calls, body, own)

    words = _words(message.blocks)
    if not original or not same(words, _words(before)):
        yield from _spell_words(message, words, spelling.target, body, own)
    if body.get("content") is None and not any(body.get(key) for key in CONTENT_SUBSTITUTES):
        body["content"] = ""  # null is for messages that say something else
    yield body


def _reasoning(
    message: Message, thoughts: Sequence[Thinking], target: Target, body: dict[str, Json]
) -> Iterator[Change]:
    for thought in thoughts:
        details = _details(thought.signature)
        field = _field(thought, target)
        if target.thinking != "field" or (details is None and field is None):
            yield dropped("foreign-thinking", "the request has no field for this thinking", message, thought)
        elif details is not None:
            body[DETAILS] = [*body.get(DETAILS, []), *details]
        elif field is not None:
            # One field holds all the thinking of a turn: the first one to be named.
            named = next((name for name in THINKING_FIELDS if name in body), field)
            body[named] = f"{body[named]}\n{thought.text}" if body.get(named) else thought.text


def _field(thought: Thinking, target: Target) -> str | None:
    """Name the field that thinking goes back in: the one that it names, else the host's own."""
    if thought.signature in THINKING_FIELDS:
        return thought.signature
    if not (thought.text and target.unsigned_thinking):
        return None
    return target.thinking_field if target.thinking_field in THINKING_FIELDS else "reasoning"


def _details(signature: str | None) -> list[Json] | None:
    if not signature or not signature.startswith("["):
        return None
    try:
        value = parse(signature.encode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    return value if isinstance(value, list) else None


def _spell_words(
    message: Message, words: Sequence[Block], target: Target, body: dict[str, Json], own: bool
) -> Iterator[Change]:
    """Put an assistant's texts into `content` and `refusal`, parts only where they are taken."""
    for key in ("refusal", "audio"):
        body.pop(key, None)
    parts: list[Json] = []
    texts: list[Text] = []
    for block in words:
        if isinstance(block, Text):
            texts.append(block)
            parts.append(_spelled_part(block, own))
        elif own and isinstance(block, Opaque) and block.type == "audio":
            body.update(block.raw or {})
        elif own and isinstance(block, Opaque) and block.raw is not None:
            parts.append(block.raw)
        else:
            yield _unspeakable(message, block)
    refusals = [text for text in texts if text.refusal]
    listed = isinstance(body.get("content"), list)
    if len(parts) > len(texts) or (parts and listed) or (len(parts) > 1 and target.text_parts):
        body["content"] = parts
    elif refusals and target.text_parts:
        body["content"] = None
        body["refusal"] = refusals[0].text
    elif parts:
        body["content"] = joined_texts(texts)
    else:
        body["content"] = body["content"] if body.get("content") == "" else None if target.text_parts else ""


def spell_calls(calls: Sequence[ToolCall], body: dict[str, Json], own: bool) -> None:
    """Put calls into a message object, over the source's own ones where it speaks the dialect."""
    legacy: Json = None
    listed = []
    for call in calls:
        raw = call.raw if own else None
        if raw is not None and _is_legacy(raw) and not call.id:
            legacy = {**raw, "name": call.name} | _arguments(call, raw)
        else:
            listed.append(_spelled_call(call, raw))
    for key, value in (("tool_calls", listed), ("function_call", legacy)):
        if value:
            body[key] = value  # in the place that the key has already
        else:
            body.pop(key, None)


def _spelled_call(call: ToolCall, raw: Mapping[str, Json] | None) -> Json:
    if raw is None or _is_legacy(raw):
        function = {"name": call.name, "arguments": arguments_text(call.arguments, (raw or {}).get("arguments"))}
        return {"id": call.id, "type": "function", "function": function}
    text = custom_input(call.arguments)
    if isinstance(raw.get("custom"), dict) and text is not None:
        return {**raw, "id": call.id, "custom": {**raw["custom"], "name": call.name, "input": text}}
    function = raw["function"] if isinstance(raw.get("function"), dict) else {}
    spelled_call = {key: value for key, value in raw.items() if key != "custom"} | {"id": call.id, "type": "function"}
    spelled_call["function"] = {**function, "name": call.name} | _arguments(call, function)
    if call.signature is None and thought_signature(raw):
        del spelled_call["extra_content"]
    return spelled_call


def _arguments(call: ToolCall, function: Mapping[str, Json]) -> dict[str, Json]:
    return {"arguments": arguments_text(call.arguments, function.get("arguments"))}


def _is_legacy(raw: Mapping[str, Json]) -> bool:
    return not isinstance(raw.get("function"), dict) and not isinstance(raw.get("custom"), dict)


def _results(message: Message, results: Sequence[ToolResult], spelling: Spelling) -> Iterator[Json | Change]:
    for result in results:
        raw = (result.raw or {}) if spelling.own else {}
        before = read_result(raw, {})
        if raw and before.call_id == result.call_id and same(before.content, result.content):
            yield raw
            continue
        texts: list[Json] = []
        for block in result.content:
            if isinstance(block, Text):
                texts.append(_spelled_part(block, own=bool(raw)))
            elif raw and isinstance(block, Opaque) and block.raw is not None:
                texts.append(block.raw)
            else:
                yield _unspeakable(message, block)
        if raw.get("role") == "function" and not result.call_id:
            body = dict(raw)
        else:
            body = {**raw, "role": "tool", "tool_call_id": result.call_id}
        body["content"] = texts if texts and isinstance(raw.get("content"), list) else result.text
        yield body


def _spelled_part(block: Block, own: bool) -> Json:
    """Spell a part of a content, None where the shape has no place for it."""
    raw = dict(block.raw) if own and block.raw is not None else {}
    if isinstance(block, Text):
        key = "refusal" if block.refusal else "text"
        return raw | {"type": key, key: block.text}
    if isinstance(block, Media):
        url = address(block)
        if block.kind == "image" and url is not None:
            image = raw.get("image_url")
            return raw | {"type": "image_url", "image_url": (image if isinstance(image, dict) else {}) | {"url": url}}
        if block.kind == "document" and (block.data is not None or (block.file and own)):
            return _file_part(block, raw)
        return None
    return raw or None


def _file_part(block: Media, raw: dict[str, Json]) -> Json:
    if block.data is None:
        return raw or None
    file = (raw["file"] if raw else {}) | {"filename": block.name or DOCUMENT_NAME}
    if raw and file == raw["file"] and file.get("file_data") == block.data:
        return raw
    return raw | {"type": "file", "file": file | {"file_data": address(block)}}


def _unspeakable(message: Message, block: Block) -> Change:
    if isinstance(block, Media):
        where = "a tool message" if message.role == "tool" else f"a message of the {message.role}"
        return dropped("unsupported-media", f"{where} cannot hold this {block.kind}", message, block)
    name = block.type if isinstance(block, Opaque) else type(block).__name__.lower()
    return dropped("unknown-block", f"a chat message has no place for a block {name!r}", message, block)


def _kind(blocks: Sequence[Block], kind: type[Block]) -> list[Block]:
    return [block for block in blocks if isinstance(block, kind)]


def _words(blocks: Sequence[Block]) -> list[Block]:
    return [block for block in blocks if not isinstance(block, Thinking | ToolCall)]


_SPELLERS: dict[Role, Callable[[Message, Message | None, Spelling], Iterator[Json | Change]]] = {
    "system": _system,
    "user": _user,
    "assistant": _assistant,
    "tool": _tool,
}
