"""A judge never fails, whatever stands in the body, and its pointers lead to something."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lint_bodies import TARGETS, fixtures, read

from segue.apis import lint

ODD: list[Any] = [None, True, 0, -1, 1.5, "", " ", "x", [], [None], ["x"], [[]], {}, {"type": "text"}, {"type": []}]
WHOLE = [path for path in fixtures("good") if path.name.startswith("whole-")]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in entries for place in places(part, (*path, key)))]


def replaced(request: Any, path: tuple[Any, ...], value: Any) -> Any:
    request = copy.deepcopy(request)
    owner = request
    for key in path[:-1]:
        owner = owner[key]
    owner[path[-1]] = value
    return request


def at(request: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        request = request[int(key)] if isinstance(request, list) else request[key]
    return request


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_odd_values_anywhere_are_survived(path: Path) -> None:
    request, target, _ = read(path)

    for place in places(request)[1:]:
        for value in ODD:
            for _ in lint(replaced(request, place, value), target):
                pass


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_missing_values_anywhere_are_survived(path: Path) -> None:
    request, target, _ = read(path)

    for place in places(request)[1:]:
        shorter = copy.deepcopy(request)
        owner = at(shorter, "".join(f"/{key}" for key in place[:-1]))
        del owner[place[-1]]
        for _ in lint(shorter, target):
            pass


@pytest.mark.parametrize("path", fixtures("bad"), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_pointers_lead_to_what_is_there(path: Path) -> None:
    request, target, _ = read(path)

    for problem in lint(request, target):
        assert problem.pointer is not None
        owner = problem.pointer.rpartition("/")[0]
        assert at(request, owner) is not None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(value=json_values, number=st.integers(0, 10**6))
def test_any_json_anywhere_is_survived(value: Any, number: int) -> None:
    for api in sorted({path.parent.name for path in WHOLE}):
        whole = [path for path in WHOLE if path.parent.name == api]
        request, target, _ = read(whole[number % len(whole)])
        found = places(request)[1:]

        problems = list(lint(replaced(request, found[number % len(found)], value), target))

        assert all(problem.what for problem in problems)


def test_deep_nesting_is_survived() -> None:
    deep: Any = {}
    for _ in range(20_000):
        deep = {"type": "object", "properties": {"p": deep}}
    body = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "x"}]}

    request = body | {"tools": [{"name": "t", "input_schema": deep, "strict": True}]}

    assert len(list(lint(request, TARGETS["anthropic-messages"]))) == 1
