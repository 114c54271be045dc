"""Judge the media of Gemini's generateContent: inline data, files, and what stands inside results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from segue.apis._gemini_keys import MEMBER_KEYS, RESPONSE_PART_KEYS
from segue.apis._gemini_reading import items, key_of, member
from segue.apis._gemini_rules import field as path
from segue.apis._gemini_rules import invalid, problem, unknown_name
from segue.apis._media import Medium, unsupported
from segue.apis._media import judged as judged_media
from segue.apis._walk import escaped, foreign_keys, shown, text_of
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

_SAYS = {
    "media-type": "Unsupported MIME type",
    "image-type": "Provided image is not valid.",
    "image-unreadable": "Unable to process input image. Please retry or report in "
    "https://developers.generativeai.google/guide/troubleshooting",
    "document-pages": "The document contains more pages than the supported page limit of {limit}.",
}
_APPLE = frozenset({"image/heic", "image/heif"})  # AI Studio's page names them, other pages do not
_TEXTS = frozenset(
    {
        "application/json",
        "application/rtf",
        "application/xml",
        "application/javascript",
        "application/x-javascript",
        "application/typescript",
        "application/x-typescript",
        "application/x-python",
        "application/x-python-code",
        "application/x-ipynb+json",
    }
)
_HEARD_AND_SEEN = ("audio/", "video/")
_RESULT_PART = "type.googleapis.com/FunctionResponsePart"


def judged(media: Sequence[Medium], target: Target) -> Iterator[Problem]:
    """Judge all media of a request together: what they are, how large, how many."""
    yield from judged_media(media, target, problem, _SAYS)


def blob(kind: str, value: dict[str, Json], pointer: str, target: Target, media: list[Medium]) -> Iterator[Problem]:
    """Judge inline data or the address of a file, and put images and documents with the other media."""
    media_type = member(value, "mimeType")
    if media_type is None:
        # A link that Google knows to be a video needs no type.
        severity: Severity | None = None if kind == "inlineData" else "warning"
        says = f"GenerateContentRequest.{path(pointer)}.mime_type: must be specified."
        yield problem("missing-key", pointer, "a medium needs its 'mimeType'", says, severity)
    elif not isinstance(media_type, str):
        place = f"{pointer}/{key_of(value, 'mimeType')}"
        what = f"the type of a medium is a string, this is {shown(media_type)}"
        yield problem("wrong-type", place, what, invalid(place, "TYPE_STRING", media_type))
        media_type = None
    name = "data" if kind == "inlineData" else "fileUri"
    place = f"{pointer}/{key_of(value, name)}"
    content = member(value, name)
    if content is None:
        yield problem("missing-key", pointer, f"a medium needs its '{name}'")
    elif not isinstance(content, str):
        what = f"the '{name}' of a medium is a string, this is {shown(content)}"
        says = invalid(place, "TYPE_BYTES" if name == "data" else "TYPE_STRING", content)
        yield problem("wrong-type", place, what, says)
        content = None
    data = text_of(content) if kind == "inlineData" else None
    if data is not None and not is_base64_data(data):
        says = f'{invalid(place, "TYPE_BYTES", None)}, Base64 decoding failed for "{data[:40]}"'
        yield problem("not-base64", place, f"the data of a medium, {shown(data)}, is not base64", says)
        data = None
    if media_type is not None:
        yield from _kind(media_type, place, data, target, media)


def is_base64_data(data: str) -> bool:
    """Tell whether a long text is base64: no other characters than those of its alphabets."""
    return not data.encode("ascii", "replace").translate(None, _ALPHABET)


_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=\n\r\t "


def _kind(media_type: str, pointer: str, data: str | None, target: Target, media: list[Medium]) -> Iterator[Problem]:
    plain = media_type.partition(";")[0].strip().lower()
    if plain in _APPLE and plain not in target.image_types:
        yield from unsupported(Medium("image", pointer, path(pointer)), target, problem)
        what = f"an image of type {shown(media_type)}, which only some of Google's hosts take"
        yield problem("image-type", pointer, what, f"Unsupported MIME type: {plain}", "warning")
    elif plain.startswith("image/"):
        media.append(Medium("image", pointer, path(pointer), plain, data))
    elif plain == "application/pdf":
        media.append(Medium("document", pointer, path(pointer), plain, data))
    elif plain.startswith("text/") or plain in _TEXTS:
        media.append(Medium("document", pointer, path(pointer), plain))
    elif not plain.startswith(_HEARD_AND_SEEN):
        what = f"a file of type {shown(media_type)}; documents are PDF or text"
        yield problem("document-type", pointer, what, f"Unsupported MIME type: {media_type[:80]}")


def result_parts(value: Json, pointer: str, target: Target, media: list[Medium]) -> Iterator[Problem]:
    """Judge the media inside a result."""
    if value is not None and not isinstance(value, (list, dict)):
        what = f"the parts of a result are a list, this is {shown(value)}"
        yield problem("wrong-type", pointer, what, invalid(pointer, _RESULT_PART, value))
        return
    for place, part in items(value, pointer):
        if not isinstance(part, dict):
            what = f"a part of a result is an object, this is {shown(part)}"
            yield problem("wrong-type", place, what, invalid(place, _RESULT_PART, part))
            continue
        for key in foreign_keys(part, RESPONSE_PART_KEYS):
            what = f"a part of a result knows no key {shown(key)}"
            yield problem("unknown-key", f"{place}/{escaped(key)}", what, unknown_name(key, place))
        yield from _result_medium(part, place, target, media)


def _result_medium(part: dict[str, Json], place: str, target: Target, media: list[Medium]) -> Iterator[Problem]:
    kinds = [kind for kind in ("inlineData", "fileData") if member(part, kind) is not None]
    if not kinds:
        yield problem("empty-part", place, "a part of a result without data")
    for kind in kinds:
        inside = f"{place}/{key_of(part, kind)}"
        inner = member(part, kind)
        if not isinstance(inner, dict):
            what = f"{shown(kind)} is an object, this is {shown(inner)}"
            yield problem("wrong-type", inside, what, invalid(inside, _RESULT_PART, inner))
            continue
        for key in foreign_keys(inner, MEMBER_KEYS[kind]):
            what = f"{shown(kind)} knows no key {shown(key)}"
            yield problem("unknown-key", f"{inside}/{escaped(key)}", what, unknown_name(key, inside))
        is_image = str(member(inner, "mimeType")).startswith("image/")
        medium: Literal["image", "document"] = "image" if is_image else "document"
        if medium not in target.result_media:
            severity: Severity | None = None if target.known else "warning"
            what = f"{target.name} takes no {medium}s inside a result"
            yield problem("media-in-result", place, what, f"Unknown name \"parts\" at '{_owner(place)}'", severity)
        yield from blob(kind, inner, inside, target, media)


def _owner(place: str) -> str:
    return path(place.rpartition("/parts")[0])
