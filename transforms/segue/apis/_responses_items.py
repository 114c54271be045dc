"""Judge the items of OpenAI Responses, each for itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from segue.apis import _openai_media as openai_media
from segue.apis import _openai_says as answers
from segue.apis import _openai_tools as tools
from segue.apis._media import Medium
from segue.apis._openai_keys import ID_PREFIXES, INPUT_PARTS, ITEM_NEEDS, ITEMS, OUTPUT_PARTS, PARTS
from segue.apis._openai_rules import RESPONSES
from segue.apis._rule import reporter
from segue.apis._walk import bare, bracketed, escaped, foreign_keys, shown, text_of
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

problem = reporter(RESPONSES)

_ITEM_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_CALL_ID = 64
_PHASES = ("commentary", "final_answer")
_LONGEST_TEXT = 10_485_760


@dataclass(frozen=True, slots=True)
class Setting:
    """What an item is judged by beside itself; `media` collects what is found."""

    target: Target
    stored: bool  # whether the server keeps items, so that an id may stand for one
    media: list[Medium] = field(default_factory=list)

    @property
    def doubt(self) -> Severity | None:
        """How sure a rule can be: of a host that nobody described it can only warn."""
        return None if self.target.known else "warning"


def kind_of(item: dict[str, Json]) -> str | None:
    """Give an item's type; one with a role and no type is a message, one with an id alone a reference."""
    kind = item.get("type")
    if kind is None:
        return "message" if "role" in item else "item_reference" if set(item) <= {"id", "type"} and item else None
    return kind if isinstance(kind, str) else None


def judged(item: dict[str, Json], pointer: str, setting: Setting) -> Iterator[Problem]:
    """Judge one item and what is inside it."""
    kind = kind_of(item)
    if kind is None or kind not in ITEMS:
        found = (
            "an item without a type"
            if item.get("type") is None
            else f"an item of the unknown type {shown(item['type'])}"
        )
        says = f"Invalid value: {shown(item.get('type'))}. Supported values are those of the api's items."
        yield problem("unknown-item", pointer, found, says, setting.doubt)
        return
    for key in ITEM_NEEDS.get(kind, ()):
        if key not in item:
            says = answers.missing(f"{bracketed(pointer)}.{key}")
            yield problem("missing-key", pointer, f"an item of type '{kind}' needs the key '{key}'", says)
    known = ITEMS[kind]
    for key in foreign_keys(item, known) if known is not None else []:
        says = answers.unknown(f"{bracketed(pointer)}.{key}")
        what = f"an item of type '{kind}' knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, says, setting.doubt)
    yield from _item_id(item, kind, pointer, setting)
    if kind.endswith(("_call", "_call_output")):
        yield from _call_id(item, pointer)
    judge = _JUDGES.get(kind)
    if judge is not None:
        yield from judge(item, pointer, setting)


def _item_id(item: dict[str, Json], kind: str, pointer: str, setting: Setting) -> Iterator[Problem]:
    value = item.get("id")
    if value is None:
        return
    prefix = ID_PREFIXES.get(kind, "")
    if isinstance(value, str) and value.startswith(prefix) and _ITEM_ID.fullmatch(value):
        if value.endswith("_"):
            what = f"the item's id {shown(value)} ends in '_', as one that was cut does; some servers refuse it"
            yield problem("item-id-shape", f"{pointer}/id", what, severity="warning")
        return
    path, place = bracketed(pointer), f"{pointer}/id"
    if not isinstance(value, str):
        says = answers.wrong_type(f"{path}.id")
        yield problem("wrong-type", place, f"the id of an item is a string, this is {shown(value)}", says)
    elif not value.startswith(prefix):
        says = f"Invalid '{path}.id': '{value[:80]}'. Expected an ID that begins with '{prefix}'."
        what = f"the id {shown(value)} of an item of type '{kind}' does not begin with '{prefix}'"
        yield problem("item-id-shape", place, what, says, setting.doubt)
    else:
        says = (
            f"Invalid '{path}.id': '{value[:80]}'. Expected an ID that contains letters, numbers, underscores, or "
            "dashes, but this value contained additional characters."
        )
        what = f"the item's id {shown(value)} is not 1 to 64 letters, digits, '_' and '-'"
        yield problem("item-id-shape", place, what, says, setting.doubt)


