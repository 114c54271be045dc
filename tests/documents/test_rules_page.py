"""docs/rules.md is what the tables of the apis say. `SEGUE_ACCEPT=1` prints it anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rules_page import page

from segue.apis import BODY, LEGAL, RULES, UNSEEN

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def test_page_is_what_the_tables_say() -> None:
    printed = page()

    if os.environ.get("SEGUE_ACCEPT"):
        PAGE.write_text(printed, encoding="utf-8", newline="\n")

    assert printed == PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("api", RULES)
def test_no_row_is_left_out(api: str) -> None:
    printed = page()

    for rule in (*BODY, *RULES[api]):
        assert f"| {rule.id} | `{rule.name}` | {rule.severity} |" in printed
    for silence in (*LEGAL[api], *UNSEEN[api]):
        assert f"| {silence.id} | {silence.words} |" in printed
