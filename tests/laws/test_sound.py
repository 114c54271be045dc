"""A sound history for its own model comes back byte for byte, whatever its format."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from sound import NAMES, sound_histories
from spelling_sessions import claude_code, codex, pi_session
from spoken import TARGETS
from walking import again, fitted

targets = st.sampled_from(TARGETS)
THINKERS = [target for target in TARGETS if target.target.thinking == "item"]
CLAUDES = [target for target in TARGETS if target.origin[0] == "anthropic"]


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


@given(target=st.sampled_from(CLAUDES), data=st.data())
def test_sound_claude_code_session_for_its_own_model_comes_back_byte_for_byte(target, data):
    source = printed(claude_code(data.draw(sound_histories(target))), "lines")

    outcome = fitted(source, target, None)

    assert outcome.output == source
    assert [change for change in outcome.report.changes if change.kind != "hidden"] == []


@given(target=st.sampled_from(THINKERS), data=st.data(), generation=st.integers(0, 3))
def test_sound_codex_session_for_its_own_model_comes_back_byte_for_byte(target, data, generation):
    source = printed(codex(data.draw(sound_histories(target)), generation), "lines")

    outcome = fitted(source, target, None, source_model=target.model)

    assert outcome.output == source
    assert [change for change in outcome.report.changes if change.kind != "hidden"] == []


@given(target=targets, data=st.data(), style=st.sampled_from(("plain", "pretty", "spaced")))
def test_sound_request_for_its_own_model_comes_back_byte_for_byte(target, data, style):
    tools = [{"name": name, "description": "Do it.", "parameters": {"type": "object"}} for name in NAMES]
    around = {"systemPrompt": "be kind", "tools": tools, "messages": data.draw(sound_histories(target))}
    history = printed(around, "plain")
    request = fitted(history, target, "request")
    source = printed(json.loads(request.output), style)

    outcome = again(source, request.format.name, target)

    assert [change for change in request.report.changes if change.kind != "rewritten"] == []
    assert outcome.output == source
    assert outcome.report.changes == []
