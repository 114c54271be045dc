"""Tell whether a GIF moves."""

from __future__ import annotations

from binascii import Error, a2b_base64

_IMAGE, _EXTENSION = 0x2C, 0x21
_HAS_TABLE = 0x80


def is_animated(data: str, start: int = 0) -> bool:
    """Tell whether a GIF in base64 text, from `start` on, holds more than one picture.

    >>> is_animated("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=")
    False
    """
    try:
        content = a2b_base64(data[start:])
    except (Error, ValueError):
        return False
    if len(content) < 13:
        return False
    offset = 13 + _table_size(content[10])
    pictures = 0
    while offset < len(content):
        if content[offset] == _IMAGE and offset + 10 < len(content):
            pictures += 1
            if pictures > 1:
                return True
            offset = _behind_blocks(content, offset + 11 + _table_size(content[offset + 9]))
        elif content[offset] == _EXTENSION:
            offset = _behind_blocks(content, offset + 2)
        else:
            return False
    return False


def _table_size(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & _HAS_TABLE else 0


def _behind_blocks(content: bytes, offset: int) -> int:
    while offset < len(content) and content[offset]:
        offset += content[offset] + 1
    return offset + 1
