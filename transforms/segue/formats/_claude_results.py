"""Results of a Claude Code session that stand elsewhere than in their line's content.

Facts: Claude Code sessions 2.0 to 2.1, read and measured 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from segue.changes import Change, hidden, rewritten, shortened
from segue.formats._claude_nodes import Lines, Node, calls_of
from segue.model import Block, Place, Text, ToolResult


def with_replacements(blocks: Iterable[Block], node: Node, lines: Lines) -> tuple[list[Block], list[Change]]:
    """Put in what the agent sends for a result that it found too long: the full one stays on file only."""
    kept: list[Block] = []
    changes: list[Change] = []
    for block in blocks:
        text = lines.replacements.get(block.call_id) if isinstance(block, ToolResult) else None
        if isinstance(block, ToolResult) and text is not None and block.text != text:
            block = replace(block, content=(Text(text),))
            what = f"hid the full result of call {block.call_id!r}: its agent sends a replacement"
            changes.append(hidden("replaced-result", what, (), count=1, line=node.record.line, after=shortened(text)))
        kept.append(block)
    return kept, changes


def result_beside(node: Node, lines: Lines, answered: set[str], number: int) -> tuple[ToolResult | None, list[Change]]:
    """Find a result that stands only in what the agent's screen shows, beside an empty message."""
    value = node.value or {}
    source = value.get("sourceToolAssistantUUID") or node.parent
    asking = lines.by_uuid.get(source) if isinstance(source, str) else None
    calls = [call for call in (calls_of(asking) if asking is not None else ()) if call not in answered]
    words = _words(value.get("toolUseResult"))
    if len(calls) != 1 or not words:
        return None, []
    line = node.record.line
    what = f"the result of call {calls[0]!r} stands only beside the content of line {line:,}: it was taken up"
    result = ToolResult(calls[0], "", (Text(words),), place=Place(node.record.number, line, number, 0))
    return result, [rewritten("broken-chain", what, line=line, after=shortened(words))]


def _words(shown: Any) -> str:
    if isinstance(shown, str):
        return shown.strip()
    if isinstance(shown, list):
        return "\n".join(filter(None, map(_words, shown)))
    if not isinstance(shown, dict):
        return ""
    outputs = [shown[key] for key in ("stdout", "stderr") if isinstance(shown.get(key), str) and shown[key]]
    if outputs:
        return "\n".join(outputs)
    return _words(next((shown[key] for key in ("content", "file", "text", "result") if shown.get(key)), None))
