"""What Codex puts into a history in the name of its user or developer: its surroundings, instructions, notices.

The agent tells such texts by how they begin and end. Some only say how things stood where it ran: whoever goes on
elsewhere has surroundings and instructions of its own. The others carry what happened or was asked for, and stay.
Facts: Codex rollouts 0.20 to 0.171, read and measured 2026-11.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from segue.model import Json

Part: TypeAlias = Literal["said", "told", "injected"]

# In the user's name, by beginning and end.
_SURROUNDINGS = (
    ("# agents.md instructions", "</instructions>"),
    ("<user_instructions>", "</user_instructions>"),
    ("<environment_context>", "</environment_context>"),
    ("<turn_aborted>", "</turn_aborted>"),
)
_HAPPENINGS = (
    ("<user_shell_command>", "</user_shell_command>"),
    ("<subagent_notification>", "</subagent_notification>"),
    ("<skill>", "</skill>"),
    ("<goal_context>", "</goal_context>"),
    ("<codex_internal_context", "</codex_internal_context>"),
    ("<hook_prompt", "</hook_prompt>"),
)
_EXTERNAL = re.compile(r"<external_([^>]*)>.*</external_\1>", re.DOTALL)
_WARNINGS = (
    "warning: the maximum number of unified exec processes you can keep open is",
    "warning: your account was flagged for potentially high-risk cyber activity",
    "warning: apply_patch was requested via ",
)
_DEVELOPER = (
    "<permissions instructions>", "<model_switch>", "<collaboration_mode>", "<realtime_conversation>",
    "<personality_spec>", "<skills_instructions>", "<apps_instructions>", "<plugins_instructions>",
)  # fmt: skip
SUMMARY = "Another language model started to solve this problem"  # how the summary of a compaction begins


def parts_of(item: Json) -> list[Part]:
    """Tell of each part of a message who speaks: somebody (`said`), or the agent, and then if it matters elsewhere."""
    content = item.get("content")
    texts = [content] if isinstance(content, str) else [_text(part) for part in content or ()]
    if item.get("role") == "developer":
        return ["injected" if text.strip().startswith(_DEVELOPER) else "said" for text in texts]
    if item.get("role") != "user":
        return ["said"] * len(texts)
    kinds = _kinds(item)
    known = kinds if len(kinds) == len(texts) else [""] * len(texts)
    return ["said" if kind.startswith("user.") else _of_user(text) for text, kind in zip(texts, known, strict=True)]


def begins_turn(item: Json) -> bool:
    """Tell whether an item is an instruction that a turn begins with: this is what a rollback counts."""
    if item.get("type", "message") != "message" or "recipient" in item:
        return "recipient" in item  # another agent's words
    if item.get("role") != "user":
        return False
    return any(kind.startswith("user.") for kind in _kinds(item)) or all(part == "said" for part in parts_of(item))


def is_payload(item: Json) -> bool:
    """Tell a record's payload that says words without being an item: a compaction's summary, another agent's words."""
    return "type" not in item and "role" not in item


def is_context(item: Json) -> bool:
    """Tell a message that is the agent's own in full or in part, and begins no turn."""
    return "role" in item and not begins_turn(item) and any(part != "said" for part in parts_of(item))


def is_summary(item: Json) -> bool:
    content = item.get("content")
    first = content[0] if isinstance(content, list) and content else content
    return item.get("role") == "user" and (_text(first) if isinstance(first, dict) else str(first)).startswith(SUMMARY)


def _of_user(text: str) -> Part:
    bare = text.strip().casefold()
    if bare.startswith(_WARNINGS) or any(bare.startswith(start) and bare.endswith(end) for start, end in _SURROUNDINGS):
        return "injected"
    if any(bare.startswith(start) and bare.endswith(end) for start, end in _HAPPENINGS):
        return "told"
    return "told" if bare.startswith("<external_") and _EXTERNAL.fullmatch(bare) else "said"


def _kinds(item: Json) -> list[str]:
    """Read what newer recordings say of each part."""
    beside = item.get("internal_chat_message_metadata_passthrough")
    kinds = beside.get("content_item_kinds") if isinstance(beside, dict) else None
    return [str(kind) for kind in kinds] if isinstance(kinds, list) else []


def _text(part: Json) -> str:
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""
