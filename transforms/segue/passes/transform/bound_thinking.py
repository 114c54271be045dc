"""Drop thinking that is bound to a history which has changed.

The newest Claude models sign their thinking together with all that stood before it: prompt, tools and every message.
Whatever else had to change in front of a signed block, an id or an image, makes the server refuse it. From the first
change on all thinking goes. In a request made from a session whose prompt and tools are not on file, all of it does.
With `--bound-thinking switch` it stays, and the request tells the server to leave out by itself what it cannot check.
Source: vendors' documents and error texts; Anthropic's documents on preserved thinking, read 2026-11.

Example, for anthropic/claude-opus-5-5 after a change in message 0:

    {"role": "assistant", "by": "anthropic/claude-opus-5-5", "content": [{"type": "thinking", "text": "hm", "signature": "EqQB"}, {"type": "text", "text": "Yes."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-5-5", "content": [{"type": "text", "text": "Yes."}]}

    - 0.0 dropped thinking bound to a history that has changed
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, dropped
from segue.model import Block, History, Message, Thinking, ToolCall
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "bound-thinking"
NEEDS = frozenset({"Thinking"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    start = history.changed_from
    if policy.as_request and not (history.prefix_known and _declares_its_tools(history)):
        start = (0, -1)
    leaves_it_to_the_server = policy.bound_thinking == "switch" and policy.as_request
    if not target.bound_thinking or start is None or leaves_it_to_the_server:
        yield from history.messages
        return
    reached = False
    for message in history.messages:
        reached = reached or message.number is None  # a message that a rule made
        gone = [block for block in message.of(Thinking) if reached or _place(message, block) > start]
        if not gone:
            yield message
            continue
        for block in gone:
            yield dropped(RULE, "dropped thinking bound to a history that has changed", message, block)
        kept: list[Block] = [block for block in message.blocks if not any(block is other for other in gone)]
        yield message.with_blocks(kept)


def _declares_its_tools(history: History) -> bool:
    """Tell whether the tools of the request are those that were declared when the model thought."""
    declared = {tool.name for tool in history.tools}
    return all(call.name in declared for message in history.messages for call in message.of(ToolCall))


def _place(message: Message, block: Thinking) -> tuple[int, int]:
    """Say where a block stood in the source: a merged message holds blocks of several."""
    if block.place is not None:
        return block.place.message, block.place.block
    return message.number or 0, 0
