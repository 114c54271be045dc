"""The branches of a Claude Code session: what the history's own walk leaves aside, each way to an end told once.

A line with several children is no rewind by itself. The ends that are left over are taken latest first; each is climbed
up to a line that is explained already, and takes with it what the reader would find beside it: so every line is walked
once. What remains is no branch if it holds nothing but results, words that the agent put in, or copies that a
compaction wrote of lines elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from segue.errors import UsageError
from segue.formats._claude_branch_parts import (
    Mark,
    Prompts,
    Relatives,
    is_answer,
    is_spoken,
    marks_of,
    prompt_of,
    prompts_of,
)
from segue.formats._claude_chain import above_boundary, bridged, chain_of, leaf_of, walked_up
from segue.formats._claude_nodes import SPEAKS, Chain, Lines, Node, no_leaf, node_of, seconds
from segue.formats._claude_preserved import Preserved, preserved_by
from segue.formats._claude_rescue import with_rescued
from segue.formats._types import Branch, ReadOptions
from segue.model import Record


@dataclass(slots=True, eq=False)
class _Stretch:
    """The end of a branch, from where it leaves another one: its lines, and what the history amounts to at each.

    `own` are those lines that no stretch before it holds.
    """

    tip: Node
    nodes: list[Node]
    marks: list[Mark]
    own: list[Node]
    start: Mark
    fork: tuple[_Stretch, int] | None = None  # the stretch that it leaves, and behind which of its lines
    is_branch: bool = True


_Fork = tuple[_Stretch, int] | None


@dataclass(slots=True)
class _Forest:
    """What is explained so far: the stretch of each line, and its place there."""

    lines: Lines
    relatives: Relatives
    prompts: Prompts
    preserved: Preserved | None
    homes: dict[str, tuple[_Stretch, int]] = field(default_factory=dict)

    def add(self, stretch: _Stretch) -> None:
        for place, node in enumerate(stretch.nodes):
            self.homes.setdefault(node.uuid, (stretch, place))

    def leads_to(self, node: Node, fork: _Fork) -> bool:
        """Tell whether a line is part of the history that ends at a fork."""
        home = self.homes.get(node.uuid)
        while home is not None and fork is not None:
            if home[0] is fork[0]:
                return home[1] <= fork[1]
            fork = fork[0].fork
        return False


def branches(records: Iterable[Record], options: ReadOptions) -> Sequence[Branch]:
    """Tell the branches: the active one (or that of the leaf in the options), the others, those of subagents.

    Raises UsageError for an unknown leaf.
    """
    lines = _lines_of(records, options.leaf)
    if not lines.nodes:
        return ()
    chain = chain_of(lines, options.leaf)
    forest = _Forest(lines, Relatives(lines), prompts_of(lines), preserved_by(lines))
    whole_is_sidechain = all(node.sidechain for node in lines.nodes if node.type in SPEAKS)
    tip = leaf_of(lines, options.leaf, whole_is_sidechain, forest.preserved) or lines.nodes[-1]
    active = _Stretch(tip, chain.nodes, marks_of(lines, chain, Mark(), forest.prompts), chain.nodes, Mark())
    forest.add(active)
    others = _stretches(forest, chain.abandoned)
    runs = _stretches(forest, chain.sidechains)
    end = max((when for node in lines.nodes if (when := seconds(node.time)) is not None), default=None)
    boundary = next((at for at in reversed(range(len(active.nodes))) if active.nodes[at].is_boundary), None)
    told = [_branch(stretch, active, boundary, end) for stretch in (active, *others)]
    return (*told, *(replace(_branch(run, active, None, end), is_subagent=True) for run in runs))


def _lines_of(records: Iterable[Record], leaf: str | None) -> Lines:
    lines = Lines()
    for record in records:
        value = record.value
        node = node_of(record, value, len(lines.nodes)) if isinstance(value, dict) else None
        if node is not None:
            lines.add(node)
        elif isinstance(value, dict):
            lines.add_aside(record, value)
    if leaf is not None and leaf not in lines.by_uuid:
        raise UsageError(no_leaf(leaf, lines))
    return lines


# --------------------------------------------------------------------------------------------- stretches


def _stretches(forest: _Forest, left: Sequence[Node]) -> list[_Stretch]:
    """Explain the lines that are left over; give the branches among them, latest first."""
    found: list[_Stretch] = []
    for tip in _ends_first(forest.lines, left):
        if tip.uuid in forest.homes:
            continue
        stretch = _stretch(forest, tip)
        if stretch is not None and stretch.is_branch:
            found.append(stretch)
    return sorted(found, key=lambda stretch: -max(node.index for node in stretch.own))


def _ends_first(lines: Lines, left: Sequence[Node]) -> list[Node]:
    """Order lines so that ends come first, the latest before others; one that only holds results comes after those."""
    inner: set[str] = set()
    climbed: set[str] = set()
    for node in left:
        parent = lines.by_uuid.get(node.parent) if node.parent else None
        while parent is not None and parent.type not in SPEAKS and parent.uuid not in climbed:
            climbed.add(parent.uuid)
            parent = lines.by_uuid.get(parent.parent) if parent.parent else None
        if parent is not None and parent is not node:
            inner.add(parent.uuid)
    return sorted(left, key=lambda node: (node.uuid in inner, not is_spoken(node), -node.index))


def _stretch(forest: _Forest, tip: Node) -> _Stretch | None:
    """Find what belongs to an end and is not explained; None if it is all written elsewhere as well."""
    path, fork = _climbed(forest, tip)
    if _is_replay(forest, path):
        return None
    last = fork[0].nodes[fork[1]] if fork is not None else None
    beside = forest.relatives.beside(path, last)
    before = [node for node in beside if forest.leads_to(node, fork)]
    past = frozenset(node.uuid for node in before)
    others = [node for node in beside if node.uuid not in past]
    chain = Chain([])
    chain.nodes = with_rescued(Lines(nodes=others), [[*before, *path]], chain)
    start = _start(forest, path, fork)
    marks = marks_of(forest.lines, chain, start, forest.prompts, past)
    pairs = [(node, mark) for node, mark in zip(chain.nodes, marks, strict=True) if node.uuid not in past]
    own = [node for node, _ in pairs if node.uuid not in forest.homes]
    stretch = _Stretch(tip, [node for node, _ in pairs], [mark for _, mark in pairs], own, start, fork)
    stretch.is_branch = any(map(is_spoken, own))
    forest.add(stretch)
    return stretch


def _climbed(forest: _Forest, tip: Node) -> tuple[list[Node], _Fork]:
    """Climb as the history's own walk does, up to a line that is explained."""
    lines, path, visited = forest.lines, [tip], {tip.uuid}
    while True:
        node = path[-1]
        parent = lines.by_uuid.get(node.parent) if node.parent is not None else None
        if node.parent is not None and (parent is None or parent.uuid in visited):
            parent = bridged(lines, node, visited)
        if parent is None:
            parent = above_boundary(lines, node, visited)
        if parent is None:
            return path[::-1], None
        if parent.uuid in forest.homes:
            return path[::-1], forest.homes[parent.uuid]
        visited.add(parent.uuid)
        path.append(parent)


