"""The same laws for what other formats record: every format × targets."""

from __future__ import annotations

import json

import pytest
from histories import TARGETS, TOKEN, histories
from hypothesis import given
from hypothesis import strategies as st
from spellings import BODIES, SESSIONS, spelled
from walking import body, fitted, is_empty, refusal, tokens, unpaired

from segue.errors import UnreadableSource
from segue.formats import request_format

FORMATS = (*BODIES, *SESSIONS)
from_every_format = pytest.mark.parametrize("format", FORMATS)
LOSSES = ("dropped", "downgraded", "hidden")


def drawn(data, format):
    """Draw a history, a target and the history's file; bodies are the target's own every other time."""
    target = data.draw(st.sampled_from(TARGETS))
    messages = data.draw(histories(target.origin))
    if format == "claude-code":
        messages = [message for message in messages if message["role"] != "system"]
    model = data.draw(st.sampled_from((target.origin[2], "another-model"))) if format in BODIES else None
    return messages, target, spelled(messages, format, model)


def converted(source, target, format, to):
    try:
        return fitted(source, target, to, force=True, source_format=format)
    except UnreadableSource:
        return None


@from_every_format
@given(data=st.data())
def test_written_request_lints_clean(format, data):
    _, target, source = drawn(data, format)
    first = converted(source, target, format, "request")
    if first is None or is_empty(body(first)):
        return

    found = refusal(source, target, source_format=format)

    assert found == []
    assert unpaired(body(first)) == []


@from_every_format
@given(data=st.data())
def test_second_run_changes_nothing(format, data):
    _, target, source = drawn(data, format)
    first = converted(source, target, format, "request")
    if first is None or is_empty(body(first)):
        return

    second = converted(first.output, target, first.format.name, None)

    assert second.output == first.output
    assert second.report.changes == []


@from_every_format
@given(data=st.data())
def test_second_run_in_the_own_format_changes_nothing(format, data):
    _, target, source = drawn(data, format)
    first = converted(source, target, format, None)
    if first is None:
        return
    second = converted(first.output, target, format, None)
    if second is None:
        return

    assert second.output == first.output
    assert [change for change in second.report.changes if change.kind != "hidden"] == []


@from_every_format
@given(data=st.data())
def test_words_of_users_survive(format, data):
    messages, target, source = drawn(data, format)

    outcome = converted(source, target, format, "request")

    left = tokens(body(outcome)) if outcome else {}
    spoken = [message["content"] for message in messages if message["role"] == "user"]
    texts = [c if isinstance(c, str) else "".join(block.get("text", "") for block in c) for c in spoken]
    assert [token for text in texts for token in TOKEN.findall(text) if left.get(token) != 1] == []


@from_every_format
@given(data=st.data(), to=st.sampled_from((None, "request")))
def test_nothing_vanishes_without_a_change_that_names_it(format, data, to):
    messages, target, source = drawn(data, format)

    outcome = converted(source, target, format, to)

    if outcome is not None:
        left = tokens([json.loads(line) for line in outcome.output.splitlines() if line])
        changes = [change for change in outcome.report.changes if change.kind in LOSSES]
        is_numbered = format != "openai-responses"
        lost = [
            (token, number)
            for number, message in enumerate(messages)
            for token in _said(message, source)
            if token not in left
            and not any(token in change.what or token in (change.before or "") for change in changes)
            and not (is_numbered and any(number == change.message or number in change.hides for change in changes))
        ]
        assert lost == [] if is_numbered else len(lost) <= len(changes)


def _said(message, source):
    """Find the tokens of a message that its format could say at all; signatures are another law's."""
    kept = (
        [{**message, "content": [_unsigned(b) for b in message["content"]]}]
        if isinstance(message["content"], list)
        else [message]
    )
    return [token for token in tokens(kept) if token.encode() in source]


def _unsigned(block):
    return {key: value for key, value in block.items() if not key.endswith("Signature")}


@given(data=st.data())
def test_detour_over_another_api_ends_where_the_straight_way_does(data):
    messages = data.draw(histories(None))
    first, second = data.draw(st.sampled_from(TARGETS)), data.draw(st.sampled_from(TARGETS))
    source = spelled(messages, "pi-messages")
    over = converted(source, first, "pi-messages", "request")
    straight = converted(source, second, "pi-messages", "request")
    if over is None or straight is None or is_empty(body(over)) or is_empty(body(straight)):
        return

    detour = converted(over.output, second, request_format(first.origin[1]).name, "request")

    assert detour is not None
    assert unpaired(body(detour)) == []
    arrived, expected, between = tokens(body(detour)), tokens(body(straight)), tokens(body(over))
    told = " ".join(f"{change.what} {change.before}" for change in detour.report.changes)
    words = {token for message in messages for token in tokens(_unsigned_message(message))}
    assert [t for t in expected if t in words and t in between and t not in arrived and t not in told] == []
    assert [t for t, count in arrived.items() if count > 1 and t in words] == []
    assert _fillers(body(detour)) <= max(_fillers(body(over)), _fillers(body(straight)))


def _unsigned_message(message):
    said = message["content"]
    return {**message, "content": [_unsigned(block) for block in said] if isinstance(said, list) else said}


def _fillers(value):
    return json.dumps(value).count("No result provided")
