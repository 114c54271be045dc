"""What belongs to the history beside the walked path: lines of the same responses, results, what hangs on them.

Each call of a turn is a line of its own, and its result hangs on that line: the walk from the leaf meets only the last
of them. Results whose call is on the path count wherever they stand, and so does the call of a result that is on it.
Facts: measured on public Claude Code sessions, 2026-11.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from segue.formats._claude_nodes import SPEAKS, Chain, Lines, Node, calls_of, content_of, results_of, snipped_by


def with_rescued(lines: Lines, pieces: Sequence[list[Node]], chain: Chain) -> list[Node]:
    """Give the path, whose pieces follow each other, with what belongs to it beside it.

    A piece is a run of lines in the order of the file. Lines that the agent itself would not find go to `chain.strays`.
    """
    walked = [node for piece in pieces for node in piece]
    on_path = {node.uuid for node in walked}
    sidechain = bool(walked) and walked[-1].sidechain
    beside = [node for node in lines.nodes if node.uuid not in on_path and node.sidechain == sidechain]
    speaking = [node for node in beside if node.type in SPEAKS]
    if not speaking:
        return walked
    homes = {node.uuid: number for number, piece in enumerate(pieces) for node in piece}  # the piece of each line
    siblings = _siblings(lines, walked, speaking, homes)
    asked = {call: node for node in [*walked, *siblings] for call in calls_of(node)}
    results = _results(walked, siblings, speaking, asked, _sent(pieces, siblings, homes), chain)
    for node in results:
        homes[node.uuid] = homes[asked[next(call for call in results_of(node) if call in asked)].uuid]
    extra: list[list[tuple[float, Node]]] = [[] for _ in pieces]
    answers = _answers([*walked, *results], asked)
    for node in siblings:
        # A call stands before its turn's results, whatever the file says.
        first = min(answers.get(_turn(node), [node.index + 1]))
        extra[homes[node.uuid]].append((min(node.index, first - 0.5), node))
    for node in results:
        extra[homes[node.uuid]].append((node.index, node))
    for node, call in _hanging(beside, results, asked, homes):
        # Nothing stands between the results of a turn.
        extra[homes[node.uuid]].append((max(node.index, max(answers[_turn(asked[call])]) + 0.5), node))
    merged = [node for number, piece in enumerate(pieces) for node in _inserted(piece, extra[number])]
    return _with_stray_calls(merged, speaking, asked, pieces, chain)


def _siblings(lines: Lines, walked: Sequence[Node], speaking: Sequence[Node], homes: dict[str, int]) -> list[Node]:
    """Find lines of responses that are on the path, and that hang together with it.

    Not among them are copies that a compaction or a fork wrote, and what a compaction did not keep of a response.
    """
    boundary = max((node.index for node in walked if node.is_boundary), default=-1)
    first: dict[tuple[str, str | None], Node] = {}
    written: dict[tuple[str, str | None], set[str]] = {}  # what the lines of a response say
    beside = {response_of(node) for node in speaking}
    for node in walked:
        key = response_of(node)
        if key is not None and key in beside:
            first.setdefault(key, node)
            written.setdefault(key, set()).add(_said(node))
    found: list[Node] = []
    connected = set(homes)
    for node in speaking:
        key = response_of(node)
        if key not in first or key is None or not _hangs_together(lines, node, connected):
            continue
        connected.add(node.uuid)
        is_sent = first[key].index > boundary or homes[first[key].uuid] > 0
        if (is_sent and node.index < boundary) or _said(node) in written[key]:
            continue
        homes[node.uuid] = homes[first[key].uuid]
        written[key].add(_said(node))
        found.append(node)
    return found


def _said(node: Node) -> str:
    return repr(content_of(node))


def _hangs_together(lines: Lines, node: Node, connected: set[str]) -> bool:
    """Climb from a line through what does not speak, to see whether the path or what belongs to it is above."""
    seen: set[str] = set()
    above = lines.by_uuid.get(node.parent or "")
    while above is not None and above.uuid not in connected and above.type not in SPEAKS and above.uuid not in seen:
        seen.add(above.uuid)
        above = lines.by_uuid.get(above.parent or "")
    return above is not None and above.uuid in connected


def _sent(pieces: Sequence[list[Node]], siblings: Iterable[Node], homes: dict[str, int]) -> set[str]:
    """Name the calls that nothing took away: no compaction, no snip, no screen that only showed them."""
    snipped = {uuid for piece in pieces for node in piece for uuid in snipped_by(node)}
    boundary = max((node.index for piece in pieces for node in piece if node.is_boundary), default=-1)
    live = [node for piece in pieces for node in piece] + list(siblings)
    stay = (node for node in live if node.uuid not in snipped and not _is_taken_out(node))
    return {call for node in stay if node.index > boundary or homes[node.uuid] for call in calls_of(node)}


def _is_taken_out(node: Node) -> bool:
    value = node.value or {}
    return bool(value.get("isVirtual") or value.get("isSnipped") or value.get("snipped"))


def _results(
    walked: Sequence[Node],
    siblings: Sequence[Node],
    speaking: Sequence[Node],
    asked: dict[str, Node],
    sent: set[str],
    chain: Chain,
) -> list[Node]:
    """Find results of open calls: first what hangs on the calls' very lines, then what is anywhere in the file."""
    answered = {call for node in walked for call in results_of(node)}
    # Results of parallel calls may hang on each other.
    parents = {node.uuid for node in [*walked, *siblings] if node.type == "assistant" or results_of(node)}
    found: list[Node] = []
    taken: set[str] = set()
    for hanging in (True, False):
        for node in speaking:
            if node.type != "user" or node.uuid in taken:
                continue
            hangs = node.parent in parents or (node.value or {}).get("sourceToolAssistantUUID") in parents
            open_calls = [call for call in results_of(node) if call in asked and call not in answered]
            # What was compacted away needs no result from elsewhere.
            if open_calls and hangs == hanging and (hangs or not sent.isdisjoint(open_calls)):
                taken.add(node.uuid)
                answered.update(open_calls)
                found.append(node)
                parents.add(node.uuid)
                if not hangs:
                    chain.strays[node.uuid] = open_calls[0]
    return found


