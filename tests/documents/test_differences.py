"""The differences are what really happens, and docs/differences.md is what they print."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from differences import Difference, page, request_of, run
from differences_claude_code import CLAUDE_CODE_DIFFERENCES
from differences_pi import PI_PAIRING
from differences_pi_content import PI_CONTENT

PAGE = Path(__file__).parents[2] / "docs" / "differences.md"
OF_PI = PI_PAIRING + PI_CONTENT
ALL = OF_PI + CLAUDE_CODE_DIFFERENCES

each_difference = pytest.mark.parametrize("difference", ALL, ids=[difference.title for difference in ALL])


@each_difference
def test_ours_is_what_comes_out(difference: Difference) -> None:
    expected = difference.ours_gives

    ran = run(difference)

    assert ran.lines == expected


@each_difference
def test_theirs_is_something_else(difference: Difference) -> None:
    theirs = difference.theirs_gives

    ours = run(difference).lines

    assert ours != theirs


@each_difference
def test_the_target_would_accept_the_request_made_of_ours(difference: Difference) -> None:
    body = request_of(difference)  # raises when the target would refuse it

    assert body["model"] == difference.model.partition("/")[2]


@each_difference
def test_a_change_tells_of_it(difference: Difference) -> None:
    untouched = run(difference).lines == difference.history

    report = run(difference).report

    assert report or untouched


def test_titles_are_told_apart() -> None:
    titles = [difference.title for difference in ALL]

    assert len(set(titles)) == len(titles)


def test_the_page_is_what_the_examples_print() -> None:
    printed = page(OF_PI, CLAUDE_CODE_DIFFERENCES)

    if os.environ.get("SEGUE_ACCEPT"):
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(printed, encoding="utf-8", newline="\n")

    assert PAGE.read_text(encoding="utf-8") == printed
