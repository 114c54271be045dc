"""Lay request bodies out flat, the same for every api, and look at their pairs of calls and results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from segue.pipeline import Outcome

Json = Any
Flat = Iterator[tuple[str, str, Json]]


def flat(outcome: Outcome) -> list[tuple[str, str, Json]]:
    """Lay a request body out as (kind, id, what): `call`, `result`, all else by role, and the `end` of messages."""
    return list(_LAYOUTS[outcome.format.name](json.loads(outcome.output)))


def unpaired(outcome: Outcome) -> list[str]:
    """Find what is wrong with the calls and results of a body: each call has its one result right behind its turn."""
    faults = []
    seen: set[str] = set()
    open_calls: list[str] = []
    answering = False
    for kind, id, _ in flat(outcome):
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


def _parts(content: Json) -> list[Json]:
    if content is None:
        return []
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _of_anthropic(body: Json) -> Flat:
    for message in body["messages"]:
        for block in _parts(message["content"]):
            plain = {key: item for key, item in block.items() if key != "cache_control"}
            if block["type"] == "tool_use":
                yield "call", block["id"], (block["name"], block["input"])
            elif block["type"] == "tool_result":
                yield "result", block["tool_use_id"], _parts(block.get("content"))
            else:
                yield message["role"], "", plain
        yield "end", "", message["role"]


def _of_converse(body: Json) -> Flat:
    for message in body["messages"]:
        results = [block for block in message["content"] if "toolResult" in block]
        # The results of a turn may stand behind other words of the same message.
        for block in [*results, *(block for block in message["content"] if "toolResult" not in block)]:
            if "toolUse" in block:
                yield "call", block["toolUse"]["toolUseId"], (block["toolUse"]["name"], block["toolUse"]["input"])
            elif "toolResult" in block:
                yield "result", block["toolResult"]["toolUseId"], block["toolResult"]["content"]
            else:
                yield message["role"], "", block
        yield "end", "", message["role"]


def _of_chat(body: Json) -> Flat:
    for message in body["messages"]:
        if message["role"] == "tool":
            yield "result", message["tool_call_id"], _parts(message["content"])
            continue
        for block in _parts(message.get("content")):
            yield message["role"], "", block
        for call in message.get("tool_calls", ()):
            yield "call", call["id"], (call["function"]["name"], call["function"]["arguments"])
        yield "end", "", message["role"]


def _of_responses(body: Json) -> Flat:
    for item in body["input"]:
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


def _of_gemini(body: Json) -> Flat:
    """Calls without an id get a number; a response without one answers the first open call of its name."""
    open_calls: list[tuple[str, str]] = []
    count = 0
    for content in body["contents"]:
        role = "assistant" if content["role"] == "model" else "user"
        if role == "assistant":
            open_calls = []
        responses = [part for part in content["parts"] if "functionResponse" in part]
        # Words may stand in front of the responses that they belong behind.
        for part in [*responses, *(part for part in content["parts"] if "functionResponse" not in part)]:
            if "functionCall" in part:
                call, count = part["functionCall"], count + 1
                id = call.get("id", f"#{count}")
                open_calls.append((id, call["name"]))
                yield "call", id, (call["name"], call["args"])
            elif "functionResponse" in part:
                response = part["functionResponse"]
                name, id = response["name"], response.get("id")
                found = next((call for call in open_calls if call[1] == name and id in (None, call[0])), None)
                if found:
                    open_calls.remove(found)
                what = (response["response"], response.get("parts"))
                yield "result", found[0] if found else f"?{name}", what
            else:
                yield role, "", part
        yield "end", "", role


_LAYOUTS: dict[str, Callable[[Json], Flat]] = {
    "anthropic-messages": _of_anthropic,
    "bedrock-converse": _of_converse,
    "gemini": _of_gemini,
    "mistral-chat": _of_chat,
    "openai-chat": _of_chat,
    "openai-responses": _of_responses,
}
