"""Media are told by their bytes, wherever their headers stand."""

from __future__ import annotations

import struct
from base64 import b64encode, encodebytes

import pytest

from segue.images import dimensions, sniffed_type

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480) + b"\x08\x02\0\0\0"
FRAME = b"\xff\xc2" + struct.pack(">HBHH", 11, 8, 480, 640) + b"\x01\x01\x11\0"
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\0" + bytes(9) + FRAME
LARGE_EXIF = b"\xff\xd8" + b"".join(b"\xff\xe1" + struct.pack(">H", 65_535) + bytes(65_533) for _ in range(3)) + FRAME
THUMBNAIL = (
    b"\xff\xd8\xff\xe1" + struct.pack(">H", 2 + 17) + b"Exif\0\0\xff\xc0\x00\x0b\x08\x00\x10\x00\x10\x01\x00" + FRAME
)
GIF = b"GIF89a" + struct.pack("<HH", 640, 480)
LOSSY = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0" + b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 640, 480)
LOSSLESS = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + struct.pack("<I", 639 | 479 << 14) + bytes(5)
EXTENDED = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0" + bytes(4) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little")
PICTURES = {
    "png": ("image/png", PNG),
    "jpeg": ("image/jpeg", JPEG),
    "jpeg-large-exif": ("image/jpeg", LARGE_EXIF),
    "jpeg-thumbnail": ("image/jpeg", THUMBNAIL),
    "gif": ("image/gif", GIF),
    "webp-lossy": ("image/webp", LOSSY),
    "webp-lossless": ("image/webp", LOSSLESS),
    "webp-extended": ("image/webp", EXTENDED),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_tell_type_and_sides(name: str) -> None:
    media_type, content = PICTURES[name]

    data = b64encode(content).decode()

    assert sniffed_type(data) == media_type
    assert dimensions(data) == (640, 480)


@pytest.mark.parametrize("name", PICTURES)
def test_start_skips_the_head_of_a_data_url(name: str) -> None:
    media_type, content = PICTURES[name]

    url = "data:;base64," + b64encode(content).decode()

    assert sniffed_type(url, 13) == media_type
    assert dimensions(url, 13) == (640, 480)


def test_wrapped_base64_is_read() -> None:
    data = encodebytes(LARGE_EXIF).decode()

    assert dimensions(data) == (640, 480)


@pytest.mark.parametrize("name", PICTURES)
def test_cut_pictures_have_no_sides_and_no_crash(name: str) -> None:
    _, content = PICTURES[name]

    for length in range(min(len(content), 64)):
        for text in (b64encode(content[:length]).decode(), b64encode(content).decode()[:length]):
            sniffed_type(text)
            dimensions(text)

    assert dimensions(b64encode(content[:8]).decode()) is None


@pytest.mark.parametrize("text", ["", "=", "====", "A", "ü" * 20, "\ud800", "data:image/png", "*" * 50, "\n" * 50])
def test_what_is_no_base64_has_no_type(text: str) -> None:
    assert sniffed_type(text) is None
    assert dimensions(text) is None


def test_other_media_are_told() -> None:
    pdf = b64encode(b"\n\n%PDF-1.7").decode()
    heic = b64encode(b"\0\0\0\x18ftypheic\0\0\0\0").decode()

    assert sniffed_type(pdf) == "application/pdf"
    assert sniffed_type(heic) == "image/heic"
    assert dimensions(pdf) is None


def test_endless_segments_end() -> None:
    data = b64encode(b"\xff\xd8\xff" + b"\xff" * 100_000).decode()

    assert dimensions(data) is None
