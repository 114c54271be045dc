"""Which lines of a Claude Code session are its history: an own reading of the raw lines.

It shares nothing with segue's reader, so that neither can hide a fault of the other. Simple on purpose: whole file in
memory, one dictionary of nodes, one walk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Json = Any

CHAIN_TYPES = ("user", "assistant", "progress", "system", "attachment")
SPEAKERS = ("user", "assistant")
BRIDGE_SECONDS = 5.0
_CALLER = "sourceToolAssistantUUID"


@dataclass
class Lines:
    """What can be read of a session: chain nodes by uuid, in the order of the file, and the hint at a leaf."""

    nodes: dict[str, Json] = field(default_factory=dict)
    hint: str | None = None
    pinned: bool = False

    @property
    def is_subagents(self) -> bool:
        """Whether every line that speaks is a sidechain: a subagent's own file."""
        speaking = [node for node in self.nodes.values() if node["type"] in SPEAKERS]
        return bool(speaking) and all(node.get("isSidechain") for node in speaking)


def values_of(data: bytes) -> Iterator[Json]:
    """Yield each line's JSON value; what is no JSON is passed over."""
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        try:
            yield json.loads(line.decode("utf-8", "replace"), strict=False)
        except (ValueError, RecursionError):
            continue


def lines_of(data: bytes) -> Lines:
    """Read the nodes and the hint. The last content of a uuid wins, its first place counts."""
    lines = Lines()
    for value in values_of(data):
        if not isinstance(value, dict):
            continue
        if value.get("type") in CHAIN_TYPES and isinstance(value.get("uuid"), str):
            parent = value.get("parentUuid")
            value["parentUuid"] = parent if isinstance(parent, str) else None
            lines.nodes[value["uuid"]] = value
            if is_boundary(value) and not lines.pinned:
                lines.hint = None
        elif value.get("type") == "last-prompt":
            _hinted(lines, value)
    if lines.hint not in lines.nodes:
        lines.hint, lines.pinned = None, False
    return lines


def is_boundary(node: Json) -> bool:
    return bool(node["type"] == "system" and node.get("subtype") == "compact_boundary")


def _hinted(lines: Lines, value: Json) -> None:
    leaf = value.get("leafUuid")
    if value.get("explicit"):
        lines.hint, lines.pinned = leaf or None, bool(leaf)
    elif isinstance(leaf, str) and leaf != lines.hint:
        lines.hint, lines.pinned = leaf, False


# ------------------------------------------------------------------------------------------------ chain


def active_chain(lines: Lines) -> list[Json]:
    """Find what the model had seen since the last compaction, in the order of the file."""
    leaf = leaf_of(lines)
    if leaf is None:
        return []
    chain: dict[str, Json] = {}
    node: Json | None = leaf
    while node is not None:
        chain[node["uuid"]] = node
        node = None if is_boundary(node) else _parent(lines, node, chain)
    for behind in _behind(lines, leaf):
        chain[behind["uuid"]] = behind
    for boundary in [node for node in chain.values() if is_boundary(node)]:
        for uuid in _preserved(lines, boundary):
            chain[uuid] = lines.nodes[uuid]
    for beside in _beside(lines, chain):
        chain[beside["uuid"]] = beside
    return [node for uuid, node in lines.nodes.items() if uuid in chain]


def leaf_of(lines: Lines) -> Json | None:
    """Choose the leaf: the pinned hint, the hint unless it is merely stale, the latest tip of the main history."""
    last = _latest_tip(lines)
    hinted = lines.nodes.get(lines.hint) if lines.hint else None
    if hinted is None or (last is not None and not lines.pinned and hinted["uuid"] in ancestors(lines, last)):
        return last
    return hinted


def _latest_tip(lines: Lines) -> Json | None:
    place = {uuid: index for index, uuid in enumerate(lines.nodes)}
    parents = {node["parentUuid"] for node in lines.nodes.values()}
    best: tuple[bool, bool, int] | None = None
    found: Json | None = None
    for uuid, tip in lines.nodes.items():
        if uuid in parents:
            continue
        speaker = next((node for node in _climb(lines, tip) if node["type"] in SPEAKERS), None)
        if speaker is None:
            continue
        is_main = lines.is_subagents or not speaker.get("isSidechain")
        weight = (is_main, not speaker.get("teamName"), place[speaker["uuid"]])
        if best is None or weight > best:
            best, found = weight, speaker
    if found is not None:
        return found
    speaking = [node for node in lines.nodes.values() if node["type"] in SPEAKERS]
    return ([node for node in speaking if not node.get("isSidechain")] or speaking or [None])[-1]


