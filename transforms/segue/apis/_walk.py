"""Places and words of a request body, and what no JSON text can carry."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import isfinite

import orjson

from segue.apis._rule import Reporter
from segue.changes import Problem
from segue.model import Json

_SHOWN = 60


def shown(value: object) -> str:
    """Quote a value for a person: on one line, escaped, shortened.

    >>> shown("a\\nb"), shown({"a": 1}), shown("x" * 99)[-4:]
    ("'a\\\\nb'", 'an object', "xx…'")
    """
    if isinstance(value, str):
        return repr(value) if len(value) <= _SHOWN else f"{repr(value[:_SHOWN])[:-1]}…'"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def bare(value: object) -> str:
    """Write a name inertly and without quotes, as it stands in brackets behind an id.

    >>> bare("Bash"), bare(None)
    ('Bash', 'null')
    """
    text = shown(value)
    return text[1:-1] if isinstance(value, str) and len(text) > 2 else text


def escaped(key: str) -> str:
    """Write a key as a part of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def dotted(pointer: str) -> str:
    """Write a pointer the way Anthropic's errors do: `messages.1.content.0`."""
    return pointer[1:].replace("/", ".")


def bracketed(pointer: str) -> str:
    """Write a pointer the way OpenAI's errors do: `input[1].content[0]`."""
    path = "".join(f"[{part}]" if part.isdecimal() else f".{part}" for part in pointer[1:].split("/"))
    return path[1:]


def foreign_keys(value: dict[str, Json], known: Collection[str]) -> list[str]:
    """List the keys that are not among the known ones, in their order."""
    return [key for key in value if key not in known]


def text_of(value: Json) -> str | None:
    """Give a text that is there and says something, else None."""
    return value if isinstance(value, str) and value else None


def is_json(text: str) -> bool:
    """Tell whether a text is one JSON value."""
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True


def is_blank(text: str) -> bool:
    """Tell whether a text is empty or all white space; it looks no further than it has to."""
    return not text or text.isspace()


def unsendable(request: Json, problem: Reporter, limit: int) -> Iterator[Problem]:
    """Find what no JSON text can carry, and a body of more than `limit` characters.

    The walk over everything carries no places: they are worked out in a second one, when there is something to tell.
    """
    size, sound = _measured(request)
    if not sound:
        yield from _faults(request, problem)
    if size > limit:
        what = f"the texts of the request alone are {size:,} characters, more than the {limit:,} bytes of a whole body"
        yield problem("body-too-large", "", what, "Request exceeds the maximum size")


def _measured(request: Json) -> tuple[int, bool]:
    size = 0
    sound = True
    containers: list[Json] = [[request]]
    for container in containers:  # it grows on the way
        if type(container) is dict:
            for key in container:
                size += len(key)
                sound = sound and "\0" not in key and (key.isascii() or not _has_surrogate(key))
            parts = container.values()
        else:
            parts = container
        for part in parts:
            kind = type(part)
            if kind is str:
                size += len(part)
                sound = sound and "\0" not in part and (part.isascii() or not _has_surrogate(part))
            elif kind is dict or kind is list:
                containers.append(part)
            elif kind is float:
                sound = sound and isfinite(part)
    return size, sound


def _faults(request: Json, problem: Reporter) -> Iterator[Problem]:
    rest: list[tuple[str, Json]] = [("", request)]
    while rest:
        pointer, value = rest.pop()
        if isinstance(value, str):
            yield from _text_faults(pointer, value, "text", problem)
        elif isinstance(value, dict):
            for key in value:
                yield from _text_faults(pointer, key, "key", problem)
            rest.extend(reversed([(f"{pointer}/{escaped(key)}", part) for key, part in value.items()]))
        elif isinstance(value, list):
            rest.extend(reversed([(f"{pointer}/{index}", part) for index, part in enumerate(value)]))
        elif isinstance(value, float) and not isfinite(value):
            yield problem("no-json-number", pointer, f"the number {shown(value)} is none of JSON's")


def _text_faults(pointer: str, text: str, kind: str, problem: Reporter) -> Iterator[Problem]:
    if _has_surrogate(text):
        says = "The request body is not valid JSON: no low surrogate in string"
        yield problem("lone-surrogate", pointer, f"the {kind} {shown(text)} holds half of a surrogate pair", says)
    if "\0" in text:
        yield problem("nul-character", pointer, f"the {kind} {shown(text)} holds the character U+0000")


def _has_surrogate(text: str) -> bool:
    if text.isascii():  # known beforehand, costs nothing
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
