"""What the options do to a result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from running import SESSIONS, Run

CHAT = ("-m", "openai/gpt-4o", "--api", "openai-completions", "--report", "none")
CLAUDE = ("-m", "anthropic/claude-opus-4-8", "-t", "request", "--report", "none")
SCHEMA = {"type": "object", "properties": {"tea": {"type": "string"}}}
TOOLS: dict[str, Any] = {
    "anthropic": [{"name": "brew", "description": "Brew a tea.", "input_schema": SCHEMA}],
    "openai chat": [
        {"type": "function", "function": {"name": "brew", "description": "Brew a tea.", "parameters": SCHEMA}}
    ],
    "openai responses": [{"type": "function", "name": "brew", "description": "Brew a tea.", "parameters": SCHEMA}],
    "gemini": [{"functionDeclarations": [{"name": "brew", "description": "Brew a tea.", "parameters": SCHEMA}]}],
}


@pytest.mark.parametrize("shape", TOOLS)
@pytest.mark.parametrize("whole", [False, True], ids=["list", "body"])
def test_tools_are_taken_in_every_shape(segue: Run, chat: bytes, tmp_path: Path, shape: str, whole: bool) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"tools": TOOLS[shape]} if whole else TOOLS[shape]))

    ended = segue("convert", *CLAUDE, "--tools", path, given=chat)

    assert json.loads(ended.out)["tools"] == [{"name": "brew", "description": "Brew a tea.", "input_schema": SCHEMA}]


def test_tools_overrule_those_of_the_source(segue: Run, tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(TOOLS["openai chat"]))
    body = SESSIONS / "anthropic-messages" / "texts-and-lists.json"

    ended = segue("convert", body, *CHAT, "-t", "request", "--tools", path)

    assert [tool["function"]["name"] for tool in json.loads(ended.out)["tools"]] == ["brew"]


@pytest.mark.parametrize("content", ["no json", "{}", "[1]", '[{"name": 3}]'])
def test_file_without_tools_is_told(segue: Run, chat: bytes, tmp_path: Path, content: str) -> None:
    path = tmp_path / "tools.json"
    path.write_text(content)

    ended = segue("convert", *CLAUDE, "--tools", path, given=chat)

    assert (ended.code, ended.out) == (2, b"")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (CLAUDE, {"system": "Be brief."}),
        (CHAT, {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]}),
    ],
    ids=["claude", "chat"],
)
def test_system_prompt_is_put_where_the_api_wants_it(
    segue: Run, chat: bytes, tmp_path: Path, target: tuple[str, ...], said: dict[str, Any]
) -> None:
    path = tmp_path / "system.txt"
    path.write_bytes(b"\xef\xbb\xbfBe brief.")

    body = json.loads(segue("convert", *target, "--system", path, given=chat).out)

    assert {key: body[key] for key in said} == said


def test_system_prompt_overrules_that_of_the_source(segue: Run, tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_text("Be long.")
    body = SESSIONS / "anthropic-messages" / "texts-and-lists.json"

    ended = segue("convert", body, *CLAUDE, "--system", path)

    assert json.loads(ended.out)["system"] == "Be long."


def test_prompt_is_added_at_the_end(segue: Run) -> None:
    session = SESSIONS / "claude-code" / "rewind.jsonl"

    without = json.loads(segue("convert", session, *CLAUDE).out)
    ended = json.loads(segue("convert", session, *CLAUDE, "--prompt", "And tea?").out)

    assert ended["messages"] == [*without["messages"], {"role": "user", "content": "And tea?"}]


def test_prompt_settles_what_the_target_waits_for(segue: Run) -> None:
    session = SESSIONS / "claude-code" / "rewind.jsonl"
    options = ("-m", "anthropic/claude-opus-4-8", "--report", "json")

    without = json.loads(segue("check", session, *options).out)
    ended = json.loads(segue("check", session, *options, "--prompt", "And tea?").out)

    assert [problem["rule"] for problem in without["problems"]] == ["awaits-prompt"]
    assert ended["problems"] == []


def test_leaf_chooses_a_branch(segue: Run) -> None:
    session = SESSIONS / "claude-code" / "rewind.jsonl"
    tip = json.loads(session.read_bytes().splitlines()[3])["uuid"]

    ended = segue("convert", session, *CLAUDE, "--leaf", tip)

    assert json.loads(ended.out)["messages"][-1] == {"role": "assistant", "content": "The samovar."}


def test_unknown_leaf_is_told(segue: Run, demo: Path) -> None:
    ended = segue("convert", demo, *CLAUDE, "--leaf", "nowhere")

    assert (ended.code, ended.out) == (2, b"")
    assert "'nowhere'" in ended.err


def test_source_model_says_who_wrote_the_turns(segue: Run) -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "EqQBCkYIBRgCKkBzaWduYXR1cmU="}
    messages = [
        {"role": "user", "content": "Well?"},
        {"role": "assistant", "content": [thinking, {"type": "text", "text": "Yes."}]},
        {"role": "user", "content": "Good."},
    ]
    data = json.dumps(messages).encode() + b"\n"

    unknown = json.loads(segue("convert", *CLAUDE, given=data).out)
    known = json.loads(segue("convert", *CLAUDE, "--source-model", "anthropic/claude-opus-4-8", given=data).out)

    assert unknown["messages"][1]["content"][0] == {"type": "text", "text": "Hm."}
    assert known["messages"][1]["content"][0] == thinking


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("text", ["user", "assistant"]),
        ("drop", ["user", "assistant"]),
    ],
)
def test_orphan_results_go_as_it_was_asked(segue: Run, choice: str, words: list[str]) -> None:
    session = SESSIONS / "claude-code" / "orphan-result.jsonl"

    ended = segue("convert", session, *CLAUDE, "--orphan-results", choice)

    assert [message["role"] for message in json.loads(ended.out)["messages"]] == words
    assert (b"steeped" in ended.out) is (choice == "text")


def test_data_set_goes_in_and_out_line_by_line(segue: Run) -> None:
    lines = b"".join(b'{"messages":[{"role":"user","content":"%d"}]}\n' % number for number in range(3))

    same = segue("convert", *CHAT, given=lines)
    other = segue("convert", *CLAUDE, given=lines)

    assert same.out == lines
    assert [json.loads(line)["messages"][0]["content"] for line in other.out.splitlines()] == ["0", "1", "2"]


def test_data_set_cannot_be_one_session(segue: Run) -> None:
    lines = b'{"messages":[{"role":"user","content":"1"}]}\n' * 2

    ended = segue("convert", *CHAT, "-t", "claude-code", given=lines)

    assert (ended.code, ended.out) == (2, b"")
    assert "2 conversations" in ended.err


def test_model_that_nobody_knows_is_usable_by_its_api(segue: Run, chat: bytes) -> None:
    ended = segue(
        "convert", "-m", "acme/tea-1", "--api", "openai-chat", "-t", "request", "--report", "json", given=chat
    )

    report = json.loads(ended.err)
    assert json.loads(ended.out)["model"] == "tea-1"
    assert [problem["rule"] for problem in report["problems"]] == ["unknown-model"]
