"""Changes in the order of the source, and in runs of one kind and rule that are told together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from segue.changes import KINDS, Change
from segue_cli.view.plain import plain

_BEFORE_ALL = -1
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|‘[^’]*’|“[^”]*”")
_HIDING = re.compile(r"(hid )?[\d,]+ ")
_LONGEST_SENTENCE = 600


def in_source_order(changes: Sequence[Change]) -> list[Change]:
    """Sort changes by the place they happened in; those of one place stay in the order of the rules.

    What belongs to no message stands behind the message whose line is before its own; what has no line either stands
    in front of all.
    """
    known = sorted({(c.line, c.message) for c in changes if c.line is not None and c.message is not None})
    lines = [line for line, _ in known]

    def place(change: Change) -> tuple[int, int, int]:
        if change.message is not None:
            return change.message, 0, _BEFORE_ALL if change.block is None else change.block
        if change.line is None:
            return _BEFORE_ALL, 0, 0
        index = bisect_right(lines, change.line)
        return known[index - 1][1] if index else _BEFORE_ALL, 1, change.line

    return sorted(changes, key=place)


def place_of(change: Change) -> tuple[str, int]:
    """Tell what a change is shown under: its message, its line, or the whole transcript."""
    if change.message is not None:
        return "message", change.message
    return ("line", change.line) if change.line is not None else ("transcript", 0)


def runs_of(changes: Iterable[Change]) -> list[list[Change]]:
    """Collect changes of one kind and rule, kinds in the order of the report, rules as they first appear."""
    runs: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        runs.setdefault((change.kind, change.rule), []).append(change)
    return sorted(runs.values(), key=lambda run: KINDS.index(run[0].kind))


def sentence(change: Change) -> str:
    """Give what a change says, inert and no longer than any screen needs."""
    return plain(change.what[:_LONGEST_SENTENCE])


def span(changes: Sequence[Change]) -> str:
    lines = [change.line for change in changes if change.line is not None]
    if lines:
        first, last = min(lines), max(lines)
        return f"lines {first:,}–{last:,}" if first != last else f"line {first:,}"
    numbers = [change.message for change in changes if change.message is not None]
    if numbers:
        first, last = min(numbers), max(numbers)
        return f"#{first:,}–#{last:,}" if first != last else f"#{first:,}"
    return ""


def shared_label(changes: Sequence[Change]) -> str:
    """Give the sentence that most of these changes share, names and ids left open where they differ."""
    if len({change.what for change in changes}) == 1:
        return sentence(changes[0])
    sentences = Counter(_QUOTED.sub("…", change.what[:_LONGEST_SENTENCE]) for change in changes)
    return plain(sentences.most_common(1)[0][0])


def reason_of(run: Sequence[Change]) -> tuple[str, bool]:
    """Say why messages were hidden, and whether the rule's own words (`hid 38 messages before …`) began with a number.

    The number itself is left out: several changes of one reason are told with their sum.
    """
    label = shared_label(run)
    number = _HIDING.match(label)
    return (label[number.end() :], True) if number else (label, False)
