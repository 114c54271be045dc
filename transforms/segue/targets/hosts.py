"""Who answers: the providers, the api each is spoken to by, and its quirks on that api.

A host that is not named speaks Chat Completions in its careful common form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Host:
    """A provider: its usual api, and by api what it takes otherwise than the api's default has it."""

    api: str
    over: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


_CHAT = "openai-completions"
_UNKNOWN = Host(_CHAT)

HOSTS: dict[str, Host] = {
    "anthropic": Host("anthropic-messages"),
    "openai": Host("openai-responses"),
    "openai-codex": Host("openai-codex-responses"),
    "azure": Host("azure-openai-responses"),
    "google": Host("google-generative-ai"),
    "google-vertex": Host("google-vertex"),
    "amazon-bedrock": Host("bedrock-converse-stream"),
    "mistral": Host("mistral-conversations"),
    "minimax": Host("anthropic-messages"),
    "xai": Host("openai-responses"),
    "deepseek": Host(_CHAT, {_CHAT: {"thinking": "field", "unsigned_thinking": True, "required_thinking": "all"}}),
    "moonshotai": Host(_CHAT, {_CHAT: {"thinking": "field", "unsigned_thinking": True, "required_thinking": "calls"}}),
    "zai": Host(_CHAT, {_CHAT: {"thinking": "field", "unsigned_thinking": True}}),
    "qwen": Host(_CHAT, {_CHAT: {"thinking": "field", "unsigned_thinking": True}}),
    "groq": Host(_CHAT, {_CHAT: {"thinking": "field", "unsigned_thinking": True, "thinking_field": "reasoning"}}),
    "cerebras": Host(_CHAT),
    "openrouter": Host(_CHAT, {_CHAT: {"thinking": "field", "thinking_field": "reasoning_details"}}),
}


def host_of(provider: str) -> Host:
    return HOSTS.get(provider, _UNKNOWN)
