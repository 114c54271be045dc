"""Hide the agent's own notices that a request had failed.

They stand on file in the assistant's name, but no model said them and none was ever sent them again.
Source: Claude Code session format, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "user", "content": "hi"}
    {"role": "assistant", "content": "API Error: 529 overloaded", "marks": ["api-error"]}
    {"role": "user", "content": "hi again"}
  →
    {"role": "user", "content": "hi"}
    {"role": "user", "content": "hi again"}

    . 1 hid 1 notice of a failed request
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, excerpt, hidden
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "api-error-turn"
NEEDS = frozenset({"api-error"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    notices = [message for message in history.messages if "api-error" in message.marks]
    plural = "s" if len(notices) != 1 else ""
    before = next((excerpt(block) for message in notices for block in message.blocks), None)
    yield hidden(RULE, f"hid {len(notices):,} notice{plural} of a failed request", notices, before=before)
    yield from (message for message in history.messages if "api-error" not in message.marks)
