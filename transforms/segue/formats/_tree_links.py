"""Link the records of a session anew, once some are gone, new or moved: steps 3 and 4 of `_tree`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain as joined
from itertools import count

from segue.formats._tree_places import Item, placed
from segue.identity import derived_uuid
from segue.model import Block, Json, Message, Record, ToolCall, ToolResult, Transcript


@dataclass(frozen=True, slots=True)
class Links:
    """Where references lead after the repair.

    `survivors`: the id of a removed record → that of its nearest ancestor that is left, None if there is none.
    `followers`: the id of a record on the path → the first id at its place or behind it, None if there is none.
    `lines`: the number of a record → the index of the first output line at its place or behind it. `moved_kept`: what a
    compaction kept stands behind its summary now.
    """

    survivors: Mapping[str, str | None]
    followers: Mapping[str, str | None]
    lines: Mapping[int, int]
    moved_kept: bool = False


@dataclass(frozen=True, slots=True)
class Tree:
    """How the records of a format hang together, and how they are spelled.

    `rewrite(value, blocks, message)` gives a record the blocks that are its own now; None removes the record.
    `create(message, parent_id, new_id, time)` makes the records of a new message, each the parent of the next; the
    first has `new_id`; `time` is that of a neighbour, as it stands in the file, or None. `relink(value, links)` mends
    references other than the parent. `is_turn` tells a record that speaks, so that a branch which goes on behind the
    last message is not taken for a part of the path. `kept` are messages that a compaction kept and that the agent
    hangs behind its summary when it resumes: once the file has to be linked anew they are moved there. `id`, `parent`,
    and `time` name the keys.
    """

    rewrite: Callable[[Json, tuple[Block, ...], Message], Json | None]
    create: Callable[[Message, str | None, str, Json], Sequence[Json]]
    relink: Callable[[Json, Links], Json] = lambda value, links: value
    is_turn: Callable[[Json], bool] = lambda value: False
    new_id: Callable[..., str] = derived_uuid
    id: str = "id"
    parent: str = "parentId"
    time: str = "timestamp"
    linear: bool = False
    kept: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class _News:
    """New and moved lines behind one place of the path: values, numbers of records. From `lead` on they lead."""

    lines: list[Json]
    lead: int


def linked(
    transcript: Transcript, tree: Tree, values: dict[int, Json], gone: set[int], moved: Sequence[Message]
) -> list[Json]:
    """Give the output in order: the Record for a line of the source, the value of a new one.

    `values` are those of all records, by number; they are repaired.
    """
    ids = {number: _name(value, tree.id) for number, value in values.items()}
    held = {number for message in transcript.source.messages for number in message.records}
    removed = {ids[number] for number in gone} - {None}
    # A record that repeats the id of a removed one would come up in its place.
    gone = gone | {number for number, name in ids.items() if name in removed and number not in held}
    parents = _parents(tree, values, ids)
    path, goes_on = _path(transcript, tree, values, ids, parents)
    on_path = set(path)
    taken = set(map(id, moved))
    kept = [message for message in tree.kept if id(message) not in taken and on_path.isdisjoint(message.records)]
    moved = [*moved, *kept]
    # So would an older version of a record that is moved.
    moving = {ids[number] for message in moved for number in message.records} - {None}
    gone = gone | {number for number, name in ids.items() if name in moving and number not in held}
    away = gone.union(number for message in moved for number in message.records)
    items = placed(transcript, path, {id(message) for message in moved})
    chain, starts, news = _chained(tree, values, ids, path, items, gone)
    survivors = _link_branches(tree, values, ids, parents, gone, away.union(path))
    order, lines = _ordered(transcript.source.records, path, news, away, goes_on)
    if not goes_on:
        _end_on_leaf(order, path, news, away, ids)
    followers = {
        name: chain[start] if start < len(chain) else None
        for number, start in zip(path, starts, strict=False)
        if (name := ids[number]) is not None
    }
    links = Links(survivors, followers, lines, bool(kept))
    for number in values.keys() - gone:
        values[number] = tree.relink(values[number], links)
    return order


def _parents(tree: Tree, values: Mapping[int, Json], ids: Mapping[int, str | None]) -> dict[int, int | None]:
    if tree.linear:
        return {number: number - 1 if number - 1 in values else None for number in values}
    by_id = {name: number for number, name in ids.items() if name is not None}
    named = {number: _name(value, tree.parent) for number, value in values.items()}
    return {number: by_id.get(name) if name is not None else None for number, name in named.items()}


def _path(
    transcript: Transcript,
    tree: Tree,
    values: Mapping[int, Json],
    ids: Mapping[int, str | None],
    parents: Mapping[int, int | None],
) -> tuple[list[int], bool]:
    """Find the path from the root to the leaf. The second value tells that the file goes on with another branch."""
    numbers = list(values)
    if tree.linear:
        return numbers, False
    messages = transcript.source.messages
    spoken = {number for message in messages for number in message.records}
    ends = [message.records[-1] for message in messages if message.records and ids[message.records[-1]] is not None]
    leaf = transcript.session.leaf
    if leaf is None:
        leaf = ends[-1] if ends else next((number for number in reversed(numbers) if ids[number] is not None), None)
    if leaf is None:
        return [], False
    below = {leaf}
    for number in numbers:
        if parents[number] in below and number not in below and (number in spoken or not tree.is_turn(values[number])):
            below.add(number)
            leaf = number
    path: list[int] = []
    step: int | None = leaf
    seen: set[int] = set()
    while step is not None and step not in seen:
        seen.add(step)
        path.append(step)
        step = parents[step]
    return path[::-1], any(ids[number] is not None for number in numbers[numbers.index(leaf) + 1 :])


def _chained(
    tree: Tree,
    values: dict[int, Json],
    ids: Mapping[int, str | None],
    path: Sequence[int],
    items: Mapping[int, Sequence[Item]],
    gone: set[int],
) -> tuple[list[str], list[int], dict[int, _News]]:
    """Link the path. Gives its ids, where in them each old place begins, and the new lines behind each place."""
    taken = {name for name in ids.values() if name is not None}
    moved = {number for some in items.values() for item in some for number in item.message.records}
    above = _name(values[path[0]], tree.parent) if path else None
    chain: list[str] = []
    starts: list[int] = []
    news: dict[int, _News] = {}
    for index in range(-1, len(path)):
        olds = path[index : index + 1] if index >= 0 else ()
        made: list[Json] = [number for number in olds if number not in gone and number not in moved]
        above = _append(tree, values, made, above, chain)
        lines: list[Json] = []
        start: tuple[int, int] | None = None
        for item in items.get(index, ()):
            if item.leads and start is None:
                start = (len(chain), len(lines))
            made = [number for number in item.message.records if number not in gone]
            if not item.message.records:
                name, time = _fresh(tree, taken, above, item.message), _time(tree, values, path, index)
                made = list(tree.create(item.message, above, name, time))
            above = _append(tree, values, made, above, chain)
            lines.extend(made)
        start = start or (len(chain), len(lines))
        starts.append(start[0])
        news[index] = _News(lines, start[1])
    return chain, starts, news


def _append(
    tree: Tree, values: dict[int, Json], made: Sequence[Json], above: str | None, chain: list[str]
) -> str | None:
    """Add records (by number) and new values to the chain of ids; the last id is the next one's parent."""
    for entry in made:
        if isinstance(entry, int):
            _set_parent(tree, values, entry, above)
        name = _name(values[entry] if isinstance(entry, int) else entry, tree.id)
        if name is not None:
            above = name
            chain.append(name)
    return above


