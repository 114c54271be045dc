"""Data sets: one conversation a line, in and out."""

import json

from segue.options import Options
from segue.pipeline import convert

TURNS = [
    {"role": "user", "content": "one"},
    {"role": "assistant", "content": [{"type": "text", "text": "two"}], "provider": "a", "api": "b", "model": "c"},
]


def lines(*values):
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def test_bare_lists_on_lines_are_conversations_of_their_own():
    source = lines(TURNS, [TURNS[0]])

    outcome = convert(source, Options("openai/gpt-5.2", to="request"))

    bodies = [json.loads(line) for line in outcome.output.splitlines()]
    assert [len(body["input"]) for body in bodies] == [2, 1]
    assert outcome.report.changes == []


def test_bare_lists_on_lines_come_back_byte_for_byte():
    source = lines(TURNS, [TURNS[0]])

    outcome = convert(source, Options("openai/gpt-5.2"))

    assert outcome.output == source


def test_list_among_objects_is_still_damage():
    source = lines(TURNS[0], [TURNS[0]], TURNS[1])

    outcome = convert(source, Options("openai/gpt-5.2", source_format="pi-messages"))

    assert [(change.rule, change.line) for change in outcome.report.changes] == [("damaged-line", 2)]


def test_request_of_a_data_set_line_names_its_model():
    source = lines(
        {"messages": [{"role": "user", "content": "one"}]}, {"messages": [{"role": "user", "content": "two"}]}
    )

    outcome = convert(source, Options("openai/gpt-4o", api="openai-completions", to="request"))

    assert [json.loads(line)["model"] for line in outcome.output.splitlines()] == ["gpt-4o", "gpt-4o"]


def test_settings_and_hosted_tools_of_another_api_are_named():
    tools = [{"type": "web_search_20250305", "name": "web_search"}, {"name": "ls", "input_schema": {"type": "object"}}]
    body = {
        "model": "claude-opus-4-8",
        "max_tokens": 9,
        "tools": tools,
        "messages": [{"role": "user", "content": "hi"}],
    }

    outcome = convert(json.dumps(body).encode(), Options("openai/gpt-5.2", to="request"))

    said = {problem.rule: problem.what for problem in outcome.report.problems}
    assert "max_tokens" in said["request-settings"]
    assert "web_search" in said["hosted-tools"] and "ls" not in said["hosted-tools"].split(": ")[1]
