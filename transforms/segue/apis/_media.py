"""Judge the media of one request: kinds, sizes, sides, how many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from segue.apis._rule import Reporter
from segue.apis._walk import shown
from segue.changes import Problem
from segue.images import dimensions, sniffed_type
from segue.targets import Target


@dataclass(frozen=True, slots=True)
class Medium:
    """An image or a document and its place. `data` holds base64 from `start` on, None for a link or an uploaded file.

    `pointer` leads to the value that holds the data, `path` is the same place as the api's errors write it.
    """

    kind: Literal["image", "document"]
    pointer: str
    path: str
    media_type: str | None = None
    data: str | None = None
    start: int = 0


def unsupported(medium: Medium, target: Target, problem: Reporter) -> Iterator[Problem]:
    """Find a medium of a kind that the target cannot read; of a model that nobody knows this is only a doubt."""
    if not (target.images if medium.kind == "image" else target.documents):
        what = f"{target.name} reads no {medium.kind}s"
        yield problem("unsupported-media", medium.pointer, what, severity="error" if target.known else "warning")


def judged(media: Sequence[Medium], target: Target, problem: Reporter, says: Mapping[str, str]) -> Iterator[Problem]:
    """Judge all media of a request in order. `says` are the api's answers, with `{path}` and numbers to fill in."""
    limits = target.image_limits
    many = limits.many is not None and len(media) > limits.many
    longest = limits.many_side if many and limits.many_side is not None else limits.side
    images = [medium for medium in media if medium.kind == "image"]
    for medium in images:
        yield from unsupported(medium, target, problem)
        if medium.data is None:
            continue
        yield from _type(medium, target, problem, says)
        size = len(medium.data) - medium.start
        if limits.size is not None and size > limits.size:
            text = _filled(
                says, "image-too-large", path=medium.path, megabytes=limits.size >> 20, size=size, limit=limits.size
            )
            what = f"an image of {size:,} bytes of base64, more than {limits.size:,}"
            yield problem("image-too-large", medium.pointer, what, text)
        if longest is not None:
            yield from _sides(medium, longest, len(media) if many else 0, problem, says)
    if limits.count is not None and len(images) > limits.count:
        what = f"{len(images)} images, more than {limits.count} in one request; this is the first too many"
        yield problem("too-many-images", images[limits.count].pointer, what)
    for medium in media:
        if medium.kind == "document":
            yield from unsupported(medium, target, problem)


def _type(medium: Medium, target: Target, problem: Reporter, says: Mapping[str, str]) -> Iterator[Problem]:
    data = medium.data or ""
    found = sniffed_type(data, medium.start)
    declared = "image/jpeg" if medium.media_type == "image/jpg" else medium.media_type
    if declared not in target.image_types:
        what = (
            f"an image of type {shown(medium.media_type)}; {target.name} takes {', '.join(sorted(target.image_types))}"
        )
        yield problem("image-type", medium.pointer, what, _filled(says, "media-type", path=medium.path))
    elif found is None:
        if data:
            what = f"the bytes of the image, {shown(data[medium.start : medium.start + 24])}, begin like no image"
            yield problem("image-unreadable", medium.pointer, what, says.get("image-unreadable"))
    elif found != declared:
        text = _filled(says, "image-type", path=medium.path, declared=declared, found=found)
        yield problem("image-type", medium.pointer, f"an image declared as {declared} whose bytes are {found}", text)


def _sides(medium: Medium, longest: int, many: int, problem: Reporter, says: Mapping[str, str]) -> Iterator[Problem]:
    sides = dimensions(medium.data or "", medium.start)
    if sides is None or max(sides) <= longest:
        return
    what = f"an image of {sides[0]}×{sides[1]} pixels, more than {longest} on a side"
    if many:
        what += f" in a request with {many} images and documents"
    text = _filled(says, "many-dimensions" if many else "image-dimensions", path=medium.path, longest=longest)
    yield problem("image-dimensions", medium.pointer, what, text)


def _filled(says: Mapping[str, str], name: str, **facts: object) -> str | None:
    text = says.get(name)
    return text.format(**facts) if text else None