def _link_branches(
    tree: Tree,
    values: dict[int, Json],
    ids: Mapping[int, str | None],
    parents: Mapping[int, int | None],
    gone: set[int],
    linked_already: set[int],
) -> dict[str, str | None]:
    """Hang what stood on removed records, beside the path, on what is left. Gives the survivor of each removed id."""
    survivors: dict[str, str | None] = {}
    for number in gone:
        name, step, seen = ids[number], parents[number], {number}
        while step is not None and step in gone and step not in seen:
            seen.add(step)
            step = parents[step]
        if name is not None:
            survivors[name] = ids[step] if step is not None and step not in gone else None
    for number, value in values.items():
        above = _name(value, tree.parent)
        if number not in linked_already and above in survivors:
            _set_parent(tree, values, number, survivors[above])
    return survivors


def _ordered(
    records: Sequence[Record], path: Sequence[int], news: Mapping[int, _News], away: set[int], goes_on: bool
) -> tuple[list[Json], dict[int, int]]:
    """Put the lines in order. Gives also, for each record, the index of the first line at its place or behind it."""
    by_number = {record.number: record for record in records}
    behind = {path[index]: some for index, some in news.items() if index >= 0}
    # A leaf that is not at the end of the file would not be the leaf any more: what is new becomes the end.
    at_end = behind.pop(path[-1]).lines if path and goes_on else []
    order: list[Json] = []
    lines: dict[int, int] = {}
    begin = 0
    for record in records:
        if path and record.number == path[0]:
            order.extend(news[-1].lines)
            begin += news[-1].lead
        lines[record.number] = begin
        if record.number not in away:
            order.append(record)
        begin = len(order)
        if record.number in behind:
            order.extend(behind[record.number].lines)
            begin += behind[record.number].lead
    order.extend(at_end if path else news[-1].lines)
    return [by_number[entry] if isinstance(entry, int) else entry for entry in order], lines


