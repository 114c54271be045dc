"""What hosts that speak OpenAI's language get: reasoning in the field that each reads, nothing that it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openai_transcripts import SESSIONS

from segue import Options, convert
from segue.changes import Change

CHAT = "openai-completions"
FILES = sorted((SESSIONS / "openai-chat").iterdir())
FIELDS = ("reasoning_content", "reasoning", "reasoning_text", "reasoning_details")
# Hosts, and the field in which each reads its own model's reasoning; None where it takes none back.
HOSTS = {
    "deepseek/deepseek-v4-pro": "reasoning_content",
    "moonshotai/kimi-k2.6": "reasoning_content",
    "moonshotai-cn/kimi-k3": "reasoning_content",
    "kimi-coding/k3": "reasoning_content",
    "zai/glm-5.2": "reasoning_content",
    "zai-coding-cn/glm-5.2": "reasoning_content",
    "qwen-token-plan/qwen3.8-max": "reasoning_content",
    "dashscope/qwen3.8-max": "reasoning_content",
    "xiaomi/mimo-v2.6-pro": "reasoning_content",
    "groq/openai/gpt-oss-120b": "reasoning",
    "groq/qwen/qwen3.8-27b": "reasoning",
    "openrouter/deepseek/deepseek-v4-pro": "reasoning",
    "minimax/MiniMax-M3": "reasoning",
    "cerebras/gpt-oss-120b": None,
    "cerebras/qwen-3.8-27b": None,
    "xai/grok-4.6": None,
    "together/some-model": None,
    "vllm/some-model": None,
    "llama.cpp/some-model": None,
    "ollama/some-model": None,
    "lmstudio/some-model": None,
    "unheard-of/some-model": None,
}
STRICT_FIELDS = {
    name: field for name, field in HOSTS.items() if field and "openrouter" not in name and "Max" not in name
}


def sent(body: Any, model: str, **more: Any) -> tuple[Any, list[Change]]:
    """Give the request that a host gets, and the changes of its history; it must not be refused."""
    source = body if isinstance(body, bytes) else json.dumps(body).encode() + b"\n"
    outcome = convert(source, Options(model, api=CHAT, to="request", **more))
    assert outcome.report.exit == 0, outcome.report.problems
    return json.loads(outcome.output), outcome.report.changes


def chat(model: str, *answers: dict[str, Any]) -> dict[str, Any]:
    """Make a body in which each answer is followed by a result for its call, or by the user's next words."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Is the well full?"}]
    for answer in answers:
        messages.append({"role": "assistant", **answer})
        calls = answer.get("tool_calls") or ()
        messages += [{"role": "tool", "tool_call_id": call["id"], "content": "half"} for call in calls]
        messages += [] if calls else [{"role": "user", "content": "Look again."}]
    return {"model": model, "messages": messages}


def call(number: int = 1) -> list[dict[str, Any]]:
    function = {"name": "measure", "arguments": '{"what":"well"}'}
    return [{"id": f"call_{number}", "type": "function", "function": function}]


def answers(body: Any) -> list[dict[str, Any]]:
    return [message for message in body["messages"] if message["role"] == "assistant"]


def brought(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: answer[key] for key in FIELDS if key in answer}


def id_of(name: str) -> str:
    return name.partition("/")[2]


# --------------------------------------------------------------------------------------- reasoning


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("field", FIELDS[:3])
def test_own_reasoning_goes_back_in_the_field_that_the_host_reads(name: str, field: str) -> None:
    source = chat(
        id_of(name),
        {"content": "Half.", field: "I looked."},
        {"content": "", field: "Once more.", "tool_calls": call()},
    )

    body, changes = sent(source, name)

    if HOSTS[name] is None:
        assert [brought(answer) for answer in answers(body)] == [{}, {}]
        assert [answer["content"] for answer in answers(body)] == ["I looked.\n\nHalf.", "Once more."]
        assert {change.rule for change in changes} == {"unsigned-thinking", "foreign-signature"}
        return
    expected = HOSTS[name] if name in STRICT_FIELDS else field
    assert [brought(answer) for answer in answers(body)] == [{expected: "I looked."}, {expected: "Once more."}]
    moved = ["reasoning-field", "reasoning-field"] if expected != field else []
    assert [change.rule for change in changes] == moved


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("field", FIELDS[:3])
def test_reasoning_of_another_model_becomes_no_field(name: str, field: str) -> None:
    source = chat("another-model", {"content": "Half.", field: "I looked."})

    body, changes = sent(source, name)

    (answer,) = answers(body)
    assert answer["content"] == "I looked.\n\nHalf."
    assert set(brought(answer).values()) <= {"", "."}
    assert ("downgraded", "foreign-thinking") in {(change.kind, change.rule) for change in changes}


