"""The models that segue knows, and what a name means.

Rows are a model line each: windows, sizes and families as the vendors' catalogues had them on CATALOGUE_DATE. What an
api accepts whichever model answers stands in `API_DEFAULTS`; what a line of models can do, in its family.
"""

from __future__ import annotations

import re
from typing import Any

from segue.apinames import ALIASES
from segue.errors import UsageError
from segue.targets.target import IdShape, ImageLimits, Target

APIS = {
    "anthropic-messages": "Anthropic Messages",
    "openai-responses": "OpenAI Responses",
    "openai-completions": "OpenAI Chat Completions",
    "openai-codex-responses": "OpenAI Responses, as Codex speaks it",
    "azure-openai-responses": "OpenAI Responses on Azure",
}

_RESPONSES: dict[str, Any] = {
    "call_id": IdShape(length=64, piped=True),
    "tool_name": IdShape(length=64),
    "thinking": "item",
    "images": True,
    "documents": True,
    "image_limits": ImageLimits(size=20_971_520, count=1500),
    "media_in_results": True,
    "empty_lists": True,
    "text_parts": True,
    "blank_text": True,
}
API_DEFAULTS: dict[str, dict[str, Any]] = {
    "anthropic-messages": {
        "call_id": IdShape(length=64),
        "tool_name": IdShape(length=128),
        "thinking": "signed",
        "images": True,
        "documents": True,
        "document_types": frozenset({"application/pdf", "text/plain"}),
        # The api takes 10 MB of base64 today, its clones and clouds 5 MB: the safe limit counts.
        "image_limits": ImageLimits(size=5_242_880, side=8000, many=20, many_side=2000, count=600),
        "media_in_results": True,
        "empty_lists": True,
        "text_only_error_results": True,
        "error_flag": True,
        "alternates": True,
        "leading_user": True,
        "late_system": False,
        "system_placement": True,
        "prefill": False,
        "declares_tools": True,
        "cache_marks": 4,
        "server_tools": True,
        "text_parts": True,
    },
    "openai-responses": _RESPONSES,
    "openai-codex-responses": _RESPONSES,
    "azure-openai-responses": _RESPONSES,
    # The careful common denominator for a host that nobody described.
    "openai-completions": {
        "call_id": IdShape(length=40),
        "tool_name": IdShape(length=64),
        "images": True,
        "late_system": False,
        "alternates": True,
    },
}
_OPENAI_CHAT: dict[str, Any] = {
    "call_id": IdShape(characters="^|\\x00-\\x20\\x7f", length=40),  # any words, only not too long
    "late_system": True,
    "alternates": False,
    "documents": True,
    "text_parts": True,
    "blank_text": True,
    "image_limits": ImageLimits(size=20_971_520, count=1500),
}

# family: what a line of models can do beyond its api
FAMILIES: dict[str, dict[str, Any]] = {
    "claude-3": {"prefill": True, "image_limits": ImageLimits(5_242_880, 8000, 20, 2000, 100)},
    "claude-classic": {},
    "claude-omitted-text": {},
    "claude-bound": {"bound_thinking": True},
    "gpt": {"thinking": "none"},
    "gpt-reasoning": {},
    "gpt-text": {"images": False, "documents": False},
}

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
    if row is None and chosen is None and not lenient:
        raise UsageError(f"unknown model {name!r}{_nearest(name, model_names())}, or give --api")
    if chosen is None:
        chosen = "anthropic-messages" if provider == "anthropic" else "openai-responses"
    family, window, output, prefill, late_system = row or _nearest_family(model, chosen)
    values: dict[str, Any] = dict(API_DEFAULTS[chosen])
    if chosen == "openai-completions" and family.startswith("gpt") and provider == "openai":
        values |= _OPENAI_CHAT
    values |= _that_fits(FAMILIES[family], chosen)
    if chosen == "anthropic-messages":
        values |= {"prefill": prefill, "late_system": late_system}
    if window:
        values |= {"context_window": window * K, "max_output": output * K}
    if _REFUSES_TRANSCRIBED.search(plain_name(model)):
        values["refuses_transcribed_thinking"] = True
    values |= _known_keys(chosen, is_host=not (provider == "openai" and family.startswith("gpt")))
    return Target(provider=provider, api=chosen, model=model, known=row is not None, **values)


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
    inputs = frozenset(_openai_keys.INPUT_PARTS)
    items = frozenset(_openai_keys.ITEMS) | frozenset(_openai_keys.OUTPUT_PARTS)
    return {
        "request_keys": _openai_keys.RESPONSES_REQUEST,
        "block_types": {"user": inputs, "system": inputs, "assistant": items, "result": inputs},
    }


_Row = tuple[str, int, int, bool, bool]
_REFUSES_TRANSCRIBED = re.compile(r"claude-(fable|mythos)-")


def _row(provider: str, model: str) -> _Row | None:
    if provider == "anthropic":
        for name, *row in _ANTHROPIC:
            if name == plain_name(model):
                return tuple(row)  # type: ignore[return-value]
    if provider == "openai":
        undated = re.sub(r"-\d{4}-\d\d-\d\d$", "", model)
        for name, family, window, output in _OPENAI:
            if name == undated:
                return family, window, output, True, True
    return None


def plain_name(model: str) -> str:
    """Strip what hosts add to a model's name: dates, versions, regions, window marks, dots for dashes."""
    name = re.sub(r"^.*?(?=claude-)", "", model.lower())
    name = re.sub(r"\[1m\]$|:thinking$", "", name)
    name = re.sub(r"-v\d+(:\d+)?$", "", name)
    name = re.sub(r"[-@](20\d{6}|latest)$", "", name)
    return name.replace(".", "-")


def _nearest_family(model: str, api: str) -> _Row:
    """Pick the family of the most similar model that is known, the newest of its line for one that is not."""
    if "claude" in model.lower():
        plain = plain_name(model)
        line = next((word for word in ("haiku", "sonnet", "opus", "fable", "mythos") if word in plain), "sonnet")
        rows = [row for row in _ANTHROPIC if line in row[0]]
        near = [row for row in rows if row[0] == plain or plain.startswith(row[0] + "-")] or rows
        return near[-1][1:]
    rows_by_name = {row[0]: row for row in _OPENAI}
    near_name = next((name for name in sorted(rows_by_name, key=len, reverse=True) if name in model.lower()), None)
    if near_name and api != "anthropic-messages":
        _, family, window, output = rows_by_name[near_name]
        return family, window, output, True, True
    if api == "anthropic-messages":
        return "claude-classic", 0, 0, False, False
    return "gpt-reasoning", 0, 0, True, True


def _that_fits(family: dict[str, Any], api: str) -> dict[str, Any]:
    """Leave out of a family what only holds on another api."""
    if api == "openai-completions":
        return {key: value for key, value in family.items() if key != "thinking"}
    return dict(family)


def _nearest(name: str, names: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, names, n=3, cutoff=0.5)
    if not close and "/" not in name:
        close = [known for known in names if known.endswith("/" + name)]
    return "; did you mean " + " or ".join(close) + "?" if close else ""
