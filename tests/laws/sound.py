"""Sound histories: as the target's own agent records them, signed, paired, every id its own."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from spoken import Spoken

from segue.targets import Target

Json = Any
WORDS = ("fine", "two\nlines", "Grüße 😀", "a \u2028 b", "[bold]not markup[/]", '{"a": 1}', "word " * 60 + "end")
ARGUMENTS = ({}, {"path": "a"}, {"n": None, "f": 1.5, "big": 2**53}, {"deep": {"er": [{"x": [[], {}]}]}})
NAMES = ("read", "Bash", "mcp__files__list-all")
CONVERSE = "bedrock-converse-stream"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\x06\0\0\0 ").decode()


@st.composite
def sound_histories(draw: st.DrawFn, target: Spoken) -> list[Json]:
    """A history of a few prompts, each with some steps of calls and an answer, fit for its own model."""
    takes = target.target
    messages: list[Json] = []
    for number in range(draw(st.integers(1, 4))):
        messages.append({"role": "user", "content": draw(st.sampled_from(WORDS) | _parts(takes))})
        for step in range(draw(st.integers(0, 2))):
            messages.extend(_called(draw, takes, f"{number}{step}"))
        answer = [*_thought(draw, takes, f"{number}9", calls=False), _text(draw, takes, f"{number}9")]
        messages.append(_turn(takes, answer, "stop"))
    if draw(st.booleans()) or not takes.prefill:
        messages.append({"role": "user", "content": draw(st.sampled_from(WORDS))})
    return [{**message, "timestamp": 1_767_323_045_000 + index} for index, message in enumerate(messages)]


def _parts(takes: Target) -> st.SearchStrategy[list[Json]]:
    texts = st.sampled_from(WORDS).map(lambda text: {"type": "text", "text": text})
    image = st.just({"type": "image", "mimeType": "image/png", "data": PNG})
    several = st.lists(texts | image if takes.images else texts, max_size=1)
    return st.tuples(texts, several).map(lambda parts: [parts[0], *parts[1]])


def _called(draw: st.DrawFn, takes: Target, step: str) -> Iterator[Json]:
    calls: list[Json] = []
    for index, name in enumerate(draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3))):
        arguments = draw(st.sampled_from(ARGUMENTS))
        signed = {"thoughtSignature": _signature(step)} if takes.call_signatures and index == 0 else {}
        call = {"id": _id(takes, f"{step}{index}"), "name": name, "arguments": arguments}
        calls.append({"type": "toolCall", **call, **signed})
    said = [_text(draw, takes, step)] if draw(st.booleans()) else []
    yield _turn(takes, [*_thought(draw, takes, step, calls=True), *said, *calls], "toolUse")
    for call in calls:
        content = [{"type": "text", "text": draw(st.sampled_from(WORDS))}]
        head = {"role": "toolResult", "toolCallId": call["id"], "toolName": call["name"]}
        yield head | {"content": content, "isError": takes.error_flag and draw(st.booleans())}


def _turn(takes: Target, blocks: list[Json], stop: str) -> Json:
    author = {"api": takes.api, "provider": takes.provider, "model": takes.model}
    return {"role": "assistant", "content": blocks, **author, "stopReason": stop}


def _thought(draw: st.DrawFn, takes: Target, step: str, calls: bool) -> list[Json]:
    is_required = takes.required_thinking == "all" or (calls and takes.required_thinking == "calls")
    if takes.thinking == "none" or not (is_required or draw(st.booleans())):
        return []
    block: Json = {"type": "thinking", "thinking": "hm"}
    if takes.call_signatures:
        return [block | draw(st.sampled_from(({}, {"thinkingSignature": _signature(step)})))]
    if takes.thinking == "signed":
        block |= {"thinkingSignature": _signature(step)}
        kinds = [{}, {"thinking": "", "redacted": True}]
        if takes.api != CONVERSE:
            kinds.append({"thinking": ""})
        return [block | draw(st.sampled_from(kinds))]
    if takes.thinking == "item":
        item = {"type": "reasoning", "id": f"rs_{step}", "summary": [], "encrypted_content": "gAAA"}
        return [block | {"thinking": "", "thinkingSignature": json.dumps(item)}]
    if takes.api == CONVERSE:
        return [block]
    if takes.thinking_field == "reasoning_details":
        return [block | {"thinkingSignature": json.dumps([{"type": "reasoning.text", "text": "hm"}])}]
    return [block | {"thinkingSignature": takes.thinking_field}]


def _text(draw: st.DrawFn, takes: Target, step: str) -> Json:
    block: Json = {"type": "text", "text": draw(st.sampled_from(WORDS))}
    if takes.call_id.piped:
        block["textSignature"] = json.dumps({"v": 1, "id": f"msg_{step}"})
    elif takes.text_signatures and draw(st.booleans()):
        block["textSignature"] = _signature(step)
    return block


def _signature(step: str) -> str:
    return f"EqQB{step:0>8}"


def _id(takes: Target, step: str) -> str:
    if takes.call_id.piped:
        return f"call_{step}|fc_{step}"
    return f"abcdef{step}" if takes.call_id.exact else f"toolu_{step}"