def _call_id(item: dict[str, Json], pointer: str) -> Iterator[Problem]:
    value = item.get("call_id")
    if value is None and "call_id" not in item:
        return
    if isinstance(value, str) and 0 < len(value) <= _LONGEST_CALL_ID:
        return
    path, place = f"{bracketed(pointer)}.call_id", f"{pointer}/call_id"
    if not isinstance(value, str):
        if value is not None or item.get("type") in ITEM_NEEDS:
            says = answers.wrong_type(path, found=shown(value))
            yield problem("call-id-shape", place, f"a call_id is a string, this is {shown(value)}", says)
    elif not value:
        yield problem("call-id-shape", place, "an empty call_id", answers.empty_text(path))
    else:
        says = answers.long_text(path, _LONGEST_CALL_ID, len(value))
        what = f"the call_id {shown(value)} has {len(value)} characters, more than {_LONGEST_CALL_ID}"
        yield problem("call-id-shape", place, what, says)


def _message(item: dict[str, Json], pointer: str, setting: Setting) -> Iterator[Problem]:
    role, content = item.get("role"), item.get("content")
    parts = PARTS.get(role) if isinstance(role, str) else None
    if parts is None:
        if "role" in item:
            says = (
                f"Invalid value: {shown(role)}. Supported values are: 'assistant', 'system', 'developer', and 'user'."
            )
            yield problem("unknown-role", f"{pointer}/role", f"the role {shown(role)} is none of this api's", says)
        return
    phase = item.get("phase")
    if phase is not None and phase not in _PHASES:
        says = f"Invalid value: {shown(phase)}. Supported values are: 'commentary' and 'final_answer'."
        yield problem("wrong-type", f"{pointer}/phase", f"the phase of a message is {shown(phase)}", says)
    if isinstance(content, str):
        yield from tools.too_long(content, f"{pointer}/content", _LONGEST_TEXT, problem)
    elif isinstance(content, list):
        for index, part in enumerate(content):
            yield from _part(part, f"{pointer}/content/{index}", parts, f"a message of the role '{role}'", setting)
    elif "content" in item:
        says = answers.wrong_type(f"{bracketed(pointer)}.content", "one of an array of objects or string")
        what = f"the content of a message is a text or a list of parts, this is {shown(content)}"
        yield problem("wrong-type", f"{pointer}/content", what, says)


def _part(
    part: Json, pointer: str, parts: dict[str, frozenset[str]], owner: str, setting: Setting
) -> Iterator[Problem]:
    path = bracketed(pointer)
    if not isinstance(part, dict):
        what = f"a part is an object, this is {shown(part)}"
        yield problem("wrong-type", pointer, what, answers.wrong_type(path, "an object"))
        return
    kind = part.get("type")
    known = (INPUT_PARTS | OUTPUT_PARTS).get(kind) if isinstance(kind, str) else None
    if known is None or kind not in parts:
        names = " and ".join(f"'{name}'" for name in parts)
        says = f"Invalid value: {shown(kind)}. Supported values are: {names}."
        yield problem("part-in-wrong-role", pointer, f"a part of type {shown(kind)} cannot stand in {owner}", says)
        if known is None:
            return
    for key in foreign_keys(part, known):
        what = f"a part of type '{kind}' knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, answers.unknown(f"{path}.{key}"), setting.doubt)
    if kind in ("input_text", "output_text", "refusal"):
        yield from _text(part, "refusal" if kind == "refusal" else "text", pointer)
    elif kind == "input_image" and not (part.get("image_url") is None and text_of(part.get("file_id"))):
        yield from openai_media.image(part.get("image_url"), f"{pointer}/image_url", setting.media, problem)
    elif kind == "input_image":
        setting.media.append(Medium("image", pointer, path))
    elif kind == "input_file":
        yield from openai_media.file(part, pointer, setting.media, problem)


