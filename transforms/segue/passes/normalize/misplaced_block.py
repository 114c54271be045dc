"""Put blocks where their role can hold them.

Only an assistant calls and thinks, and no assistant answers its own calls or shows a picture. Logs that were put
together by other programs hold such blocks all the same, and every api refuses them. A result moves out of the turn,
right behind it; calls and thinking in another's name go, a picture leaves a word in its place.
Source: api rules
A-S10, A-M6 and O-M3, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}, {"type": "tool_result", "call_id": "c1", "name": "ls", "content": "a.txt"}]}
    {"role": "user", "content": [{"type": "thinking", "text": "hm"}, {"type": "text", "text": "and now?"}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "a.txt"}]}
    {"role": "user", "content": [{"type": "text", "text": "and now?"}]}

    = 0.1 moved the result of call 'c1' (ls) out of the assistant's turn
    - 1.0 dropped thinking in a user message
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, call_named, downgraded, dropped, media_left_out, media_named, rewritten
from segue.model import Block, History, Media, Message, Text, Thinking, ToolCall, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "misplaced-block"
NEEDS = frozenset({"ToolCall", "Thinking", "ToolResult", "Media"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        wrong = (ToolResult, Media) if message.role == "assistant" else (ToolCall, Thinking)
        if not any(isinstance(block, wrong) for block in message.blocks):
            yield message
        elif message.role == "assistant":
            yield from _assistant(message)
        else:
            yield from _other(message)


def _assistant(message: Message) -> Iterator[Message | Change]:
    blocks: list[Block] = []
    results: list[Block] = []
    for block in message.blocks:
        if isinstance(block, ToolResult):
            called = call_named(block)
            yield rewritten(RULE, f"moved the result of call {called} out of the assistant's turn", message, block)
            results.append(block)
        elif isinstance(block, Media):
            text = media_left_out(block, "an assistant's turn holds none")
            what = f"turned {media_named(block)} into a placeholder"
            yield downgraded(RULE, what, message, block, after=text)
            blocks.append(Text(text, place=block.place))
        else:
            blocks.append(block)
    if blocks:
        yield message.with_blocks(blocks)
    if results:
        yield Message("tool", tuple(results), time=message.time, line=message.line, touched=True)


def _other(message: Message) -> Iterator[Message | Change]:
    kept: list[Block] = []
    for block in message.blocks:
        if isinstance(block, ToolCall):
            yield dropped(RULE, f"dropped call {block.id!r} ({block.name}) in a {message.role} message", message, block)
        elif isinstance(block, Thinking):
            yield dropped(RULE, f"dropped thinking in a {message.role} message", message, block)
        else:
            kept.append(block)
    yield message.with_blocks(kept)
