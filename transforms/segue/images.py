"""Look into base64 text: what kind of medium it is, and how large a picture.

Only the bytes that are asked for are decoded, wherever they stand, so a medium of 20 MB costs no more than a small one.
"""

from __future__ import annotations

from binascii import Error, a2b_base64
from collections.abc import Callable

_PDF_SEARCH = 1024  # readers look for the header of a PDF this far into the file
_MOST_SEGMENTS = 2000  # of a JPEG; real ones have a few dozen before the frame
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # JPEG markers that start a frame
_BARE = frozenset({0x01, *range(0xD0, 0xD9)})  # JPEG markers without a length

Bytes = Callable[[int, int], bytes]


def sniffed_type(data: str, start: int = 0) -> str | None:
    """Tell the media type of base64 text by its magic bytes, None when they say nothing.

    `start` is where the base64 begins, so that a data URL need not be copied.

    >>> sniffed_type("iVBORw0KGgo="), sniffed_type("data:;base64,JVBERi0xLjc=", 13), sniffed_type("?")
    ('image/png', 'application/pdf', None)
    """
    read = _reader(data, start)
    head = read(0, 16)
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    if head.startswith(b"BM") and head[6:10] == b"\0\0\0\0":
        return "image/bmp"
    if head.startswith((b"II*\0", b"MM\0*")):
        return "image/tiff"
    if head[4:8] == b"ftyp":
        return {b"avif": "image/avif", b"avis": "image/avif", b"heic": "image/heic", b"heix": "image/heic"}.get(
            head[8:12]
        )
    return "application/pdf" if b"%PDF-" in read(0, _PDF_SEARCH) else None


def dimensions(data: str, start: int = 0) -> tuple[int, int] | None:
    """Read width and height in pixels of a PNG, JPEG, GIF or WebP in base64 text, None where there are none.

    >>> dimensions("R0lGODlhAwAFAA==")
    (3, 5)
    """
    measure = _MEASURES.get(sniffed_type(data, start) or "")
    return measure(_reader(data, start)) if measure else None


def _png(read: Bytes) -> tuple[int, int] | None:
    header = read(12, 12)
    return _sides(header, 4, 8, 4, "big") if header[:4] == b"IHDR" else None


def _gif(read: Bytes) -> tuple[int, int] | None:
    return _sides(read(6, 4), 0, 2, 2, "little")


def _webp(read: Bytes) -> tuple[int, int] | None:
    header = read(12, 18)
    if header[:4] == b"VP8X" and len(header) == 18:
        return int.from_bytes(header[12:15], "little") + 1, int.from_bytes(header[15:18], "little") + 1
    if header[:4] == b"VP8L" and len(header) >= 13:
        bits = int.from_bytes(header[9:13], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if header[:4] == b"VP8 " and len(header) == 18:
        # The upper two bits of each side are a scale that no decoder applies.
        return int.from_bytes(header[14:16], "little") & 0x3FFF, int.from_bytes(header[16:18], "little") & 0x3FFF
    return None


def _jpeg(read: Bytes) -> tuple[int, int] | None:
    offset = 2
    for _ in range(_MOST_SEGMENTS):
        segment = read(offset, 9)
        if len(segment) < 4 or segment[0] != 0xFF:
            return None
        marker = segment[1]
        if marker == 0xFF:  # a fill byte
            offset += 1
        elif marker in _BARE:
            offset += 2
        elif marker in _FRAMES:
            height_and_width = _sides(segment, 5, 7, 2, "big")
            return height_and_width and (height_and_width[1], height_and_width[0])
        else:
            offset += 2 + max(2, int.from_bytes(segment[2:4], "big"))
    return None


_MEASURES: dict[str, Callable[[Bytes], tuple[int, int] | None]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/gif": _gif,
    "image/webp": _webp,
}


def _sides(header: bytes, first: int, second: int, size: int, order: str) -> tuple[int, int] | None:
    if len(header) < second + size:
        return None
    big = order == "big"
    one, other = header[first : first + size], header[second : second + size]
    return int.from_bytes(one, "big" if big else "little"), int.from_bytes(other, "big" if big else "little")


def _reader(data: str, start: int) -> Bytes:
    """Give a function that decodes `count` bytes at `offset`: fewer, or none, where the text ends or is bad."""
    if any(mark in data[start : start + 100] for mark in "\r\n\t "):
        # Wrapped lines: places can no longer be counted, so this (rare) text is joined first.
        data, start = "".join(data[start:].split()), 0

    def read(offset: int, count: int) -> bytes:
        first = offset // 3
        last = (offset + count + 2) // 3
        text = data[start + first * 4 : start + last * 4].rstrip("=")
        if len(text) % 4 == 1:
            text = text[:-1]
        try:
            chunk = a2b_base64(text + "=" * (-len(text) % 4))
        except (Error, ValueError):
            return b""
        skipped = offset - first * 3
        return chunk[skipped : skipped + count]

    return read
