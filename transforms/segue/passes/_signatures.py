"""Whether a signature is one that its api would take back."""

from __future__ import annotations

import base64
import binascii
import re

import orjson

from segue.model import Block, Json, Thinking
from segue.passes._policy import Policy
from segue.targets import Target

_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_TO_STANDARD = str.maketrans("-_", "+/")
_ITEM_ID = re.compile(r"(rs|msg|fc|ctc|resp|ws|ig|mcp)_[A-Za-z0-9_-]+")
_REASONING_ID = re.compile(r"rs_[A-Za-z0-9_-]+")
CHAT_FIELDS = frozenset({"reasoning_content", "reasoning", "reasoning_text", "reasoning_details", "thinking"})
# Google documents these words for calls that no Gemini made.
STAND_INS = frozenset({"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"})
_STAND_INS = STAND_INS | {base64.b64encode(word.encode()).decode() for word in STAND_INS}


def holds(signature: str | None, target: Target, policy: Policy) -> bool:
    """Tell whether thinking with this signature can go back to the target, if it is the target's own.

    A signature of base64 characters whose length is no multiple of four was cut. One of other characters cannot be
    judged and counts, unless it is plainly another vendor's. A reasoning item has to bring its encrypted content:
    nothing is stored on the server. A bare reasoning id is kept in sessions, whose agent may rely on that store.
    """
    if not signature or signature.isspace() or is_foreign(signature, target, policy):
        return False
    if target.thinking == "signed":
        return len(signature) % 4 == 0 or _BASE64.fullmatch(signature) is None
    if target.thinking == "item":
        if _REASONING_ID.fullmatch(signature):
            return not policy.as_request
        item = _parsed(signature)
        return isinstance(item, dict) and item.get("type") == "reasoning" and bool(item.get("encrypted_content"))
    # Where reasoning has no field of its own, there is no name of one that a signature could be.
    return target.thinking == "field" and bool(target.thinking_field)


def is_required_blank(block: Block, target: Target, policy: Policy) -> bool:
    """Tell whether a block is the filler of a field that the target wants on each of its messages."""
    return (
        isinstance(block, Thinking)
        and policy.as_request
        and target.required_thinking != "none"
        and block.text == target.thinking_filler
        and block.signature == target.thinking_field
    )


def is_foreign(signature: str | None, target: Target, policy: Policy) -> bool:
    """Tell whether a signature plainly belongs to another vendor than the target, whatever its turn is labelled."""
    if not signature or target.thinking == "none":
        return False
    if target.required_call_signatures or target.call_signatures:
        return signature in CHAT_FIELDS or not is_thought_signature(signature)
    if target.thinking == "signed":
        is_openai = _ITEM_ID.fullmatch(signature) is not None or signature.startswith("gAAAA")
        return is_openai or signature in CHAT_FIELDS or signature in _STAND_INS or signature.startswith(("{", "["))
    if target.thinking == "field":
        if policy.as_request:
            # What a request has room for: the name of a field, or a list of details where the host has that field.
            is_details = signature.startswith("[") and target.thinking_field == "reasoning_details"
            return not is_details and (signature not in CHAT_FIELDS or not target.thinking_field)
        return signature.startswith("{") or _ITEM_ID.fullmatch(signature) is not None
    return False


def is_thought_signature(signature: str) -> bool:
    """Tell whether Google would take a text for a thought signature: base64, or one of its documented stand-ins.

    Either alphabet will do: Python's SDK prints bytes in the one that is safe in addresses. So do OpenAI's ids and
    tokens, which only their beginnings tell.
    """
    if signature in STAND_INS:
        return True
    plain = signature.translate(_TO_STANDARD)
    is_openai = _ITEM_ID.fullmatch(signature) is not None or signature.startswith("gAAAA")
    if is_openai or len(plain) % 4 or not _BASE64.fullmatch(plain):
        return False
    try:
        base64.b64decode(plain, validate=True)
    except binascii.Error:
        return False
    return True


def is_stand_in(signature: str | None) -> bool:
    """Tell whether a signature is none: one of the words that Google documents for calls that no Gemini made."""
    return signature in _STAND_INS


def is_base64(text: str) -> bool:
    """Tell whether a text is base64 of either alphabet, whole."""
    return len(text) % 4 == 0 and _BASE64.fullmatch(text.translate(_TO_STANDARD)) is not None


def text_signature_holds(signature: str, target: Target) -> bool:
    """Tell whether the target can make something of what is attached to a text of its own.

    OpenAI's is a bare item id, or JSON of version 1 with an id and perhaps a phase; Google's a thought signature.
    """
    if target.call_signatures:
        return is_thought_signature(signature)
    if not signature.startswith("{"):
        return True  # an item id: whether the server takes it is another rule's matter
    value = _parsed(signature)
    return isinstance(value, dict) and value.get("v") == 1 and isinstance(value.get("id"), str)


def _parsed(signature: str) -> Json:
    try:
        return orjson.loads(signature)
    except ValueError:
        return None
