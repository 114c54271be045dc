"""Turn another model's readable thinking into text, in the place where it stood.

Only the model that thought it takes it back as thinking: a signature proves it to its own maker. The words can stay,
as something that was said. `--thinking drop` leaves them out; so does the default for models that refuse reasoning
shown to them as text. No tags are put around them: models imitate those. The lost signature counts on its own.
Source: pi's transformMessages 0.66; vendors' documents and error texts; pi issues 561 and 10995, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "thinking", "text": "Is it even?", "signature": "EqQB"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "text", "text": "Is it even?"}, {"type": "text", "text": "Yes."}]}

    ~ 0.0 turned thinking of claude-opus-4-8 into text
    ~ 0.0 lost the signature of thinking
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, downgraded, dropped, shortened
from segue.model import Block, History, Message, Text, Thinking
from segue.passes._policy import Policy
from segue.passes._signatures import is_required_blank
from segue.targets import Target

RULE = "foreign-thinking"
NEEDS = frozenset({"Thinking"})
ALONE = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        thinking = [block for block in message.of(Thinking) if not is_required_blank(block, target, policy)]
        if target.wrote(message.origin) or not thinking:
            yield message
            continue
        whose = f" of {message.origin.model}" if message.origin else ""
        yield from as_text_or_dropped(message, thinking, RULE, f"thinking{whose}", target, policy)


def as_text_or_dropped(
    message: Message, thinking: list[Thinking], rule: str, called: str, target: Target, policy: Policy
) -> Iterator[Message | Change]:
    """Settle thinking that cannot go back as thinking, as `--thinking` has it."""
    choice = policy.thinking
    if choice == "auto":
        choice = "drop" if target.refuses_transcribed_thinking else "text"
    blocks: list[Block] = []
    for block in message.blocks:
        if not isinstance(block, Thinking) or not any(block is other for other in thinking):
            blocks.append(block)
        elif choice == "drop" or not block.text.strip():
            yield dropped(rule, f"dropped {called}", message, block)
        else:
            yield downgraded(rule, f"turned {called} into text", message, block, after=shortened(block.text))
            if block.signature:
                lost = "lost the signature of thinking"
                yield downgraded("foreign-signature", lost, message, block, before=shortened(block.signature))
            blocks.append(Text(block.text, place=block.place))
    yield replace(message.with_blocks(blocks), marks=message.marks | {"thinking-lost"})
