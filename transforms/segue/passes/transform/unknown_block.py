"""Drop blocks that only their own format knows.

In its own format, for the model that wrote it, an unknown block survives as it is. No other shape can say it.
Source: the design of this project, 2026-11.

Example, for openai/gpt-4o:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "opaque", "name": "hologram"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "text", "text": "Yes."}]}

    - 0.0 dropped an unknown block 'hologram'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, dropped
from segue.model import Block, History, Message, Opaque, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "unknown-block"
NEEDS = frozenset({"Opaque"})
ALONE = True
SENT_ONLY = True

# Of these types a reader makes blocks of its own: what is left of them lacks what it needs, and no api takes it.
MALFORMED = frozenset(
    {
        "text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", "document", "untyped", "toolCall",
        "image_url", "input_text", "output_text", "input_image", "function_call", "function_call_output",
    }
)  # fmt: skip


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        stays = policy.same_format and (message.role != "assistant" or target.wrote(message.origin))
        if stays and not any(isinstance(block, Opaque) and block.type in MALFORMED for block in message.blocks):
            yield message
            continue
        blocks: list[Block] = []
        changed = False
        for block in message.blocks:
            if isinstance(block, Opaque) and not (stays and block.type not in MALFORMED):
                yield dropped(RULE, f"dropped an unknown block {block.type!r}", message, block)
                changed = True
            elif isinstance(block, ToolResult) and any(isinstance(inner, Opaque) for inner in block.content):
                for inner in block.content:
                    if isinstance(inner, Opaque):
                        whose = f"the result of call {block.call_id!r}"
                        what = f"dropped an unknown block {inner.type!r} from {whose}"
                        yield dropped(RULE, what, message, block, before=inner.type)
                kept = tuple(inner for inner in block.content if not isinstance(inner, Opaque))
                blocks.append(replace(block, content=kept))
                changed = True
            else:
                blocks.append(block)
        yield message.with_blocks(blocks) if changed else message
