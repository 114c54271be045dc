"""What a run is told, and what follows from it: target, output, authorship, policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from segue.errors import UsageError
from segue.formats import Format, ReadOptions, format_named, request_format
from segue.model import Message, Origin, Text, Tool, Transcript
from segue.passes import Policy
from segue.targets import OwnModels, Target, resolve
from segue.targets.catalogue import is_api


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is told. Names are those of the command's options."""

    model: str | None = None
    api: str | None = None
    source_format: str | None = None
    to: str | None = None
    source_model: str | None = None
    thinking: Literal["auto", "text", "drop"] = "auto"
    orphan_results: Literal["auto", "synthesize", "text", "drop"] = "auto"
    bound_thinking: Literal["drop", "switch"] = "drop"
    system: str | None = None
    tools: tuple[Tool, ...] | None = None
    prompt: str | None = None
    leaf: str | None = None
    force: bool = False
    models: OwnModels | None = None  # the user's own, over the catalogue's
    subagents: Literal["omit", "inline", "separate"] = "omit"
    beside: Mapping[str, bytes] = field(default_factory=dict)  # what lies beside the source, by relative name


def read_options(options: Options) -> ReadOptions:
    """Say what a reader is told."""
    given = _source_origin(options) if options.source_model else None
    return ReadOptions(origin=lambda model: given, leaf=options.leaf, beside=options.beside)


def _source_origin(options: Options) -> Origin:
    return resolve(options.source_model or "", lenient=True, models=options.models).origin


def same_target(transcript: Transcript, source: Format, options: Options) -> Target:
    """Find the model that the session itself used last."""
    if options.source_model:
        return resolve(options.source_model, options.api, lenient=True, models=options.models)
    for message in reversed(transcript.messages):
        if message.role == "assistant" and message.origin is not None and "api-error" not in message.marks:
            return _recorded_target(message.origin, options)
    if source.api and source.provider and transcript.session.model:
        name = f"{source.provider}/{transcript.session.model}"
        return resolve(name, options.api or source.api, lenient=True, models=options.models)
    raise UsageError("no model is recorded that 'same' could mean; name it with --source-model PROVIDER/ID")


def _recorded_target(origin: Origin, options: Options) -> Target:
    """Find the model that wrote a turn, by the api that the turn records; one that nobody here speaks is its own."""
    provider, api, model = origin
    name = f"{provider}/{model}"
    if options.api:
        return resolve(name, options.api, lenient=True, models=options.models)
    spoken = api if is_api(api) else None
    return replace(resolve(name, spoken, lenient=True, models=options.models), api=api)


def output_format(options: Options, source: Format, target: Target) -> Format:
    """Find the output's format: what was asked for, else the source's own."""
    if options.to is None:
        return source
    if options.to == "request":
        return request_format(target.api)
    return format_named(options.to)


def with_authors(transcript: Transcript, source: Format, target: Target, options: Options) -> Transcript:
    """Say who wrote the turns of a request body: the target itself where api and model agree, else its own provider."""
    if source.api is None or not source.provider:
        return transcript
    model = transcript.session.model
    if options.source_model:
        origin: Origin | None = _source_origin(options)
    elif model and model == target.model and request_format(target.api) is source:
        origin = target.origin
    elif model:
        origin = Origin(source.provider, source.api, model)
    else:
        origin = None
    if origin is None:
        return transcript
    messages = tuple(
        replace(message, origin=origin) if message.role == "assistant" and message.origin is None else message
        for message in transcript.messages
    )
    return replace(transcript, messages=messages, source=replace(transcript.source, messages=messages))


def with_given(transcript: Transcript, options: Options) -> Transcript:
    """Lay the user's system prompt, tools and prompt over the source's."""
    if options.system is not None:
        head = 0
        while head < len(transcript.messages) and transcript.messages[head].role == "system":
            head += 1
        messages = transcript.messages[head:]
        transcript = replace(transcript, system=(Text(options.system),), messages=messages)
    if options.tools is not None:
        transcript = replace(transcript, tools=tuple(tool for tool in options.tools if not tool.server))
        of_server = tuple(tool for tool in options.tools if tool.server)
        transcript = replace(transcript, server_tools=of_server or transcript.server_tools)
    if options.prompt is not None:
        last = transcript.messages[-1] if transcript.messages else None
        prompt = Message("user", (Text(options.prompt),), time=last.time if last else None, touched=True)
        transcript = replace(transcript, messages=(*transcript.messages, prompt))
    return transcript


def policy_of(options: Options, source: Format, to: Format, target: Target, transcript: Transcript) -> Policy:
    """Say how the rules have to choose."""
    speaks_it = to.api is not None and request_format(target.api) is to
    keeps_list = options.to is None and to is source and transcript.session.container != "body"
    return Policy(
        thinking=options.thinking,
        orphan_results=options.orphan_results,
        bound_thinking=options.bound_thinking,
        keeps_records=to is source and to.api is None,
        as_request=speaks_it and not keeps_list,
        same_format=to is source,
        same_blocks=to is source or (to.dialect is not None and to.dialect == source.dialect),
    )
