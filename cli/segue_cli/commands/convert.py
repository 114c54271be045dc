"""`segue convert`: fit a transcript to a model and write it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segue_cli.commands import _options as given

if TYPE_CHECKING:
    from segue.changes import Report


def command(
    source: given.SourceArgument = "-",
    model: Annotated[
        str,
        typer.Option("-m", "--model", metavar="PROVIDER/ID", help="The target; 'same' repairs for the session's own."),
    ] = "",
    to: given.ToOption = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Instead of standard output; whole or not at all."),
    ] = None,
    source_format: given.FromOption = None,
    api: given.ApiOption = None,
    source_model: given.SourceModelOption = None,
    thinking: given.ThinkingOption = given.Thinking.auto,
    orphan_results: given.OrphanOption = given.OrphanResults.auto,
    bound_thinking: given.BoundOption = given.BoundThinking.drop,
    system: given.SystemOption = None,
    tools: given.ToolsOption = None,
    prompt: given.PromptOption = None,
    leaf: given.LeafOption = None,
    subagents: given.SubagentsOption = given.Subagents.omit,
    models: given.ModelsOption = None,
    report: given.ReportOption = given.ReportKind.diff,
    report_file: given.ReportFileOption = None,
    force: Annotated[bool, typer.Option("--force", help="Write a body although the target would refuse it.")] = False,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar="KINDS",
            help="Exit 1, write nothing, when one was needed of: dropped,downgraded,synthesized,rewritten or any.",
        ),
    ] = None,
) -> int:
    """Fit a transcript to a model and write it to standard output; the report goes to standard error."""
    from segue.errors import RefusedByTarget, SegueError, UsageError
    from segue.pipeline import convert
    from segue_cli.companions import Companions, check_separate, separate_files
    from segue_cli.files import check_output, named, read_source, shown_name, write_output, write_outputs
    from segue_cli.reporting import flush_output, show_report, write_report_file

    if not model:
        raise UsageError("-m PROVIDER/ID is missing: the model that the history must fit, or 'same'")
    kinds = _kinds(fail_on)
    if subagents is given.Subagents.separate:
        check_separate(output)
    beside = Companions(source)
    options = given.options_of(
        model,
        api,
        source_format,
        to,
        source_model,
        thinking,
        orphan_results,
        system,
        tools,
        prompt,
        leaf,
        force,
        bound_thinking,
        models,
        subagents,
        beside,
    )
    if output is not None:
        check_output(output, source)
    data = read_source(source)
    try:
        outcome = convert(data, options, path=shown_name(source))
    except RefusedByTarget as error:
        write_report_file(error.report, report_file)
        show_report(error.report, report, sys.stderr)
        if report is given.ReportKind.json:
            return error.exit_code  # a program reads the report, and one JSON value only
        raise
    except SegueError as error:
        raise named(error, source) from error
    code = max(_fails(one, kinds) for one in (outcome.report, *(run.report for run in outcome.subagents if run.report)))
    outcome.report.exit = code
    if not code and outcome.subagents and output is not None:
        write_outputs([*separate_files(outcome.subagents, output, beside), (outcome.output, output)])
    elif not code:
        write_output(outcome.output, output)
        flush_output()
    write_report_file(outcome.report, report_file)
    show_report(outcome.report, report, sys.stderr)
    return code


def _kinds(fail_on: str | None) -> set[str]:
    from segue.changes import KINDS
    from segue.errors import UsageError

    visible: set[str] = {kind for kind in KINDS if kind != "hidden"}
    wanted = {kind.strip() for kind in (fail_on or "").split(",")} - {""}
    unknown = wanted - visible - {"any"}
    if unknown:
        raise UsageError(f"--fail-on {sorted(unknown)[0]!r}: any of {', '.join(sorted(visible))}, or any")
    return set(visible) if "any" in wanted else wanted


def _fails(report: Report, kinds: set[str]) -> int:
    return 1 if any(change.kind in kinds for change in report.changes) else 0
