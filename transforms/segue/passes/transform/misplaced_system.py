"""Turn system messages in the middle into user messages where the target refuses them.

Most apis take one system prompt at the head. Later instructions were the operator's word; as user messages they lose
that weight but stay in their place. Targets that take them do so only behind the user and before an answer.
Source: api rule A-S9, read 2026-11.

Example, for anthropic/claude-sonnet-4-6:

    {"role": "user", "content": "hi"}
    {"role": "system", "content": "be terse"}
  →
    {"role": "user", "content": "hi"}
    {"role": "user", "content": "be terse"}

    ~ 1 turned a system message in the middle into a user message
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, downgraded, excerpt
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "misplaced-system"
NEEDS = frozenset({"system"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    messages = history.messages
    is_head = True
    for index, message in enumerate(messages):
        if message.role != "system" or is_head or _may_stay(messages, index, target):
            is_head = is_head and message.role == "system"
            yield message
            continue
        before = excerpt(message.blocks[0]) if message.blocks else None
        what = "turned a system message in the middle into a user message"
        yield downgraded(RULE, what, message, before=before)
        yield replace(message, role="user", raw=None, touched=True)


def _may_stay(messages: tuple[Message, ...], index: int, target: Target) -> bool:
    if not target.late_system:
        return False
    if not target.system_placement:
        return True
    is_behind_user = messages[index - 1].role in ("user", "tool")
    follower = messages[index + 1].role if index + 1 < len(messages) else None
    return is_behind_user and follower in (None, "assistant")
