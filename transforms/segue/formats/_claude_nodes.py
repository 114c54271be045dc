"""The lines of a Claude Code session that make its tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from segue.model import Record

NODE_TYPES = frozenset({"user", "assistant", "system", "attachment", "progress"})
SPEAKS = frozenset({"user", "assistant"})


@dataclass(slots=True)
class Node:
    """A line with a uuid. `value` is None where only its links matter."""

    index: int  # position in the file, counted in nodes
    record: Record
    uuid: str
    parent: str | None
    type: str
    sidechain: bool
    value: dict[str, Any] | None

    @property
    def is_boundary(self) -> bool:
        return self.type == "system" and self.value is not None and self.value.get("subtype") == "compact_boundary"


@dataclass(slots=True)
class Chain:
    """The history as nodes, oldest first, and what was left aside."""

    nodes: list[Node]
    abandoned: list[Node] = field(default_factory=list)
    sidechains: list[Node] = field(default_factory=list)
    tips: list[str] = field(default_factory=list)
    # where a parent was missing or the links ran in a circle, and whether the line before could be joined instead
    broken: list[tuple[Node, bool]] = field(default_factory=list)
    rescued: int = 0


@dataclass(slots=True)
class Lines:
    """All nodes of a file by uuid, in order, with the hints about the leaf."""

    nodes: list[Node] = field(default_factory=list)
    by_uuid: dict[str, Node] = field(default_factory=dict)
    pinned: str | None = None
    hint: str | None = None
    replaced: int = 0  # lines that a later one with the same uuid overruled

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
        if node.is_boundary and self.pinned is None:
            self.hint = None

    def last_prompt(self, value: dict[str, Any]) -> None:
        """Note what the agent says about its leaf; an explicit choice is pinned until it names another."""
        leaf = value.get("leafUuid")
        if value.get("explicit") is True:
            self.pinned = leaf if isinstance(leaf, str) and leaf else None
            self.hint = self.pinned
        elif isinstance(leaf, str):
            if self.pinned is not None and leaf != self.pinned:
                self.pinned = None
            self.hint = leaf
