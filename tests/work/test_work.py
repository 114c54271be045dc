"""How much work a run does, counted and not timed: rules entered, JSON parsed, bytes copied, calls made."""

import gc
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import orjson
import pytest

import segue
from segue import Options, convert, passes
from segue.formats import _tree
from segue.model import Message, Transcript
from segue.passes import ORDER, rule_name
from segue.passes.examples import example_of

GENERATOR = Path(__file__).parents[2] / "bench" / "generate.py"
SPEC = spec_from_file_location("generate", GENERATOR)
generate = module_from_spec(SPEC)
SPEC.loader.exec_module(generate)

SESSION = generate.claude_code(60_000)
MESSAGES = generate.pi_messages(60_000, models=(generate.CLAUDE,))
ALONE = [rule for rule in ORDER if getattr(rule, "ALONE", False)]


@pytest.fixture
def entered(monkeypatch):
    """Count how often each rule is entered."""
    counts = Counter()
    run_rule = passes.run_rule

    def counting(rule, *rest):
        counts[rule_name(rule)] += 1
        return run_rule(rule, *rest)

    monkeypatch.setattr(passes, "run_rule", counting)
    return counts


@pytest.fixture
def parsed(monkeypatch):
    """Collect how many bytes each parse is given."""
    sizes = []
    loads = orjson.loads

    def counting(text):
        sizes.append(len(text))
        return loads(text)

    monkeypatch.setattr(orjson, "loads", counting)
    return sizes


@pytest.mark.parametrize("data", [SESSION, MESSAGES], ids=["claude-code", "pi-messages"])
def test_clean_history_enters_each_rule_once(data, entered):
    outcome = convert(data, Options(model="same"))

    assert outcome.output == data
    assert max(entered.values()) == 1
    assert len(entered) < len(ORDER)


def test_rules_without_anything_to_find_are_not_entered(entered):
    data = b'[{"role": "user", "content": [{"type": "text", "text": "hello"}], "timestamp": 1}]\n'

    convert(data, Options(model="openai/gpt-5.2"))

    # What needs no assistant, no call, no result, no thinking and no medium.
    assert set(entered) <= {
        "unsendable-character", "foreign-signature", "stray-key", "blank-text", "item-id", "empty-turn",
        "leading-assistant", "consecutive-role", "cache-mark", "bound-thinking",
    }  # fmt: skip


def test_second_round_passes_over_rules_that_have_seen_every_message(entered):
    convert(SESSION, Options(model="openai/gpt-5.2", to="request"))

    # Once on all messages, once on the changed ones; rules that look at one message after the other are never entered
    # a third time, for a third round is not needed.
    assert max(entered.values()) <= 2
    assert entered["redacted-thinking"] == 1


@pytest.mark.parametrize("rule", ALONE, ids=rule_name)
@pytest.mark.parametrize("source", ORDER, ids=rule_name)
def test_rule_that_judges_messages_alone_finds_the_same_in_each_of_them(rule, source):
    example = example_of(source)
    target, policy = example.target, example.policy

    after, changes = passes.run_rule(rule, example.before, target, policy)
    singly = [
        passes.run_rule(rule, replace(example.before, messages=(message,)), target, policy)
        for message in example.before.messages
    ]

    assert changes == [change for _, of_message in singly for change in of_message]
    assert after.messages == tuple(message for history, _ in singly for message in history.messages)


def test_unchanged_session_is_parsed_once(parsed):
    convert(SESSION, Options(model="same"))

    first_line = len(SESSION.split(b"\n", 1)[0])
    assert sum(parsed) <= len(SESSION) + first_line


def test_request_parses_the_source_and_the_result_once_each(parsed):
    outcome = convert(SESSION, Options(model="openai/gpt-5.2", to="request"))

    # Twice: the first line, to tell the layout, and the texts that arguments are.
    first_line = len(SESSION.split(b"\n", 1)[0])
    assert sum(parsed) <= len(SESSION) + first_line + 1.2 * len(outcome.output)


def test_unchanged_session_is_copied_in_one_piece(monkeypatch):
    pieces = []
    written_lines = _tree.written_lines

    def noting(*given):
        pieces.extend(written_lines(*given))
        return pieces

    monkeypatch.setattr("segue.formats._claude_writing.written_lines", noting)

    convert(SESSION, Options(model="same"))

    assert pieces == [SESSION.rstrip(b"\n")]


@pytest.mark.parametrize("target", ["openai/gpt-5.2", "anthropic/claude-opus-4-8", "same"])
@pytest.mark.parametrize("make", [generate.parallel_calls, generate.tiny_messages], ids=["calls", "messages"])
def test_twice_the_history_makes_twice_the_calls(make, target):
    once = calls_made(make(200), target)
    twice = calls_made(make(400), target)

    assert twice < 2.2 * once


def calls_made(data, target):
    """Count the calls, of Python's own functions too, that a run makes."""
    count = 0

    def counting(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counting)
    try:
        convert(data, Options(model=target, to="request", force=True))
    finally:
        sys.setprofile(None)
    return count


def test_version_starts_without_what_it_does_not_need():
    program = (
        "import sys; from segue_cli.main import run; run(['--version']); "
        "print([name for name in sys.modules if name.startswith(('segue.', 'rich', 'pydantic', 'orjson'))])"
    )

    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert found.stdout.splitlines()[-1] == "['segue.__about__']"


def test_every_public_name_has_a_home():
    found = {name: getattr(segue, name) for name in segue.__all__}

    assert {name for names in segue._HOMES.values() for name in names} | {"__version__"} == found.keys()


def test_transcript_is_let_go_before_its_output_is_parsed(monkeypatch):
    def made():
        return {id(found) for found in gc.get_objects() if type(found) in (Transcript, Message)}

    before = made()
    alive = set()

    def noting(*given):
        alive.update(made() - before)
        return iter(())

    monkeypatch.setattr("segue.pipeline.judged", noting)

    convert(SESSION, Options(model="openai/gpt-5.2", to="request"))

    # The reader's loop still holds the message that it read last.
    assert len(alive) <= 1
