"""Write a Claude Code session: its own records laid over, or new ones from any other history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from segue import records
from segue.changes import Change, dropped
from segue.formats._anthropic import write_block, write_blocks
from segue.formats._tree import Links, Tree, written_lines
from segue.identity import derived_uuid, digest
from segue.model import Block, Json, Message, Text, Thinking, ToolResult, Transcript
from segue.targets import Target

NAME = "claude-code"
EPOCH = "1970-01-01T00:00:00.000Z"
VERSION = "2.1.0"
_ENVELOPE = ("isSidechain", "userType", "cwd", "sessionId", "version", "gitBranch")


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    if transcript.session.format == NAME:
        yield b"\n".join(written_lines(transcript, _tree(transcript)))
        return
    yield from _new_session(transcript, target)


# ------------------------------------------------------------------------------------------ own records


def _rewrite(value: Json, blocks: tuple[Block, ...], message: Message) -> Json | None:
    """Give a line the blocks that are its own now."""
    if not blocks:
        return None
    body = value.get("message")
    if not isinstance(body, dict):
        return value
    before = body.get("content")
    after: Any = write_blocks(blocks, own=True)
    if isinstance(before, str) and len(blocks) == 1 and isinstance(blocks[0], Text) and not blocks[0].raw:
        after = blocks[0].text
    return {**value, "message": {**body, "content": after}}


def _tree(transcript: Transcript) -> Tree:
    """Say how this session's lines hang together; new ones get the envelope of its first line."""
    first = transcript.session.raw or {}
    envelope = {key: first[key] for key in _ENVELOPE if key in first}

    def create(message: Message, parent_id: str | None, new_id: str, time: Json) -> Sequence[Json]:
        stamp = time if isinstance(time, str) else EPOCH
        return list(_records_of(message, parent_id, new_id, stamp, envelope, "own"))

    return Tree(
        _rewrite, create, relink=_relink, is_turn=_is_turn, id="uuid", parent="parentUuid", kept=_kept(transcript)
    )


def _kept(transcript: Transcript) -> tuple[Message, ...]:
    """Find the messages that stand behind the last boundary in the history, and before it in the file."""
    boundaries = [message for message in transcript.source.messages if "compaction-boundary" in message.marks]
    if not boundaries:
        return ()
    number, record = boundaries[-1].number or 0, boundaries[-1].records[0]
    behind = (message for message in transcript.messages if message.number is not None and message.number > number)
    return tuple(message for message in behind if message.records and min(message.records) < record)


def _is_turn(value: Json) -> bool:
    return isinstance(value, dict) and value.get("type") in ("user", "assistant") and not value.get("isSidechain")


def _relink(value: Json, links: Links) -> Json:
    """Let what points at a removed line point at the nearest one above it that is left."""
    if not isinstance(value, dict):
        return value
    for key in ("leafUuid", "logicalParentUuid", "sourceToolAssistantUUID"):
        if value.get(key) in links.survivors:
            value = {**value, key: links.survivors[value[key]]}
    told = value.get("compactMetadata")
    if links.moved_kept and isinstance(told, dict):
        told = {key: item for key, item in told.items() if key not in ("preservedMessages", "preservedSegment")}
        value = {**value, "compactMetadata": told}
    return value


# ------------------------------------------------------------------------------------------ new session


def _new_session(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    seed = digest(*(block.text for m in transcript.messages for block in m.blocks if isinstance(block, Text)))
    session_id = derived_uuid("session", seed, transcript.session.id)
    envelope = {
        "isSidechain": False,
        "userType": "external",
        "cwd": str((transcript.session.raw or {}).get("cwd") or "/"),
        "sessionId": session_id,
        "version": VERSION,
    }
    if transcript.system:
        yield dropped(
            "system-prompt", "dropped the system prompt: this format holds none", before=transcript.system[0].text[:120]
        )
    parent: str | None = None
    clock = _Clock()
    lines: list[bytes] = []
    for number, message in enumerate(transcript.messages):
        if message.role == "system":
            before = message.blocks[0].text[:120] if message.blocks and isinstance(message.blocks[0], Text) else None
            yield dropped("system-prompt", "dropped a system message: this format holds none", message, before=before)
            continue
        new_id = derived_uuid(session_id, number)
        for value in _records_of(message, parent, new_id, clock.next(message.time), envelope, session_id, target):
            parent = value["uuid"]
            lines.append(records.dumps(value))
    yield b"\n".join(lines)


def _records_of(
    message: Message,
    parent: str | None,
    new_id: str,
    time: str,
    envelope: dict[str, Any],
    seed: str,
    target: Target | None = None,
) -> Iterator[dict[str, Any]]:
    """Make the lines of a message: one block a line for answers and results, as the agent writes itself."""
    groups = _groups(message)
    for index, blocks in enumerate(groups):
        uuid = new_id if index == 0 else derived_uuid(new_id, index)
        if message.role == "assistant":
            content: Any = [_written(block) for block in blocks]
            calls = any(block.get("type") == "tool_use" for block in content)
            body: dict[str, Any] = {
                "id": message.id or f"msg_{digest(seed, new_id, length=24)}",
                "type": "message",
                "role": "assistant",
                "model": message.origin.model if message.origin else target.model if target else "unknown",
                "content": content,
                "stop_reason": ("tool_use" if calls else "end_turn") if index == len(groups) - 1 else None,
                "stop_sequence": None,
                "usage": {"input_tokens": 0, "output_tokens": 0},
            }
        else:
            plain = len(blocks) == 1 and isinstance(blocks[0], Text)
            content = blocks[0].text if plain else [_written(block) for block in blocks]  # type: ignore[union-attr]
            body = {"role": "user", "content": content}
        kind = "assistant" if message.role == "assistant" else "user"
        yield {"parentUuid": parent, **envelope, "type": kind, "message": body, "uuid": uuid, "timestamp": time}
        parent = uuid


def _written(block: Block) -> dict[str, Any]:
    written = write_block(block, own=False)
    assert written is not None, "a rule has settled blocks that this format cannot say"
    return written


def _groups(message: Message) -> list[tuple[Block, ...]]:
    known = [block for block in message.blocks if write_block(block, own=False) is not None]
    if message.role == "assistant":
        return [(block,) for block in known if not (isinstance(block, Thinking) and not block.signature)]
    results: list[tuple[Block, ...]] = [(block,) for block in known if isinstance(block, ToolResult)]
    rest = tuple(block for block in known if not isinstance(block, ToolResult))
    return [*results, rest] if rest else results


class _Clock:
    """Times of new lines: those of the messages, else a millisecond after the line before, always rising."""

    def __init__(self) -> None:
        self.last = datetime.fromtimestamp(0, UTC)

    def next(self, time: str | float | int | None) -> str:
        found = _moment(time)
        self.last = (
            max(found, self.last + timedelta(milliseconds=1)) if found else self.last + timedelta(milliseconds=1)
        )
        return self.last.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.last.microsecond // 1000:03d}Z"


def _moment(time: str | float | int | None) -> datetime | None:
    try:
        if isinstance(time, str):
            found = datetime.fromisoformat(time.replace("Z", "+00:00"))
            return found if found.tzinfo else found.replace(tzinfo=UTC)
        if isinstance(time, (int, float)):
            return datetime.fromtimestamp(time / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
