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
from operator import is_

from segue.changes import Change, dropped
from segue.model import Block, ContentBlock, History, Message, Opaque, ToolResult
from segue.passes._policy import Policy
from segue.passes.transform.server_tool import SERVER_TYPES
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
        is_own = policy.same_blocks and (message.role != "assistant" or target.wrote(message.origin))
        blocks: list[Block] = []
        changes: list[Change] = []
        for block in message.blocks:
            if isinstance(block, Opaque):
                # Into another format only what a rule before this one let pass: pairs of tools that are declared.
                stays = is_own and (policy.same_format or block.type in SERVER_TYPES)
                if _may_stay(block, message.role, stays, target):
                    blocks.append(block if policy.same_format else _plain(block, target))
                else:
                    changes.append(dropped(RULE, f"dropped an unknown block {block.type!r}", message, block))
            elif isinstance(block, ToolResult) and any(isinstance(inner, Opaque) for inner in block.content):
                blocks.append(_result(message, block, target, policy, changes))
            else:
                blocks.append(block)
        yield from changes
        is_same = len(blocks) == len(message.blocks) and all(map(is_, blocks, message.blocks))
        yield message if is_same else message.with_blocks(blocks)


def _may_stay(block: Opaque, where: str, is_own: bool, target: Target) -> bool:
    """Tell whether a block can go back as it is: its own model's, of a type that stands there, and whole."""
    known = target.block_types.get(where)
    return is_own and block.type not in MALFORMED and (known is None or block.type in known)


def _plain(block: Opaque, target: Target) -> Opaque:
    """Leave of a block's object what its api knows; the rest is the recorder's own, as it is of all other blocks."""
    known = target.block_keys.get(block.type)
    raw = block.raw or {}
    if known is None or raw.keys() <= known:
        return block
    return replace(block, raw={key: value for key, value in raw.items() if key in known})


def _result(message: Message, result: ToolResult, target: Target, policy: Policy, changes: list[Change]) -> ToolResult:
    kept: list[ContentBlock] = []
    before = len(changes)
    takes_blocks = not (result.is_error and target.text_only_error_results)
    for inner in result.content:
        if not isinstance(inner, Opaque):
            kept.append(inner)
            continue
        is_reference = policy.same_blocks and target.server_tools and inner.type == "tool_reference"
        stays = takes_blocks and (policy.same_format or is_reference)
        if not _may_stay(inner, "result", stays, target):
            what = f"dropped an unknown block {inner.type!r} from the result of call {result.call_id!r}"
            changes.append(dropped(RULE, what, message, result, before=inner.type))
        else:
            kept.append(inner if policy.same_format else _plain(inner, target))
    return result if len(changes) == before else replace(result, content=tuple(kept))
