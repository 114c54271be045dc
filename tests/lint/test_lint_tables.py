"""The tables of rules and apis hold together."""

from __future__ import annotations

import re

import pytest
from lint_bodies import target_of

from segue.apis import API_NAMES, LINTS, RULES, api_name, lint
from segue.targets import Target


def test_every_judge_has_a_table() -> None:
    assert LINTS.keys() == RULES.keys()
    assert set(API_NAMES.values()) <= LINTS.keys()


@pytest.mark.parametrize("api", RULES)
def test_rules_of_one_name_have_one_severity(api: str) -> None:
    severities: dict[str, set[str]] = {}
    for rule in RULES[api]:
        severities.setdefault(rule.name, set()).add(rule.severity)

    assert all(len(found) == 1 for found in severities.values())


@pytest.mark.parametrize("api", RULES)
def test_rows_are_complete(api: str) -> None:
    for rule in RULES[api]:
        assert re.fullmatch(r"(X|[AOCGBM]-[A-Z])\d+", rule.id)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
        assert rule.words and rule.source and not rule.words.endswith(".")
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", rule.date)


def test_other_names_of_an_api_are_judged_alike() -> None:
    azure = Target("azure", "azure-openai-responses", "gpt-5.2")

    problems = list(lint({"model": "gpt-5.2", "input": []}, azure))

    assert [problem.rule for problem in problems] == ["empty-input"]
    assert api_name("messages") == "anthropic-messages"


def test_an_api_without_a_judge_says_nothing() -> None:
    unknown = Target("somewhere", "smoke-signals", "m")

    assert list(lint({"anything": float("nan")}, unknown)) == []


@pytest.mark.parametrize("api", RULES)
@pytest.mark.parametrize("request_body", [None, [], "x", 7, {}, {"messages": None, "input": None, "contents": None}])
def test_what_is_no_request_is_an_error_and_no_crash(api: str, request_body: object) -> None:
    problems = list(lint(request_body, target_of(api)))

    assert any(problem.severity == "error" for problem in problems)
