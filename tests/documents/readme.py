"""Run the examples of a document: each `$ command` of its console blocks, and what a terminal would show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_PYTHON = re.compile(r"(?<=^```python\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)


def run_again(document: str, place: Path) -> str:
    """Return the document with the output of every console example as it is now."""
    _furnish(place)
    return _CONSOLE.sub(lambda block: _block_again(block[0], place), document)


def commands_of(document: str) -> list[str]:
    return [command for block in _CONSOLE.findall(document) for command in _commands(block)]


def python_of(document: str) -> list[str]:
    return _PYTHON.findall(document)


def run_python(code: str, place: Path) -> str:
    _furnish(place)
    ran = subprocess.run([sys.executable, "-c", code], cwd=place, capture_output=True, text=True, check=True)
    return ran.stdout


def _block_again(block: str, place: Path) -> str:
    return "".join(f"$ {command}\n{_shown(command, place)}" for command in _commands(block))


def _commands(block: str) -> list[str]:
    return [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]


def _shown(command: str, place: Path) -> str:
    """Run a command and return what a terminal of 80 columns would show of both streams."""
    unwanted = ("NO_COLOR", "FORCE_COLOR", "SEGUE_DEBUG", "SEGUE_ACCEPT")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment |= {"COLUMNS": "80", "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYTHONUTF8": "1"}
    ran = subprocess.run(
        ["sh", "-c", command], cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return ran.stdout.decode()


def _furnish(place: Path) -> None:
    """Make a place where the examples find the fixtures and the command, and may leave their files."""
    for name in ("fixtures", "Makefile"):
        (place / name).symlink_to(ROOT / name)
    script = place / "bin" / "segue"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m segue_cli "$@"\n', encoding="utf-8")
    script.chmod(0o755)
