"""The rules of Bedrock's Converse, as a table. Claude behind it keeps its own rules, in this shape."""

from __future__ import annotations

from segue.apis._rule import COMMON, Rule, Silence, reporter
from segue.apis._walk import escaped, shown
from segue.changes import Problem

_SHAPE = "botocore 1.44, bedrock-runtime"
_PYDANTIC = "pydantic-ai 2.68, answers of the live API"
_LITELLM = "litellm 1.110"
_PI = "pi-ai 1.6"
_LOGS = "error body in public logs"
_ANTHROPIC = "Anthropic SDK 2.14"

RULES = (
    *COMMON,
    # shape of the history
    Rule("B-S1", "empty-messages", "error", "there has to be a message", _SHAPE),
    Rule("B-S1", "first-not-user", "error", "the first message has to be the user's", _PYDANTIC),
    Rule("B-S2", "consecutive-role", "error", "the roles user and assistant take turns", _LOGS),
    Rule("B-S2", "unknown-role", "error", "the roles are user and assistant, and system for some models", _SHAPE),
    Rule("A-S9", "misplaced-system", "error", "the model takes no system message among the others", _SHAPE),
    Rule("B-S3", "empty-content", "error", "the content of a message may not be empty", _LOGS),
    Rule("B-S3", "blank-text", "error", "a text may not be empty or all white space", _LOGS),
    Rule("B-S5", "blank-text", "error", "a text of the system prompt has a character at least", _SHAPE),
    Rule("B-S4", "ends-on-assistant", "error", "models without prefill want the user's turn last", _LITELLM),
    Rule("A-S5", "ends-on-assistant", "error", "Claude from 4.6 on continues no turn", "livekit/agents#4907"),
    Rule("A-S8", "ends-on-assistant", "error", "a prefill may not end in white space", _LITELLM),
    Rule("B-S6", "block-members", "error", "a block has exactly one member", _SHAPE),
    Rule("B-S6", "unknown-block", "error", "a block with no member that the api knows", _SHAPE),
    Rule("B-S6", "missing-key", "error", "a block's own keys have to be there", _SHAPE),
    Rule("B-S6", "wrong-type", "error", "a value has another type or range than the api's shape says", _SHAPE),
    Rule("B-S6", "unknown-key", "error", "a key that the api's shape does not know", _SHAPE),
    Rule("B-S7", "text-behind-call", "error", "an assistant's texts stand before its calls", _LITELLM),
    # tools
    Rule("B-T1", "call-id-shape", "error", "ids of calls are 1 to 64 letters, digits, _ . : and -", _SHAPE),
    Rule("B-T2", "tool-name-shape", "error", "names of tools are 1 to 64 letters, digits, _ and -", _SHAPE),
    Rule("B-T2", "empty-tools", "error", "a toolConfig holds a tool at least", _SHAPE),
    Rule("B-T2", "empty-description", "error", "a tool's description has a character at least", _SHAPE),
    Rule("A-T2", "duplicate-tool", "error", "names of tools are unique", _ANTHROPIC),
    Rule(
        "A-T11", "tool-schema", "error", "the schema of a tool is an object's, without a choice at its root", _LITELLM
    ),
    Rule("B-T3", "arguments-not-object", "error", "the input of a call is an object", "ai-sdk amazon-bedrock 5.0"),
    Rule("B-T3", "empty-argument-key", "warning", "keys of no characters are refused by some models", f"{_PI}, #7882"),
    Rule("B-T4", "duplicate-call-id", "error", "ids of calls are unique within a message", _LITELLM),
    Rule("B-T4", "reused-call-id", "warning", "an id of an earlier turn is used once more", "Anthropic's rule A-T4"),
    Rule("B-T4", "duplicate-result", "error", "a call has one result", _LITELLM),
    Rule(
        "B-T5",
        "call-without-result",
        "error",
        "all results of a turn stand in the next user message",
        f"{_LOGS}; {_PI}",
    ),
    Rule("B-T5", "result-without-call", "error", "a result answers a call of the message before", _LOGS),
    Rule("B-T6", "tools-missing", "error", "calls in the history demand a toolConfig", "langgenius/dify#17545"),
    Rule(
        "B-T7",
        "mixed-results",
        "error",
        "what may not stand beside results in their message",
        f"{_PYDANTIC}; pydantic/pydantic-ai#6081",
    ),
    Rule(
        "B-T8", "error-result", "error", "a result marked as an error holds something, for Claude text only", _PYDANTIC
    ),
    Rule("B-T8", "result-status", "warning", "only Claude and Nova document a result's status", _PYDANTIC),
    Rule("B-T9", "tool-choice", "error", "a tool choice is one of auto, any and tool; there is no none", _SHAPE),
    Rule("B-T9", "tool-choice-support", "warning", "only some models take a choice of any tool or one", _SHAPE),
    Rule("B-T9", "strict-tool", "warning", "only Claude knows strict tools", _LITELLM),
    Rule(
        "A-S14",
        "forced-tool-choice",
        "error",
        "the model, or manual thinking, excludes a forced tool choice",
        _PYDANTIC,
    ),
    # thinking
    Rule("B-R1", "refused-signature", "error", "only Claude takes the signature of reasoning", f"{_PI}; {_LITELLM}"),
    Rule("B-R1", "reasoning-unsupported", "error", "the model takes no reasoning back", f"{_PI}; {_LITELLM}"),
    Rule("A-R1", "thinking-without-signature", "error", "Claude's reasoning needs its signature", _LITELLM),
    Rule(
        "A-R1", "signature-shape", "warning", "a signature is base64; this one is another vendor's", "form of all seen"
    ),
    Rule("A-R2", "redacted-without-data", "error", "redacted reasoning is its data", _SHAPE),
    Rule("A-R3", "thinking-altered", "warning", "reasoning of the latest answer is not as the model wrote it", _LOGS),
    Rule(
        "A-R4",
        "thinking-missing",
        "error",
        "with manual thinking the turn before the last results starts with it",
        _LOGS,
    ),
    Rule(
        "B-R2",
        "block-binding",
        "error",
        "block_binding stands in adaptive or enabled thinking, on models that know it",
        _PI,
    ),
    Rule("B-R3", "not-base64", "error", "bytes are base64 in JSON", _SHAPE),
    Rule("A-R10", "thinking-type", "error", "thinking is set in a way that the model refuses", _PYDANTIC),
    Rule("A-R10", "thinking-budget", "error", "budget_tokens is 1,024 or more", _ANTHROPIC),
    Rule(
        "A-R10",
        "thinking-budget-above-max",
        "warning",
        "budget_tokens stays below maxTokens, unless interleaved",
        _ANTHROPIC,
    ),
    # settings
    Rule("A-S13", "sampling-with-thinking", "error", "with manual thinking the temperature is 1", _LOGS),
    Rule("A-S13", "sampling-parameter", "error", "the model takes no such sampling parameter", _PYDANTIC),
    Rule("A-S15", "max-tokens", "error", "maxTokens is larger than the model's output can be", _PYDANTIC),
    # media
    Rule("B-M1", "image-type", "error", "images are png, jpeg, gif or webp, and say which", _SHAPE),
    Rule("B-M1", "image-unreadable", "warning", "the bytes of an image begin like no image", "follows from B-M1"),
    Rule("B-M1", "image-too-large", "error", "an image has 3.75 MB at most", _SHAPE),
    Rule("B-M1", "image-dimensions", "error", "an image has too many pixels on a side", f"{_SHAPE}; {_LOGS}"),
    Rule("B-M1", "too-many-images", "error", "more than 20 images", _SHAPE),
    Rule("B-M2", "document-type", "error", "a document of a format that the api does not know", _SHAPE),
    Rule("B-M2", "document-too-large", "error", "a document has 4.5 MB at most", _SHAPE),
    Rule("B-M2", "too-many-documents", "error", "more than five documents", _SHAPE),
    Rule("B-M2", "lone-document", "error", "a document needs a text beside it in its message", _LITELLM),
    Rule(
        "B-M2",
        "document-name",
        "error",
        "names of documents are 1 to 200 letters, digits, single spaces, - ( ) [ ]",
        _SHAPE,
    ),
    Rule("B-M2", "duplicate-document-name", "error", "names of documents are unique in a request", _LITELLM),
    Rule("B-M3", "block-in-wrong-role", "error", "each role has its own kinds of blocks", _SHAPE),
    Rule("B-M4", "unsupported-media", "error", "the model takes no images, or no documents", "the model's data"),
    Rule("B-M4", "media-in-result", "error", "the model takes no such media inside a tool result", _PYDANTIC),
    Rule("B-M4", "video-or-audio", "warning", "only few models take video or audio", _PYDANTIC),
    # limits
    Rule("B-L1", "body-too-large", "error", "the texts are longer than any count of them in the model's window", _PI),
)
LEGAL = (
    Silence(
        "B-T7", "words or images behind results", "taken, but for Llama's, Mistral's and Writer's models", _PYDANTIC
    ),
    Silence("B-T8", "a result of no content", "taken while its status is no error", _SHAPE),
    Silence("A-R5", "reasoning of older turns, or while thinking is off", "Claude passes over it", "Anthropic's docs"),
)
UNSEEN = (
    Silence("A-R3", "reasoning left out or edited", "only what the model wrote would show it", _LOGS),
    Silence(
        "A-R7",
        "a history that changed before bound reasoning",
        "the binding is sealed in the signature",
        "AWS docs, block binding of Claude's thinking",
    ),
    Silence("B-R2", "block_binding where the region does not know it", "a body does not name its region", _PI),
    Silence("B-L1", "a history that is only somewhat too long", "only the server's tokenizer counts it", _PI),
)
problem = reporter(RULES)


def member(pointer: str) -> str:
    """Write a pointer the way Bedrock's shape errors do, counting from 1.

    >>> member("/messages/0/content/1/toolUse")
    'messages.1.member.content.2.member.toolUse'
    """
    parts = pointer[1:].split("/")
    return ".".join(f"{int(part) + 1}.member" if part.isdecimal() else part for part in parts)


def refused(value: object, pointer: str, constraint: str) -> str:
    """Say what the service answers to a value outside its shape."""
    given = f"Value '{str(value)[:80]}' at '{member(pointer)}'"
    return f"{given} failed to satisfy constraint: Member must satisfy {constraint}"


def unknown_key(of: str, key: str, pointer: str) -> Problem:
    """Tell of a key that is none of what it stands in."""
    return problem("unknown-key", f"{pointer}/{escaped(key)}", f"{of} knows no key {shown(key)}")
