"""Which lines of a Claude Code session are its history: the tree, its leaf, the walk, and what hangs beside it.

Facts: Claude Code sessions 1.0 to 2.1, read and measured 2026-11.
"""

from __future__ import annotations

from datetime import datetime

from segue.formats._claude_nodes import SPEAKS, Chain, Lines, Node
from segue.formats._claude_rescue import with_rescued

BRIDGE_SECONDS = 5.0


def chain_of(lines: Lines, leaf: str | None) -> Chain:
    """Find the active history of a file: the walk from its leaf, and what parallel calls left beside it."""
    whole_is_sidechain = all(node.sidechain for node in lines.nodes if node.type in SPEAKS)
    start = _leaf(lines, leaf, whole_is_sidechain)
    if start is None:
        return Chain([])
    chain = Chain([])
    walked: list[Node] = []
    visited: set[str] = set()
    node: Node | None = start
    while node is not None:
        part, broken = _walk(lines, node, visited)
        walked = part + walked
        chain.broken.extend(broken)
        head = part[0] if part else None
        node = _before_boundary(lines, head, visited) if head is not None and head.is_boundary else None
    walked = walked + _behind(lines, start, visited)
    chain.nodes = with_rescued(lines, walked, visited, chain)
    used = {node.uuid for node in chain.nodes}
    for other in lines.nodes:
        if other.uuid in used or other.type not in SPEAKS:
            continue
        if other.sidechain and not whole_is_sidechain:
            chain.sidechains.append(other)
        else:
            chain.abandoned.append(other)
    parents = {node.parent for node in lines.nodes}
    chain.tips = [node.uuid for node in chain.abandoned if node.uuid not in parents]
    return chain


# ------------------------------------------------------------------------------------------------ leaf


def _leaf(lines: Lines, wanted: str | None, whole_is_sidechain: bool) -> Node | None:
    if wanted is not None:
        return lines.by_uuid.get(wanted)
    mains = [node for node in lines.nodes if whole_is_sidechain or not node.sidechain]
    speaking = [node for node in mains if node.type in SPEAKS]
    if not speaking:
        return mains[-1] if mains else None
    hinted = lines.by_uuid.get(lines.hint) if lines.hint else None
    if hinted is not None:
        last = _last_in_file(lines, mains) or speaking[-1]
        if lines.pinned is None and _is_ancestor(lines, hinted, last):
            return last
        return hinted
    return _last_in_file(lines, mains) or speaking[-1]


def _last_in_file(lines: Lines, mains: list[Node]) -> Node | None:
    """Take the tip whose nearest speaking line is the latest in the file; teams' lines only if need be."""
    parents = {node.parent for node in lines.nodes if node.parent}
    best: Node | None = None
    for tip in mains:
        if tip.uuid in parents:
            continue
        speaker = _nearest_speaker(lines, tip)
        if speaker is not None and (best is None or _weight(speaker) > _weight(best)):
            best = speaker
    return best


def _weight(node: Node) -> tuple[bool, int]:
    value = node.value or {}
    return (not value.get("teamName"), node.index)


def _nearest_speaker(lines: Lines, node: Node) -> Node | None:
    seen: set[str] = set()
    current: Node | None = node
    while current is not None and current.uuid not in seen:
        if current.type in SPEAKS:
            return current
        seen.add(current.uuid)
        current = lines.by_uuid.get(current.parent) if current.parent else None
    return None


def _is_ancestor(lines: Lines, node: Node, of: Node) -> bool:
    seen: set[str] = set()
    current: Node | None = of
    while current is not None and current.uuid not in seen:
        if current is node:
            return True
        seen.add(current.uuid)
        current = lines.by_uuid.get(current.parent) if current.parent else None
    return False


def _behind(lines: Lines, leaf: Node, visited: set[str]) -> list[Node]:
    """Take the attachments that hang behind the leaf: they belong to it."""
    children: dict[str, list[Node]] = {}
    for node in lines.nodes[leaf.index + 1 :]:
        if node.type not in SPEAKS and node.parent and not node.is_boundary:
            children.setdefault(node.parent, []).append(node)
    found: list[Node] = []
    waiting = [leaf.uuid]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child.uuid not in visited:
                visited.add(child.uuid)
                found.append(child)
                waiting.append(child.uuid)
    return sorted(found, key=lambda node: node.index)


# ------------------------------------------------------------------------------------------------ walk


def _walk(lines: Lines, leaf: Node, visited: set[str]) -> tuple[list[Node], list[tuple[Node, bool]]]:
    """Climb to the root. A missing or circular parent is bridged to the line before it, if that is near in time."""
    path: list[Node] = []
    broken: list[tuple[Node, bool]] = []
    node: Node | None = leaf
    while node is not None and node.uuid not in visited:
        visited.add(node.uuid)
        path.append(node)
        if node.parent is None:
            break
        parent = lines.by_uuid.get(node.parent)
        if parent is None or parent.uuid in visited:
            parent = _bridge(lines, node, visited)
            broken.append((node, parent is not None))
        node = parent
    path.reverse()
    return path, broken


def _bridge(lines: Lines, node: Node, visited: set[str]) -> Node | None:
    when = _seconds(node)
    if when is None:
        return None
    for other in reversed(lines.nodes[: node.index]):
        if other.uuid in visited or other.sidechain != node.sidechain:
            continue
        at = _seconds(other)
        if at is None:
            continue
        return other if 0 <= when - at <= BRIDGE_SECONDS else None
    return None


def _seconds(node: Node) -> float | None:
    stamp = (node.value or {}).get("timestamp")
    if not isinstance(stamp, str):
        return None
    try:
        return datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp()
    except ValueError:
        return None


def _before_boundary(lines: Lines, boundary: Node, visited: set[str]) -> Node | None:
    """Find where the compacted history ended: where the boundary says, else the last line before it."""
    logical = (boundary.value or {}).get("logicalParentUuid")
    found = lines.by_uuid.get(logical) if isinstance(logical, str) else None
    if found is not None and found.uuid not in visited:
        return found
    for other in reversed(lines.nodes[: boundary.index]):
        if other.type in SPEAKS and not other.sidechain and other.uuid not in visited:
            return other
    return None
