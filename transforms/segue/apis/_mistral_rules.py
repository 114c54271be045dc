"""The rules of Mistral's chat completions, as a table."""

from __future__ import annotations

import json

from segue.apis._rule import COMMON, Rule, Silence, reporter

_VALIDATOR = "mistral_common 1.13"
_SPEC = "Mistral's openapi.yaml; mistralai 3.7"
_LIMITS = "Mistral's docs, known limitations"
_PI = "pi-ai 1.6"
_PYDANTIC = "pydantic-ai 2.68"
_DATA = "the model's data"

RULES = (
    *COMMON,
    # shape of the history
    Rule("M-S1", "missing-key", "error", "a request, a message, a chunk or a call lacks a key that it needs", _SPEC),
    Rule("M-S1", "wrong-type", "error", "a value has another type than the api's schema says", _SPEC),
    Rule("M-S1", "empty-messages", "error", "there has to be a message", _VALIDATOR),
    Rule("M-S1", "first-not-user", "error", "a message alone is the user's or the system's", _VALIDATOR),
    Rule("M-S2", "misplaced-system", "error", "no system message right behind the assistant or a tool", _VALIDATOR),
    Rule(
        "M-S2",
        "user-after-results",
        "error",
        "no user right behind a tool, on older models and some hosts",
        "NousResearch/hermes-agent#20154; aliou/pi-neuralwatt#12",
    ),
    Rule(
        "M-S3",
        "ends-on-assistant",
        "error",
        "the user or a tool speaks last, or the assistant with a prefix",
        _VALIDATOR,
    ),
    Rule(
        "M-S3", "ends-on-system", "warning", "the last message is the user's or a tool's, some versions say", _VALIDATOR
    ),
    Rule("M-S3", "prefix", "error", "a prefix is the last message", _VALIDATOR),
    Rule(
        "M-S4",
        "empty-content",
        "error",
        "an assistant has content or calls, every other message content",
        f"{_VALIDATOR}; error body in public logs",
    ),
    Rule(
        "M-S4",
        "text-in-chunks",
        "warning",
        "some deployments take a list of texts alone for no content",
        f"{_PYDANTIC}; error body in public logs",
    ),
    Rule("M-S5", "unknown-role", "error", "the roles are system, user, assistant and tool", _SPEC),
    Rule("M-S5", "unknown-key", "error", "keys that the api does not know are refused", "BerriAI/litellm#30835"),
    Rule("M-S6", "part-in-wrong-role", "error", "each role has its own kinds of chunks", _VALIDATOR),
    Rule("M-S6", "unknown-part", "error", "a chunk of a type that the api does not know", _SPEC),
    Rule("M-S6", "audio", "warning", "only few models hear", _VALIDATOR),
    # calls and results
    Rule(
        "M-T1",
        "call-id-shape",
        "error",
        "ids of calls are nine letters and digits; the newest models take any but 'null'",
        f"{_VALIDATOR}; {_PYDANTIC}",
    ),
    Rule("M-T2", "tool-name-shape", "error", "names are 1 to 64 letters, digits, _ and -", _VALIDATOR),
    Rule("M-T3", "call-without-result", "error", "tool messages for all calls follow at once", _VALIDATOR),
    Rule("M-T3", "result-without-call", "error", "a tool message answers a call of the message before", _VALIDATOR),
    Rule("M-T3", "duplicate-result", "error", "a call has one result", _VALIDATOR),
    Rule("M-T3", "duplicate-call-id", "error", "two calls of one message share an id", _VALIDATOR),
    Rule("M-T3", "reused-call-id", "warning", "a later call has the id of an answered one", "follows from M-T3"),
    Rule("M-T4", "arguments-not-object", "error", "arguments are an object, or its text", _SPEC),
    Rule("M-T4", "too-many-tools", "error", "128 tools at most", _LIMITS),
    Rule("M-T4", "tool-schema", "error", "the parameters of a function are a schema object", _VALIDATOR),
    # reasoning
    Rule("M-R1", "reasoning-unsupported", "error", "the model takes no thinking back", f"{_VALIDATOR}; {_DATA}"),
    Rule("M-R1", "thinking-chunks", "warning", "a turn has one thinking chunk, in front", "earendil-works/pi#9674"),
    Rule("M-R1", "effort", "error", "only reasoning models take a reasoning_effort", _VALIDATOR),
    # media
    Rule("M-M1", "image-source", "error", "an image is a link or a data URL", _SPEC),
    Rule("M-M1", "image-type", "error", "images are PNG, JPEG, WebP or GIF, and say which", "Mistral's docs, vision"),
    Rule("M-M1", "image-unreadable", "warning", "the bytes of an image begin like no image", "follows from M-M1"),
    Rule("M-M1", "image-too-large", "error", "an image has 20 MB at most", _LIMITS),
    Rule("M-M1", "image-dimensions", "error", "an image has 10,000 pixels on a side at most", "Mistral's docs, vision"),
    Rule("M-M1", "too-many-images", "error", "too many images in one request", "Mistral's docs, vision"),
    Rule("M-M1", "unsupported-media", "error", "the model takes no images, or no documents", _DATA),
    Rule("M-M1", "media-in-result", "error", "only the newest models see media in a tool message", _VALIDATOR),
)
LEGAL = (
    Silence("M-S1", "an assistant's message at the start", "legal, when more follow", _VALIDATOR),
    Silence("M-S2", "neighbours of one role", "legal for user, assistant and system", _VALIDATOR),
    Silence("M-T4", "arguments as an object", "legal: the server takes text and object", _SPEC),
)
UNSEEN = (
    Silence("M-S4", "content beside calls", "only models of the first years refuse it", _VALIDATOR),
    Silence("M-T1", "an id that only older models refuse", "which tokenizer a model has is not told", _VALIDATOR),
)
problem = reporter(RULES)
NINE = "must be a-z, A-Z, 0-9, with a length of 9."


def extra_key(pointer: str, key: str, role: str | None = None) -> str:
    """Say what the server answers to a key that it does not know; a message's place names its role, too."""
    return _detail("extra_forbidden", [*_location(pointer, role), key], "Extra inputs are not permitted")


def missing(pointer: str, key: str, role: str | None = None) -> str:
    """Say what the server answers to a key that is not there."""
    return _detail("missing", [*_location(pointer, role), key], "Field required")


def invalid(pointer: str, kind: str, role: str | None = None) -> str:
    """Say what the server answers to a value of a wrong type."""
    return _detail(f"{kind}_type", _location(pointer, role), f"Input should be a valid {kind}")


def _detail(kind: str, location: list[str | int], words: str) -> str:
    detail = [{"type": kind, "loc": location, "msg": words}]
    return json.dumps({"detail": detail}, separators=(",", ":"))


def _location(pointer: str, role: str | None) -> list[str | int]:
    parts = [int(part) if part.isdecimal() else part for part in pointer.split("/")[1:]]
    return ["body", *parts[:2], role, *parts[2:]] if role else ["body", *parts]


def name_shape(value: str) -> str:
    """Say what the server answers to a function's name."""
    return (
        f"Function name was {value[:80]} but must be a-z, A-Z, 0-9, or contain underscores and dashes, "
        "with a maximum length of 64."
    )
