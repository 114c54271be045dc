"""The branches of a pi session: each way to an entry that no other follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from segue.formats._pi_agent import is_excluded
from segue.formats._pi_entries import chosen_branch, entry, entry_message, id_of, is_linear, spoken
from segue.formats._pi_spelling import milliseconds
from segue.formats._types import Branch, ReadOptions
from segue.model import Json, Record
from segue.tokens import MESSAGE_TOKENS, of_block

_FAILED = frozenset({"error", "aborted"})


class _Mark(NamedTuple):
    """What the path up to an entry amounts to.

    `tokens` are all, `before` those that its last compaction took away; `lines` are the messages that it
    has beside its summary: its boundary, and the prompt that it holds anew.
    """

    messages: int = 0
    tokens: float = 0.0
    before: float = 0.0
    lines: int = 0
    prompt: str | None = None


@dataclass(slots=True, eq=False)
class _Stretch:
    """The end of a branch, from where it leaves another one; `fork` is the last entry of the other one."""

    tip: Record
    own: list[Record]
    mark: _Mark
    start: _Mark
    fork: str | None = None


def branches(records: Iterable[Record], options: ReadOptions) -> Sequence[Branch]:
    """Tell the branches: the active one (or that of the leaf in the options), then the others, latest first.

    Raises UsageError for an unknown leaf.
    """
    lines = [record for record in records if record.value is not None]
    header = next((record for record in lines if entry(record).get("type") == "session"), None)
    ordered = lines if header is None else [header, *(record for record in lines if record is not header)]
    path = sorted(chosen_branch(ordered, options.leaf).records, key=lambda record: record.number)
    entries = [record for record in lines if entry(record).get("type") != "session"]
    if not entries:
        return ()
    by_id = {} if is_linear(ordered) else {id_of(record): record for record in entries if id_of(record)}
    marks: dict[str, _Mark] = {}
    homes: dict[str, _Stretch] = {}
    if not by_id:
        tip, own = entries[-1], path
        active = _stretch(tip, own, None, marks, homes)
    else:
        tip = by_id[options.leaf or next(reversed(by_id))]
        active = _grown(tip, by_id, marks, homes)
    parents = {entry(record).get("parentId") for record in by_id.values()}
    ends = [record for record in reversed(by_id.values()) if id_of(record) not in parents]
    others: list[_Stretch] = []
    # What no end leads to runs in a circle: it comes last.
    for record in (*ends, *reversed(by_id.values())):
        if id_of(record) not in homes:
            others.append(_grown(record, by_id, marks, homes))
    others = [stretch for stretch in others if any(map(_speaks, stretch.own))]
    others.sort(key=lambda stretch: -max(record.number for record in stretch.own))
    listed = {id(stretch) for stretch in (active, *others)}
    end = max((when for record in entries if (when := _time(record)) is not None), default=None)
    boundary = next((record for record in reversed(active.own) if entry(record).get("type") == "compaction"), None)
    leads = _Leads(by_id, homes, marks, listed, active, boundary)
    return [_branch(stretch, leads, end) for stretch in (active, *others)]


# --------------------------------------------------------------------------------------------- stretches


def _grown(tip: Record, by_id: Mapping[str, Record], marks: dict[str, _Mark], homes: dict[str, _Stretch]) -> _Stretch:
    """Climb from an end to an entry that is on a branch already."""
    own: list[Record] = []
    seen: set[str] = set()
    step: str | None = id_of(tip)
    while step is not None and step in by_id and step not in homes and step not in seen:
        seen.add(step)
        own.append(by_id[step])
        parent = entry(by_id[step]).get("parentId")
        step = parent if isinstance(parent, str) else None
    return _stretch(tip, own[::-1], step if step in homes else None, marks, homes)


def _stretch(
    tip: Record, own: list[Record], fork: str | None, marks: dict[str, _Mark], homes: dict[str, _Stretch]
) -> _Stretch:
    start = marks[fork] if fork is not None else _Mark()
    stretch = _Stretch(tip, own, start, start, fork)
    mark = start
    for record in own:
        mark = _after(record, mark, marks)
        if id_of(record):
            marks[id_of(record)], homes[id_of(record)] = mark, stretch
    stretch.mark = mark
    return stretch


def _after(record: Record, mark: _Mark, marks: Mapping[str, _Mark]) -> _Mark:
    value = entry(record)
    message = entry_message(record, 0, ReadOptions())
    prompt = _prompt(record) or mark.prompt
    before, lines = mark.before, mark.lines
    if value.get("type") == "compaction":
        kept = value.get("firstKeptEntryId")
        parent = value.get("parentId")
        # What it kept stays, from the first kept entry on.
        first = marks.get(kept) if isinstance(kept, str) else None
        before = mark.tokens if first is None or parent not in marks else min(first.tokens, mark.tokens)
        lines = 2 if isinstance(value.get("systemMessage"), Mapping) else 1
    if message is None:
        return _Mark(mark.messages, mark.tokens, before, lines, prompt)
    tokens = mark.tokens + MESSAGE_TOKENS + sum(map(of_block, message.blocks))
    return _Mark(mark.messages + 1, tokens, before, lines, prompt)


# ----------------------------------------------------------------------------------------------- telling


class _Leads(NamedTuple):
    """What tells where a branch leaves another one."""

    by_id: Mapping[str, Record]
    homes: Mapping[str, _Stretch]
    marks: Mapping[str, _Mark]
    listed: set[int]
    active: _Stretch
    boundary: Record | None

    def fork(self, stretch: _Stretch) -> str | None:
        """Find the entry of a listed branch that a stretch goes on from."""
        fork = stretch.fork
        while fork is not None and id(self.homes[fork]) not in self.listed:
            fork = self.homes[fork].fork
        return fork

    def is_compacted(self, stretch: _Stretch) -> bool:
        """Tell whether a branch leaves before the last compaction of the active one."""
        if self.boundary is None or stretch is self.active:
            return False
        fork = stretch.fork
        while fork is not None and self.homes[fork] is not self.active:
            fork = self.homes[fork].fork
        at = self.by_id[fork] if fork is not None else stretch.tip
        return at.number < self.boundary.number


def _branch(stretch: _Stretch, leads: _Leads, end: float | None) -> Branch:
    own = [record for record in stretch.own if _speaks(record)] or stretch.own
    times = [(when, record) for record in own if (when := _time(record)) is not None]
    first, last = min(times, key=_when, default=None), max(times, key=_when, default=None)
    fork = leads.fork(stretch)
    mark = stretch.mark
    lines = mark.lines if stretch is leads.active or mark.lines != stretch.start.lines else 0
    return Branch(
        leaf=id_of(stretch.tip) or None,
        line=stretch.tip.line,
        is_active=stretch is leads.active,
        own_messages=mark.messages - stretch.start.messages + lines,
        own_bytes=sum(record.end - record.start for record in stretch.own),
        messages=mark.messages + mark.lines,
        tokens=round(mark.tokens - mark.before),
        begins=_spelled(first[1]) if first is not None else None,
        ends=_spelled(last[1]) if last is not None else None,
        age=(end - last[0]) / 1000 if end is not None and last is not None else None,
        prompt=next(filter(None, map(_prompt, stretch.own)), None),
        answered=any(map(_is_answer, stretch.own)),
        is_compacted=leads.is_compacted(stretch),
        leaves=id_of(leads.homes[fork].tip) if fork is not None else None,
        fork_line=leads.by_id[fork].line if fork is not None else None,
        fork_prompt=leads.marks[fork].prompt if fork is not None else None,
    )


def _speaks(record: Record) -> bool:
    value = spoken(record.value)
    return value is not None and not is_excluded(value)


def _is_answer(record: Record) -> bool:
    value = spoken(record.value) or {}
    return value.get("role") == "assistant" and value.get("stopReason") not in _FAILED


def _prompt(record: Record) -> str | None:
    value = spoken(record.value) or {}
    if value.get("role") != "user":
        return None
    return "\n".join(_texts(value.get("content"))).strip() or None


def _texts(content: Json) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        if isinstance(block, Mapping) and isinstance(block.get("text"), str):
            yield block["text"]


def _time(record: Record) -> float | None:
    stamp = entry(record).get("timestamp")
    return milliseconds(stamp) if isinstance(stamp, (str, int, float)) else None


def _spelled(record: Record) -> str:
    return str(entry(record).get("timestamp"))


def _when(timed: tuple[float, Record]) -> float:
    return timed[0]
