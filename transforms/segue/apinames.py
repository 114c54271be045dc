"""Other names of the apis, in one place."""

ALIASES = {  # those of its request format, of older recordings, and short ones
    "messages": "anthropic-messages",
    "openai-chat": "openai-completions",
    "chat": "openai-completions",
    "responses": "openai-responses",
}
SAME_BODY = {  # apis that take another's request body
    "openai-codex-responses": "openai-responses",
    "azure-openai-responses": "openai-responses",
}
