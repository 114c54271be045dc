"""The literal order of the rules and the folder agree."""

from pathlib import Path

import pytest

from segue import passes
from segue.passes import NORMALIZE, ORDER, TRANSFORM, rule_name


@pytest.mark.parametrize(("family", "table"), [("normalize", NORMALIZE), ("transform", TRANSFORM)])
def test_every_file_of_the_family_is_in_its_table(family, table):
    folder = Path(passes.__file__).parent / family
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}

    named = {module.__name__.rpartition(".")[2] for module in table}

    assert named == files


@pytest.mark.parametrize("rule", ORDER, ids=rule_name)
def test_rule_reports_under_the_name_of_its_file(rule):
    assert rule_name(rule) == rule.RULE
    assert isinstance(rule.NEEDS, frozenset)


@pytest.mark.parametrize("rule", ORDER, ids=rule_name)
def test_rule_is_small_enough_to_be_one_rule(rule):
    lines = Path(rule.__file__).read_text(encoding="utf-8").count("\n")

    assert lines <= 160


def test_no_rule_names_a_format_a_vendor_or_a_model():
    forbidden = ('"claude', "'claude", '"gpt-', '"openai"', '"anthropic"', "openai-chat", "claude-code")

    for rule in ORDER:
        code = Path(rule.__file__).read_text(encoding="utf-8").split('"""', 2)[2]
        assert not [word for word in forbidden if word in code], rule.__name__
