"""Who answers: the providers, the api each is spoken to by, and its quirks on that api.

A host that is not named speaks Chat Completions in its careful common form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from segue.targets.target import ImageLimits


@dataclass(frozen=True)
class Host:
    """A provider: its usual api, and by api what it takes otherwise than the api's default has it."""

    api: str
    over: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


_CHAT = "openai-completions"
_UNKNOWN = Host(_CHAT)
# Reasoning goes back as plain words in a field of its own; nobody signs it.
_FIELD: dict[str, Any] = {"thinking": "field", "unsigned_thinking": True}
# Takes messages in any order, and system messages anywhere, as OpenAI does.
_ANY_ORDER: dict[str, Any] = {"alternates": False, "late_system": True, "single_system": False}
_NO_REASONING: dict[str, Any] = {"thinking": "none", "unsigned_thinking": False, "required_thinking": "none"}


def _chat(**values: Any) -> dict[str, dict[str, Any]]:
    return {_CHAT: values}


# What each asks for is in sections 6.1 to 6.3 of the book of wire rules, read 2026-11; where it says nothing of a
# host, the api's careful default holds.
HOSTS: dict[str, Host] = {
    "anthropic": Host("anthropic-messages"),
    "openai": Host("openai-responses"),
    "openai-codex": Host("openai-codex-responses"),
    "azure": Host("azure-openai-responses", _chat(**_ANY_ORDER, developer_role=True)),
    "google": Host("google-generative-ai"),
    "google-vertex": Host("google-vertex"),
    "amazon-bedrock": Host("bedrock-converse-stream"),
    "mistral": Host("mistral-conversations"),
    # Its api in Anthropic's shape takes thinking with any signature; over Chat it stands in the content or in a list.
    "minimax": Host("anthropic-messages", _chat(**_FIELD, thinking_field="reasoning_details")),
    # Over Chat its reasoning is not taken back, and its loss is not told.
    "xai": Host("openai-responses", _chat(**_NO_REASONING, **_ANY_ORDER)),
    # Thinks by default, and then wants the field on each answer of a request with tools; an empty one will do.
    "deepseek": Host(_CHAT, _chat(**_FIELD, required_thinking="all", output_keys=frozenset({"max_tokens"}))),
    # Which answers have to bring the field hangs on the model, see families. Some were refused with an empty one.
    "moonshotai": Host(_CHAT, _chat(**_FIELD, thinking_filler=".", late_system=True)),
    "zai": Host(_CHAT, _chat(**_FIELD)),
    # A last answer counts as the beginning of the next one, which is refused while it thinks.
    "qwen": Host(_CHAT, _chat(**_FIELD, prefill=False)),
    # Of all the fields it knows `reasoning` only, and refuses any key that it does not know; five images a request.
    "groq": Host(
        _CHAT,
        _chat(
            **_FIELD,
            **_ANY_ORDER,
            thinking_field="reasoning",
            required_thinking="none",
            strict_keys=True,
            image_limits=ImageLimits(count=5),
        ),
    ),
    # Takes back no reasoning at all, and refuses any key that it does not know.
    "cerebras": Host(_CHAT, _chat(**_NO_REASONING, strict_keys=True)),
    # A list of details, unchanged and in order; several hosts behind it refuse a second or a late system message.
    "openrouter": Host(_CHAT, _chat(**_FIELD, thinking_field="reasoning_details", alternates=False)),
    "together": Host(_CHAT, _chat(**_ANY_ORDER)),
    "github-copilot": Host(_CHAT, _chat(**_ANY_ORDER)),
    # Servers of one's own: their templates want one system message first, and turns that alternate; a last answer is
    # the beginning of the next one.
    **dict.fromkeys(
        ("vllm", "llama.cpp", "llamacpp", "ollama", "lmstudio", "sglang", "tgi"), Host(_CHAT, _chat(prefill=False))
    ),
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
