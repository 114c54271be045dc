"""Look into the JSON schemas of tools."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from segue.apis._walk import escaped
from segue.model import Json

# Beneath these keys stand values of the tool's user, not schemas.
_VALUES = frozenset({"default", "enum", "const", "example", "examples"})
# Beneath these keys stand schemas under names that the tool chose.
_NAMED = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})


# Where a schema stands, from the inside out: the trail of its parent and its own key. A pointer is only made at need.
Trail: TypeAlias = "tuple[Trail, str] | None"


@dataclass(frozen=True, slots=True)
class Parameters:
    """How many parameters of a schema, at any depth, are optional, and how many may be of several types."""

    optional: int
    unions: int


def schemas_in(schema: Json) -> Iterator[tuple[Trail, dict[str, Json]]]:
    """Give a schema and all schemas inside it, each with the trail that leads to it."""
    rest: list[tuple[Trail, Json, bool]] = [(None, schema, True)]
    while rest:
        trail, value, is_schema = rest.pop()
        if isinstance(value, list):
            rest.extend(((trail, str(index)), part, True) for index, part in enumerate(value))
        elif isinstance(value, dict):
            if is_schema:
                yield trail, value
            for key, part in value.items():
                if not is_schema or key not in _VALUES:
                    rest.append(((trail, key), part, not (is_schema and key in _NAMED)))


def written(trail: Trail) -> str:
    """Write a trail as a JSON pointer."""
    parts: list[str] = []
    while trail is not None:
        trail, part = trail
        parts.append(f"/{escaped(part)}")
    return "".join(reversed(parts))


def root_choices(schema: dict[str, Json], keys: tuple[str, ...]) -> list[str]:
    """List those of the keys that stand at a schema's root."""
    return [key for key in keys if key in schema]


def bad_patterns(schema: Json, pointer: str) -> Iterator[tuple[str, str]]:
    """Find the regexes that Python's `re` cannot compile: pointer and pattern."""
    for trail, inner in schemas_in(schema):
        pattern = inner.get("pattern")
        if isinstance(pattern, str) and not _compiles(pattern):
            yield f"{pointer}{written(trail)}/pattern", pattern


def _compiles(pattern: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # doubtful sets compile all the same
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError):
            return False
    return True


def counted(schema: Json) -> Parameters:
    """Count what is optional or a union among the parameters of a schema."""
    optional = unions = 0
    for _, inner in schemas_in(schema):
        properties = inner.get("properties")
        if isinstance(properties, dict):
            required = inner.get("required")
            names = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
            optional += len(properties.keys() - names)
            unions += sum(map(_is_union, properties.values()))
    return Parameters(optional, unions)


def _is_union(parameter: Json) -> bool:
    return isinstance(parameter, dict) and ("anyOf" in parameter or isinstance(parameter.get("type"), list))
