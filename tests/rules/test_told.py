"""What readers, writers and the walk report is all explained."""

import ast
from pathlib import Path

import segue
from segue.passes import ORDER, rule_name
from segue.told import TABLES

VERBS = {"dropped", "downgraded", "synthesized", "rewritten", "hidden", "Problem"}


def reported_names():
    root = Path(segue.__file__).parent
    for path in root.rglob("*.py"):
        if path.parent.name in ("normalize", "transform", "apis"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.id if isinstance(node.func, ast.Name) else None
            at = 0 if called in VERBS else 1 if called == "Change" else 2
            if at < min(2, len(node.args)) and isinstance(node.args[at], ast.Constant):
                yield node.args[at].value


def test_every_reported_name_is_a_rule_or_stands_in_the_table():
    explained = {name for table in TABLES.values() for name in table} | set(map(rule_name, ORDER))

    found = set(reported_names())

    assert found and found - explained == set()


def test_no_name_stands_twice():
    names = [name for table in TABLES.values() for name in table] + list(map(rule_name, ORDER))

    assert len(names) == len(set(names))
