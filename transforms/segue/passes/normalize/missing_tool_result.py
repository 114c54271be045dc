"""Make an error result for every call that has none.

The agent was stopped, crashed, or its user went on before the tool had run. Every api refuses a call without a
result, in this request and in all that follow. The filler says that nothing is known; its time is its neighbour's.
Where a subagent was called and its own session is at hand and finished, its last words there are the result.
Source: pi's transformMessages 0.66; Claude Code's message normalisation as described in public analyses; api rules
A-T5, O-T3 and C-T2, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}]}
    {"role": "user", "content": "still there?"}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "No result provided", "is_error": true}]}
    {"role": "user", "content": "still there?"}

    + 0.0 synthesized an error result for call 'c1' (ls)
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, excerpt, rewritten, synthesized
from segue.model import History, Message, Text, ToolResult
from segue.passes._policy import Policy
from segue.passes.pairing import FILLER, Pair, pairing_of
from segue.targets import Target

RULE = "missing-tool-result"
NEEDS = frozenset({"ToolCall"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    pairing = pairing_of(history)
    missing: dict[int, list[Pair]] = {}
    if not pairing.is_sound:
        for pair in pairing.pairs:
            if not pair.results:
                missing.setdefault(pair.at.message, []).append(pair)
    waiting: list[Message] = []  # fillers that go behind the results that the turn does have
    for index, message in enumerate(history.messages):
        if waiting and not _is_result(message):
            yield from waiting
            waiting = []
        elif waiting and len(message.blocks) > _leading_results(message):
            yield _with_fillers(message, waiting)
            waiting = []
            continue
        yield message
        for pair in missing.get(index, ()):
            name = f"{pair.call.id!r} ({pair.call.name})"
            found = policy.answer_of(pair.call) if policy.answer_of is not None else None
            if found is not None:
                result = ToolResult(pair.call.id, pair.call.name, found.content)
                what = f"took the result of call {name} from its subagent's own session ({found.where})"
                yield rewritten(RULE, what, message, pair.call, before=None, after=excerpt(result))
                yield from found.changes
                waiting.append(Message("tool", (result,), time=message.time, touched=True))
                continue
            yield synthesized(
                RULE, f"synthesized an error result for call {name}", message, pair.call, before=None, after=FILLER
            )
            filler = ToolResult(pair.call.id, pair.call.name, (Text(FILLER),), is_error=True)
            waiting.append(Message("tool", (filler,), time=message.time, touched=True))
    yield from waiting


def _is_result(message: Message) -> bool:
    return message.role != "assistant" and _leading_results(message) > 0


def _leading_results(message: Message) -> int:
    """Count the results that a message begins with."""
    count = 0
    for block in message.blocks:
        if type(block) is not ToolResult:
            break
        count += 1
    return count


def _with_fillers(message: Message, fillers: list[Message]) -> Message:
    """Put fillers between a user message's leading results and its words."""
    lead = _leading_results(message)
    made = [block for filler in fillers for block in filler.blocks]
    return message.with_blocks([*message.blocks[:lead], *made, *message.blocks[lead:]])
