"""Who the random histories are fitted to, and who may have written their turns."""

from __future__ import annotations

from dataclasses import dataclass

from segue.targets import Target, resolve
from segue.targets.hosts import host_of


@dataclass(frozen=True)
class Spoken:
    """A target, as it is named on the command line, with the origin that its own turns record."""

    model: str
    api: str | None
    origin: tuple[str, str, str]

    @property
    def name(self) -> str:
        return self.model + (f"-over-{self.api}" if self.api else "")

    @property
    def target(self) -> Target:
        return resolve(self.model, self.api)


def _spoken(model: str, api: str | None = None) -> Spoken:
    provider, _, plain = model.partition("/")
    return Spoken(model, api, (provider, api or host_of(provider).api, plain))


# One or more of every family and every host with rules of its own: each takes something that no other does.
TARGETS = (
    _spoken("anthropic/claude-sonnet-4-5"),  # prefill
    _spoken("anthropic/claude-opus-4-6"),
    _spoken("anthropic/claude-opus-4-8"),  # system messages in the middle
    _spoken("anthropic/claude-fable-5"),  # refuses reasoning shown as text
    _spoken("anthropic/claude-opus-5-5"),  # signatures bind what stands before them
    _spoken("anthropic/claude-fable-5-1"),
    _spoken("openai/gpt-5.2"),
    _spoken("openai/gpt-4o"),  # no reasoning
    _spoken("openai/o3-mini"),  # no eyes
    _spoken("openai/gpt-4o", "openai-completions"),
    _spoken("openai/gpt-5.5", "openai-completions"),  # tools only without effort
    _spoken("google/gemini-2.5-flash"),  # no ids on calls
    _spoken("google/gemini-3-flash-preview"),  # each step signed
    _spoken("google-vertex/gemini-3-pro-preview"),
    _spoken("amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0"),
    _spoken("amazon-bedrock/us.anthropic.claude-opus-5-5"),
    _spoken("amazon-bedrock/amazon.nova-pro-v1:0"),
    _spoken("amazon-bedrock/meta.llama4-maverick-17b-instruct-v1:0"),  # results stand alone
    _spoken("amazon-bedrock/mistral.mistral-large-3-675b-instruct"),
    _spoken("amazon-bedrock/moonshotai.kimi-k2.5"),  # reasoning without a signature
    _spoken("amazon-bedrock/openai.gpt-oss-120b-1:0"),
    _spoken("mistral/mistral-large-latest"),
    _spoken("mistral/mistral-large-4"),
    _spoken("mistral/devstral-medium-latest"),
    _spoken("deepseek/deepseek-v4-pro"),  # reasoning on every turn
    _spoken("moonshotai/kimi-k3"),
    _spoken("zai/glm-5.2"),
    _spoken("groq/openai/gpt-oss-120b"),
    _spoken("cerebras/gpt-oss-120b"),
    _spoken("openrouter/qwen/qwen3.7-plus"),
    _spoken("xai/grok-4.5"),
    _spoken("minimax/MiniMax-M3"),
    _spoken("vllm/some-model", "openai-completions"),  # a stranger
)
ORIGINS: tuple[tuple[str, str, str] | None, ...] = (
    *(target.origin for target in TARGETS),
    ("anthropic", "messages", "claude-sonnet-4-5"),  # the api's name in older recordings
    ("anthropic", "anthropic-messages", "claude-sonnet-4-5-20250929"),
    ("google-vertex", "google-vertex", "gemini-3-flash-preview"),  # another transport of the same model
    ("openai-codex", "openai-codex-responses", "gpt-5.2"),
    ("github-copilot", "openai-completions", "gpt-4o"),
    None,
)
