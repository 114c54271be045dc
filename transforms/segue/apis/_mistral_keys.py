"""The keys that Mistral's chat completions know, and which chunks stand where (mistralai 3.7, mistral_common 1.13)."""

from __future__ import annotations


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split())


REQUEST_KEYS = _keys(
    "model messages temperature top_p max_tokens stream stop random_seed metadata response_format tools tool_choice "
    "presence_penalty frequency_penalty min_tokens repetition_penalty top_k logprobs top_logprobs prompt_logprobs "
    "top_prompt_logprobs n prediction parallel_tool_calls reasoning_effort prompt_mode guardrails prompt_cache_key "
    "service_tier safe_prompt"
)
MESSAGES = {
    "system": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "tool_calls", "prefix"}),
    "tool": frozenset({"role", "content", "tool_call_id", "name"}),
}
MESSAGE_KEYS = frozenset().union(*MESSAGES.values())
CALL_KEYS = frozenset({"id", "type", "function", "index"})
FUNCTION_CALL_KEYS = frozenset({"name", "arguments"})

BLOCK_KEYS = {
    "text": frozenset({"type", "text"}),
    "image_url": frozenset({"type", "image_url"}),
    "document_url": frozenset({"type", "document_url", "document_name"}),
    "input_audio": frozenset({"type", "input_audio"}),
    "file": frozenset({"type", "file_id"}),
    "reference": frozenset({"type", "reference_ids"}),
    "thinking": frozenset({"type", "thinking", "signature", "closed"}),
    "tool_reference": frozenset({"type", "tool", "title", "url", "favicon", "description"}),
    "resource": frozenset({"type", "resource"}),
    "resource_link": _keys("type uri name title description mime_type size annotations"),
    # The call itself: its type is the kind of tool.
    "function": CALL_KEYS,
}
REQUIRED_KEYS: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "image_url": ("image_url",),
    "document_url": ("document_url",),
    "input_audio": ("input_audio",),
    "file": ("file_id",),
    "reference": ("reference_ids",),
    "thinking": ("thinking",),
}
IMAGE_KEYS = frozenset({"url", "detail"})
MEMBER_KEYS = {"image_url": IMAGE_KEYS, "function": FUNCTION_CALL_KEYS}

# Where chunks may stand. References are what the model cites: they come in its answers, and in what tools found.
BLOCKS = {
    "user": _keys("text image_url document_url input_audio file reference resource resource_link"),
    "assistant": frozenset({"text", "thinking", "reference"}),
    "system": frozenset({"text"}),
    "tool": _keys("text reference resource resource_link"),
    "result": _keys("text reference resource resource_link image_url document_url"),
    "thinking": frozenset({"text", "reference", "tool_reference"}),
}
MEDIA = frozenset({"image_url", "document_url"})

# Tools that the server runs itself have keys of their own, which nobody wrote down for this api.
TOOL_KEYS = frozenset({"type", "function"})
FUNCTION_KEYS = frozenset({"name", "description", "parameters", "strict"})
CHOICES = ("auto", "none", "any", "required")
CHOICE_KEYS = frozenset({"type", "function"})
