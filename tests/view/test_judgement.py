"""A judgement is drawn in the order of the body, folded where it is long, and inert."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pytest
from rich.cells import cell_len
from test_hostile_texts import HOSTILE

from segue.changes import Problem
from segue.linting import Judgement
from segue_cli.view.judgement import print_judgement, print_judgement_summary

Drawn = Callable[..., str]
Golden = Callable[[str, str], None]
STYLED = re.compile(r"\x1b\[[\d;]*m")
both = pytest.mark.parametrize("printer", [print_judgement, print_judgement_summary])


def judgement_of(*problems: Problem) -> Judgement:
    source = {"path": "body.json", "format": "anthropic-messages", "bodies": 1, "messages": 12}
    target = {"provider": "anthropic", "api": "anthropic-messages", "model": "claude-sonnet-4-6"}
    return Judgement("0.1.0", source, target, list(problems))


def several() -> Judgement:
    unanswered = "call 'toolu_1' (Bash) has no result directly behind its turn"
    says = "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."
    call = '{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "cargo test"}}'
    blank = "messages: text content blocks must be non-empty"
    texts = (
        Problem("blank-text", "error", "a text block is empty", n, f"/messages/{n}/content/0/text", blank, '""')
        for n in range(4, 400)
    )
    return judgement_of(
        Problem("max-tokens", "error", "max_tokens is 9,999,999", None, "/max_tokens", "max_tokens: 9999999 > 128000"),
        Problem("call-without-result", "error", unanswered, 3, "/messages/3/content/1", says, call),
        *texts,
        Problem(
            "long-call-id", "warning", "the call id has 65 characters, more than 64", 401, "/messages/401/content/0"
        ),
        Problem("unknown-model", "note", "no known model is named"),
    )


@pytest.mark.parametrize("width", [80, 200])
def test_judgement_looks_as_approved(drawn: Drawn, golden: Golden, width: int) -> None:
    text = drawn(print_judgement, several(), width=width)

    golden(f"judgement-{width}.txt", text)


def test_judgement_in_colour_looks_as_approved(drawn: Drawn, golden: Golden) -> None:
    text = drawn(print_judgement, several(), colour=True)

    golden("judgement-80-colour.txt", text)


def test_summary_looks_as_approved(drawn: Drawn, golden: Golden) -> None:
    text = drawn(print_judgement_summary, several())

    golden("judgement-summary-80.txt", text)


@both
def test_colour_adds_nothing_but_styles(drawn: Drawn, printer: Callable[..., None]) -> None:
    plain_text = drawn(printer, several())
    coloured = drawn(printer, several(), colour=True)

    assert STYLED.search(coloured)
    assert STYLED.sub("", coloured) == plain_text


@both
@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_page(drawn: Drawn, printer: Callable[..., None], width: int) -> None:
    lines = drawn(printer, several(), width=width).split("\n")

    assert max(map(cell_len, lines)) <= width


@both
@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_judgement_is_inert(drawn: Drawn, printer: Callable[..., None], text: str, colour: bool) -> None:
    judgement = judgement_of(*(Problem(text, "error", text, None, f"/{text}", text, text) for _ in range(3)))
    judgement.source |= {"path": text}
    judgement.target |= {"model": text}

    told = drawn(printer, judgement, colour=colour)

    for character in set(STYLED.sub("", told)) - {"\n"}:
        assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"), hex(ord(character))
    told.encode()


def test_several_bodies_are_told_apart(drawn: Drawn) -> None:
    judgement = judgement_of(
        Problem("blank-text", "error", "a text block is empty", 0, "1:/messages/0/content"),
        Problem("blank-text", "error", "a text block is empty", 0, "7:/messages/0/content"),
    )
    judgement.source |= {"bodies": 9}

    told = drawn(print_judgement, judgement)

    assert "9 bodies" in told
    assert "  line 1  #0\n" in told
    assert "  line 7  #0\n" in told
