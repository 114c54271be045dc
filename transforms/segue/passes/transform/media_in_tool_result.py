"""Move media out of tool results where the api takes only text there.

Chat apis take images from the user only. They follow in a user message behind all results of the turn, for nothing
may stand between those; a line says whose they are.
Source: api rule C-S4; pi issue 902, read 2026-11.

Example, for openai/gpt-4o over openai-completions:

    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "shot", "content": [{"type": "text", "text": "taken"}, {"type": "image", "media_type": "image/png", "data": "iVBORw0KGgo="}]}]}
  →
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "shot", "content": "taken"}]}
    {"role": "user", "content": [{"type": "text", "text": "Attached image from the result of call c1 (shot):"}, {"type": "image", "media_type": "image/png", "data": "iVBORw0KGgo="}]}

    = 0.0 moved an image (image/png, 8 bytes) of the result of call 'c1' (shot) behind the results
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, call_named, described, media_named, rewritten
from segue.model import Block, History, Media, Message, Text, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "media-in-tool-result"
NEEDS = frozenset({"Media"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if target.result_media >= {"image", "document"}:
        yield from history.messages
        return
    caption = "Attached {kind} from the result of call {call}:"
    yield from media_moved(history, RULE, lambda result: True, caption, stay=target.result_media)


def media_moved(
    history: History, rule: str, concerns: object, caption: str, stay: frozenset[str] = frozenset()
) -> Iterator[Message | Change]:
    """Move the media of the concerned results into a user message behind the run of results they stand in."""
    waiting: list[Block] = []
    for message in history.messages:
        lead = 0
        if message.role != "assistant":
            while lead < len(message.blocks) and isinstance(message.blocks[lead], ToolResult):
                lead += 1
        if waiting and not lead:
            yield Message("user", tuple(waiting), time=message.time, touched=True)
            waiting = []
        blocks: list[Block] = []
        changed = False
        for block in message.blocks:
            content = block.content if type(block) is ToolResult else ()
            media = [inner for inner in content if isinstance(inner, Media) and inner.kind not in stay]
            if not media or not concerns(block):  # type: ignore[operator]
                blocks.append(block)
                continue
            result: ToolResult = block  # type: ignore[assignment]
            changed = True
            blocks.append(_without(result, media))
            name = f"{result.call_id} ({result.name})" if result.name else result.call_id
            kinds = {medium.kind for medium in media}
            kind = f"{media[0].kind}{'s' if len(media) > 1 else ''}" if len(kinds) == 1 else "files"
            waiting.append(Text(caption.format(kind=kind, call=name)))
            waiting.extend(media)
            for medium in media:
                what = f"moved {media_named(medium)} of the result of call {call_named(result)} behind the results"
                yield rewritten(rule, what, message, result, before=described(medium))
        if waiting and lead < len(message.blocks):
            at = lead
            blocks[at:at] = waiting
            waiting = []
            changed = True
        yield message.with_blocks(blocks) if changed else message
    if waiting:
        yield Message("user", tuple(waiting), touched=True)


def _without(result: ToolResult, media: list[Media]) -> ToolResult:
    kept = tuple(inner for inner in result.content if not any(inner is medium for medium in media))
    has_words = any(not isinstance(inner, Text) or inner.text.strip() for inner in kept)
    return replace(result, content=kept if has_words else (Text("(see the attached file)"),))
