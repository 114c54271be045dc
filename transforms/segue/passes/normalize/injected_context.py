"""Hide what the recording agent tells of its own surroundings.

Agents put their working directory, permissions, modes and project instructions into the history, in the name of the
user or the developer. Whoever goes on with the history elsewhere stands in other surroundings and brings its own
instructions. In the recording agent's own format all of it stays, and so does everything that somebody really said.
Source: Codex rollouts 0.20 to 0.171, read and measured 2026-11.

Example, for openai/gpt-4o:

    {"role": "user", "content": "<environment_context><cwd>/a</cwd></environment_context>", "marks": ["injected"]}
    {"role": "user", "content": "what now?"}
  →
    {"role": "user", "content": "what now?"}

    . 0 hid 1 injected message
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change
from segue.model import History, Message
from segue.passes._hiding import hide_marked
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "injected-context"
NEEDS = frozenset({"injected"})
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    yield from hide_marked(history, RULE, "injected")
