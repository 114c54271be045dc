"""Give an assistant's message the reasoning field that the target wants on each of them.

DeepSeek, Kimi and others refuse a history in which a turn with calls, or any turn of theirs, lacks the field, be it
that the model did not think, or that another one spoke. An empty text will do for most; Kimi takes that for none.
Source: api rules C-V3 and C-R1; earendil-works/pi#3636 and #4178, HKUDS/nanobot#3939, read 2026-11.

Example, for deepseek/deepseek-v4-pro:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "find", "arguments": {}}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "thinking", "text": "", "signature": "reasoning_content"}, {"type": "tool_call", "id": "c1", "name": "find", "arguments": {}}]}

    = 0 added the field 'reasoning_content', empty
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, rewritten, synthesized
from segue.model import History, Message, Thinking, ToolCall
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "missing-reasoning"
NEEDS = frozenset({"assistant"})
ALONE = True
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if target.required_thinking == "none" or not policy.as_request:
        yield from history.messages
        return
    filler = target.thinking_filler
    for message in history.messages:
        concerns = message.role == "assistant" and (target.required_thinking == "all" or message.of(ToolCall))
        thinking = message.of(Thinking)
        if not concerns or any(block.text or not filler for block in thinking):
            yield message
            continue
        if filler:
            what = f"synthesized {filler!r} for the field {target.thinking_field!r}"
            yield synthesized(RULE, what, message, after=filler)
        else:
            yield rewritten(RULE, f"added the field {target.thinking_field!r}, empty", message, before=None)
        rest = [block for block in message.blocks if not isinstance(block, Thinking)]
        yield message.with_blocks((Thinking(filler, target.thinking_field), *rest))
