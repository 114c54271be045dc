"""Print the rule books of all apis: what docs/rules.md holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from segue.apis import BODY, LEGAL, RULES, UNSEEN, Rule, Silence
from segue.apis._rule import COMMON, THEMES, theme_of
from segue.targets.catalogue import APIS

HEAD = """# What each api refuses

Printed from the tables in `transforms/segue/apis/` by a test; `make accept` prints it anew. `segue lint` judges by
them, and so does every conversion that writes a request body. `segue explain ID` and `segue explain RULE` tell the same
in a terminal.

**error**: the server refuses the request. **warning**: some models, hosts or accounts refuse it, or the result suffers.
What only some models refuse hangs on the target: a model that nobody described gets a warning where a known one gets an
error. Sources are where a rule was read, not who made it; the date is that of the reading.
"""


def page() -> str:
    """Give the whole page."""
    lines = [HEAD, "## any api", "", *_rules((*BODY, *COMMON))]
    for api, rules in RULES.items():
        lines += ["", f"## {api}: {APIS[api]}"]
        own = [rule for rule in rules if rule not in COMMON]
        for theme, words in THEMES.items():
            rows = [rule for rule in own if theme_of(rule.id) == theme]
            if rows:
                lines += ["", f"### {words}", "", *_rules(rows)]
        if LEGAL[api]:
            lines += ["", "### legal, although it is often said not to be", "", *_silences(LEGAL[api], "and")]
        if UNSEEN[api]:
            lines += ["", "### what a body alone does not tell", "", *_silences(UNSEEN[api], "why")]
    return "\n".join(lines) + "\n"


def _rules(rules: Iterable[Rule]) -> Iterator[str]:
    yield from _head("id", "rule", "severity", "what", "source", "read")
    for rule in rules:
        yield _row(rule.id, f"`{rule.name}`", rule.severity, rule.words, rule.source, rule.date)


def _silences(silences: Sequence[Silence], why: str) -> Iterator[str]:
    yield from _head("id", "what", why, "source", "read")
    for silence in silences:
        yield _row(silence.id, silence.words, silence.why, silence.source, silence.date)


def _head(*names: str) -> Iterator[str]:
    yield _row(*names)
    yield _row(*("---" for _ in names))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
