"""What a name means: PROVIDER/ID → Target.

A target is laid together from what its api takes whichever model answers (`apis`), what the line of models can do
(`families`, `settings`), the host's quirks (`hosts`), and what the catalogue or the user's own file knows of the very
model (`rows`, `own`): the later wins.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from segue.apinames import ALIASES
from segue.errors import UsageError
from segue.targets.apis import API_DEFAULTS, APIS, OPENAI_CHAT
from segue.targets.families import Family, family_of
from segue.targets.hosts import HOSTS, host_of
from segue.targets.names import plain_name
from segue.targets.own import OwnModels
from segue.targets.rows import Row, all_rows, find_row, known_provider, model_ids, providers
from segue.targets.settings import settings_of
from segue.targets.target import Target

__all__ = ["APIS", "api_name", "is_api", "model_names", "models", "nearest_models", "plain_name", "resolve", "row_of"]

# Where a flag of the catalogue can be taken at its word: the other apis decide by themselves.
_LATE_SYSTEM_APIS = ("anthropic-messages", "openai-completions")
# Where a model that does not reason has no thinking to give back: the others pass over it.
_REFUSES_THINKING = (
    "openai-responses", "openai-codex-responses", "azure-openai-responses", "openai-completions",
    "bedrock-converse-stream", "mistral-conversations",
)  # fmt: skip
_NO_THINKING = {"thinking": "none", "unsigned_thinking": False, "required_thinking": "none"}
_NO_MODELS = OwnModels()


def models(own: OwnModels = _NO_MODELS) -> list[Row]:
    """List every model that is known, by provider and id: the user's own ones over the catalogue's."""
    found = {row.name: row for row in all_rows()}
    for name in own.models:
        row = own.row(name)
        assert row is not None
        found[name] = row
    return sorted(found.values(), key=lambda row: (row.provider, row.id))


def model_names(own: OwnModels = _NO_MODELS) -> list[str]:
    """List every model that is known, as PROVIDER/ID; the vendors' own come first."""
    return [*own.models, *(f"{provider}/{model}" for provider in providers() for model in model_ids(provider))]


def row_of(name: str, own: OwnModels = _NO_MODELS) -> Row | None:
    """Give what is known of the model that PROVIDER/ID names, also by another spelling; None for a stranger."""
    provider, _, model = name.partition("/")
    return own.row(name) or find_row(provider, model)


def is_api(name: str) -> bool:
    """Tell whether an api of ours is called so."""
    return ALIASES.get(name, name) in APIS


def api_name(name: str) -> str:
    """Return the name of an api, also for its format's name or an older one; UsageError when there is none."""
    found = ALIASES.get(name, name)
    if found in APIS:
        return found
    raise UsageError(f"unknown api {name!r}{_nearest(name, [*APIS, *ALIASES])}")


def resolve(name: str, api: str | None = None, *, lenient: bool = False, models: OwnModels | None = None) -> Target:
    """Find the target that PROVIDER/ID names.

    `models` are the user's own. A model that nobody knows is taken by its family if the name tells one; else `api`,
    which speaks to any model by another of its apis, makes it usable, and so does `lenient`, which takes the
    provider's usual api. Raises UsageError otherwise, naming the nearest models.
    """
    own = models or _NO_MODELS
    provider, slash, model = name.partition("/")
    if not slash or not provider or not model:
        raise UsageError(f"model {name!r} is not PROVIDER/ID{nearest_models(name, own)}")
    chosen = api_name(api) if api else None
    row = row_of(name, own)
    plain = row.plain_name if row is not None else plain_name(model)
    family = family_of(plain)
    if row is None and chosen is None and not lenient and not _is_plain(provider, family):
        raise UsageError(f"unknown model {name!r} (--api makes it usable){nearest_models(name, own)}")
    if chosen is None:
        chosen = row.apis[0] if row is not None and row.apis else usual_api(provider, plain)
    values = _values(provider, chosen, family, row, plain)
    return Target(provider=provider, api=chosen, model=model, known=row is not None, **values)


def _is_plain(provider: str, family: Family | None) -> bool:
    """Tell whether the family decides about a model that nobody knows: not if its provider is another one mistyped."""
    if family is None:
        return False
    known = providers()
    return known_provider(provider) in known or not _close(provider, known, 0.8)