def _is_replay(forest: _Forest, path: Sequence[Node]) -> bool:
    """Tell whether all lines that speak are copies of explained ones; they stand in their places then."""
    twins: list[tuple[Node, Node]] = []
    for node in path:
        twin = next((other for other in forest.relatives.copied(node) if other.uuid in forest.homes), None)
        if twin is None and node.type in SPEAKS:
            return False
        if twin is not None:
            twins.append((node, twin))
    for node, twin in twins:
        forest.homes[node.uuid] = forest.homes[twin.uuid]
    return True


def _start(forest: _Forest, path: Sequence[Node], fork: _Fork) -> Mark:
    """Tell what the history amounts to where a stretch begins."""
    if fork is None:
        return Mark()
    last, preserved = fork[0].nodes[fork[1]], forest.preserved
    if preserved is None or last not in preserved.kept or path[0].index > preserved.boundary.index:
        return fork[0].marks[fork[1]]
    # What a compaction kept stands behind its summary on the active branch, and in its old place on this one.
    chain = Chain(walked_up(forest.lines, last, set())[0])
    return marks_of(forest.lines, chain, Mark(), forest.prompts)[-1]


# ----------------------------------------------------------------------------------------------- telling


def _branch(stretch: _Stretch, active: _Stretch, boundary: int | None, end: float | None) -> Branch:
    times = [(when, node) for node in stretch.own if (when := seconds(node.time)) is not None]
    first, last = min(times, key=_when, default=None), max(times, key=_when, default=None)
    total = stretch.marks[-1] if stretch.marks else stretch.start
    fork = stretch.fork
    while fork is not None and not fork[0].is_branch:
        fork = fork[0].fork
    return Branch(
        leaf=stretch.tip.uuid,
        line=stretch.tip.record.line,
        is_active=stretch is active,
        own_messages=_own_messages(stretch),
        own_bytes=sum(node.record.end - node.record.start for node in stretch.own),
        messages=total.messages,
        tokens=round(total.tokens),
        begins=first[1].time if first is not None else None,
        ends=last[1].time if last is not None else None,
        age=end - last[0] if end is not None and last is not None else None,
        prompt=next(filter(None, map(prompt_of, stretch.own)), None),
        answered=any(map(is_answer, stretch.own)),
        is_compacted=boundary is not None and stretch is not active and _is_compacted(stretch, active, boundary),
        leaves=fork[0].tip.uuid if fork is not None else None,
        fork_line=fork[0].nodes[fork[1]].record.line if fork is not None else None,
        fork_prompt=fork[0].marks[fork[1]].prompt if fork is not None else None,
    )


def _own_messages(stretch: _Stretch) -> int:
    own = {node.uuid for node in stretch.own}
    count, before = 0, stretch.start
    for node, mark in zip(stretch.nodes, stretch.marks, strict=True):
        count += mark.messages - before.messages if node.uuid in own else 0
        before = mark
    return count


def _is_compacted(stretch: _Stretch, active: _Stretch, boundary: int) -> bool:
    """Tell whether a branch lies before the last compaction of the active one."""
    here = stretch
    while here.fork is not None:
        if here.fork[0] is active:
            return here.fork[1] < boundary
        here = here.fork[0]
    return here.tip.index < active.nodes[boundary].index


def _when(timed: tuple[float, Node]) -> float:
    return timed[0]
