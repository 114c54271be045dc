"""Read the media of OpenAI's parts: data URLs, links, uploaded files."""

from __future__ import annotations

from collections.abc import Iterator

from segue.apis import _openai_says as answers
from segue.apis._media import Medium
from segue.apis._rule import Reporter
from segue.apis._walk import bracketed, shown, text_of
from segue.changes import Problem
from segue.model import Json

LONGEST_FILE = 73_400_320
SAYS = {
    "media-type": "Invalid image: unsupported image format at '{path}'. Use one of: png, jpeg, gif, webp.",
    "image-unreadable": "The image data you provided does not represent a valid image.",
    "image-too-large": "Invalid '{path}': string too long. Expected a string with maximum length {limit}",
}
_LONGEST_HEAD = 200  # of a data URL, before the comma


def image(url: Json, pointer: str, media: list[Medium], problem: Reporter) -> Iterator[Problem]:
    """Judge the address of an image and put it with the other media."""
    if not isinstance(url, str) or not url:
        yield problem("image-source", pointer, f"the address of an image is a text, this is {shown(url)}")
        return
    path = bracketed(pointer)
    if not url.startswith("data:"):
        if not url[:8].lower().startswith(("https://", "http://")):
            says = f"Invalid '{path}'. Expected a valid URL, but got a value with an invalid format."
            yield problem(
                "image-source", pointer, f"the address of an image, {shown(url)}, is no link and no data URL", says
            )
        media.append(Medium("image", pointer, path))
        return
    head = data_head(url)
    if head is None:
        yield problem("image-source", pointer, f"the data URL {shown(url)} is not base64")
        return
    media.append(Medium("image", pointer, path, head[0], url, head[1]))


def file(part: dict[str, Json], pointer: str, media: list[Medium], problem: Reporter) -> Iterator[Problem]:
    """Judge where a file comes from: `file_data` with `filename`, `file_id`, or `file_url`."""
    data = part.get("file_data")
    media.append(Medium("document", pointer, bracketed(pointer)))
    if data is None:
        if not text_of(part.get("file_id")) and not text_of(part.get("file_url")):
            yield problem("file-source", pointer, "a file with neither data nor an id nor a link")
    elif not isinstance(data, str) or not data.startswith("data:") or data_head(data) is None:
        says = f"Invalid '{bracketed(pointer)}.file_data'. Expected a base64-encoded data URL with a MIME type"
        yield problem("file-source", f"{pointer}/file_data", f"the data of a file, {shown(data)}, is no data URL", says)
    elif not text_of(part.get("filename")):
        says = answers.missing(f"{bracketed(pointer)}.filename")
        yield problem("file-source", pointer, "a file with data and without a name", says)
    elif len(data) > LONGEST_FILE:
        what = f"the data of a file has {len(data):,} characters, more than {LONGEST_FILE:,}"
        yield problem("file-source", f"{pointer}/file_data", what)


def data_head(url: str) -> tuple[str, int] | None:
    """Split the head of a data URL: media type, and where the base64 starts."""
    comma = url.find(",", 0, _LONGEST_HEAD)
    head = url[len("data:") : comma].split(";") if comma >= 0 else []
    if len(head) < 2 or head[-1].strip().lower() != "base64":
        return None
    return head[0].strip().lower(), comma + 1