def usual_api(provider: str, plain: str) -> str:
    """Tell by which api a provider is spoken to for a model that nobody knows: by that of its models of the same line.

    A provider that nobody knows is taken to speak Chat Completions, as most do.

    >>> usual_api("github-copilot", "claude-opus-9"), usual_api("github-copilot", "gpt-9"), usual_api("mine", "gpt-9")
    ('anthropic-messages', 'openai-responses', 'openai-completions')
    """
    rows = list(all_rows(provider))
    line = _line(plain)
    siblings = [row for row in rows if _line(row.plain_name) == line] if line else []
    if not siblings and known_provider(provider) in HOSTS:
        return host_of(provider).api
    counted = Counter(row.apis[0] for row in siblings or rows)
    return counted.most_common(1)[0][0] if counted else host_of(provider).api


def _line(plain: str) -> str:
    """Give the name that a vendor's models share: the letters in front.

    >>> _line("gpt-6.2-sol"), _line("qwen3.8-max")
    ('gpt', 'qwen')
    """
    return plain[: next((at for at, character in enumerate(plain) if not character.isalpha()), len(plain))]


def _values(provider: str, api: str, family: Family | None, row: Row | None, plain: str) -> dict[str, Any]:
    values: dict[str, Any] = dict(API_DEFAULTS[api])
    is_openai = provider == "openai"
    if is_openai and api == "openai-completions":
        values |= OPENAI_CHAT
    settings = settings_of(plain)
    values |= {key: value for key, value in settings.items() if is_openai or key != "output_keys"}
    quirks = {**(family.values(api) if family is not None else {}), **host_of(provider).over.get(api, {})}
    values |= quirks
    if row is not None:
        values |= _row_values(row, api, values, quirks)
    if values.get("thinking") != "field" or values.get("thinking_field") == "reasoning_details":
        values["required_thinking"] = "none"  # a model wants its field back from hosts that have it
    values |= _known_keys(api, is_host=not is_openai)
    if row is not None:
        values |= row.facts
        if values.get("required_thinking", "none") != "none" and "thinking" not in row.facts:
            values |= {"thinking": "field", "unsigned_thinking": True}  # the user says that there is such a field
    return values


def _row_values(row: Row, api: str, values: dict[str, Any], quirks: dict[str, Any]) -> dict[str, Any]:
    """Say what the catalogue knows of the very model, where family and host left it open or know it of most only."""
    found: dict[str, Any] = {"context_window": row.window, "max_output": row.output}
    if row.image is not None:
        found["images"] = row.image
    if "documents" not in quirks:
        # Of the hosts of Chat Completions nobody knows how they would want a document.
        if row.pdf is False or (row.image is False and not row.pdf):
            found["documents"] = False
        elif row.pdf and api != "openai-completions":
            found["documents"] = True
    if row.image_count is not None and "image_limits" in values:
        found["image_limits"] = replace(values["image_limits"], count=row.image_count)
    if row.prefill is not None and api == "anthropic-messages":
        found["prefill"] = row.prefill
    if row.late_system and api in _LATE_SYSTEM_APIS:
        found["late_system"] = True
    return found | _thinking_values(row, api, values)


def _thinking_values(row: Row, api: str, values: dict[str, Any]) -> dict[str, Any]:
    if row.reasoning is False and api in _REFUSES_THINKING:
        return _NO_THINKING
    if row.reasoning and api == "mistral-conversations":
        return {"thinking": "field", "unsigned_thinking": True}
    # A gateway with a field of its own translates by itself.
    is_usual_field = values.get("thinking_field", "reasoning_content") == "reasoning_content"
    if row.required_thinking and api == "openai-completions" and is_usual_field:
        return {"thinking": "field", "unsigned_thinking": True, "required_thinking": "all"}
    return {}


