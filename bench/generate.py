"""Make the transcripts that are measured: the same bytes on every machine, kept under bench/data.

Sizes and shapes follow real sessions: one block a line, signed thinking, calls one after another and side by side,
results of all sizes twice on their line, a few images, bookkeeping in between.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import orjson

DATA = Path(__file__).parent / "data"
VERSION = 1  # in the files' names: raise it with every change of what is made

MB = 1_000_000
MODEL = "claude-opus-4-6"
TOOLS = ("Bash", "Read", "Edit", "Grep", "Write", "TodoWrite")
Origin: TypeAlias = tuple[str, str, str]  # provider, api, model
OPENAI, CLAUDE, OTHER = (
    ("openai", "openai-responses", "gpt-5.2"),
    ("anthropic", "anthropic-messages", MODEL),
    ("openai", "openai-completions", "gpt-4o"),
)
_TEXT = (
    "the parser keeps a table of open files and closes them when the last reader is gone so we should test that path "
    "first because an early return leaves one handle behind which `lsof` shows as (deleted) – see naïve_close() in "
    "src/table.rs where match arms fall through; return Err(Error::Closed) if self.readers == 0 { drop(handle); } "
    'let name = "default\\tvalue"; // größer als 10 → cut, "quoted" words and C:\\path\\names too'
)
_WORDS = tuple(_TEXT.split(" "))
_ID = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789"
_PIXELS = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x04\x00\x00\x00\x03\x00\x08\x06\x00\x00\x00"


def claude_code(size: int, *, compacted: bool = False, seed: int = 1) -> bytes:
    """Make a Claude Code session of about `size` bytes; `compacted` puts a boundary and a summary at two thirds."""
    session = _Claude(Random(seed))
    while session.size < size:
        session.turn()
        if compacted and session.size > size * 2 // 3:
            session.compact()
            compacted = False
    return b"".join(session.lines)


def pi_messages(size: int, *, models: tuple[Origin, ...] = (CLAUDE, OPENAI, OTHER), seed: int = 2) -> bytes:
    """Make a pi-messages array of about `size` bytes, its turns written by several models in blocks of forty."""
    chance = Random(seed)
    pieces: list[bytes] = []
    total = turn = 0
    while total < size:
        provider, api, model = models[turn // 40 % len(models)]
        for message in _pi_turn(chance, provider, api, model, 1_767_323_045_000 + 60_000 * turn):
            pieces.append(orjson.dumps(message))
            total += len(pieces[-1]) + 1
        turn += 1
    return b"[" + b",".join(pieces) + b"]\n"


FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "claude-30MB": (".jsonl", lambda: claude_code(30 * MB)),
    "claude-30MB-compacted": (".jsonl", lambda: claude_code(30 * MB, compacted=True)),
    "claude-15MB": (".jsonl", lambda: claude_code(15 * MB)),
    "claude-100kB": (".jsonl", lambda: claude_code(100_000)),
    "pi-20MB": (".json", lambda: pi_messages(20 * MB)),
    "pi-20MB-one-model": (".json", lambda: pi_messages(20 * MB, models=(CLAUDE,))),
    "pi-100kB": (".json", lambda: pi_messages(100_000)),
    "parallel-10k-calls": (".jsonl", lambda: parallel_calls(10_000)),
    "tiny-100k-messages": (".json", lambda: tiny_messages(100_000)),
    "one-50MB-string": (".json", lambda: one_string(50 * MB)),
}


def path_of(name: str) -> Path:
    """Give the file of this name, made now if it is not there yet."""
    extension, make = FILES[name]
    path = DATA / f"{name}.v{VERSION}{extension}"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        path.write_bytes(make())
    return path


# ------------------------------------------------------------------------------------------ extremes


def parallel_calls(count: int) -> bytes:
    """Make a Claude Code session with one turn that calls `count` tools at once, each answered on a line of its own."""
    session = _Claude(Random(3))
    session.prompt("run them all")
    session.calls(count, _text(session.chance, 40), 40)
    session.says("Done.")
    return b"".join(session.lines)


def tiny_messages(count: int) -> bytes:
    """Make a pi-messages array of `count` messages of a word each."""
    roles = ("user", "assistant")
    provider, api, model = CLAUDE
    who = {"provider": provider, "api": api, "model": model, "stopReason": "stop"}
    messages = [
        {"role": roles[n % 2], "content": [{"type": "text", "text": "word"}], "timestamp": n} | (who if n % 2 else {})
        for n in range(count)
    ]
    return orjson.dumps(messages) + b"\n"


def one_string(size: int) -> bytes:
    """Make a pi-messages array with one text of `size` bytes."""
    text = "all work and no play makes a long string\n" * (size // 41)
    return orjson.dumps([{"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1}]) + b"\n"


# --------------------------------------------------------------------------------------- claude code


class _Claude:
    """A session that grows line by line."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.lines: list[bytes] = []
        self.size = 0
        self.parent: str | None = None
        self.session = _uuid(chance)
        self.seconds = 0

    def turn(self) -> None:
        chance = self.chance
        self.prompt(_text(chance, chance.randrange(40, 900)), picture=chance.random() < 0.03)
        for _ in range(chance.randrange(2, 12)):
            if chance.random() < 0.25:
                self.aside()
            thought = _text(chance, chance.randrange(80, 1200)) if chance.random() < 0.5 else None
            words = _text(chance, chance.randrange(30, 600)) if chance.random() < 0.6 else None
            count = 1 if chance.random() < 0.8 else chance.randrange(2, 5)
            self.calls(count, words, _size(chance), thought)
        self.says(_text(chance, chance.randrange(200, 2500)))

    def prompt(self, text: str, picture: bool = False) -> None:
        content: Any = text
        if picture:
            data = base64.b64encode(_PIXELS + self.chance.randbytes(30_000)).decode()
            source = {"type": "base64", "media_type": "image/png", "data": data}
            content = [{"type": "text", "text": text}, {"type": "image", "source": source}]
        self.line("user", {"message": {"role": "user", "content": content}, "permissionMode": "default"})

    def calls(self, count: int, words: str | None, result_size: int, thought: str | None = None) -> None:
        """Write a response with thinking, words and calls, one block a line, and the calls' results."""
        chance, response = self.chance, self.response()
        if thought is not None:
            signature = base64.b64encode(chance.randbytes(chance.randrange(200, 900))).decode()
            self.says_block(response, {"type": "thinking", "thinking": thought, "signature": signature})
        if words is not None:
            self.says_block(response, {"type": "text", "text": words})
        called = []
        for _ in range(count):
            call, name = "toolu_01" + _id(chance, 22), chance.choice(TOOLS)
            arguments = {"command": _text(chance, chance.randrange(20, 200)), "description": _text(chance, 40)}
            block = {"type": "tool_use", "id": call, "name": name, "input": arguments}
            called.append((call, self.says_block(response, block)))
        for call, line in called:
            text = _text(chance, result_size)
            block = {"tool_use_id": call, "type": "tool_result", "content": text}
            if chance.random() < 0.05:
                block["is_error"] = True
            shown = {"stdout": text[:4000], "stderr": "", "interrupted": False, "isImage": False}
            message = {"role": "user", "content": [block]}
            self.line("user", {"message": message, "toolUseResult": shown, "sourceToolAssistantUUID": line}, line)

    def says(self, text: str) -> None:
        self.says_block(self.response(), {"type": "text", "text": text}, stop="end_turn")

    def response(self) -> dict[str, Any]:
        return {"id": "msg_01" + _id(self.chance, 22), "request": "req_011" + _id(self.chance, 21)}

    def says_block(self, response: dict[str, Any], block: dict[str, Any], stop: str | None = None) -> str:
        usage = {"input_tokens": 3, "cache_read_input_tokens": self.size // 4, "output_tokens": 90}
        message = {
            "model": MODEL, "id": response["id"], "type": "message", "role": "assistant", "content": [block],
            "stop_reason": stop, "stop_sequence": None, "usage": usage | {"service_tier": "standard"},
        }  # fmt: skip
        return self.line("assistant", {"message": message, "requestId": response["request"]})

    def aside(self) -> None:
        if self.chance.random() < 0.7:
            snapshot = {"messageId": _uuid(self.chance), "trackedFileBackups": {}}
            self.add({"type": "file-history-snapshot", "messageId": snapshot["messageId"], "snapshot": snapshot})
        else:
            self.line("system", {"subtype": "stop_hook_summary", "hookCount": 1, "level": "suggestion"})

    def compact(self) -> None:
        before = self.parent
        self.parent = None
        facts = {"trigger": "auto", "preTokens": 160_000}
        self.line("system", {"subtype": "compact_boundary", "logicalParentUuid": before, "compactMetadata": facts})
        message = {"role": "user", "content": _text(self.chance, 6000)}
        self.line("user", {"message": message, "isCompactSummary": True, "isVisibleInTranscriptOnly": True})

    def line(self, kind: str, more: dict[str, Any], parent: str | None = None) -> str:
        uuid = _uuid(self.chance)
        self.seconds += 3
        hours, rest = divmod(self.seconds, 3600)
        days, hours = divmod(hours, 24)
        time = f"2026-{1 + days // 28:02}-{1 + days % 28:02}T{hours:02}:{rest // 60:02}:{rest % 60:02}.204Z"
        around = {
            "parentUuid": parent or self.parent, "isSidechain": False, "userType": "external",
            "cwd": "/home/user/table", "sessionId": self.session, "version": "2.1.39", "gitBranch": "main",
            "type": kind,
        }  # fmt: skip
        self.add(around | more | {"uuid": uuid, "timestamp": time})
        self.parent = uuid
        return uuid

    def add(self, value: dict[str, Any]) -> None:
        self.lines.append(orjson.dumps(value) + b"\n")
        self.size += len(self.lines[-1])


# ----------------------------------------------------------------------------------------------- pi


def _pi_turn(chance: Random, provider: str, api: str, model: str, time: int) -> Iterator[dict[str, Any]]:
    prompt: list[dict[str, Any]] = [{"type": "text", "text": _text(chance, chance.randrange(40, 900))}]
    if chance.random() < 0.03:
        data = base64.b64encode(_PIXELS + chance.randbytes(30_000)).decode()
        prompt.append({"type": "image", "data": data, "mimeType": "image/png"})
    yield {"role": "user", "content": prompt, "timestamp": time}
    usage = {"input": 4000, "output": 200, "cost": {"total": 0.01}}
    who = {"api": api, "provider": provider, "model": model, "usage": usage}
    for _ in range(chance.randrange(2, 9)):
        content: list[dict[str, Any]] = []
        if chance.random() < 0.5 and api != OTHER[1]:
            thought = {"type": "thinking", "thinking": _text(chance, chance.randrange(80, 1200))}
            content.append(thought | {"thinkingSignature": _signature(chance, api)})
        if chance.random() < 0.6:
            content.append({"type": "text", "text": _text(chance, chance.randrange(30, 600))})
        calls = [_call_id(chance, api) for _ in range(1 if chance.random() < 0.8 else chance.randrange(2, 5))]
        names = [chance.choice(TOOLS) for _ in calls]
        for call, name in zip(calls, names, strict=True):
            arguments = {"command": _text(chance, chance.randrange(20, 200))}
            content.append({"type": "toolCall", "id": call, "name": name, "arguments": arguments})
        yield {"role": "assistant", "content": content, **who, "stopReason": "toolUse", "timestamp": time}
        for call, name in zip(calls, names, strict=True):
            result = [{"type": "text", "text": _text(chance, _size(chance))}]
            around = {"role": "toolResult", "toolCallId": call, "toolName": name, "content": result}
            yield around | {"isError": chance.random() < 0.05, "timestamp": time}
    content = [{"type": "text", "text": _text(chance, chance.randrange(200, 1500))}]
    yield {"role": "assistant", "content": content, **who, "stopReason": "stop", "timestamp": time}


def _signature(chance: Random, api: str) -> str:
    opaque = base64.b64encode(chance.randbytes(chance.randrange(200, 900))).decode()
    if api != OPENAI[1]:
        return opaque
    item = {"id": "rs_" + _id(chance, 40), "type": "reasoning", "summary": [], "encrypted_content": "gAAAA" + opaque}
    return orjson.dumps(item).decode()


def _call_id(chance: Random, api: str) -> str:
    if api == OPENAI[1]:
        return f"call_{_id(chance, 24)}|fc_{_id(chance, 40)}"
    return ("toolu_01" if api == CLAUDE[1] else "call_") + _id(chance, 22)


# -------------------------------------------------------------------------------------------- pieces


def _size(chance: Random) -> int:
    """Draw the size of a result: most are short, a few very long."""
    draw = chance.random()
    return chance.randrange(20, 800) if draw < 0.6 else chance.randrange(800, 5000) if draw < 0.97 else 25_000


def _text(chance: Random, size: int) -> str:
    """Make words, with line ends and quotes among them, of about `size` characters."""
    words = chance.choices(_WORDS, k=max(1, size // 6))
    return "\n".join(" ".join(words[start : start + 12]) for start in range(0, len(words), 12))


def _id(chance: Random, length: int) -> str:
    return "".join(chance.choices(_ID, k=length))


def _uuid(chance: Random) -> str:
    digits = f"{chance.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


if __name__ == "__main__":
    for made in FILES:
        made_path = path_of(made)
        print(f"{made_path.stat().st_size / MB:8.1f} MB  {made_path.name}")
