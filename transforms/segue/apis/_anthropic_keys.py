"""The keys that Anthropic Messages knows, and which blocks stand where (Anthropic SDK 2.14, stable and beta)."""

from __future__ import annotations


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split())


REQUEST_KEYS = _keys(
    "anthropic_beta anthropic_version billing_policy cache_control compaction container context_management "
    "diagnostics fallback_credit_token fallbacks inference_geo max_tokens mcp_servers messages metadata model "
    "output_config output_format service_tier speed stop_sequences stream system temperature thinking thread "
    "tool_choice tools top_k top_p user_profile_id workspace_id"
)
MESSAGE_KEYS = frozenset({"role", "content"})
SYSTEM_MESSAGE_KEYS = frozenset({"role", "content", "clear_at", "output_config"})
TOOL_KEYS = _keys(
    "type name description input_schema cache_control strict defer_loading allowed_callers input_examples "
    "eager_input_streaming"
)
# `scope` is a beta of the prompt cache.
CACHE_KEYS = frozenset({"type", "ttl", "scope"})
CHOICE_KEYS = {
    "auto": frozenset({"type", "disable_parallel_tool_use"}),
    "any": frozenset({"type", "disable_parallel_tool_use"}),
    "tool": frozenset({"type", "name", "disable_parallel_tool_use"}),
    "none": frozenset({"type"}),
}
THINKING_KEYS = {
    "enabled": frozenset({"type", "budget_tokens", "display", "block_binding"}),
    "adaptive": frozenset({"type", "display", "block_binding"}),
    "disabled": frozenset({"type"}),
    "between_tools": frozenset({"type"}),
}
IMAGE_SOURCE_KEYS = {
    "base64": frozenset({"type", "media_type", "data"}),
    "url": frozenset({"type", "url"}),
    "file": frozenset({"type", "file_id"}),
}
DOCUMENT_SOURCE_KEYS = IMAGE_SOURCE_KEYS | {
    "text": frozenset({"type", "media_type", "data"}),
    "content": frozenset({"type", "content"}),
}

_SERVER_RESULT = frozenset({"type", "tool_use_id", "content", "cache_control", "caller"})
SERVER_RESULTS = _keys(
    "web_search_tool_result web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result "
    "text_editor_code_execution_tool_result tool_search_tool_result advisor_tool_result mcp_tool_result"
)
SERVER_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})
CODE_RESULTS = frozenset(
    {"code_execution_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result"}
)
BLOCK_KEYS = dict.fromkeys(SERVER_RESULTS, _SERVER_RESULT) | {
    "text": frozenset({"type", "text", "cache_control", "citations"}),
    "image": frozenset({"type", "source", "cache_control", "transformations"}),
    "document": frozenset({"type", "source", "title", "context", "citations", "cache_control"}),
    "search_result": frozenset({"type", "source", "title", "content", "citations", "cache_control"}),
    # A cache mark on thinking has an error of its own.
    "thinking": frozenset({"type", "thinking", "signature", "cache_control"}),
    "redacted_thinking": frozenset({"type", "data", "cache_control"}),
    "tool_use": frozenset({"type", "id", "name", "input", "cache_control", "caller", "toolset_name"}),
    "tool_result": frozenset({"type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"}),
    "tool_reference": frozenset({"type", "tool_name", "cache_control"}),
    "browser_state": frozenset({"type", "tabs", "state_changes", "cache_control"}),
    "server_tool_use": frozenset({"type", "id", "name", "input", "cache_control", "caller"}),
    "mcp_tool_use": frozenset({"type", "id", "name", "input", "server_name", "cache_control"}),
    "mcp_tool_result": _SERVER_RESULT | {"is_error"},
    "mcp_tool_listing": frozenset({"type", "mcp_server_name", "tools"}),
    "container_upload": frozenset({"type", "file_id", "cache_control"}),
    "compaction": frozenset({"type", "content", "encrypted_content", "signature", "tool_changes", "cache_control"}),
    "fallback": frozenset({"type", "from", "to", "trigger"}),
    "tool_addition": frozenset({"type", "tool", "cache_control"}),
    "tool_removal": frozenset({"type", "tool", "cache_control"}),
}
REQUIRED_KEYS: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("source",),
    "document": ("source",),
    "thinking": ("thinking",),
    "tool_use": ("id", "name", "input"),
    "tool_result": ("tool_use_id",),
    "server_tool_use": ("id", "name", "input"),
    "mcp_tool_use": ("id", "name", "input", "server_name"),
    "tool_reference": ("tool_name",),
    **dict.fromkeys(SERVER_RESULTS, ("tool_use_id",)),
}

# Where blocks may stand. The SDK's types let every block stand in both roles, the server does not.
_ANYWHERE = frozenset({"text", "compaction", "container_upload", "mcp_tool_listing"}) | SERVER_RESULTS
BLOCKS = {
    "user": _ANYWHERE | {"image", "document", "search_result", "tool_result", "tool_addition", "tool_removal"},
    "assistant": _ANYWHERE | {"thinking", "redacted_thinking", "tool_use", "fallback"} | SERVER_CALLS,
    # A compaction block here has an error of its own.
    "system": frozenset({"text", "tool_addition", "tool_removal", "compaction"}),
    "result": frozenset({"text", "image", "document", "search_result", "tool_reference", "browser_state"}),
}
