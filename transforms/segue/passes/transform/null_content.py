"""Say an answer's missing content as an empty text where the host wants one.

Beside calls OpenAI takes no content at all for an answer without words. Many hosts in its shape want a text in each
message, and an empty one will do. Nor do they read a refusal that has a key of its own: it becomes the content.
Source: wire rules 6.2 and 6.4; langchain-ai/langchain#34140, read 2026-11.

Example, for zai/glm-5.2:

    {"role": "assistant", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}], "raw": {"content": null}}
  →
    {"role": "assistant", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}], "raw": {"content": ""}}

    = 0 said the missing content of an answer as an empty text
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import Block, History, Message, Text, Thinking, ToolCall
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "null-content"
NEEDS = frozenset({"assistant"})
ALONE = True
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if target.null_content or not (policy.as_request and policy.same_format):
        yield from history.messages
        return
    for message in history.messages:
        raw = message.raw
        is_missing = message.role == "assistant" and raw is not None and raw.get("content") is None
        if raw is None or not is_missing or not message.blocks or not all(map(_has_own_key, message.blocks)):
            yield message
            continue
        has_words = any(isinstance(block, Text) for block in message.blocks)
        what = "said the missing content of an answer as an empty text"
        yield rewritten(RULE, "said a refusal as the content of an answer" if has_words else what, message, before=None)
        blocks = tuple(_as_content(block) for block in message.blocks)
        yield replace(message, blocks=blocks, raw={**raw, "content": ""}, touched=True)


def _has_own_key(block: Block) -> bool:
    """Tell whether a block stands beside the content, in a key of its own."""
    return isinstance(block, Thinking | ToolCall) or (isinstance(block, Text) and block.refusal)


def _as_content(block: Block) -> Block:
    return Text(block.text, place=block.place) if isinstance(block, Text) else block
