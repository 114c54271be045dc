"""The user's own models: a file that adds models and overrides what the catalogue says of one.

    [models."vllm/qwen3-coder"]
    api = "openai-completions"
    window = 131072
    output = 16384
    images = false
    required_thinking = "calls"

TOML, or the same as JSON. The keys are `api` (or `apis`, the usual one first), `window`, `output`, `reasoning`,
`audio`, `ends`, `price`, `like` (a model that this one is like in all else), and every field of Target by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from segue.errors import UsageError
from segue.targets.rows import Row, find_row
from segue.targets.target import DocumentLimits, IdShape, ImageLimits, Target

_SHAPES: tuple[type, ...] = (IdShape, ImageLimits, DocumentLimits)
_IDENTITY = {"provider", "api", "model", "known"}
# Keys of a model that are no field of Target, with what each may hold.
_ROW_KEYS: dict[str, Any] = {
    "api": str,
    "apis": tuple[str, ...],
    "window": int,
    "output": int,
    "reasoning": bool,
    "audio": bool,
    "ends": str,
    "price": tuple[float, ...],
    "like": str,
}
_ROW_FIELDS = {"images": "image", "documents": "pdf", "context_window": "window", "max_output": "output"}


@dataclass(frozen=True, slots=True)
class OwnModel:
    """What the user's file says of a model: fields of Row, and fields of Target."""

    row: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    like: str | None = None


@dataclass(frozen=True, slots=True)
class OwnModels:
    """The models of the user's file, by PROVIDER/ID."""

    models: Mapping[str, OwnModel] = field(default_factory=dict)

    def row(self, name: str) -> Row | None:
        """Give a model's row: what the file says, laid over the catalogue's. None if the file does not have it."""
        own = self.models.get(name)
        if own is None:
            return None
        provider, _, model = name.partition("/")
        known = find_row(provider, model)
        if own.like is not None:
            known = find_row(*own.like.split("/", 1))
            if known is None:
                raise UsageError(f"own model {name!r} is like {own.like!r}, which the catalogue does not know")
            named = known.id
        else:
            named = None
        base = known or Row(provider, model)
        return replace(base, provider=provider, id=model, named=named, own=True, facts=own.facts, **own.row)


def read_models(data: bytes, name: str) -> OwnModels:
    """Read a file of own models; `name` is what errors call it. Raises UsageError in one line."""
    document = _parsed(data, name)
    if not isinstance(document, dict) or not isinstance(document.get("models"), dict):
        raise UsageError(f"{name}: no table 'models' in it, as in [models.\"vllm/qwen3-coder\"]")
    unknown = next((key for key in document if key != "models"), None)
    if unknown is not None:
        raise UsageError(f"{name}: unknown key {unknown!r}; all models stand in the table 'models'")
    return OwnModels({model: _own_model(model, said, name) for model, said in document["models"].items()})


def _parsed(data: bytes, name: str) -> object:
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    is_json = name.endswith(".json") or (not name.endswith(".toml") and data.lstrip().startswith(b"{"))
    try:
        if is_json:
            import orjson

            return orjson.loads(data)
        import tomllib

        return tomllib.loads(data.decode("utf-8"))
    except ValueError as error:  # of both, and of texts that are not UTF-8
        kind = "JSON" if is_json else "TOML"
        raise UsageError(f"{name}: not {kind}: {str(error).splitlines()[0][:120]}") from error


def _own_model(model: str, said: object, name: str) -> OwnModel:
    provider, _, id_ = model.partition("/")
    place = f"{name}: model {model!r}"
    if not provider or not id_:
        raise UsageError(f"{place} is not PROVIDER/ID")
    if not isinstance(said, dict):
        raise UsageError(f"{place} is no table")
    row: dict[str, Any] = {}
    facts: dict[str, Any] = {}
    kinds = {**_target_kinds(), **_ROW_KEYS}
    for key, value in said.items():
        if key not in kinds:
            raise UsageError(f"{place}: unknown key {key!r}{_nearest(key, list(kinds))}")
        checked = _checked(value, kinds[key], f"{place}: {key!r}")
        if key in ("api", "apis"):
            row["apis"] = _apis(checked if key == "apis" else (checked,), place)
        elif key != "like" and key in _ROW_KEYS:
            row[key] = checked
        elif key != "like":
            facts[key] = checked
            if key in _ROW_FIELDS:
                row[_ROW_FIELDS[key]] = checked
    like = said.get("like")
    if like is not None and not all(like.partition("/")):
        raise UsageError(f"{place}: 'like' {like!r} is not PROVIDER/ID")
    return OwnModel(row, facts, like)


def _apis(names: tuple[str, ...], place: str) -> tuple[str, ...]:
    from segue.targets.catalogue import api_name

    try:
        return tuple(map(api_name, names))
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from error


@cache
def _target_kinds() -> dict[str, Any]:
    hints = get_type_hints(Target)
    return {known.name: hints[known.name] for known in fields(Target) if known.name not in _IDENTITY}


def _checked(value: Any, kind: Any, place: str) -> Any:
    """Turn a value of the file into one of the kind that a field wants, or raise UsageError."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):  # all of them are something, or None
        return _checked(value, next(one for one in get_args(kind) if one is not type(None)), place)
    if origin is Literal:
        if value in get_args(kind):
            return value
        raise UsageError(f"{place} is {value!r}, not one of {', '.join(map(repr, get_args(kind)))}")
    if origin in (frozenset, tuple) and isinstance(value, list):
        return origin(_checked(one, get_args(kind)[0], place) for one in value)
    if origin is not None and issubclass(origin, Mapping) and isinstance(value, dict):
        return {key: _checked(one, get_args(kind)[1], f"{place} {key!r}") for key, one in value.items()}
    if kind in _SHAPES and isinstance(value, dict):
        return _shape(value, kind, place)
    is_right = type(value) in (int, float) if kind is float else type(value) is kind
    if is_right and not (type(value) in (int, float) and value < 0):
        return value
    raise UsageError(f"{place} is {_shown(value)}, not {_told(kind)}")


def _shape(value: dict[str, Any], kind: type, place: str) -> Any:
    hints = get_type_hints(kind)
    for key in value:
        if key not in hints:
            raise UsageError(f"{place}: unknown key {key!r}{_nearest(key, list(hints))}")
    shape = kind(**{key: _checked(one, hints[key], f"{place} {key!r}") for key, one in value.items()})
    if isinstance(shape, IdShape):
        import re
        import warnings

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # a class within a class is no class
                shape.accepts("a")
                shape.cleaned("a")
        except (re.error, Warning) as error:
            raise UsageError(f"{place}: {shape.characters!r} is no class of characters") from error
    return shape


def _told(kind: Any) -> str:
    origin = get_origin(kind)
    if origin in (frozenset, tuple):
        return f"a list of {_told(get_args(kind)[0]).split(' ', 1)[1]}s"
    if kind in _SHAPES:
        return "a table of " + ", ".join(get_type_hints(kind))
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
    return names.get(kind, "a table")


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _nearest(name: str, names: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, names, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
