"""The rules of OpenAI's two apis, as tables."""

from __future__ import annotations

from segue.apis._rule import COMMON, Rule, Silence

_SPEC = "OpenAI's openapi.json 2.3.0"
_SDK = "OpenAI SDK 3.57"
_LOGS = "error body in public logs"
_AI_SDK = "ai-sdk openai 4.0"
_DATA = "the model's data"

RESPONSES = (
    *COMMON,
    # shape of the history
    Rule(
        "O-S1", "empty-input", "error", "there has to be an input, or a conversation that holds one", "pydantic-ai 2.68"
    ),
    Rule("O-S1", "missing-key", "error", "a request, an item or a part lacks a key that it needs", _SPEC),
    Rule("O-S1", "wrong-type", "error", "a value has another type than the api's schema says", _SPEC),
    Rule("O-S2", "unknown-role", "error", "the roles are user, assistant, system and developer", _SPEC),
    Rule("O-S2", "unknown-item", "error", "an item of a type that the api does not know", _SDK),
    Rule("O-S3", "part-in-wrong-role", "error", "input parts stand in inputs, output parts in the assistant's", _LOGS),
    Rule("O-S4", "output-text", "error", "the annotations of an output text are a list", _SPEC),
    Rule("O-S5", "unknown-key", "error", "keys that the api does not know are refused", "litellm 1.110"),
    Rule("O-S7", "max-tokens", "error", "max_output_tokens is 16 or more", "earendil-works/pi#6265"),
    Rule("O-S7", "max-tokens-above-model", "warning", "max_output_tokens is more than the model writes", _DATA),
    Rule(
        "O-S8",
        "sampling-parameter",
        "error",
        "models that reason refuse temperature, top_p and logprobs, unless their effort is none",
        _AI_SDK,
    ),
    Rule("O-S8", "effort", "error", "each model has its own efforts of reasoning", _AI_SDK),
    # calls and results
    Rule("O-T1", "call-id-shape", "error", "a call_id has 1 to 64 characters", f"{_SPEC}; decolua/9router#393"),
    Rule("O-T2", "item-id-shape", "error", "an item's id begins with its type's prefix", "openai/codex#33176"),
    Rule("O-T2", "duplicate-item-id", "error", "an item's id comes once", "earendil-works/pi#5165"),
    Rule(
        "O-T3", "call-without-result", "error", "each call has an output later in the input", "github/copilot-cli#4572"
    ),
    Rule("O-T4", "result-without-call", "error", "each output has a call before it", _LOGS),
    Rule(
        "O-T4", "duplicate-result", "error", "a call has one output", "believed: two outputs for a call were never seen"
    ),
    Rule("O-T4", "result-kind", "warning", "an output is of its call's kind", _SPEC),
    Rule("O-T4", "duplicate-call-id", "error", "two open calls share an id", "follows from O-T3"),
    Rule("O-T4", "reused-call-id", "warning", "a later call has the id of an answered one", "follows from O-T3"),
    Rule("O-T5", "arguments-not-text", "error", "arguments are a string", f"{_SPEC}; {_LOGS}"),
    Rule("O-T5", "arguments-not-object", "warning", "arguments are the text of a JSON object", _AI_SDK),
    Rule("O-T5", "arguments-too-long", "error", "arguments have 1,048,576 characters at most", _LOGS),
    Rule("O-T5", "output-not-json", "error", "the output of a tool with an output_schema is JSON", _AI_SDK),
    Rule("O-T6", "tool-name-shape", "error", "names are 1 to 128 letters, digits, _ and -", _SPEC),
    Rule("O-T6", "long-tool-name", "warning", "names of functions have 64 characters at most", _SPEC),
    Rule("O-T6", "too-many-tools", "warning", "128 tools at most, it was long said", _SPEC),
    Rule("O-T7", "empty-tools", "warning", "an empty list of tools is refused by some deployments", _LOGS),
    Rule("O-T7", "tool-choice-without-tools", "error", "a tool choice needs tools", _LOGS),
    Rule("O-T9", "tool-schema", "error", "the root of the parameters is an object schema", "litellm 1.110"),
    Rule(
        "O-T9",
        "tool-schema-choice",
        "warning",
        "older models refuse a choice at the root, and some regexes",
        "litellm 1.110",
    ),
    Rule("O-T9", "strict-schema", "error", "a strict schema is closed and requires all keys", "litellm 1.110"),
    Rule(
        "O-T10", "misplaced-item", "error", "a compaction trigger is last, configuration updates stand apart", _AI_SDK
    ),
    Rule(
        "O-T10",
        "tool-choice-unknown",
        "warning",
        "before GPT-5.6 a tool choice names a tool of the request, not one of an item",
        "pydantic-ai 2.68",
    ),
    # reasoning
    Rule(
        "O-R1",
        "reasoning-shape",
        "error",
        "a reasoning item has a summary and no content",
        "inspect_ai; openai/codex#36551",
    ),
    Rule("O-R1", "reasoning-not-stored", "error", "without storage reasoning carries its ciphertext", "vercel/ai#7543"),
    Rule("O-R1", "reasoning-unsupported", "error", "the model takes no reasoning items", _DATA),
    Rule("O-R2", "reasoning-without-follower", "error", "what it led to follows a reasoning item", "vercel/ai#7099"),
    Rule(
        "O-R3",
        "item-without-reasoning",
        "warning",
        "an item with its server's id came with reasoning",
        "TanStack/ai#1212",
    ),
    Rule(
        "O-R6",
        "reasoning-missing",
        "error",
        "some hosts want a reasoning item before the calls of each turn",
        "rikkahub/rikkahub#1690",
    ),
    # media and limits
    Rule("O-M1", "image-source", "error", "an image is a link, a data URL or an uploaded file", _SPEC),
    Rule("O-M1", "image-type", "error", "images are JPEG, PNG, GIF or WebP, and say which", _SPEC),
    Rule("O-M1", "image-unreadable", "warning", "the bytes of an image begin like no image", "follows from O-M1"),
    Rule("O-M1", "image-animated", "warning", "a GIF holds one picture", _SPEC),
    Rule("O-M1", "image-too-large", "error", "an image has 20,971,520 characters at most", _SPEC),
    Rule("O-M1", "image-dimensions", "error", "an image has too many pixels on a side", _DATA),
    Rule("O-M1", "too-many-images", "error", "too many images in one request", "pi-ai 1.6"),
    Rule(
        "O-M2",
        "file-source",
        "error",
        "a file is a data URL with a name, an uploaded file or a link",
        f"{_SPEC}; inspect_ai",
    ),
    Rule("O-M3", "unsupported-media", "error", "the model takes no images, or no documents", _DATA),
    Rule("O-M3", "media-in-result", "error", "the host takes no media inside an output", _DATA),
    Rule("O-M4", "text-too-long", "error", "a text has 10,485,760 characters at most", _SPEC),
    Rule("O-L1", "body-too-large", "error", "a request has 512 MB at most", "pi-ai 1.6"),
)

