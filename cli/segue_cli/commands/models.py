"""`segue models`: who a history can be fitted to."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from segue_cli.commands import _options as given

if TYPE_CHECKING:
    from segue.targets import OwnModels
    from segue.targets.rows import Row


def command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]...", help="Each has to occur in a model's line, in any case.")
    ] = None,
    models: given.ModelsOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON array, an object a model.")] = False,
) -> int:
    """List the models that are known: apis, window, longest answer, what each reads beside text, how it reasons.

    Standard error tells on a terminal how old the list is, and where it comes from.
    """
    from segue.targets.catalogue import models as known_models
    from segue_cli.own_models import own_models

    own = own_models(models)
    wanted = [word.lower() for word in words or ()]
    rows = known_models(*([own] if own is not None else []))
    lines = [(row, _cells(row)) for row in rows]
    found = [(row, cells) for row, cells in lines if all(word in " ".join(cells).lower() for word in wanted)]
    if not found:
        raise _unknown(wanted, own)
    if json:
        from segue_cli.files import write_output
        from segue_cli.reporting import json_of

        write_output(json_of([_as_json(row) for row, _ in found]), None)
        return 0
    widths = [max(len(cells[column]) for _, cells in found) for column in range(_COLUMNS)]
    out = "\n".join(_line(cells, widths) for _, cells in found)
    print(out)
    _tell_source(len(found))
    return 0


_COLUMNS = 6
_RIGHT = (2, 3)  # the columns of numbers


def _cells(row: Row) -> tuple[str, ...]:
    """Give the words of a model's line: name, apis, window, longest answer, inputs, how it reasons."""
    return (
        row.name,
        ",".join(row.apis) or "-",
        _number(row.window),
        _number(row.output),
        ",".join(_inputs(row)) or "-",
        _family(row) + (" own" if row.own else ""),
    )


def _inputs(row: Row) -> list[str]:
    told = (("image", row.image), ("pdf", row.pdf), ("audio", row.audio))
    return [name for name, takes in told if takes]


def _family(row: Row) -> str:
    from segue.targets.families import family_of

    if row.reasoning is False:
        return "-"
    family = family_of(row.plain_name)
    return family.name if family is not None else "reasoning" if row.reasoning else "-"


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value}"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = [
        cell.rjust(width) if column in _RIGHT else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()


def _as_json(row: Row) -> dict[str, Any]:
    family = _family(row)
    return {
        "model": row.name,
        "apis": list(row.apis),
        "window": row.window,
        "output": row.output,
        "image": row.image,
        "pdf": row.pdf,
        "audio": row.audio,
        "reasoning": row.reasoning,
        "family": None if family == "-" else family,
        "ends": row.ends,
        "price": None if row.price is None else list(row.price),
        "own": row.own,
    }


def _unknown(words: list[str], own: OwnModels | None) -> Exception:
    from segue.errors import UsageError
    from segue.targets.catalogue import nearest_models

    asked = " ".join(words)
    return UsageError(f"no model's line holds {asked!r}{nearest_models(asked, own)}")


def _tell_source(count: int) -> None:
    """Say on a terminal how many there are and of when: a pipe has no reader for it."""
    if not sys.stderr.isatty():
        return
    from segue.targets.rows import catalogue_head

    head = catalogue_head()
    sources = " and ".join(f"{source['package']} {source['version']}" for source in head["sources"])
    print(f"{count:,} models, of {head['date']}, from {sources}", file=sys.stderr)
