"""What a compaction of a Claude Code session kept word for word.

The kept lines stand before the boundary and keep their old parents; the boundary's metadata says that they come behind
the summary, its anchor. The agent links them anew when it resumes: the first one hangs on the anchor, each on the one
before it, and what hung on the anchor hangs on the last. If one of them is missing it keeps none.
Facts: Claude Code 2.1.332, tried 2026-12; public notes on `preservedMessages` and `preservedSegment`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from segue.formats._claude_nodes import Lines, Node


@dataclass(frozen=True, slots=True)
class Preserved:
    """A compaction's boundary, the line that the kept ones follow, and these in order: none if any is missing."""

    boundary: Node
    anchor: Node | None
    kept: tuple[Node, ...]


def preserved_by(lines: Lines) -> Preserved | None:
    """Read what the newest compaction kept; None if it says nothing of the kind."""
    boundary = next((node for node in reversed(lines.nodes) if node.is_boundary and not node.sidechain), None)
    told = (boundary.value or {}).get("compactMetadata") if boundary is not None else None
    if boundary is None or not isinstance(told, dict):
        return None
    messages, segment = told.get("preservedMessages"), told.get("preservedSegment")
    if isinstance(messages, dict) and isinstance(messages.get("uuids"), list) and messages["uuids"]:
        kept = _named(lines, messages["uuids"])
        anchor = _node(lines, messages.get("anchorUuid"))
    elif isinstance(segment, dict):
        kept = _walked(lines, segment)
        anchor = _node(lines, segment.get("anchorUuid"))
    else:
        return None
    if kept is None or anchor is None:
        return Preserved(boundary, None, ())
    return Preserved(boundary, anchor, tuple(kept))


def _named(lines: Lines, names: list[Any]) -> list[Node] | None:
    found = [_node(lines, name) for name in names]
    return None if None in found else [node for node in found if node is not None]


def _walked(lines: Lines, segment: dict[str, Any]) -> list[Node] | None:
    """Walk from the segment's tail up to its head."""
    head, node = _node(lines, segment.get("headUuid")), _node(lines, segment.get("tailUuid"))
    path: list[Node] = []
    seen: set[str] = set()
    while head is not None and node is not None and node.uuid not in seen:
        seen.add(node.uuid)
        path.append(node)
        if node is head:
            return path[::-1]
        node = _node(lines, node.parent)
    return None


def _node(lines: Lines, name: Any) -> Node | None:
    return lines.by_uuid.get(name) if isinstance(name, str) else None
