"""Read a body of Gemini the way its server does: keys in either spelling, null for what is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from segue.apis._gemini_keys import DATA, RESULT_ROLE, snake
from segue.apis._walk import is_blank, text_of
from segue.model import Json

_SPELLED = {key: snake(key) for key in DATA}


def key_of(owner: Mapping[str, Json], name: str) -> str:
    """Tell how a key is spelled in an object."""
    return name if owner.get(name) is not None else other if owner.get(other := snake(name)) is not None else name


def member(owner: Mapping[str, Json], name: str) -> Json:
    """Give the value under a name in either spelling, None where there is none."""
    value = owner.get(name)
    return owner.get(snake(name)) if value is None else value


def signed(part: Mapping[str, Json]) -> bool:
    """Tell whether a part carries a signature."""
    return bool(member(part, "thoughtSignature"))


def items(value: Json, pointer: str) -> list[tuple[str, Json]]:
    """List what a repeated field holds, each with its pointer: one object may stand there without a list."""
    if isinstance(value, dict):
        return [(pointer, value)]
    return [(f"{pointer}/{index}", item) for index, item in enumerate(value if isinstance(value, list) else ())]


@dataclass(frozen=True)
class Part:
    """One part of a content; `kinds` are the kinds of data that it holds, which should be one."""

    pointer: str
    value: dict[str, Json]

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        value = self.value
        return tuple(
            key
            for key, other in _SPELLED.items()
            if value.get(key) is not None or (other != key and value.get(other) is not None)
        )

    @property
    def kind(self) -> str | None:
        return self.kinds[0] if self.kinds else None

    @property
    def signature(self) -> Json:
        return member(self.value, "thoughtSignature")

    def data(self, kind: str) -> tuple[str, Json]:
        """Give what the part holds of a kind, with its pointer."""
        key = key_of(self.value, kind)
        return f"{self.pointer}/{key}", self.value.get(key)


@dataclass(frozen=True, slots=True)
class Named:
    """A call or a result of a content."""

    pointer: str
    id: str | None
    name: str | None
    part: Part


@dataclass(frozen=True)
class Content:
    """One content: who speaks, and the parts of it that are objects."""

    number: int
    pointer: str
    role: str
    parts: tuple[Part, ...]

    @cached_property
    def calls(self) -> tuple[Named, ...]:
        return tuple(self._named("functionCall"))

    @cached_property
    def results(self) -> tuple[Named, ...]:
        return tuple(self._named("functionResponse"))

    @property
    def is_prompt(self) -> bool:
        """Whether the user says something here: a turn begins with it."""
        return self.role == "user" and any(_says(part) for part in self.parts)

    def _named(self, kind: str) -> Iterator[Named]:
        for part in self.parts:
            if kind in part.kinds:
                pointer, value = part.data(kind)
                inner = value if isinstance(value, dict) else {}
                yield Named(pointer, text_of(inner.get("id")), text_of(inner.get("name")), part)


def _says(part: Part) -> bool:
    text = part.value.get("text")
    return isinstance(text, str) and not is_blank(text)


def contents_of(request: Mapping[str, Json]) -> list[Content]:
    """Read the contents that are objects. One without a role is the user's, and so are results of an older role."""
    found: list[Content] = []
    for number, (pointer, value) in enumerate(items(request.get("contents"), "/contents")):
        if isinstance(value, dict):
            role = value.get("role")
            parts = items(value.get("parts"), f"{pointer}/parts")
            found.append(
                Content(
                    number,
                    pointer,
                    "user" if role is None else role if isinstance(role, str) else "",
                    tuple(Part(place, part) for place, part in parts if isinstance(part, dict)),
                )
            )
    return found


def speaks_for_user(content: Content) -> bool:
    """Tell whether results may stand in a content."""
    return content.role in ("user", RESULT_ROLE)