def _answers(nodes: Iterable[Node], asked: dict[str, Node]) -> dict[object, list[int]]:
    """Find for each turn where its results stand."""
    found: dict[object, list[int]] = {}
    for node in nodes:
        for call in results_of(node):
            if call in asked:
                found.setdefault(_turn(asked[call]), []).append(node.index)
    return found


def _turn(node: Node) -> object:
    return response_of(node) or node.uuid


def _hanging(
    beside: Iterable[Node], results: Iterable[Node], asked: dict[str, Node], homes: dict[str, int]
) -> Iterator[tuple[Node, str]]:
    """Find what the agent put in with a result that hangs beside the path: attachments, words in the user's name.

    Each comes with the call whose result it hangs on.
    """
    roots = {node.uuid: next(call for call in results_of(node) if call in asked) for node in results}
    answered = set(roots.values())
    for node in beside:
        value = node.value or {}
        is_meta = node.type == "user" and value.get("isMeta") is True
        if not is_meta and node.type != "attachment":
            continue
        source = value.get("sourceToolUseID")
        call = roots.get(node.parent or "")
        if call is None and is_meta and isinstance(source, str) and source in answered:
            call = source
        if call is not None:
            roots[node.uuid] = call
            homes[node.uuid] = homes[asked[call].uuid]
            yield node, call


def _with_stray_calls(
    path: list[Node], speaking: Iterable[Node], asked: dict[str, Node], pieces: Sequence[list[Node]], chain: Chain
) -> list[Node]:
    """Put the call of a result right before it, where the line with the call is not on the path.

    A call that went with a compaction, or that its agent took out, stays away.
    """
    boundary = max((node.index for piece in pieces for node in piece if node.is_boundary), default=-1)
    snipped = {uuid for node in path for uuid in snipped_by(node)}
    # What a compaction kept stands before its boundary.
    live = [node for node in path if node.index > boundary and node.uuid not in snipped and not _is_taken_out(node)]
    missing = {call for node in live for call in results_of(node) if call not in asked}
    if not missing:
        return path
    calls: dict[str, Node] = {}
    for node in speaking:
        if node.index > boundary and not _is_taken_out(node):
            calls.update((call, node) for call in calls_of(node) if call in missing)
    placed: set[str] = set()
    merged: list[Node] = []
    for node in path:
        for call in results_of(node):
            found = calls.get(call)
            if found is not None and found.index < node.index and found.uuid not in placed:
                placed.add(found.uuid)
                chain.strays[found.uuid] = call
                merged.append(found)
        merged.append(node)
    return merged


def _inserted(walked: list[Node], extra: Iterable[tuple[float, Node]]) -> list[Node]:
    """Put lines into a piece of the path where they stand in the file, or where they are said to belong."""
    highest: list[int] = []
    top = -1
    for node in walked:
        top = max(top, node.index)
        highest.append(top)
    places: dict[int, list[Node]] = {}
    for place, node in sorted(extra, key=lambda found: found[0]):
        places.setdefault(bisect_left(highest, place), []).append(node)
    if not places:
        return walked
    merged: list[Node] = []
    for number, node in enumerate(walked):
        merged.extend(places.get(number, ()))
        merged.append(node)
    merged.extend(places.get(len(walked), ()))
    return merged


def response_of(node: Node) -> tuple[str, str | None] | None:
    if node.type != "assistant" or node.value is None:
        return None
    message: Any = node.value.get("message")
    name = message.get("id") if isinstance(message, dict) else None
    request = node.value.get("requestId")
    return (name, request if isinstance(request, str) else None) if isinstance(name, str) and name else None
