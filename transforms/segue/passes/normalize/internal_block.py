"""Take out blocks that are the recording agent's own business.

References of a deferred tool search inside a tool's result mean something only to a request that declares that tool,
and an adviser's call and answer only to one that has the adviser. A result that would be left empty says what was
there; the adviser's readable words stay as text.
Source: Claude Code's message normalisation as described in public analyses; Anthropic's tool search and adviser tool
documents, read 2026-11.

Example, for openai/gpt-5.2:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "tool_call", "id": "t1", "name": "ToolSearch", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "t1", "name": "ToolSearch", "content": [{"type": "opaque", "name": "tool_reference", "raw": {"tool_name": "Deploy"}}]}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "tool_call", "id": "t1", "name": "ToolSearch", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "t1", "name": "ToolSearch", "content": [{"type": "text", "text": "[tool references removed: Deploy]"}]}]}

    - 1.0 dropped a tool reference (Deploy) from the result of call 't1'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, downgraded, dropped
from segue.model import Block, ContentBlock, History, Message, Opaque, Text, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "internal-block"
NEEDS = frozenset({"Opaque"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    declared = {tool.name for tool in history.tools} if target.server_tools else set()
    has_adviser = target.server_tools and any(
        str((tool.raw or {}).get("type", "")).startswith("advisor") for tool in history.server_tools
    )
    for message in history.messages:
        blocks: list[Block] = []
        changed = False
        for block in message.blocks:
            if isinstance(block, ToolResult) and any(_is_reference(inner) for inner in block.content):
                after, changes = _without_references(message, block, declared)
                yield from changes
                changed = changed or after is not block
                blocks.append(after)
            elif isinstance(block, Opaque) and block.type == "tool_reference":
                changed = True
                name = str((block.raw or {}).get("tool_name", ""))
                what = f"dropped a tool reference ({name}) that stands outside a result"
                yield dropped(RULE, what, message, block, before=name)
            elif isinstance(block, Opaque) and _is_adviser(block) and not has_adviser:
                changed = True
                advice = _advice(block)
                if advice:
                    yield downgraded(RULE, "turned an adviser's answer into text", message, block, after=advice)
                    blocks.append(Text(f"[advisor] {advice}", place=block.place))
                else:
                    yield dropped(RULE, f"dropped the adviser's block {block.type!r}", message, block)
            else:
                blocks.append(block)
        yield message.with_blocks(blocks) if changed else message


def _is_reference(block: ContentBlock) -> bool:
    return isinstance(block, Opaque) and block.type == "tool_reference"


def _without_references(message: Message, result: ToolResult, declared: set[str]) -> tuple[ToolResult, list[Change]]:
    kept: list[ContentBlock] = []
    names: list[str] = []
    for block in result.content:
        name = str((block.raw or {}).get("tool_name", "")) if _is_reference(block) else ""
        if _is_reference(block) and name not in declared:
            names.append(name)
        else:
            kept.append(block)
    if not names:
        return result, []
    if not kept:
        kept = [Text(f"[tool references removed: {', '.join(names)}]")]
    whose = f"the result of call {result.call_id!r}"
    changes: list[Change] = [
        dropped(RULE, f"dropped a tool reference ({name}) from {whose}", message, result, before=name) for name in names
    ]
    return replace(result, content=tuple(kept)), changes


def _is_adviser(block: Opaque) -> bool:
    raw = block.raw or {}
    return block.type == "advisor_tool_result" or (block.type == "server_tool_use" and raw.get("name") == "advisor")


def _advice(block: Opaque) -> str | None:
    content = (block.raw or {}).get("content")
    if isinstance(content, dict) and isinstance(content.get("text"), str):
        return content["text"].strip() or None
    if isinstance(content, str):
        return content.strip() or None
    return None
