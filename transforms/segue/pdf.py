"""Count the pages of a PDF without a PDF library.

The page tree's root says how many pages there are. It stands in the open, or in a compressed object stream; a file that
hides it elsewhere (encryption, damage) is not counted.
"""

from __future__ import annotations

import re
import zlib
from binascii import Error, a2b_base64
from collections.abc import Iterator

_NODE = re.compile(rb"<<(?:[^<>]|<[^<>]*>|<<[^<>]*>>){0,4000}?/Type\s*/Pages\b(?:[^<>]|<[^<>]*>|<<[^<>]*>>){0,4000}?>>")
_COUNT = re.compile(rb"/Count\s+(\d{1,7})\b")
_OBJECT_STREAM = re.compile(rb"/Type\s*/ObjStm\b[^>]{0,400}>>\s*stream\r?\n")
_LARGEST_STREAM = 4_000_000  # bytes of one unpacked object stream: a page tree is far smaller
_MOST_STREAMS = 500


def page_count(data: str) -> int | None:
    """Count the pages of a PDF in base64 text, None when it does not say.

    >>> page_count("JVBERi0xLjQKPDwgL1R5cGUgL1BhZ2VzIC9LaWRzIFszIDAgUl0gL0NvdW50IDcgPj4=")
    7
    """
    try:
        content = a2b_base64(data)
    except (Error, ValueError):
        return None
    counts = [
        int(count[1])
        for part in (content, *_unpacked(content))
        for node in _NODE.finditer(part)
        if (count := _COUNT.search(node[0]))
    ]
    return max(counts, default=None)


def _unpacked(content: bytes) -> Iterator[bytes]:
    """Unpack the object streams, each up to a bound."""
    for number, found in enumerate(_OBJECT_STREAM.finditer(content)):
        if number == _MOST_STREAMS:
            return
        try:
            yield zlib.decompressobj().decompress(memoryview(content)[found.end() :], _LARGEST_STREAM)
        except zlib.error:
            continue
