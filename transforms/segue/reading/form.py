"""The form of a source: blanks, padding, line ends. What deviates is told once per kind, for nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, shortened
from segue.jsontext import Repair

BLANKS = b" \t\r\n\0"

_ONE_OR_MORE = {
    "byte order mark": ("byte order mark within the text removed", "byte order marks on {} lines removed"),
    "NUL bytes": ("NUL bytes on 1 line removed", "NUL bytes on {} lines removed"),
    "blank": ("1 blank line removed", "{} blank lines removed"),
    "spread": ("value on several lines put on one", "{} values on several lines put on one each"),
    "brackets": ("stray brackets or commas on 1 line removed", "stray brackets or commas on {} lines removed"),
    "no newline": ("newline at the end added", "newline at the end added"),
}


class Form:
    """What is unusual about the form of a file: for each kind its first line and how often it was met."""

    __slots__ = ("_met",)

    def __init__(self) -> None:
        self._met: dict[str, tuple[int, int]] = {}

    def note(self, kind: str, line: int, count: int = 1) -> None:
        first, met = self._met.get(kind, (line, 0))
        self._met[kind] = (first, met + count)

    def changes(self) -> Iterator[Change]:
        for kind, (line, count) in self._met.items():
            one, more = _ONE_OR_MORE[kind]
            rule = "final-newline" if kind == "no newline" else "source-encoding"
            yield Change("rewritten", rule, one if count == 1 else more.format(count), line=line)


def end_of_text(data: bytes, start: int = 0, end: int | None = None) -> int:
    """Find the end of what is neither blank nor NUL, without copying the text; `start` when there is nothing else."""
    end = len(data) if end is None else end
    while start < end:
        block = max(start, end - 4096)
        kept = len(data[block:end].rstrip(BLANKS))
        if kept:
            return block + kept
        end = block
    return start


def excerpt_of(data: bytes, start: int, end: int) -> str:
    """Make a short one-line excerpt of source text."""
    return shortened(data[start : min(end, start + 2000)].decode("utf-8", "ignore"))


def repair_changes(repairs: tuple[Repair, ...], line: int) -> Iterator[Change]:
    """Tell what a record's text had that JSON does not allow."""
    for rule, literals in repairs:
        first = shortened(literals[0])
        if rule == "raw-control-character":
            name = "line feed" if first == "U+000A" else f"control character {first}"
            yield Change(
                "rewritten",
                rule,
                f"raw {name} in a string escaped",
                line=line,
                before=first,
                after=f"\\u{first[2:].lower()}",
            )
        else:
            more = f" and {len(literals) - 1} more" if len(literals) > 1 else ""
            yield Change(
                "rewritten",
                rule,
                f"number '{first}'{more} became a string",
                line=line,
                before=first,
                after=f'"{first}"',
            )
