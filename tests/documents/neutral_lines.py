"""Short ways to write a history down, in segue's neutral format, and to say it again for a reader."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeAlias

Line: TypeAlias = dict[str, Any]
LONGEST = 64


def user(*content: str | Line, marks: Iterable[str] = (), time: int | None = None) -> Line:
    return _message("user", content, marks=sorted(marks), time=time)


def system(*content: str | Line) -> Line:
    return _message("system", content)


def assistant(
    by: str | None, *content: str | Line, stop: str | None = None, api: str | None = None, marks: Iterable[str] = ()
) -> Line:
    return _message("assistant", content, by=by, api=api, stop=stop, marks=sorted(marks))


def tool(*results: Line, time: int | None = None) -> Line:
    return _message("tool", results, time=time)


def text(words: str, signature: str | None = None) -> Line:
    return _without_nothing({"type": "text", "text": words, "signature": signature})


def thinking(words: str, signature: str | None = None, redacted: bool = False) -> Line:
    return _without_nothing({"type": "thinking", "text": words, "signature": signature, "redacted": redacted})


def call(call_id: str, name: str = "read") -> Line:
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": {}}


def result(call_id: str, *content: str | Line, name: str = "read", error: bool = False) -> Line:
    blocks = _blocks(content)
    value = {"type": "tool_result", "call_id": call_id, "name": name, "content": _shortest(blocks), "is_error": error}
    return _without_nothing(value)


def image(data: str = "iVBORw0KGgo=") -> Line:
    return {"type": "image", "media_type": "image/png", "data": data}


def pdf() -> Line:
    return {"type": "document", "media_type": "application/pdf", "data": "JVBERi0xLjc="}


def opaque(name: str, raw: Line) -> Line:
    return {"type": "opaque", "name": name, "raw": raw}


FILLER = "No result provided"


def filler(call_id: str, name: str = "read") -> Line:
    return result(call_id, FILLER, name=name, error=True)


def _message(role: str, content: Iterable[str | Line], **more: Any) -> Line:
    return (
        {"role": role} | {key: value for key, value in more.items() if value} | {"content": _shortest(_blocks(content))}
    )


def _blocks(content: Iterable[str | Line]) -> list[Line]:
    return [text(item) if isinstance(item, str) else item for item in content]


def _shortest(blocks: list[Line]) -> Any:
    """Write one plain text as itself, as the neutral format does."""
    plain = len(blocks) == 1 and blocks[0].keys() == {"type", "text"} and blocks[0]["type"] == "text"
    return blocks[0]["text"] if plain else blocks


def _without_nothing(value: Line) -> Line:
    """Leave out what says nothing; empty words say that there are none."""
    return {key: found for key, found in value.items() if found is not None and found is not False}


# ---------------------------------------------------------------------------------------- for readers


def said(line: Line) -> str:
    """Say a message on one line: `assistant (gpt-5.2, error)  "Deplo" · call c1 of ls`."""
    about = [line.get("by", "").partition("/")[2], line.get("stop") or "", *line.get("marks", ())]
    if line.get("time") is not None:
        about.append(f"at {line['time']}")
    told = ", ".join(part for part in about if part)
    blocks = _blocks([line["content"]]) if isinstance(line["content"], str) else line["content"]
    words = " · ".join(map(_said, blocks)) or "nothing"
    return f"{line['role']}{f' ({told})' if told else ''}: {words}"


def _said(block: Line) -> str:
    match block["type"]:
        case "text":
            return _quoted(block["text"]) + _signed(block)
        case "thinking":
            name = "redacted thinking" if block.get("redacted") else "thinking"
            return f"{name} {_quoted(block['text'])}{_signed(block)}"
        case "tool_call":
            return f"call {_short(block['id'])} of {block['name']}"
        case "tool_result":
            inner = _blocks([block["content"]]) if isinstance(block["content"], str) else block["content"]
            error = "error " if block.get("is_error") else ""
            return f"{error}result of {_short(block['call_id'])}: " + (" + ".join(map(_said, inner)) or "nothing")
        case "image" | "document" as kind:
            return f"{kind} ({block['media_type']})"
        case _:
            return f"{block['name']} {json.dumps(block.get('raw') or {}, ensure_ascii=False)}"


def _signed(block: Line) -> str:
    return f" signed {_quoted(block['signature'])}" if "signature" in block else ""


def _quoted(words: str) -> str:
    quoted = json.dumps(words, ensure_ascii=False).encode("ascii" if _is_broken(words) else "utf-8", "backslashreplace")
    shown = quoted.decode()
    return shown if len(shown) <= LONGEST else f'{shown[: LONGEST - 2]}…"'


def _is_broken(words: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in words)


def _short(call_id: str) -> str:
    if not call_id:
        return '""'
    return call_id if len(call_id) <= 40 else f"{call_id[:6]}…{call_id[-16:]} ({len(call_id)} characters)"
