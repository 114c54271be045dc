"""Trim the end of a history that ends on the assistant's text.

A model that continues such a text refuses one that ends in white space.
Source: api rule A-S8, read 2026-11.

Example, for anthropic/claude-sonnet-4-5:

    {"role": "user", "content": "count"}
    {"role": "assistant", "by": "anthropic/claude-sonnet-4-5", "content": "one, two, "}
  →
    {"role": "user", "content": "count"}
    {"role": "assistant", "by": "anthropic/claude-sonnet-4-5", "content": "one, two,"}

    = 1.0 trimmed white space at the end of the last text
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import History, Message, Text
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "trailing-blank"
NEEDS = frozenset({"assistant"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    last = history.messages[-1] if history.messages else None
    final = last.blocks[-1] if last is not None and last.role == "assistant" and last.blocks else None
    if target.blank_text or last is None or not isinstance(final, Text) or final.text == final.text.rstrip():
        yield from history.messages
        return
    yield from history.messages[:-1]
    yield rewritten(RULE, "trimmed white space at the end of the last text", last, final)
    yield last.with_blocks([*last.blocks[:-1], replace(final, text=final.text.rstrip())])
