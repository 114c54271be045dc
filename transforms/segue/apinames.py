"""Other names of the apis, in one place."""

ALIASES = {  # those of its request format, of older recordings, and short ones
    "messages": "anthropic-messages",
    "openai-chat": "openai-completions",
    "chat": "openai-completions",
    "responses": "openai-responses",
    "gemini": "google-generative-ai",
    "bedrock-converse": "bedrock-converse-stream",
    "mistral-chat": "mistral-conversations",
}
SAME_BODY = {  # apis that take another's request body
    "openai-codex-responses": "openai-responses",
    "azure-openai-responses": "openai-responses",
    "google-vertex": "google-generative-ai",
}
