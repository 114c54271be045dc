"""Tokens: every text, argument, medium and signature of a history carries one of its own.

So a law can ask where each of them went. What stands in a history as `@…` becomes data or a signature of that kind.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

Json = Any
Mint = Callable[[], str]
TOKEN = re.compile(r"tk\d{4}q")
FILLER = "No result provided"
FILLERS = (FILLER, "[Tool execution interrupted]", "aborted")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")


def tagged(messages: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """Give every text, argument, medium and signature a token of its own, and every message a time."""
    count = 0

    def mint() -> str:
        nonlocal count
        count += 1
        return f"tk{count:04}q"

    made = []
    for number, message in enumerate(messages):
        said = message["content"]
        said = _text(said, mint) if isinstance(said, str) else [_block(item, mint) for item in said]
        made.append({**message, "content": said, "timestamp": 1_767_323_045_000 + number})
    return made


def tokens(value: Json) -> dict[str, int]:
    """Count the tokens in a JSON value, those inside of base64 text too."""
    counts: dict[str, int] = {}
    for text in strings(value):
        for token in TOKEN.findall(text) or TOKEN.findall(_decoded(text)):
            counts[token] = counts.get(token, 0) + 1
    return counts


def strings(value: Json) -> Iterator[str]:
    """Yield every string in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings(item)


def is_filler(text: str) -> bool:
    return text.strip() in FILLERS


def _decoded(text: str) -> str:
    data = text.rpartition(";base64,")[2]
    if len(data) % 4 or not _BASE64.fullmatch(data):
        return ""
    return base64.b64decode(data).decode("latin-1")


def _text(value: str, mint: Mint) -> str:
    return f"{mint()} {value}" if value.strip() and not is_filler(value) else value


def _block(value: Json, mint: Mint) -> Json:
    if not isinstance(value, dict):
        return value
    value = dict(value)
    if value.get("type") == "text":
        value["text"] = _text(value["text"], mint)
    if value.get("type") == "thinking" and not value.get("redacted"):  # the words of a redacted one are its recorder's
        value["thinking"] = _text(value["thinking"], mint)
    for key in ("textSignature", "thinkingSignature", "thoughtSignature"):
        if str(value.get(key)).startswith("@"):
            value[key] = _signature(value[key], mint(), value.get("thinking", ""))
    if value.get("type") == "toolCall":
        value["arguments"] = _arguments(value["arguments"], mint)
    if str(value.get("data")).startswith("@"):
        value["data"] = _data(value["data"], mint())
    if "url" in value:
        value["url"] += mint()
    return value


def _signature(kind: str, token: str, thought: str) -> str:
    match kind:
        case "@reasoning" | "@same reasoning":
            summary = [{"type": "summary_text", "text": thought}] if thought else []
            id = "rs_1" if kind == "@same reasoning" else f"rs_{token}"
            return json.dumps({"type": "reasoning", "id": id, "summary": summary, "encrypted_content": f"gAAA{token}"})
        case "@details":
            return json.dumps([{"type": "reasoning.encrypted", "data": token}])
        case "@item":
            return json.dumps({"v": 1, "id": f"msg_{token}"})
        case "@phase":
            return json.dumps({"v": 1, "id": f"msg_{token}", "phase": "commentary"})
        case "@later item":
            return json.dumps({"v": 2, "id": f"msg_{token}"})
        case "@cut":
            return f"EqQB{token}"
        case "@custom call":
            return f"ctc_{token}"
        case "@reasoning id":
            return f"rs_{token}"
        case "@message id":
            return f"msg_{token}"
    return f"EqQB{token}A"


def _arguments(value: Json, mint: Mint) -> Json:
    if isinstance(value, dict):
        return {**value, "token": mint()}
    if isinstance(value, list):
        return [*value, mint()]
    if isinstance(value, str) and value:
        return value.replace("b", mint()) if value.startswith('{"') else value + mint()
    return value


def _data(kind: str, token: str) -> str:
    """Make a medium of base64 text: `@png`, `@gif`, `@pdf`, `@text`, of a picture also its width, `@png 9000`."""
    name, _, width = kind.partition(" ")
    head = {
        "@png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + int(width or 1).to_bytes(4) + b"\0\0\0\1\x08\x06\0\0\0",
        "@gif": b"GIF89a\1\0\1\0\x80\0\0",
        "@pdf": b"%PDF-1.7 ",
        "@text": b"plain words ",
    }[name]
    data = head + token.encode()
    return base64.b64encode(data + b" " * (-len(data) % 3)).decode()
