"""Draw docs/diff.svg: the diff of the sample session, as a terminal shows it.

The colours are the terminal's own sixteen, the fonts whatever monospace the reader has: the picture loads nothing.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from segue import Options, convert
from segue_cli.view.diff import print_diff

ROOT = Path(__file__).parents[1]
SAMPLE = "fixtures/sessions/claude-code/demo.jsonl"
MODEL = "openai/gpt-5.2"
PICTURE = ROOT / "docs" / "diff.svg"
WIDTH = 100

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
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
      <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
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
    report = convert(data, Options(MODEL, to="request"), path=SAMPLE).report
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
    title = f"$ segue convert {os.path.basename(SAMPLE)} -m {MODEL} -t request > body.json"
    return console.export_svg(title=title, theme=_THEME, code_format=_TEMPLATE, unique_id="diff")


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8", newline="\n")
