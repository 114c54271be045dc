"""Every rule of an api's table finds what it is named for, at its place, and lets the good body pass."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from lint_bodies import TARGETS, fixtures, read

from segue.apis import LEGAL, RULES, lint

# A body of 512 MB is nothing to keep, or to make, for a test.
TOO_BIG = {"O-L1", "C-L1"}


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name.split('.')[0]}"


@pytest.mark.parametrize("path", fixtures("bad"), ids=name_of)
def test_bad_body_is_found_out_at_its_place(path: Path) -> None:
    request, target, expects = read(path)
    severities = {(rule.id, rule.name): rule.severity for rule in RULES[path.parent.name]}

    problems = list(lint(request, target))

    found = {(problem.rule, problem.pointer, problem.severity) for problem in problems}
    assert expects
    for expected in expects:
        severity = expected.get("severity", severities[expected["id"], expected["rule"]])
        assert (expected["rule"], expected["pointer"], severity) in found, problems
    assert {problem.rule for problem in problems} == {expected["rule"] for expected in expects}, problems


@pytest.mark.parametrize("path", fixtures("good"), ids=name_of)
def test_good_body_has_no_problem(path: Path) -> None:
    request, target, _ = read(path)

    problems = list(lint(request, target))

    assert problems == []


@pytest.mark.parametrize("api", RULES)
def test_every_rule_has_a_bad_body(api: str) -> None:
    expected = {
        (entry["id"], entry["rule"]) for path in fixtures("bad") if path.parent.name == api for entry in read(path)[2]
    }

    rules = {(rule.id, rule.name) for rule in RULES[api] if rule.id not in TOO_BIG}

    assert rules == expected


@pytest.mark.parametrize("api", RULES)
def test_every_rule_and_all_that_is_legal_has_a_good_body(api: str) -> None:
    named = [path.name for path in fixtures("good") if path.parent.name == api]
    wanted = {row.id for row in (*RULES[api], *LEGAL[api])}

    missing = [
        id_ for id_ in wanted if not any(name.startswith((f"{id_.lower()}.", f"{id_.lower()}-")) for name in named)
    ]

    assert missing == []


@pytest.mark.parametrize("path", fixtures("bad"), ids=name_of)
def test_problems_are_told_in_one_plain_line(path: Path) -> None:
    request, target, _ = read(path)

    problems = list(lint(request, target))

    for problem in problems:
        assert problem.what[:1].islower() or not problem.what[:1].isalpha() or problem.what.startswith("U+"), problem
        assert not problem.what.endswith(".")
        assert problem.what.isprintable()
        assert len(problem.what) < 400


@pytest.mark.parametrize("api", ["openai-completions", "openai-responses"])
def test_body_beyond_its_bytes_is_found_out(api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = import_module(f"segue.apis.{api.replace('-', '_')}")
    monkeypatch.setattr(judge, "_LARGEST_BODY", 1000)  # a real one has half a gigabyte
    key = "messages" if api == "openai-completions" else "input"
    request = {"model": "m", key: [{"role": "user", "content": "x" * 2000}]}

    found = [problem.rule for problem in judge.lint(request, TARGETS[api])]

    assert found == ["body-too-large"]
