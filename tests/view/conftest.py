"""A report and a transcript with one of everything, and the goldens that show how they are drawn.

`SEGUE_ACCEPT=1` writes the goldens anew: read their diff before you commit it.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

from segue.changes import Change, Kind, Problem, Report
from segue.formats._types import Branch
from segue.model import (
    Media,
    Message,
    Opaque,
    Origin,
    Session,
    Source,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    Transcript,
)
from segue_cli.view.console import console

GOLDENS = Path(__file__).parents[2] / "fixtures" / "view"
OPUS = Origin("anthropic", "anthropic-messages", "claude-opus-4-8")


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    def compare(name: str, drawn: str) -> None:
        path = GOLDENS / name
        if os.environ.get("SEGUE_ACCEPT"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(drawn.encode())

        assert drawn == path.read_bytes().decode()

    return compare


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    def draw(printer: Callable[..., None], subject: object, *, width: int = 80, colour: bool = False) -> str:
        if colour:
            monkeypatch.setenv("FORCE_COLOR", "1")
        stream = io.StringIO()
        printer(subject, console(stream, width=width))
        return stream.getvalue()

    return draw


@pytest.fixture
def report() -> Report:
    models = [("claude-opus-4-8", 61), ("claude-sonnet-4-6", 4)]
    awaits = "the history ends on the assistant: the target needs a user turn next; --prompt adds it"
    return Report(
        "0.1.0",
        source={
            "path": "sessions/2026/refactor.jsonl",
            "format": "claude-code",
            "session": "0b1f6a9e",
            "messages": 314,
            "models": [
                {"provider": "anthropic", "api": "anthropic-messages", "model": model, "turns": turns}
                for model, turns in models
            ],
        },
        target={"provider": "openai", "api": "openai-responses", "model": "gpt-5.2"},
        output={"format": "openai-responses", "messages": 275},
        changes=[*_different_changes(), *_same_changes(60)],
        problems=[
            Problem("awaits-prompt", "note", awaits, 313, "/input/312"),
            Problem("image-size", "warning", "some hosts refuse images above 5 MB", 3, "/input/2/content/1"),
        ],
        fit={"tokens": 51200, "method": "estimate", "context_window": 400000, "fits": True},
        exit=1,
    )


def _different_changes() -> list[Change]:
    opus = "assistant · claude-opus-4-8"
    thought = "The failing test expects the cookie to be set before the redirect, so the middleware comes first."
    name = "日本語の長い名前"
    return [
        Change("hidden", "before-compaction", "hid 38 messages before the compaction boundary", 1, 0, count=38),
        Change("hidden", "sidechain", "messages of a side chain", 12, count=1204),
        Change("dropped", "damaged-record", "dropped a line that is no JSON", 3, before='{"type": "user", "mess'),
        _change("downgraded foreign-thinking", "turned thinking into text", 417, 112, 0, thought, thought, opus),
        _change("downgraded foreign-signature", "took a text's signature", 417, 112, 1, "EqQBCkYIBxgCKkBk1v0G+o0g"),
        _change("rewritten call-id-shape", "gave call 'f:0' (Bash) another id", 417, 112, 2, "f:0", "f_0_3f9a"),
        _change(
            "downgraded unsupported-media",
            "replaced an image by a placeholder: the model sees no images",
            *(418, 113, 0, "image/png, 212 kB", "(image omitted: model does not support images)", "result of Bash"),
        ),
        _change(
            *("dropped aborted-turn", "dropped a turn that failed: 'Overloaded'", 431, 119),
            author="assistant · claude-sonnet-4-6",
        ),
        _change(
            "dropped aborted-turn",
            "dropped the result of call 'toolu_01KdQ9vXW3' (Read), which went with its turn",
            *(432, 120, 0, "1  use std::io;", None, "result of Read"),
        ),
        _change(
            "synthesized missing-tool-result",
            "synthesized an error result for call 'toolu_9' (Bash)",
            *(517, 140, 0, None, "No result provided", opus),
        ),
        _change("rewritten consecutive-role", "joined two user messages", 520, 141, author="user"),
        _change("downgraded tool-name-shape", "cut a name", 521, 142, 0, name * 3, name * 2, opus),
    ]


def _same_changes(turns: int) -> Iterator[Change]:
    opus = "assistant · claude-opus-4-8"
    for turn in range(turns):
        line, message, call = 540 + turn * 41, 150 + turn * 2, turn + 1
        words = f"Step {turn}: now I look at the next file and think about what it means for the fix."
        yield _change("downgraded foreign-thinking", "turned thinking into text", line, message, 0, words, author=opus)
        what = f"gave call 'f:{call}' (Read) another id"
        yield _change("rewritten call-id-shape", what, line, message, 1, f"f:{call}", f"f_{call}_ab12", opus)


def _change(
    named: str,
    what: str,
    line: int,
    message: int,
    block: int | None = None,
    before: str | None = None,
    after: str | None = None,
    author: str | None = None,
) -> Change:
    kind, rule = named.split()
    return Change(cast(Kind, kind), rule, what, line, message, block, before, after, author=author)


@pytest.fixture
def transcript() -> Transcript:
    session = Session("claude-code", id="0b1f6a9e")
    messages = (*_a_turn(), *_marked_messages())
    system, tools = (Text("You are careful.\nBe brief."),), (Tool("Read"), Tool("Bash"))
    return Transcript(session, messages, Source(b"", (), messages), system, tools)


def _a_turn() -> Iterator[Message]:
    words = 'Please read `src/main.rs`:\n\n  fn main() {\n\tprintln!("[red]hi[/red]");\n  }'
    picture = Media("image", "image/png", data="A" * 284000)
    yield Message("user", (Text(words), picture), number=0, line=2, time="2026-03-01T12:34:56.789Z")

    thought = "The user wants to know why the test fails. I should read the file first, then run the test and compare."
    command = "cargo test --all-features -- --nocapture 2>&1 | tail -n 50\n" + "git status --short && " * 12
    read = ToolCall("toolu_1", "Read", {"file_path": "src/main.rs"})
    bash = ToolCall("toolu_2", "Bash", {"command": command})
    blocks = (Thinking(thought, "s" * 344), Text("I read it."), read, bash)
    yield Message("assistant", blocks, OPUS, "toolUse", number=1, line=4, time=1772368500000)

    listing = "\n".join(f"{number}\tlet line = {number};" for number in range(1, 353))
    failure = (Text("error \x1b[31mE0308\x1b[0m"), Media("image", "image/png", data="A" * 2840, name="shot.png"))
    results = (ToolResult("toolu_1", "Read", (Text(listing),)), ToolResult("toolu_2", "Bash", failure, is_error=True))
    yield Message("tool", results, number=2, line=5)

    answer = (Thinking("", "s" * 900), Text("日本語のテキスト。" * 12))
    yield Message("assistant", answer, OPUS, "error", number=3, line=6)


def _marked_messages() -> Iterator[Message]:
    yield Message("user", (), number=4, line=7, marks=frozenset({"compaction-boundary"}))
    yield Message("user", (Text("Goals so far: …"),), number=5, line=8, marks=frozenset({"compaction-summary"}))
    unsent = (Text("<stdout/>"), Opaque("tool_reference"))
    yield Message("user", unsent, number=6, line=9, marks=frozenset({"virtual", "meta"}))
    refusal = (
        Thinking("", "s" * 90, redacted=True),
        Text("I cannot.", refusal=True),
        ToolCall("x", "Edit", '{"broken'),
    )
    yield Message("assistant", refusal, OPUS)


@pytest.fixture
def branches() -> tuple[Branch, ...]:
    ids = [f"{number}f1c9a52-7d0e-4b6f-9a53-c2f4e18d90b{number}" for number in range(5)]
    fork = {
        "leaves": ids[0],
        "fork_line": 1204,
        "fork_prompt": "Please read `src/main.rs`\nand tell me \x1b[31mwhy\x1b[0m",
    }
    times = {"begins": "2026-03-01T12:34:56.789Z", "ends": "2026-03-02T09:01:02.003Z"}
    day = {"begins": "2026-03-01T12:34:56.789Z", "ends": "2026-03-01T12:59:00.003Z"}
    return (
        Branch(ids[0], 9120, True, 4210, 48_213_004, 4210, 181_204, age=0.0, prompt="Why does it fail?", **times),
        Branch(ids[1], 9011, False, 1, 411, 3950, 170_002, age=95.0, prompt="日本語" * 40, answered=False, **fork),
        Branch(ids[2], 388, False, 12, 20_480, 131, 9_100, age=11_000.0, is_compacted=True, **fork, **day),
        Branch(ids[3], 12, False, 3, 5_000, 3, 800, age=2_000_000.0, prompt="Another beginning", **times),
        Branch(ids[4], 500, False, 1, 999, 1, 10, is_subagent=True, prompt="Search", answered=False),
    )
