"""Judge the media of one request: kinds, sizes, sides, how many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from segue.apis._gif import is_animated
from segue.apis._rule import Reporter
from segue.apis._walk import shown
from segue.changes import Problem
from segue.images import dimensions, sniffed_type
from segue.pdf import page_count
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


def judged(
    media: Sequence[Medium],
    target: Target,
    problem: Reporter,
    says: Mapping[str, str],
    *,
    sure_size: int | None = None,
    exact_types: bool = False,
    still: bool = False,
) -> Iterator[Problem]:
    """Judge all media of a request in order. `says` are the api's answers, with `{path}` and numbers to fill in.

    `sure_size` is what the api itself refuses, where its target's limit is that of the most careful of its hosts.
    `exact_types`: the api takes no other name of a media type. `still`: it takes no pictures that move.
    """
    limits = target.image_limits
    many = limits.many is not None and len(media) > limits.many
    longest = limits.many_side if many and limits.many_side is not None else limits.side
    images = [medium for medium in media if medium.kind == "image"]
    for medium in images:
        yield from unsupported(medium, target, problem)
        if medium.data is None:
            continue
        yield from _type(medium, target, problem, says, exact_types)
        if still and medium.media_type == "image/gif" and is_animated(medium.data, medium.start):
            yield problem("image-animated", medium.pointer, "a GIF with more than one picture")
        size = len(medium.data) - medium.start
        if limits.size is not None and size > limits.size:
            sure = sure_size is None or size > sure_size
            limit = max(limits.size, sure_size or 0) if sure else limits.size
            text = _filled(says, "image-too-large", path=medium.path, megabytes=limit >> 20, size=size, limit=limit)
            what = f"an image of {size:,} bytes of base64, more than {limit:,}"
            if not sure:
                what += ", which some hosts refuse"
            yield problem("image-too-large", medium.pointer, what, text, None if sure else "warning")
        if longest is not None:
            yield from _sides(medium, longest, len(media) if many else 0, problem, says)
    if limits.count is not None and len(images) > limits.count:
        what = f"{len(images)} images, more than {limits.count} in one request; this is the first too many"
        yield problem("too-many-images", images[limits.count].pointer, what)
    for medium in media:
        if medium.kind == "document":
            yield from unsupported(medium, target, problem)
    if "document-pages" in says and target.document_limits.pages is not None:
        yield from _pages(media, target.document_limits.pages, problem, says)


def _pages(media: Sequence[Medium], most: int, problem: Reporter, says: Mapping[str, str]) -> Iterator[Problem]:
    """Count the pages of all PDFs of a request; one that does not say how many it has counts as none."""
    pages = 0
    for medium in media:
        if medium.kind == "document" and medium.data:
            before = pages
            pages += page_count(medium.data[medium.start :] if medium.start else medium.data) or 0
            if before <= most < pages:
                what = f"the PDFs of the request have {pages:,} pages up to here, more than {most:,}"
                yield problem("document-pages", medium.pointer, what, _filled(says, "document-pages", limit=most))


def _type(medium: Medium, target: Target, problem: Reporter, says: Mapping[str, str], exact: bool) -> Iterator[Problem]:
    data = medium.data or ""
    found = sniffed_type(data, medium.start)
    declared = "image/jpeg" if medium.media_type == "image/jpg" and not exact else medium.media_type
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
