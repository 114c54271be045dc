"""A sound history for its own model comes back byte for byte, whatever its format."""

from __future__ import annotations

import json

from histories import TARGETS
from hypothesis import given
from hypothesis import strategies as st
from spellings import claude_code, pi_session
from walking import fitted

from segue.targets import resolve

targets = st.sampled_from(TARGETS)
WORDS = ("fine", "two\nlines", "Grüße 😀", "a \u2028 b", "[bold]not markup[/]", '{"a": 1}', "word " * 60 + "end")
ARGUMENTS = ({}, {"path": "a"}, {"n": None, "f": 1.5, "big": 2**53}, {"deep": {"er": [{"x": [[], {}]}]}})
NAMES = ("read", "Bash", "mcp__files__list-all")


@st.composite
def sound_histories(draw, target):
    """A history as the target's own agent records it: signed, paired, every id its own."""
    messages = []
    for number in range(draw(st.integers(1, 4))):
        messages.append({"role": "user", "content": draw(st.sampled_from(WORDS) | parts())})
        for step in range(draw(st.integers(0, 2))):
            messages.extend(called(draw, target, f"{number}{step}"))
        answer = [*thought(draw, target, f"{number}a"), text(draw, target, f"{number}a")]
        messages.append(turn(target, answer, "stop"))
    if draw(st.booleans()) or not target.model.startswith("anthropic/claude-sonnet-4-5"):
        messages.append({"role": "user", "content": draw(st.sampled_from(WORDS))})
    return [{**message, "timestamp": 1_767_323_045_000 + index} for index, message in enumerate(messages)]


def parts():
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(
        lambda texts: [{"type": "text", "text": text} for text in texts]
    )


def called(draw, target, step):
    calls = [
        {
            "type": "toolCall",
            "id": _id(target, f"{step}{index}"),
            "name": name,
            "arguments": draw(st.sampled_from(ARGUMENTS)),
        }
        for index, name in enumerate(draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3)))
    ]
    said = [text(draw, target, step)] if draw(st.booleans()) else []
    yield turn(target, [*thought(draw, target, step), *said, *calls], "toolUse")
    for call in calls:
        content = [{"type": "text", "text": draw(st.sampled_from(WORDS))}]
        head = {"role": "toolResult", "toolCallId": call["id"], "toolName": call["name"]}
        yield head | {"content": content, "isError": has_error_flag(target) and draw(st.booleans())}


def turn(target, blocks, stop):
    provider, api, model = target.origin
    return {
        "role": "assistant",
        "content": blocks,
        "api": api,
        "provider": provider,
        "model": model,
        "stopReason": stop,
    }


def thought(draw, target, step):
    if not draw(st.booleans()):
        return []
    if target.origin[1] == "anthropic-messages":
        kinds = (
            {"thinking": "hm", "thinkingSignature": "EqQB"},
            {"thinking": "", "thinkingSignature": "EqQB"},
            {"thinking": "", "thinkingSignature": "EqQB", "redacted": True},
        )
        return [{"type": "thinking"} | draw(st.sampled_from(kinds))]
    if resolve(target.model, target.api).thinking == "item":
        item = {"type": "reasoning", "id": f"rs_{step}", "summary": [], "encrypted_content": "gAAA"}
        return [{"type": "thinking", "thinking": "", "thinkingSignature": json.dumps(item)}]
    return []


def text(draw, target, step):
    block = {"type": "text", "text": draw(st.sampled_from(WORDS))}
    if target.origin[1] == "openai-responses":
        block["textSignature"] = json.dumps({"v": 1, "id": f"msg_{step}"})
    return block


def _id(target, step):
    is_piped = target.origin[1] == "openai-responses"
    return f"call_{step}|fc_{step}" if is_piped else f"toolu_{step}"


def has_error_flag(target):
    return target.origin[1] == "anthropic-messages"


def printed(values, style):
    """Print as JSON in one of the styles that people have."""
    if style == "lines":
        return b"".join(
            json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for value in values
        )
    if style == "pretty":
        return json.dumps(values, ensure_ascii=False, indent=2).encode() + b"\n"
    if style == "spaced":
        return json.dumps(values).encode() + b"\n"
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@given(target=targets, data=st.data(), style=st.sampled_from(("plain", "pretty", "spaced", "lines")))
def test_sound_messages_for_their_own_model_come_back_byte_for_byte(target, data, style):
    source = printed(data.draw(sound_histories(target)), style)

    outcome = fitted(source, target, None)

    assert outcome.output == source
    assert outcome.report.changes == []


@given(target=targets, data=st.data())
def test_sound_pi_session_for_its_own_model_comes_back_byte_for_byte(target, data):
    source = printed(pi_session(data.draw(sound_histories(target))), "lines")

    outcome = fitted(source, target, None)

    assert outcome.output == source
    assert outcome.report.changes == []


@given(target=st.sampled_from(TARGETS[:4]), data=st.data())
def test_sound_claude_code_session_for_its_own_model_comes_back_byte_for_byte(target, data):
    source = printed(claude_code(data.draw(sound_histories(target))), "lines")

    outcome = fitted(source, target, None)

    assert outcome.output == source
    assert [change for change in outcome.report.changes if change.kind != "hidden"] == []


@given(target=targets, data=st.data(), style=st.sampled_from(("plain", "pretty", "spaced")))
def test_sound_request_for_its_own_model_comes_back_byte_for_byte(target, data, style):
    around = {"systemPrompt": "be kind", "messages": data.draw(sound_histories(target))}
    history = printed(around, "plain")
    request = fitted(history, target, "request")
    source = printed(json.loads(request.output), style)

    outcome = fitted(source, target, None)

    assert [change for change in request.report.changes if change.kind != "rewritten"] == []
    assert outcome.output == source
    assert outcome.report.changes == []
