"""Settings of a request that another model does not take are put right, and the body is accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from running import Run

CLAUDE = {"model": "claude-haiku-4-5", "max_tokens": 9000, "messages": [{"role": "user", "content": "Which port?"}]}
CHAT = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Which port?"}]}
RESPONSES = {"model": "gpt-4.1", "input": [{"role": "user", "content": "Which port?"}]}
TOOL = {"name": "read", "input_schema": {"type": "object"}}


@pytest.mark.parametrize(
    ("body", "model", "api", "left"),
    [
        (CLAUDE | {"temperature": 1, "top_p": 0.9}, "anthropic/claude-opus-4-8", None, {}),
        (CLAUDE | {"temperature": 0.2}, "anthropic/claude-sonnet-5", None, {}),
        (CLAUDE | {"temperature": 1}, "anthropic/claude-sonnet-5", None, {"temperature": 1}),
        (CLAUDE | {"temperature": 0.2, "top_p": 0.9}, "anthropic/claude-sonnet-4-5", None, {"temperature": 0.2}),
        (
            CLAUDE | {"thinking": {"type": "enabled", "budget_tokens": 2048, "display": "omitted"}},
            "anthropic/claude-opus-4-8",
            None,
            {"thinking": {"display": "omitted", "type": "adaptive"}},
        ),
        (CLAUDE | {"thinking": {"type": "disabled"}}, "anthropic/claude-fable-5", None, {}),
        (CLAUDE | {"output_config": {"effort": "xhigh"}}, "anthropic/claude-opus-4-6", None, {}),
        (
            CLAUDE | {"tools": [TOOL], "tool_choice": {"type": "tool", "name": "read"}},
            "anthropic/claude-opus-5-5",
            None,
            {"tools": [TOOL], "tool_choice": {"type": "auto"}},
        ),
        (RESPONSES | {"temperature": 0.2}, "openai/gpt-5.5", None, {}),
        (RESPONSES | {"temperature": 0.2}, "openai/gpt-5.2", None, {"temperature": 0.2}),
        (RESPONSES | {"reasoning": {"effort": "none"}}, "openai/gpt-5", None, {"reasoning": {"effort": "minimal"}}),
        (CHAT | {"max_tokens": 100}, "openai/gpt-5.2", "chat", {"max_completion_tokens": 100}),
        (CHAT | {"max_tokens": 100}, "openai/gpt-4o-mini", "chat", {"max_tokens": 100}),
    ],
)
def test_refused_settings_go_and_the_body_is_accepted(
    segue: Run, body: dict[str, Any], model: str, api: str | None, left: dict[str, Any]
) -> None:
    words = ("--api", api) if api else ()

    ended = segue("convert", "-m", model, *words, "--report", "json", given=json.dumps(body).encode())

    written = json.loads(ended.out)
    assert ended.code == 0
    for key in ("model", "max_tokens", "messages", "input"):
        if key not in left:
            written.pop(key, None)
    assert written == left
    again = segue("lint", "-m", model, *words, "-q", given=ended.out)
    assert again.code == 0


def test_put_right_settings_are_told(segue: Run) -> None:
    given = json.dumps(CLAUDE | {"temperature": 0.2}).encode() + b"\n"

    ended = segue("convert", "-m", "anthropic/claude-opus-4-8", "--report", "json", given=given)

    (change,) = json.loads(ended.err)["changes"]
    assert (change["kind"], change["rule"], change["before"]) == ("rewritten", "request-setting", "0.2")


def test_settings_that_the_model_takes_leave_the_bytes_alone(segue: Run) -> None:
    given = (
        b'{"model":"claude-haiku-4-5","temperature": 0.2,"max_tokens":10,"messages":[{"role":"user","content":"Hi"}]}\n'
    )

    ended = segue("convert", "-m", "same", given=given)

    assert ended.out == given


def test_choice_of_a_tool_keeps_up_with_its_new_name(segue: Run) -> None:
    function = {"name": "read.file", "parameters": {"type": "object", "properties": {}}}
    choice = {"type": "function", "function": {"name": "read.file"}}
    body = CHAT | {"tools": [{"type": "function", "function": function}], "tool_choice": choice}

    ended = segue("convert", "-m", "openai/gpt-4.1", "--api", "openai-chat", given=json.dumps(body).encode())

    assert ended.code == 0
    assert json.loads(ended.out)["tool_choice"]["function"]["name"] == "read_file"


def test_thinking_goes_off_where_open_calls_lost_theirs(segue: Run) -> None:
    calls = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a:1", "name": "read", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a:1", "content": "80"}]},
    ]
    thinking = {"type": "enabled", "budget_tokens": 2048}
    body = CLAUDE | {"tools": [TOOL], "thinking": thinking, "messages": [*CLAUDE["messages"], *calls]}

    ended = segue("convert", "-m", "anthropic/claude-haiku-4-5", given=json.dumps(body).encode())

    assert ended.code == 0
    assert "thinking" not in json.loads(ended.out)


def test_tools_on_chat_switch_the_effort_off_where_only_so_they_are_taken(segue: Run) -> None:
    function = {"name": "read", "parameters": {"type": "object", "properties": {}}}
    body = CHAT | {"tools": [{"type": "function", "function": function}]}

    ended = segue("convert", "-m", "openai/gpt-5.6-sol", "--api", "openai-chat", given=json.dumps(body).encode())

    assert ended.code == 0
    assert json.loads(ended.out)["reasoning_effort"] == "none"
