"""What must hold for every request body that a session was converted to: V1 to V14 of Claude Code's rule book.

Written from the rule book alone: neither the rules nor the judges of segue are asked, so that a fault in both is found.
Each check yields sentences, none for a body that keeps it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

Json = Any
Check = Callable[[Json], Iterator[str]]

# V10: the ids of calls and results that each api takes. Gemini's are free.
ID_PATTERNS = {
    "anthropic-messages": r"[a-zA-Z0-9_-]{1,64}",
    "bedrock-converse-stream": r"[a-zA-Z0-9_-]{1,64}",
    "openai-responses": r"[^\s]{1,64}",
    "openai-completions": r"[^\s]{1,40}",
    "mistral-conversations": r"[a-zA-Z0-9]{9}",
}
_SERVER_ID = r"srvtoolu_[a-zA-Z0-9_]+"
_SERVER_CALLS = ("server_tool_use", "mcp_tool_use")
_CALL_KEYS = {"type", "id", "name", "input"}
_RESULT_KEYS = {"type", "tool_use_id", "content"}
_BLOCK_KEYS: dict[str, set[str]] = {
    "text": {"type", "text", "citations"},
    "thinking": {"type", "thinking", "signature"},
    "redacted_thinking": {"type", "data"},
    "tool_use": _CALL_KEYS,
    "tool_result": _RESULT_KEYS | {"is_error"},
    "image": {"type", "source"},
    "document": {"type", "source", "title", "context", "citations"},
    "search_result": {"type", "source", "title", "content", "citations"},
    "tool_reference": {"type", "tool_name"},
    "container_upload": {"type", "file_id"},
    "server_tool_use": _CALL_KEYS,
    "mcp_tool_use": _CALL_KEYS | {"server_name"},
    "mcp_tool_result": _RESULT_KEYS | {"is_error"},
}


def _blocks(message: Json) -> list[Json]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def _walk(body: Json) -> Iterator[tuple[str, Json, Json]]:
    """Yield every block of every message, with where it stands and its message."""
    for number, message in enumerate(body["messages"]):
        for index, block in enumerate(_blocks(message)):
            yield f"messages.{number}.content.{index}", message, block


def _is_server_result(block: Json) -> bool:
    return bool(block["type"].endswith("_tool_result"))


def roles(body: Json) -> Iterator[str]:
    """V1: roles are user and assistant only."""
    for number, message in enumerate(body["messages"]):
        if message.get("role") not in ("user", "assistant"):
            yield f"V1 messages.{number}: role {message.get('role')!r}"


def first_is_user(body: Json) -> Iterator[str]:
    """V2: the first message is the user's."""
    if not body["messages"] or body["messages"][0].get("role") != "user":
        yield "V2 messages.0: not a user's"


def some_content(body: Json) -> Iterator[str]:
    """V3: no message without content."""
    for number, message in enumerate(body["messages"]):
        if not message.get("content"):
            yield f"V3 messages.{number}: content is {message.get('content')!r}"


def no_blank_text(body: Json) -> Iterator[str]:
    """V4: no text block of white space alone; inside a result none that is empty."""
    for place, _, block in _walk(body):
        if block["type"] == "text" and not block["text"].strip():
            yield f"V4 {place}: blank text"
        if block["type"] == "tool_result" and isinstance(block.get("content"), list):
            for part in block["content"]:
                if part["type"] == "text" and not part["text"]:
                    yield f"V4 {place}: empty text in a result"
    for part in body["system"] if isinstance(body.get("system"), list) else ():
        if not part["text"].strip():
            yield "V4 system: blank text"


def calls_once(body: Json) -> Iterator[str]:
    """V5: the id of each call stands once."""
    seen: set[str] = set()
    for place, _, block in _walk(body):
        if block["type"] in ("tool_use", *_SERVER_CALLS):
            if block["id"] in seen:
                yield f"V5 {place}: id {block['id']!r} again"
            seen.add(block["id"])


def answered_next(body: Json) -> Iterator[str]:
    """V6: the next message answers each call, once; each result answers a call of the message before."""
    open_calls: list[str] = []
    for number, message in enumerate([*body["messages"], {"role": "user", "content": []}]):
        answers = [block["tool_use_id"] for block in _blocks(message) if block["type"] == "tool_result"]
        for call in open_calls:
            if answers.count(call) != 1 or message["role"] != "user":
                yield f"V6 messages.{number}: {answers.count(call)} results for call {call!r}"
        for answer in answers:
            if answer not in open_calls:
                yield f"V6 messages.{number}: result {answer!r} without its call in the message before"
        open_calls = [block["id"] for block in _blocks(message) if block["type"] == "tool_use"]


def results_lead(body: Json) -> Iterator[str]:
    """V7: results stand before everything else of their message."""
    for number, message in enumerate(body["messages"]):
        kinds = [block["type"] == "tool_result" for block in _blocks(message)]
        if kinds != sorted(kinds, reverse=True):
            yield f"V7 messages.{number}: a result behind other content"


def input_is_object(body: Json) -> Iterator[str]:
    """V8: the input of each call is an object."""
    for place, _, block in _walk(body):
        if block["type"] in ("tool_use", *_SERVER_CALLS) and not isinstance(block.get("input"), dict):
            yield f"V8 {place}: input is {type(block.get('input')).__name__}"


