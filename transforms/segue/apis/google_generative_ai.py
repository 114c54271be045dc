"""Judge a request body of Gemini's generateContent the way its server reads it, on AI Studio and on Vertex.

Keys are read in either spelling, and a null is a key that is not there. Neighbours of one role are no problem. What a
body does not tell, and so is not judged, stands in `_gemini_rules.UNSEEN`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.apis import _gemini_media as media
from segue.apis import _gemini_pairs as pairs
from segue.apis import _gemini_parts as parts
from segue.apis import _gemini_tools as tools
from segue.apis._gemini_keys import REQUEST_KEYS
from segue.apis._gemini_reading import contents_of, items, key_of
from segue.apis._gemini_rules import LEGAL, RULES, UNSEEN, invalid, problem, unknown_name
from segue.apis._walk import escaped, foreign_keys, shown, unsendable
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

__all__ = ["LEGAL", "RULES", "UNSEEN", "lint"]

_LARGEST_BODY = 20_971_520
_CONTENT = "type.googleapis.com/google.ai.generativelanguage.v1beta.Content"


def lint(request: Json, target: Target) -> Iterator[Problem]:
    """Find what the server would refuse in a request body, or treat in a way that the user should know."""
    for fault in unsendable(request, problem, _LARGEST_BODY):
        if fault.rule == "body-too-large":
            fault = replace(fault, says=f"Request payload size exceeds the limit: {_LARGEST_BODY} bytes.")
        yield fault
    if not isinstance(request, dict):
        yield problem("wrong-type", "", f"a request is an object, this is {shown(request)}")
        return
    # Who names the model here too, though it stands in the address, is not refused.
    for key in foreign_keys(request, REQUEST_KEYS | {"model"}):
        yield problem("unknown-key", f"/{escaped(key)}", f"a request knows no key {shown(key)}", unknown_name(key, ""))
    yield from parts.doubled(request, "")
    setting = parts.Setting(target)
    yield from _contents(request, setting)
    key = key_of(request, "systemInstruction")
    if request.get(key) is not None:
        yield from parts.system(request[key], f"/{key}", setting)
    yield from tools.judged(request, target)
    contents = contents_of(request)
    yield from pairs.ordered(contents, target)
    yield from pairs.paired(contents)
    yield from pairs.signatures(contents, target)
    yield from media.judged(setting.media, target)


def _contents(request: dict[str, Json], setting: parts.Setting) -> Iterator[Problem]:
    contents = request.get("contents")
    says = "GenerateContentRequest.contents: contents is not specified"
    if contents is None:
        yield problem("missing-key", "", "the request needs the key 'contents'", says)
    elif not isinstance(contents, (list, dict)):
        what = f"the contents are a list, this is {shown(contents)}"
        yield problem("wrong-type", "/contents", what, invalid("/contents", _CONTENT, contents))
    elif not contents:
        yield problem("empty-messages", "/contents", "there is no content", says)
    for pointer, content in items(contents, "/contents"):
        yield from parts.judged(content, pointer, setting)
