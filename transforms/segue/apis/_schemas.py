"""Look into the JSON schemas of tools."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from segue.apis._walk import escaped
from segue.model import Json

# Beneath these keys stand values of the tool's user, not schemas.
_VALUES = frozenset({"default", "enum", "const", "example", "examples"})
# Beneath these keys stand schemas under names that the tool chose.
_NAMED = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})


@dataclass(frozen=True, slots=True)
class Parameters:
    """How many parameters of a schema, at any depth, are optional, and how many may be of several types."""

    optional: int
    unions: int


def schemas_in(schema: Json, pointer: str = "") -> Iterator[tuple[str, dict[str, Json]]]:
    """Give a schema and all schemas inside it, each with its pointer."""
    rest: list[tuple[str, Json, bool]] = [(pointer, schema, True)]
    while rest:
        place, value, is_schema = rest.pop()
        if isinstance(value, list):
            rest.extend((f"{place}/{index}", part, True) for index, part in enumerate(value))
        elif isinstance(value, dict):
            if is_schema:
                yield place, value
            for key, part in value.items():
                if not is_schema or key not in _VALUES:
                    rest.append((f"{place}/{escaped(key)}", part, not (is_schema and key in _NAMED)))


def root_choices(schema: dict[str, Json], keys: tuple[str, ...]) -> list[str]:
    """List those of the keys that stand at a schema's root."""
    return [key for key in keys if key in schema]


def bad_patterns(schema: Json, pointer: str) -> Iterator[tuple[str, str]]:
    """Find the regexes that Python's `re` cannot compile: pointer and pattern."""
    for place, inner in schemas_in(schema, pointer):
        pattern = inner.get("pattern")
        if isinstance(pattern, str) and not _compiles(pattern):
            yield f"{place}/pattern", pattern


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
