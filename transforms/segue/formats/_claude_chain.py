"""Which lines of a Claude Code session are its history: the tree, its leaf, the walk, and what hangs beside it.

Facts: Claude Code sessions 1.0 to 2.1, read and measured 2026-11.
"""

from __future__ import annotations

from collections.abc import Callable

from segue.formats._claude_nodes import SPEAKS, Chain, Lines, Node, seconds
from segue.formats._claude_preserved import Preserved, preserved_by
from segue.formats._claude_rescue import with_rescued

BRIDGE_SECONDS = 5.0


def chain_of(lines: Lines, leaf: str | None) -> Chain:
    """Find the active history of a file: the walk from its leaf, and what parallel calls left beside it."""
    whole_is_sidechain = all(node.sidechain for node in lines.nodes if node.type in SPEAKS)
    preserved = preserved_by(lines)
    start = leaf_of(lines, leaf, whole_is_sidechain, preserved)
    if start is None:
        return Chain([])
    chain = Chain([], start)
    visited: set[str] = set()
    path, broken = walked_up(lines, start, visited)
    chain.broken.extend(broken)
    pieces = _with_preserved(lines, path, visited, preserved, chain)
    node = _before_kept(lines, pieces, visited) or above_boundary(lines, pieces[0][0], visited)
    while node is not None:
        part, _ = walked_up(lines, node, visited)  # whose links matter to nobody any more
        pieces[0] = part + pieces[0]
        node = above_boundary(lines, part[0], visited) if part else None
    pieces[-1] = pieces[-1] + _behind(lines, start, visited)
    chain.nodes = with_rescued(lines, pieces, chain)
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
    if chain.abandoned and not chain.tips:  # all that hangs on them belongs to the history
        chain.tips = [chain.abandoned[-1].uuid]
    return chain


def _with_preserved(
    lines: Lines, path: list[Node], visited: set[str], preserved: Preserved | None, chain: Chain
) -> list[list[Node]]:
    """Put what a compaction kept behind its summary. Gives the path as runs of lines in the order of the file."""
    if preserved is None:
        return [path]
    boundary = preserved.boundary
    if preserved.anchor is None:
        if boundary in path:
            chain.unkept.append(boundary)
        return [path]
    kept = list(preserved.kept)
    if boundary in path and preserved.anchor in path:
        at = path.index(preserved.anchor) + 1
        head, rest = path[:at], path[at:]
    else:
        # What was said after the compaction may hang on a kept line instead of on the summary.
        named = {node.uuid for node in kept}
        joints = [at for at, node in enumerate(path[:-1]) if node.uuid in named and path[at + 1].index > boundary.index]
        if not joints:
            return [path]
        kept, rest = kept[: kept.index(path[joints[-1]]) + 1], path[joints[-1] + 1 :]
        visited.clear()
        visited.update(node.uuid for node in rest)
        head, _ = walked_up(lines, preserved.anchor, visited)
    visited.update(node.uuid for node in kept)
    return [head, kept, rest]


def _before_kept(lines: Lines, pieces: list[list[Node]], visited: set[str]) -> Node | None:
    """Find what stood above the messages that a compaction kept: the rest of what it took away."""
    if len(pieces) == 1 or not pieces[0][0].is_boundary:
        return None
    above = lines.by_uuid.get(pieces[1][0].parent or "")
    return above if above is not None and above.uuid not in visited else None


# ------------------------------------------------------------------------------------------------ leaf


def leaf_of(lines: Lines, wanted: str | None, whole_is_sidechain: bool, preserved: Preserved | None) -> Node | None:
    if wanted is not None:
        return lines.by_uuid.get(wanted)
    mains = [node for node in lines.nodes if whole_is_sidechain or not node.sidechain]
    speaking = [node for node in mains if node.type in SPEAKS]
    if not speaking:
        return mains[-1] if mains else None
    last = _last_in_file(lines, mains) or speaking[-1]
    recorded, is_chosen = lines.recorded_leaf()
    if recorded is None or is_chosen:
        return recorded or last
    is_kept = preserved is not None and recorded in preserved.kept
    return last if is_kept or _is_ancestor(lines, recorded, last) else recorded


def _last_in_file(lines: Lines, mains: list[Node]) -> Node | None:
    """Take the tip whose nearest speaking line is the latest in the file; teams' lines only if need be.

    The agent itself takes words that it put in as well as any others (2.1.332, tried 2026-12).
    """
    parents = {node.parent for node in lines.nodes if node.parent}
    best: Node | None = None
    most: tuple[bool, int] | None = None
    for tip in mains:
        if tip.uuid in parents:
            continue
        speaker = _nearest(lines, tip, lambda node: node.type in SPEAKS)
        if speaker is None:
            continue
        weight = (not (speaker.value or {}).get("teamName"), speaker.index)
        if most is None or weight > most:
            best, most = speaker, weight
    return best


def _nearest(lines: Lines, node: Node, is_wanted: Callable[[Node], bool]) -> Node | None:
    """Climb to the nearest node of a kind, the node itself included."""
    seen: set[str] = set()
    current: Node | None = node
    while current is not None and current.uuid not in seen:
        if is_wanted(current):
            return current
        seen.add(current.uuid)
        current = lines.by_uuid.get(current.parent) if current.parent else None
    return None


def _is_ancestor(lines: Lines, node: Node, of: Node) -> bool:
    return _nearest(lines, of, lambda other: other is node) is not None


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


def walked_up(lines: Lines, leaf: Node, visited: set[str]) -> tuple[list[Node], list[tuple[Node, Node | None]]]:
    """Climb to the root. A missing or circular parent is bridged to the line before it, if that is near in time."""
    path: list[Node] = []
    broken: list[tuple[Node, Node | None]] = []
    node: Node | None = leaf
    while node is not None and node.uuid not in visited:
        visited.add(node.uuid)
        path.append(node)
        if node.parent is None:
            break
        parent = lines.by_uuid.get(node.parent)
        if parent is None or parent.uuid in visited:
            parent = bridged(lines, node, visited)
            broken.append((node, parent))
        node = parent
    path.reverse()
    return path, broken


def bridged(lines: Lines, node: Node, visited: set[str]) -> Node | None:
    when = seconds(node.time)
    if when is None:
        return None
    for other in reversed(lines.nodes[: node.index]):
        if other.uuid in visited or other.sidechain != node.sidechain:
            continue
        at = seconds(other.time)
        if at is None:
            continue
        return other if 0 <= when - at <= BRIDGE_SECONDS else None
    return None


def above_boundary(lines: Lines, boundary: Node, visited: set[str]) -> Node | None:
    """Find where the compacted history ended: where the boundary says, else the last line before it."""
    if not boundary.is_boundary:
        return None
    logical = (boundary.value or {}).get("logicalParentUuid")
    found = lines.by_uuid.get(logical) if isinstance(logical, str) else None
    if found is not None and found.uuid not in visited:
        return found
    for other in reversed(lines.nodes[: boundary.index]):
        # What hangs on a line of the path is a branch of it, not what stood before.
        is_beside = other.uuid in visited or other.parent in visited
        if other.type in SPEAKS and not other.sidechain and not is_beside:
            return other
    return None