@pytest.mark.parametrize("name", HOSTS)
def test_empty_field_of_another_model_is_left_out_and_told(name: str) -> None:
    field = "reasoning_text"
    source = chat("another-model", {"content": "Half.", field: ""})

    body, changes = sent(source, name)

    assert field not in answers(body)[0]
    assert ("rewritten", "left out the empty field 'reasoning_text'") in {(one.kind, one.what) for one in changes}


@pytest.mark.parametrize(
    ("name", "with_calls", "with_words"),
    [
        ("deepseek/deepseek-v4-pro", "", ""),
        ("deepseek/deepseek-flash", "", ""),
        ("deepseek/deepseek-chat", None, None),  # does not reason
        ("xiaomi/mimo-v2.6-pro", "", ""),
        ("opencode/deepseek-v4-pro", "", ""),
        ("azure/deepseek-v4-pro", "", ""),
        ("fireworks/accounts/fireworks/models/kimi-k3", "", ""),
        ("moonshotai/kimi-k2.6", ".", None),
        ("moonshotai/kimi-k2.7-code", ".", None),
        ("moonshotai/kimi-k3", ".", "."),
        ("moonshotai-cn/kimi-k3.1-pro", ".", "."),
        ("moonshotai/kimi-k5", ".", "."),  # newer than all that are known
        ("moonshotai/moonshot-v1-128k", None, None),  # no Kimi
        ("kimi-coding/k3", ".", "."),
        ("zai/glm-5.2", None, None),
        ("qwen-token-plan/qwen3.8-max", None, None),
        ("groq/moonshotai/kimi-k2-instruct", None, None),  # the host reads another field, and asks for none
        ("openrouter/moonshotai/kimi-k3", None, None),
        ("vllm/kimi-k3", None, None),
    ],
)
def test_answers_bring_the_field_where_the_host_looks_for_it(
    name: str, with_calls: str | None, with_words: str | None
) -> None:
    source = chat("another-model", {"content": "", "tool_calls": call()}, {"content": "Half."})

    body, changes = sent(source, name)
    again, more = sent(body, name)

    assert [answer.get("reasoning_content") for answer in answers(body)] == [with_calls, with_words]
    told = [change.kind for change in changes if change.rule == "missing-reasoning"]
    kind = "synthesized" if with_calls == "." else "rewritten"
    assert told == [kind] * sum(filler is not None for filler in (with_calls, with_words))
    assert (again, [change for change in more if change.rule != "final-newline"]) == (body, [])


def test_empty_field_counts_as_none_where_the_server_has_it_so() -> None:
    source = chat("kimi-k2.6", {"content": "", "reasoning_content": "", "tool_calls": call()})

    body, changes = sent(source, "moonshotai/kimi-k2.6")

    assert brought(answers(body)[0]) == {"reasoning_content": "."}
    assert [(change.kind, change.rule) for change in changes] == [("synthesized", "missing-reasoning")]


@pytest.mark.parametrize("name", STRICT_FIELDS)
def test_answer_of_reasoning_alone_is_left_out_and_told(name: str) -> None:
    source = json.loads((SESSIONS / "openai-chat" / "reasoning-alone.json").read_bytes())
    source["model"] = id_of(name)

    body, changes = sent(source, name)

    (answer,) = answers(body)
    assert (answer["content"], brought(answer)) == ("Nine.", {HOSTS[name]: "Seven and two."})
    assert ("dropped", "dangling-thinking") in {(change.kind, change.rule) for change in changes}


def test_list_of_details_goes_back_unchanged_to_the_host_that_has_it() -> None:
    source = (SESSIONS / "openai-chat" / "reasoning-details-in-order.json").read_bytes()

    body, changes = sent(source, "openrouter/anthropic/claude-opus-4.8")

    assert (body, changes) == (json.loads(source), [])


@pytest.mark.parametrize("name", [name for name in HOSTS if "openrouter" not in name and "minimax" not in name])
def test_list_of_details_goes_to_no_other_host(name: str) -> None:
    source = json.loads((SESSIONS / "openai-chat" / "reasoning-details-in-order.json").read_bytes())
    source["model"] = id_of(name)

    body, changes = sent(source, name)

    (answer,) = answers(body)
    field = HOSTS[name]
    assert brought(answer) == ({field: "Once now, then again."} if field else {})
    assert field or answer["content"] == "Once now, then again."
    assert ("downgraded", "foreign-signature") in {(change.kind, change.rule) for change in changes}


# --------------------------------------------------------------------------------- shape and order


