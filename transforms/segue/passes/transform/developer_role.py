"""Say a developer's message as the system's where the host does not know that role.

OpenAI renamed the role for its newer models; the many who speak its language did not follow, and refuse it.
Source: api rule C-S1; earendil-works/pi#10741, read 2026-11.

Example, for deepseek/deepseek-v4-pro:

    {"role": "system", "content": "be terse", "raw": {"role": "developer"}}
  →
    {"role": "system", "content": "be terse", "raw": {"role": "system"}}

    = 0 said a developer's message as the system's
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "developer-role"
NEEDS = frozenset({"system"})
ALONE = True
SENT_ONLY = True


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if target.developer_role or not (policy.as_request and policy.same_format):
        yield from history.messages
        return
    for message in history.messages:
        raw = message.raw or {}
        if raw.get("role") != "developer":
            yield message
            continue
        yield rewritten(RULE, "said a developer's message as the system's", message, before=None)
        yield replace(message, raw={**raw, "role": "system"}, touched=True)
