"""`segue check`: what would a switch cost?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from segue_cli.commands import _options as given


def command(
    source: given.SourceArgument = "-",
    model: Annotated[
        list[str] | None,
        typer.Option("-m", "--model", metavar="PROVIDER/ID", help="A target, or 'same'; may be given again."),
    ] = None,
    to: given.ToOption = None,
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
) -> int:
    """Report what converting would cost, and write nothing; with several models the best one is the exit code."""
    from segue.errors import SegueError, UsageError
    from segue.pipeline import check
    from segue_cli.companions import Companions
    from segue_cli.files import named, read_source, shown_name, write_output
    from segue_cli.reporting import json_of, show_report, write_json

    if not model:
        raise UsageError("-m PROVIDER/ID is missing: the model that the history must fit, or 'same'")
    if subagents is given.Subagents.separate:
        raise UsageError("--subagents 'separate' writes files, and check writes none: omit or inline")
    data = read_source(source)
    beside = Companions(source)
    reports = []
    for name in model:
        options = given.options_of(
            name,
            api,
            source_format,
            to or "request",
            source_model,
            thinking,
            orphan_results,
            system,
            tools,
            prompt,
            leaf,
            bound_thinking=bound_thinking,
            models=models,
            subagents=subagents,
            beside=beside,
        )
        try:
            reports.append(check(data, options, path=shown_name(source)))
        except SegueError as error:
            raise named(error, source) from error
    if report_file is not None:
        found = [one.as_json() for one in reports]
        write_output(json_of(found[0] if len(found) == 1 else found), report_file)
    if report is given.ReportKind.json:
        write_json([one.as_json() for one in reports], sys.stdout)
    else:
        for index, one in enumerate(reports):
            if index and report is not given.ReportKind.none:
                print()
            show_report(one, report, sys.stdout)
    return min(one.exit for one in reports)
