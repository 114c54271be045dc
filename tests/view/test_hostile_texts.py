"""Whatever a transcript holds, a terminal gets inert text."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.cells import cell_len

from segue.changes import Change, Problem, Report
from segue.model import Media, Message, Opaque, Origin, Session, Text, Thinking, Tool, ToolCall, ToolResult, Transcript
from segue_cli.view.diff import print_diff
from segue_cli.view.plain import plain
from segue_cli.view.show import print_transcript
from segue_cli.view.summary import print_summary
from segue_cli.view.verdict import verdict

Drawn = Callable[..., str]
STYLED = re.compile(r"\x1b\[[\d;]*m")
HOSTILE = {
    "escape": "\x1b[2J\x1b[31mred",
    "link": "\x1b]8;;https://example.com\x07click\x1b]8;;\x07",
    "title": "\x1b]0;title\x1b\\",
    "c1": "\x9b31m\x85\x90",
    "bidi": "a\u202eb\u2066c\u2069\u200f\u061c",
    "zero-width": "a\u200bb\u2060c\ufeff\u00ad\u034f\u3164",
    "tags": "a\U000e0041\U000e0042\U000e0100",
    "separators": "a\u2028b\u2029c\r\nd\te\x0bf\x0c",
    "surrogate": "a\ud800b\udfff",
    "nul": "a\x00b\x7f\x08\x08",
    "markup": "[red]x[/red] [link=https://example.com]y[/link] :smile: [/]",
    "accents": "e" + "\u0301" * 5000,
    "wide": "漢字" * 400,
    "long": "x" * 1_000_000,
}
hostile = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())


def _assert_inert(drawn: str) -> None:
    for character in set(STYLED.sub("", drawn)) - {"\n"}:
        assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"), hex(ord(character))
    drawn.encode()


def _hostile_report(report: Report, text: str) -> Report:
    change = Change("downgraded", "some-rule", text, 1, 0, 0, text, text + "b", author=text)
    report.source |= {"path": text, "models": [{"provider": text, "model": text, "turns": 3}]}
    report.target |= {"model": text}
    report.changes = [
        change,
        replace(change, kind="hidden", count=3),
        *(replace(change, what=f"{text}{number}", message=number) for number in range(60)),
        replace(change, message=None, line=None),
    ]
    report.problems = [Problem("some-rule", "error", text, 3, text, text), Problem("some-rule", "note", text)]
    return report


def _hostile_transcript(transcript: Transcript, text: str) -> Transcript:
    content = (Text(text), Media("image", text, url=text, name=text), Opaque(text))
    blocks = (*content, Thinking(text, text), ToolCall(text, text, {text: text}), ToolCall(text, text, text))
    messages = (
        Message("user", content, number=0, time=text),
        Message("assistant", blocks, Origin(text, text, text), text, 1),
        Message("tool", (ToolResult(text, text, content, True), ToolResult(text, "", content)), number=2),
    )
    session = Session(text, id=text)
    return replace(transcript, session=session, messages=messages, system=(Text(text),), tools=(Tool(text),))


@hostile
@pytest.mark.parametrize("printer", [print_diff, print_summary])
@pytest.mark.parametrize("colour", [False, True])
def test_report_is_inert(report: Report, drawn: Drawn, text: str, printer: Callable[..., None], colour: bool) -> None:
    drawn_text = drawn(printer, _hostile_report(report, text), colour=colour)

    _assert_inert(drawn_text)
    assert colour or "\x1b" not in drawn_text


@hostile
@pytest.mark.parametrize("colour", [False, True])
def test_transcript_is_inert(transcript: Transcript, drawn: Drawn, text: str, colour: bool) -> None:
    drawn_text = drawn(print_transcript, _hostile_transcript(transcript, text), colour=colour)

    _assert_inert(drawn_text)
    assert colour or "\x1b" not in drawn_text


@hostile
def test_verdict_is_inert(report: Report, text: str) -> None:
    words = verdict(_hostile_report(report, text))

    _assert_inert(words)


@hostile
def test_plain_text_stays_plain(text: str) -> None:
    once = plain(text)

    assert plain(once) == once


def test_markup_is_shown_as_it_is(transcript: Transcript, drawn: Drawn) -> None:
    text = "[red]x[/red] :smile: [link=y]z[/link]"

    drawn_text = drawn(print_transcript, replace(transcript, messages=(Message("user", (Text(text),)),)), colour=True)

    assert text in drawn_text


def test_no_hostile_line_is_wider_than_the_page(report: Report, drawn: Drawn) -> None:
    for text in HOSTILE.values():
        what = Change("dropped", "some-rule", text, 1, 0, 0, text, text)
        lines = drawn(print_diff, replace(report, changes=[what], problems=[])).split("\n")

        assert max(map(cell_len, lines)) <= 80


def test_a_megabyte_on_one_line_is_drawn_within_a_second(report: Report, transcript: Transcript, drawn: Drawn) -> None:
    started = time.process_time()

    drawn(print_diff, _hostile_report(report, HOSTILE["long"][:1000]))
    drawn(print_transcript, replace(transcript, messages=(Message("user", (Text(HOSTILE["long"]),)),)))

    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31m", "␛[31m"),
        ("a\r\n\tb", "a b"),
        ("\x7f\x9b", "␡\\x9b"),
        ("\u202e\u2066", "\\u202e\\u2066"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("✔\ufe0f ok", "✔ ok"),
        ("👩\u200d💻", "👩💻"),
        ("می\u200cخواهم", "می\\u200cخواهم"),
        ("naïve 日本 – “x”", "naïve 日本 – “x”"),
    ],
)
def test_what_would_act_becomes_visible(text: str, expected: str) -> None:
    shown = plain(text)

    assert shown == expected


def test_every_character_is_either_shown_or_escaped() -> None:
    # Signs that enclose or join visible ones: Unicode files them under format all the same.
    harmless = {*"\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u0890\u0891\u08e2\U000110bd\U000110cd"}
    harmless |= set(map(chr, range(0x13430, 0x13440)))
    categories = ("Cc", "Cf", "Cs", "Zl", "Zp")
    unseen = [character for character in map(chr, range(0x110000)) if unicodedata.category(character) in categories]

    kept = {character for character in unseen if plain(f"a{character}") == f"a{character}"}

    assert kept <= harmless
