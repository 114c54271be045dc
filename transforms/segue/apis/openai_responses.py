"""Judge a request body of OpenAI Responses (`POST /v1/responses`) the way its server reads it.

Azure's and Codex's forms of the api are judged alike. Roles may follow each other in any order here, and a history may
end on any item. Not judged, since a body does not tell: whether ciphertext was made for the same organisation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from segue.apis import _openai_says as answers
from segue.apis import _openai_settings as settings
from segue.apis import _openai_tools as tools
from segue.apis import _responses_items as items
from segue.apis._media import judged as judged_media
from segue.apis._openai_keys import ANSWERED, CALLS, FOLLOWERS, OUTPUTS, RESPONSES_REQUEST
from segue.apis._openai_media import SAYS
from segue.apis._openai_rules import RESPONSES as RULES
from segue.apis._openai_rules import RESPONSES_LEGAL as LEGAL
from segue.apis._openai_rules import RESPONSES_UNSEEN as UNSEEN
from segue.apis._responses_items import problem
from segue.apis._walk import bare, bracketed, escaped, foreign_keys, is_json, shown, text_of, unsendable
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

__all__ = ["LEGAL", "RULES", "UNSEEN", "lint"]

_LARGEST_BODY = 536_870_912
_FEWEST_TOKENS = 16
_ELSEWHERE = ("previous_response_id", "conversation", "prompt")


def lint(request: Json, target: Target) -> Iterator[Problem]:
    """Find what the server would refuse in a request body, or treat in a way that the user should know."""
    yield from unsendable(request, problem, _LARGEST_BODY)
    if not isinstance(request, dict):
        yield problem("wrong-type", "", f"a request is an object, this is {shown(request)}")
        return
    yield from _request(request, target)
    if not isinstance(request.get("prompt"), dict):  # a stored prompt brings its own tools along
        yield from tools.judged(request, target, problem, chat=False)
    given = request.get("input")
    if not isinstance(given, list):
        return
    yield from _late_choice(request, given)
    setting = items.Setting(target, request.get("store") is not False)
    for index, item in enumerate(given):
        pointer = f"/input/{index}"
        if isinstance(item, dict):
            yield from items.judged(item, pointer, setting)
        else:
            what = f"an item is an object, this is {shown(item)}"
            yield problem("wrong-type", pointer, what, answers.wrong_type(bracketed(pointer), "an object"))
    walk = [(f"/input/{i}", items.kind_of(item), item) for i, item in enumerate(given) if isinstance(item, dict)]
    yield from _item_ids(walk)
    yield from _pairs(walk, any(request.get(key) is not None for key in _ELSEWHERE[:2]))
    yield from _promised(request, walk)
    yield from _order(walk)
    yield from _reasoning(walk, setting)
    yield from _required_reasoning(walk, target)
    yield from judged_media(setting.media, target, problem, SAYS, still=True)


Walk = Sequence[tuple[str, str | None, dict[str, Json]]]


def _request(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    doubt: Severity | None = None if target.known else "warning"
    elsewhere = any(request.get(key) is not None for key in _ELSEWHERE)
    if not request.get("model") and not elsewhere:
        yield problem("missing-key", "", "the request needs the key 'model'", answers.missing("model"))
    for key in foreign_keys(request, RESPONSES_REQUEST):
        what = f"a request knows no key {shown(key)}"
        yield problem("unknown-key", f"/{escaped(key)}", what, answers.unknown(key), doubt)
    given = request.get("input")
    if given is None or given in ("", []):
        if not elsewhere:
            pointer = "/input" if "input" in request else ""
            yield problem("empty-input", pointer, "the input is empty or missing", answers.missing("input"))
    elif not isinstance(given, (str, list)):
        yield problem("wrong-type", "/input", f"the input is a text or a list of items, this is {shown(given)}")
    instructions = request.get("instructions")
    # The server's own answers hold them as a list, too.
    if instructions is not None and not isinstance(instructions, (str, list)):
        yield problem("wrong-type", "/instructions", f"the instructions are a text, this is {shown(instructions)}")
    yield from _limit(request.get("max_output_tokens"), target)
    yield from settings.judged(request, target, problem, chat=False)


def _limit(value: Json, target: Target) -> Iterator[Problem]:
    if value is None:
        return
    if type(value) is not int or value < _FEWEST_TOKENS:
        says = f"Invalid 'max_output_tokens': integer below minimum value. Expected a value >= {_FEWEST_TOKENS}"
        what = f"max_output_tokens is a whole number from {_FEWEST_TOKENS} on, this is {shown(value)}"
        yield problem("max-tokens", "/max_output_tokens", what, says)
    elif target.max_output is not None and value > target.max_output:
        what = f"max_output_tokens is {value:,}, {target.name} writes {target.max_output:,} at most"
        yield problem("max-tokens-above-model", "/max_output_tokens", what)


def _item_ids(walk: Walk) -> Iterator[Problem]:
    met: dict[str, str] = {}
    for pointer, kind, item in walk:
        item_id = text_of(item.get("id"))
        if item_id is None or kind in ("item_reference", "local_shell_call_output"):
            continue
        if item_id in met:
            says = f"Duplicate item found with id {item_id}. Remove duplicate items from your input and try again."
            what = f"the item's id {shown(item_id)} stands at {met[item_id]} already"
            yield problem("duplicate-item-id", f"{pointer}/id", what, says)
        met.setdefault(item_id, pointer)


def _pairs(walk: Walk, elsewhere: bool) -> Iterator[Problem]:
    """Pair by call_id over the whole input. `elsewhere`: older items are on the server, a call may be among them."""
    known_elsewhere = elsewhere or any(kind == "item_reference" for _, kind, _ in walk)
    waiting: dict[str, list[tuple[str, str, dict[str, Json]]]] = {}
    answered: set[str] = set()
    for pointer, kind, item in walk:
        call_id = text_of(item.get("call_id"))
        if call_id is None:
            continue
        place = f"{pointer}/call_id"
        if kind in CALLS:
            open_calls = waiting.setdefault(call_id, [])
            if open_calls:
                what = f"call {shown(call_id)} has the id of the call at {open_calls[0][0]}, which is still open"
                yield problem("duplicate-call-id", place, what)
            elif call_id in answered:
                yield problem("reused-call-id", place, f"call {shown(call_id)} has the id of an earlier call")
            open_calls.append((pointer, str(kind), item))
        elif kind in OUTPUTS:
            if waiting.get(call_id):
                _, called, _ = waiting[call_id].pop(0)
                answered.add(call_id)
                if OUTPUTS[kind] != called and called != "local_shell_call":
                    what = f"an item of type '{kind}' answers call {shown(call_id)} of type '{called}'"
                    yield problem("result-kind", f"{pointer}/type", what)
            elif call_id in answered:
                yield problem("duplicate-result", place, f"a second output for call {shown(call_id)}")
            elif not known_elsewhere:
                name = kind.removesuffix("_output").replace("_", " ")
                says = f"No tool call found for {name} output with call_id {call_id}."
                yield problem(
                    "result-without-call", place, f"an output for call {shown(call_id)}, which is not before it", says
                )
    yield from _unanswered(call for calls in waiting.values() for call in calls)


def _unanswered(calls: Iterable[tuple[str, str, dict[str, Json]]]) -> Iterator[Problem]:
    for pointer, kind, item in calls:
        if kind in ANSWERED:
            says = f"No tool output found for {kind.replace('_', ' ')} {item['call_id']}."
            what = f"call {shown(item['call_id'])} ({bare(item.get('name') or kind)}) has no output"
            yield problem("call-without-result", f"{pointer}/call_id", what, says)


def _promised(request: dict[str, Json], walk: Walk) -> Iterator[Problem]:
    """Find outputs that are no JSON although their tool promised a schema for them."""
    tools = request.get("tools")
    strict = {
        tool["name"]
        for tool in (tools if isinstance(tools, list) else ())
        if isinstance(tool, dict) and tool.get("output_schema") is not None and text_of(tool.get("name"))
    }
    if not strict:
        return
    called = {
        item.get("call_id"): item.get("name") for _, kind, item in walk if kind == "function_call" and _named(item)
    }
    for pointer, kind, item in walk:
        name = called.get(item["call_id"]) if kind == "function_call_output" and _named(item) else None
        if name in strict and isinstance(item.get("output"), str) and not is_json(item["output"]):
            output = f"the output of call {shown(item['call_id'])}, {shown(item['output'])},"
            what = f"{output} is no JSON, which the tool {shown(name)} promises"
            yield problem("output-not-json", f"{pointer}/output", what)


def _named(item: dict[str, Json]) -> bool:
    return text_of(item.get("call_id")) is not None and isinstance(item.get("name", ""), str)


def _late_choice(request: dict[str, Json], given: Sequence[Json]) -> Iterator[Problem]:
    """Find a tool choice whose tool only comes with an item of the input: older models do not look there."""
    choice, tools = request.get("tool_choice"), request.get("tools")
    name = text_of(choice.get("name")) if isinstance(choice, dict) else None
    if name is None or name in _names(tools):
        return
    for item in given:
        if isinstance(item, dict) and item.get("type") == "additional_tools" and name in _names(item.get("tools")):
            what = (
                f"the tool choice names {shown(name)}, which only an item of the input declares: older models refuse it"
            )
            yield problem("tool-choice-unknown", "/tool_choice/name", what)
            return


def _names(tools: Json) -> set[Json]:
    found = tools if isinstance(tools, list) else []
    return {tool["name"] for tool in found if isinstance(tool, dict) and isinstance(tool.get("name"), str)}


def _order(walk: Walk) -> Iterator[Problem]:
    for index, (pointer, kind, _) in enumerate(walk):
        if kind == "compaction_trigger" and index + 1 < len(walk):
            yield problem("misplaced-item", pointer, "a compaction trigger is not the last item")
        elif kind == "configuration_update" and index and walk[index - 1][1] == kind:
            yield problem("misplaced-item", pointer, "two configuration updates stand next to each other")


def _reasoning(walk: Walk, setting: items.Setting) -> Iterator[Problem]:
    """Find reasoning that leads to nothing, and items whose reasoning is gone."""
    if setting.target.thinking != "item":
        return
    reasoned = False
    for index, (pointer, kind, item) in enumerate(walk):
        answers = kind == "message" and item.get("role") == "assistant"
        if kind == "reasoning":
            reasoned = True
            following = walk[index + 1] if index + 1 < len(walk) else None
            if following is None or not (following[1] in FOLLOWERS or _is_answer(following)):
                says = f"Item '{item.get('id')}' of type 'reasoning' was provided without its required following item."
                what = f"nothing that the reasoning item {shown(item.get('id'))} led to stands behind it"
                # Ciphertext without an id is checked on its own.
                sure = setting.target.known and item.get("id") is not None and not setting.target.unsigned_thinking
                yield problem("reasoning-without-follower", pointer, what, says, None if sure else "warning")
        elif kind == "item_reference":
            reasoned = True
        elif not answers and kind not in FOLLOWERS:
            reasoned = False
        elif kind in ("message", "function_call", "custom_tool_call") and text_of(item.get("id")) and not reasoned:
            says = f"Item '{item['id']}' of type '{kind}' was provided without its required 'reasoning' item"
            what = (
                f"the item {shown(item['id'])} has its server's id, and no reasoning item stands before it in its turn"
            )
            yield problem("item-without-reasoning", pointer, what, says)


def _required_reasoning(walk: Walk, target: Target) -> Iterator[Problem]:
    """Find calls without the reasoning before them that some hosts demand back."""
    if target.required_thinking == "none":
        return
    reasoned = False
    for pointer, kind, item in walk:
        if kind == "reasoning":
            reasoned = True
        elif kind in CALLS and not reasoned:
            says = "The `reasoning_text` in the thinking mode must be passed back to the API."
            what = f"no reasoning item stands before call {shown(item.get('call_id'))} in its turn"
            yield problem("reasoning-missing", pointer, what, says, None if target.known else "warning")
        elif kind not in CALLS and not _is_answer((pointer, kind, item)):
            reasoned = False


def _is_answer(entry: tuple[str, str | None, dict[str, Json]]) -> bool:
    return entry[1] == "message" and entry[2].get("role") == "assistant"