def _text(part: dict[str, Json], key: str, pointer: str) -> Iterator[Problem]:
    text = part.get(key)
    if isinstance(text, str):
        yield from tools.too_long(text, f"{pointer}/{key}", _LONGEST_TEXT, problem)
    elif key not in part:
        says = answers.missing(f"{bracketed(pointer)}.{key}")
        yield problem("missing-key", pointer, f"a part of type '{part['type']}' needs the key '{key}'", says)
    else:
        says = answers.wrong_type(f"{bracketed(pointer)}.{key}")
        yield problem("wrong-type", f"{pointer}/{key}", f"a text is a string, this is {shown(text)}", says)
    if part.get("annotations") is not None and not isinstance(part["annotations"], list):
        what = f"the annotations of a text are a list, this is {shown(part['annotations'])}"
        yield problem("output-text", f"{pointer}/annotations", what)


def _function_call(item: dict[str, Json], pointer: str, setting: Setting) -> Iterator[Problem]:
    call = f"call {shown(item.get('call_id'))} ({bare(item.get('name'))})"
    if "name" in item:
        yield from tools.name(item["name"], f"{pointer}/name", setting.target, problem, False)
    if "arguments" in item:
        yield from tools.arguments(item["arguments"], call, f"{pointer}/arguments", problem)


def _custom_tool_call(item: dict[str, Json], pointer: str, setting: Setting) -> Iterator[Problem]:
    if "name" in item:
        yield from tools.name(item["name"], f"{pointer}/name", setting.target, problem, False)
    if "input" in item and not isinstance(item["input"], str):
        says = answers.wrong_type(f"{bracketed(pointer)}.input")
        what = f"the input of call {shown(item.get('call_id'))} is {shown(item['input'])}, not a text"
        yield problem("arguments-not-text", f"{pointer}/input", what, says)


def _output(item: dict[str, Json], pointer: str, setting: Setting) -> Iterator[Problem]:
    output = item.get("output")
    if isinstance(output, str):
        yield from tools.too_long(output, f"{pointer}/output", _LONGEST_TEXT, problem)
    elif isinstance(output, list):
        for index, part in enumerate(output):
            place = f"{pointer}/output/{index}"
            yield from _part(part, place, INPUT_PARTS, "an output", setting)
            is_medium = isinstance(part, dict) and part.get("type") in ("input_image", "input_file")
            if is_medium and not setting.target.result_media:
                what = f"{setting.target.name} takes no media inside an output"
                yield problem("media-in-result", place, what, severity=setting.doubt)
    elif "output" in item:
        says = answers.wrong_type(f"{bracketed(pointer)}.output", "one of a string or an array of objects")
        what = f"the output of call {shown(item.get('call_id'))} is {shown(output)}, not a text or a list"
        yield problem("wrong-type", f"{pointer}/output", what, says)


def _reasoning(item: dict[str, Json], pointer: str, setting: Setting) -> Iterator[Problem]:
    path, target = bracketed(pointer), setting.target
    if target.thinking == "none":
        says = "Reasoning input items can only be provided to a reasoning or computer use model."
        what = f"a reasoning item, and {target.name} takes none"
        yield problem("reasoning-unsupported", pointer, what, says, setting.doubt)
        return
    name = f"the reasoning item {shown(item.get('id'))}"
    if not isinstance(item.get("summary"), list):
        yield problem("reasoning-shape", pointer, f"{name} has no list as summary", answers.missing(f"{path}.summary"))
    if target.unsigned_thinking:  # the host wants readable reasoning back
        return
    if item.get("content"):
        says = answers.long_array(f"{path}.content", 0)
        yield problem("reasoning-shape", f"{pointer}/content", f"{name} has readable content", says, setting.doubt)
    if not text_of(item.get("encrypted_content")) and not setting.stored:
        what = f"{name} has no encrypted content, and the request stores nothing"
        # Without an id there is nothing that the server would look for.
        severity = setting.doubt if item.get("id") is not None else "warning"
        yield problem("reasoning-not-stored", pointer, what, answers.not_stored(item.get("id")), severity)


def _item_reference(item: dict[str, Json], pointer: str, setting: Setting) -> Iterator[Problem]:
    if not setting.stored:
        what = f"a reference to the item {shown(item.get('id'))}, and the request stores nothing"
        yield problem("reasoning-not-stored", pointer, what, answers.not_stored(item.get("id")), setting.doubt)


_JUDGES: dict[str, Callable[[dict[str, Json], str, Setting], Iterator[Problem]]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _function_call,
    "function_call_output": _output,
    "custom_tool_call": _custom_tool_call,
    "custom_tool_call_output": _output,
    "item_reference": _item_reference,
}
