"""Give a second call with an id that was used before an id of its own.

Some models count their calls from zero in every turn, and a retried stream may repeat an id. Apis that pair by id
refuse that or answer the wrong call. The first comer keeps the plain id; each later pair of call and result changes
together. A call without any id gets one too.
Source: api rule A-T4; public reports on ids that restart in each turn, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "call_0", "name": "read", "arguments": {"page": 1}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "call_0", "name": "read", "content": "one"}]}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "call_0", "name": "read", "arguments": {"page": 2}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "call_0", "name": "read", "content": "two"}]}
  →
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "call_0", "name": "read", "arguments": {"page": 1}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "call_0", "name": "read", "content": "one"}]}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": [{"type": "tool_call", "id": "call_0_2", "name": "read", "arguments": {"page": 2}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "call_0_2", "name": "read", "content": "two"}]}

    = 2.0 renamed call 'call_0' (read), whose id an earlier call has, to 'call_0_2'
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, rewritten, synthesized
from segue.identity import digest
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.passes._renaming import renamed
from segue.passes.pairing import Pair, pairing_of
from segue.targets import Target

RULE = "duplicate-call-id"
NEEDS = frozenset({"ToolCall"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    taken: set[str] = set()
    uses: dict[str, int] = {}
    new_ids: list[tuple[Pair, str]] = []
    for pair in pairing_of(history).pairs:
        plain = pair.call.id
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
    yield from renamed(history, new_ids)


def _fresh(plain: str, taken: set[str], uses: dict[str, int]) -> str:
    if plain not in taken:
        return plain
    number = uses.get(plain, 1)
    while True:
        number += 1
        new = f"{plain}_{number}"
        if new not in taken:
            uses[plain] = number
            return new
