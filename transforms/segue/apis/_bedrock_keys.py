"""The keys that Bedrock's Converse knows, and which blocks stand where (botocore 1.44, bedrock-runtime).

Blocks are tagged unions: an object with one member, whose name is the block's type.
"""

from __future__ import annotations


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split())


REQUEST_KEYS = _keys(
    "modelId messages system inferenceConfig toolConfig guardrailConfig projectIdentifier "
    "additionalModelRequestFields promptVariables additionalModelResponseFieldPaths requestMetadata "
    "performanceConfig serviceTier outputConfig"
)
MESSAGE_KEYS = frozenset({"role", "content"})
ROLES = ("user", "assistant", "system")

# The members of a block of a message, of a result and of the system prompt.
CONTENT = _keys(
    "text image document video audio toolUse toolResult guardContent cachePoint reasoningContent citationsContent "
    "searchResult toolAddition toolRemoval"
)
RESULT_CONTENT = _keys("json text image document video searchResult")
SYSTEM_CONTENT = _keys("text guardContent cachePoint")
# Beside its own member a block may name others as null.
BLOCK_KEYS = dict.fromkeys(CONTENT | RESULT_CONTENT, CONTENT | RESULT_CONTENT)
# The keys of each member that is an object.
MEMBER_KEYS = {
    "image": _keys("format source error"),
    "document": _keys("format name source context citations"),
    "video": _keys("format source"),
    "audio": _keys("format source error"),
    "toolUse": _keys("toolUseId name input type"),
    "toolResult": _keys("toolUseId content status type"),
    "guardContent": _keys("text image"),
    "cachePoint": _keys("type ttl"),
    "reasoningContent": _keys("reasoningText redactedContent"),
    "citationsContent": _keys("content citations"),
    "searchResult": _keys("source title content citations"),
    "toolAddition": frozenset({"tool"}),
    "toolRemoval": frozenset({"tool"}),
}
REQUIRED_KEYS: dict[str, tuple[str, ...]] = {
    "image": ("format", "source"),
    "document": ("name", "source"),
    "video": ("format", "source"),
    "audio": ("format", "source"),
    "toolUse": ("toolUseId", "name", "input"),
    "toolResult": ("toolUseId", "content"),
    "cachePoint": ("type",),
    "searchResult": ("source", "title", "content"),
    "toolAddition": ("tool",),
    "toolRemoval": ("tool",),
}
REASONING_TEXT_KEYS = frozenset({"text", "signature"})
GUARDED_TEXT_KEYS = frozenset({"text", "qualifiers"})
# The members of what a medium comes from. A document may come as words, too.
SOURCES = {
    "image": _keys("bytes s3Location"),
    "video": _keys("bytes s3Location"),
    "audio": _keys("bytes s3Location"),
    "document": _keys("bytes s3Location text content"),
}
S3_KEYS = frozenset({"uri", "bucketOwner"})

# Where blocks may stand. An assistant's message holds a result only if it is one of the server's own tools.
_ANYWHERE = frozenset({"text", "cachePoint", "guardContent", "citationsContent"})
BLOCKS = {
    "user": _ANYWHERE | _keys("image document video audio toolResult searchResult toolAddition toolRemoval"),
    "assistant": _ANYWHERE | _keys("toolUse toolResult reasoningContent"),
    "system": frozenset({"text", "cachePoint", "toolAddition", "toolRemoval"}),
    "result": RESULT_CONTENT,
}

IMAGE_FORMATS = frozenset({"png", "jpeg", "gif", "webp"})
DOCUMENT_FORMATS = frozenset({"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"})
TOOL_KEYS = frozenset({"toolSpec", "systemTool", "cachePoint"})
SPEC_KEYS = frozenset({"name", "description", "inputSchema", "strict"})
CONFIG_KEYS = frozenset({"tools", "toolChoice"})
CHOICES = {"auto": frozenset[str](), "any": frozenset[str](), "tool": frozenset({"name"})}
INFERENCE_KEYS = frozenset({"maxTokens", "temperature", "topP", "stopSequences"})
