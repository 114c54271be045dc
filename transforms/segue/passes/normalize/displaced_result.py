"""Move every result right behind the turn that called for it.

A result that came late stands behind a user's message, behind another answer, or after words in its own message. Apis
want it directly after the call, before anything else; the words that stood between follow. A result is never moved up
before its call: one without an open call above it is an orphan.
Source: pi's transformMessages 0.66; api rules A-T5 and C-T2; pi issue 8537, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "job", "arguments": {}}]}
    {"role": "user", "content": "also the log"}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "job", "content": "finished"}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "job", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "job", "content": "finished"}]}
    {"role": "user", "content": "also the log"}

    = 2.0 moved the result of call 'c1' (job) right behind its call
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import Block, History, Message, ToolResult
from segue.passes._policy import Policy
from segue.passes.pairing import Pair, Spot, pairing_of
from segue.targets import Target

RULE = "displaced-result"
NEEDS = frozenset({"ToolResult"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    pairing = pairing_of(history)
    if pairing.is_sound:
        yield from history.messages
        return
    moves = _moves(history, pairing.pairs)
    gone: dict[int, set[int]] = {}
    for of_turn in moves.values():
        for pair, spot, result in of_turn:
            gone.setdefault(spot.message, set()).add(spot.block)
            what = f"moved the result of call {pair.call.id!r} ({pair.call.name}) right behind its call"
            yield rewritten(RULE, what, history.messages[spot.message], result)

    waiting: list[Message] = []  # results on their way to the end of their turn's run
    for index, message in enumerate(history.messages):
        left = _left(message, gone.get(index, set()))
        if waiting and not _continues_run(left, message):
            yield from waiting
            waiting = []
        if left is not None:
            yield left
        if index in moves:
            waiting = [_moved(history, spot, result, gone) for _, spot, result in moves[index]]
    yield from waiting


def _moves(history: History, pairs: list[Pair]) -> dict[int, list[tuple[Pair, Spot, ToolResult]]]:
    """Find the results that do not stand in the run of results behind their call's turn."""
    # index of a turn → index of the first message behind its run of results, and how many results that one leads with
    runs: dict[int, tuple[int, int]] = {}
    moves: dict[int, list[tuple[Pair, Spot, ToolResult]]] = {}
    for pair in pairs:
        turn = pair.at.message
        if turn not in runs:
            end = turn + 1
            while end < len(history.messages) and _is_results_only(history.messages[end]):
                end += 1
            runs[turn] = end, _leading(history.messages[end]) if end < len(history.messages) else 0
        for spot, result in pair.results:
            last, lead = runs[turn]
            in_run = turn < spot.message < last or (spot.message == last and spot.block < lead)
            if not in_run:
                moves.setdefault(turn, []).append((pair, spot, result))
    return moves


def _is_results_only(message: Message) -> bool:
    return bool(message.blocks) and message.role != "assistant" and all(type(b) is ToolResult for b in message.blocks)


def _leading(message: Message) -> int:
    """Count the results that a message begins with."""
    if message.role == "assistant":
        return 0
    return next((i for i, block in enumerate(message.blocks) if type(block) is not ToolResult), len(message.blocks))


def _left(message: Message, gone: set[int]) -> Message | None:
    if not gone:
        return message
    blocks: list[Block] = [block for index, block in enumerate(message.blocks) if index not in gone]
    return message.with_blocks(blocks) if blocks else None


def _continues_run(left: Message | None, message: Message) -> bool:
    return left is None or _is_results_only(left)


def _moved(history: History, spot: Spot, result: ToolResult, gone: dict[int, set[int]]) -> Message:
    """Make the message of a moved result: the very one where nothing else stood in it."""
    message = history.messages[spot.message]
    if len(message.blocks) == 1:
        return replace(message, touched=True)
    return Message("tool", (result,), time=message.time, line=message.line, touched=True)
