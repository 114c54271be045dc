"""Judge tools, their config and the settings of Gemini's generateContent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.apis._gemini_calls import name
from segue.apis._gemini_keys import (
    CALLING_KEYS,
    CALLING_MODES,
    DECLARATION_KEYS,
    GENERATION_KEYS,
    SCHEMA_KEYS,
    SERVER_TOOLS,
    THINKING_KEYS,
    TOOL_CONFIG_KEYS,
    TOOL_KEYS,
)
from segue.apis._gemini_reading import items, key_of, member
from segue.apis._gemini_rules import field as path
from segue.apis._gemini_rules import invalid, problem, unknown_name
from segue.apis._schemas import schemas_in, written
from segue.apis._walk import escaped, foreign_keys, shown
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

_UNSPECIFIED = "thinking_level_unspecified"
_MESSAGE = "type.googleapis.com/google.ai.generativelanguage.v1beta."


def judged(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    """Judge the tools, what the config asks of them, and the settings."""
    key = key_of(request, "tools")
    tools = request.get(key)
    if tools is not None and not isinstance(tools, (list, dict)):
        what = f"the tools are a list, this is {shown(tools)}"
        yield problem("wrong-type", f"/{key}", what, invalid(f"/{key}", f"{_MESSAGE}Tool", tools))
    found = items(tools, f"/{key}")
    declared: set[str] = set()
    for pointer, tool in found:
        yield from _tool(tool, pointer, target, declared)
    yield from _config(request, [tool for _, tool in found if isinstance(tool, dict)], bool(declared))
    yield from _cached(request)
    yield from _generation(request, target)


def _keys(value: Json, pointer: str, known: frozenset[str], owner: str, kind: str) -> Iterator[Problem]:
    """Judge an object's keys, or that it is one."""
    if not isinstance(value, dict):
        what = f"{owner} is an object, this is {shown(value)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, f"{_MESSAGE}{kind}", value))
        return
    for key in foreign_keys(value, known):
        what = f"{owner} knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, unknown_name(key, pointer))


def _tool(tool: Json, pointer: str, target: Target, declared: set[str]) -> Iterator[Problem]:
    yield from _keys(tool, pointer, TOOL_KEYS, "a tool", "Tool")
    if not isinstance(tool, dict):
        return
    key = key_of(tool, "functionDeclarations")
    functions = tool.get(key)
    place = f"{pointer}/{key}"
    if functions is not None and not isinstance(functions, (list, dict)):
        what = f"the declarations are a list, this is {shown(functions)}"
        yield problem("wrong-type", place, what, invalid(place, f"{_MESSAGE}FunctionDeclaration", functions))
    for inner, function in items(functions, place):
        yield from _keys(function, inner, DECLARATION_KEYS, "a declaration", "FunctionDeclaration")
        if isinstance(function, dict):
            yield from _declaration(function, inner, target, declared)


def _declaration(function: dict[str, Json], pointer: str, target: Target, declared: set[str]) -> Iterator[Problem]:
    called = function.get("name")
    if called is None:
        says = f"GenerateContentRequest.{path(pointer)}.name: Name cannot be empty."
        yield problem("missing-key", pointer, "a declaration without a name", says)
    else:
        yield from name(called, f"{pointer}/name", target)
        if str(called) in declared:
            says = f"Duplicate function declaration found: {str(called)[:80]}"
            yield problem("duplicate-tool", f"{pointer}/name", f"a second function with the name {shown(called)}", says)
    declared.add(str(called))
    schema = member(function, "parameters")
    json_key = key_of(function, "parametersJsonSchema")
    json_schema = function.get(json_key)
    owner = f"the schema of function {shown(called)}"
    if schema is not None and json_schema is not None:
        what = f"function {shown(called)} has 'parameters' and '{json_key}', of which it may have one"
        yield problem("tool-schema", f"{pointer}/{json_key}", what)
    if schema is not None:
        yield from _schema(schema, f"{pointer}/parameters", owner)
    if json_schema is not None and not isinstance(json_schema, dict):
        what = f"{owner} is {shown(json_schema)}, not an object"
        yield problem("tool-schema", f"{pointer}/{json_key}", what)


def _schema(schema: Json, pointer: str, owner: str) -> Iterator[Problem]:
    if not isinstance(schema, dict):
        says = invalid(pointer, f"{_MESSAGE}Schema", schema)
        yield problem("tool-schema", pointer, f"{owner} is {shown(schema)}, not an object", says)
        return
    kind = schema.get("type")
    if "$ref" not in schema and str(kind).lower() != "object":
        says = (
            f"GenerateContentRequest.{path(pointer)}: functionDeclaration parameters schema should be of type OBJECT."
        )
        yield problem("tool-schema", pointer, f"{owner} has the type {shown(kind)} at its root", says)
    told: set[str] = set()
    for trail, inner in schemas_in(schema):
        for key in foreign_keys(inner, SCHEMA_KEYS):
            if key in told:  # one of a kind tells enough
                continue
            told.add(key)
            place = f"{pointer}{written(trail)}"
            says = unknown_name(key, place)
            if key in ("oneOf", "one_of"):
                what = f"{owner} has '{key}', which 'parameters' does not know, and 'parametersJsonSchema' does"
                yield problem("tool-schema", f"{place}/{key}", what, says)
            else:
                what = f"{owner} has the key {shown(key)}, which is none of 'parameters'"
                yield problem("tool-schema-key", f"{place}/{escaped(key)}", what, says)


