"""The models that segue knows, and what a name means.

Rows are a model line each: windows and sizes as the vendors' catalogues had them on CATALOGUE_DATE. What an api accepts
whichever model answers stands in `apis`, what a line of models can do in `families`, a host's quirks in `hosts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from segue.apinames import ALIASES
from segue.errors import UsageError
from segue.targets.apis import API_DEFAULTS, APIS, OPENAI_CHAT
from segue.targets.families import Family, family_of
from segue.targets.hosts import HOSTS, host_of
from segue.targets.names import plain_name
from segue.targets.target import Target

__all__ = ["APIS", "api_name", "model_names", "plain_name", "resolve"]

K = 1000
# provider, model, family, window (thousands of tokens), longest output (thousands), prefill, mid-conversation system
_ANTHROPIC = (
    ("claude-3-5-haiku", "claude-3", 200, 8, True, False),
    ("claude-3-7-sonnet", "claude-3", 200, 64, True, False),
    ("claude-opus-4", "claude-3", 200, 32, True, False),
    ("claude-opus-4-0", "claude-3", 200, 32, True, False),
    ("claude-sonnet-4", "claude-3", 200, 64, True, False),
    ("claude-sonnet-4-0", "claude-3", 200, 64, True, False),
    ("claude-opus-4-1", "claude-3", 200, 32, True, False),
    ("claude-haiku-4-5", "claude-3", 200, 64, True, False),
    ("claude-sonnet-4-5", "claude-3", 200, 64, True, False),
    ("claude-opus-4-5", "claude-3", 200, 64, True, False),
    ("claude-opus-4-6", "claude-classic", 1000, 128, False, False),
    ("claude-sonnet-4-6", "claude-classic", 1000, 128, False, False),
    ("claude-opus-4-7", "claude-omitted-text", 1000, 128, False, False),
    ("claude-opus-4-8", "claude-omitted-text", 1000, 128, False, True),
    ("claude-sonnet-5", "claude-omitted-text", 1000, 128, False, False),
    ("claude-opus-5", "claude-omitted-text", 1000, 128, False, True),
    ("claude-fable-5", "claude-omitted-text", 1000, 128, False, True),
    ("claude-mythos-5", "claude-omitted-text", 1000, 128, False, True),
    ("claude-mythos-preview", "claude-omitted-text", 1000, 128, False, False),
    ("claude-fable-5-1", "claude-bound", 1000, 128, False, True),
    ("claude-fable-5-2", "claude-bound", 1000, 128, False, True),
    ("claude-mythos-5-1", "claude-bound", 1000, 128, False, True),
    ("claude-mythos-5-2", "claude-bound", 1000, 128, False, True),
    ("claude-haiku-5-5", "claude-bound", 1000, 128, False, True),
    ("claude-opus-5-5", "claude-bound", 1000, 128, False, True),
    ("claude-sonnet-5-5", "claude-bound", 1000, 128, False, True),
)
# model, family, window, longest output
_OPENAI = (
    ("gpt-4.1", "gpt", 1047, 32),
    ("gpt-4.1-mini", "gpt", 1047, 32),
    ("gpt-4.1-nano", "gpt", 1047, 32),
    ("gpt-4o", "gpt", 128, 16),
    ("gpt-4o-mini", "gpt", 128, 16),
    ("gpt-5", "gpt-reasoning", 400, 128),
    ("gpt-5-mini", "gpt-reasoning", 400, 128),
    ("gpt-5-nano", "gpt-reasoning", 400, 128),
    ("gpt-5-codex", "gpt-reasoning", 400, 128),
    ("gpt-5.1", "gpt-reasoning", 400, 128),
    ("gpt-5.1-codex", "gpt-reasoning", 400, 128),
    ("gpt-5.2", "gpt-reasoning", 400, 128),
    ("gpt-5.2-codex", "gpt-reasoning", 400, 128),
    ("gpt-5.2-pro", "gpt-reasoning", 400, 128),
    ("gpt-5.3-codex", "gpt-reasoning", 400, 128),
    ("gpt-5.3-codex-spark", "gpt-reasoning", 128, 32),
    ("gpt-5.4", "gpt-reasoning", 272, 128),
    ("gpt-5.4-mini", "gpt-reasoning", 400, 128),
    ("gpt-5.4-nano", "gpt-reasoning", 400, 128),
    ("gpt-5.4-pro", "gpt-reasoning", 1050, 128),
    ("gpt-5.5", "gpt-reasoning", 272, 128),
    ("gpt-5.5-pro", "gpt-reasoning", 1050, 128),
    ("gpt-5.6-cyber", "gpt-reasoning", 400, 128),
    ("gpt-5.6-luna", "gpt-reasoning", 272, 128),
    ("gpt-5.6-sol", "gpt-reasoning", 272, 128),
    ("gpt-5.6-terra", "gpt-reasoning", 272, 128),
    ("gpt-6-astra", "gpt-reasoning", 272, 128),
    ("gpt-6-cyber", "gpt-reasoning", 1050, 128),
    ("gpt-6-luna", "gpt-reasoning", 272, 128),
    ("gpt-6-sol", "gpt-reasoning", 272, 128),
    ("gpt-6.1-sol", "gpt-reasoning", 272, 128),
    ("gpt-6.1-terra", "gpt-reasoning", 272, 128),
    ("gpt-6.2-astra", "gpt-reasoning", 272, 128),
    ("gpt-6.2-sol", "gpt-reasoning", 272, 128),
    ("o1", "gpt-reasoning", 200, 100),
    ("o3", "gpt-reasoning", 200, 100),
    ("o3-mini", "gpt-text", 200, 100),
    ("o4-mini", "gpt-reasoning", 200, 100),
)


def model_names() -> list[str]:
    """List every model that the catalogue knows, as PROVIDER/ID."""
    return [f"anthropic/{row[0]}" for row in _ANTHROPIC] + [f"openai/{row[0]}" for row in _OPENAI]


def api_name(name: str) -> str:
    """Return the name of an api, also for its format's name or an older one; UsageError when there is none."""
    found = ALIASES.get(name, name)
    if found in APIS:
        return found
    raise UsageError(f"unknown api {name!r}{_nearest(name, [*APIS, *ALIASES])}")


