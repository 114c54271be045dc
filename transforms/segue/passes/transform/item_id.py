"""Leave out item ids that the server would not accept.

An item that goes out under its server's id has to bring the reasoning that it was made with, must have the prefix of
its type, and no two may share an id. Without its id none of this is checked, and nothing else is lost.
Source: api rules O-T2 and O-R3; public reports, read 2026-11.

Example, for openai/gpt-5.2:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "text", "text": "one", "signature": "{\\"v\\":1,\\"id\\":\\"msg_1\\"}"}]}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "text", "text": "two", "signature": "{\\"v\\":1,\\"id\\":\\"msg_1\\"}"}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "text", "text": "one", "signature": "{\\"v\\":1,\\"id\\":\\"msg_1\\"}"}]}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "text", "text": "two"}]}

    = 1.0 left out item id 'msg_1': another item has it
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import orjson

from segue.changes import Change, rewritten
from segue.identity import id_parts
from segue.model import Block, History, Message, Text, ToolCall, ToolResult
from segue.passes._policy import Policy
from segue.passes.pairing import pairing_of
from segue.targets import Target

RULE = "item-id"
NEEDS = frozenset({"Text", "ToolCall"})
_MESSAGE_ID = re.compile(r"msg[A-Za-z0-9_-]{0,61}")
_CALL_ID = re.compile(r"(fc|ctc)[A-Za-z0-9_-]{0,62}")


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if not target.call_id.piped or not policy.as_request:
        yield from history.messages
        return
    seen: dict[str, Block] = {}  # item id → its first block: the parts of one message share theirs
    answers = _answers(history)
    shortened: dict[int, str] = {}  # by identity of a result: the call's id without the item's
    for message in history.messages:
        if message.role != "assistant" or not target.wrote(message.origin):
            yield _renamed(message, shortened)
            continue
        lost = "thinking-lost" in message.marks
        blocks: list[Block] = []
        changes: list[Change] = []
        for block in message.blocks:
            found = _item_id(block)
            why = None if found is None else _why_not(found, block, lost, seen)
            if found is not None and why is not None:
                changes.append(rewritten(RULE, f"left out item id {found!r}: {why}", message, block, before=found))
                after = _without_id(block)
                if isinstance(block, ToolCall) and isinstance(after, ToolCall) and after.id != block.id:
                    shortened |= dict.fromkeys(answers.get(id(block), ()), after.id)
                blocks.append(after)
            else:
                if found is not None:
                    seen.setdefault(found, block)
                blocks.append(block)
        yield from changes
        yield message.with_blocks(blocks) if changes else message


def _answers(history: History) -> dict[int, list[int]]:
    """Index the results by the call that they answer, each by identity."""
    return {id(pair.call): [id(result) for _, result in pair.results] for pair in pairing_of(history).pairs}


def _renamed(message: Message, shortened: dict[int, str]) -> Message:
    """Let the results of a call keep up with its id."""
    if not any(id(block) in shortened for block in message.blocks):
        return message
    return message.with_blocks(
        replace(block, call_id=shortened[id(block)])
        if isinstance(block, ToolResult) and id(block) in shortened
        else block
        for block in message.blocks
    )


def _item_id(block: Block) -> str | None:
    if isinstance(block, ToolCall):
        return block.item or id_parts(block.id)[1]
    if isinstance(block, Text) and block.signature:
        try:
            value = orjson.loads(block.signature)
        except ValueError:
            return block.signature
        return value.get("id") if isinstance(value, dict) else None
    return None


def _why_not(found: str, block: Block, lost: bool, seen: dict[str, Block]) -> str | None:
    form = _CALL_ID if isinstance(block, ToolCall) else _MESSAGE_ID
    if not form.fullmatch(found):
        return "the server gives none of this form"
    first = seen.get(found)
    if first is not None and not (first.raw is not None and first.raw is block.raw):
        return "another item has it"
    return "its reasoning is not in the history" if lost else None


def _without_id(block: Block) -> Block:
    if isinstance(block, ToolCall):
        return replace(block, item=None, id=id_parts(block.id)[0])
    if isinstance(block, Text):
        return replace(block, signature=None)
    return block
