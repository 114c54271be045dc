"""Number the lines of a Codex rollout: in newer ones each has an ordinal, and the agent refuses a file without."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from segue.formats._document import printed, style_of
from segue.records import parse

KEY = "ordinal"


def numbered(lines: Sequence[bytes], new: Collection[int]) -> list[bytes]:
    """Give new lines ordinals, where the file has them, and raise those behind as far as they are in the way."""
    made = list(lines)
    if not new or not lines or KEY not in _parsed(lines[0]):
        return made
    first = min(new)
    last = _parsed(lines[first - 1]).get(KEY) if first else -1
    for index in range(first, len(made)):
        value = _parsed(made[index])
        if "payload" not in value:
            continue  # a bare item, of the days before
        own = value.get(KEY)
        if index in new or not isinstance(own, int) or (isinstance(last, int) and own <= last):
            last = last + 1 if isinstance(last, int) else index
            made[index] = printed(_with_number(value, last), style_of(made[index]))
        else:
            last = own
    return made


def _with_number(value: dict[str, Any], number: int) -> dict[str, Any]:
    """Put the ordinal where the agent has it: behind the time."""
    if KEY in value:
        return {**value, KEY: number}
    time = {"timestamp": value["timestamp"]} if "timestamp" in value else {}
    return {**time, KEY: number, **{key: inner for key, inner in value.items() if key != "timestamp"}}


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        value = parse(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
