"""What pi itself says in the user's name: shell output, summaries, messages of extensions.

Some stand as messages with a role of their own, some as entries of a session with a type of their own. The model
sees all of them as words of the user; only the wording is pi's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from segue.model import Json

MESSAGE_ROLES = frozenset({"bashExecution", "custom", "hookMessage", "branchSummary", "compactionSummary"})
ENTRY_TYPES = frozenset({"custom_message", "branch_summary", "compaction"})

BRANCH_FRAME = (
    "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n",
    "</summary>",
)
COMPACTION_FRAME = (
    "The conversation history before this point was compacted into the following summary:\n\n<summary>\n",
    "\n</summary>",
)

_FRAMES = {
    "branchSummary": BRANCH_FRAME,
    "branch_summary": BRANCH_FRAME,
    "compactionSummary": COMPACTION_FRAME,
    "compaction": COMPACTION_FRAME,
}


def is_agent_message(value: Mapping[str, Json]) -> bool:
    """Tell whether a message, or an entry of a session, is one that the agent words for the model."""
    return _kind(value) in MESSAGE_ROLES or _kind(value) in ENTRY_TYPES


def is_compaction(value: Mapping[str, Json]) -> bool:
    """Tell whether it is the memory of what was compacted away."""
    return _kind(value) in ("compaction", "compactionSummary")


def is_excluded(value: Mapping[str, Json]) -> bool:
    """Tell whether it is shell output that the person kept from the model."""
    return value.get("role") == "bashExecution" and bool(value.get("excludeFromContext"))


def says_nothing(value: Mapping[str, Json]) -> bool:
    """Tell whether it is the summary of a branch without a word in it: pi sends none."""
    return value.get("type") == "branch_summary" and not value.get("summary")


def agent_text(value: Mapping[str, Json]) -> str | None:
    """Word it as the model sees it; None for those that hold a content like any message."""
    kind = _kind(value)
    if kind == "bashExecution":
        return _shell_text(value)
    frame = _FRAMES.get(kind)
    return None if frame is None else f"{frame[0]}{_words(value.get('summary'))}{frame[1]}"


def respelled(value: Mapping[str, Json], content: list[dict[str, Any]]) -> dict[str, Any]:
    """Give it another content, as blocks, and keep its kind where that can hold them.

    Shell output has no place for free words: it becomes a custom message, which the model sees as just these words.
    """
    kind = _kind(value)
    if content == [{"type": "text", "text": agent_text(value)}]:
        return dict(value)
    if kind == "bashExecution":
        details = {key: field for key, field in value.items() if key not in ("role", "timestamp")}
        custom = {"role": "custom", "customType": kind, "content": content, "display": True, "details": details}
        return custom | {key: value[key] for key in ("timestamp",) if key in value}
    frame = _FRAMES.get(kind)
    if frame is not None:
        text = "\n".join(block.get("text", "") for block in content)
        if text.startswith(frame[0]) and text.endswith(frame[1]):
            text = text[len(frame[0]) : len(text) - len(frame[1])]
        return {**value, "summary": text}
    is_plain = isinstance(value.get("content"), str) and [block.keys() for block in content] == [{"type", "text"}]
    return {**value, "content": content[0]["text"] if is_plain else content}


def _shell_text(value: Mapping[str, Json]) -> str:
    output, code = _words(value.get("output")), value.get("exitCode")
    parts = [f"Ran `{_words(value.get('command'))}`\n" + (f"```\n{output}\n```" if output else "(no output)")]
    if value.get("cancelled"):
        parts.append("(command cancelled)")
    elif code is not None and code != 0:
        parts.append(f"Command exited with code {code}")
    if value.get("truncated") and value.get("fullOutputPath"):
        parts.append(f"[Output truncated. Full output: {value['fullOutputPath']}]")
    return "\n\n".join(parts)


def _kind(value: Mapping[str, Json]) -> str:
    role = value.get("role")
    if isinstance(role, str):
        return role
    kind = value.get("type")
    return kind if isinstance(kind, str) and kind in ENTRY_TYPES else ""


def _words(text: Json) -> str:
    return text if isinstance(text, str) else "" if text is None else str(text)
