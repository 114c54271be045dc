"""Take up a prompt that stands only in its agent's queue.

What the user types while a tool runs goes to the model together with the tool's result. Some versions of the agent
wrote no line for it: it stands in the queue alone, and the answer that follows seems to obey nobody. The agent itself
does not send it again, so its own file stays as it is.
Source: measured on public Claude Code sessions 2.1.14 to 2.1.36; simonw/claude-code-transcripts#98, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "a.txt"}]}
    {"role": "user", "content": "only text files", "marks": ["queued"]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}]}
    {"role": "tool", "content": [{"type": "tool_result", "call_id": "c1", "name": "ls", "content": "a.txt"}]}
    {"role": "user", "content": "only text files"}

    = 2 took up a prompt that stands only in the queue: the model had it with a tool's result
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, excerpt, rewritten
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "queued-prompt"
NEEDS = frozenset({"queued"})
ALONE = True
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        if "queued" not in message.marks:
            yield message
            continue
        what = "took up a prompt that stands only in the queue: the model had it with a tool's result"
        words = excerpt(message.blocks[0]) if message.blocks else None
        yield rewritten(RULE, what, message, before=None, after=words)
        yield replace(message, marks=message.marks - {"queued"}, touched=True)
