"""What a request body needs beside its messages, and the judgement of the finished one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from segue import apis, records
from segue.changes import Change, Problem, dropped, shortened
from segue.formats import Format, request_format
from segue.model import Json, Thinking, Tool, ToolCall, ToolResult, Transcript
from segue.passes import Policy
from segue.request_settings import taken_settings
from segue.targets import Target

BINDING_BETA = "thinking-binding-controls-2026-08-01"
_CHOICES = ("tool_choice", "toolConfig", "tool_config")
_BLOCK_BINDING = {"prefix_mismatch_behavior": "drop_block"}
# Keys that say the history itself; all others of a body are settings of that one request.
_HISTORY_KEYS = frozenset(
    {
        "model", "modelId", "messages", "input", "system", "instructions", "tools", "toolConfig", "store", "include",
        "contents", "systemInstruction", "system_instruction",
    }
)  # fmt: skip


def as_body(transcript: Transcript, target: Target, policy: Policy, asked: bool) -> tuple[Transcript, list[Change]]:
    """Make what surrounds the messages a request body: a bare list gets one, unknown keys of an object go.

    `asked`: a request was asked for, so that a line of a data set gets the model's name; left alone it has none.
    """
    session = transcript.session
    if not policy.same_format:
        return transcript, []
    if session.container != "body":
        return replace(transcript, session=replace(session, container="body", raw=_model_in(target)), reshaped=True), []
    if asked and session.raw is not None and "model" not in session.raw and "model" in target.request_keys:
        session = replace(session, raw={"model": target.model, **session.raw})
        transcript = replace(transcript, session=session, reshaped=True)
    if session.raw is None:
        return transcript, []
    taken, of_settings = taken_settings(dict(session.raw), target)
    if of_settings:
        session = replace(session, raw=taken)
        transcript = replace(transcript, session=session, reshaped=True)
    around: Mapping[str, Json] = session.raw or {}
    known = target.request_keys | target.spare_keys
    stray = [key for key in around if target.request_keys and key not in known]
    if not stray:
        return transcript, of_settings
    what = "dropped an unknown key {!r} of the request"
    changes = [dropped("stray-key", what.format(key), before=shortened(str(around[key]))) for key in stray]
    raw = {key: value for key, value in around.items() if key not in stray}
    return replace(transcript, session=replace(session, raw=raw), reshaped=True), of_settings + changes


def _model_in(target: Target) -> dict[str, Json]:
    """Give what names the model in a body of an api that has it there, and not in the address."""
    return {"model": target.model} if "model" in target.request_keys or not target.request_keys else {}


def with_binding(transcript: Transcript, target: Target, policy: Policy) -> tuple[Transcript, list[Problem]]:
    """Ask the server to leave out by itself the thinking whose binding no longer holds, if that was chosen."""
    thinks = any(type(block) is Thinking for message in transcript.messages for block in message.blocks)
    if policy.bound_thinking != "switch" or not target.bound_thinking or not thinks:
        return transcript, []
    key = "thinking"
    around = transcript.session.raw or {}
    if target.api == "bedrock-converse-stream":
        key = "additionalModelRequestFields"
        around = around.get(key) or {}
    given = around.get("thinking") if policy.same_format else None
    thinking = {**(given if isinstance(given, dict) else {}), "type": "adaptive", "block_binding": _BLOCK_BINDING}
    value = thinking if key == "thinking" else {**(around if policy.same_format else {}), "thinking": thinking}
    what = f"thinking stays, and the server leaves out what it cannot check: send it with the beta {BINDING_BETA!r}"
    settings = {**transcript.settings, key: value}
    reshaped = transcript.reshaped or given != thinking
    return replace(transcript, settings=settings, reshaped=reshaped), [Problem("bound-thinking", "warning", what)]


def with_thinking_off(transcript: Transcript, target: Target, policy: Policy) -> tuple[Transcript, list[Problem]]:
    """Switch thinking off in a request whose open calls do not begin with any, as thinking to a budget demands."""
    raw = transcript.session.raw or {}
    thinking = raw.get("thinking") if policy.same_format and target.whole_thinking else None
    messages = transcript.messages
    last = max((index for index, message in enumerate(messages) if message.role == "assistant"), default=None)
    if not isinstance(thinking, dict) or thinking.get("type") != "enabled" or last is None:
        return transcript, []
    is_answered = any(message.of(ToolResult) for message in messages[last + 1 :])
    if not is_answered or type(messages[last].blocks[0]) is Thinking:
        return transcript, []
    what = "thinking is switched off: the calls that the request answers do not begin with any"
    session = replace(transcript.session, raw={key: value for key, value in raw.items() if key != "thinking"})
    return replace(transcript, session=session, reshaped=True), [Problem("request-setting", "note", what)]


def with_renamed_choice(before: Transcript, fitted: Transcript, policy: Policy) -> Transcript:
    """Let the tool that a request forces or allows keep up with its new name."""
    if not policy.same_format or len(before.tools) != len(fitted.tools):
        return fitted
    names = {old.name: new.name for old, new in zip(before.tools, fitted.tools, strict=True) if old.name != new.name}
    raw = fitted.session.raw or {}
    chosen = {key: _with_names(raw[key], names) for key in _CHOICES if key in raw}
    if not names or all(raw[key] == value for key, value in chosen.items()):
        return fitted
    return replace(fitted, session=replace(fitted.session, raw={**raw, **chosen}), reshaped=True)


def _with_names(value: Json, names: Mapping[str, str]) -> Json:
    """Replace the names of tools in a choice; declarations beside it are the writer's."""
    if isinstance(value, dict):
        return {key: item if key == "tools" else _with_names(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_names(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def with_effort(transcript: Transcript, target: Target, policy: Policy) -> tuple[Transcript, list[Problem]]:
    """Switch reasoning off in a request that declares tools, where the model takes tools on this api only so."""
    given = (transcript.session.raw or {}).get("reasoning_effort") if policy.same_format else None
    effort = given if isinstance(given, str) else target.default_effort
    if target.chat_tools != "without-effort" or not transcript.tools or effort == "none":
        return transcript, []
    otherwise = "on Chat Completions only so, and reasons over openai-responses"
    what = f"the effort is 'none': {target.name} takes tools {otherwise}"
    settings = {**transcript.settings, "reasoning_effort": "none"}
    return replace(transcript, settings=settings, reshaped=True), [Problem("request-setting", "note", what)]


def with_tools(transcript: Transcript, target: Target) -> tuple[Transcript, list[Problem]]:
    """Declare stubs for tools that the history calls and nobody declared, where the target demands declarations."""
    if not target.declares_tools:
        return transcript, []
    declared = {tool.name for tool in transcript.tools}
    called = dict.fromkeys(
        block.name for message in transcript.messages for block in message.blocks if type(block) is ToolCall
    )
    missing = [name for name in called if name not in declared]
    if not missing or (transcript.tools and transcript.session.tools == transcript.tools and declared):
        return transcript, []
    stubs = tuple(Tool(name, stub=True) for name in missing)
    listed = ", ".join(missing[:8]) + (f" and {len(missing) - 8} more" if len(missing) > 8 else "")
    plural = "s" if len(missing) > 1 else ""
    what = f"declared {len(missing)} tool{plural} as stubs ({listed}): --tools gives the real ones"
    return replace(transcript, tools=transcript.tools + stubs), [Problem("undeclared-tool", "note", what)]


def other_tongue(to: Format, target: Target) -> list[Problem]:
    """Point out a request body of an api that the target is not spoken to by: only a gateway can translate it."""
    if to.api is None or request_format(target.api) is to:
        return []
    what = f"{to.name} is not what {target.name} itself is spoken to by ({target.api}): only a gateway takes this"
    return [Problem("other-api", "warning", what)]


def judged(output: bytes, open_end: int | None, target: Target, policy: Policy) -> Iterator[Problem]:
    """Read a request body once more as its api would; for other formats only look at the end."""
    if policy.as_request:
        body = records.parse(output)
        if policy.same_format and isinstance(body, dict) and "messages" in body and "model" not in body:
            body = {**_model_in(target), **body}  # a line of a data set names no model: whoever sends it does
        for problem in apis.lint(body, target):
            if problem.rule != "ends-on-assistant":
                yield problem
    if open_end is not None and not target.prefill:
        what = "the history ends on the assistant: the target needs a user turn next; --prompt adds it"
        yield Problem("awaits-prompt", "note", what, message=open_end)


def settings_left(transcript: Transcript, source: Format, to: Format) -> Iterator[Problem]:
    """Point out the settings of the source's request that a body of another api does not take over."""
    if source is to or source.api is None or to.api is None or transcript.session.container != "body":
        return
    raw = transcript.session.raw or {}
    left = [key for key in raw if key not in _HISTORY_KEYS]
    if left:
        what = f"settings of the source's request are not taken over: {', '.join(left[:12])}"
        yield Problem("request-settings", "note", what)
    declared = {tool.name for tool in transcript.session.tools}
    tools = raw["tools"] if isinstance(raw.get("tools"), list) else []
    hosted = [name for tool in tools if isinstance(tool, dict) for name in _declared_in(tool)]
    hosted += [str(tool["name"]) for tool in _system_tools(raw.get("toolConfig"))]
    missing = [name for name in hosted if name not in declared and name != "function"]
    if missing:
        what = f"tools of the source's host are not declared: {', '.join(missing[:12])}"
        yield Problem("hosted-tools", "note", what)


def _declared_in(tool: dict[str, Json]) -> list[str]:
    """Name what a definition declares: a tool by its name or type, a group of Gemini's by the hosted tools in it."""
    named = tool.get("name") or tool.get("type")
    if named:
        return [str(named)]
    return [key for key in tool if key not in ("functionDeclarations", "function_declarations")]


def _system_tools(config: Json) -> list[dict[str, Json]]:
    """List the tools that Bedrock runs itself."""
    listed = config.get("tools") if isinstance(config, dict) else None
    tools = [tool.get("systemTool") for tool in listed if isinstance(tool, dict)] if isinstance(listed, list) else []
    return [tool for tool in tools if isinstance(tool, dict) and "name" in tool]
