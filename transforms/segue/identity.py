"""Derived ids and times: same input, same id, no clock and no chance."""

from __future__ import annotations

from hashlib import blake2b

ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def digest(*parts: object, length: int = 12) -> str:
    """Derive `length` characters of [a-zA-Z0-9] from the parts, the same for the same parts on every machine.

    >>> digest("call", 3)
    '8EBwEzrm9SDH'
    """
    text = "\x00".join(map(str, parts)).encode("utf-8", "surrogatepass")
    number = int.from_bytes(blake2b(text, digest_size=32).digest(), "big")
    characters = []
    for _ in range(length):
        number, index = divmod(number, len(ALPHABET))
        characters.append(ALPHABET[index])
    return "".join(characters)


def derived_uuid(*parts: object) -> str:
    """Derive a UUID (version 8, RFC 9562) from the parts.

    >>> derived_uuid("a", 1)
    '1bf30f0e-8d72-8b73-9d2d-ee0d80d22f5b'
    """
    text = "\x00".join(map(str, parts)).encode("utf-8", "surrogatepass")
    raw = bytearray(blake2b(text, digest_size=16).digest())
    raw[6] = (raw[6] & 0x0F) | 0x80
    raw[8] = (raw[8] & 0x3F) | 0x80
    text_form = raw.hex()
    return "-".join((text_form[:8], text_form[8:12], text_form[12:16], text_form[16:20], text_form[20:]))


def id_parts(call_id: str) -> tuple[str, str | None]:
    """Split a piped id into the call's part and the item's: told by their prefix, not their place.

    >>> id_parts("call_1|fc_2"), id_parts("fc_2|call_1"), id_parts("toolu_1")
    (('call_1', 'fc_2'), ('call_1', 'fc_2'), ('toolu_1', None))
    """
    if "|" not in call_id:
        return call_id, None
    first, second, *_ = call_id.split("|")
    if _is_item_id(first) and not _is_item_id(second):
        first, second = second, first
    return first, second or None


def _is_item_id(part: str) -> bool:
    return part.startswith(("fc_", "ctc_", "fc-"))
