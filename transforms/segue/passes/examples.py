"""The example in a rule's docstring: what stands before, what after, and what the report says.

    Example, for PROVIDER/ID [over API] [with --thinking drop|--orphan-results text] [after a change in message N]
        [in a request of N bytes]:

        {"role": …}                 the history, in the neutral format
      →
        {"role": …}                 the same after this rule alone

        - 1.0 dropped …             a line for each change: its sign, its message and block, its sentence

A test runs every example, and `segue explain` prints it: the documents cannot be wrong.
"""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import dataclass, replace
from types import ModuleType

from segue.changes import Change
from segue.formats.neutral import message_of, object_of
from segue.model import History, Message
from segue.passes._policy import Policy
from segue.targets import Target, resolve

SIGNS = {"dropped": "-", "downgraded": "~", "synthesized": "+", "rewritten": "=", "hidden": "."}
_HEAD = re.compile(
    r"^Example, for (?P<model>\S+?)(?: over (?P<api>\S+?))?(?P<options>(?: with| --).*?)?"
    r"(?: after a change in message (?P<changed>\d+))?(?: in a request of (?P<size>\d+) bytes)?:$"
)


@dataclass(frozen=True, slots=True)
class Example:
    """A parsed example, ready to run."""

    target: Target
    policy: Policy
    before: History
    after: tuple[str, ...]  # messages as JSON with sorted keys
    report: tuple[str, ...]


def example_of(rule: ModuleType) -> Example:
    """Parse the example of a rule; ValueError when there is none or it is not of the form above."""
    lines = inspect.cleandoc(rule.__doc__ or "").splitlines()
    at = next((index for index, line in enumerate(lines) if line.startswith("Example, for ")), None)
    if at is None:
        raise ValueError(f"{rule.__name__} has no example")
    head = _HEAD.match(lines[at])
    if head is None:
        raise ValueError(f"{rule.__name__}: {lines[at]!r} is no head of an example")
    body = [line.strip() for line in lines[at + 1 :] if line.strip()]
    arrow = body.index("→")
    before = tuple(_message(line, number) for number, line in enumerate(body[:arrow]))
    after = tuple(shown(_message(line, 0)) for line in body[arrow + 1 :] if line.startswith("{"))
    report = tuple(line for line in body[arrow + 1 :] if not line.startswith("{"))
    changed = head["changed"]
    history = History(before, changed_from=None if changed is None else (int(changed), -1))
    target = resolve(head["model"], head["api"])
    if head["size"]:
        target = replace(target, request_size=int(head["size"]))
    return Example(target, _policy(head["options"] or ""), history, after, report)


def said(change: Change) -> str:
    """Say a change as an example does."""
    place = "" if change.message is None else str(change.message)
    if change.block is not None:
        place += f".{change.block}"
    return " ".join(part for part in (SIGNS[change.kind], place, change.what) if part)


def shown(message: Message) -> str:
    """Say a message as an example does."""
    return _sorted(object_of(message))


def _message(line: str, number: int) -> Message:
    return message_of(json.loads(line), number, None, number)


def _sorted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _policy(options: str) -> Policy:
    found = dict(re.findall(r"--([a-z-]+) (\S+)", options))
    return Policy(
        thinking=found.get("thinking", "auto"),
        orphan_results=found.get("orphan-results", "auto"),
        as_request=True,
        same_format=True,
    )
