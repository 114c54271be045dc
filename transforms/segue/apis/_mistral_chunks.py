"""Judge the chunks of a message's content for Mistral's chat completions."""

from __future__ import annotations

from collections.abc import Iterator

from segue.apis._media import Medium, unsupported
from segue.apis._mistral_keys import BLOCK_KEYS, BLOCKS, IMAGE_KEYS, MEDIA, REQUIRED_KEYS
from segue.apis._mistral_rules import extra_key, invalid, missing, problem
from segue.apis._openai_media import data_head
from segue.apis._walk import bracketed, escaped, foreign_keys, shown
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

# As the errors of Mistral's own validator name the chunks.
_CLASSES = {
    "text": "TextChunk",
    "image_url": "ImageURLChunk",
    "document_url": "DocumentURLChunk",
    "input_audio": "AudioChunk",
    "file": "FileChunk",
    "reference": "ReferenceChunk",
    "thinking": "ThinkChunk",
}


def is_text_only(content: list[Json]) -> bool:
    """Tell whether a content is a list of nothing but texts."""
    return all(isinstance(part, dict) and part.get("type") == "text" for part in content)


def chunk(part: Json, pointer: str, role: str, target: Target, media: list[Medium]) -> Iterator[Problem]:
    """Judge one chunk of a message of a role, and put an image with the other media."""
    if not isinstance(part, dict):
        what = f"a chunk is an object, this is {shown(part)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, "dict", role))
        return
    kind = part.get("type")
    keys = BLOCK_KEYS.get(kind) if isinstance(kind, str) and kind != "function" else None
    if not isinstance(kind, str) or keys is None:
        says = f"Input tag {shown(kind)} found using 'type' does not match any of the expected tags"
        yield problem("unknown-part", pointer, f"a chunk of the unknown type {shown(kind)}", says)
        return
    yield from _place(kind, role, pointer, target)
    for key in foreign_keys(part, keys):
        what = f"a chunk of the type {shown(kind)} knows no key {shown(key)}"
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, extra_key(pointer, key, role))
    lacking = [key for key in REQUIRED_KEYS.get(kind, ()) if key not in part]
    for key in lacking:
        what = f"a chunk of the type {shown(kind)} needs the key '{key}'"
        yield problem("missing-key", pointer, what, missing(pointer, key, role))
    if lacking:
        return
    if kind == "text":
        yield from _string(part["text"], f"{pointer}/text", role, "a text")
    elif kind == "thinking":
        yield from _thinking(part["thinking"], pointer, role, target)
    elif kind == "image_url":
        yield from _image(part["image_url"], f"{pointer}/image_url", role, media)
    elif kind == "document_url":
        yield from _string(part["document_url"], f"{pointer}/document_url", role, "the address of a document")
        if not target.documents:
            # The server reads documents for any model; what its model makes of them is another matter.
            medium = Medium("document", pointer, bracketed(pointer))
            yield from (_weaker(found) for found in unsupported(medium, target, problem))
    elif kind == "input_audio":
        yield problem("audio", pointer, "audio, which only few models hear")


def _weaker(found: Problem) -> Problem:
    return problem(found.rule, found.pointer or "", found.what, found.says, "warning")


def _place(kind: str, role: str, pointer: str, target: Target) -> Iterator[Problem]:
    if kind in BLOCKS[role]:
        return
    says = f"Unexpected content chunk types in {role} message: ['{_CLASSES.get(kind, kind)}']"
    if role == "tool" and kind in MEDIA:
        if ("image" if kind == "image_url" else "document") not in target.result_media:
            severity: Severity | None = None if target.known else "warning"
            what = f"{target.name} sees no {kind.partition('_')[0]}s in a tool message"
            yield problem("media-in-result", pointer, what, says, severity)
        return
    # Models of the years between took thinking in a system prompt, as an example of it.
    severity = "warning" if role == "system" and kind == "thinking" else None
    what = f"a chunk of the type {shown(kind)} in a message of the role '{role}'"
    yield problem("part-in-wrong-role", pointer, what, says, severity)


def _string(value: Json, pointer: str, role: str, owner: str) -> Iterator[Problem]:
    if not isinstance(value, str):
        what = f"{owner} is a string, this is {shown(value)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, "string", role))


def _thinking(value: Json, pointer: str, role: str, target: Target) -> Iterator[Problem]:
    place = f"{pointer}/thinking"
    if not isinstance(value, list):
        what = f"thinking is a list of chunks, this is {shown(value)}"
        yield problem("wrong-type", place, what, invalid(place, "list", role))
        return
    if role == "assistant" and target.thinking == "none":
        severity: Severity | None = None if target.known else "warning"
        says = "Unexpected content chunk types in assistant message: ['ThinkChunk']"
        yield problem("reasoning-unsupported", pointer, f"{target.name} takes no thinking back", says, severity)
    for index, part in enumerate(value):
        inside = f"{place}/{index}"
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict) or not isinstance(kind, str) or kind not in BLOCKS["thinking"]:
            what = f"thinking holds texts and references, this is {shown(kind or part)}"
            yield problem("wrong-type", inside, what, invalid(inside, "dict", role))
            continue
        for key in foreign_keys(part, BLOCK_KEYS[kind]):
            what = f"a chunk of the type {shown(kind)} knows no key {shown(key)}"
            yield problem("unknown-key", f"{inside}/{escaped(key)}", what, extra_key(inside, key, role))
        if kind == "text":
            yield from _string(part.get("text"), f"{inside}/text", role, "a text")


def _image(value: Json, pointer: str, role: str, media: list[Medium]) -> Iterator[Problem]:
    url, place = value, pointer
    if isinstance(value, dict):
        url, place = value.get("url"), f"{pointer}/url"
        for key in foreign_keys(value, IMAGE_KEYS):
            what = f"the address of an image knows no key {shown(key)}"
            yield problem("unknown-key", f"{pointer}/{escaped(key)}", what, extra_key(pointer, key, role))
    if not isinstance(url, str) or not url:
        what = f"the address of an image is a string, this is {shown(url)}"
        yield problem("image-source", place if url is not None else pointer, what, invalid(place, "string", role))
        return
    head = data_head(url) if url.startswith("data:") else None
    if head is not None:
        media.append(Medium("image", place, bracketed(place), head[0], url, head[1]))
        return
    if not url[:8].lower().startswith(("https://", "http://")):
        what = f"the address of an image, {shown(url)}, is no link and no data URL in base64"
        yield problem("image-source", place, what, "Image URL must be a valid URL or a base64 encoded image")
    media.append(Medium("image", place, bracketed(place)))