COMPLETIONS = (
    *COMMON,
    # shape of the history
    Rule("C-S1", "empty-messages", "error", "there has to be a message", _SPEC),
    Rule("C-S1", "missing-key", "error", "a request, a message or a part lacks a key that it needs", _SPEC),
    Rule("C-S1", "wrong-type", "error", "a value has another type than the api's schema says", _SPEC),
    Rule("C-S1", "unknown-role", "error", "the roles are system, developer, user, assistant and tool", _SPEC),
    Rule(
        "C-S1",
        "developer-role",
        "warning",
        "developer is OpenAI's own, other hosts know system",
        "earendil-works/pi#10741",
    ),
    Rule("C-S1", "misplaced-system", "warning", "some hosts take system messages at the start only", _DATA),
    Rule("C-S2", "empty-content", "error", "content may be null only beside calls, and no list may be empty", _SPEC),
    Rule("C-S3", "ends-on-assistant", "warning", "the model wants a user's or a tool's turn last", _DATA),
    Rule("C-S4", "part-in-wrong-role", "error", "images, audio and files stand in user messages", _LOGS),
    Rule("C-S4", "unknown-part", "error", "a part of a type that the api does not know", _SPEC),
    Rule("C-S5", "empty-tool-calls", "error", "tool_calls may not be an empty list", _LOGS),
    Rule(
        "O-S8",
        "sampling-parameter",
        "error",
        "models that reason refuse temperature, top_p and logprobs, unless their effort is none",
        _AI_SDK,
    ),
    Rule("O-S8", "effort", "error", "each model has its own efforts of reasoning", _AI_SDK),
    Rule("C-S6", "message-name-shape", "error", "the name on a message has 64 characters, no space, no <|\\/>", _LOGS),
    # calls and results
    Rule("C-T1", "call-id-shape", "error", "ids of calls have 1 to 40 characters", "pydantic/pydantic-ai#4389"),
    Rule("C-T2", "call-without-result", "error", "tool messages for all calls follow at once", "BerriAI/litellm#28995"),
    Rule("C-T2", "duplicate-call-id", "error", "two calls of one message share an id", "follows from C-T2"),
    Rule("C-T2", "reused-call-id", "warning", "a later call has the id of an answered one", "follows from C-T2"),
    Rule("C-T3", "result-without-call", "error", "a tool message answers a call right before", "itmisx/deepx-code#94"),
    Rule(
        "C-T3", "duplicate-result", "error", "a call has one result", "believed: two results for a call were never seen"
    ),
    Rule("C-T4", "arguments-not-text", "error", "arguments are a string", _SPEC),
    Rule(
        "C-T4",
        "arguments-not-object",
        "warning",
        "arguments are the text of a JSON object",
        "chat templates of open models",
    ),
    Rule("C-T4", "arguments-too-long", "error", "arguments have 1,048,576 characters at most", _LOGS),
    Rule("C-T4", "call-shape", "error", "a call says its type, and holds what the type says", _SPEC),
    Rule("C-T5", "tool-name-shape", "error", "names are 1 to 64 letters, digits, _ and -", _SPEC),
    Rule("C-T5", "too-many-tools", "error", "128 tools at most", _SPEC),
    Rule("C-T5", "empty-tools", "error", "an empty list of tools is refused", _LOGS),
    Rule("C-T5", "tool-choice-without-tools", "error", "a tool choice needs tools", _LOGS),
    Rule(
        "C-T5",
        "tool-schema",
        "error",
        "the parameters are an object schema without a choice at its root",
        "litellm 1.110",
    ),
    Rule("C-T5", "tool-schema-pattern", "warning", "regexes have to compile in Python", "litellm 1.110"),
    Rule("C-T5", "strict-schema", "error", "a strict schema is closed and requires all keys", "litellm 1.110"),
    Rule(
        "C-T5", "tools-missing", "error", "calls in the history demand tool definitions on this host", "litellm 1.110"
    ),
    Rule("C-T6", "tools-refused", "error", "the newest models take tools in OpenAI Responses only", _LOGS),
    Rule("C-T6", "tools-with-reasoning", "error", "newer models take tools here only with the effort none", _LOGS),
    # reasoning
    Rule(
        "C-R1",
        "unknown-key",
        "error",
        "keys that the api does not know, reasoning among them",
        "openai/openai-python#1469",
    ),
    # vendors
    Rule(
        "C-V1",
        "consecutive-role",
        "warning",
        "strict templates want user and assistant by turns",
        "pydantic-ai 2.68; inspect_ai",
    ),
    Rule(
        "C-V2",
        "user-after-result",
        "error",
        "some hosts want the assistant's word between a result and the user's",
        "pydantic-ai 2.68",
    ),
    Rule(
        "C-V3",
        "reasoning-missing",
        "error",
        "hosts that think want their reasoning back, with calls or with all answers",
        "earendil-works/pi#3636; continuedev/continue#11600",
    ),
    Rule("C-V4", "forced-tool-choice", "error", "hosts that want reasoning back force no call", "pydantic-ai 2.68"),
    Rule("C-V5", "two-thinking-switches", "warning", "one host refuses both switches at once", "ai-sdk moonshotai 3.0"),
    Rule(
        "C-V6",
        "content-not-text",
        "warning",
        "beside OpenAI's own the content of system, assistant and tool is best a plain text",
        "common denominator of the hosts",
    ),
    Rule("C-V7", "null-content", "warning", "some hosts want an empty text rather than none", _LOGS),
    Rule("C-V8", "no-user-message", "warning", "some hosts want a message of the user", "anomalyco/opencode#2557"),
    # media and limits
    Rule("C-M1", "max-tokens-key", "error", "reasoning models want max_completion_tokens", _LOGS),
    Rule("C-M1", "max-tokens", "warning", "more output tokens than the model writes", _DATA),
    Rule("C-M2", "file-source", "error", "a file is a data URL with a name, or an uploaded file", "pydantic-ai 2.68"),
    Rule("C-M2", "audio", "warning", "only audio models hear", "pydantic-ai 2.68"),
    Rule("C-M2", "image-source", "error", "an image is an object with a link or a data URL", _SPEC),
    Rule("C-M2", "image-type", "error", "images are JPEG, PNG, GIF or WebP, and say which", _SPEC),
    Rule("C-M2", "image-unreadable", "warning", "the bytes of an image begin like no image", "follows from O-M1"),
    Rule("C-M2", "image-animated", "warning", "a GIF holds one picture", _SPEC),
    Rule("C-M2", "image-too-large", "error", "an image is too long for the host", _DATA),
    Rule("C-M2", "image-dimensions", "error", "an image has too many pixels on a side", _DATA),
    Rule("C-M2", "too-many-images", "error", "too many images in one request", "pi-ai 1.6"),
    Rule("C-M2", "unsupported-media", "error", "the model takes no images, or no documents", _DATA),
    Rule("C-L1", "body-too-large", "error", "a request has 512 MB at most", "pi-ai 1.6"),
)

