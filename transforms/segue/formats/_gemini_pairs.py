"""Which response answers which call, where Gemini's wire does not say it.

Up to Gemini 2.5 calls have no ids, and a response belongs to the first call of its name that is still open. Ids are
derived for them, the same for the same place; those never reach the wire again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from segue.identity import digest
from segue.model import Block, ContentBlock, Text, ToolCall, ToolResult


@dataclass(slots=True)
class _Call:
    id: str
    name: str
    turn: int
    has_id: bool
    answer: tuple[ContentBlock, ...] | None = None


@dataclass(slots=True)
class Pairs:
    """The calls of a history so far. `names` are those of all tools that are declared or were called."""

    names: set[str] = field(default_factory=set)
    turn: int = 0
    latest: list[_Call] = field(default_factory=list)  # the calls of the latest turn that had some
    open: dict[str, list[_Call]] = field(default_factory=dict)  # all calls without an answer, by name
    by_id: dict[str, list[_Call]] = field(default_factory=dict)

    def with_ids(self, blocks: tuple[Block, ...], number: int, is_assistant: bool) -> tuple[Block, ...]:
        """Give every call and result of a message its id; results come first, as the model has them."""
        if is_assistant:
            return tuple(self._called(block, number) if type(block) is ToolCall else block for block in blocks)
        self.turn += 1
        results = [block for block in blocks if type(block) is ToolResult]
        if not results:
            return blocks
        others = [block for block in blocks if type(block) is not ToolResult]
        return (*self._answered(results, number), *others)

    def _called(self, call: ToolCall, number: int) -> ToolCall:
        has_id = bool(call.id)
        if not has_id:
            place = call.place.block if call.place is not None else 0
            call = replace(call, id=f"call_{digest('gemini', number, place, call.name)}")
        noted = _Call(call.id, call.name, self.turn, has_id)
        if self.latest and self.latest[0].turn != self.turn:
            self.latest = []
        self.latest.append(noted)
        self.open.setdefault(call.name, []).append(noted)
        self.by_id.setdefault(call.id, []).append(noted)
        self.names.add(call.name)
        return call

    def _answered(self, results: Sequence[ToolResult], number: int) -> list[ToolResult]:
        calls: list[_Call | None] = []
        for result in results:
            call = self._of_id(result) or self._of_name(result)
            calls.append(call)
            self._close(call, result)
        # A name that nobody has called or declared is no name of a tool: then the place has to tell.
        strays = [index for index, call in enumerate(calls) if call is None and self._tells_nothing(results[index])]
        waiting = [call for call in self.latest if call.answer is None]
        if len(strays) == len(waiting):
            for index, call in zip(strays, waiting, strict=True):
                calls[index] = call
                self._close(call, results[index])
        return [_named(result, call, number) for result, call in zip(results, calls, strict=True)]

    def _of_id(self, result: ToolResult) -> _Call | None:
        """Find the call that has a result's id; a repeated result finds it too."""
        found = self.by_id.get(result.call_id, ()) if result.call_id else ()
        return next((call for call in reversed(found) if call.answer is None), found[-1] if found else None)

    def _of_name(self, result: ToolResult) -> _Call | None:
        """Find an open call of a result's name: the first of the latest turn, else the latest before it.

        A result that says again what was answered already repeats that answer.
        """
        by_name = [call for call in self.open.get(result.name, ()) if not (call.has_id and result.call_id)]
        of_latest = [call for call in by_name if self.latest and call.turn == self.latest[0].turn]
        if by_name:
            return of_latest[0] if of_latest else by_name[-1]
        if result.call_id:
            return None
        same = [call for call in self.latest if call.name == result.name and _says_same(call.answer, result.content)]
        return same[-1] if same else None

    def _tells_nothing(self, result: ToolResult) -> bool:
        return not result.call_id and result.name not in self.names

    def _close(self, call: _Call | None, result: ToolResult) -> None:
        if call is not None and call.answer is None:
            call.answer = result.content
            self.open[call.name] = [other for other in self.open[call.name] if other is not call]


def _named(result: ToolResult, call: _Call | None, number: int) -> ToolResult:
    if call is not None:
        return replace(result, call_id=call.id, name=call.name)
    if result.call_id:
        return result
    place = result.place.block if result.place is not None else 0
    return replace(result, call_id=f"call_{digest('gemini', number, place, result.name)}")


def _says_same(answer: tuple[ContentBlock, ...] | None, content: tuple[ContentBlock, ...]) -> bool:
    return bool(content) and answer is not None and _texts(answer) == _texts(content)


def _texts(content: tuple[ContentBlock, ...]) -> list[str]:
    return [block.text for block in content if isinstance(block, Text)]
