"""Lines for a terminal: cutting, wrapping and aligning by cells, since a wide character takes two.

Everything here takes any text and gives inert text.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from segue_cli.view.plain import plain

ACCENT = "cyan"  # ids, models and rule names
DIM = "dim"
INDENT = "  "
GAP = "  "
NARROWEST = 40
WIDEST = 160


def page_width(console: Console) -> int:
    """Give the width to draw in: what is narrower than 40 cells or wider than 160 is not worth a layout of its own."""
    return max(NARROWEST, min(console.width, WIDEST))


def print_lines(lines: list[Text], console: Console) -> None:
    """Print lines as they are: nothing is wrapped or cropped again."""
    console.print(Text("\n").join(lines), soft_wrap=True)


def cut(text: str, width: int) -> str:
    """Cut a text to a width, the last cell an ellipsis if something is gone; no width, no text."""
    if width <= 0:
        return ""
    # Four characters a cell leave room for accents, and bound the work on a line of a megabyte.
    line = plain(text[: 4 * width + 4])
    if len(text) <= 4 * width + 4 and cell_len(line) <= width:
        return line
    return _head(line, width - 1).rstrip() + "…"


def cut_front(text: str, width: int) -> str:
    """Cut a text to its end, as a path is recognised by it."""
    line = plain(text[-4 * width - 4 :])
    if cell_len(line) <= width and len(text) <= 4 * width + 4:
        return line
    return "…" + _head(line[::-1], width - 1)[::-1].lstrip()


def padded(text: str, width: int) -> str:
    """Fill an inert text with blanks up to a width."""
    return text + " " * (width - cell_len(text))


def wrapped(text: str, width: int) -> list[str]:
    """Break one line at blanks so that every part fits the width; a longer word is broken anywhere."""
    line = plain(text)
    parts = []
    start = 0
    while start < len(line):
        head = line[start : start + width]
        if not head.isascii():
            head = _head(line[start : start + 4 * width + 2], width)
        end = start + len(head)
        if end < len(line) and line[end] != " ":
            blank = head.rfind(" ")
            # A blank far in front would leave a hole, and one of the indentation an empty line.
            if blank > width // 3 and not head[:blank].isspace():
                end = start + blank
        parts.append(line[start:end].rstrip(" "))
        while end < len(line) and line[end] == " ":
            end += 1
        start = end
    return parts or [""]


def row(left: Text, right: Text, width: int) -> Text:
    """Put two texts on one line, the second at the right edge; the first gives way where there is no room for both."""
    room = width - right.cell_len - len(GAP)
    if left.cell_len > room:
        left = left.copy()
        left.truncate(max(room, 0), overflow="ellipsis")
    return left + Text(" " * (width - left.cell_len - right.cell_len)) + right


def flowing(pieces: list[Text], separator: Text, width: int) -> list[Text]:
    """Set pieces behind each other, on a new line where the next one would not fit."""
    whole = sum(piece.cell_len for piece in pieces) + separator.cell_len * (len(pieces) - 1)
    if len(INDENT) + whole > width and separator.plain == GAP + " ":
        separator = Text(GAP)
    lines: list[Text] = []
    for piece in pieces:
        if lines and lines[-1].cell_len + separator.cell_len + piece.cell_len <= width:
            lines[-1] = lines[-1] + separator + piece
        else:
            lines.append(Text(INDENT) + piece)
    return lines


def counted(number: int, one: str, many: str | None = None) -> str:
    """Say how many: `1 message`, `1,204 messages`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _head(line: str, width: int) -> str:
    """Give as many characters from the front as fit the width."""
    cells = 0
    for index, character in enumerate(line):
        cells += cell_len(character)
        if cells > width or index > 4 * width:
            return line[:index]
    return line
