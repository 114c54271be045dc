"""Spell messages as the items of a Codex rollout: those of Responses, in the narrower form that the agent reads.

Its messages hold lists of texts and images, nothing else; a line that holds anything else it drops without a word.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import is_

from segue.changes import Change, downgraded, dropped, media_left_out, media_named
from segue.formats._codex_fold import is_spoken
from segue.formats._codex_messages import blocks_of
from segue.formats._responses_spelling import Spelling, spelled
from segue.model import Block, ContentBlock, Json, Media, Message, Text, ToolCall, ToolResult
from segue.passes.pairing import is_filler

_ERROR = "[tool error]"
_NEW_KEYS = {  # what the agent writes of an item itself; more is not wanted in a new one
    "message": ("type", "role", "content", "phase"),
    "function_call": ("type", "name", "arguments", "call_id"),
    "custom_tool_call": ("type", "status", "call_id", "name", "input"),
    "function_call_output": ("type", "call_id", "output"),
    "custom_tool_call_output": ("type", "call_id", "output"),
}


def spelled_items(message: Message, spelling: Spelling) -> Iterator[Json | Change]:
    """Spell a message as items; what the shape cannot say is told as a Change."""
    only = message.blocks[0] if len(message.blocks) == 1 else None
    if isinstance(only, ToolCall) and only.raw is not None and _is_local(only):
        yield {**only.raw, "call_id": only.id}
        return
    blocks: list[Block] = []
    for block in message.blocks:
        blocks.append((yield from _settled(message, block)))
    fit = message if all(map(is_, blocks, message.blocks)) else message.with_blocks(blocks)
    for item in spelled(fit, spelling):
        if isinstance(item, Change):
            yield item
            continue
        made = _narrowed(item, is_new=not _stood(item, message))
        if is_spoken(made):
            yield made
        else:
            kind = str(made.get("type"))
            yield dropped("unknown-block", f"a session of codex has no place for an item {kind!r}", message)


def _is_local(call: ToolCall) -> bool:
    """Tell a call of the host's shell of which nothing but the id has changed."""
    if call.raw is None or call.raw.get("type") != "local_shell_call":
        return False
    (before,) = blocks_of(call.raw)
    return isinstance(before, ToolCall) and (call.name, call.arguments) == (before.name, before.arguments)


def _stood(item: Json, message: Message) -> bool:
    """Tell an item that was in the source, changed or not: it keeps keys that the agent alone knows."""
    raws = [message.raw, *(block.raw for block in message.blocks)]
    return any(raw is not None and raw.get("type") == item.get("type") for raw in raws)


# --------------------------------------------------------------------------- what the shape cannot say


def _settled(message: Message, block: Block) -> Generator[Change, None, Block]:
    """Give a block the form that an item can have."""
    if isinstance(block, ToolResult):
        return (yield from _result(message, block))
    if isinstance(block, Media) and message.role != "assistant":
        return (yield from _medium(message, block, block))
    return block


def _result(message: Message, result: ToolResult) -> Generator[Change, None, ToolResult]:
    content: list[ContentBlock] = []
    for inner in result.content:
        content.append((yield from _medium(message, inner, result)) if isinstance(inner, Media) else inner)
    if result.is_error and not is_filler(result) and not result.text.lstrip().casefold().startswith(_ERROR):
        what = f"lost the error mark of the result of call {result.call_id!r}"
        yield downgraded("error-flag", what, message, result)
        first = next((index for index, inner in enumerate(content) if isinstance(inner, Text)), None)
        if first is None:
            content.insert(0, Text(_ERROR))
        else:
            content[first] = Text(f"{_ERROR} {content[first].text}")  # type: ignore[union-attr]
    return result if content == list(result.content) else replace(result, content=tuple(content))


def _medium(message: Message, media: Media, place: Block) -> Generator[Change, None, Media | Text]:
    if media.kind == "image" and media.file is None:
        return media
    reason = "a session of codex holds no documents" if media.kind == "document" else "its file is stored elsewhere"
    text = media_left_out(media, reason)
    what = f"turned {media_named(media)} into a placeholder: {reason}"
    yield downgraded("unsupported-media", what, message, place, after=text)
    return Text(text, place=place.place)


# ------------------------------------------------------------------------------------- the narrower form


def _narrowed(item: Mapping[str, Json], is_new: bool) -> dict[str, Json]:
    kind = item.get("type", "message")
    made = {"type": kind, **item}
    if kind == "message":
        made["role"] = "developer" if made["role"] == "system" else made["role"]
        part = "output_text" if made["role"] == "assistant" else "input_text"
        content = made["content"]
        if isinstance(content, str):
            content = [{"type": part, "text": content}]
        made["content"] = [_part(one, part, is_new) for one in content]
    elif kind.endswith("_output") and isinstance(made.get("output"), list):
        made["output"] = [_part(one, "input_text", is_new) for one in made["output"]]
    keys: Sequence[str] | None = _NEW_KEYS.get(kind) if is_new else None
    return made if keys is None else {key: made[key] for key in keys if key in made}


def _part(part: Json, kind: str, is_new: bool) -> Json:
    if isinstance(part, dict) and part.get("type") == "refusal":
        return {"type": kind, "text": part.get("refusal")}
    if is_new and isinstance(part, dict) and part.get("type") in ("output_text", "input_text"):
        return {"type": kind, "text": part.get("text")}
    if is_new and isinstance(part, dict) and part.get("type") == "input_image":
        return {"type": "input_image", "image_url": part.get("image_url")}
    return part