@pytest.mark.parametrize("name", [*HOSTS, "openai/gpt-4o"])
def test_missing_content_beside_calls_is_an_empty_text_except_at_openai(name: str) -> None:
    source = chat(id_of(name), {"content": None, "tool_calls": call(1)}, {"tool_calls": call(2)})

    body, changes = sent(source, name)

    found = [answer.get("content") for answer in answers(body)]
    told = [change.kind for change in changes if change.rule == "null-content"]
    assert (found, told) == (([None, None], []) if name == "openai/gpt-4o" else (["", ""], ["rewritten"] * 2))


def test_thought_signature_on_a_call_stays_with_its_model_and_goes_from_others() -> None:
    source = (SESSIONS / "openai-chat" / "thought-signature-on-a-call.json").read_bytes()

    own, _ = sent(source, "google/gemini-3-pro-preview")
    other, changes = sent(source, "groq/qwen/qwen3.8-27b")

    assert "extra_content" in answers(own)[0]["tool_calls"][0]
    assert "extra_content" not in answers(other)[0]["tool_calls"][0]
    assert ("downgraded", "foreign-signature") in {(change.kind, change.rule) for change in changes}


@pytest.mark.parametrize("name", ["unheard-of/some-model", "vllm/some-model", "databricks/some-model"])
def test_unknown_host_gets_what_all_of_them_take(name: str) -> None:
    source = (SESSIONS / "openai-chat" / "for-any-host.json").read_bytes()

    body, _ = sent(source, name)

    messages = body["messages"]
    roles = [message["role"] for message in messages]
    assert roles == ["system", "user", "assistant", "tool", "tool", "user", "assistant", "user"]
    assert messages[0]["content"] == "Be brief.\n\nUse metric units."
    assert messages[1]["content"] == "Photograph both ponds.\n\nQuickly."
    (first, second), words = messages[2]["tool_calls"], messages[2]["content"]
    assert words == "Two pictures, then.\n\nOn it."
    assert [json.loads(one["function"]["arguments"]) for one in (first, second)] == [{"of": "upper"}, {"of": "lower"}]
    assert first["function"]["arguments"] == '{"of":"upper"}'
    assert all(len(one["id"]) <= 40 and one["id"].replace("_", "a").isalnum() for one in (first, second))
    results = {message["tool_call_id"]: message["content"] for message in messages[3:5]}
    assert results == {first["id"]: "done", second["id"]: "[tool error] too dark"}
    kinds = [part["type"] for part in messages[5]["content"]]
    assert kinds == ["text", "image_url", "text", "text"]
    assert messages[6]["content"] == "The upper one is low."
    assert not any(key in message for message in messages for key in FIELDS)
    assert set().union(*messages) == {"role", "content", "tool_calls", "tool_call_id"}


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_second_run_changes_nothing(path: Path, name: str) -> None:
    first = convert(path.read_bytes(), Options(name, api=CHAT, to="request", force=True))

    second = convert(first.output, Options(name, api=CHAT, force=True))

    assert second.output == first.output
    assert second.report.changes == []


# --------------------------------------------------------------------------------- tools and effort


@pytest.mark.parametrize(
    ("name", "effort"),
    [
        ("openai/gpt-5.2", None),  # does not reason unless it is told to
        ("openai/gpt-5.5", "none"),
        ("openai/gpt-5.6-sol", "none"),
        ("openai/gpt-6-sol", "none"),
        ("openai/gpt-4o", None),
        ("deepseek/deepseek-v4-pro", None),
    ],
)
@pytest.mark.parametrize("with_tools", [True, False])
def test_tools_go_without_effort_where_the_model_takes_them_only_so(
    name: str, effort: str | None, with_tools: bool
) -> None:
    tool = {"type": "function", "function": {"name": "measure", "parameters": {"type": "object", "properties": {}}}}
    source: dict[str, Any] = chat("another-model", {"content": "Half."}) | ({"tools": [tool]} if with_tools else {})

    body, _ = sent(source, name)

    assert body.get("reasoning_effort") == (effort if with_tools else None)


def test_effort_of_an_own_body_is_changed_likewise() -> None:
    tool = {"type": "function", "function": {"name": "measure", "parameters": {"type": "object", "properties": {}}}}
    source = chat("gpt-5.6-sol", {"content": "Half."}) | {"tools": [tool], "reasoning_effort": "high"}

    outcome = convert(json.dumps(source).encode(), Options("openai/gpt-5.6-sol", api=CHAT))

    assert json.loads(outcome.output)["reasoning_effort"] == "none"
    assert "request-setting" in {problem.rule for problem in outcome.report.problems}
