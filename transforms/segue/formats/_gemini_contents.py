"""Contents of Gemini's generateContent api, as they are written.

A turn of the user's side is one content: the results of a turn, and what the user says beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from segue.changes import Change, call_named, downgraded, dropped, rewritten, shortened
from segue.formats._gemini import member
from segue.formats._gemini_parts import Spelling, inner, is_sayable, is_unsayable, write_parts
from segue.model import Block, Json, Message, Role, Text, ToolCall, ToolResult

ROLES: dict[str | None, Role] = {
    None: "user",
    "user": "user",
    "function": "user",
    "tool": "user",
    "model": "assistant",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
}
_TAKEN = (None, "user", "model", "function")  # of these names the api takes itself


def written(messages: Sequence[Message], spelling: Spelling) -> Iterator[Json | Change]:
    """Spell a history as contents; what the shape cannot say, or says otherwise, is told as a Change."""
    run: list[Message] = []  # results, and what the user says right behind them
    for message in messages:
        if run and not _continues(run[-1], message):
            yield from _spelled(run, spelling)
            run = []
        run.append(message)
    if run:
        yield from _spelled(run, spelling)
    if spelling.ids_left_out:
        what = (
            f"left out the ids of {spelling.ids_left_out} calls and results: order and name tell what belongs together"
        )
        yield rewritten("wire-shape", what)


def _continues(before: Message, message: Message) -> bool:
    sides = {before.role, message.role}
    return "tool" in sides and sides <= {"tool", "user"}


def _spelled(run: list[Message], spelling: Spelling) -> Iterator[Json | Change]:
    first = run[0]
    role = "model" if first.role == "assistant" else "user"
    blocks = [block for message in run for block in message.blocks]
    changes = [*_unsayable(run)]
    if role == "model":
        spelling.note_calls(first)
    else:
        blocks, of_order = _ordered(run, blocks, spelling)
        changes += of_order
    as_read = spelling.own and len(run) == 1 and not first.touched and first.raw is not None
    if as_read:
        changes += _respelled(first, spelling)
    left_out = sum(_loses_id(block, spelling) for block in blocks)
    spelling.ids_left_out += left_out
    yield from changes
    if as_read and not changes and not left_out:
        yield first.raw
        return
    parts = write_parts(blocks, spelling)
    if parts or not blocks:
        yield _content(role, parts, (first.raw or {}) if spelling.own else {})


def _content(role: str, parts: list[Json], raw: Mapping[str, Json]) -> dict[str, Json]:
    """Make a content, over the object that it was read from: a role that was taken, or left out, stays so."""
    is_kept = bool(raw) and raw.get("role") in _TAKEN and (ROLES[raw.get("role")] == "assistant") == (role == "model")
    return {**raw, "parts": parts} if is_kept else {**raw, "role": role, "parts": parts}


def _ordered(run: list[Message], blocks: list[Block], spelling: Spelling) -> tuple[list[Block], list[Change]]:
    """Put the results of a turn together, where the target wants them: in front of the words, or behind them."""
    results = [block for block in blocks if isinstance(block, ToolResult)]
    others = [block for block in blocks if not isinstance(block, ToolResult)]
    changes: list[Change] = []
    sorted_results = _in_order_of_calls(results, spelling)
    if sorted_results is not results:
        what = "put results of one tool in the order of their calls: without ids, order tells which is whose"
        changes.append(rewritten("wire-shape", what, run[0], results[0]))
    if not results or not others:
        return [*sorted_results, *others], changes
    were_first = spelling.own and _stood_first(others, results)
    if not spelling.target.text_after_results and not were_first:
        teller = next((message for message in run if any(block is others[0] for block in message.blocks)), run[0])
        what = "put what the user says in front of the tool results: the model refuses it behind them"
        said = others[0].text if isinstance(others[0], Text) else ""
        changes.append(rewritten("text-after-results", what, teller, others[0], before=shortened(said) or None))
    if were_first or not spelling.target.text_after_results:
        return [*others, *sorted_results], changes
    return [*sorted_results, *others], changes


def _in_order_of_calls(results: list[ToolResult], spelling: Spelling) -> list[ToolResult]:
    """Sort the results where ids are not on the wire and their order would tell a wrong story."""
    if spelling.target.call_ids_on_wire:
        return results
    last = len(spelling.order)
    right = sorted(results, key=lambda result: spelling.order.get(result.call_id, last))
    for name in {spelling.name(result) for result in results}:
        of_name = [result for result in results if spelling.name(result) == name]
        if any(one is not other for one, other in zip(of_name, _named(right, name, spelling), strict=True)):
            return right
    return results


def _named(results: list[ToolResult], name: str, spelling: Spelling) -> list[ToolResult]:
    return [result for result in results if spelling.name(result) == name]


def _stood_first(others: Sequence[Block], results: Sequence[Block]) -> bool:
    """Tell whether the source already had everything else in front of the results."""
    places = [block.place for block in others]
    behind = [block.place for block in results if block.place is not None]
    if not behind or any(place is None for place in places):
        return False
    start = min((place.message, place.block) for place in behind)
    return all((place.message, place.block) < start for place in places if place is not None)


def _loses_id(block: Block, spelling: Spelling) -> bool:
    """Tell whether the source's call or result has an id that the target does not take."""
    if isinstance(block, ToolCall):
        return spelling.wire_id(block.id) is None and bool(member(inner(spelling.raw(block), "functionCall"), "id"))
    if isinstance(block, ToolResult):
        has_one = bool(member(inner(spelling.raw(block), "functionResponse"), "id"))
        return has_one and spelling.wire_id(block.call_id) is None
    return False


def _respelled(message: Message, spelling: Spelling) -> Iterator[Change]:
    """Tell what of an untouched content has to be said otherwise, for the api would refuse it as it stands."""
    raw: Any = message.raw
    role = raw.get("role")
    if role not in _TAKEN:
        role_now = "model" if message.role == "assistant" else "user"
        yield rewritten(
            "wire-shape", f"called the role {role!r} {role_now!r}", message, before=str(role), after=role_now
        )
    for result in message.of(ToolResult):
        before = inner(result.raw or {}, "functionResponse")
        name = before.get("name")
        if name != spelling.name(result):
            what = f"gave the response to call {call_named(result)} the name of the call"
            yield rewritten("wire-shape", what, message, result, before=str(name), after=spelling.name(result))
        if not is_sayable(result, before):
            what = (
                f"said the response to call {call_named(result)} as words: the api takes objects, and no '$ref' in them"
            )
            yield rewritten("wire-shape", what, message, result, before=shortened(result.text))


def _unsayable(run: list[Message]) -> Iterator[Change]:
    for message in run:
        if message.role == "system":
            what = "wrote a system message as the user's: contents hold none"
            yield downgraded("misplaced-system", what, message)
        for block in message.blocks:
            if is_unsayable(block):
                yield dropped(
                    "redacted-thinking", "dropped redacted thinking: the format has no place for it", message, block
                )
