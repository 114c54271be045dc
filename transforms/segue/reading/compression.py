"""Unpack a source that was compressed with zstd, as agents keep their cold sessions.

The library is an extra. Nothing tells in advance how much a compressed file holds, so it is unpacked in pieces, up to
a limit that no session comes near.
"""

from __future__ import annotations

from segue.changes import Change
from segue.errors import UnreadableSource

MAGIC = b"\x28\xb5\x2f\xfd"
LIMIT = 1 << 30  # bytes of text
WINDOW = 128 << 20  # bytes that the file may ask to be kept in memory while it is unpacked
_PIECE = 1 << 10  # of compressed bytes: 4 of them may say 128 kB


def unpacked(data: bytes) -> tuple[bytes, list[Change]]:
    """Unpack a compressed source; any other is handed on as the same object.

    Raises UnreadableSource when the extra is missing, when it holds more than LIMIT bytes, and when nothing of it can
    be unpacked. What a damaged file still holds is saved, and the loss is a change.
    """
    if not data.startswith(MAGIC):
        return data, []
    try:
        import zstandard
    except ImportError:
        raise UnreadableSource("it is compressed with zstd: pip install 'segue[zstd]' makes it readable") from None
    pieces: list[bytes] = []
    size = at = 0
    frame = None
    try:
        while at < len(data):
            if frame is None:
                frame = zstandard.ZstdDecompressor(max_window_size=WINDOW).decompressobj()
            pieces.append(frame.decompress(data[at : at + _PIECE]))
            size += len(pieces[-1])
            if size > LIMIT:
                raise UnreadableSource(f"it unpacks to more than {LIMIT >> 30} GB")
            at = min(at + _PIECE, len(data))
            if frame.eof:  # another frame may follow
                at -= len(frame.unused_data)
                frame = None
        is_cut = frame is not None
    except zstandard.ZstdError:
        is_cut = True
    text = b"".join(pieces)
    if not text:
        raise UnreadableSource("it is compressed with zstd, and nothing of it can be unpacked")
    changes = [Change("rewritten", "source-encoding", "zstd compression removed", line=1)]
    if is_cut:
        what = "the compressed file is cut or damaged: what comes behind this line cannot be unpacked"
        changes.append(Change("dropped", "damaged-line", what, line=text.count(b"\n") + 1))
    return text, changes
