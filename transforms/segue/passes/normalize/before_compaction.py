"""Hide what stands before the last compaction boundary.

The agent compacted its history there: from then on it sent the summary instead. What came before is no part of the
history that the model had seen, and would only be paid twice. The boundary itself says nothing to a model.
Source: Claude Code and pi session formats, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "user", "content": "a long story"}
    {"role": "system", "content": [], "marks": ["compaction-boundary"]}
    {"role": "user", "content": "Summary: a story", "marks": ["compaction-summary"]}
  →
    {"role": "user", "content": "Summary: a story", "marks": ["compaction-summary"]}

    . 0 hid 1 message before the compaction boundary
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, hidden
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "before-compaction"
NEEDS = frozenset({"compaction-boundary"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    boundary = max(index for index, message in enumerate(history.messages) if "compaction-boundary" in message.marks)
    before = [message for message in history.messages[:boundary] if "compaction-boundary" not in message.marks]
    boundaries = [message for message in history.messages[: boundary + 1] if "compaction-boundary" in message.marks]
    line = history.messages[boundary].line
    where = f" at line {line:,}" if line else ""
    plural = "s" if len(before) != 1 else ""
    yield hidden(
        RULE, f"hid {len(before):,} message{plural} before the compaction boundary{where}", [*before, *boundaries],
        count=len(before),
    )  # fmt: skip
    yield from history.messages[boundary + 1 :]
