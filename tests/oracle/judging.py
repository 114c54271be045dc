"""Judge bodies by the vendors' own types: every lazy iterable of a validated body is walked to its end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"


def files() -> list[Path]:
    return sorted(path for path in SESSIONS.rglob("*") if path.is_file())


def foreign_files(format: str) -> list[Path]:
    """List the files that have to be translated: a body of the format itself may keep the ways of its writer."""
    return [path for path in files() if path.parent.name != format]


def bodies(output: bytes) -> list[Any]:
    """Parse what is one body, in any style, or one on each line."""
    try:
        return [json.loads(output)]
    except ValueError:
        return [json.loads(line) for line in output.splitlines()]


def drained(value: Any) -> Any:
    """Walk what a validator returned. Iterables are validated lazily there: only the walk finds their faults."""
    if isinstance(value, str | bytes | int | float | bool | type(None)):
        return value
    if isinstance(value, Mapping):
        return {key: drained(item) for key, item in value.items()}
    if hasattr(value, "model_fields_set"):
        return {key: drained(getattr(value, key)) for key in value.model_fields_set}
    if isinstance(value, Iterator) or hasattr(value, "__iter__"):
        return [drained(item) for item in value]
    return value


def faults(adapter: Any, body: Any) -> str | None:
    """Say what the types find wrong with a body, None when nothing."""
    from pydantic import ValidationError

    try:
        drained(adapter.validate_python(body))
    except ValidationError as error:
        return str(error)[:2000]
    return None
