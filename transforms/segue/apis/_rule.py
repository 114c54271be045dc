"""What a row of an api's rules is, and the rows that all apis share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from segue.changes import Problem, Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that a server refuses, or that harms.

    `id` is the place in the book of wire rules, `name` what is found, as reports show it: rules of one api may share a
    name, then they share the severity too. `source` is who says so, `date` when that was read.
    """

    id: str
    name: str
    severity: Severity
    words: str
    source: str
    date: str = "2026-11-30"


@dataclass(frozen=True, slots=True)
class Silence:
    """What a judge says nothing of: it is legal, or a body alone does not tell. `why` says which, and more."""

    id: str
    words: str
    why: str
    source: str
    date: str = "2026-11-30"


# What the letter behind the dash of an id stands for.
THEMES = {
    "X": "any JSON",
    "S": "the request and the shape of its history",
    "T": "tools, calls and results",
    "R": "reasoning",
    "M": "media",
    "V": "vendors that speak this api in their own way",
    "L": "limits",
}


def theme_of(rule_id: str) -> str:
    """Give the letter of a rule's theme.

    >>> theme_of("A-T5"), theme_of("M-M1"), theme_of("X2")
    ('T', 'M', 'X')
    """
    return rule_id.partition("-")[2][:1] or rule_id[:1]


# What is found before any api's judge reads a body.
BODY = (
    Rule("X1", "invalid-json", "error", "a body is one JSON value in UTF-8, without a byte order mark", "RFC 8259"),
    Rule(
        "X1", "deep-nesting", "warning", "a body that nests deeper than 1,024 levels is not judged", "segue's own limit"
    ),
    Rule("X1", "other-api-body", "error", "a body is one of the api that it is sent to", "the apis' schemas"),
)
COMMON = (
    Rule(
        "X1", "lone-surrogate", "error", "half of a surrogate pair is no UTF-8", "RFC 3629; error body in public logs"
    ),
    Rule("X2", "no-json-number", "error", "NaN and Infinity are no JSON", "RFC 8259, section 6"),
    Rule(
        "X3", "nul-character", "warning", "U+0000 is legal JSON, but some back ends choke on it", "no error body found"
    ),
)


class Reporter(Protocol):
    """Makes the problem that a rule of one api's table, known by its name, tells of."""

    def __call__(
        self, name: str, pointer: str, what: str, says: str | None = None, severity: Severity | None = None
    ) -> Problem: ...


def reporter(rules: Sequence[Rule]) -> Reporter:
    """Give the function that makes problems from a table; a `severity` overrules the row where a target differs."""
    severities = {rule.name: rule.severity for rule in rules}

    def problem(
        name: str, pointer: str, what: str, says: str | None = None, severity: Severity | None = None
    ) -> Problem:
        return Problem(name, severity or severities[name], what, pointer=pointer, says=says)

    return problem
