"""Every rule's docstring is true: its example is run."""

import inspect
import re

import pytest

from segue.apis import LEGAL, RULES, UNSEEN
from segue.passes import ORDER, rule_name, run_rule, run_rules
from segue.passes.examples import example_of, said, shown


@pytest.mark.parametrize("rule", ORDER, ids=rule_name)
def test_example_of_the_docstring_is_what_the_rule_does(rule):
    example = example_of(rule)

    after, changes = run_rule(rule, example.before, example.target, example.policy)

    assert [shown(message) for message in after.messages] == list(example.after)
    assert [said(change) for change in changes] == list(example.report)
    assert changes, "an example in which nothing happens shows nothing"


@pytest.mark.parametrize("rule", ORDER, ids=rule_name)
def test_example_run_again_changes_nothing(rule):
    example = example_of(rule)
    once, _ = run_rule(rule, example.before, example.target, example.policy)

    twice, changes = run_rules(once, example.target, example.policy, (rule,))

    if rule_name(rule) != "bound-thinking":  # it goes on for as long as something before it has changed
        assert twice is once
    assert not changes


@pytest.mark.parametrize("rule", ORDER, ids=rule_name)
def test_docstring_says_what_why_and_where_from(rule):
    text = inspect.cleandoc(rule.__doc__)
    first = text.partition("\n")[0]

    assert first.endswith(".") and len(first) < 120
    assert "\nSource: " in text and "2026-" in text


@pytest.mark.parametrize("rule", ORDER, ids=rule_name)
def test_api_rules_that_a_docstring_names_are_there(rule):
    tables = [*RULES.values(), *LEGAL.values(), *UNSEEN.values()]
    known = {entry.id for table in tables for entry in table}

    named = set(re.findall(r"\b(?:[A-Z]-[A-Z]\d+|X\d+)\b", inspect.cleandoc(rule.__doc__)))

    assert named <= known
