"""Judge tools, tool choice and references to tools of Anthropic Messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.apis._anthropic_blocks import name
from segue.apis._anthropic_keys import CHOICE_KEYS, TOOL_KEYS
from segue.apis._anthropic_pairs import Turn
from segue.apis._anthropic_rules import problem
from segue.apis._schemas import counted, root_choices
from segue.apis._walk import dotted, escaped, foreign_keys, shown, text_of
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

_MOST_STRICT, _MOST_OPTIONAL, _MOST_UNIONS = 20, 24, 16


def judged(request: dict[str, Json], turns: Sequence[Turn], target: Target) -> Iterator[Problem]:
    """Judge the declarations, then what the history demands of them."""
    tools = request.get("tools")
    if tools is not None and not isinstance(tools, list):
        says = "tools: Input should be a valid list"
        yield problem("wrong-type", "/tools", f"the tools are a list, this is {shown(tools)}", says)
    declared = tools if isinstance(tools, list) else []
    yield from _declarations(declared)
    yield from _choice(request, target)
    if not declared and target.declares_tools:
        yield from _undeclared(turns)
    yield from _references(turns, declared)


def _declarations(tools: Sequence[Json]) -> Iterator[Problem]:
    met: set[str] = set()
    strict: list[tuple[int, dict[str, Json]]] = []
    for index, tool in enumerate(tools):
        pointer = f"/tools/{index}"
        if not isinstance(tool, dict):
            says = f"tools.{index}: Input should be a valid dictionary"
            yield problem("wrong-type", pointer, f"a tool is an object, this is {shown(tool)}", says)
            continue
        tool_name = text_of(tool.get("name"))
        if tool_name in met:
            says = "tools: Tool names must be unique."
            yield problem("duplicate-tool", f"{pointer}/name", f"a second tool with the name {shown(tool_name)}", says)
        if tool_name is not None:
            met.add(tool_name)
        if tool.get("type") in (None, "custom"):
            yield from _custom(tool, pointer)
            if tool.get("strict") is True:
                strict.append((index, tool))
    yield from _strict(strict)


def _custom(tool: dict[str, Json], pointer: str) -> Iterator[Problem]:
    path = f"{dotted(pointer)}.custom"
    for key in ("name", "input_schema"):
        if key not in tool:
            what = f"the tool {shown(tool.get('name'))} needs the key '{key}'"
            yield problem("missing-key", pointer, what, f"{path}.{key}: Field required")
    for key in foreign_keys(tool, TOOL_KEYS):
        what = f"a tool knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, f"{path}.{key}: Extra inputs are not permitted")
    if "name" in tool:
        yield from name(tool["name"], f"{pointer}/name", f"{path}.name")
    if "input_schema" in tool:
        yield from _schema(tool, tool["input_schema"], f"{pointer}/input_schema", f"{path}.input_schema")


def _schema(tool: dict[str, Json], schema: Json, pointer: str, path: str) -> Iterator[Problem]:
    owner = f"the schema of tool {shown(tool.get('name'))}"
    if not isinstance(schema, dict):
        says = f"{path}: Input should be a valid dictionary"
        yield problem("tool-schema", pointer, f"{owner} is {shown(schema)}, not an object", says)
        return
    if schema.get("type") != "object":
        says = f"{path}.type: Input should be 'object'"
        yield problem("tool-schema", pointer, f"{owner} has the type {shown(schema.get('type'))} at its root", says)
    if "properties" in schema and not isinstance(schema["properties"], dict):
        says = f"{path}.properties: Input should be a valid dictionary"
        what = f"the properties in {owner} are {shown(schema['properties'])}"
        yield problem("tool-schema", f"{pointer}/properties", what, says)
    for key in root_choices(schema, ("oneOf", "allOf", "anyOf")):
        says = f"{path}: input_schema does not support oneOf, allOf, or anyOf at the top level"
        yield problem("tool-schema", f"{pointer}/{key}", f"{owner} has '{key}' at its root", says)


def _strict(strict: Sequence[tuple[int, dict[str, Json]]]) -> Iterator[Problem]:
    if len(strict) > _MOST_STRICT:
        what = f"{len(strict)} strict tools, more than {_MOST_STRICT}; this is the first too many"
        yield problem(
            "strict-tools", f"/tools/{strict[_MOST_STRICT][0]}", what, f"Too many strict tools ({len(strict)})"
        )
    optional = unions = 0
    for index, tool in strict:
        count = counted(tool.get("input_schema"))
        optional, unions, before = optional + count.optional, unions + count.unions, (optional, unions)
        if before[0] <= _MOST_OPTIONAL < optional:
            says = "Schemas contains too many optional parameters"
            what = f"the strict tools have more than {_MOST_OPTIONAL} optional parameters from here on"
            yield problem("strict-tools", f"/tools/{index}/input_schema", what, says)
        if before[1] <= _MOST_UNIONS < unions:
            what = f"the strict tools have more than {_MOST_UNIONS} parameters of several types from here on"
            yield problem("strict-tools", f"/tools/{index}/input_schema", what)


def _choice(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    choice = request.get("tool_choice")
    if choice is None:
        return
    kind = choice.get("type") if isinstance(choice, dict) else None
    keys = CHOICE_KEYS.get(kind) if isinstance(kind, str) else None
    if keys is None:
        what = f"a tool choice is an object of type {', '.join(CHOICE_KEYS)}, this is {shown(kind or choice)}"
        expected = ", ".join(f"'{name}'" for name in CHOICE_KEYS)
        says = "tool_choice: Input should be a valid dictionary or object to extract fields from"
        if isinstance(kind, str):
            found = f"Input tag '{kind[:80]}' found using 'type'"
            says = f"tool_choice: {found} does not match any of the expected tags: {expected}"
        yield problem("wrong-type", "/tool_choice", what, says)
        return
    for key in foreign_keys(choice, keys):
        says = f"tool_choice.{kind}.{key}: Extra inputs are not permitted"
        yield problem("unknown-key", f"/tool_choice/{escaped(key)}", f"a tool choice knows no key {shown(key)}", says)
    thinking = request.get("thinking")
    if kind in ("any", "tool") and isinstance(thinking, dict) and thinking.get("type") == "enabled":
        says = "Thinking may not be enabled when tool_choice forces tool use."
        what = f"the tool choice '{kind}' forces a call while manual thinking is enabled"
        yield problem("forced-tool-choice", "/tool_choice", what, says)
    elif kind in ("any", "tool") and not target.forced_calls:
        what = f"the tool choice '{kind}' forces a call, which {target.name} does not take"
        yield problem("forced-tool-choice", "/tool_choice", what, severity=None if target.known else "warning")


def _undeclared(turns: Sequence[Turn]) -> Iterator[Problem]:
    for turn in turns:
        for pointer, block in turn.blocks:
            if block.get("type") in ("tool_use", "tool_result"):
                says = "Requests which include `tool_use` or `tool_result` blocks must define tools."
                yield problem(
                    "tools-missing", pointer, "the history holds calls, and the request declares no tools", says
                )
                return


def _references(turns: Sequence[Turn], tools: Sequence[Json]) -> Iterator[Problem]:
    """Names that a toolset or an addition brings along cannot be judged from here: then nothing is."""
    names = {text_of(tool.get("name")) for tool in tools if isinstance(tool, dict)}
    if any(isinstance(tool, dict) and "toolset" in str(tool.get("type")) for tool in tools):
        return
    for turn in turns:
        for pointer, block in turn.blocks:
            tool, content = block.get("tool"), block.get("content")
            if block.get("type") == "tool_addition" and isinstance(tool, dict):
                definition = tool.get("definition")
                names.add(text_of(definition.get("name")) if isinstance(definition, dict) else None)
                if "mcp" in str(tool.get("type")):
                    return
            if block.get("type") in ("tool_addition", "tool_removal") and isinstance(tool, dict):
                if tool.get("type") == "tool_reference" and (referenced := text_of(tool.get("name"))) not in names:
                    says = f"{block['type']} references unknown tool '{referenced}'"
                    what = f"a {block['type']} of the tool {shown(referenced)}, which is not declared"
                    yield problem("unknown-tool-reference", f"{pointer}/tool/name", what, says)
            elif block.get("type") == "tool_result" and isinstance(content, list):
                yield from _result_references(content, f"{pointer}/content", names)


def _result_references(content: Sequence[Json], pointer: str, names: set[str | None]) -> Iterator[Problem]:
    for index, inner in enumerate(content):
        if isinstance(inner, dict) and inner.get("type") == "tool_reference":
            referenced = text_of(inner.get("tool_name"))
            if referenced not in names:
                what = f"a reference to the tool {shown(referenced)}, which is not declared"
                yield problem("unknown-tool-reference", f"{pointer}/{index}/tool_name", what)
