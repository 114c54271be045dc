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


# Other doors of one vendor take what its first one takes.
for _door, _vendor in {
    "kimi-coding": "moonshotai",
    "minimax-cn": "minimax",
    "moonshotai-cn": "moonshotai",
    "qwen-token-plan": "qwen",
    "qwen-token-plan-cn": "qwen",
    "qwen-token-plan-individual": "qwen",
    "qwen-token-plan-individual-cn": "qwen",
    "zai-coding-cn": "zai",
}.items():
    HOSTS[_door] = HOSTS[_vendor]
# What recorders and other programs call a provider, and the name that it has here.
PROVIDER_ALIASES = {
    "alibaba": "qwen",
    "aws-bedrock": "amazon-bedrock",
    "azure-openai": "azure",
    "azure-openai-responses": "azure",
    "bedrock": "amazon-bedrock",
    "chatgpt": "openai-codex",
    "copilot": "github-copilot",
    "dashscope": "qwen",
    "fireworks-ai": "fireworks",
    "fireworks_ai": "fireworks",
    "gemini": "google",
    "github_copilot": "github-copilot",
    "google-vertex-anthropic": "google-vertex",
    "kimi": "moonshotai",
    "mistralai": "mistral",
    "moonshot": "moonshotai",
    "together_ai": "together",
    "togetherai": "together",
    "vercel": "vercel-ai-gateway",
    "vertex": "google-vertex",
    "vertex_ai": "google-vertex",
    "vertexai": "google-vertex",
    "x-ai": "xai",
    "z-ai": "zai",
    "zhipuai": "zai",
}


def host_of(provider: str) -> Host:
    return HOSTS.get(PROVIDER_ALIASES.get(provider, provider), _UNKNOWN)
