"""Judge the `toolConfig` of Bedrock's Converse, and what the history demands of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.apis._bedrock_blocks import cache_point, name
from segue.apis._bedrock_keys import CHOICES, CONFIG_KEYS, MEMBER_KEYS, SPEC_KEYS, TOOL_KEYS
from segue.apis._bedrock_pairs import Turn
from segue.apis._bedrock_rules import member, problem, refused, unknown_key
from segue.apis._schemas import root_choices
from segue.apis._walk import foreign_keys, shown, text_of
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

_POINTER = "/toolConfig"


def judged(request: dict[str, Json], turns: Sequence[Turn], target: Target) -> Iterator[Problem]:
    """Judge the declarations, the choice among them, and whether there are any where calls are."""
    config = request.get("toolConfig")
    if config is None:
        yield from _undeclared(turns, target)
        return
    if not isinstance(config, dict):
        yield problem("wrong-type", _POINTER, f"a toolConfig is an object, this is {shown(config)}")
        return
    for key in foreign_keys(config, CONFIG_KEYS):
        yield unknown_key("a toolConfig", key, _POINTER)
    tools = config.get("tools")
    if tools is None:
        yield problem("missing-key", _POINTER, "a toolConfig needs the key 'tools'")
    elif not isinstance(tools, list):
        yield problem("wrong-type", f"{_POINTER}/tools", f"the tools are a list, this is {shown(tools)}")
    elif not tools:
        says = refused([], f"{_POINTER}/tools", "length greater than or equal to 1")
        yield problem("empty-tools", f"{_POINTER}/tools", "a toolConfig without a tool", says)
    else:
        yield from _tools(tools, target)
    if config.get("toolChoice") is not None:
        yield from _choice(config["toolChoice"], request, target)


def _undeclared(turns: Sequence[Turn], target: Target) -> Iterator[Problem]:
    for turn in turns if target.declares_tools else ():
        for pointer, found, _ in turn.blocks:
            if found in ("toolUse", "toolResult"):
                says = "The toolConfig field must be defined when using toolUse and toolResult content blocks."
                yield problem("tools-missing", pointer, "the history holds calls, and there is no toolConfig", says)
                return


def _tools(tools: Sequence[Json], target: Target) -> Iterator[Problem]:
    met: set[str] = set()
    for index, tool in enumerate(tools):
        pointer = f"{_POINTER}/tools/{index}"
        if not isinstance(tool, dict):
            yield problem("wrong-type", pointer, f"a tool is an object, this is {shown(tool)}")
            continue
        there = [key for key, value in tool.items() if value is not None]
        if len(there) != 1 or there[0] not in TOOL_KEYS:
            given = ", ".join(map(shown, there)) or "none"
            what = f"a tool has one member of {', '.join(sorted(TOOL_KEYS))}, this has {given}"
            yield problem("block-members", pointer, what)
            continue
        kind, value, inside = there[0], tool[there[0]], f"{pointer}/{there[0]}"
        if not isinstance(value, dict):
            yield problem("wrong-type", inside, f"the member '{kind}' is an object, this is {shown(value)}")
            continue
        if kind == "cachePoint":
            for key in foreign_keys(value, MEMBER_KEYS["cachePoint"]):
                yield unknown_key("the member 'cachePoint'", key, inside)
            yield from cache_point(value, inside)
            continue
        tool_name = text_of(value.get("name"))
        if tool_name in met:
            says = "tools: Tool names must be unique."
            yield problem("duplicate-tool", f"{inside}/name", f"a second tool with the name {shown(tool_name)}", says)
        met.add(tool_name or "")
        yield from _specification(value, inside, target) if kind == "toolSpec" else _named(value, inside)


def _named(value: dict[str, Json], pointer: str) -> Iterator[Problem]:
    if value.get("name") is None:
        says = f"Value null at '{member(pointer)}.name' failed to satisfy constraint: Member must not be null"
        yield problem("missing-key", pointer, "a tool needs the key 'name'", says)
    else:
        yield from name(value["name"], f"{pointer}/name")


def _specification(value: dict[str, Json], pointer: str, target: Target) -> Iterator[Problem]:
    owner = f"the tool {shown(value.get('name'))}"
    for key in foreign_keys(value, SPEC_KEYS):
        yield unknown_key("a toolSpec", key, pointer)
    yield from _named(value, pointer)
    words = value.get("description")
    if words == "":
        says = refused("", f"{pointer}/description", "length greater than or equal to 1")
        yield problem("empty-description", f"{pointer}/description", f"{owner} has an empty description", says)
    elif words is not None and not isinstance(words, str):
        yield problem("wrong-type", f"{pointer}/description", f"a description is a string, this is {shown(words)}")
    strict = value.get("strict")
    if strict is not None and not isinstance(strict, bool):
        yield problem("wrong-type", f"{pointer}/strict", f"strict is true or false, this is {shown(strict)}")
    elif strict and target.thinking != "signed":
        what = f"{owner} is strict, which {target.name} may not know"
        yield problem("strict-tool", f"{pointer}/strict", what)
    yield from _schema(value.get("inputSchema"), f"{pointer}/inputSchema", owner, target)


def _schema(holder: Json, pointer: str, owner: str, target: Target) -> Iterator[Problem]:
    if holder is None:
        yield problem("missing-key", pointer.rpartition("/")[0], f"{owner} needs the key 'inputSchema'")
        return
    if not isinstance(holder, dict):
        yield problem("wrong-type", pointer, f"the inputSchema of {owner} is an object, this is {shown(holder)}")
        return
    for key in foreign_keys(holder, ("json",)):
        yield unknown_key("an inputSchema", key, pointer)
    schema, inside = holder.get("json"), f"{pointer}/json"
    if not isinstance(schema, dict):
        yield problem(
            "tool-schema",
            inside if "json" in holder else pointer,
            f"the schema of {owner} is {shown(schema)}, not an object",
        )
        return
    if schema.get("type") != "object":
        says = f"The value at {inside[1:].replace('/', '.')}.type must be one of the following: object."
        what = f"the schema of {owner} has the type {shown(schema.get('type'))} at its root"
        yield problem("tool-schema", inside, what, says)
    if "properties" in schema and not isinstance(schema["properties"], dict):
        what = f"the properties in the schema of {owner} are {shown(schema['properties'])}"
        yield problem("tool-schema", f"{inside}/properties", what)
    for key in root_choices(schema, ("oneOf", "allOf", "anyOf")) if target.thinking == "signed" else ():
        says = "input_schema does not support oneOf, allOf, or anyOf at the top level"
        yield problem("tool-schema", f"{inside}/{key}", f"the schema of {owner} has '{key}' at its root", says)


def _choice(choice: Json, request: dict[str, Json], target: Target) -> Iterator[Problem]:
    pointer = f"{_POINTER}/toolChoice"
    there = [key for key, value in choice.items() if value is not None] if isinstance(choice, dict) else []
    if len(there) != 1 or there[0] not in CHOICES or not isinstance(choice[there[0]], dict):
        given = ", ".join(map(shown, there)) or shown(choice)
        yield problem(
            "tool-choice", pointer, f"a tool choice is an object with one of {', '.join(CHOICES)}, this is {given}"
        )
        return
    kind, value = there[0], choice[there[0]]
    for key in foreign_keys(value, CHOICES[kind]):
        yield unknown_key(f"the tool choice '{kind}'", key, f"{pointer}/{kind}")
    if kind == "tool":
        yield from _named(value, f"{pointer}/tool")
    if kind == "auto":
        return
    fields = request.get("additionalModelRequestFields")
    thinking = fields.get("thinking") if isinstance(fields, dict) else None
    if isinstance(thinking, dict) and thinking.get("type") == "enabled":
        says = "Thinking may not be enabled when tool_choice forces tool use."
        what = f"the tool choice '{kind}' forces a call while manual thinking is enabled"
        yield problem("forced-tool-choice", pointer, what, says)
    elif not target.forced_calls:
        what = f"the tool choice '{kind}' forces a call, which {target.name} does not take"
        yield problem("forced-tool-choice", pointer, what, severity=None if target.known else "warning")
    elif not target.error_flag:
        field = f"toolConfig.toolChoice.{kind}"
        says = f"This model doesn't support the {field} field. Remove {field} and try again."
        yield problem(
            "tool-choice-support", pointer, f"the tool choice '{kind}', which {target.name} may not know", says
        )
