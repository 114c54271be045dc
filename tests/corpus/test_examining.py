"""An examination sees a crash, a refusal and a second run that is not silent."""

import json

import examining
import pytest
from examining import TARGETS, examine

SESSION = b"".join(
    json.dumps(line).encode() + b"\n"
    for line in (
        {"type": "user", "uuid": "1", "parentUuid": None, "sessionId": "s", "isSidechain": False,
         "timestamp": "2026-01-01T10:00:00.000Z", "message": {"role": "user", "content": "one"}},
        {"type": "assistant", "uuid": "2", "parentUuid": "1", "sessionId": "s", "isSidechain": False,
         "timestamp": "2026-01-01T10:00:01.000Z", "message": {"id": "msg_1", "role": "assistant",
         "model": "claude-opus-4-5", "content": [{"type": "text", "text": "two"}]}},
    )
)  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_sound_session_has_no_faults(target):
    examination = examine(SESSION, TARGETS[target])

    assert examination.faults == []
    assert examination.report is not None


def test_file_that_is_no_session_is_excused():
    examination = examine(b"words\n", TARGETS["same"])

    assert examination.faults == []
    assert examination.excuse


def test_crash_is_a_fault(monkeypatch):
    def convert(data, options):
        raise KeyError("uuid")

    monkeypatch.setattr(examining, "convert", convert)

    assert examine(SESSION, TARGETS["same"]).crashed


def test_output_that_changes_again_is_a_fault(monkeypatch):
    convert = examining.convert

    def growing(data, options):
        outcome = convert(data, options)
        outcome.output += b"\n"
        return outcome

    monkeypatch.setattr(examining, "convert", growing)

    assert examine(SESSION, TARGETS["same"]).unstable


def test_body_without_the_prompt_or_with_a_fault_is_seen(monkeypatch):
    convert = examining.convert

    def spoiling(data, options):
        outcome = convert(data, options)
        outcome.output = outcome.output.replace(b'"one"', b'" "')
        return outcome

    monkeypatch.setattr(examining, "convert", spoiling)
    examination = examine(SESSION, TARGETS["same-request"])

    assert examination.lost
    assert examination.broken
    assert examination.refused
