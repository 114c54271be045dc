"""Where segue differs on purpose from the two documents it started from: the shape of an entry, and how it is run.

Each entry is an example that runs: what stands in the history, what the other converter makes of it (written down, from
its description), and what segue makes of it, which a test compares with what really comes out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from neutral_lines import Line, said

from segue import Options, Policy, convert, fit, read, resolve
from segue.formats.neutral import object_of
from segue.passes import examples

PI = "pi's transformMessages as described for v0.66"
CLAUDE_CODE = "Claude Code's normalizeMessagesForAPI as described in public analyses"


@dataclass(frozen=True, slots=True)
class Difference:
    """One situation: what stands there, what theirs makes of it, what ours makes of it, and why."""

    title: str
    model: str
    history: tuple[Line, ...]
    theirs: str
    theirs_gives: tuple[Line, ...]
    ours: str
    ours_gives: tuple[Line, ...]
    why: str
    source: str
    api: str | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Ran:
    """What segue made of an entry's history."""

    lines: tuple[Line, ...]
    report: tuple[str, ...]


def run(difference: Difference) -> Ran:
    """Fit the history as for a request."""
    target = resolve(difference.model, difference.api)
    policy = Policy(as_request=True, **dict(difference.options))  # type: ignore[arg-type]
    ((transcript, of_reading),) = read(_source(difference), "neutral").transcripts
    fitted, changes = fit(transcript, target, policy)
    told = sorted(of_reading + changes, key=lambda change: (change.message or 0, change.block or 0))
    return Ran(tuple(map(object_of, fitted.messages)), tuple(map(examples.said, told)))


def request_of(difference: Difference) -> dict[str, Any]:
    """Write the whole request body; RefusedByTarget when the target would refuse it."""
    options = Options(difference.model, difference.api, to="request", **dict(difference.options))  # type: ignore[arg-type]
    body: dict[str, Any] = json.loads(convert(_source(difference), options).output)
    return body


def _source(difference: Difference) -> bytes:
    lines = ({"segue": "neutral"}, *difference.history)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


# ------------------------------------------------------------------------------------------- the page


def page(of_pi: tuple[Difference, ...], of_claude_code: tuple[Difference, ...]) -> str:
    """Print docs/differences.md."""
    head = f"""# Where segue differs on purpose

segue started from two descriptions:
{PI}, and
{CLAUDE_CODE}.
Where it does something else on purpose, it says so here.

Every example runs. A test fits the history and compares it with what stands under "ours", and sees to it that the
target would accept the request body made from it. "Theirs" is what the description (for pi: also the published package
0.66.0) makes of such a history before a request is written. The signs of a report: `-` dropped, `~` downgraded,
`+` synthesized, `=` rewritten, `.` hidden; `2.0` is block 0 of message 2, counted from 0.

This page is printed by `tests/documents/differences.py`; `make accept` prints it anew.
"""
    parts = [head]
    for title, entries in ((PI, of_pi), (CLAUDE_CODE, of_claude_code)):
        parts.append(f"## {title}\n")
        parts += [_entry(difference) for difference in entries]
    return "\n".join(parts)


def _entry(difference: Difference) -> str:
    ran = run(difference)
    for_whom = difference.model + (f" over {difference.api}" if difference.api else "")
    for_whom += "".join(f" with --{name.replace('_', '-')} {value}" for name, value in difference.options)
    drawn = [f"history, for {for_whom}"]
    drawn += _drawn(difference.history)
    drawn += ["theirs", *_drawn(difference.theirs_gives), "ours", *_drawn(ran.lines)]
    drawn += ["report"] + [f"  {line}" for line in ran.report] if ran.report else []
    code = "\n".join(drawn)
    return f"""### {difference.title}

- **theirs:** {difference.theirs}
- **ours:** {difference.ours}
- **why:** {difference.why}
- **source:** {difference.source}

```text
{code}
```
"""


def _drawn(lines: tuple[Line, ...]) -> list[str]:
    return [f"  {said(line)}" for line in lines] or ["  (nothing)"]
