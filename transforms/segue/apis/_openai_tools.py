"""Judge tools, tool choice and arguments, which OpenAI's two apis share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import orjson

from segue.apis import _openai_says as answers
from segue.apis._rule import Reporter
from segue.apis._schemas import bad_patterns, root_choices
from segue.apis._walk import bracketed, shown
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_LONGEST_NAME = 64
_MOST_TOOLS = 128
_LONGEST_ARGUMENTS = 1_048_576
_CHOICES = ("oneOf", "anyOf", "allOf", "enum", "not")


def judged(request: Mapping[str, Json], target: Target, problem: Reporter, chat: bool) -> Iterator[Problem]:
    """Judge `tools` and `tool_choice`; `chat` is the api where a function is one level deeper."""
    tools = request.get("tools")
    if isinstance(tools, list):
        if not tools:
            yield problem("empty-tools", "/tools", "an empty list of tools", answers.empty_array("tools"))
        if len(tools) > _MOST_TOOLS:
            says = answers.long_array("tools", _MOST_TOOLS)
            what = f"{len(tools)} tools, more than {_MOST_TOOLS}"
            yield problem("too-many-tools", f"/tools/{_MOST_TOOLS}", what, says)
        for index, tool in enumerate(tools):
            yield from _tool(tool, f"/tools/{index}", target, problem, chat)
    elif tools is not None:
        yield problem("wrong-type", "/tools", f"the tools are a list, this is {shown(tools)}")
    choice = request.get("tool_choice")
    # The other api lets a choice pass that chooses nothing.
    if choice is not None and not tools and (chat or choice not in ("auto", "none")):
        what = f"the tool choice {shown(choice)} in a request without tools"
        says = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
        yield problem("tool-choice-without-tools", "/tool_choice", what, says)


def _tool(tool: Json, pointer: str, target: Target, problem: Reporter, chat: bool) -> Iterator[Problem]:
    if not isinstance(tool, dict):
        yield problem("wrong-type", pointer, f"a tool is an object, this is {shown(tool)}")
        return
    if chat and tool.get("type") in ("function", "custom"):
        tool, pointer = tool.get(tool["type"]), f"{pointer}/{tool['type']}"
        if not isinstance(tool, dict):
            yield problem("missing-key", pointer.rpartition("/")[0], "a tool without its definition")
            return
    elif tool.get("type") not in ("function", "custom"):
        return
    if "name" not in tool:
        yield problem("missing-key", pointer, "a tool without a name", answers.missing(f"{bracketed(pointer)}.name"))
    else:
        yield from name(tool["name"], f"{pointer}/name", target, problem, chat)
    if tool.get("parameters") is not None:
        yield from _parameters(tool, f"{pointer}/parameters", target, problem, chat)


def name(value: Json, pointer: str, target: Target, problem: Reporter, chat: bool) -> Iterator[Problem]:
    """Judge the name of a tool, in its declaration or in a call."""
    longest = max(_LONGEST_NAME, target.tool_name.length)
    if isinstance(value, str) and len(value) <= longest and _NAME.fullmatch(value):
        return
    path = bracketed(pointer)
    if not isinstance(value, str):
        says = answers.wrong_type(path, found=shown(value))
        yield problem("wrong-type", pointer, f"the name of a tool is a string, this is {shown(value)}", says)
    elif not _NAME.fullmatch(value):
        says = answers.unmatched(path, f"^{_NAME.pattern}$")
        what = f"the tool name {shown(value)} has other characters than letters, digits, '_' and '-', or none"
        yield problem("tool-name-shape", pointer, what, says)
    elif len(value) > longest:
        says = answers.long_text(path, longest, len(value))
        what = f"the tool name {shown(value)} has {len(value)} characters, more than {longest}"
        rule = "tool-name-shape" if chat or len(value) > 2 * _LONGEST_NAME else "long-tool-name"
        yield problem(rule, pointer, what, says)


def _parameters(
    tool: dict[str, Json], pointer: str, target: Target, problem: Reporter, chat: bool
) -> Iterator[Problem]:
    schema, name = tool["parameters"], tool.get("name")
    doubt: Severity | None = None if target.known else "warning"
    owner = f"the schema of tool {shown(name)}"
    says = answers.bad_schema(name, "schema must be a JSON Schema of 'type: \"object\"'.")
    if not isinstance(schema, dict):
        yield problem("tool-schema", pointer, f"{owner} is {shown(schema)}, not an object", says)
        return
    if "$ref" in schema or schema.get("type") != "object":
        found = "a '$ref'" if "$ref" in schema else f"the type {shown(schema.get('type'))}"
        yield problem("tool-schema", pointer, f"{owner} has {found} at its root", says, doubt)
    for key in root_choices(schema, _CHOICES):
        why = "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
        says = answers.bad_schema(name, why)
        rule = "tool-schema" if chat else "tool-schema-choice"
        yield problem(rule, f"{pointer}/{key}", f"{owner} has '{key}' at its root", says, doubt)
    for place, pattern in bad_patterns(schema, pointer):
        rule = "tool-schema-pattern" if chat else "tool-schema-choice"
        yield problem(rule, place, f"the regex {shown(pattern)} in {owner} does not compile in Python")
    if tool.get("strict") is True:
        yield from _strict(schema, pointer, owner, name, problem)


def _strict(schema: dict[str, Json], pointer: str, owner: str, name: Json, problem: Reporter) -> Iterator[Problem]:
    if schema.get("additionalProperties") is not False:
        why = "In context=(), 'additionalProperties' is required to be supplied and to be false."
        says = answers.bad_schema(name, why)
        yield problem("strict-schema", pointer, f"{owner} is strict and lets other keys in", says)
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(properties, dict):
        named = {key for key in required if isinstance(key, str)} if isinstance(required, list) else set()
        missing = [key for key in properties if key not in named]
        if missing:
            why = "'required' is required to be supplied and to be an array including every key in properties."
            says = answers.bad_schema(name, f"In context=(), {why} Missing '{missing[0]}'.")
            what = f"{owner} is strict and does not require {', '.join(map(shown, missing[:5]))}"
            yield problem("strict-schema", pointer, what, says)


def arguments(value: Json, call: str, pointer: str, problem: Reporter) -> Iterator[Problem]:
    """Judge the arguments of a call, which the server takes as text; `call` names it for people."""
    path = bracketed(pointer)
    if not isinstance(value, str):
        found = "an object" if isinstance(value, dict) else "null" if value is None else "another type"
        says = answers.wrong_type(path, found=found)
        yield problem("arguments-not-text", pointer, f"the arguments of {call} are {shown(value)}, not a text", says)
    elif len(value) > _LONGEST_ARGUMENTS:
        says = answers.long_text(path, _LONGEST_ARGUMENTS, len(value))
        what = f"the arguments of {call} have {len(value):,} characters, more than {_LONGEST_ARGUMENTS:,}"
        yield problem("arguments-too-long", pointer, what, says)
    elif not _is_object(value):
        what = f"the arguments of {call}, {shown(value)}, are not the text of a JSON object"
        yield problem("arguments-not-object", pointer, what)


def _is_object(text: str) -> bool:
    if text == "{}":
        return True
    try:
        return isinstance(orjson.loads(text), dict)
    except ValueError:
        return False


def too_long(text: str, pointer: str, limit: int, problem: Reporter) -> Iterator[Problem]:
    """Find a text of more than `limit` characters."""
    if len(text) > limit:
        says = answers.long_text(bracketed(pointer), limit, len(text))
        yield problem("text-too-long", pointer, f"a text of {len(text):,} characters, more than {limit:,}", says)
