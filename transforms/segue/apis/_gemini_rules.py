"""The rules of Gemini's generateContent, as a table."""

from __future__ import annotations

from segue.apis._gemini_keys import snake
from segue.apis._rule import COMMON, Rule, Silence, reporter
from segue.apis._walk import bracketed

_SDK = "google-genai 3.6"
_PYDANTIC = "pydantic-ai 2.68"
_LITELLM = "litellm 1.110"
_PI = "pi-ai 1.6"
_LOGS = "error body in public logs"
_INPUTS = "Firebase docs, input file requirements; Gemini docs, file input methods"
_SIGNATURES = "Gemini docs, thought signatures"

RULES = (
    *COMMON,
    # shape of the history
    Rule(
        "G-S1", "missing-key", "error", "contents, and what a call, a result or a medium needs, have to be there", _SDK
    ),
    Rule("G-S1", "wrong-type", "error", "a value has another type than the api's schema says", _SDK),
    Rule("G-S1", "empty-messages", "error", "there has to be a content", _SDK),
    Rule("G-S1", "unknown-role", "error", "the roles are user and model", f"{_SDK}; {_LOGS}"),
    Rule(
        "G-S1",
        "block-in-wrong-role",
        "error",
        "calls are the model's, results the user's, the system prompt is text",
        _SDK,
    ),
    Rule("G-S2", "empty-content", "error", "a content has parts, and they say something", "anomalyco/opencode#17519"),
    Rule("G-S2", "empty-part", "error", "a part holds data", _LOGS),
    Rule("G-S2", "two-in-one-part", "error", "a part holds one kind of data", _SDK),
    Rule("G-S3", "blank-text", "warning", "an empty text without a signature says nothing", _PI),
    Rule("G-S4", "first-not-user", "error", "the first content is the user's", "google-gemini/gemini-cli#11814"),
    Rule(
        "G-S4",
        "misplaced-call",
        "error",
        "a call stands right behind the user or a result",
        "google-gemini/gemini-cli#26486",
    ),
    Rule("G-S5", "ends-on-assistant", "error", "newer models want the user's turn last", "anomalyco/opencode#45359"),
    Rule(
        "G-S5",
        "text-after-results",
        "warning",
        "some models refuse a text behind the last results",
        "google/oss-rebuild#1559",
    ),
    # tools
    Rule(
        "G-T1",
        "call-without-result",
        "error",
        "the content behind a call answers all calls of its turn",
        "google-gemini/gemini-cli#5443",
    ),
    Rule("G-T1", "duplicate-result", "error", "a call has one result", "google-gemini/gemini-cli#26956"),
    Rule("G-T2", "result-without-call", "error", "results stand in one content, right behind their calls", _LITELLM),
    Rule("G-T3", "arguments-not-object", "error", "the args of a call are an object", _SDK),
    Rule("G-T3", "result-not-object", "error", "the response of a result is an object", _SDK),
    Rule("G-T3", "result-reference", "error", "a $ref in a response names one of the result's own parts", _PYDANTIC),
    Rule(
        "G-T4",
        "tool-name-shape",
        "error",
        "names are 1 to 128 letters, digits and _ . : -, and begin with a letter or _",
        _SDK,
    ),
    Rule("G-T4", "long-tool-name", "warning", "older models take 64 characters and no colon", _LOGS),
    Rule("G-T4", "result-name", "error", "a result has the name of its call", _SDK),
    Rule("G-T4", "duplicate-tool", "error", "names of functions are unique", _LOGS),
    Rule("G-T5", "call-id-refused", "error", "models up to 2.5 know no id on calls and results", f"{_LITELLM}; {_PI}"),
    Rule("G-T5", "call-id-shape", "warning", "ids are 1 to 64 letters, digits, _ and -", "form of all seen"),
    Rule("G-T5", "call-id-missing", "warning", "a result repeats the id of its call", f"{_LITELLM}; {_PI}"),
    Rule("G-T5", "duplicate-call-id", "error", "two calls of one turn share an id", "follows from G-T5"),
    Rule("G-T5", "reused-call-id", "warning", "a later call has the id of an answered one", "follows from G-T5"),
    Rule("G-T6", "tool-choice-without-tools", "error", "a calling config needs declarations", _PYDANTIC),
    Rule(
        "G-T6",
        "server-tools-with-functions",
        "warning",
        "server tools beside functions need their circulation switched on",
        _PYDANTIC,
    ),
    Rule("G-T7", "tool-schema", "error", "parameters are an object schema without oneOf", f"{_PYDANTIC}; {_PI}"),
    Rule(
        "G-T7",
        "tool-schema-key",
        "warning",
        "parameters know a part of JSON schema only, parametersJsonSchema all of it",
        _SDK,
    ),
    # thinking
    Rule(
        "G-R1",
        "call-without-signature",
        "error",
        "the first call of each step since the last prompt brings its signature",
        f"{_SIGNATURES}; nanbingxyz/5ire#405",
    ),
    Rule("G-R4", "signature-shape", "error", "a signature is base64", f"{_SDK}; {_PI}"),
    Rule("G-R4", "repeated-signature", "warning", "a signature belongs to one part", _PI),
    Rule("G-R4", "misplaced-signature", "warning", "signatures stand on the model's parts", _SIGNATURES),
    Rule("G-R6", "media-processing", "error", "steps of the server's media processing are not taken back", _PYDANTIC),
    Rule(
        "G-R7",
        "thinking-budget",
        "error",
        "some models cannot stop to think, none takes budget and level at once",
        f"{_PYDANTIC}; Gemini docs, thinking",
    ),
    Rule("G-R7", "effort", "error", "each model has its own levels of thinking", _PYDANTIC),
    # media
    Rule("G-M1", "body-too-large", "warning", "a request has 20 MB; some hosts take more", f"{_INPUTS}; {_PI}"),
    Rule("G-M1", "not-base64", "error", "inline data is base64", _LOGS),
    Rule("G-M1", "image-type", "error", "images are PNG, JPEG or WebP, and say which", _INPUTS),
    Rule("G-M1", "image-unreadable", "warning", "the bytes of an image begin like no image", "follows from G-M1"),
    Rule("G-M1", "image-too-large", "warning", "an image alone is larger than a request should be", _INPUTS),
    Rule("G-M1", "image-dimensions", "error", "an image has too many pixels on a side", "the model's data"),
    Rule("G-M1", "too-many-images", "error", "too many images in one request", _INPUTS),
    Rule("G-M1", "document-type", "error", "documents are PDF or text, other files are refused", _INPUTS),
    Rule("G-M1", "document-pages", "warning", "PDFs have 1,000 pages at most", "believed: no page of Google's found"),
    Rule("G-M1", "unsupported-media", "error", "the model takes no images, or no documents", "the model's data"),
    Rule("G-M2", "media-in-result", "error", "models before 3 take no media inside a result", _PI),
    Rule("G-M3", "cached-content", "error", "cached content excludes system prompt, tools and their config", _LITELLM),
    # limits
    Rule("G-L1", "max-tokens", "warning", "maxOutputTokens is more than the model writes", "the model's data"),
    Rule("G-L2", "unknown-key", "error", "keys that the api does not know are refused anywhere", f"{_SDK}; {_LOGS}"),
    Rule("G-L2", "doubled-key", "warning", "a key stands in both its spellings", _SDK),
)
LEGAL = (
    Silence("G-S6", "neighbours of one role", "legal: nothing demands that roles alternate", _LITELLM),
    Silence("G-T6", "calls of tools that are not declared", "legal: a history needs no declarations", _PYDANTIC),
    Silence("G-R2", "a dummy in place of a signature", "legal: Google documents it, plain or as base64", _PYDANTIC),
    Silence("G-R5", "thoughts left out", "legal: only signatures are checked", _SIGNATURES),
)
UNSEEN = (
    Silence("G-R3", "a signature of another model or transport", "who made it is sealed in it", _PYDANTIC),
    Silence("G-R4", "a signature moved to another part", "only what the model wrote would show it", _PI),
    Silence("G-L1", "a history longer than the window", "only the server's tokenizer counts it", _PI),
)
problem = reporter(RULES)


def field(pointer: str) -> str:
    """Write a pointer the way Google's errors do.

    >>> field("/contents/1/parts/0/functionCall")
    'contents[1].parts[0].function_call'
    """
    return snake(bracketed(pointer))


def unknown_name(key: str, pointer: str) -> str:
    """Say what the server answers to a key that it does not know."""
    at = f" at '{field(pointer)}'" if pointer else ""
    return f'Invalid JSON payload received. Unknown name "{key[:80]}"{at}: Cannot find field.'


def invalid(pointer: str, kind: str, value: object) -> str:
    """Say what the server answers to a value that it cannot read as what its schema says."""
    ending = f', "{value[:80]}"' if isinstance(value, str) else ""
    return f"Invalid value at '{field(pointer)}' ({kind}){ending}"
