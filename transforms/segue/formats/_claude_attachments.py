"""What an attachment line of a Claude Code session says to the model, as the user's words.

The agent words attachments anew each time it sends, so the very words are not on file; these are ours. Kinds whose
content matters are told here, a few are the state of the agent itself; of any other kind it is told that it goes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue.formats._anthropic import read_blocks
from segue.model import Block, Media, Opaque, Place, Text

# Kinds that carry what the user or the work needs.
_HEADS = {
    "file": "File {filename}:",
    "directory": "Directory {path}:",
    "pdf_reference": "PDF {filename}:",
    "compact_file_reference": "File {filename} was read before the compaction.",
    "edited_text_file": "File {filename} changed on disk:",
    "selected_lines_in_ide": "Selected lines of {filename}:",
    "opened_file_in_ide": "File {filename} was opened in the editor.",
    "nested_memory": "Memory {path}:",
    "relevant_memories": "Relevant memories:",
    "invoked_skills": "Skills in use:",
    "plan_file_reference": "Plan {planFilePath}:",
    "agent_mention": "Agent {agentType} was mentioned.",
    "teammate_mailbox": "Messages of teammates:",
    "task_status": "Status of a task:",
    "structured_output": "Structured output:",
    "goal_status": "Status of the goal:",
    "hook_additional_context": "Context of hook {hookName}:",
    "hook_blocking_error": "Hook {hookName} blocked:",
    "hook_stopped_continuation": "Hook {hookName} stopped the run:",
}
_CONTENT_KEYS = (
    "content",
    "snippet",
    "text",
    "message",
    "prompt",
    "stdout",
    "memories",
    "skills",
    "data",
    "blockingError",
)
# The state of the agent itself: wrong for any other, and told anew by itself.
_AGENT_STATE = frozenset(
    {
        "output_style", "deferred_tools_delta", "mcp_instructions_delta", "agent_listing_delta", "skill_listing",
        "task_reminder", "todo_reminder", "auto_mode", "auto_mode_exit", "plan_mode", "plan_mode_exit",
        "plan_mode_reentry", "command_permissions", "date_change", "budget_usd", "total_tokens_reminder",
        "max_turns_reached", "read_truncation_notice", "ultra_effort_enter", "team_context",
    }
)  # fmt: skip
_SUCCESS_EVENTS = ("SessionStart", "UserPromptSubmit")


def attachment_blocks(attachment: dict[str, Any], place: Place) -> tuple[Block, ...] | None:
    """Say an attachment in blocks; None for one that only concerns the agent itself.

    One of a kind that nobody here knows is an opaque block: a rule tells that it goes.
    """
    kind = attachment.get("type")
    if kind == "queued_command":
        read = read_blocks(attachment.get("prompt"), place.record, place.line, place.message)
        return tuple(block for block in read if not isinstance(block, Text) or block.text.strip()) or None
    is_silent_hook = str(kind).startswith("hook_") and kind not in _HEADS and kind != "hook_success"
    if kind in _AGENT_STATE or is_silent_hook:
        return None
    if kind == "hook_success":
        if attachment.get("hookEvent") not in _SUCCESS_EVENTS:
            return None
        words = _words(attachment)
        return (Text(words, place=place),) if words else None
    head = _HEADS.get(str(kind))
    if head is None:
        return (Opaque(f"attachment {kind}", attachment, place),)
    names: Callable[[str], str] = lambda key: str(attachment.get(key) or attachment.get("displayPath") or "")  # noqa: E731
    keys = ("filename", "path", "planFilePath", "agentType", "hookName")
    line = " ".join(head.format(**{key: names(key) for key in keys}).split()).replace(" :", ":")
    medium = _medium(attachment.get("content"), place)
    if medium is not None:
        return (Text(line, place=place), medium)
    words = _words(attachment)
    return (Text(f"{line}\n{words}" if words else line, place=place),)


def _medium(content: Any, place: Place) -> Media | None:
    """Read an attached file that is no text: `{"type": "image", "file": {"base64": …, "type": "image/png"}}`."""
    file = content.get("file") if isinstance(content, dict) else None
    if not isinstance(file, dict) or not isinstance(file.get("base64"), str):
        return None
    named = str(file.get("type") or "")
    if content.get("type") == "image":
        return Media("image", named or "image/png", file["base64"], place=place)
    if content.get("type") == "pdf":
        return Media("document", named if "/" in named else "application/pdf", file["base64"], place=place)
    return None


def _words(attachment: dict[str, Any]) -> str:
    for key in _CONTENT_KEYS:
        found = _flat(attachment.get(key))
        if found:
            return found
    return ""


def _flat(value: Any, depth: int = 0) -> str:
    """Read the words out of nested content, at most a few levels down."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth < 4:
        return "\n".join(filter(None, (_flat(item, depth + 1) for item in value)))
    if isinstance(value, dict) and depth < 4:
        for key in ("content", "text", "file", "stdout", "blockingError"):
            found = _flat(value.get(key), depth + 1)
            if found:
                return found
    return ""
