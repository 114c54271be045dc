"""`segue show`: read a transcript as a person."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from segue_cli.commands import _options as given

TreeOption = Annotated[bool, typer.Option("--tree", help="List the branches of a session tree, with ids for --leaf.")]


def command(
    source: given.SourceArgument = "-",
    source_format: given.FromOption = None,
    leaf: given.LeafOption = None,
    tree: TreeOption = False,
) -> int:
    """Show who said what, in order, readable."""
    from segue.errors import SegueError
    from segue.formats import ReadOptions
    from segue.reading.transcripts import branches, read
    from segue_cli.files import named, read_source
    from segue_cli.view.console import console
    from segue_cli.view.show import print_transcript
    from segue_cli.view.tree import print_tree

    data = read_source(source)
    try:
        if tree:
            known, found = branches(data, source_format, ReadOptions(leaf=leaf))
            print_tree(known.name, found, console(sys.stdout))
            return 0
        reading = read(data, source_format, ReadOptions(leaf=leaf))
        page = console(sys.stdout)
        for transcript, _ in reading.transcripts:
            print_transcript(transcript, page)
    except SegueError as error:
        raise named(error, source) from error
    return 0
