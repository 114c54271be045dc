"""Drop redacted thinking that this model cannot read.

Its content is encrypted: only the model that thought it can open it, and no other takes it. Nothing readable is there
to become text. The own model gets it back as it is, unless its payload is missing, or no base64 in a request.
Source: pi's transformMessages 0.66; api rule A-R2, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "thinking", "text": "", "signature": "EqQB", "redacted": true}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "text", "text": "Yes."}]}

    - 0.0 dropped redacted thinking of claude-opus-4-8
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, dropped
from segue.model import Block, History, Message, Thinking
from segue.passes._policy import Policy
from segue.passes._signatures import is_base64, is_foreign
from segue.targets import Target

RULE = "redacted-thinking"
NEEDS = frozenset({"Thinking"})
ALONE = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        is_own = target.wrote(message.origin) and target.thinking == "signed"
        gone = [
            block
            for block in message.blocks
            if type(block) is Thinking and block.redacted and not (is_own and _is_whole(block, target, policy))
        ]
        if not gone:
            yield message
            continue
        for block in gone:
            whose = f" of {message.origin.model}" if message.origin else ""
            why = " without a payload that its api takes" if is_own else ""
            yield dropped(RULE, f"dropped redacted thinking{whose}{why}", message, block)
        kept: list[Block] = [block for block in message.blocks if not any(block is other for other in gone)]
        yield message.with_blocks(kept)


def _is_whole(block: Thinking, target: Target, policy: Policy) -> bool:
    """Tell whether the payload can be what its own model had sent: all that is sent is base64."""
    payload = (block.signature or "").strip()
    return bool(payload) and not is_foreign(payload, target, policy) and (not policy.as_request or is_base64(payload))
