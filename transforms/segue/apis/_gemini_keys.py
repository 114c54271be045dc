"""The keys that Gemini's generateContent knows, and which parts stand where (google-genai 3.6).

The server reads every key in either spelling, `inlineData` and `inline_data`; the tables hold both.
"""

from __future__ import annotations

import re

_CAPITAL = re.compile(r"(?<=[a-z0-9])([A-Z])")


def snake(name: str) -> str:
    """Spell a name the other way.

    >>> snake("inlineData"), snake("role"), snake("topK")
    ('inline_data', 'role', 'top_k')
    """
    return _CAPITAL.sub(r"_\1", name).lower()


def _keys(names: str) -> frozenset[str]:
    return frozenset(name for key in names.split() for name in (key, snake(key)))


# AI Studio's and Vertex's. The model stands in the address.
REQUEST_KEYS = _keys(
    "contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels "
    "serviceTier store continuationToken modelArmorConfig outputConfig"
)
MESSAGE_KEYS = frozenset({"role", "parts"})
ROLES = ("user", "model")
RESULT_ROLE = "function"  # an older name of the role that holds results only

# What a part holds: exactly one of these.
DATA = (
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
)
_ABOUT_MEDIA = "mediaResolution videoMetadata mediaProcessing documentMetadata spreadsheetMetadata audioMetadata"
PART_KEYS = _keys(
    f"{' '.join(DATA)} {_ABOUT_MEDIA} thought thoughtSignature partMetadata audioTranscription speechMetadata"
)
BLOB_KEYS = _keys("mimeType data displayName")
FILE_KEYS = _keys("mimeType fileUri displayName")
CALL_KEYS = _keys("id name args partialArgs willContinue")
RESPONSE_KEYS = _keys("id name response parts scheduling willContinue")
RESPONSE_PART_KEYS = _keys(f"inlineData fileData {_ABOUT_MEDIA}")

_MEMBERS = {
    "inlineData": BLOB_KEYS,
    "fileData": FILE_KEYS,
    "functionCall": CALL_KEYS,
    "functionResponse": RESPONSE_KEYS,
    "executableCode": _keys("id code language"),
    "codeExecutionResult": _keys("id outcome output"),
    "toolCall": _keys("id toolType args"),
    "toolResponse": _keys("id toolType response"),
}
# By the part's name in both spellings: the keys beside that name, and those of the object under it.
BLOCK_KEYS = {name: PART_KEYS for key in DATA for name in (key, snake(key))}
MEMBER_KEYS = {name: keys for key, keys in _MEMBERS.items() for name in (key, snake(key))}

# Where parts may stand.
BLOCKS = {
    "user": _keys("text inlineData fileData functionResponse executableCode codeExecutionResult toolResponse"),
    "assistant": _keys(
        "text inlineData fileData functionCall executableCode codeExecutionResult toolCall toolResponse"
    ),
    "system": frozenset({"text"}),
    "result": _keys("inlineData fileData"),
}

SERVER_TOOLS = _keys(
    "retrieval computerUse fileSearch googleSearch googleSearchRetrieval googleMaps codeExecution urlContext "
    "enterpriseWebSearch parallelAiSearch exaAiSearch mcpServers"
)
TOOL_KEYS = SERVER_TOOLS | _keys("functionDeclarations")
DECLARATION_KEYS = _keys("name description parameters parametersJsonSchema response responseJsonSchema behavior")
TOOL_CONFIG_KEYS = _keys("functionCallingConfig retrievalConfig includeServerSideToolInvocations")
CALLING_KEYS = _keys("mode allowedFunctionNames streamFunctionCallArguments")
CALLING_MODES = frozenset({"MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"})
GENERATION_KEYS = _keys(
    "audioTimestamp audioTranscriptionConfig candidateCount enableAffectiveDialog enableEnhancedCivicAnswers "
    "frequencyPenalty imageConfig logprobs maxOutputTokens mediaResolution modelConfig modelSelectionConfig "
    "presencePenalty responseFormat responseJsonSchema responseLogprobs responseMimeType responseModalities "
    "responseSchema routingConfig seed speechConfig stopSequences temperature thinkingConfig topK topP "
    "translationConfig"
)
THINKING_KEYS = _keys("includeThoughts thinkingBudget thinkingLevel")
# The subset of OpenAPI that `parameters` is; `parametersJsonSchema` takes any JSON schema.
SCHEMA_KEYS = _keys(
    "additionalProperties anyOf default description enum example format items maxItems maxLength maxProperties maximum "
    "minItems minLength minProperties minimum nullable pattern properties propertyOrdering required title type const"
) | {"$defs", "defs", "$ref", "ref"}
