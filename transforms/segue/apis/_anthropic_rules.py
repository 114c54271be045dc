"""The rules of Anthropic Messages, as a table."""

from __future__ import annotations

from segue.apis._rule import COMMON, Rule, Silence, reporter

_SDK = "Anthropic SDK 2.14"
_PROBE = "answers of the live API, 2026-07-25"
_LITELLM = "litellm 1.110"
_LOGS = "error body in public logs"

RULES = (
    *COMMON,
    # shape of the history
    Rule(
        "A-S1", "missing-key", "error", "model, max_tokens, messages and each block's own keys have to be there", _SDK
    ),
    Rule("A-S1", "wrong-type", "error", "a value has another type than the api's schema says", _SDK),
    Rule("A-S1", "empty-messages", "error", "there has to be a message", _SDK),
    Rule("A-S1", "too-many-messages", "error", "a request holds 100,000 messages at most", _SDK),
    Rule("A-S2", "unknown-role", "error", "the roles are user and assistant, and system on newer models", _SDK),
    Rule("A-S3", "first-not-user", "error", "the first message has to be the user's", _PROBE),
    Rule(
        "A-S5", "ends-on-assistant", "error", "models without prefill want the user's turn last", "livekit/agents#4907"
    ),
    Rule("A-S6", "blank-text", "error", "a text block may not be empty or all white space", _PROBE),
    Rule("A-S6", "empty-content", "error", "a user's whole content may not be an empty text", _PROBE),
    Rule("A-S8", "ends-on-assistant", "error", "a prefill may not end in white space", _LITELLM),
    Rule(
        "A-S9",
        "misplaced-system",
        "error",
        "a system message stands behind a user turn, before an assistant's or last, on models that take one",
        "Anthropic's docs, mid-conversation system messages; simonw/llm-anthropic#73",
    ),
    Rule("A-S10", "block-in-wrong-role", "error", "each role has its own kinds of blocks", _SDK),
    Rule("A-S10", "unknown-block", "error", "a block of a type that the api does not know", _SDK),
    Rule(
        "A-S11",
        "cache-mark",
        "error",
        "four cache marks, none on thinking or deferred tools",
        f"{_LITELLM}; inspect_ai",
    ),
    Rule("A-S12", "unknown-key", "error", "keys that the api does not know are refused anywhere", "pi-ai 1.6"),
    Rule("A-S13", "sampling-with-thinking", "error", "with manual thinking the temperature is 1", _LOGS),
    Rule(
        "A-S13",
        "sampling-parameter",
        "error",
        "the newest models refuse temperature, top_p and top_k, older ones two at once",
        "pydantic-ai 2.68",
    ),
    Rule(
        "A-S14",
        "forced-tool-choice",
        "error",
        "manual thinking and the newest models exclude a forced call",
        f"{_SDK}; pydantic-ai 2.68",
    ),
    Rule("A-S15", "max-tokens", "error", "max_tokens is larger than the model's output can be", "pydantic-ai 2.68"),
    Rule("A-S16", "compaction-block", "error", "one compaction block, as first block of the conversation", _SDK),
    # tools
    Rule("A-T1", "call-id-shape", "error", "ids of calls are letters, digits, _ and -", f"{_LITELLM}; pi-ai 1.6"),
    Rule(
        "A-T1",
        "long-call-id",
        "warning",
        "ids of calls have 64 characters at most",
        "convention of clients, no limit found",
    ),
    Rule("A-T2", "tool-name-shape", "error", "names of tools are 1 to 128 letters, digits, _ and -", _LITELLM),
    Rule("A-T2", "duplicate-tool", "error", "names of tools are unique", _SDK),
    Rule("A-T3", "arguments-not-object", "error", "the input of a call is an object", _SDK),
    Rule("A-T4", "duplicate-call-id", "error", "ids of calls are unique over the request", _LITELLM),
    Rule(
        "A-T5",
        "call-without-result",
        "error",
        "the turn behind a call leads with the results of all calls",
        f"{_PROBE}; anthropics/claude-code#5989",
    ),
    Rule("A-T6", "result-without-call", "error", "a result answers a call of the turn before", "decocms/studio#1803"),
    Rule(
        "A-T6",
        "duplicate-result",
        "error",
        "a call has one result",
        "believed: two results for a call were never probed",
    ),
    Rule("A-T7", "tools-missing", "error", "calls in the history demand tool definitions", _LOGS),
    Rule(
        "A-T8", "error-result", "error", "a result marked as an error holds text only, and some", f"{_SDK}; pi-ai 1.6"
    ),
    Rule("A-T9", "unknown-tool-reference", "error", "a referenced tool has to be declared", "pydantic-ai 2.68"),
    Rule(
        "A-T10",
        "server-tool",
        "error",
        "blocks of server tools need their tool, their pair and their payload",
        _LITELLM,
    ),
    Rule("A-T10", "server-tool-container", "warning", "replayed code execution needs its container", _LITELLM),
    Rule("A-T11", "tool-schema", "error", "input_schema is an object schema without a choice at its root", _LITELLM),
    Rule("A-T11", "strict-tools", "error", "20 strict tools, with 24 optional and 16 union-typed parameters", _LITELLM),
    # thinking
    Rule("A-R1", "thinking-without-signature", "error", "a thinking block needs its signature", _LITELLM),
    Rule(
        "A-R1", "signature-shape", "warning", "a signature is base64; this one is another vendor's", "form of all seen"
    ),
    Rule("A-R2", "redacted-without-data", "error", "redacted thinking is its data", _SDK),
    Rule(
        "A-R3",
        "thinking-altered",
        "warning",
        "thinking of the latest answer is as the model wrote it: not twice the same, nor two in a row",
        "anthropics/claude-code#63574",
    ),
    Rule(
        "A-R4",
        "thinking-missing",
        "error",
        "with manual thinking the turn before the last results starts with it",
        _LOGS,
    ),
    Rule(
        "A-R8",
        "block-binding",
        "error",
        "block_binding belongs to thinking that is on, from 4.7 on",
        "pydantic-ai 2.68",
    ),
    Rule("A-R10", "thinking-type", "error", "thinking is set in a way that the model refuses", "pydantic-ai 2.68"),
    Rule(
        "A-R10",
        "effort",
        "error",
        "an effort that the model does not take, or not without thinking",
        "pydantic-ai 2.68",
    ),
    Rule("A-R10", "thinking-budget", "error", "budget_tokens is 1,024 or more", _SDK),
    Rule(
        "A-R10",
        "thinking-budget-above-max",
        "warning",
        "budget_tokens stays below max_tokens, unless interleaved",
        _SDK,
    ),
    # media
    Rule("A-M1", "image-type", "error", "images are JPEG, PNG, GIF or WebP, and say which", _SDK),
    Rule("A-M1", "image-unreadable", "warning", "the bytes of an image begin like no image", "follows from A-M1"),
    Rule("A-M2", "image-too-large", "error", "the base64 text of an image is too long", "Anthropic's docs, vision"),
    Rule("A-M3", "image-dimensions", "error", "an image has too many pixels on a side", _LOGS),
    Rule("A-M4", "too-many-images", "error", "too many images in one request", _LOGS),
    Rule("A-M5", "document-type", "error", "base64 documents are PDF, plain text goes as text", _LOGS),
    Rule("A-M5", "document-pages", "error", "PDFs have 600 pages at most, 100 on models with a small window", _LOGS),
    Rule("A-M6", "unsupported-media", "error", "the model takes no images, or no documents", "the model's data"),
    Rule("A-M6", "media-in-result", "error", "the host takes no media inside a tool result", "the model's data"),
    # limits
    Rule("A-L1", "body-too-large", "error", "a request has 32 MB at most", "Anthropic's docs, errors"),
)
_BINDING_DOCS = "Anthropic's docs, preserved thinking"
LEGAL = (
    Silence("A-S4", "neighbours of one role", "the server joins them into one turn", f"{_SDK}; {_PROBE}"),
    Silence(
        "A-S7", "an empty list, or an assistant's empty text, as content", "taken, except as the last word", _PROBE
    ),
    Silence("A-R5", "thinking of older turns, or while thinking is off", "the server passes over it", _PROBE),
)
UNSEEN = (
    Silence(
        "A-R3",
        "a thinking block left out or edited",
        "only what the model wrote would show it",
        "anthropics/claude-code#63574",
    ),
    Silence(
        "A-R6",
        "thinking of another Claude",
        "accepted, the server leaves out what its model cannot read",
        _BINDING_DOCS,
    ),
    Silence(
        "A-R7", "a history that changed before bound thinking", "the binding is sealed in the signature", _BINDING_DOCS
    ),
    Silence("A-R8", "block_binding without its beta", "the beta stands in a header", "pydantic-ai 2.68"),
    Silence("A-R9", "thinking from another account", "the account is sealed in the signature", _BINDING_DOCS),
    Silence("A-R11", "a fallback block left out", "only what the server wrote would show it", _SDK),
    Silence(
        "A-S15",
        "input and max_tokens together above the window",
        "only the server's tokenizer counts it",
        "pydantic-ai 2.68",
    ),
    Silence("A-S16", "a compaction block that was edited", "only what the server wrote would show it", _SDK),
)
problem = reporter(RULES)
