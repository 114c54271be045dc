"""The same laws for what other formats record: every format × targets."""

from __future__ import annotations

import json

import pytest
from flattening import unpaired
from histories import histories
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from spellings import BODIES, SESSIONS, spelled
from spoken import TARGETS
from tagging import TOKEN, tokens
from walking import again, body, converted, is_empty, refusal

from segue.formats import request_format

FORMATS = (*BODIES, *SESSIONS)
from_every_format = pytest.mark.parametrize("format", FORMATS)
a_part_each = settings(max_examples=settings.default.max_examples // 3)  # for there are many formats
PROMPT_APART = ("claude-code", "gemini", "bedrock-converse")  # no system messages among the others
UNNUMBERED = ("openai-responses", "codex")  # what the assistant does in a row is one message
LOSSES = ("dropped", "downgraded", "hidden")


def drawn(data, format):
    """Draw a history, a target and the history's file; bodies are the target's own every other time."""
    target = data.draw(st.sampled_from(TARGETS))
    messages = data.draw(histories(target.origin))
    if format in PROMPT_APART:
        messages = [message for message in messages if message["role"] != "system"]
    model = data.draw(st.sampled_from((target.origin[2], "another-model")))
    return messages, target, spelled(messages, format, model, variant=data.draw(st.integers(0, 11)))


@from_every_format
@a_part_each
@given(data=st.data())
def test_written_request_lints_clean(format, data):
    _, target, source = drawn(data, format)
    first = converted(source, target, format, "request")
    assume(first is not None and not is_empty(first))

    found = refusal(source, target, source_format=format)

    assert found == []
    assert unpaired(first) == []


@from_every_format
@a_part_each
@given(data=st.data())
def test_second_run_changes_nothing(format, data):
    _, target, source = drawn(data, format)
    first = converted(source, target, format, "request")
    assume(first is not None and not is_empty(first))

    second = again(first.output, first.format.name, target, force=True)

    assert second.output == first.output
    assert second.report.changes == []


@from_every_format
@a_part_each
@given(data=st.data())
def test_second_run_in_the_own_format_changes_nothing(format, data):
    _, target, source = drawn(data, format)
    first = converted(source, target, format, None)
    assume(first is not None)

    second = converted(first.output, target, format, None)
    assume(second is not None)

    assert second.output == first.output
    assert [change for change in second.report.changes if change.kind != "hidden"] == []


@from_every_format
@a_part_each
@given(data=st.data())
def test_words_of_users_survive(format, data):
    messages, target, source = drawn(data, format)

    outcome = converted(source, target, format, "request")

    left = tokens(body(outcome)) if outcome else {}
    spoken = [message["content"] for message in messages if message["role"] == "user"]
    texts = [c if isinstance(c, str) else "".join(block.get("text", "") for block in c) for c in spoken]
    assert [token for text in texts for token in TOKEN.findall(text) if left.get(token) != 1] == []


@from_every_format
@a_part_each
@given(data=st.data(), to=st.sampled_from((None, "request")))
def test_nothing_vanishes_without_a_change_that_names_it(format, data, to):
    messages, target, source = drawn(data, format)

    outcome = converted(source, target, format, to)

    if outcome is not None:
        had, left = tokens(_lines(source)), tokens(_lines(outcome.output))
        changes = [change for change in outcome.report.changes if change.kind in LOSSES]
        is_numbered = format not in UNNUMBERED
        lost = [
            (token, number)
            for number, message in enumerate(messages)
            for token in tokens(_unsigned_message(message))
            if token in had
            and token not in left
            and not any(token in change.what or token in (change.before or "") for change in changes)
            and not (is_numbered and any(number == change.message or number in change.hides for change in changes))
        ]
        assert lost == [] if is_numbered else len(lost) <= sum(change.count for change in changes)


def _lines(data):
    return [json.loads(line) for line in data.splitlines() if line]


def _unsigned(block):
    return {key: value for key, value in block.items() if not key.endswith("Signature")}


@given(data=st.data())
def test_detour_over_another_api_ends_where_the_straight_way_does(data):
    messages = data.draw(histories(None))
    first, second = data.draw(st.sampled_from(TARGETS)), data.draw(st.sampled_from(TARGETS))
    source = spelled(messages, "pi-messages")
    over = converted(source, first, "pi-messages", "request")
    straight = converted(source, second, "pi-messages", "request")
    assume(over is not None and straight is not None and not is_empty(over) and not is_empty(straight))

    detour = converted(over.output, second, request_format(first.origin[1]).name, "request")

    assert detour is not None
    assert unpaired(detour) == []
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
