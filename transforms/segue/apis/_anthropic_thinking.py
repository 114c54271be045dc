"""Judge where thinking stands in a history of Anthropic Messages, as far as a body tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.apis._anthropic_pairs import Turn
from segue.apis._anthropic_rules import problem
from segue.apis._walk import shown, text_of
from segue.changes import Problem
from segue.model import Json

_THOUGHTS = ("thinking", "redacted_thinking")


def judged(request: dict[str, Json], turns: Sequence[Turn]) -> Iterator[Problem]:
    """Judge the start of the turn before the last results, and signs of a turn that was altered."""
    yield from _leads(request, turns)
    yield from _altered(turns)


def _leads(request: dict[str, Json], turns: Sequence[Turn]) -> Iterator[Problem]:
    thinking = request.get("thinking")
    if not isinstance(thinking, dict) or thinking.get("type") != "enabled" or len(turns) < 2:
        return
    answer, last = turns[-2:]
    ends_in_results = last.role == "user" and any(block.get("type") == "tool_result" for _, block in last.blocks)
    if answer.role != "assistant" or not ends_in_results or not answer.blocks:
        return
    pointer, block = answer.blocks[0]
    if block.get("type") not in ("thinking", "redacted_thinking"):
        says = (
            f"messages.{answer.messages[0]}.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
            f"`{block.get('type')}`. When `thinking` is enabled, a final `assistant` message must start with a "
            "thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks)."
        )
        what = (
            f"manual thinking is enabled, and the turn before the last results starts with {shown(block.get('type'))}"
        )
        yield problem("thinking-missing", pointer, what, says)


def _altered(turns: Sequence[Turn]) -> Iterator[Problem]:
    """Find thinking in the latest answer that cannot be as the model wrote it: twice the same, or grown together."""
    latest = next((turn for turn in reversed(turns) if turn.role == "assistant"), None)
    if latest is None:
        return
    met: dict[str, str] = {}
    before: tuple[str, dict[str, Json]] | None = None
    for pointer, block in latest.blocks:
        if block.get("type") in _THOUGHTS:
            key = text_of(block.get("signature")) or text_of(block.get("data"))
            if key is not None and key in met:
                what = f"the thinking at {met[key]} stands here a second time, in the latest answer"
                yield problem("thinking-altered", pointer, what, _modified(pointer))
            elif before is not None and before[1].get("type") == block.get("type") == "thinking":
                what = "two thinking blocks of the latest answer follow each other: something between them may be gone"
                yield problem("thinking-altered", pointer, what, _modified(pointer))
            if key is not None:
                met.setdefault(key, pointer)
        before = (pointer, block)


def _modified(pointer: str) -> str:
    place = pointer[1:].replace("/", ".")
    return (
        f"{place}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These "
        "blocks must remain as they were in the original response."
    )
