"""Make any text inert for a terminal."""

from __future__ import annotations

import re

# What a terminal obeys instead of showing, or what shows as nothing at all: controls, bidi overrides and isolates, line
# separators, surrogates, and Unicode's default-ignorable code points (DerivedCoreProperties.txt, version 16).
_ACTIVE = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_PICTURE = "\U0001f000-\U0001faff\u2600-\u27bf"
_REPLACED = re.compile(
    "(?P<fold>[\t\n\x0b\x0c\r]+)"
    # These two only choose between drawings of a visible character, and terminals disagree about their width.
    f"|(?P<skip>(?<=[^\\s{_ACTIVE}])[\ufe0e\ufe0f]|(?<=[{_PICTURE}\ufe0f])\u200d(?=[{_PICTURE}]))"
    f"|[{_ACTIVE}]"
)


def plain(text: str) -> str:
    r"""Make a text inert for a terminal: one line, in which everything that would act shows as an escape.

    Line breaks and tabs become a blank, C0 controls their picture (`␛`), the rest `\x9b`, `\u202e` or `\U000e0041`.
    Joined emoji fall apart into those that they are made of.
    """
    if text.isascii() and text.isprintable():
        return text
    return _REPLACED.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    if match["fold"] is not None:
        return " "
    if match["skip"] is not None:
        return ""
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
