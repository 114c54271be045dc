"""The random histories as agents record them: Claude Code, pi, and the generations of Codex."""

from __future__ import annotations

from typing import Any

from spelling_anthropic import anthropic_message
from spelling_openai import items

Json = Any
Messages = list[dict[str, Json]]
_HEAD = {"id": "5973b6c0-94b8-487b-a530-2aeb6098ae0e", "timestamp": "2026-03-04T10:00:00.000Z"}


def claude_code(messages: Messages, variant: int = 0) -> list[Json]:
    """Lines of a Claude Code session, one message each, each the child of the one before."""
    lines = []
    for number, message in enumerate(messages):
        body = anthropic_message(message)
        line: dict[str, Json] = {
            "parentUuid": _uuid(number - 1) if number else None,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/project",
            "sessionId": "6c1f0f2e-5b1d-4c55-9a57-0d3c8e1f7a10",
            "version": "2.1.120",
            "type": "assistant" if message["role"] == "assistant" else "user",
            "message": body | {"role": "assistant" if message["role"] == "assistant" else "user"},
            "uuid": _uuid(number),
            "timestamp": f"2026-03-12T09:{number // 60:02}:{number % 60:02}.000Z",
        }
        if message["role"] == "assistant":
            known = {"model": message.get("model", "claude-opus-4-8"), "id": f"msg_{number}", "type": "message"}
            reason = {"toolUse": "tool_use", "stop": "end_turn"}.get(message.get("stopReason", ""))
            line["message"] = known | line["message"] | {"stop_reason": reason, "stop_sequence": None}
        lines.append(line)
    return lines


def _uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def pi_session(messages: Messages, variant: int = 0) -> list[Json]:
    """Entries of a pi session, each the child of the one before."""
    head = {"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-03-04T10:00:00.000Z", "cwd": "/project"}
    entries = [
        {
            "type": "message",
            "id": f"{number:08}",
            "parentId": f"{number - 1:08}" if number else None,
            "timestamp": f"2026-03-04T10:{number // 60:02}:{number % 60:02}.000Z",
            "message": message,
        }
        for number, message in enumerate(messages)
    ]
    return [head, *entries]


# ------------------------------------------------------------------------------------------- Codex


def codex(messages: Messages, variant: int = 0) -> list[Json]:
    """Lines of a Codex rollout: with an envelope, with numbered lines, with bare items, or one whole document."""
    makers = (_enveloped, _numbered, _bare, _document)
    return makers[variant % len(makers)](messages)


def _enveloped(messages: Messages) -> list[Json]:
    lines = [_line("session_meta", {**_HEAD, "cwd": "/project", "originator": "codex_cli_rs", "cli_version": "0.60.1"})]
    model = None
    for message in messages:
        if message.get("model", model) != model:
            model = message["model"]
            lines.append(_line("turn_context", {"cwd": "/project", "model": model, "approval_policy": "never"}))
        lines.extend(_line("response_item", item) for item in _items(message))
        if message["role"] == "user":
            lines.append(_line("event_msg", {"type": "user_message", "message": "…", "kind": "plain"}))
    return lines


def _numbered(messages: Messages) -> list[Json]:
    lines = _enveloped(messages)
    lines[0]["payload"] |= {"history_mode": "paginated", "source": "cli", "model_provider": "openai"}
    return [
        {"timestamp": line["timestamp"], "ordinal": number, "type": line["type"], "payload": line["payload"]}
        for number, line in enumerate(lines)
    ]


def _bare(messages: Messages) -> list[Json]:
    lines: list[Json] = [{**_HEAD, "instructions": None, "git": {}}]
    for message in messages:
        lines += [{"record_type": "state"}, *_items(message)]
    return lines


def _document(messages: Messages) -> list[Json]:
    return [{"session": {**_HEAD, "instructions": ""}, "items": [item for m in messages for item in _items(m)]}]


def _line(kind: str, payload: Json) -> Json:
    return {"timestamp": "2026-03-04T10:00:01.000Z", "type": kind, "payload": payload}


def _items(message: Json) -> list[Json]:
    made = items(message)
    for item in made:
        if isinstance(item.get("content"), str):
            item["content"] = [{"type": "input_text", "text": item["content"]}]
    return made
