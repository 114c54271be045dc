"""The keys that OpenAI's apis know, and which parts stand where (OpenAI SDK 3.57, openapi.json 2.3.0)."""

from __future__ import annotations


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split())


# ------------------------------------------------------------------------------------------- Responses

# `client_metadata` is what Codex sends.
RESPONSES_REQUEST = _keys(
    "access_programs background background_options client_metadata context_management conversation image include "
    "input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls "
    "previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning "
    "safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs "
    "top_p truncation user"
)
# Type of an item → its keys; None where they are not written down anywhere.
ITEMS: dict[str, frozenset[str] | None] = {
    "message": _keys("type role content id status phase"),
    "reasoning": _keys("type id summary content encrypted_content status"),
    "function_call": _keys("type id call_id name arguments status namespace caller async"),
    "function_call_output": _keys("type id call_id output status name namespace caller"),
    "custom_tool_call": _keys("type id call_id name input status namespace caller async"),
    "custom_tool_call_output": _keys("type id call_id output status name caller"),
    "computer_call": _keys("type id call_id action actions pending_safety_checks status"),
    "computer_call_output": _keys("type id call_id output acknowledged_safety_checks status"),
    "local_shell_call": _keys("type id call_id action status"),
    "local_shell_call_output": _keys("type id call_id output status"),
    "shell_call": _keys("type id call_id action environment status caller created_by"),
    "shell_call_output": _keys("type id call_id output max_output_length status caller created_by"),
    "apply_patch_call": _keys("type id call_id operation status caller created_by"),
    "apply_patch_call_output": _keys("type id call_id output status caller created_by"),
    "item_reference": _keys("type id"),
    "file_search_call": None,
    "web_search_call": None,
    "code_interpreter_call": None,
    "image_generation_call": None,
    "tool_search_call": None,
    "tool_search_output": None,
    "additional_tools": None,
    "configuration_update": None,
    "compaction": None,
    "compaction_summary": None,
    "context_compaction": None,
    "compaction_trigger": None,
    "agent_message": None,
    "mcp_list_tools": None,
    "mcp_approval_request": None,
    "mcp_approval_response": None,
    "mcp_call": None,
    "program": None,
    "program_output": None,
}
ITEM_NEEDS: dict[str, tuple[str, ...]] = {
    "message": ("role", "content"),
    "function_call": ("call_id", "name", "arguments"),
    "function_call_output": ("call_id", "output"),
    "custom_tool_call": ("call_id", "name", "input"),
    "custom_tool_call_output": ("call_id", "output"),
    "item_reference": ("id",),
}
ID_PREFIXES = {"message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc"}
# The output that answers a call. A local shell's call was once answered as a function's.
OUTPUTS = {
    "function_call_output": "function_call",
    "custom_tool_call_output": "custom_tool_call",
    "computer_call_output": "computer_call",
    "shell_call_output": "shell_call",
    "apply_patch_call_output": "apply_patch_call",
}
CALLS = frozenset(OUTPUTS.values()) | {"local_shell_call"}
# Items that what the server ran itself left behind, or that the client never answers.
ANSWERED = frozenset({"function_call", "custom_tool_call", "computer_call"})
# What a reasoning item may lead to, besides an assistant's message.
FOLLOWERS = CALLS | _keys(
    "reasoning item_reference file_search_call web_search_call code_interpreter_call image_generation_call "
    "tool_search_call mcp_list_tools mcp_approval_request mcp_call program compaction compaction_summary "
    "context_compaction"
)

INPUT_PARTS = {
    "input_text": _keys("type text prompt_cache_breakpoint"),
    "input_image": _keys("type image_url file_id detail prompt_cache_breakpoint"),
    "input_file": _keys("type file_data file_id file_url filename detail prompt_cache_breakpoint"),
}
OUTPUT_PARTS = {
    "output_text": _keys("type text annotations logprobs"),
    "refusal": _keys("type refusal"),
}
# Items and parts by type, where all of their keys are known.
BLOCK_KEYS = {
    **{name: keys for name, keys in ITEMS.items() if keys is not None},
    **INPUT_PARTS,
    **OUTPUT_PARTS,
}
PARTS = {
    "user": INPUT_PARTS,
    "system": INPUT_PARTS,
    "developer": INPUT_PARTS,
    "assistant": OUTPUT_PARTS,
}

# ------------------------------------------------------------------------------------ Chat Completions

CHAT_REQUEST = _keys(
    "audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens "
    "messages metadata modalities model moderation n parallel_tool_calls prediction presence_penalty "
    "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format "
    "safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools "
    "top_logprobs top_p user verbosity web_search_options"
)
# What hosts other than OpenAI know beside that.
HOST_REQUEST = _keys(
    "chat_template_kwargs clear_thinking disable_reasoning enable_search enable_thinking guided_json "
    "include_reasoning length_penalty min_p min_tokens models plugins preset prompt_mode provider random_seed "
    "reasoning reasoning_format repetition_penalty route safe_prompt session_id skip_special_tokens "
    "stop_token_ids thinking thinking_budget tool_stream top_a top_k transforms usage user_id "
    "vl_high_resolution_images"
)
REASONING = _keys("reasoning_content reasoning reasoning_details reasoning_text thinking thinking_blocks")
CHAT_MESSAGE = {
    "system": _keys("role content name"),
    "developer": _keys("role content name"),
    "user": _keys("role content name"),
    "assistant": _keys("role content name refusal tool_calls function_call audio annotations"),
    "tool": _keys("role content tool_call_id name"),
    "function": _keys("role content name"),
}
TEXT_PART = _keys("type text prompt_cache_breakpoint")
CHAT_PARTS = {
    "text": TEXT_PART,
    "image_url": _keys("type image_url prompt_cache_breakpoint"),
    "input_audio": _keys("type input_audio prompt_cache_breakpoint"),
    "file": _keys("type file prompt_cache_breakpoint"),
    "refusal": _keys("type refusal"),
}
CHAT_ROLE_PARTS = {
    "system": frozenset({"text"}),
    "developer": frozenset({"text"}),
    "user": frozenset({"text", "image_url", "input_audio", "file"}),
    "assistant": frozenset({"text", "refusal"}),
    "tool": frozenset({"text"}),
    "function": frozenset({"text"}),
}
CHAT_CALL = _keys("id type function custom")
CHAT_BLOCK_KEYS = {**CHAT_PARTS, "function": CHAT_CALL, "custom": CHAT_CALL}
