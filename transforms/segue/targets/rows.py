"""What is known of one model: a row of the catalogue, or of the user's own file.

`models.json` is built by tools/build_catalogue.py and read when the first model is named. A model is found by its very
id, else by the plain name that is behind a date, a region or another spelling.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from segue.targets.hosts import HOSTS, PROVIDER_ALIASES
from segue.targets.names import plain_name


@dataclass(frozen=True, slots=True)
class Row:
    """What a catalogue knows of a model. None is not known; `facts` are fields of Target, from the user's file."""

    provider: str
    id: str
    apis: tuple[str, ...] = ()  # the usual one first
    window: int | None = None  # tokens
    output: int | None = None  # tokens
    image: bool | None = None  # takes images, PDF documents, sound
    pdf: bool | None = None
    audio: bool | None = None
    reasoning: bool | None = None
    prefill: bool | None = None  # its answer may be begun for it
    late_system: bool | None = None  # system messages may stand in the middle
    required_thinking: bool | None = None  # each assistant message has to bring the field for its reasoning
    image_count: int | None = None  # images in one request
    body: int | None = None  # bytes of one request
    ends: str | None = None  # the day from which it is no longer served
    price: tuple[float, ...] | None = None  # dollars per million tokens: input, output, cache read, cache write
    facts: Mapping[str, Any] = field(default_factory=dict)
    named: str | None = None  # the model by whose name its family is told, where that is another
    own: bool = False  # the user's file has it

    @property
    def name(self) -> str:
        return f"{self.provider}/{self.id}"

    @property
    def plain_name(self) -> str:
        return plain_name(self.named or self.id)


def catalogue_head() -> dict[str, Any]:
    """Tell the catalogue's date, and its sources with their versions and licences."""
    return {key: value for key, value in _catalogue().items() if key != "models"}


def providers() -> list[str]:
    """List the providers that the catalogue has models of, or whose api is known: the vendors themselves first."""
    return [*HOSTS, *(provider for provider in _catalogue()["models"] if provider not in HOSTS)]


def all_rows(provider: str | None = None) -> Iterator[Row]:
    """Give the catalogue's rows, by provider and id; of one provider only, if it is named."""
    models = _catalogue()["models"]
    wanted = models if provider is None else [name for name in (known_provider(provider),) if name in models]
    for name in wanted:
        for model in models[name]:
            yield _row(name, model)


def model_ids(provider: str) -> list[str]:
    """List the ids of a provider's models; none of a provider that the catalogue does not have."""
    return list(_catalogue()["models"].get(known_provider(provider), ()))


def find_row(provider: str, model: str) -> Row | None:
    """Find a model's row, also by a dated, regional or otherwise spelled id; None for one that is not known."""
    provider = known_provider(provider)
    models = _catalogue()["models"].get(provider)
    if models is None:
        return None
    if model in models:
        return _row(provider, model)
    plain = plain_name(model)
    # The names are compared as texts first: plain names of all models of a provider take a while.
    ending = plain.rpartition("-")[2].replace(".", "-")
    spellings = [known for known in models if ending in known.lower().replace(".", "-") and plain_name(known) == plain]
    return _row(provider, min(spellings, key=lambda known: (len(known), known))) if spellings else None


def known_provider(provider: str) -> str:
    """Give the catalogue's name of a provider that others call otherwise."""
    return PROVIDER_ALIASES.get(provider, provider)


def _row(provider: str, model: str) -> Row:
    row = dict(_catalogue()["models"][provider][model])
    row["apis"] = tuple(row["apis"])
    if "price" in row:
        row["price"] = tuple(row["price"])
    return Row(provider, model, **row)


@cache
def _catalogue() -> dict[str, Any]:
    import orjson

    found: dict[str, Any] = orjson.loads(Path(__file__).with_name("models.json").read_bytes())
    return found
