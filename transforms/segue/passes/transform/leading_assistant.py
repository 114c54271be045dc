"""Put a user message in front of a history that begins with the assistant.

The window was cut, or the agent greeted first. Apis that want the user to begin refuse it. An agent sends such a
session as it is, so its own file is mended as well.
Source: api rule A-S3, read 2026-11; Claude Code 2.1.332, tried 2026-12.

Example, for anthropic/claude-opus-4-8:

    {"role": "assistant", "by": "openai/gpt-5.2", "content": "Hello, what shall we do?"}
  →
    {"role": "user", "content": "(the conversation begins here)"}
    {"role": "assistant", "by": "openai/gpt-5.2", "content": "Hello, what shall we do?"}

    + 0 synthesized a user message before the first assistant message
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, synthesized
from segue.model import History, Message, Text
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "leading-assistant"
NEEDS = frozenset({"assistant"})
OPENING = "(the conversation begins here)"


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    first = next((index for index, message in enumerate(history.messages) if message.role != "system"), None)
    if not target.leading_user or first is None or history.messages[first].role != "assistant":
        yield from history.messages
        return
    message = history.messages[first]
    yield from history.messages[:first]
    what = "synthesized a user message before the first assistant message"
    yield synthesized(RULE, what, message, before=None, after=OPENING)
    yield Message("user", (Text(OPENING),), time=message.time, touched=True)
    yield from history.messages[first:]
