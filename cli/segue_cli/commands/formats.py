"""`segue formats`: the list of formats, in the order in which they are recognised."""

from __future__ import annotations


def command() -> int:
    """List all formats that are read and written, in the order in which they are recognised."""
    from segue.formats import FORMATS

    for known in FORMATS:
        print(f"{known.name:<20} {known.about}")
    return 0