def resolve(name: str, api: str | None = None, *, lenient: bool = False) -> Target:
    """Find the target that PROVIDER/ID names.

    `api` speaks to it by another of its apis, and makes a model usable that the catalogue does not know; so does
    `lenient`, which takes the provider's usual api. Raises UsageError otherwise, naming the nearest models.
    """
    provider, slash, model = name.partition("/")
    if not slash or not provider or not model:
        raise UsageError(f"model {name!r} is not PROVIDER/ID{_nearest(name, model_names())}")
    chosen = api_name(api) if api else None
    row = _row(provider, model)
    family = family_of(plain_name(model))
    is_plain = family is not None and provider in HOSTS
    if row is None and chosen is None and not lenient and not is_plain:
        raise UsageError(f"unknown model {name!r}{_nearest(name, model_names())}, or give --api")
    if chosen is None:
        chosen = host_of(provider).api
    values = _values(provider, chosen, family, row)
    return Target(provider=provider, api=chosen, model=model, known=row is not None, **values)


def _values(provider: str, api: str, family: Family | None, row: _Row | None) -> dict[str, Any]:
    values: dict[str, Any] = dict(API_DEFAULTS[api])
    is_openai = provider == "openai"
    if is_openai and api == "openai-completions":
        values |= OPENAI_CHAT
    if family is not None:
        values |= family.values(api)
    values |= host_of(provider).over.get(api, {})
    if row is not None:
        values |= {"context_window": row.window * K, "max_output": row.output * K}
        if api == "anthropic-messages" and row.late_system:
            values["late_system"] = True
    values |= _known_keys(api, is_host=not is_openai)
    return values


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
            "block_types": {**parts, "result": parts["tool"]},
        }
    if not api.endswith("-responses"):
        return {}
    inputs = frozenset(_openai_keys.INPUT_PARTS)
    items = frozenset(_openai_keys.ITEMS) | frozenset(_openai_keys.OUTPUT_PARTS)
    return {
        "request_keys": _openai_keys.RESPONSES_REQUEST,
        "block_types": {"user": inputs, "system": inputs, "assistant": items, "result": inputs},
    }


@dataclass(frozen=True, slots=True)
class _Row:
    window: int  # thousands of tokens
    output: int
    late_system: bool = False


def _row(provider: str, model: str) -> _Row | None:
    plain = plain_name(model)
    if provider == "anthropic":
        for name, _, window, output, _, late_system in _ANTHROPIC:
            if name == plain:
                return _Row(window, output, late_system)
    if provider == "openai":
        for name, _, window, output in _OPENAI:
            if name == plain:
                return _Row(window, output)
    return None


def _nearest(name: str, names: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, names, n=3, cutoff=0.5)
    if not close and "/" not in name:
        close = [known for known in names if known.endswith("/" + name)]
    return "; did you mean " + " or ".join(close) + "?" if close else ""
