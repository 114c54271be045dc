"""Give calls ids that the api takes, on call and result alike.

Each api has its own alphabet and length, and ids of another are refused. One id is made for each pair, never one for
each text: the same source id in two turns or from two models is two calls. The first comer keeps the plain cleaned
form; an id that comes out empty, too long or like another one gets a derived ending. Of a piped id, `call_…|fc_…` in
either order, the call's part stays. The target's own legal ids are left alone.
Source: pi's transformMessages 0.66; api rules A-T1, O-T1 and C-T1; pi issues 198, 2328 and 6854, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "moonshotai/kimi-k3", "content": [{"type": "tool_call", "id": "functions.Bash:0", "name": "Bash", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "functions.Bash:0", "name": "Bash", "content": "a.txt"}]}
  →
    {"role": "assistant", "by": "moonshotai/kimi-k3", "content": [{"type": "tool_call", "id": "functions_Bash_0", "name": "Bash", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "functions_Bash_0", "name": "Bash", "content": "a.txt"}]}

    = 0.0 renamed call 'functions.Bash:0' (Bash) to 'functions_Bash_0'
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, rewritten, shortened
from segue.identity import digest, id_parts
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.passes._renaming import renamed
from segue.passes.pairing import Pair, pairing_of
from segue.targets import IdShape, Target

RULE = "call-id-shape"
NEEDS = frozenset({"ToolCall"})
_HIDDEN_SIGNATURE = "__thought__"  # some gateways hide a thought signature behind this in the id
_ANY = IdShape(characters="^\\x00", length=1_000_000)
_TAIL = 9  # an underscore and eight derived characters


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    shape = target.call_id if policy.as_request or not target.call_id.wire_only else _ANY
    taken: set[str] = set()
    new_ids: list[tuple[Pair, str]] = []
    for pair in pairing_of(history).pairs:
        message = history.messages[pair.at.message]
        old = pair.call.id
        new = old if _is_legal(old, shape, target.wrote(message.origin)) else _plain(old, shape)
        wire = id_parts(new)[0] if shape.piped else new
        if wire in taken or not shape.accepts(wire):
            new = wire = _derived(wire, old, shape, taken)
        taken.add(wire)
        if new != old:
            what = f"renamed call {shortened(old)!r} ({pair.call.name}) to {new!r}"
            yield rewritten(RULE, what, message, pair.call, before=shortened(old), after=new)
            new_ids.append((pair, new))
    if new_ids:
        yield from renamed(history, new_ids)
    else:
        yield from history.messages


def _is_legal(call_id: str, shape: IdShape, is_own: bool) -> bool:
    if shape.accepts(call_id):
        return _HIDDEN_SIGNATURE not in call_id
    if not (is_own and shape.piped and call_id.count("|") == 1):
        return False
    call, item = id_parts(call_id)
    return shape.accepts(call) and item is not None and shape.accepts(item)


def _plain(call_id: str, shape: IdShape) -> str:
    call, _ = id_parts(call_id)
    call = call.partition(_HIDDEN_SIGNATURE)[0] or call
    return shape.cleaned(call).strip("_")


def _derived(plain: str, old: str, shape: IdShape, taken: set[str]) -> str:
    """Derive a free id of legal length that still shows where it came from."""
    attempt = 0
    while True:
        tail = digest("call", old, attempt, length=shape.length if shape.exact else _TAIL - 1)
        stem = plain[: shape.length - _TAIL] or "call"
        new = tail.rjust(shape.length, "0") if shape.exact else f"{stem}_{tail}"[: shape.length]
        if new not in taken:
            return new
        attempt += 1
