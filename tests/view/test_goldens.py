"""The views as they are drawn, at two widths, without colour and with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from rich.cells import cell_len

from segue.changes import Problem, Report
from segue.formats._types import Branch
from segue.model import Transcript
from segue_cli.view.diff import print_diff
from segue_cli.view.show import print_transcript
from segue_cli.view.summary import print_summary
from segue_cli.view.tree import print_tree

Golden = Callable[[str, str], None]
Drawn = Callable[..., str]
STYLED = re.compile(r"\x1b\[[\d;]*m")
WIDTHS = pytest.mark.parametrize("width", [80, 200])


@WIDTHS
def test_diff_looks_as_approved(report: Report, drawn: Drawn, golden: Golden, width: int) -> None:
    text = drawn(print_diff, report, width=width)

    golden(f"diff-{width}.txt", text)


@WIDTHS
def test_diff_in_colour_looks_as_approved(report: Report, drawn: Drawn, golden: Golden, width: int) -> None:
    text = drawn(print_diff, report, width=width, colour=True)

    golden(f"diff-{width}-colour.txt", text)


@WIDTHS
def test_summary_looks_as_approved(report: Report, drawn: Drawn, golden: Golden, width: int) -> None:
    text = drawn(print_summary, report, width=width)

    golden(f"summary-{width}.txt", text)


@WIDTHS
def test_transcript_looks_as_approved(transcript: Transcript, drawn: Drawn, golden: Golden, width: int) -> None:
    text = drawn(print_transcript, transcript, width=width)

    golden(f"show-{width}.txt", text)


def test_transcript_in_colour_looks_as_approved(transcript: Transcript, drawn: Drawn, golden: Golden) -> None:
    text = drawn(print_transcript, transcript, colour=True)

    golden("show-80-colour.txt", text)


@WIDTHS
def test_tree_looks_as_approved(branches: tuple[Branch, ...], drawn: Drawn, golden: Golden, width: int) -> None:
    text = drawn(partial(print_tree, "claude-code"), branches, width=width)

    golden(f"tree-{width}.txt", text)


def test_tree_on_a_narrow_page_looks_as_approved(branches: tuple[Branch, ...], drawn: Drawn, golden: Golden) -> None:
    text = drawn(partial(print_tree, "claude-code"), branches, width=40)

    golden("tree-40.txt", text)
    assert max(map(cell_len, text.split("\n"))) <= 40


def test_tree_in_colour_looks_as_approved(branches: tuple[Branch, ...], drawn: Drawn, golden: Golden) -> None:
    text = drawn(partial(print_tree, "claude-code"), branches, colour=True)

    golden("tree-80-colour.txt", text)


def test_refusal_looks_as_approved(report: Report, drawn: Drawn, golden: Golden) -> None:
    says = 'messages: roles must alternate between "user" and "assistant"'
    report.problems = [
        Problem("consecutive-role", "error", f"two user messages follow each other at {n}", n, f"/messages/{n}", says)
        for n in range(9)
    ]
    report.changes = report.changes[3:6]
    report.fit |= {"fits": False, "tokens": 412000}
    report.exit = 4

    text = drawn(print_diff, report)

    golden("refused-80.txt", text)


def test_unchanged_looks_as_approved(report: Report, drawn: Drawn, golden: Golden) -> None:
    report.changes, report.problems, report.exit = [], [], 0
    report.source["path"] = "refactor.jsonl"
    report.source["models"] = report.source["models"][:1]
    report.output["messages"] = 314

    text = drawn(print_diff, report)

    golden("unchanged-80.txt", text)
    assert text.count("\n") == 3


@pytest.mark.parametrize("printer", [print_diff, print_summary])
@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_no_line_is_wider_than_the_page(report: Report, drawn: Drawn, printer: Callable[..., None], width: int) -> None:
    lines = drawn(printer, report, width=width).split("\n")

    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_of_a_transcript_is_wider_than_the_page(transcript: Transcript, drawn: Drawn, width: int) -> None:
    lines = drawn(print_transcript, transcript, width=width).split("\n")

    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("printer", [print_diff, print_summary])
def test_colour_adds_nothing_but_styles(report: Report, drawn: Drawn, printer: Callable[..., None]) -> None:
    plain_text = drawn(printer, report)
    coloured = drawn(printer, report, colour=True)

    assert STYLED.search(coloured)
    assert STYLED.sub("", coloured) == plain_text


def test_colour_adds_nothing_but_styles_to_a_transcript(transcript: Transcript, drawn: Drawn) -> None:
    plain_text = drawn(print_transcript, transcript)
    coloured = drawn(print_transcript, transcript, colour=True)

    assert STYLED.sub("", coloured) == plain_text


def test_wide_terminals_show_longer_excerpts_and_no_more_lines(report: Report, drawn: Drawn) -> None:
    narrow = drawn(print_diff, replace(report, changes=report.changes[:12]), width=80)
    wide = drawn(print_diff, replace(report, changes=report.changes[:12]), width=200)

    assert wide.count("\n") < narrow.count("\n")
    assert "so the middleware" in wide
    assert "so the middleware" not in narrow
