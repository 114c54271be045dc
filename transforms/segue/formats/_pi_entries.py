"""The entries of a pi session: which branch counts, and what on it the model sees.

An entry names its parent; the branch is what leads from the leaf to the root. Of a compaction the model sees the
summary, then the entries that it kept, then what followed it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from segue.changes import Change
from segue.errors import UsageError
from segue.formats._pi import read_message
from segue.formats._pi_agent import ENTRY_TYPES, is_excluded, says_nothing
from segue.formats._types import ReadOptions
from segue.model import Json, Message, Place, Record

EDITABLE_ROLES = frozenset({"user", "assistant", "toolResult", "custom", "hookMessage"})


@dataclass(frozen=True, slots=True)
class Branch:
    """The branch that the agent would resume.

    `before` is what its latest `compaction` took away, `kept` what it left, `after` the rest; without a compaction all
    stands in `after`. `edits` are the records of context edits that count, by the number of the record they edit.
    """

    before: tuple[Record, ...] = ()
    compaction: Record | None = None
    kept: tuple[Record, ...] = ()
    after: tuple[Record, ...] = ()
    edits: Mapping[int, Record] = field(default_factory=dict)
    faults: tuple[Change, ...] = ()

    @property
    def records(self) -> tuple[Record, ...]:
        middle = (self.compaction,) if self.compaction is not None else ()
        return (*self.before, *middle, *self.kept, *self.after)


def entry(record: Record) -> Mapping[str, Json]:
    """Give a record's value as an entry; an empty one if it is no object."""
    return record.value if isinstance(record.value, Mapping) else {}


def spoken(value: Json) -> Mapping[str, Json] | None:
    """Give the part of an entry that is worded like a message, None for entries that only keep books."""
    if not isinstance(value, Mapping):
        return None
    kind = value.get("type")
    if kind == "message":
        inner = value.get("message")
        return inner if isinstance(inner, Mapping) else None
    is_entry = isinstance(kind, str) and kind in ENTRY_TYPES
    return value if is_entry and not says_nothing(value) else None


def is_linear(records: Sequence[Record]) -> bool:
    """Tell a session of version 1, whose entries have no ids: a header without a version says so, else no id does."""
    header = next((entry(record) for record in records if entry(record).get("type") == "session"), None)
    if header is not None:
        version = header.get("version")
        return not isinstance(version, (int, float)) or version < 2
    return not any(isinstance(entry(record).get("id"), str) for record in records)


def chosen_branch(records: Sequence[Record], leaf: str | None) -> Branch:
    """Choose the branch: to the leaf that was named, else to the last entry of the file.

    Raises UsageError, with the nearest ids, for a leaf that is not there.
    """
    entries = [record for record in records if record.value is not None and entry(record).get("type") != "session"]
    if is_linear(records):
        if leaf is not None:
            raise UsageError(f"unknown leaf '{leaf}': the entries of a version 1 session have no ids")
        return _parted(entries, linear=True)
    by_id = {id_of(record): record for record in entries if id_of(record)}
    if leaf is not None and leaf not in by_id:
        from difflib import get_close_matches

        near = get_close_matches(leaf, by_id, n=3, cutoff=0)
        raise UsageError(f"unknown leaf '{leaf}'" + (f": the nearest ids are {', '.join(near)}" if near else ""))
    path, faults = _path(by_id, leaf or next(reversed(by_id), None), _header_id(records))
    return replace(_parted(path, linear=False), faults=tuple(faults))


def entry_message(record: Record, number: int, options: ReadOptions) -> Message | None:
    """Read the message of an entry, None if it says nothing to the model."""
    value = spoken(record.value)
    if value is None or is_excluded(value):
        return None
    message = read_message(value, Place(record.number, record.line, number, 0), options)
    if message is None:
        return None
    time = message.time if message.time is not None else entry(record).get("timestamp")
    return replace(message, id=id_of(record) or None, time=time)


def edited(message: Message, edit: Record, options: ReadOptions) -> Message:
    """Give a message the content that a context edit put in its place; an edit to nothing takes it out of sight."""
    replacement = entry(edit).get("replacement")
    records = (*message.records, edit.number)
    if not isinstance(replacement, Mapping):
        return replace(message, records=records, marks=message.marks | {"snipped"})
    raw: dict[str, Any] = {**(message.raw or {}), "content": replacement.get("content")}
    place = Place(edit.number, message.line, message.number or 0, 0)
    again = read_message(raw, place, options)
    return message if again is None else replace(message, blocks=again.blocks, records=records, raw=raw)


def _path(by_id: Mapping[str, Record], leaf: str | None, header_id: str | None) -> tuple[list[Record], list[Change]]:
    """Walk from the leaf to the root."""
    path: list[Record] = []
    seen: set[str] = set()
    step = leaf
    while step is not None and step in by_id and step not in seen:
        seen.add(step)
        path.append(by_id[step])
        parent = entry(by_id[step]).get("parentId")
        step = parent if isinstance(parent, str) else None
    faults = []
    if step is not None and step != header_id:
        last = path[-1] if path else None
        name = id_of(last) if last is not None else ""
        why = "which follows from it in a circle" if step in seen else "which is not there"
        what = f"entry '{name}' names '{step}' as its parent, {why}: what stood before is out of reach"
        faults.append(Change("hidden", "broken-chain", what, line=last.line if last is not None else None, count=1))
    return path[::-1], faults


def _parted(path: Sequence[Record], linear: bool) -> Branch:
    at = next((index for index in reversed(range(len(path))) if entry(path[index]).get("type") == "compaction"), None)
    if at is None:
        return Branch(after=tuple(path), edits=_edits(path))
    first = _first_kept(path[:at], entry(path[at]), linear)
    # A compaction holds the prompt anew, and an older one says nothing beside it.
    kept = tuple(record for record in path[first:at] if not _is_superseded(record))
    before = tuple(record for index, record in enumerate(path[:at]) if index < first or _is_superseded(record))
    after = tuple(path[at + 1 :])
    return Branch(before, path[at], kept, after, _edits((*kept, *after)))


def _first_kept(path: Sequence[Record], compaction: Mapping[str, Json], linear: bool) -> int:
    """Find the place of the first entry that a compaction kept; behind the last if it kept none."""
    if linear:
        index = compaction.get("firstKeptEntryIndex")
        # The header is line 0: an index of 0 names no entry, and then nothing was kept.
        wanted = index if isinstance(index, int) and index > 0 else None
        return next((place for place, record in enumerate(path) if record.number == wanted), len(path))
    name = compaction.get("firstKeptEntryId")
    return next((place for place, record in enumerate(path) if name and id_of(record) == name), len(path))


def _is_superseded(record: Record) -> bool:
    value = spoken(record.value)
    return value is not None and (value.get("role") == "system" or value.get("type") == "compaction")


def _edits(listed: Sequence[Record]) -> dict[int, Record]:
    targets = {id_of(record): record.number for record in listed if _is_editable(record) and id_of(record)}
    found: dict[int, Record] = {}
    for record in listed:
        value = entry(record)
        if value.get("type") == "context_edit" and value.get("targetId") in targets:
            found[targets[value["targetId"]]] = record
    return found


def _is_editable(record: Record) -> bool:
    value = spoken(record.value)
    return value is not None and (value.get("role") in EDITABLE_ROLES or value.get("type") == "custom_message")


def _header_id(records: Sequence[Record]) -> str | None:
    return next((id_of(record) for record in records if entry(record).get("type") == "session"), None)


def id_of(record: Record) -> str:
    name = entry(record).get("id")
    return name if isinstance(name, str) else ""