def _config(request: dict[str, Json], tools: Sequence[dict[str, Json]], has_functions: bool) -> Iterator[Problem]:
    key = key_of(request, "toolConfig")
    config = request.get(key)
    circulates = False
    if config is not None:
        yield from _keys(config, f"/{key}", TOOL_CONFIG_KEYS, "a tool config", "ToolConfig")
    if isinstance(config, dict):
        circulates = member(config, "includeServerSideToolInvocations") is True
        inner = key_of(config, "functionCallingConfig")
        if config.get(inner) is not None:
            yield from _calling(config[inner], f"/{key}/{inner}", has_functions)
    on_server = [name for tool in tools for name in tool if name in SERVER_TOOLS and tool[name] is not None]
    if on_server and has_functions and not circulates:
        what = (
            f"the server's own tool {shown(on_server[0])} beside functions, without 'includeServerSideToolInvocations'"
        )
        yield problem("server-tools-with-functions", f"/{key_of(request, 'tools')}", what, _CIRCULATION)


_CIRCULATION = "Tool call context circulation is not enabled"


def _calling(calling: Json, pointer: str, has_functions: bool) -> Iterator[Problem]:
    yield from _keys(calling, pointer, CALLING_KEYS, "a calling config", "FunctionCallingConfig")
    if not isinstance(calling, dict):
        return
    mode = calling.get("mode")
    if mode is not None and (not isinstance(mode, str) or mode.upper() not in CALLING_MODES):
        says = invalid(f"{pointer}/mode", f"{_MESSAGE}FunctionCallingConfig.Mode", mode)
        what = f"the calling mode is one of AUTO, ANY, NONE and VALIDATED, this is {shown(mode)}"
        yield problem("wrong-type", f"{pointer}/mode", what, says)
    if not has_functions:
        says = "Function calling config is set without function_declarations"
        yield problem("tool-choice-without-tools", pointer, "a calling config in a request without functions", says)


def _cached(request: dict[str, Json]) -> Iterator[Problem]:
    if member(request, "cachedContent") is None:
        return
    for excluded in ("systemInstruction", "tools", "toolConfig"):
        if member(request, excluded):
            key = key_of(request, excluded)
            says = (
                "CachedContent can not be used with GenerateContent request setting system_instruction, tools or "
                "tool_config."
            )
            yield problem("cached-content", f"/{key}", f"'{key}' beside cached content, which holds it already", says)


def _generation(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    key = key_of(request, "generationConfig")
    config = request.get(key)
    if config is None:
        return
    yield from _keys(config, f"/{key}", GENERATION_KEYS, "a generation config", "GenerationConfig")
    if not isinstance(config, dict):
        return
    limit = key_of(config, "maxOutputTokens")
    value = config.get(limit)
    pointer = f"/{key}/{limit}"
    if value is not None and (type(value) is not int or value < 0):
        what = f"{limit} is a whole number, this is {shown(value)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, "TYPE_INT32", value))
    elif value is not None and target.max_output is not None and value > target.max_output:
        says = (
            f"Unable to submit request because it has a maxOutputTokens value of {value} but the supported range is "
            f"from 1 (inclusive) to {target.max_output + 1} (exclusive)."
        )
        what = f"{limit} is {value:,}, {target.name} writes {target.max_output:,} at most"
        yield problem("max-tokens", pointer, what, says)
    thinking = key_of(config, "thinkingConfig")
    if config.get(thinking) is not None:
        yield from _thinking(config[thinking], f"/{key}/{thinking}", target)


def _thinking(thinking: Json, pointer: str, target: Target) -> Iterator[Problem]:
    yield from _keys(thinking, pointer, THINKING_KEYS, "a thinking config", "ThinkingConfig")
    if not isinstance(thinking, dict):
        return
    budget_key, level_key = key_of(thinking, "thinkingBudget"), key_of(thinking, "thinkingLevel")
    budget, level = thinking.get(budget_key), thinking.get(level_key)
    doubt: Severity | None = None if target.known else "warning"
    if budget is not None and type(budget) is not int:
        place = f"{pointer}/{budget_key}"
        what = f"{budget_key} is a whole number, this is {shown(budget)}"
        yield problem("wrong-type", place, what, invalid(place, "TYPE_INT32", budget))
    elif budget is not None and level is not None:
        says = "You can only set only one of thinking budget and thinking level."
        yield problem("thinking-budget", f"{pointer}/{budget_key}", "a budget and a level of thinking at once", says)
    elif budget == 0 and target.thinking_levels and "off" not in target.thinking_levels:
        says = "Budget 0 is invalid. This model only works in thinking mode."
        what = f"a budget of 0, and {target.name} always thinks"
        yield problem("thinking-budget", f"{pointer}/{budget_key}", what, says, doubt)
    if level is None:
        return
    if not isinstance(level, str):
        place = f"{pointer}/{level_key}"
        what = f"a level of thinking is a string, this is {shown(level)}"
        yield problem("wrong-type", place, what, invalid(place, f"{_MESSAGE}ThinkingConfig.ThinkingLevel", level))
    elif target.thinking_levels and level.lower() not in target.thinking_levels | {_UNSPECIFIED}:
        takes = ", ".join(sorted(target.thinking_levels - {_UNSPECIFIED, "off"})) or "a budget instead"
        what = f"the level {shown(level)}, and {target.name} takes {takes}"
        says = f"Thinking level {level[:40].upper()} is not supported for this model."
        yield problem("effort", f"{pointer}/{level_key}", what, says, doubt)
