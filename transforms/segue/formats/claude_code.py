"""Claude Code session, JSON lines.

One block a line; the lines of one response share their `message.id` and are one message here. `parentUuid` makes a
tree: the history is the walk from the leaf, with the results of parallel calls that hang beside it. Everything else
is kept aside.
Facts: Claude Code sessions 1.0 to 2.1, read and measured 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from segue.changes import Change, hidden, rewritten
from segue.errors import UsageError
from segue.formats import _claude_branches, _claude_subagents, _claude_writing
from segue.formats._claude_chain import chain_of
from segue.formats._claude_messages import messages_of
from segue.formats._claude_nodes import SPEAKS, Chain, Lines, no_leaf, node_of
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Record, Session

NAME = "claude-code"


# ------------------------------------------------------------------------------------------ recognising


def recognise(values: Sequence[object], whole: bool) -> bool:
    lines = [value for value in values if isinstance(value, dict)]
    return any(map(_is_line, lines)) and not any(map(_is_of_a_cousin, lines))


def _is_of_a_cousin(value: dict[str, Any]) -> bool:
    """Tell a line of an agent that links its lines alike but speaks in parts."""
    message = value.get("message")
    return isinstance(message, dict) and "parts" in message


def _is_line(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    if kind in ("user", "assistant"):
        message = value.get("message")
        has_links = "parentUuid" in value or "sessionId" in value
        return isinstance(message, dict) and "content" in message and isinstance(value.get("uuid"), str) and has_links
    if kind == "summary":
        return "leafUuid" in value
    is_aside = isinstance(kind, str) and kind in _SIDE_TYPES
    return is_aside and ("sessionId" in value or "leafUuid" in value or "messageId" in value)


_SIDE_TYPES = frozenset(
    {"system", "attachment", "progress", "file-history-snapshot", "queue-operation", "last-prompt", "mode", "ai-title"}
)


# ---------------------------------------------------------------------------------------------- reading


def read(source: Iterable[Record], options: ReadOptions) -> Read:
    lines = Lines()
    aside: dict[str, int] = {}
    records: list[Record] = []
    first: dict[str, Any] = {}
    for record in source:
        value = record.value
        node = node_of(record, value, len(lines.nodes)) if isinstance(value, dict) else None
        if node is not None:
            lines.add(node)
            if not first and node.value is not None:
                first = node.value
        elif isinstance(value, dict):
            kind = str(value.get("type"))
            aside[kind] = aside.get(kind, 0) + 1
            lines.add_aside(record, value)
        # A session may be large: what a line says beside its blocks is parsed again where a rule has changed it.
        if not record.repaired:
            record = Record(record.number, record.line, record.start, record.end, None)
        records.append(record)
    if options.leaf is not None and options.leaf not in lines.by_uuid:
        raise UsageError(no_leaf(options.leaf, lines))
    chain = chain_of(lines, options.leaf)
    if lines.replaced:
        aside["older version of a line"] = lines.replaced
    yield Session(
        NAME,
        id=_text(first.get("sessionId") or first.get("session_id")),
        raw=first,
        prefix_known=False,
        leaf=chain.leaf.record.number if chain.leaf is not None else None,
        joined={node.record.number: above.record.number for node, above in chain.broken if above is not None},
    )
    yield from records
    yield from messages_of(lines, chain, aside, options)
    yield from _left_aside(chain, lines, aside)


def _left_aside(chain: Chain, lines: Lines, aside: dict[str, int]) -> Iterator[Change]:
    for node, joined in chain.broken:
        where = f"the parent of line {node.record.line:,} is not in the file or comes after it"
        if joined is not None:
            what = f"{where}: the history was joined to line {joined.record.line:,}"
            yield rewritten("broken-chain", what, line=node.record.line)
        else:
            yield hidden("broken-chain", f"{where}: the history begins there", (), count=1, line=node.record.line)
    for node in chain.unkept:
        what = f"not all messages that the compaction at line {node.record.line:,} kept are in the file: it keeps none"
        yield hidden("broken-chain", what, (), count=1, line=node.record.line)
    if chain.abandoned:
        tips = ", ".join(chain.tips[:3]) + (", …" if len(chain.tips) > 3 else "")
        lost, ends = len(chain.abandoned), max(len(chain.tips), 1)
        branches = f"{ends:,} abandoned branch{'es' if ends != 1 else ''}"
        what = f"hid {lost:,} message{'s' if lost != 1 else ''} on {branches} ({tips})"
        yield hidden("abandoned-branch", what, (), count=lost, line=chain.abandoned[0].record.line)
    if chain.sidechains:
        lost = len(chain.sidechains)
        what = f"hid {lost:,} message{'s' if lost != 1 else ''} of a subagent"
        yield hidden("sidechain", what, (), count=lost, line=chain.sidechains[0].record.line)
    total = sum(aside.values()) + sum(
        1 for node in lines.nodes if node.type not in SPEAKS and node.type != "progress" and node.value is None
    )
    if total:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(aside.items(), key=lambda item: -item[1])[:6])
        what = f"hid {total:,} bookkeeping record{'s' if total != 1 else ''}: {kinds}"
        yield hidden("bookkeeping-record", what, (), count=total)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


FORMAT = Format(
    NAME,
    "Claude Code session, JSON lines",
    recognise,
    read,
    _claude_writing.write,
    dialect="anthropic",
    session=True,
    extension=".jsonl",
    subagents=_claude_subagents.subagents,
    branches=_claude_branches.branches,
)
