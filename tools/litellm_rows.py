"""What the second package, litellm, knows of models: facts that the first has not, and older models of the vendors."""

from __future__ import annotations

from typing import Any

from segue.targets.hosts import host_of
from segue.targets.names import plain_name

Row = dict[str, Any]
Rows = dict[str, dict[str, Row]]

# Our providers, with the names that litellm has for them and what it puts in front of a model's id.
_NAMES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "amazon-bedrock": (("bedrock", "bedrock_converse"), ("",)),
    "anthropic": (("anthropic",), ("",)),
    "azure": (("azure",), ("azure/",)),
    "baseten": (("baseten",), ("baseten/",)),
    "cerebras": (("cerebras",), ("cerebras/",)),
    "deepseek": (("deepseek",), ("deepseek/", "")),
    "fireworks": (("fireworks_ai",), ("fireworks_ai/",)),
    "github-copilot": (("github_copilot",), ("github_copilot/",)),
    "google": (("gemini",), ("gemini/",)),
    "google-vertex": (("vertex_ai-language-models", "vertex_ai-anthropic_models"), ("vertex_ai/", "")),
    "groq": (("groq",), ("groq/",)),
    "meta": (("meta",), ("meta/",)),
    "minimax": (("minimax",), ("minimax/",)),
    "mistral": (("mistral",), ("mistral/",)),
    "moonshotai": (("moonshot",), ("moonshot/",)),
    "openai": (("openai",), ("",)),
    "openai-codex": (("chatgpt",), ("chatgpt/",)),
    "together": (("together_ai",), ("together_ai/",)),
    "vercel-ai-gateway": (("vercel_ai_gateway",), ("vercel_ai_gateway/",)),
    "xai": (("xai",), ("xai/",)),
    "zai": (("zai",), ("zai/",)),
}
# Vendors and clouds whose older models are worth a row: recorded sessions name them.
_OLDER = (
    "amazon-bedrock", "anthropic", "azure", "cerebras", "deepseek", "google", "google-vertex", "groq", "minimax",
    "mistral", "moonshotai", "openai", "xai", "zai",
)  # fmt: skip
_NO_CONVERSATION = (
    "ft:", "audio", "tts", "realtime", "-image", "search-preview", "computer-use", "-live-", "gemini-exp",
    "gemini-gemma",
)  # fmt: skip
_ENDPOINTS = {"/v1/chat/completions": "openai-completions", "/v1/responses": "openai-responses"}


def add_facts(rows: Rows, found: dict[str, Row]) -> None:
    """Add what litellm knows of models that have a row."""
    for provider, (names, prefixes) in _NAMES.items():
        for model, row in rows.get(provider, {}).items():
            fact = next((found[prefix + model] for prefix in prefixes if prefix + model in found), None)
            if fact is not None and fact.get("litellm_provider") in names:
                row.update(_facts(fact))
                row["apis"] = [*row["apis"], *(api for api in _apis(provider, fact) if api not in row["apis"])]


def older_rows(rows: Rows, found: dict[str, Row]) -> None:
    """Add a row for models of the vendors themselves that have none, also not by another spelling of the name."""
    for provider in _OLDER:
        names, prefixes = _NAMES[provider]
        known = {plain_name(model) for model in rows.get(provider, {})}
        for name, fact in sorted(found.items()):
            prefix = next((prefix for prefix in prefixes if name.startswith(prefix)), None)
            if prefix is None or fact.get("litellm_provider") not in names or not _converses(name, fact):
                continue
            model = name[len(prefix) :]
            is_path = "/" in model and provider != "groq"  # another region's, or a commitment's price
            is_other_vendors = provider == "azure" and not model.startswith(("gpt", "o", "codex"))
            if is_path or is_other_vendors or plain_name(model) in known:
                continue
            rows.setdefault(provider, {}).setdefault(model, _row(provider, model, fact))


def _converses(name: str, fact: Row) -> bool:
    if fact.get("mode") not in ("chat", "responses") or not fact.get("max_input_tokens"):
        return False
    return bool(fact.get("supports_function_calling")) and not any(word in name for word in _NO_CONVERSATION)


def _row(provider: str, model: str, fact: Row) -> Row:
    usual = "anthropic-messages" if provider == "google-vertex" and "claude" in model else host_of(provider).api
    apis = _apis(provider, fact)
    if fact.get("supported_endpoints") and apis and usual not in apis:
        usual = apis[0]
    cost = [
        fact.get(key)
        for key in (
            "input_cost_per_token",
            "output_cost_per_token",
            "cache_read_input_token_cost",
            "cache_creation_input_token_cost",
        )
    ]
    price = [_short((value or 0) * 1_000_000) for value in cost] if any(cost) else None
    return {
        "apis": [usual, *(api for api in apis if api != usual)],
        "window": int(fact["max_input_tokens"]),
        "output": int(fact["max_output_tokens"]) if fact.get("max_output_tokens") else None,
        "image": bool(fact.get("supports_vision")),
        "reasoning": bool(fact.get("supports_reasoning")),
        "late_system": usual == "anthropic-messages" and fact.get("supports_mid_conversation_system"),
        "price": price,
        **_facts(fact),
    }


def _facts(fact: Row) -> Row:
    facts: Row = {
        "pdf": fact.get("supports_pdf_input"),
        "audio": fact.get("supports_audio_input"),
        "prefill": fact.get("supports_assistant_prefill"),
        "ends": fact.get("deprecation_date"),
    }
    return {key: value for key, value in facts.items() if value is not None}


def _apis(provider: str, fact: Row) -> list[str]:
    """Tell the apis of OpenAI's own shapes: litellm lists their endpoints, or says only that a model chats."""
    if provider not in ("openai", "azure", "xai"):
        return []
    paths = fact.get("supported_endpoints") or (["/v1/chat/completions"] if fact.get("mode") == "chat" else [])
    apis = [_ENDPOINTS[path] for path in paths if path in _ENDPOINTS]
    apis = ["azure-openai-responses" if provider == "azure" and api == "openai-responses" else api for api in apis]
    return sorted(apis, reverse=provider != "azure")


def _short(value: float) -> float:
    rounded = round(value, 6)
    return int(rounded) if rounded == int(rounded) else rounded