def _known_keys(api: str, is_host: bool) -> dict[str, Any]:
    """Say which keys an api's bodies may have; of an unknown host nobody knows."""
    from segue.apis import _anthropic_keys, _openai_keys

    if api == "anthropic-messages":
        return {
            "request_keys": _anthropic_keys.REQUEST_KEYS,
            "message_keys": _anthropic_keys.MESSAGE_KEYS | _anthropic_keys.SYSTEM_MESSAGE_KEYS,
            "block_keys": _anthropic_keys.BLOCK_KEYS,
            "block_types": _anthropic_keys.BLOCKS,
        }
    if api == "openai-completions":
        parts = _openai_keys.CHAT_ROLE_PARTS
        return {
            "request_keys": _openai_keys.CHAT_REQUEST | (_openai_keys.HOST_REQUEST if is_host else frozenset()),
            "message_keys": frozenset().union(*_openai_keys.CHAT_MESSAGE.values()),
            "thinking_keys": _openai_keys.REASONING,
            "block_keys": {} if is_host else _openai_keys.CHAT_BLOCK_KEYS,
            "block_types": {**parts, "result": parts["tool"]},
        }
    if api == "bedrock-converse-stream":
        from segue.apis import _bedrock_keys

        return {
            "request_keys": _bedrock_keys.REQUEST_KEYS,
            "message_keys": _bedrock_keys.MESSAGE_KEYS,
            "block_keys": _bedrock_keys.BLOCK_KEYS,
            "member_keys": _bedrock_keys.MEMBER_KEYS,
            "block_types": _bedrock_keys.BLOCKS,
        }
    if api in ("google-generative-ai", "google-vertex"):
        from segue.apis import _gemini_keys

        return {
            "request_keys": _gemini_keys.REQUEST_KEYS,
            "spare_keys": frozenset({"model"}),
            "message_keys": _gemini_keys.MESSAGE_KEYS,
            "block_keys": _gemini_keys.BLOCK_KEYS,
            "member_keys": _gemini_keys.MEMBER_KEYS,
            "block_types": _gemini_keys.BLOCKS,
        }
    if api == "mistral-conversations":
        from segue.apis import _mistral_keys

        return {
            "request_keys": _mistral_keys.REQUEST_KEYS,
            "message_keys": _mistral_keys.MESSAGE_KEYS,
            "block_keys": _mistral_keys.BLOCK_KEYS,
            "member_keys": _mistral_keys.MEMBER_KEYS,
            "block_types": _mistral_keys.BLOCKS,
        }
    if not api.endswith("-responses"):
        return {}
    inputs = frozenset(_openai_keys.INPUT_PARTS)
    items = frozenset(_openai_keys.ITEMS) | frozenset(_openai_keys.OUTPUT_PARTS)
    return {
        "request_keys": _openai_keys.RESPONSES_REQUEST,
        "message_keys": frozenset().union(*filter(None, _openai_keys.ITEMS.values())),
        "block_keys": _openai_keys.BLOCK_KEYS,
        "block_types": {"user": inputs, "system": inputs, "assistant": items, "result": inputs},
    }


def nearest_models(name: str, own: OwnModels | None = None) -> str:
    """Name the models that could be meant: of the same provider, else of the same id, else of a similar name."""
    provider, slash, model = name.partition("/")
    known = model_names(own or _NO_MODELS)
    if not slash:
        close = [one for one in known if one.endswith("/" + name)][:3]
        if not close:
            first = {one.partition("/")[2]: one for one in reversed(known)}  # the vendor's own stands before others
            close = [first[one] for one in _close(name, list(first), 0.6)]
    else:
        close = _close(model, [one.partition("/")[2] for one in known if one.startswith(provider + "/")], 0.5)
        close = [f"{provider}/{one}" for one in close]
        if not close and model:
            close = [one for one in known if one.partition("/")[2] == model][:3]
    return _offered(close or _close(name, known, 0.5))


def siblings_like(target: Target) -> str:
    """Name the models of the same provider that an unknown one could be a slip of; nothing where there are none."""
    start = target.provider + "/"
    ids = [one.partition("/")[2] for one in model_names() if one.startswith(start)]
    return _offered([start + one for one in _close(target.model, ids, 0.8)])


def _nearest(name: str, names: list[str]) -> str:
    return _offered(_close(name, names, 0.5))


def _close(name: str, names: list[str], cutoff: float) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(name, names, n=3, cutoff=cutoff)


def _offered(close: list[str]) -> str:
    return "; did you mean " + " or ".join(close) + "?" if close else ""
