"""What parallel calls left beside the walked path: lines of the same responses, and results.

Each call of a turn is a line of its own, and its result hangs on that line: the walk from the leaf meets only the last
of them. Facts: measured on public Claude Code sessions, 2026-11.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from segue.formats._claude_nodes import SPEAKS, Chain, Lines, Node


def with_rescued(lines: Lines, walked: list[Node], visited: set[str], chain: Chain) -> list[Node]:
    """Add lines of the same responses, and results, that parallel calls left beside the walked path."""
    on_path = {node.uuid for node in walked}
    missing_speakers = [
        node for node in lines.nodes if node.type in SPEAKS and node.uuid not in on_path and not node.sidechain
    ]
    if not missing_speakers:
        return walked
    ids = {key for node in walked if (key := _response(node)) is not None}
    sidechain = bool(walked) and walked[-1].sidechain
    siblings = [node for node in missing_speakers if node.type == "assistant" and _response(node) in ids]
    answered = {call for node in walked for call in _results(node)}
    asked = {call for node in [*walked, *siblings] for call in _calls(node)}
    parents = {node.uuid for node in [*walked, *siblings] if node.type == "assistant"}
    results: list[Node] = []
    found: set[str] = set()
    for hanging in (True, False):  # first what hangs on these very lines, then what is anywhere in the file
        for node in missing_speakers:
            if node.type != "user" or node.uuid in found or node.sidechain != sidechain:
                continue
            hangs = node.parent in parents or (node.value or {}).get("sourceToolAssistantUUID") in parents
            open_calls = [call for call in _results(node) if call in asked and call not in answered]
            if open_calls and hangs == hanging:
                found.add(node.uuid)
                answered.update(open_calls)
                results.append(node)
    extra = sorted([*siblings, *results], key=lambda node: node.index)
    chain.rescued = len(extra)
    return _inserted(walked, extra)


def _inserted(walked: list[Node], extra: Iterable[Node]) -> list[Node]:
    """Put lines into the path where they stand in the file."""
    highest: list[int] = []
    top = -1
    for node in walked:
        top = max(top, node.index)
        highest.append(top)
    places: dict[int, list[Node]] = {}
    for node in extra:
        places.setdefault(bisect_left(highest, node.index), []).append(node)
    merged: list[Node] = []
    for place, node in enumerate(walked):
        merged.extend(places.get(place, ()))
        merged.append(node)
    merged.extend(places.get(len(walked), ()))
    return merged


def _response(node: Node) -> tuple[str, str | None] | None:
    if node.type != "assistant" or node.value is None:
        return None
    message = node.value.get("message")
    name = message.get("id") if isinstance(message, dict) else None
    request = node.value.get("requestId")
    return (name, request if isinstance(request, str) else None) if isinstance(name, str) and name else None


def _content(node: Node) -> list[Any]:
    message = (node.value or {}).get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else []


def _calls(node: Node) -> list[str]:
    if node.type != "assistant":
        return []
    return [b["id"] for b in _content(node) if isinstance(b, dict) and b.get("type") == "tool_use" and "id" in b]


def _results(node: Node) -> list[str]:
    if node.type != "user":
        return []
    found = (b.get("tool_use_id") for b in _content(node) if isinstance(b, dict) and b.get("type") == "tool_result")
    return [call for call in found if isinstance(call, str)]
