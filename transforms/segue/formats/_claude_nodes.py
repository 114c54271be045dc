"""The lines of a Claude Code session that make its tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from segue.model import Record

NODE_TYPES = frozenset({"user", "assistant", "system", "attachment", "progress"})
SPEAKS = frozenset({"user", "assistant"})


@dataclass(slots=True, eq=False)
class Node:
    """A line with a uuid. `value` is None where only its links and its time matter."""

    index: int  # position in the file, counted in nodes
    record: Record
    uuid: str
    parent: str | None
    type: str
    sidechain: bool
    value: dict[str, Any] | None
    time: Any = None

    @property
    def is_boundary(self) -> bool:
        return self.type == "system" and self.value is not None and self.value.get("subtype") == "compact_boundary"


@dataclass(slots=True)
class Chain:
    """The history as nodes, oldest first, and what was left aside."""

    nodes: list[Node]
    leaf: Node | None = None
    abandoned: list[Node] = field(default_factory=list)
    sidechains: list[Node] = field(default_factory=list)
    tips: list[str] = field(default_factory=list)
    # where a parent was missing or the links ran in a circle, and the line before that was joined instead
    broken: list[tuple[Node, Node | None]] = field(default_factory=list)
    # boundaries whose preserved messages are not all there
    unkept: list[Node] = field(default_factory=list)
    # lines that count although nothing on the path leads to them, each with the call that asks for them: the agent
    # itself would not find them again
    strays: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Operation:
    """A line of the prompt queue, and how many nodes stood before it."""

    before: int
    record: Record
    value: dict[str, Any]


@dataclass(slots=True)
class Lines:
    """All nodes of a file by uuid, in order, with what other lines say about them."""

    nodes: list[Node] = field(default_factory=list)
    by_uuid: dict[str, Node] = field(default_factory=dict)
    replaced: int = 0  # lines that a later one with the same uuid overruled
    queue: list[Operation] = field(default_factory=list)
    replacements: dict[str, str] = field(default_factory=dict)  # what is sent for a result, by its call's id
    hints: list[dict[str, Any] | None] = field(default_factory=list)  # `last-prompt` lines; None for a compaction

    def add(self, node: Node) -> None:
        """Add a node; of two with one uuid the last content counts, in the first one's place."""
        first = self.by_uuid.get(node.uuid)
        if first is not None:
            node.index = first.index
            self.nodes[first.index] = node
            self.replaced += 1
        else:
            self.nodes.append(node)
        self.by_uuid[node.uuid] = node
        if node.is_boundary:
            self.hints.append(None)

    def add_aside(self, record: Record, value: dict[str, Any]) -> None:
        """Note what a line that is no node says about those that are."""
        match value.get("type"):
            case "last-prompt":
                self.hints.append(value)
            case "queue-operation":
                self.queue.append(Operation(len(self.nodes), record, value))
            case "content-replacement":
                for item in _objects(value.get("replacements")):
                    call, text = item.get("toolUseId"), item.get("replacement")
                    if isinstance(call, str) and isinstance(text, str):
                        self.replacements[call] = text

    def recorded_leaf(self) -> tuple[Node | None, bool]:
        """Find the leaf that the agent wrote down, and whether the user chose it: then only another one overrules it.

        A compaction voids one that nobody chose; one that is not in the file names nothing, but undoes the choice.
        """
        leaf: Node | None = None
        is_chosen = False
        for hint in self.hints:
            if hint is None:
                leaf = leaf if is_chosen else None
                continue
            named = hint.get("leafUuid")
            found = self.by_uuid.get(named) if isinstance(named, str) else None
            if hint.get("explicit") is True and not named:
                leaf, is_chosen = None, False
            elif found is None:
                is_chosen = False
            else:
                is_chosen = hint.get("explicit") is True or (is_chosen and found is leaf)
                leaf = found
        return leaf, is_chosen


def node_of(record: Record, value: dict[str, Any], index: int) -> Node | None:
    """Read a line as a node of the tree, None where it is none; `index` is its place among the nodes."""
    kind = value.get("type")
    uuid = value.get("uuid")
    if not isinstance(kind, str) or kind not in NODE_TYPES or not isinstance(uuid, str):
        return None
    parent = value.get("parentUuid")
    kept = value if kind != "progress" else None
    above = parent if isinstance(parent, str) else None
    return Node(index, record, uuid, above, kind, value.get("isSidechain") is True, kept, value.get("timestamp"))


def no_leaf(leaf: str, lines: Lines) -> str:
    """Say that a leaf is not there, and which ids are near."""
    near = [uuid for uuid in lines.by_uuid if uuid.startswith(leaf[:6])][:3]
    return f"no line has the id {leaf!r}" + (f"; did you mean {' or '.join(near)}?" if near else "")


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


# ------------------------------------------------------------------------------------- what a node says


def content_of(node: Node) -> list[dict[str, Any]]:
    """Give the blocks of a line's message, as they stand in the file."""
    message = (node.value or {}).get("message")
    return _objects(message.get("content")) if isinstance(message, dict) else []


def calls_of(node: Node) -> list[str]:
    """Name the calls of an assistant's line."""
    if node.type != "assistant":
        return []
    named = (block.get("id") for block in content_of(node) if block.get("type") == "tool_use")
    return [call for call in named if isinstance(call, str)]


def results_of(node: Node) -> list[str]:
    """Name the calls that a user's line answers."""
    if node.type != "user":
        return []
    named = (block.get("tool_use_id") for block in content_of(node) if block.get("type") == "tool_result")
    return [call for call in named if isinstance(call, str)]


def snipped_by(node: Node) -> Iterator[str]:
    """Name the lines that a snip took out of the sent view."""
    value = node.value or {}
    told = value.get("snipMetadata") if value.get("subtype") == "snip_boundary" else None
    for key in ("removedUuids", "removed_uuids"):
        named = told.get(key) if isinstance(told, dict) else None
        yield from (uuid for uuid in named if isinstance(uuid, str)) if isinstance(named, list) else ()


def seconds(stamp: Any) -> float | None:
    """Read a line's time, as seconds since 1970."""
    try:
        return datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp() if isinstance(stamp, str) else None
    except ValueError:
        return None
