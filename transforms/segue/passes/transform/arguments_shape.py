"""Make the arguments of every call a JSON object.

Arguments that were encoded twice are decoded. A text that is no JSON (the stream was cut off) and values that are no
object are wrapped, so that nothing is lost and every api and chat template can take them.
Source: api rule A-T3, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "bash", "arguments": "{\\"command\\": \\"git co"}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "bash", "arguments": {"raw_arguments": "{\\"command\\": \\"git co"}}]}

    = 0.0 wrapped the arguments of call 'c1' (bash), which are no JSON object
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue import records
from segue.changes import Change, rewritten, shortened
from segue.model import Block, History, Json, Message, ToolCall
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "arguments-shape"
NEEDS = frozenset({"ToolCall"})
ALONE = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        if not any(type(block) is ToolCall and type(block.arguments) is not dict for block in message.blocks):
            yield message
            continue
        blocks: list[Block] = []
        for block in message.blocks:
            if isinstance(block, ToolCall) and not isinstance(block.arguments, dict):
                after, how = _as_object(block.arguments)
                what = f"{how} the arguments of call {block.id!r} ({block.name}), which are no JSON object"
                yield rewritten(RULE, what, message, block, before=shortened(str(block.arguments)))
                blocks.append(replace(block, arguments=after))
            else:
                blocks.append(block)
        yield message.with_blocks(blocks)


def _as_object(arguments: Json) -> tuple[dict[str, Json], str]:
    if arguments is None or arguments == "":
        return {}, "filled in"
    if not isinstance(arguments, str):
        return {"value": arguments}, "wrapped"
    try:
        value = records.parse(arguments.encode("utf-8", "surrogatepass"))
    except ValueError:
        return {"raw_arguments": arguments}, "wrapped"
    if isinstance(value, str) and value != arguments:
        inner, how = _as_object(value)
        return (inner, "decoded") if how == "decoded" else ({"raw_arguments": arguments}, "wrapped")
    return (value, "decoded") if isinstance(value, dict) else ({"value": value}, "wrapped")