def _end_on_leaf(
    order: list[Json], path: Sequence[int], news: Mapping[int, _News], away: set[int], ids: Mapping[int, str | None]
) -> None:
    """Put the new leaf behind other branches, when the old one, which ended the file, is gone."""
    standing: list[Json] = []
    for index in range(-1, len(path)):
        standing.extend(path[index : index + 1] if index >= 0 and path[index] not in away else ())
        standing.extend(news[index].lines)
    if not standing:
        return
    on_path, leaf = set(path), standing[-1]
    numbers = [entry.number if isinstance(entry, Record) else None for entry in order]
    at = numbers.index(leaf) if isinstance(leaf, int) else next(i for i, entry in enumerate(order) if entry is leaf)
    if any(number is not None and ids[number] is not None and number not in on_path for number in numbers[at + 1 :]):
        order.append(order.pop(at))


def _set_parent(tree: Tree, values: dict[int, Json], number: int, above: str | None) -> None:
    value = values[number]
    if not tree.linear and isinstance(value, Mapping) and value.get(tree.parent) != above:
        values[number] = {**value, tree.parent: above}


def _fresh(tree: Tree, taken: set[str], above: str | None, message: Message) -> str:
    """Derive an id from the record before and what the message is about; nobody else in the file has it."""
    calls = [block.id for block in message.blocks if isinstance(block, ToolCall)]
    results = [block.call_id for block in message.blocks if isinstance(block, ToolResult)]
    for attempt in count():
        name = tree.new_id(above or "", message.role, *calls, *results, attempt)
        if name not in taken:
            break
    taken.add(name)
    return name


def _time(tree: Tree, values: Mapping[int, Json], path: Sequence[int], index: int) -> Json:
    """Take the time of the nearest record before a place of the path, else of the nearest behind it."""
    for place in joined(range(index, -1, -1), range(index + 1, len(path))):
        value = values[path[place]]
        if isinstance(value, Mapping) and value.get(tree.time) is not None:
            return value[tree.time]
    return None


def _name(value: Json, key: str) -> str | None:
    name = value.get(key) if isinstance(value, Mapping) else None
    return name if isinstance(name, str) else None
