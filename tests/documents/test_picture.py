"""The picture in the README is the diff that the sample gives today. `SEGUE_ACCEPT=1` draws it anew."""

from __future__ import annotations

import os
import re
import runpy
from html import unescape

from readme import ROOT

PICTURE = ROOT / "docs" / "diff.svg"


def test_the_picture_says_what_the_diff_says() -> None:
    drawn = runpy.run_path(str(ROOT / "docs" / "draw.py"))["draw"]()

    if os.environ.get("SEGUE_ACCEPT"):
        PICTURE.write_text(drawn, encoding="utf-8", newline="\n")
    kept = PICTURE.read_text(encoding="utf-8")

    assert _words(kept) == _words(drawn)


def test_the_picture_loads_nothing() -> None:
    kept = PICTURE.read_text(encoding="utf-8")

    links = re.findall(r"https?://[^\"' )]+", kept)

    assert links == ["http://www.w3.org/2000/svg"]
    assert "@font-face" not in kept


def _words(picture: str) -> list[str]:
    return [unescape(words).replace("\xa0", " ") for words in re.findall(r"<text [^>]*>([^<]*)</text>", picture)]
