"""Judge the media of Bedrock's Converse: formats, sources, names, sizes, how many."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from segue.apis._bedrock_keys import DOCUMENT_FORMATS, S3_KEYS, SOURCES
from segue.apis._bedrock_rules import problem, refused
from segue.apis._media import Medium
from segue.apis._media import judged as judged_media
from segue.apis._walk import escaped, foreign_keys, shown
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

_NAME = re.compile(r"[A-Za-z0-9()\[\]-]+(?:\s[A-Za-z0-9()\[\]-]+)*")
_LONGEST_NAME = 200
_S3 = re.compile(r"s3://[a-z0-9][.a-z0-9-]{1,61}[a-z0-9](/.*)?", re.DOTALL)
_SAYS = {
    "many-dimensions": "image exceed max allowed size for many-image requests: {longest} pixels",
}


@dataclass(slots=True)
class Media:
    """What a request holds: all media in order, and the names of its documents with their places."""

    found: list[Medium] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)


def judged(media: Media, target: Target) -> Iterator[Problem]:
    """Judge all media of a request together."""
    yield from judged_media(media.found, target, problem, _SAYS, exact_types=True)
    limits = target.document_limits
    documents = [medium for medium in media.found if medium.kind == "document"]
    for medium in documents:
        if medium.data is not None and limits.size is not None and len(medium.data) > limits.size:
            what = f"a document of {len(medium.data):,} bytes of base64, more than {limits.size:,}"
            yield problem("document-too-large", medium.pointer, what)
    if limits.count is not None and len(documents) > limits.count:
        what = f"{len(documents)} documents, more than {limits.count} in one request; this is the first too many"
        yield problem("too-many-documents", documents[limits.count].pointer, what)


def image(value: dict[str, Json], pointer: str, where: str, target: Target, media: Media) -> Iterator[Problem]:
    """Judge one image, and note it for the judgement of all."""
    kind = value.get("format")
    if kind is not None and not isinstance(kind, str):
        yield problem("wrong-type", f"{pointer}/format", f"the format of an image is a string, this is {shown(kind)}")
    yield from _source("image", value.get("source"), f"{pointer}/source")
    if isinstance(kind, str):
        _note("image", f"image/{kind}", value.get("source"), pointer, media)
    yield from _in_result("image", pointer, where, target)


def guarded_image(value: Json, pointer: str, media: Media) -> Iterator[Problem]:
    """Judge an image that a guardrail is to look at."""
    if not isinstance(value, dict):
        yield problem("wrong-type", pointer, f"a guarded image is an object, this is {shown(value)}")
        return
    kind = value.get("format")
    if kind not in ("png", "jpeg"):
        says = refused(kind, f"{pointer}/format", "enum value set: [png, jpeg]")
        yield problem("wrong-type", f"{pointer}/format", f"a guarded image is png or jpeg, not {shown(kind)}", says)
    yield from _source("image", value.get("source"), f"{pointer}/source")
    if kind in ("png", "jpeg"):
        _note("image", f"image/{kind}", value.get("source"), pointer, media)


def document(value: dict[str, Json], pointer: str, where: str, target: Target, media: Media) -> Iterator[Problem]:
    """Judge one document, and note it for the judgement of all."""
    kind, name = value.get("format"), value.get("name")
    if kind is not None and not (isinstance(kind, str) and kind in DOCUMENT_FORMATS):
        listed = ", ".join(sorted(DOCUMENT_FORMATS))
        says = refused(kind, f"{pointer}/format", f"enum value set: [{listed}]")
        what = f"a document of the format {shown(kind)}; the api knows {listed}"
        yield problem("document-type", f"{pointer}/format", what, says)
    if name is not None:
        yield from _name(name, f"{pointer}/name", media)
    yield from _source("document", value.get("source"), f"{pointer}/source")
    _note("document", None, value.get("source"), pointer, media)
    yield from _in_result("document", pointer, where, target)


def _name(name: Json, pointer: str, media: Media) -> Iterator[Problem]:
    if not isinstance(name, str):
        yield problem("wrong-type", pointer, f"the name of a document is a string, this is {shown(name)}")
        return
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        what = f"the name {shown(name)} has other characters than letters, digits, single spaces, '-', '()' and '[]'"
        if len(name) > _LONGEST_NAME:
            what = f"the name {shown(name)} has {len(name)} characters, more than {_LONGEST_NAME}"
        says = (
            "The document file name can only contain alphanumeric characters, whitespace characters, hyphens, "
            "parentheses, and square brackets. The name can't contain more than one consecutive whitespace character."
        )
        yield problem("document-name", pointer, what if name else "an empty name of a document", says)
    elif name in media.names:
        what = f"a second document with the name {shown(name)}, after the one at {media.names[name]}"
        yield problem("duplicate-document-name", pointer, what, "Messages can not contain duplicate document names")
    media.names.setdefault(name, pointer)


def moving(kind: str, value: dict[str, Json], pointer: str, target: Target) -> Iterator[Problem]:
    """Judge a video or a sound."""
    yield from _source(kind, value.get("source"), f"{pointer}/source")
    says = f"This model doesn't support the {kind} content block"
    yield problem("video-or-audio", pointer, f"{kind}, which only few models take: {target.name} may refuse it", says)


def _note(kind: str, media_type: str | None, source: Json, pointer: str, media: Media) -> None:
    data = source.get("bytes") if isinstance(source, dict) else None
    media.found.append(
        Medium(
            "image" if kind == "image" else "document",
            f"{pointer}/source",
            pointer[1:].replace("/", "."),
            media_type,
            data if isinstance(data, str) else None,
        )
    )


def _in_result(kind: str, pointer: str, where: str, target: Target) -> Iterator[Problem]:
    if where == "result" and kind not in target.result_media:
        what = f"{target.name} takes no {kind} inside a tool result"
        yield problem("media-in-result", pointer, what, severity="error" if target.known else "warning")


def _source(kind: str, source: Json, pointer: str) -> Iterator[Problem]:
    """Judge what a medium comes from: one of bytes, a place in S3, and for documents words."""
    if source is None:
        return
    if not isinstance(source, dict):
        yield problem("wrong-type", pointer, f"the source of a medium is an object, this is {shown(source)}")
        return
    there = [key for key, value in source.items() if value is not None and key in SOURCES[kind]]
    for key in foreign_keys(source, SOURCES[kind]):
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", f"the source of the {kind} knows no key {shown(key)}")
    if len(there) != 1:
        what = f"the source of the {kind} has one of {', '.join(sorted(SOURCES[kind]))}, not {len(there)}"
        yield problem("block-members", pointer, what)
        return
    value, inside = source[there[0]], f"{pointer}/{there[0]}"
    if there == ["bytes"]:
        yield from _bytes(value, inside)
    elif there == ["s3Location"]:
        yield from _s3(value, inside)
    elif there == ["text"] and not isinstance(value, str):
        yield problem("wrong-type", inside, f"the words of a document are a string, this is {shown(value)}")
    elif there == ["content"]:
        yield from _pieces(value, inside)


def _bytes(value: Json, pointer: str) -> Iterator[Problem]:
    if not isinstance(value, str):
        yield problem("wrong-type", pointer, f"bytes are a string of base64, this is {shown(value)}")
    elif not value:
        yield problem(
            "wrong-type", pointer, "there are no bytes", refused("", pointer, "length greater than or equal to 1")
        )
    elif not is_base64(value):
        what = f"the bytes {shown(value)} are no base64"
        if value.startswith("data:"):
            what = "the bytes are a data URL, not the base64 alone"
        yield problem("not-base64", pointer, what)


def is_base64(data: str) -> bool:
    """Tell by its ends and its length whether a text is base64; decoding megabytes would say little more.

    >>> is_base64("aGk="), is_base64("data:;base64,aGk="), is_base64("aGk")
    (True, False, False)
    """
    if not data or len(data) % 4:
        return False
    try:
        base64.b64decode(data[:64], validate=True)
        base64.b64decode(data[-64:], validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _s3(value: Json, pointer: str) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield problem("wrong-type", pointer, f"a place in S3 is an object, this is {shown(value)}")
        return
    uri = value.get("uri")
    for key in foreign_keys(value, S3_KEYS):
        yield problem("unknown-key", f"{pointer}/{escaped(key)}", f"a place in S3 knows no key {shown(key)}")
    if uri is None:
        yield problem("missing-key", pointer, "a place in S3 needs the key 'uri'")
    elif not isinstance(uri, str) or not _S3.fullmatch(uri):
        says = refused(
            uri, f"{pointer}/uri", r"regular expression pattern: s3://[a-z0-9][\.\-a-z0-9]{1,61}[a-z0-9](/.*)?"
        )
        yield problem("wrong-type", f"{pointer}/uri", f"the address {shown(uri)} is none of S3", says)


def _pieces(value: Json, pointer: str) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield problem("wrong-type", pointer, f"the pieces of a document are a list, this is {shown(value)}")
        return
    for index, piece in enumerate(value):
        if not isinstance(piece, dict) or not isinstance(piece.get("text"), str):
            yield problem(
                "wrong-type", f"{pointer}/{index}", f"a piece of a document is a text, this is {shown(piece)}"
            )
