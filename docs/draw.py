"""Draw docs/diff.svg: the diff of the sample session, as a terminal shows it.

The colours are the terminal's own sixteen, the fonts whatever monospace the reader has: the picture loads nothing.
"""

from __future__ import annotations

import io
import re
from html import escape, unescape
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from segue import Options, convert
from segue_cli.view.diff import print_diff

ROOT = Path(__file__).parents[1]
SAMPLE = "fixtures/sessions/claude-code/demo.jsonl"
MODEL = "openai/gpt-5.2"
PICTURE = ROOT / "docs" / "diff.svg"
WIDTH = 100
CELL = 12.2  # how wide rich draws a character

_THEME = TerminalTheme(
    background=(24, 26, 31),
    foreground=(205, 209, 217),
    normal=[
        (24, 26, 31),
        (240, 113, 120),
        (142, 204, 130),
        (229, 192, 105),
        (97, 175, 239),
        (198, 140, 221),
        (96, 190, 200),
        (205, 209, 217),
    ],
    bright=[
        (110, 116, 128),
        (240, 113, 120),
        (142, 204, 130),
        (229, 192, 105),
        (97, 175, 239),
        (198, 140, 221),
        (96, 190, 200),
        (255, 255, 255),
    ],
)
_TEXT = re.compile(
    r'<text class="(?P<style>[^"]+)" x="(?P<x>[^"]+)" y="(?P<y>[^"]+)" textLength="[^"]+" clip-path="[^"]+">'
    r"(?P<words>[^<]*)</text>\n?"
)
# rich's own template, without the fonts that it loads from elsewhere.
_TEMPLATE = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{
        font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        font-size: {char_height}px;
        line-height: {line_height}px;
        white-space: pre;
    }}
    .{unique_id}-title {{
        font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        font-size: 18px;
    }}
    {styles}
    </style>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""


def draw() -> str:
    """Convert the sample and return the picture of its diff."""
    data = (ROOT / SAMPLE).read_bytes()
    report = convert(data, Options(MODEL, to="request"), path=Path(SAMPLE).name).report
    console = Console(
        file=io.StringIO(),
        width=WIDTH,
        record=True,
        force_terminal=True,
        color_system="standard",
        markup=False,
        emoji=False,
        highlight=False,
    )
    print_diff(report, console)
    title = f"$ segue convert {Path(SAMPLE).name} -m {MODEL} -t request > body.json"
    svg = console.export_svg(title=title, theme=_THEME, code_format=_TEMPLATE, unique_id="diff")
    return _TEXT.sub(_without_edges, svg)


def _without_edges(text: re.Match[str]) -> str:
    """Begin a text at its first letter: not every program draws the blanks in front of it."""
    words = unescape(text["words"]).replace("\xa0", " ")
    kept = words.strip()
    if not kept:
        return ""
    x = float(text["x"]) + CELL * (cell_len(words) - cell_len(words.lstrip()))
    place = f'x="{x:g}" y="{text["y"]}" textLength="{CELL * cell_len(kept):g}"'
    return f'<text class="{text["style"]}" {place}>{escape(kept).replace(" ", "&#160;")}</text>\n'


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8", newline="\n")
