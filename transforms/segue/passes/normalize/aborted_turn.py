"""Leave out turns that ended in an error or were aborted.

Such a turn is half a turn: thinking without an answer, calls that never ran. Replayed, it makes the api refuse the
request, and the model should start again from the last whole turn. The results of its calls go with it. Calls that
did run and have a real result survive together with it, and the turn then stops for its tools, so that nobody skips
it again. In the recording agent's own format a turn that the agent itself leaves out stays on file.
Source: pi's transformMessages 0.66; pi issues 838 and 8537, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "user", "content": "deploy"}
    {"role": "assistant", "by": "openai/gpt-5.2", "stop": "error", "content": [{"type": "text", "text": "Deplo"}, {"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "No result provided", "is_error": true}]}
    {"role": "user", "content": "try again"}
  →
    {"role": "user", "content": "deploy"}
    {"role": "user", "content": "try again"}

    - 1 dropped a turn that stopped with an error
    - 2.0 dropped the result of call 'c1' (ls), which went with its turn
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, call_named, dropped, excerpt, hidden, shortened
from segue.model import Block, History, Message, ToolCall, ToolResult
from segue.passes._policy import Policy
from segue.passes.pairing import Pair, pairing_of, rank, without
from segue.targets import Target

RULE = "aborted-turn"
NEEDS = frozenset({"stop:error", "stop:aborted"})
REAL = 2


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    failed = {
        index
        for index, message in enumerate(history.messages)
        if message.role == "assistant" and message.stop_reason in ("error", "aborted")
    }
    pairs: dict[int, list[Pair]] = {}
    for pair in pairing_of(history).pairs:
        if pair.at.message in failed:
            pairs.setdefault(pair.at.message, []).append(pair)
    gone_results: dict[int, set[int]] = {}
    for pair in (pair for of_turn in pairs.values() for pair in of_turn):
        if not _is_real(pair):
            for spot, _ in pair.results:
                gone_results.setdefault(spot.message, set()).add(spot.block)

    skipped: list[Message] = []
    for index, message in enumerate(history.messages):
        if index in failed:
            of_turn = pairs.get(index, [])
            if policy.keeps_records and not any(pair.results for pair in of_turn):
                skipped.append(message)
                continue
            yield from _what_survives(message, of_turn)
        elif index in gone_results:
            yield from _without_results(message, gone_results[index])
        else:
            yield message
    if skipped:
        plural = "s" if len(skipped) != 1 else ""
        yield hidden(RULE, f"hid {len(skipped):,} failed turn{plural} that the agent itself does not replay", skipped)


def _is_real(pair: Pair) -> bool:
    return any(rank(result) == REAL for _, result in pair.results)


def _what_survives(message: Message, pairs: list[Pair]) -> Iterator[Message | Change]:
    real = {pair.at.block for pair in pairs if _is_real(pair)}
    how = "stopped with an error" if message.stop_reason == "error" else "was aborted"
    if not real:
        said = (message.raw or {}).get("errorMessage")
        before = shortened(said) if isinstance(said, str) and said else _words(message)
        yield dropped(RULE, f"dropped a turn that {how}", message, before=before)
        return
    kept: list[Block] = []
    for index, block in enumerate(message.blocks):
        if index in real:
            kept.append(block)
        else:
            name = f"call {block.id!r} ({block.name})" if isinstance(block, ToolCall) else type(block).__name__.lower()
            yield dropped(RULE, f"dropped {name} of a turn that {how}", message, block)
    yield replace(message.with_blocks(kept), stop_reason="toolUse")


def _without_results(message: Message, gone: set[int]) -> Iterator[Message | Change]:
    for index in sorted(gone):
        result: ToolResult = message.blocks[index]  # type: ignore[assignment]
        yield dropped(
            RULE, f"dropped the result of call {call_named(result)}, which went with its turn", message, result
        )
    blocks = without(message.blocks, gone)
    if blocks:
        yield message.with_blocks(blocks)


def _words(message: Message) -> str | None:
    return next((excerpt(block) for block in message.blocks), None)
