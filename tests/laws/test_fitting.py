"""Laws of one conversion: random histories of every disorder × targets."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from flattening import flat, unpaired
from histories import histories
from hypothesis import assume, given
from hypothesis import strategies as st
from spellings import spelled
from spoken import TARGETS, Spoken
from tagging import TOKEN, tokens
from walking import again, body, converted, fitted, is_empty, refusal

from segue import passes
from segue.fitting import fit
from segue.passes import Policy
from segue.reading.transcripts import read

targets = st.sampled_from(TARGETS)
FORMATS = ("pi-messages", "neutral")  # what pi has no words for, the neutral format has
formats = st.sampled_from(FORMATS)
LOSSES = ("dropped", "downgraded", "hidden")
FEWEST_MEDIA = 5  # that any target takes in one request
any_history = st.data()


def drawn(data, target: Spoken, format: str) -> bytes:
    return spelled(data.draw(histories(target.origin)), format)


@given(target=targets, data=any_history, format=formats)
def test_second_run_on_the_written_messages_changes_nothing(target, data, format):
    first = converted(drawn(data, target, format), target, format, None)
    assume(first is not None and first.report.output["messages"])

    second = fitted(first.output, target, None, source_format=format)

    assert second.output == first.output
    assert [change for change in second.report.changes if change.kind != "hidden"] == []


@given(target=targets, data=any_history, format=formats)
def test_second_run_on_the_written_request_changes_nothing(target, data, format):
    first = converted(drawn(data, target, format), target, format, "request")
    assume(first is not None and not is_empty(first))

    second = again(first.output, first.format.name, target, force=True)

    assert second.output == first.output
    assert second.report.changes == []


@given(target=targets, data=any_history, format=formats)
def test_written_request_lints_clean(target, data, format):
    source = drawn(data, target, format)
    first = converted(source, target, format, "request")
    assume(first is not None and not is_empty(first))

    found = refusal(source, target, source_format=format)

    assert found == []


@given(target=targets, data=any_history, format=formats)
def test_words_of_users_survive(target, data, format):
    source = data.draw(histories(target.origin))

    outcome = converted(spelled(source, format), target, format, "request")

    left = tokens(body(outcome)) if outcome else {}
    spoken = [token for message in source if message["role"] == "user" for token in _texts(message)]
    assert [token for token in spoken if left.get(token) != 1] == []


def _texts(message):
    """Find the tokens of what a message says in words."""
    said = message["content"]
    return TOKEN.findall(said if isinstance(said, str) else " ".join(block.get("text", "") for block in said))


@given(target=targets, data=any_history, format=formats, to=st.sampled_from((None, "request")))
def test_nothing_vanishes_without_a_change_that_names_it(target, data, format, to):
    source = data.draw(histories(target.origin))

    outcome = converted(spelled(source, format), target, format, to)

    if outcome is not None:
        left = tokens([json.loads(line) for line in outcome.output.splitlines()])
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


def _unsigned(message):
    said = message["content"]
    blocks = said if isinstance(said, list) else []
    return [{key: value for key, value in block.items() if not key.endswith("Signature")} for block in blocks]


def _author(message):
    api = message.get("api")
    return message.get("provider"), "anthropic-messages" if api == "messages" else api, message.get("model")


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


@given(target=targets, data=any_history, format=formats)
def test_what_another_model_signed_is_not_sent(target, data, format):
    source = data.draw(histories(target.origin))

    outcome = converted(spelled(source, format), target, format, "request")

    foreign = [message for message in source if message["role"] == "assistant" and _author(message) != target.origin]
    words = tokens([_unsigned(message) for message in foreign])
    left = tokens(body(outcome)) if outcome else {}
    assert [token for token in _signatures(foreign) if token in left and token not in words] == []


@given(target=targets, data=any_history, format=formats)
def test_every_call_has_its_one_result_right_behind_its_turn(target, data, format):
    outcome = converted(drawn(data, target, format), target, format, "request")

    assert outcome is None or unpaired(outcome) == []


@given(target=targets, data=any_history, format=formats)
def test_ids_and_names_have_the_form_that_the_target_takes(target, data, format):
    shapes = target.target

    outcome = converted(drawn(data, target, format), target, format, "request")

    calls = [(id, what[0]) for kind, id, what in flat(outcome) if kind == "call"] if outcome else []
    assert [id for id, _ in calls if shapes.call_ids_on_wire and not shapes.call_id.accepts(id)] == []
    assert [name for _, name in calls if not shapes.tool_name.accepts(name)] == []


@given(target=targets, data=any_history, format=formats, to=st.sampled_from((None, "request")))
def test_third_round_of_the_rules_changes_nothing(target, data, format, to):
    source = drawn(data, target, format)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "ROUNDS", 2)
        two = converted(source, target, format, to)
        patch.setattr(passes, "ROUNDS", 9)
        many = converted(source, target, format, to)

    assert (two and two.output) == (many and many.output)
    assert (two and two.report) == (many and many.report)


@given(target=targets, data=any_history, format=formats, as_request=st.booleans())
def test_rules_leave_what_they_are_given_alone(target, data, format, as_request):
    reading = read(drawn(data, target, format), format)
    transcript, _ = next(reading.transcripts)
    before = deepcopy(transcript)

    fit(transcript, target.target, Policy(as_request=as_request))

    assert transcript == before


@given(target=targets, data=any_history, format=formats)
def test_longer_history_extends_the_shorter_one_up_to_its_last_prompt(target, data, format):
    source = data.draw(histories(target.origin))
    prompts = [index for index, message in enumerate(source) if message["role"] == "user" and _texts(message)]
    assume(prompts)
    cut = data.draw(st.sampled_from(prompts))
    asked = {
        block.get("id") for message in source[:cut] if message["role"] == "assistant" for block in message["content"]
    }
    asked |= {message.get("toolCallId") for message in source[: cut + 1]}
    late = {message.get("toolCallId") for message in source[cut:]} - {None}
    assume(late.isdisjoint(asked))  # a late result reaches back
    assume(json.dumps(source).count('"mimeType"') <= FEWEST_MEDIA)  # so does a limit of media
    short = converted(spelled(source[: cut + 1], format), target, format, "request")
    long = converted(spelled(source, format), target, format, "request")
    assume(short is not None and long is not None)

    start = [item for item in flat(short) if item[0] != "end"]
    whole = [item for item in flat(long) if item[0] != "end"]

    assert whole[: len(start) - 1] == start[:-1]
    assert _extends(start[-1], whole[len(start) - 1])


def _extends(prompt, longer):
    """Tell whether a prompt is still there: hosts of plain strings get what follows it in the same text."""
    if prompt == longer:
        return True
    role, _, said = prompt
    return role == longer[0] == "user" and longer[2]["text"].startswith(said["text"] + "\n\n")


@given(target=targets, data=any_history, format=formats)
def test_reports_are_json_for_any_history(target, data, format):
    outcome = converted(drawn(data, target, format), target, format, "request")

    if outcome is not None:
        json.dumps(outcome.report.as_json()).encode()


@given(target=targets, data=any_history, format=formats)
def test_same_input_gives_the_same_bytes(target, data, format):
    source = drawn(data, target, format)

    first, second = (converted(source, target, format, "request") for _ in range(2))

    assert (first and first.output) == (second and second.output)
    assert (first and first.report) == (second and second.report)
