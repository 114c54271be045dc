"""Bodies of the own model that only carry what its api refuses: each was found by the laws."""

from __future__ import annotations

import json

from spoken import TARGETS
from walking import refusal

CLAUDE = next(target for target in TARGETS if target.model == "anthropic/claude-opus-4-8")
CHAT = next(target for target in TARGETS if target.name == "openai/gpt-4o-over-openai-completions")


def asked(*messages, model="claude-opus-4-8"):
    body = {"model": model, "max_tokens": 64, "messages": [{"role": "user", "content": "hi"}, *messages]}
    return json.dumps(body).encode()


def test_unknown_block_of_the_own_model_does_not_refuse_the_body():
    message = {"role": "assistant", "content": [{"type": "hologram"}, {"type": "text", "text": "yes"}]}

    assert refusal(asked(message), CLAUDE, source_format="anthropic-messages") == []


def test_reasoning_key_of_the_own_chat_model_does_not_refuse_the_body():
    message = {"role": "assistant", "content": "yes", "reasoning_content": ""}

    assert refusal(asked(message, model="gpt-4o"), CHAT, source_format="openai-chat") == []


def test_call_in_a_users_message_does_not_refuse_the_body():
    message = {"role": "user", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]}

    assert refusal(asked(message), CLAUDE, source_format="anthropic-messages") == []


def test_search_result_in_an_assistants_message_does_not_refuse_the_body():
    message = {"role": "assistant", "content": [{"type": "search_result"}, {"type": "text", "text": "yes"}]}

    assert refusal(asked(message), CLAUDE, source_format="anthropic-messages") == []


def test_empty_result_of_the_own_chat_body_does_not_refuse_the_body():
    call = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    messages = (
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": []},
    )

    assert refusal(asked(*messages, model="gpt-4o"), CHAT, source_format="openai-chat") == []