RESPONSES_LEGAL = (
    Silence("O-S2", "roles in any order, system anywhere, any item at the end", "taken", _SPEC),
    Silence("O-T7", "calls in the history without declared tools", "taken", _LOGS),
    Silence("O-T8", "an output as a list with images and files", "taken", _SPEC),
    Silence("O-R7", "reasoning without an id", "its ciphertext is checked on its own", "litellm 1.110"),
)
RESPONSES_UNSEEN = (
    Silence("O-S6", "a phase that got lost", "only the server's answer had it; no refusal, but worse answers", _SPEC),
    Silence("O-T10", "the namespace of a call that got lost", "only the server's answer had it", "pydantic-ai 2.68"),
    Silence(
        "O-R3",
        "reasoning left out before an item of its turn",
        "an item without its server's id tells nothing",
        "TanStack/ai#1212",
    ),
    Silence("O-R4", "ciphertext of another organisation", "its owner is sealed in it", "openai/codex#8145"),
    Silence("O-R5", "reasoning behind an edited history", "no refusal: the newest models leave it out", "pi-ai 1.6"),
    Silence("O-M4", "a history above the window", "only the server's tokenizer counts it", "pi-ai 1.6"),
)
COMPLETIONS_LEGAL = (
    Silence("C-S3", "roles in any order, and an assistant's message at the end", "taken by OpenAI itself", _SPEC),
    Silence("C-S2", "an empty text as content", "taken", _SPEC),
)
COMPLETIONS_UNSEEN = (
    Silence("C-S1", "a system message for the first o1 models", "those models are gone", _SPEC),
    Silence("C-V3", "reasoning that was edited", "only what the model wrote would show it", "inspect_ai"),
    Silence(
        "C-V9", "tools on a server that was started without a parser for calls", "the server's options", "vLLM's docs"
    ),
)