def ancestors(lines: Lines, node: Json) -> dict[str, Json]:
    """Return a node and all above it by plain parents, from the node up."""
    return {above["uuid"]: above for above in _climb(lines, node)}


def _climb(lines: Lines, node: Json) -> Iterator[Json]:
    seen: set[str] = set()
    current: Json | None = node
    while current is not None and current["uuid"] not in seen:
        seen.add(current["uuid"])
        yield current
        current = lines.nodes.get(current["parentUuid"])


def _parent(lines: Lines, node: Json, chain: dict[str, Json]) -> Json | None:
    """Find the parent; for one that is missing or met already, the nearest line of at most five seconds before."""
    name = node["parentUuid"]
    if name is None:
        return None
    parent = lines.nodes.get(name)
    if parent is not None and name not in chain:
        return parent
    when = _seconds(node)
    nearest: Json | None = None
    for uuid, other in lines.nodes.items():
        if uuid == node["uuid"]:
            break
        before = _seconds(other)
        if (
            uuid in chain
            or when is None
            or before is None
            or bool(other.get("isSidechain")) != bool(node.get("isSidechain"))
        ):
            continue
        if 0 <= when - before <= BRIDGE_SECONDS:
            nearest = other
    return nearest


def _seconds(node: Json) -> float | None:
    try:
        return datetime.fromisoformat(node["timestamp"].replace("Z", "+00:00")).timestamp()
    except (KeyError, AttributeError, ValueError):
        return None


def _behind(lines: Lines, leaf: Json) -> Iterator[Json]:
    """Yield what hangs behind the leaf and does not speak: its attachments."""
    reached = {leaf["uuid"]}
    for uuid, node in lines.nodes.items():
        if node["parentUuid"] in reached and node["type"] not in SPEAKERS and not is_boundary(node):
            reached.add(uuid)
            yield node


def _preserved(lines: Lines, boundary: Json) -> list[str]:
    """Name the messages that a compaction kept; none if one of them is missing."""
    told = object_of(boundary.get("compactMetadata"))
    messages, segment = object_of(told.get("preservedMessages")), object_of(told.get("preservedSegment"))
    uuids: list[str] = []
    if messages:
        uuids = list(messages.get("uuids") or ())
    elif segment:
        for uuid in (
            ancestors(lines, lines.nodes[segment["tailUuid"]]) if segment.get("tailUuid") in lines.nodes else ()
        ):
            uuids.append(uuid)
            if uuid == segment.get("headUuid"):
                break
        else:
            uuids = []
    return uuids if all(uuid in lines.nodes for uuid in uuids) else []


def _beside(lines: Lines, chain: dict[str, Json]) -> Iterator[Json]:
    """Yield what parallel calls left beside the chain: lines of one response, and the results that hang on them."""
    turns = {_turn(node) for node in chain.values() if node["type"] == "assistant"} - {None}
    siblings = {
        uuid: node
        for uuid, node in lines.nodes.items()
        if node["type"] == "assistant" and (uuid in chain or _turn(node) in turns)
    }
    calls = {call for node in siblings.values() for call in ids_of(node, "tool_use", "id")}
    for uuid, node in lines.nodes.items():
        if uuid in chain:
            continue
        if uuid in siblings:
            yield node
        elif node["type"] == "user" and not siblings.keys().isdisjoint((node["parentUuid"], node.get(_CALLER))):
            yield from [node] if calls.intersection(ids_of(node, "tool_result", "tool_use_id")) else ()


# ---------------------------------------------------------------------------------------------- content


def object_of(value: Json) -> Json:
    return value if isinstance(value, dict) else {}


def message_of(node: Json) -> Json:
    return object_of(node.get("message"))


def _turn(node: Json) -> str | None:
    id = message_of(node).get("id")
    return id if isinstance(id, str) and id else None


def ids_of(node: Json, type: str, key: str) -> list[str]:
    """Return the ids that the blocks of one type have in a line."""
    content = message_of(node).get("content")
    blocks = [object_of(block) for block in content] if isinstance(content, list) else []
    return [str(block.get(key)) for block in blocks if block.get("type") == type]


def unanswered_by_plain_walk(data: bytes) -> int:
    """Count the calls without a result when a reader climbs from the last line by parents alone."""
    lines = lines_of(data)
    mains = [node for node in lines.nodes.values() if lines.is_subagents or not node.get("isSidechain")]
    if not mains:
        return 0
    walked = list(ancestors(lines, mains[-1]).values())
    answers = {answer for node in walked for answer in ids_of(node, "tool_result", "tool_use_id")}
    calls = [call for node in walked if node["type"] == "assistant" for call in ids_of(node, "tool_use", "id")]
    return sum(call not in answers for call in calls)
