"""What the README shows is what happens. `SEGUE_ACCEPT=1` puts what happens now into it."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path

import pytest
from readme import ROOT, commands_of, python_of, run_again, run_python

from segue.formats import FORMATS
from segue_cli.commands import convert

README = ROOT / "README.md"
EXAMPLES_NEED_A_SHELL = pytest.mark.skipif(os.name == "nt", reason="the examples are for a POSIX shell")


@EXAMPLES_NEED_A_SHELL
def test_every_example_shows_what_happens(tmp_path: Path) -> None:
    document = README.read_text(encoding="utf-8")

    again = run_again(document, tmp_path)

    if os.environ.get("SEGUE_ACCEPT") and again != document:
        README.write_text(again, encoding="utf-8", newline="\n")
        document = again
    assert commands_of(document)
    assert again == document


@EXAMPLES_NEED_A_SHELL
def test_the_library_example_runs(tmp_path: Path) -> None:
    (code,) = python_of(README.read_text(encoding="utf-8"))

    shown = run_python(code, tmp_path)

    assert shown.startswith("{'dropped': ")


def test_every_option_is_in_the_table() -> None:
    known = inspect.signature(convert.command).parameters.keys() - {"source", "source_format"}

    table = set(re.findall(r"`(?:-\w, )?--([\w-]+)", README.read_text(encoding="utf-8")))

    assert {name.replace("_", "-") for name in known} | {"from"} <= table


def test_every_format_is_in_the_table() -> None:
    named = set(re.findall(r"^\| `([\w-]+)` \|", README.read_text(encoding="utf-8"), re.MULTILINE))

    assert {known.name for known in FORMATS} - {"neutral"} <= named


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "docs/differences.md"])
def test_links_lead_somewhere(document: str) -> None:
    path = ROOT / document

    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8"))

    assert [link for link in links if not (path.parent / link).exists()] == []
