"""Whether a signature is one that its api would take back."""

from __future__ import annotations

import re

import orjson

from segue.targets import Target

_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


def holds(signature: str | None, target: Target) -> bool:
    """Tell whether thinking with this signature can go back to the target, if it is the target's own.

    A signature of base64 characters whose length is no multiple of four was cut. One of other characters cannot be
    judged and counts. A reasoning item has to bring its encrypted content: nothing is stored on the server.
    """
    if not signature or signature.isspace():
        return False
    if target.thinking == "signed":
        return len(signature) % 4 == 0 or _BASE64.fullmatch(signature) is None
    if target.thinking == "item":
        try:
            item = orjson.loads(signature)
        except ValueError:
            return False
        return isinstance(item, dict) and item.get("type") == "reasoning" and bool(item.get("encrypted_content"))
    return target.thinking == "field"
