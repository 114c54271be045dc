"""Hide messages that the recording agent had snipped from its sent view.

Some agents mark single messages as taken out, to save tokens, and keep them on file. A call that was snipped without
its result, or the other way round, takes its counterpart along: the api refuses half a pair.
Source: Claude Code's history snip, known from public analyses only (2026-11).

Example, for openai/gpt-4o:

    {"role": "user", "content": "old noise", "marks": ["snipped"]}
    {"role": "user", "content": "what now?"}
  →
    {"role": "user", "content": "what now?"}

    . 0 hid 1 snipped message
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change
from segue.model import History, Message
from segue.passes._hiding import hide_marked
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "snipped-message"
NEEDS = frozenset({"snipped"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    yield from hide_marked(history, RULE, "snipped")
