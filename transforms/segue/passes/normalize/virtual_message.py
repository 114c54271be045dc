"""Hide messages that were only ever shown to the person.

An agent's screen holds turns that it never sent: progress of its own tools, internal steps. Sent, they would make up a
conversation that the model did not have. Results of a virtual call go with it, and calls of a virtual result.
Source: Claude Code's message normalisation as described in public analyses; Claude Code session format, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "user", "content": "working …", "marks": ["virtual"]}
    {"role": "user", "content": "what now?"}
  →
    {"role": "user", "content": "what now?"}

    . 0 hid 1 virtual message
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change
from segue.model import History, Message
from segue.passes._hiding import hide_marked
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "virtual-message"
NEEDS = frozenset({"virtual"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    yield from hide_marked(history, RULE, "virtual")
