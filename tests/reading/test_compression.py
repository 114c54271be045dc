"""Sources that are compressed with zstd: unpacked whole, as far as they go, within limits, or refused in one line."""

from __future__ import annotations

import sys

import pytest

from segue.errors import UnreadableSource
from segue.options import Options
from segue.pipeline import convert
from segue.reading import compression

zstandard = pytest.importorskip("zstandard")

LINE = b'{"type":"message","role":"user","content":[{"type":"input_text","text":"When is high tide?"}]}\n'


def packed(text: bytes) -> bytes:
    return bytes(zstandard.ZstdCompressor().compress(text))


def test_compressed_source_is_read_as_what_is_in_it() -> None:
    outcome = convert(packed(LINE * 3), Options("openai/gpt-5.2"))

    assert outcome.output == LINE * 3
    (change,) = outcome.report.changes
    assert (change.kind, change.rule) == ("rewritten", "source-encoding")


def test_frames_behind_one_another_are_one_source() -> None:
    text, _ = compression.unpacked(packed(LINE) + packed(LINE))

    assert text == LINE * 2


def test_plain_source_is_handed_on_as_the_same_object() -> None:
    text, changes = compression.unpacked(LINE)

    assert text is LINE
    assert changes == []


def test_cut_source_gives_what_it_holds_and_tells_the_loss() -> None:
    whole = b"".join(LINE.replace(b"high", b"%d" % number) for number in range(20_000))
    data = packed(whole)

    text, changes = compression.unpacked(data[: len(data) // 2])

    assert text and whole.startswith(text)
    assert [change.rule for change in changes] == ["source-encoding", "damaged-line"]
    assert changes[1].kind == "dropped"


def test_source_of_which_nothing_is_left_is_refused() -> None:
    with pytest.raises(UnreadableSource, match="nothing of it can be unpacked"):
        compression.unpacked(packed(LINE)[:9])


def test_bomb_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "LIMIT", 1 << 20)

    with pytest.raises(UnreadableSource, match="it unpacks to more than"):
        compression.unpacked(packed(bytes(1 << 24)))


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed(LINE)
    monkeypatch.setitem(sys.modules, "zstandard", None)

    with pytest.raises(UnreadableSource, match=r"segue\[zstd\]") as error:
        convert(data, Options("openai/gpt-5.2"))

    assert error.value.exit_code == 3