def errors_are_text(body: Json) -> Iterator[str]:
    """V9: a result that is an error holds text only."""
    for place, _, block in _walk(body):
        if block["type"] == "tool_result" and block.get("is_error") and isinstance(block.get("content"), list):
            others = {part["type"] for part in block["content"]} - {"text"}
            if others:
                yield f"V9 {place}: an error with {', '.join(sorted(others))}"


def thinking_in_place(body: Json) -> Iterator[str]:
    """V11: no thinking at the end of a last assistant's turn, none without what its model signed."""
    for place, _, block in _walk(body):
        if block["type"] == "thinking" and not (block.get("signature") and isinstance(block.get("thinking"), str)):
            yield f"V11 {place}: thinking without signature"
        if block["type"] == "redacted_thinking" and not block.get("data"):
            yield f"V11 {place}: redacted thinking without data"
    last = body["messages"][-1] if body["messages"] else {"role": "user"}
    if last["role"] == "assistant" and [b for b in _blocks(last)[-1:] if b["type"].endswith("thinking")]:
        yield "V11 last message: ends on thinking"


def server_pairs(body: Json) -> Iterator[str]:
    """V12: calls of the server's own tools and their results stand in one assistant's turn, call before result."""
    for number, message in enumerate(body["messages"]):
        waiting: set[str] = set()
        for index, block in enumerate(_blocks(message)):
            place = f"messages.{number}.content.{index}"
            if block["type"] in _SERVER_CALLS:
                waiting.add(block["id"])
                if message["role"] != "assistant":
                    yield f"V12 {place}: a server's call outside an assistant's turn"
            elif _is_server_result(block):
                if block["tool_use_id"] not in waiting:
                    yield f"V12 {place}: result {block['tool_use_id']!r} without a call before it"
                waiting.discard(block["tool_use_id"])
        for call in sorted(waiting):
            yield f"V12 messages.{number}: call {call!r} without a result"


def known_fields(body: Json) -> Iterator[str]:
    """V13: no field that the api does not list, in messages, blocks and the parts of results."""
    for number, message in enumerate(body["messages"]):
        for name in sorted(set(message) - {"role", "content"}):
            yield f"V13 messages.{number}: field {name!r}"
    for place, _, block in _walk(body):
        inner = block.get("content") if block["type"] == "tool_result" else None
        for part in [block, *(inner if isinstance(inner, list) else ())]:
            allowed = _BLOCK_KEYS.get(part["type"])
            if allowed is None and _is_server_result(part):
                allowed = _RESULT_KEYS
            if allowed is None:
                yield f"V13 {place}: block type {part['type']!r}"
                continue
            for name in sorted(set(part) - allowed):
                yield f"V13 {place}: field {name!r} in {part['type']}"


ANTHROPIC_CHECKS: tuple[Check, ...] = (
    roles,
    first_is_user,
    some_content,
    no_blank_text,
    calls_once,
    answered_next,
    results_lead,
    input_is_object,
    errors_are_text,
    thinking_in_place,
    server_pairs,
    known_fields,
)


def id_patterns(body: Json, api: str) -> Iterator[str]:
    """V10: each id has the form that the api asks for."""
    pattern = ID_PATTERNS.get(api)
    for id, is_server in _ids(body):
        wanted = _SERVER_ID if is_server else pattern
        if wanted and not re.fullmatch(wanted, id):
            yield f"V10 id {id!r} does not match {wanted}"


def _ids(value: Json) -> Iterator[tuple[str, bool]]:
    """Yield the ids of calls and results in a body of any api, and whether a server's own tool has it."""
    if isinstance(value, list):
        for item in value:
            yield from _ids(item)
        return
    if not isinstance(value, dict):
        return
    type = value.get("type")
    if type == "tool_use":
        yield value["id"], False
    elif type in _SERVER_CALLS:
        yield value["id"], type == "server_tool_use"
    elif type in ("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"):
        yield value["call_id"], False
    elif type == "function" and isinstance(value.get("function"), dict) and "id" in value:
        yield value["id"], False
    for key in ("tool_use_id", "tool_call_id", "toolUseId"):
        if isinstance(value.get(key), str):
            yield value[key], key == "tool_use_id" and str(type).endswith("_tool_result") and type != "mcp_tool_result"
    for key, inner in value.items():
        if key not in ("input", "arguments", "args", "tools", "toolConfig"):
            yield from _ids(inner)
    if isinstance(value.get("input"), list):  # the items of a Responses body, never a call's arguments
        yield from _ids(value["input"])


def strict_utf8(output: bytes) -> Iterator[str]:
    """V14: the body is UTF-8, and so is every string that its JSON spells."""
    try:
        json.dumps(json.loads(output.decode("utf-8")), ensure_ascii=False).encode("utf-8")
    except ValueError as error:
        yield f"V14 {type(error).__name__}: {str(error)[:80]}"


def broken(output: bytes, api: str) -> list[str]:
    """Say what does not hold for a request body of an api."""
    found = list(strict_utf8(output))
    if found:
        return found
    body = json.loads(output)
    found.extend(id_patterns(body, api))
    if api == "anthropic-messages":
        for check in ANTHROPIC_CHECKS:
            try:
                found.extend(check(body))
            except (KeyError, TypeError, AttributeError) as error:
                found.append(f"{check.__name__}: a body of another shape: {error!r}")
    return found
