"""Options that several subcommands share, and what becomes of them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from segue.options import Options


class Thinking(StrEnum):
    auto = "auto"
    text = "text"
    drop = "drop"


class OrphanResults(StrEnum):
    auto = "auto"
    synthesize = "synthesize"
    text = "text"
    drop = "drop"


class BoundThinking(StrEnum):
    drop = "drop"
    switch = "switch"


class Subagents(StrEnum):
    omit = "omit"
    inline = "inline"
    separate = "separate"


class ReportKind(StrEnum):
    diff = "diff"
    summary = "summary"
    json = "json"
    none = "none"


SourceArgument = Annotated[str, typer.Argument(metavar="[SOURCE]", help="A file; '-' or nothing is standard input.")]
FromOption = Annotated[
    str | None, typer.Option("-f", "--from", metavar="FORMAT", help="The source's format (recognised when left out).")
]
ToOption = Annotated[
    str | None,
    typer.Option(
        "-t", "--to", metavar="FORMAT", help="The output's format: the source's own, or 'request' for the target's api."
    ),
]
ApiOption = Annotated[
    str | None,
    typer.Option("--api", metavar="API", help="Another of the model's apis; also makes an unknown model usable."),
]
SourceModelOption = Annotated[
    str | None,
    typer.Option(
        "--source-model", metavar="PROVIDER/ID", help="Who wrote the assistant turns, if the source is silent."
    ),
]
ThinkingOption = Annotated[
    Thinking, typer.Option("--thinking", help="Another model's readable thinking: text, or left out.")
]
OrphanOption = Annotated[OrphanResults, typer.Option("--orphan-results", help="A tool result whose call is gone.")]
BoundOption = Annotated[
    BoundThinking,
    typer.Option(
        "--bound-thinking", help="Thinking that is bound to a changed history: dropped, or left to the server's switch."
    ),
]
SystemOption = Annotated[
    str | None, typer.Option("--system", metavar="FILE", help="System prompt; overrules the source's.")
]
ToolsOption = Annotated[
    str | None,
    typer.Option("--tools", metavar="FILE", help="Tool definitions (Anthropic, OpenAI or Gemini shape)."),
]
PromptOption = Annotated[str | None, typer.Option("--prompt", metavar="TEXT", help="Add this user turn at the end.")]
LeafOption = Annotated[
    str | None, typer.Option("--leaf", metavar="ID", help="Which branch of a session tree to follow.")
]
SubagentsOption = Annotated[
    Subagents,
    typer.Option(
        "--subagents",
        help="What subagents did: left out, put into the results of their calls, or (convert -o) files of their own.",
    ),
]
ModelsOption = Annotated[
    str | None,
    typer.Option("--models", metavar="FILE", help="Your own models (TOML or JSON), over those of the catalogue."),
]
ReportOption = Annotated[ReportKind, typer.Option("--report", help="What the report looks like.")]
ReportFileOption = Annotated[
    Path | None, typer.Option("--report-file", metavar="FILE", help="Write the JSON report to this file as well.")
]


def options_of(
    model: str | None,
    api: str | None = None,
    source_format: str | None = None,
    to: str | None = None,
    source_model: str | None = None,
    thinking: Thinking = Thinking.auto,
    orphan_results: OrphanResults = OrphanResults.auto,
    system: str | None = None,
    tools: str | None = None,
    prompt: str | None = None,
    leaf: str | None = None,
    force: bool = False,
    bound_thinking: BoundThinking = BoundThinking.drop,
    models: str | None = None,
    subagents: Subagents = Subagents.omit,
    beside: Mapping[str, bytes] | None = None,
) -> Options:
    """Read the files that options name, and put everything into the library's words."""
    from segue.options import Options
    from segue.tooldefs import read_tools
    from segue_cli.files import read_named
    from segue_cli.own_models import own_models

    return Options(
        model=model,
        api=api,
        source_format=source_format,
        to=to,
        source_model=source_model,
        thinking=thinking.value,
        orphan_results=orphan_results.value,
        system=None if system is None else read_named(system, "--system").decode("utf-8-sig", "replace"),
        tools=None if tools is None else read_tools(read_named(tools, "--tools")),
        prompt=prompt,
        leaf=leaf,
        force=force,
        bound_thinking=bound_thinking.value,
        models=own_models(models),
        subagents=subagents.value,
        beside=beside if beside is not None else {},
    )
