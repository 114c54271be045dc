"""The verdict in words."""

from __future__ import annotations

from typing import Any

import pytest

from segue.changes import Change, Problem, Report
from segue_cli.view.verdict import verdict

TARGET = {"provider": "openai", "api": "openai-responses", "model": "gpt-5.2"}
FITS = {"tokens": 51200, "method": "estimate", "context_window": 400000, "fits": True}
ACCEPTED = "accepted by openai/gpt-5.2"
TOO_LONG = "does not fit openai/gpt-5.2"
LOSS = Change("dropped", "aborted-turn", "dropped a turn")
REWRITE = Change("rewritten", "call-id-shape", "gave a call another id")
ERROR = Problem("ends-on-assistant", "error", "the body ends on the assistant")


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, f"{ACCEPTED} · nothing changed"),
        (
            {"changes": [REWRITE], "fit": FITS},
            f"{ACCEPTED} · about 51,200 of 400,000 tokens · nothing lost",
        ),
        ({"changes": [LOSS], "fit": FITS}, f"{ACCEPTED} · about 51,200 of 400,000 tokens · with loss"),
        ({"fit": {"tokens": 9, "method": "count"}}, f"{ACCEPTED} · 9 tokens · nothing changed"),
        (
            {"changes": [LOSS], "fit": FITS | {"tokens": 412000, "fits": False}},
            f"{TOO_LONG}: about 412,000 tokens, window 400,000 · with loss",
        ),
        ({"problems": [ERROR], "exit": 4}, "would be refused by openai/gpt-5.2: the body ends on the assistant"),
        (
            {"problems": [ERROR, ERROR, ERROR], "fit": FITS | {"fits": False}, "exit": 4},
            "would be refused by openai/gpt-5.2: the body ends on the assistant, and 2 more"
            " · does not fit: about 51,200 tokens, window 400,000",
        ),
        ({"exit": 4}, "would be refused by openai/gpt-5.2"),
        ({"target": {"api": "openai-responses"}}, "accepted by openai-responses · nothing changed"),
        (
            {"fit": {"fits": False, "context_window": 8192}},
            "does not fit openai/gpt-5.2: window 8,192 · nothing changed",
        ),
    ],
)
def test_verdict_says_it_in_words(more: dict[str, Any], expected: str) -> None:
    report = Report("0.1.0", **({"target": TARGET} | more))

    words = verdict(report)

    assert words == expected
