"""The wire protocols, and what each accepts whichever model answers."""

from __future__ import annotations

from typing import Any

from segue.targets.target import DocumentLimits, IdShape, ImageLimits

APIS = {
    "anthropic-messages": "Anthropic Messages",
    "openai-responses": "OpenAI Responses",
    "openai-completions": "OpenAI Chat Completions",
    "openai-codex-responses": "OpenAI Responses, as Codex speaks it",
    "azure-openai-responses": "OpenAI Responses on Azure",
    "google-generative-ai": "Google Gemini generateContent, AI Studio",
    "google-vertex": "Google Gemini generateContent, Vertex AI",
    "bedrock-converse-stream": "Amazon Bedrock Converse",
    "mistral-conversations": "Mistral chat completions",
}

_BOTH = frozenset({"image", "document"})
_RESPONSES: dict[str, Any] = {
    "call_id": IdShape(length=64, piped=True),
    "tool_name": IdShape(length=64),
    "thinking": "item",
    "text_signatures": True,
    "images": True,
    "documents": True,
    "image_limits": ImageLimits(size=20_971_520, count=1500),
    "document_limits": DocumentLimits(size=73_400_320),
    "named_documents": True,
    "result_media": _BOTH,
    "empty_lists": True,
    "developer_role": True,
    "text_parts": True,
    "blank_text": True,
}
_GEMINI_DOCUMENTS = frozenset(
    {
        "application/pdf", "text/plain", "text/html", "text/css", "text/csv", "text/xml", "text/rtf", "text/md",
        "text/markdown", "text/javascript", "text/x-python",
    }
)  # fmt: skip
_GEMINI: dict[str, Any] = {
    # Its ids are its agents' own: none before Gemini 3, and pi leaves those of others as they are.
    "call_id": IdShape(length=64, wire_only=True),
    "tool_name": IdShape(characters="a-zA-Z0-9_.-", length=64, first="a-zA-Z_"),
    "thinking": "signed",
    "unsigned_thinking": True,
    "text_signatures": True,
    "call_signatures": True,
    "images": True,
    "documents": True,
    "document_types": _GEMINI_DOCUMENTS,
    "image_types": frozenset({"image/png", "image/jpeg", "image/webp"}),
    # A whole request with its inline data may have 20 MB.
    "image_limits": ImageLimits(size=20_971_520, count=3000),
    "document_limits": DocumentLimits(size=20_971_520, pages=1000),
    "url_schemes": frozenset({"http", "https", "gs"}),
    "error_flag": True,
    "alternates": True,
    "leading_user": True,
    "late_system": False,
    "prefill": False,
    "text_parts": True,
}

# What an api takes whichever model answers. Of a field that is not named the careful default of `Target` holds.
API_DEFAULTS: dict[str, dict[str, Any]] = {
    "anthropic-messages": {
        "call_id": IdShape(length=64),
        "tool_name": IdShape(length=128),
        "declares_tools": True,
        "thinking": "signed",
        "whole_thinking": True,
        "images": True,
        "documents": True,
        "document_types": frozenset({"application/pdf", "text/plain"}),
        # The api takes 10 MB of base64 today, its clones and clouds 5 MB: the safe limit counts.
        "image_limits": ImageLimits(size=5_242_880, side=8000, many=20, many_side=2000, count=600),
        "document_limits": DocumentLimits(size=33_554_432, pages=600),
        "request_size": 33_554_432,
        "result_media": _BOTH,
        "empty_lists": True,
        "text_only_error_results": True,
        "error_flag": True,
        "alternates": True,
        "leading_user": True,
        "late_system": False,
        "system_placement": True,
        "prefill": False,
        "cache_marks": 4,
        "server_tools": True,
        "server_call_id": "srvtoolu_[a-zA-Z0-9_]+",
        "text_parts": True,
    },
    "openai-responses": _RESPONSES,
    "openai-codex-responses": _RESPONSES,
    "azure-openai-responses": _RESPONSES,
    # The careful common denominator for a host that nobody described.
    "openai-completions": {
        "call_id": IdShape(length=40),
        "tool_name": IdShape(length=64),
        "images": True,
        "null_content": False,
        "late_system": False,
        "single_system": True,
        "alternates": True,
    },
    "google-generative-ai": _GEMINI,
    "google-vertex": _GEMINI,
    "bedrock-converse-stream": {
        "call_id": IdShape(characters="a-zA-Z0-9_.:-", length=64),
        "tool_name": IdShape(length=64),
        "declares_tools": True,
        "image_limits": ImageLimits(size=5_000_000, side=8000, count=20),
        "document_limits": DocumentLimits(size=6_000_000, count=5),
        "url_schemes": frozenset({"s3"}),
        "document_types": frozenset(
            {
                "application/pdf", "text/csv", "text/html", "text/plain", "text/markdown", "application/msword",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.ms-excel",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            }
        ),
        "document_names": True,
        "empty_lists": True,
        "lone_documents": False,
        "documents_beside_results": False,
        "text_after_calls": False,
        "alternates": True,
        "leading_user": True,
        "late_system": False,
        "prefill": False,
        "text_parts": True,
    },
    "mistral-conversations": {
        # Newer models take any id; nine letters and digits are what all of them take.
        "call_id": IdShape(characters="a-zA-Z0-9", length=9, exact=True),
        "tool_name": IdShape(length=64),
        "thinking_field": "",  # it goes back in a chunk of the content
        "images": True,
        "documents": True,
        "image_limits": ImageLimits(size=27_962_028, side=10_000, count=8),
        # An answer first is taken only where more follows.
        "leading_user": True,
        "late_system": False,
        "alternates": True,
        "prefill": False,
        "user_after_results": False,
    },
}  # fmt: skip
# OpenAI itself, where the denominator of the many hosts is too narrow.
OPENAI_CHAT: dict[str, Any] = {
    "call_id": IdShape(characters="^|\\x00-\\x20\\x7f", length=40),  # any words, only not too long
    "late_system": True,
    "single_system": False,
    "developer_role": True,
    "alternates": False,
    "documents": True,
    "named_documents": True,
    "text_parts": True,
    "blank_text": True,
    "null_content": True,
    "image_limits": ImageLimits(size=20_971_520, count=1500),
    "strict_keys": True,
}
