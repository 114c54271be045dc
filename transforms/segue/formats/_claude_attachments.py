"""What an attachment line of a Claude Code session says to the model, as the user's words.

The agent words attachments anew each time it sends, so the very words are not on file; these are ours. Kinds whose
content matters are told here; the rest is the state of the agent itself and wrong for any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue.model import Block, Place, Text

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
_SUCCESS_EVENTS = ("SessionStart", "UserPromptSubmit")


def attachment_blocks(attachment: dict[str, Any], place: Place) -> tuple[Block, ...] | None:
    """Say an attachment in blocks; None for one that only concerns the agent itself."""
    kind = attachment.get("type")
    if kind == "queued_command":
        prompt = attachment.get("prompt")
        return _as_blocks(prompt, place) or None
    if kind == "hook_success":
        if attachment.get("hookEvent") not in _SUCCESS_EVENTS:
            return None
        words = _words(attachment)
        return (Text(words, place=place),) if words else None
    head = _HEADS.get(str(kind))
    if head is None:
        return None
    names: Callable[[str], str] = lambda key: str(attachment.get(key) or attachment.get("displayPath") or "")  # noqa: E731
    keys = ("filename", "path", "planFilePath", "agentType", "hookName")
    line = " ".join(head.format(**{key: names(key) for key in keys}).split()).replace(" :", ":")
    words = _words(attachment)
    return (Text(f"{line}\n{words}" if words else line, place=place),)


def _as_blocks(prompt: Any, place: Place) -> tuple[Block, ...]:
    if isinstance(prompt, str):
        return (Text(prompt, place=place),) if prompt.strip() else ()
    if not isinstance(prompt, list):
        return ()
    words = [part["text"] for part in prompt if isinstance(part, dict) and isinstance(part.get("text"), str)]
    return tuple(Text(text, place=place) for text in words)


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
