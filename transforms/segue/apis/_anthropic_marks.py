"""Judge the cache marks of Anthropic Messages: how many, and on what."""

from __future__ import annotations

from collections.abc import Iterator

from segue.apis._anthropic_keys import CACHE_KEYS
from segue.apis._anthropic_rules import problem
from segue.apis._walk import dotted, escaped, foreign_keys, shown
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

_MOST = 4


def cache_marks(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    """Judge the marks in the order in which the server counts them: tools, system prompt, messages."""
    marks: list[str] = []
    for pointer, block, cleared in _markable(request):
        mark = block.get("cache_control")
        if mark is None:
            continue
        place = f"{pointer}/cache_control"
        marks.append(place)
        if block.get("type") in ("thinking", "redacted_thinking"):
            says = f"{dotted(pointer)}.{block['type']}.cache_control: Extra inputs are not permitted"
            yield problem("cache-mark", place, f"a cache mark on a block of type '{block['type']}'", says)
        elif block.get("defer_loading") is True:
            says = "Tools with defer_loading cannot use prompt caching"
            yield problem("cache-mark", place, f"a cache mark on the deferred tool {shown(block.get('name'))}", says)
        elif cleared:
            yield problem("cache-mark", place, "a cache mark in a system message that will be cleared")
        for key in foreign_keys(mark, CACHE_KEYS) if isinstance(mark, dict) else []:
            says = f"{dotted(place)}.{key}: Extra inputs are not permitted"
            yield problem("unknown-key", f"{place}/{escaped(key)}", f"a cache mark knows no key {shown(key)}", says)
    most = target.cache_marks or _MOST
    if len(marks) > most:
        says = f"A maximum of {most} blocks with cache_control may be provided. Found {len(marks)}."
        yield problem("cache-mark", marks[most], f"{len(marks)} cache marks, {most} are allowed", says)


def _markable(request: dict[str, Json]) -> Iterator[tuple[str, dict[str, Json], bool]]:
    for key in ("tools", "system"):
        yield from _inside(request.get(key), f"/{key}", False)
    for number, message in enumerate(request["messages"]):
        if isinstance(message, dict):
            cleared = message.get("role") == "system" and bool(message.get("clear_at"))
            yield from _inside(message.get("content"), f"/messages/{number}/content", cleared)


def _inside(content: Json, pointer: str, cleared: bool) -> Iterator[tuple[str, dict[str, Json], bool]]:
    for index, block in enumerate(content if isinstance(content, list) else ()):
        if isinstance(block, dict):
            yield f"{pointer}/{index}", block, cleared
            if block.get("type") == "tool_result":
                yield from _inside(block.get("content"), f"{pointer}/{index}/content", cleared)
