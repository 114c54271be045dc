"""Reports of any size fit a screen, and are drawn at once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from segue.changes import Change, Kind, Problem, Report
from segue_cli.view.diff import print_diff
from segue_cli.view.order import in_source_order, shared_label
from segue_cli.view.summary import print_summary

Drawn = Callable[..., str]
RULES: list[tuple[Kind, str]] = [
    ("downgraded", "foreign-thinking"),
    ("downgraded", "foreign-signature"),
    ("dropped", "aborted-turn"),
    ("synthesized", "missing-tool-result"),
    ("rewritten", "call-id-shape"),
    ("rewritten", "blank-text"),
]


def _many(count: int, rules: list[tuple[Kind, str]] = RULES) -> list[Change]:
    return [
        Change(*rules[n % len(rules)], f"did something to 'id_{n}'", n, n, 0, "before " * 15, "after " * 15)
        for n in range(count)
    ]


def test_ten_thousand_changes_fit_a_screen_within_a_second(report: Report, drawn: Drawn) -> None:
    report.changes = _many(10_000)
    started = time.process_time()

    text = drawn(print_diff, report)

    assert time.process_time() - started < 1
    assert text.count("\n") <= 60
    assert "… 1,66" in text
    assert "lines " in text


def test_every_change_is_shown_or_counted(report: Report, drawn: Drawn) -> None:
    report.changes = _many(600)

    text = drawn(print_diff, report)

    shown = text.count("did something to 'id_")
    folded = sum(int(line.split("…")[1].split()[0]) for line in text.split("\n") if " more: " in line)
    assert shown + folded == 600


def test_many_rules_fold_to_a_line_each(report: Report, drawn: Drawn) -> None:
    report.changes = _many(10_000, [("dropped", f"rule-{number}") for number in range(50)])

    text = drawn(print_diff, report)

    assert text.count("\n") <= 80
    assert text.count("200 × did something to …") == 50


def test_few_changes_are_all_shown(report: Report, drawn: Drawn) -> None:
    report.changes = _many(12)

    text = drawn(print_diff, report)

    assert "more: " not in text


@pytest.mark.parametrize("rules", [1, 6, 90])
@pytest.mark.parametrize("problems", [0, 3, 400])
def test_summary_takes_25_lines_at_most(report: Report, drawn: Drawn, rules: int, problems: int) -> None:
    report.changes = _many(1_000, [("dropped", f"rule-{number}") for number in range(rules)])
    report.problems = [Problem(f"rule-{n % 30}", "warning", "word " * 60, n, f"/input/{n}") for n in range(problems)]

    text = drawn(print_summary, report)

    assert text.count("\n") <= 25


def test_many_problems_are_folded(report: Report, drawn: Drawn) -> None:
    report.problems = [Problem("consecutive-role", "error", f"roles meet at {n}", n, f"/input/{n}") for n in range(400)]

    text = drawn(print_diff, report)

    assert "395 more" in text
    assert text.count("roles meet at") == 5 + 1  # the verdict names the first


def test_changes_beside_the_messages_stand_where_their_line_is() -> None:
    changes = [
        Change("dropped", "r", "late", line=30, message=2),
        Change("dropped", "r", "between", line=25),
        Change("dropped", "r", "early", line=20, message=1, block=0),
        Change("dropped", "r", "as a whole"),
        Change("dropped", "r", "first line", line=1),
    ]

    ordered = [change.what for change in in_source_order(changes)]

    assert ordered == ["as a whole", "first line", "early", "between", "late"]


def test_hidden_reasons_are_one_line_each_with_their_sum(report: Report, drawn: Drawn) -> None:
    report.changes = [
        Change("hidden", "snipped-message", "hid 3 snipped messages", 1, 0, count=3),
        Change("hidden", "snipped-message", "hid 1,204 snipped messages", 9, 5, count=1204),
        Change("hidden", "sidechain", "a side chain", 12, count=2),
    ]

    text = drawn(print_diff, report)

    assert "· 1,207 snipped messages" in text
    assert "· 2 × a side chain" in text


def test_label_of_a_run_leaves_open_what_differs() -> None:
    changes = [Change("rewritten", "r", f"gave call 'f:{n}' another id") for n in range(3)]

    label = shared_label(changes)

    assert label == "gave call … another id"
