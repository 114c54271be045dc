"""Same model means provider, api and model id, all equal: a table of who wrote a turn and what survives of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from segue.options import Options
from segue.pipeline import Outcome, convert

Author = tuple[str, str, str]
Blocks = list[dict[str, Any]]

SIGNATURE = "EqQBCkYIBRgCKkBzaWduYXR1cmU="
REASONING = json.dumps({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAABo"})

SONNET: Author = ("anthropic", "anthropic-messages", "claude-sonnet-4-5")
GPT: Author = ("openai", "openai-responses", "gpt-5.2")
SAME: dict[str, tuple[str, Author]] = {
    "the very model": ("anthropic/claude-sonnet-4-5", SONNET),
    "the older name of its api": ("anthropic/claude-sonnet-4-5", ("anthropic", "messages", "claude-sonnet-4-5")),
    "a dated name that is asked for": (
        "anthropic/claude-sonnet-4-5-20250929",
        ("anthropic", "anthropic-messages", "claude-sonnet-4-5-20250929"),
    ),
}
OTHER: dict[str, Author] = {
    "another provider": ("github-copilot", "anthropic-messages", "claude-sonnet-4-5"),
    "another api": ("anthropic", "bedrock-converse-stream", "claude-sonnet-4-5"),
    "another model": ("anthropic", "anthropic-messages", "claude-opus-4-5"),
    "a dated name": ("anthropic", "anthropic-messages", "claude-sonnet-4-5-20250929"),
    "another date": ("anthropic", "anthropic-messages", "claude-sonnet-4-5-20251101"),
    "the long window": ("anthropic", "anthropic-messages", "claude-sonnet-4-5[1m]"),
    "its form on Bedrock": ("anthropic", "anthropic-messages", "anthropic.claude-sonnet-4-5-20250929-v1:0"),
    "its form on Vertex": ("anthropic", "anthropic-messages", "claude-sonnet-4-5@20250929"),
}


def thinking(words: str, signature: str | None = None, **more: Any) -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, **({"thinkingSignature": signature} if signature else {}), **more}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def call(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": name, "name": "read", "arguments": {}, **more}


# block → what is left of it for its own model, what is left of it for another
KINDS: dict[str, tuple[dict[str, Any], Blocks, Blocks]] = {
    "signed thinking": (
        thinking("Hm.", SIGNATURE),
        [thinking("Hm.", SIGNATURE)],
        [text("Hm.")],
    ),
    "thinking signed without words": (
        thinking("", SIGNATURE),
        [thinking("", SIGNATURE)],
        [],
    ),
    "unsigned thinking": (thinking("Hm."), [text("Hm.")], [text("Hm.")]),
    "unsigned thinking without words": (thinking(" "), [], []),
    "redacted thinking": (
        thinking("", SIGNATURE, redacted=True),
        [thinking("", SIGNATURE, redacted=True)],
        [],
    ),
    "text with a signature": (
        text("Yes.", textSignature="msg_1"),
        [text("Yes.", textSignature="msg_1")],
        [text("Yes.")],
    ),
    "call with a thought signature": (
        call("toolu_1", thoughtSignature="dGhvdWdodA=="),
        [call("toolu_1", thoughtSignature="dGhvdWdodA==")],
        [call("toolu_1")],
    ),
    "call with a piped id": (call("call_1|fc_1"), [call("call_1")], [call("call_1")]),
    "call with a piped id the other way round": (call("fc_1|call_1"), [call("call_1")], [call("call_1")]),
}


def history(author: Author, block: dict[str, Any]) -> list[dict[str, Any]]:
    provider, api, model = author
    answer = {
        "role": "assistant",
        "content": [block, text("Done.")],
        "provider": provider,
        "api": api,
        "model": model,
        "stopReason": "toolUse" if block["type"] == "toolCall" else "stop",
        "timestamp": 2,
    }
    result = {"role": "toolResult", "toolCallId": block.get("id"), "toolName": "read", "content": [text("ok")]}
    results = [{**result, "isError": False, "timestamp": 3}] if block["type"] == "toolCall" else []
    user = {"role": "user", "content": "Well?", "timestamp": 1}
    return [user, answer, *results, {**user, "timestamp": 4}]


def fitted(model: str, author: Author, block: dict[str, Any]) -> tuple[Blocks, Outcome]:
    outcome = convert(json.dumps(history(author, block)).encode() + b"\n", Options(model))
    return json.loads(outcome.output)[1]["content"], outcome


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("who", SAME)
def test_turn_of_the_same_model_keeps_its_own(who: str, kind: str) -> None:
    (model, author), (block, own, _) = SAME[who], KINDS[kind]

    blocks, _ = fitted(model, author, block)

    assert blocks == [*own, text("Done.")]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("who", OTHER)
def test_turn_of_any_other_model_keeps_its_words(who: str, kind: str) -> None:
    block, _, foreign = KINDS[kind]

    blocks, _ = fitted("anthropic/claude-sonnet-4-5", OTHER[who], block)

    assert blocks == [*foreign, text("Done.")]


@pytest.mark.parametrize("kind", KINDS)
def test_turn_of_nobody_known_is_another_models(kind: str) -> None:
    block, _, foreign = KINDS[kind]
    messages = history(SONNET, block)
    for key in ("provider", "api", "model"):
        del messages[1][key]

    outcome = convert(json.dumps(messages).encode() + b"\n", Options("anthropic/claude-sonnet-4-5"))

    assert json.loads(outcome.output)[1]["content"] == [*foreign, text("Done.")]


@pytest.mark.parametrize("who", [*SAME, *OTHER])
@pytest.mark.parametrize("name", ["call_1|fc_1", "fc_1|call_1", "fc_1|call_1|x", "look:0"])
def test_result_follows_its_call_to_the_new_id(name: str, who: str) -> None:
    author = SAME[who][1] if who in SAME else OTHER[who]

    blocks, outcome = fitted("anthropic/claude-sonnet-4-5", author, call(name))

    result = json.loads(outcome.output)[2]
    assert result["toolCallId"] == blocks[0]["id"] != name
    assert outcome.report.counts["rewritten"] == 1


# ------------------------------------------------------------------------------ items of OpenAI's server

ITEMS: dict[str, tuple[dict[str, Any], Blocks, Blocks]] = {
    "encrypted reasoning": (thinking("", REASONING), [thinking("", REASONING)], []),
    "readable reasoning": (thinking("Hm.", REASONING), [thinking("Hm.", REASONING)], [text("Hm.")]),
    "text with an item's id": (
        text("Yes.", textSignature='{"v":1,"id":"msg_1"}'),
        [text("Yes.", textSignature='{"v":1,"id":"msg_1"}')],
        [text("Yes.")],
    ),
    "call with a piped id": (call("call_1|fc_1"), [call("call_1|fc_1")], [call("call_1")]),
    "call with a piped id the other way round": (call("fc_1|call_1"), [call("fc_1|call_1")], [call("call_1")]),
}
OTHER_GPT: dict[str, Author] = {
    "another provider": ("azure-openai-responses", "openai-responses", "gpt-5.2"),
    "another api": ("openai", "openai-completions", "gpt-5.2"),
    "another model": ("openai", "openai-responses", "gpt-5.1"),
    "a dated name": ("openai", "openai-responses", "gpt-5.2-2025-12-11"),
}


@pytest.mark.parametrize("kind", ITEMS)
def test_items_of_the_same_model_keep_their_ids(kind: str) -> None:
    block, own, _ = ITEMS[kind]

    blocks, outcome = fitted("openai/gpt-5.2", GPT, block)

    assert blocks == [*own, text("Done.")]
    assert outcome.report.changes == []


@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("who", OTHER_GPT)
def test_items_of_any_other_model_lose_their_ids(who: str, kind: str) -> None:
    block, _, foreign = ITEMS[kind]

    blocks, _ = fitted("openai/gpt-5.2", OTHER_GPT[who], block)

    assert blocks == [*foreign, text("Done.")]


# ------------------------------------------------------------------------------------------ near misses


@pytest.mark.parametrize("who", ["a dated name", "another date", "the long window", "its form on Bedrock"])
def test_near_name_that_costs_thinking_is_pointed_out(who: str) -> None:
    _, outcome = fitted("anthropic/claude-sonnet-4-5", OTHER[who], thinking("Hm.", SIGNATURE))

    notes = [problem for problem in outcome.report.problems if problem.rule == "near-miss"]

    assert [note.severity for note in notes] == ["note"]
    assert f"-m anthropic/{OTHER[who][2]} or -m same keeps its thinking" in notes[0].what


def test_near_name_that_costs_nothing_is_not() -> None:
    _, outcome = fitted("anthropic/claude-sonnet-4-5", OTHER["a dated name"], text("Yes."))

    assert not outcome.report.problems


def test_far_name_is_not_pointed_out() -> None:
    _, outcome = fitted("anthropic/claude-sonnet-4-5", OTHER["another model"], thinking("Hm.", SIGNATURE))

    assert not outcome.report.problems
