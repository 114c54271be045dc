"""Read sessions and bodies in tests, and say what was read in short words."""

from __future__ import annotations

from pathlib import Path

from segue.changes import Change
from segue.formats import ReadOptions
from segue.model import Block, Media, Message, Opaque, Text, Thinking, ToolCall, ToolResult, Transcript
from segue.reading.transcripts import read
from segue.targets import resolve

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"

Said = tuple[str, ...]


def named(folder: str) -> list[str]:
    return sorted(path.name for path in (SESSIONS / folder).iterdir())


def data_of(folder: str, name: str) -> bytes:
    return (SESSIONS / folder / name).read_bytes()


def read_all(data: bytes, leaf: str | None = None) -> tuple[list[Transcript], list[Change]]:
    found = list(read(data, options=ReadOptions(leaf=leaf)).transcripts)
    return [transcript for transcript, _ in found], [change for _, changes in found for change in changes]


def written(data: bytes) -> bytes:
    """Read a source and write it again, with nothing in between."""
    reading = read(data)
    target = resolve("anthropic/claude-opus-4-8")
    bodies = []
    for transcript, _ in reading.transcripts:
        pieces = reading.format.write(transcript, target)
        bodies.append(b"".join(piece for piece in pieces if isinstance(piece, bytes)))
    return b"\n".join(bodies) + b"\n"


def said(message: Message) -> Said:
    """Say a message in short words: its role with its marks, then its blocks."""
    marks = "".join(f" [{mark}]" for mark in sorted(message.marks))
    return (message.role + marks, *map(_block, message.blocks))


def _block(block: Block) -> str:
    match block:
        case Text():
            return f"text {block.text}"
        case Thinking():
            return "redacted thinking" if block.redacted else f"thinking {block.text}".rstrip()
        case ToolCall():
            return f"call {block.id}"
        case ToolResult():
            return f"result {block.call_id}: " + " + ".join(map(_block, block.content))
        case Media():
            return block.kind
        case Opaque():
            return block.type
