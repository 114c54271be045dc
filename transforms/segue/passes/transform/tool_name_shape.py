"""Give tools names that the api takes, in calls, results and declarations alike.

Dots, spaces and overlong names of other agents and servers are refused. Different names stay different: where
cleaning or cutting makes two meet, the later one gets a derived ending.
Source: api rules A-T2, O-T6 and C-T5, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "tool_call", "id": "t1", "name": "tabs.open", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "t1", "name": "tabs.open", "content": "done"}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "tool_call", "id": "t1", "name": "tabs_open", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "t1", "name": "tabs_open", "content": "done"}]}

    = 0.0 renamed tool 'tabs.open' to 'tabs_open'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.identity import digest
from segue.model import Block, Declared, History, Message, ToolCall, ToolResult
from segue.passes._policy import Policy
from segue.targets import IdShape, Target

RULE = "tool-name-shape"
NEEDS = frozenset({"ToolCall", "Tools"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change | Declared]:
    names = _names(history, target.tool_name)
    if not names:
        yield from history.messages
        return
    told: set[str] = set()
    for message in history.messages:
        blocks: list[Block] = []
        changed = False
        for block in message.blocks:
            if isinstance(block, (ToolCall, ToolResult)) and block.name in names:
                if isinstance(block, ToolCall) and block.name not in told:
                    told.add(block.name)
                    what = f"renamed tool {block.name!r} to {names[block.name]!r}"
                    yield rewritten(RULE, what, message, block, before=block.name, after=names[block.name])
                blocks.append(replace(block, name=names[block.name]))
                changed = True
            else:
                blocks.append(block)
        yield message.with_blocks(blocks) if changed else message
    if any(tool.name in names for tool in history.tools):
        for tool in history.tools:
            if tool.name in names and tool.name not in told:
                yield rewritten(RULE, f"renamed tool {tool.name!r} to {names[tool.name]!r}", before=tool.name)
        yield Declared(tools=tuple(replace(t, name=names[t.name]) if t.name in names else t for t in history.tools))


def _names(history: History, shape: IdShape) -> dict[str, str]:
    """Map each name that the api refuses to one that it takes, in order of appearance."""
    new: dict[str, str] = {}
    kept: set[str] = set()
    taken: set[str] = set()  # what is kept, and what others were renamed to: the first comer has the plain form
    for name in _in_order(history):
        if name in kept or name in new:
            continue
        if shape.accepts(name) and name not in taken:
            kept.add(name)
            taken.add(name)
            continue
        cleaned = shape.cleaned(name)[: shape.length] or "unnamed_tool"
        if cleaned in taken or len(name) > shape.length:
            cleaned = f"{cleaned[: shape.length - 9]}_{digest('tool', name, length=8)}"
        new[name] = cleaned
        taken.add(cleaned)
    return new


def _in_order(history: History) -> Iterator[str]:
    yield from (tool.name for tool in history.tools)
    for message in history.messages:
        for block in message.blocks:
            if type(block) is ToolCall or (type(block) is ToolResult and block.name):
                yield block.name
