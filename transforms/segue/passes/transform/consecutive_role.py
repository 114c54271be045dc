"""Merge neighbouring messages of one role where the api wants turns to alternate.

Two prompts in a row, a reminder before a prompt, two answers after a retry: one message each, block behind block,
never glued into one text. Tool results and the user's words after them are on one side; how they share a message is
spelling.
Source: vendors' documents and error texts, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "user", "content": "hi"}
    {"role": "user", "content": "are you there?"}
  →
    {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "text", "text": "are you there?"}]}

    = 1 merged a user message into the one before it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "consecutive-role"
NEEDS: frozenset[str] = frozenset()
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if not target.alternates:
        yield from history.messages
        return
    before: Message | None = None
    for message in history.messages:
        if before is None or message.role != before.role or message.role not in ("user", "assistant"):
            if before is not None:
                yield before
            before = message
            continue
        yield rewritten(RULE, f"merged {_article(message.role)} message into the one before it", message)
        before = _merged(before, message, target)
    if before is not None:
        yield before


def _merged(first: Message, second: Message, target: Target) -> Message:
    """Join two messages of one role. By now foreign blocks are fitted: a joint turn counts as the target's own."""
    return replace(
        first,
        blocks=first.blocks + second.blocks,
        origin=second.origin if target.wrote(second.origin) else first.origin,
        stop_reason=second.stop_reason,
        records=first.records + tuple(r for r in second.records if r not in first.records),
        touched=True,
    )


def _article(role: str) -> str:
    return f"an {role}" if role == "assistant" else f"a {role}"
