"""Strip what another model had attached to its texts and calls.

Signatures, item ids and namespaces mean something to the model that wrote them and to nobody else; some apis refuse
them. Of a foreign text only its words stay (an allow-list: whatever a vendor adds next year goes too), of a foreign
call all but a list of known marks, for its other fields are needed.
Source: pi's transformMessages 0.66; vendors' documents and error texts; pi issues 654 and 11415, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "text", "text": "Yes.", "signature": "msg_1"}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "text", "text": "Yes."}]}

    ~ 0.0 lost the signature of a text
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, downgraded, dropped, rewritten, shortened
from segue.model import Block, History, Json, Message, Text, ToolCall
from segue.passes._policy import Policy
from segue.passes._signatures import is_stand_in, is_thought_signature, text_signature_holds
from segue.targets import Target

RULE = "foreign-signature"
NEEDS = frozenset({"Text", "ToolCall"})
ALONE = True

# Marks on a call that only its own model or api understands. A test holds this table against what formats record.
FOREIGN_CALL_KEYS = frozenset(
    {"thoughtSignature", "thought_signature", "namespace", "argumentsError", "caller", "extra_content", "status"}
)
_SIGNATURES = ("thoughtSignature", "thought_signature")
# Fields of a text that carry no meaning of its own when they are empty, or that only repeat its type.
_TEXT_KEYS = frozenset(
    {"type", "text", "textSignature", "cache_control", "cachePoint", "annotations", "logprobs", "refusal"}
    | {"thought", "thoughtSignature", "thought_signature"}  # Google's signature is told of as such
)
# Where one object holds a whole message, its own fields are no fields of the text.
_MESSAGE_KEYS = frozenset(
    {"role", "content", "id", "status", "phase", "name", "tool_calls", "weight", "message"}
    | {"internal_chat_message_metadata_passthrough"}  # of codex, which tells itself by it what it had put in
)


# That a model called by itself is what a call without a caller says.
_NOTHING_SAID: tuple[Json, ...] = (None, "", {}, [], {"type": "direct"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        if message.role != "assistant":
            yield message
            continue
        if target.wrote(message.origin):
            yield from _sayable(message, target, policy) if policy.as_request else (message,)
            continue
        blocks: list[Block] = []
        changed = False
        for block in message.blocks:
            after = block
            if isinstance(block, Text):
                after, changes = _plain_text(message, block)
                yield from changes
            elif isinstance(block, ToolCall):
                after, changes = _plain_call(message, block, target)
                yield from changes
            changed = changed or after is not block
            blocks.append(after)
        yield message.with_blocks(blocks) if changed else message


def _sayable(message: Message, target: Target, policy: Policy) -> Iterator[Message | Change]:
    """Strip from a turn of the target's own what its api has no place for or would not take for its own."""
    blocks: list[Block] = []
    for block in message.blocks:
        why = _why_not(block, target, policy)
        if isinstance(block, Text) and block.signature and why:
            what = f"lost the signature of a text: {why}"
            yield downgraded(RULE, what, message, block, before=shortened(block.signature))
            blocks.append(replace(block, signature=None))
        elif isinstance(block, ToolCall) and block.signature and why:
            what = f"lost the thought signature of call {block.id!r} ({block.name}): {why}"
            yield downgraded(RULE, what, message, block, before=shortened(block.signature))
            blocks.append(replace(block, signature=None))
        else:
            blocks.append(block)
    is_same = all(one is other for one, other in zip(blocks, message.blocks, strict=True))
    yield message if is_same else message.with_blocks(blocks)


def _why_not(block: Block, target: Target, policy: Policy) -> str | None:
    """Say why the signature of an own text or call cannot go back, None if it can."""
    if isinstance(block, Text) and block.signature:
        if not target.text_signatures:
            return None if policy.same_format else "the api has no place for it"
        return None if text_signature_holds(block.signature, target) else "it has no form that the api knows"
    if isinstance(block, ToolCall) and block.signature:
        if not target.call_signatures:
            # A host that speaks another's api may have put it there, and want it back.
            keeps = policy.same_format and not target.strict_keys
            return None if keeps else "the api has no place for it"
        return None if is_thought_signature(block.signature) else "it has no form that the api knows"
    return None


def _plain_text(message: Message, block: Text) -> tuple[Block, list[Change]]:
    changes: list[Change] = []
    if block.signature:
        what = "lost the signature of a text"
        changes.append(downgraded(RULE, what, message, block, before=shortened(block.signature)))
    if block.raw:
        for key, value in block.raw.items():
            if key not in _TEXT_KEYS and key not in _MESSAGE_KEYS and value not in (None, [], {}, ""):
                changes.append(
                    dropped(RULE, f"dropped {key!r} of a text", message, block, before=shortened(str(value)))
                )
    if not changes:
        return block, changes
    return Text(block.text, refusal=block.refusal, place=block.place), changes


def _plain_call(message: Message, block: ToolCall, target: Target) -> tuple[Block, list[Change]]:
    changes: list[Change] = []
    called = f"call {block.id!r} ({block.name})"
    signature = block.signature
    stays = is_stand_in(signature) and target.call_signatures  # it is nobody's, and says so
    if is_stand_in(signature) and not stays:
        changes.append(rewritten(RULE, f"left out the stand-in for a signature of {called}", message, block))
    elif signature and not stays:
        what = f"lost the thought signature of {called}"
        changes.append(downgraded(RULE, what, message, block, before=shortened(signature)))
    raw = block.raw or {}
    marks = [key for key in raw if key in FOREIGN_CALL_KEYS and not (key in _SIGNATURES and block.signature)]
    for key in marks:
        if key == "status" or raw[key] in _NOTHING_SAID:
            continue
        changes.append(dropped(RULE, f"dropped {key!r} of {called}", message, block, before=shortened(str(raw[key]))))
    if block.item:
        what = f"left out the item id of {called}"
        changes.append(rewritten(RULE, what, message, block, before=block.item))
    if not changes:
        return block, changes
    kept = {key: value for key, value in raw.items() if key not in FOREIGN_CALL_KEYS} if block.raw else None
    return replace(block, signature=signature if stays else None, item=None, raw=kept), changes
