"""Drop thinking that nothing follows.

OpenAI refuses a reasoning item without the item that it led to; Anthropic refuses a last message that closes with
thinking, and an answer of thinking alone says nothing that the user's next words could answer. Where reasoning has a
field beside the content, it is no content: such an answer counts as empty. The turn was cut off, or what followed had
to go.
Source: api rules O-R2, A-S5 and C-S2; futuregene/future-os#224 and other public reports; Claude Code's own leaving out
of such turns, tried with 2.1.332, read 2026-12.

Example, for openai/gpt-5.2:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "thinking", "text": "hm", "signature": "{\\"type\\":\\"reasoning\\",\\"id\\":\\"rs_1\\",\\"encrypted_content\\":\\"gAAA\\"}"}]}
    {"role": "user", "content": "well?"}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": []}
    {"role": "user", "content": "well?"}

    - 0.0 dropped thinking that nothing follows (reasoning 'rs_1')
"""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from segue.changes import Change, dropped
from segue.model import History, Message, Thinking
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "dangling-thinking"
NEEDS = frozenset({"Thinking"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    last = len(history.messages) - 1
    for index, message in enumerate(history.messages):
        # Neighbours of one role are one answer in the end: the words that follow may be the next one's.
        goes_on = target.alternates and index < last and history.messages[index + 1].role == "assistant"
        is_alone = not goes_on and all(isinstance(block, Thinking) for block in message.blocks)
        concerns = target.thinking == "item" or (target.thinking == "signed" and (index == last or is_alone))
        if target.thinking == "field" and target.thinking_field and policy.as_request:
            concerns = is_alone
        if not concerns or message.role != "assistant":
            yield message
            continue
        end = len(message.blocks)
        while end and isinstance(message.blocks[end - 1], Thinking):
            end -= 1
        for block in message.blocks[end:]:
            yield dropped(RULE, f"dropped thinking that nothing follows{_item(block)}", message, block)  # type: ignore[arg-type]
        yield message if end == len(message.blocks) else message.with_blocks(message.blocks[:end])


def _item(block: Thinking) -> str:
    try:
        item = orjson.loads(block.signature or "")
    except ValueError:
        return ""
    return f" (reasoning {item['id']!r})" if isinstance(item, dict) and item.get("id") else ""
