"""Convert in tests, and look at what came out: strings, blocks, pairs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from histories import TOKEN, Spoken

from segue.errors import RefusedByTarget
from segue.options import Options
from segue.pipeline import Outcome, convert

Json = Any


def fitted(data: bytes, target: Spoken, to: str | None = "request", **more: Any) -> Outcome:
    return convert(data, Options(model=target.model, api=target.api, to=to, **more))


def refusal(data: bytes, target: Spoken, **more: Any) -> list[str]:
    """Say why the target would refuse; nothing where it would not."""
    try:
        fitted(data, target, **more)
    except RefusedByTarget as error:
        return [f"{p.rule} {p.pointer}: {p.what}" for p in error.report.problems if p.severity == "error"]
    return []


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


def tokens(value: Json) -> dict[str, int]:
    """Count the tokens in a JSON value."""
    counts: dict[str, int] = {}
    for text in strings(value):
        for token in TOKEN.findall(text):
            counts[token] = counts.get(token, 0) + 1
    return counts


def body(outcome: Outcome) -> Json:
    return json.loads(outcome.output)


def is_empty(value: Json) -> bool:
    """Tell whether a body has no message at all: what was said is all gone, or was a system prompt only."""
    return all(item.get("role") in ("system", "developer") for item in value.get("messages", value.get("input")))


# --------------------------------------------------------------------------------- flat, for any api


def flat(value: Json) -> list[tuple[str, str, Json]]:
    """Lay a request body out as (kind, id, what) in order: `text`, `call`, `result` and the rest, by role."""
    if "input" in value:
        return list(_of_responses(value["input"]))
    messages = value["messages"]
    speaks_chat = any(
        message["role"] == "tool" or "tool_calls" in message for message in messages
    ) or not _has_anthropic_blocks(messages)
    return list(_of_chat(messages) if speaks_chat and "max_tokens" not in value else _of_anthropic(messages))


def _has_anthropic_blocks(messages: Json) -> bool:
    return any(
        block["type"] in ("tool_use", "tool_result", "thinking", "redacted_thinking")
        for message in messages
        if isinstance(message["content"], list)
        for block in message["content"]
    )


def _parts(content: Json) -> list[Json]:
    if content is None:
        return []
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _of_anthropic(messages: Json) -> Iterator[tuple[str, str, Json]]:
    for message in messages:
        for block in _parts(message["content"]):
            plain = {key: item for key, item in block.items() if key != "cache_control"}
            if block["type"] == "tool_use":
                yield "call", block["id"], (block["name"], block["input"])
            elif block["type"] == "tool_result":
                yield "result", block["tool_use_id"], _parts(block.get("content"))
            else:
                yield message["role"], "", plain
        yield "end", "", message["role"]


def _of_chat(messages: Json) -> Iterator[tuple[str, str, Json]]:
    for message in messages:
        if message["role"] == "tool":
            yield "result", message["tool_call_id"], _parts(message["content"])
            continue
        for block in _parts(message.get("content")):
            yield message["role"], "", block
        for call in message.get("tool_calls", ()):
            yield "call", call["id"], (call["function"]["name"], call["function"]["arguments"])
        yield "end", "", message["role"]


def _of_responses(items: Json) -> Iterator[tuple[str, str, Json]]:
    for item in items:
        kind = item.get("type", "message")
        if kind in ("function_call", "custom_tool_call"):
            yield "call", item["call_id"], (item["name"], item.get("arguments", item.get("input")))
        elif kind in ("function_call_output", "custom_tool_call_output"):
            yield "result", item["call_id"], _parts(item["output"])
        elif kind == "message":
            for block in _parts(item["content"]):
                yield item["role"], "", block
            if item["role"] != "assistant":
                yield "end", "", item["role"]
        else:
            yield kind, "", item


def unpaired(value: Json) -> list[str]:
    """Find what is wrong with the calls and results of a body: each call has its one result right behind its turn."""
    faults = []
    seen: set[str] = set()
    open_calls: list[str] = []
    answering = False
    for kind, id, _ in flat(value):
        if kind == "call":
            if answering and open_calls:
                faults.append(f"call {id!r} while {open_calls} are open")
            answering = False
            if id in seen:
                faults.append(f"id {id!r} twice")
            seen.add(id)
            open_calls.append(id)
        elif kind == "result":
            answering = True
            if id in open_calls:
                open_calls.remove(id)
            else:
                faults.append(f"result {id!r} answers nothing")
        elif kind in ("user", "system", "developer") and open_calls:
            faults.append(f"{kind} while {open_calls} are open")
        elif kind == "assistant" and answering and open_calls:
            faults.append(f"assistant while {open_calls} are open")
    return faults + [f"no result for {id!r}" for id in open_calls]
