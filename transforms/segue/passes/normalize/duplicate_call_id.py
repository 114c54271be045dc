"""Give a second call with an id that was used before an id of its own.

Some models count their calls from zero in every turn, and a retried stream may repeat an id. Apis that pair by id
refuse that or answer the wrong call. The first comer keeps the plain id; each later pair of call and result changes
together. A call without any id gets one too. A line that was written again when its session was resumed repeats the
whole call, and only one of the two has a result: the other goes. The new id ends in `-2`, for Claude Code takes an id
that ends in `_2` for a repeat of its own and loses the result.
Source: api rule A-T4; public reports on ids that restart in each turn, read 2026-11; Claude Code 2.1.332, tried
2026-12.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "call_0", "name": "read", "arguments": {"page": 1}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "call_0", "name": "read", "content": "one"}]}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "call_0", "name": "read", "arguments": {"page": 2}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "call_0", "name": "read", "content": "two"}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "call_0", "name": "read", "arguments": {"page": 1}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "call_0", "name": "read", "content": "one"}]}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "call_0-2", "name": "read", "arguments": {"page": 2}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "call_0-2", "name": "read", "content": "two"}]}

    = 2.0 renamed call 'call_0' (read), whose id an earlier call has, to 'call_0-2'
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, rewritten, synthesized
from segue.identity import digest
from segue.model import History, Message, ToolCall
from segue.passes._policy import Policy
from segue.passes._renaming import renamed
from segue.passes.pairing import Pair, Spot, pairing_of, without
from segue.targets import Target

RULE = "duplicate-call-id"
NEEDS = frozenset({"ToolCall"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    taken: set[str] = set()
    uses: dict[str, int] = {}
    new_ids: list[tuple[Pair, str]] = []
    pairs = pairing_of(history).pairs
    repeats = _repeats(pairs)
    for pair in repeats:
        what = f"left out call {pair.call.id!r} ({pair.call.name}), which repeats another one and has no result"
        yield rewritten(RULE, what, history.messages[pair.at.message], pair.call)
    gone = {pair.at for pair in repeats}
    for pair in pairs:
        plain = pair.call.id
        if pair.at in gone:
            continue
        if plain and plain not in taken:
            taken.add(plain)
            continue
        message = history.messages[pair.at.message]
        if not plain:
            new = _fresh(f"call_{digest('call', pair.at, pair.call.name)}", taken, uses)
            what = f"assigned id {new!r} to a call of {pair.call.name!r} that had none"
            yield synthesized(RULE, what, message, pair.call, after=new)
        else:
            new = _fresh(plain, taken, uses)
            what = f"renamed call {plain!r} ({pair.call.name}), whose id an earlier call has, to {new!r}"
            yield rewritten(RULE, what, message, pair.call, before=plain, after=new)
        taken.add(new)
        new_ids.append((pair, new))
    yield from _without(renamed(history, new_ids), gone)


def _repeats(pairs: list[Pair]) -> list[Pair]:
    """Find the calls that repeat another one to the letter and have no result, while the other has one or came first."""
    by_id: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_id.setdefault(pair.call.id, []).append(pair)
    repeats: list[Pair] = []
    for same in by_id.values():
        if len(same) == 1 or not same[0].call.id:
            continue
        for pair in same:
            equal = [other for other in same if other is not pair and _is_equal(other.call, pair.call)]
            stays = any(other.results or other.at < pair.at for other in equal)
            if not pair.results and stays:
                repeats.append(pair)
    return repeats


def _is_equal(one: ToolCall, other: ToolCall) -> bool:
    return one.name == other.name and one.arguments == other.arguments


def _without(messages: Iterator[Message], gone: set[Spot]) -> Iterator[Message]:
    blocks: dict[int, set[int]] = {}
    for spot in gone:
        blocks.setdefault(spot.message, set()).add(spot.block)
    for index, message in enumerate(messages):
        yield message.with_blocks(without(message.blocks, blocks[index])) if index in blocks else message


def _fresh(plain: str, taken: set[str], uses: dict[str, int]) -> str:
    if plain not in taken:
        return plain
    number = uses.get(plain, 1)
    while True:
        number += 1
        new = f"{plain}-{number}"
        if new not in taken:
            uses[plain] = number
            return new
