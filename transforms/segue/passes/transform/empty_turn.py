"""Leave out messages in which nothing is left.

Nothing was said in them, or what was said had to go and is reported where it went. Apis refuse empty content.
Source: api rule A-S6, read 2026-11.

Example, for anthropic/claude-opus-4-8:

    {"role": "user", "content": "hi"}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": []}
  →
    {"role": "user", "content": "hi"}

    = 1 left out an empty assistant message
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, rewritten
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "empty-turn"
NEEDS: frozenset[str] = frozenset()
ALONE = True
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        if message.blocks or message.marks & {"compaction-boundary"}:
            yield message
        else:
            yield rewritten(RULE, f"left out an empty {message.role} message", message)
