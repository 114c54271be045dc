"""Laws of one conversion: random histories of every disorder × targets."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from histories import TARGETS, TOKEN, Spoken, as_bytes, histories
from hypothesis import given
from hypothesis import strategies as st
from walking import body, fitted, flat, is_empty, refusal, tokens, unpaired

from segue import passes
from segue.errors import UnreadableSource
from segue.fitting import fit
from segue.passes import Policy
from segue.reading.transcripts import read
from segue.targets import resolve

targets = st.sampled_from(TARGETS)
LOSSES = ("dropped", "downgraded", "hidden")
any_history = st.data()


def drawn(data, target: Spoken) -> bytes:
    return as_bytes(data.draw(histories(target.origin)))


def converted(source: bytes, target: Spoken, to: str | None):
    """Convert, or None where no message is left at all."""
    try:
        return fitted(source, target, to, force=True, source_format="pi-messages")
    except UnreadableSource:
        return None


@given(target=targets, data=any_history)
def test_second_run_on_the_written_messages_changes_nothing(target, data):
    first = converted(drawn(data, target), target, None)
    if first is None or not body(first):
        return

    second = fitted(first.output, target, None, source_format="pi-messages")

    assert second.output == first.output
    assert [change for change in second.report.changes if change.kind != "hidden"] == []


@given(target=targets, data=any_history)
def test_second_run_on_the_written_request_changes_nothing(target, data):
    first = converted(drawn(data, target), target, "request")
    if first is None or is_empty(body(first)):
        return

    second = fitted(first.output, target, None, force=True, source_format=first.format.name)

    assert second.output == first.output
    assert second.report.changes == []


@given(target=targets, data=any_history)
def test_written_request_lints_clean(target, data):
    source = drawn(data, target)
    first = converted(source, target, "request")
    if first is None or is_empty(body(first)):
        return

    found = refusal(source, target, source_format="pi-messages")

    assert found == []


@given(target=targets, data=any_history)
def test_words_of_users_survive(target, data):
    source = data.draw(histories(target.origin))

    outcome = converted(as_bytes(source), target, "request")

    left = tokens(body(outcome)) if outcome else {}
    spoken = [message["content"] for message in source if message["role"] == "user"]
    texts = [c if isinstance(c, str) else "".join(block.get("text", "") for block in c) for c in spoken]
    assert [token for text in texts for token in TOKEN.findall(text) if left.get(token) != 1] == []


@given(target=targets, data=any_history, to=st.sampled_from((None, "request")))
def test_nothing_vanishes_without_a_change_that_names_it(target, data, to):
    source = data.draw(histories(target.origin))

    outcome = converted(as_bytes(source), target, to)

    if outcome is not None:
        left = tokens(body(outcome))
        assert [lost for lost in _lost(source, left) if not _is_told(lost, outcome.report.changes)] == []
        assert [token for token, count in left.items() if count > 1 and token not in _signatures(source)] == []


def _lost(source, left):
    """Yield the token, message, block and kind of all that is in the source and not in the output."""
    for number, message in enumerate(source):
        said = message["content"]
        for index, block in enumerate([said] if isinstance(said, str) or message["role"] == "toolResult" else said):
            for token in tokens(block):
                if token not in left:
                    is_signature = token in _signatures([{"content": [block]}])
                    yield token, number, index, "signature" if is_signature else "content"


def _signatures(source):
    return {
        token
        for message in source
        if isinstance(message["content"], list)
        for block in message["content"]
        if isinstance(block, dict)
        for key in block
        if key.endswith("Signature")
        for token in TOKEN.findall(str(block[key]))
    }


def _is_told(lost, changes):
    token, number, index, what = lost
    for change in changes:
        if change.kind not in LOSSES and not (what == "signature" and change.rule == "item-id"):
            continue
        if number in change.hides or token in change.what or token in (change.before or ""):
            return True
        if change.message == number and change.block in (None, index):
            return True
    return False


@given(target=targets, data=any_history)
def test_every_call_has_its_one_result_right_behind_its_turn(target, data):
    outcome = converted(drawn(data, target), target, "request")

    assert outcome is None or unpaired(body(outcome)) == []


@given(target=targets, data=any_history)
def test_ids_have_the_form_that_the_target_takes(target, data):
    shape = resolve(target.model, target.api).call_id

    outcome = converted(drawn(data, target), target, "request")

    ids = [id for kind, id, _ in flat(body(outcome)) if kind == "call"] if outcome else []
    assert [id for id in ids if not shape.accepts(id)] == []


@given(target=targets, data=any_history, to=st.sampled_from((None, "request")))
def test_third_round_of_the_rules_changes_nothing(target, data, to):
    source = drawn(data, target)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "ROUNDS", 2)
        two = converted(source, target, to)
        patch.setattr(passes, "ROUNDS", 9)
        many = converted(source, target, to)

    assert (two and two.output) == (many and many.output)
    assert (two and two.report) == (many and many.report)


@given(target=targets, data=any_history, as_request=st.booleans())
def test_rules_leave_what_they_are_given_alone(target, data, as_request):
    reading = read(drawn(data, target), "pi-messages")
    transcript, _ = next(reading.transcripts)
    before = deepcopy(transcript)

    fit(transcript, resolve(target.model, target.api), Policy(as_request=as_request))

    assert transcript == before


@given(target=targets, data=any_history)
def test_longer_history_extends_the_shorter_one_up_to_its_last_prompt(target, data):
    source = data.draw(histories(target.origin))
    prompts = [index for index, message in enumerate(source) if message["role"] == "user"]
    if not prompts:
        return
    cut = data.draw(st.sampled_from(prompts))
    asked = {
        block.get("id") for message in source[:cut] if message["role"] == "assistant" for block in message["content"]
    }
    asked |= {message.get("toolCallId") for message in source[: cut + 1]}
    if any(message.get("toolCallId") in asked for message in source[cut:]):
        return  # a late result reaches back
    short = converted(as_bytes(source[: cut + 1]), target, "request")
    long = converted(as_bytes(source), target, "request")
    if short is None or long is None:
        return

    start = [item for item in flat(body(short)) if item[0] != "end"]
    whole = [item for item in flat(body(long)) if item[0] != "end"]

    assert whole[: len(start)] == start


@given(target=targets, data=any_history)
def test_reports_are_json_for_any_history(target, data):
    outcome = converted(drawn(data, target), target, "request")

    if outcome is not None:
        json.dumps(outcome.report.as_json()).encode()


@given(target=targets, data=any_history)
def test_same_input_gives_the_same_bytes(target, data):
    source = drawn(data, target)

    first, second = converted(source, target, "request"), converted(source, target, "request")

    assert (first and first.output) == (second and second.output)
    assert (first and first.report) == (second and second.report)
