"""Names that are not known, help, lists, and what `explain` and `show` say."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import Run

from segue import __about__
from segue.formats import FORMATS
from segue.passes import ORDER, rule_name
from segue.targets.catalogue import APIS
from segue.told import TABLES

COMMANDS = ("convert", "check", "show", "explain", "rules", "formats")


@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [
        (("-m", "openai/gtp-5.2"), "openai/gpt-5.2"),
        (("-m", "claude-opus-4-8"), "anthropic/claude-opus-4-8"),
        (("-m", "openai/gpt-4o", "-t", "claud-code"), "claude-code"),
        (("-m", "openai/gpt-4o", "-f", "openai-chats"), "openai-chat"),
        (("-m", "openai/gpt-4o", "--api", "openai-completion"), "openai-completions"),
        (("-m", "openai/gpt-4o", "--fail-on", "drop"), "dropped"),
        (("-m", "openai/gpt-4o", "--thinkin", "drop"), "--thinking"),
        (("-m", "openai/gpt-4o", "--report", "jsn"), "json"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_unknown_name_is_told_with_the_nearest(
    segue: Run, chat: bytes, arguments: tuple[str, ...], nearest: str
) -> None:
    ended = segue("convert", *arguments, given=chat)

    assert ended.code == 2
    assert arguments[-1].removesuffix("drop") in ended.err or arguments[-2] in ended.err
    assert nearest in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("call-id-shap", "call-id-shape"), ("claude-cod", "claude-code"), ("openai/gtp-5.2", "openai/gpt-5.2")],
)
def test_unknown_name_to_explain_is_told_with_the_nearest(segue: Run, name: str, nearest: str) -> None:
    ended = segue("explain", name)

    assert ended.code == 2
    assert repr(name) in ended.err and nearest in ended.err
    assert ended.err.count("\n") == 1


def test_unknown_command_is_told_with_the_nearest(segue: Run) -> None:
    ended = segue("converts")

    assert ended.code == 2
    assert "'converts'" in ended.err and "convert" in ended.err


def test_version_says_the_date_of_the_catalogue(process: Run) -> None:
    ended = process("--version")

    assert (ended.code, ended.err) == (0, "")
    assert __about__.__version__ in ended.out.decode() and __about__.CATALOGUE_DATE in ended.out.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_help_tells_what_a_command_does(segue: Run, command: str) -> None:
    ended = segue(command, "--help")

    assert (ended.code, ended.err) == (0, "")
    assert ended.out.decode().startswith(f"Usage: segue {command}")
    assert max(map(len, ended.out.decode().splitlines())) <= 100


def test_help_lists_every_command(segue: Run) -> None:
    ended = segue("--help")

    assert ended.code == 0
    assert all(f"  {command} " in ended.out.decode() for command in COMMANDS)


@pytest.mark.parametrize("name", [rule_name(rule) for rule in ORDER])
def test_explain_tells_every_rule_with_its_example(segue: Run, name: str) -> None:
    ended = segue("explain", name)

    words = ended.out.decode()
    assert ended.code == 0
    assert words.startswith(f"{name}\n") and "Example, for " in words and "→" in words


@pytest.mark.parametrize("name", [*(known.name for known in FORMATS), *APIS, "openai/gpt-5.2", "openai-completions"])
def test_explain_tells_formats_apis_and_models(segue: Run, name: str) -> None:
    ended = segue("explain", name)

    assert (ended.code, ended.err) == (0, "")
    assert name in ended.out.decode()


def test_rules_are_listed_in_their_order(segue: Run) -> None:
    lines = segue("rules").out.decode().splitlines()

    names = [line.split()[0] for line in lines if line.startswith("  ")]

    beside = [name for table in TABLES.values() for name in table]
    assert names == [rule_name(rule) for rule in ORDER] + beside


def test_what_reports_say_beside_the_rules_is_explained(segue: Run) -> None:
    for table in TABLES.values():
        for name, sentence in table.items():
            assert sentence in segue("explain", name).out.decode()


def test_formats_are_listed_with_what_they_are(segue: Run) -> None:
    lines = segue("formats").out.decode().splitlines()

    assert [line.split()[0] for line in lines] == [known.name for known in FORMATS]


def test_show_reads_as_a_person(segue: Run, demo: Path) -> None:
    ended = segue("show", demo)

    words = ended.out.decode()
    assert (ended.code, ended.err) == (0, "")
    assert words.index("German customers") < words.index("ISO, as in the mails") < words.index("Done: the export")
    assert "Use the customer's locale" not in words
    assert "\x1b" not in words
