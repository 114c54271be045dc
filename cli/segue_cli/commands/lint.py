"""`segue lint`: would this request body be refused?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from segue_cli.commands import _options as given

if TYPE_CHECKING:
    from segue.linting import Judgement


def command(
    request: Annotated[
        str,
        typer.Argument(metavar="[REQUEST]", help="A file: one body, or one a line; '-' or nothing is standard input."),
    ] = "-",
    model: Annotated[
        str | None,
        typer.Option("-m", "--model", metavar="PROVIDER/ID", help="Whose rules count; 'same' is the body's own model."),
    ] = None,
    api: Annotated[
        str | None,
        typer.Option("--api", metavar="API", help="Another of the model's apis; alone, the rules of any model there."),
    ] = None,
    models: given.ModelsOption = None,
    report: given.ReportOption = given.ReportKind.diff,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing: the exit code tells.")] = False,
) -> int:
    """Tell whether a request body would be refused, where and why; nothing is changed. Exit 4 if it would."""
    from segue.errors import SegueError
    from segue.linting import lint
    from segue_cli.files import named, read_source, shown_name
    from segue_cli.own_models import own_models

    known = own_models(models)
    data = read_source(request)
    try:
        judgement = lint(data, model, api, shown_name(request), known)
    except SegueError as error:
        raise named(error, request) from error
    if not quiet:
        _show(judgement, report)
    return judgement.exit


def _show(judgement: Judgement, kind: given.ReportKind) -> None:
    if kind is given.ReportKind.none:
        return
    if kind is given.ReportKind.json:
        from segue_cli.reporting import write_json

        write_json([judgement.as_json()], sys.stdout)
        return
    from segue_cli.view.console import console
    from segue_cli.view.judgement import print_judgement, print_judgement_summary

    draw = print_judgement_summary if kind is given.ReportKind.summary else print_judgement
    draw(judgement, console(sys.stdout))
