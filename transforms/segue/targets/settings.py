"""Which settings of a request a line of models takes, told by the model's name like its family.

Of a model that no row describes, nothing is held against a setting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_ADAPTIVE, _OFF, _BUDGET = "adaptive", "disabled", "enabled"
_HIGHEST = frozenset({"xhigh", "max"})
_BY_BUDGET = frozenset({"thinking_level_unspecified"})  # a budget of tokens says how much it thinks, no level
_ONLY_COMPLETION_TOKENS = frozenset({"max_completion_tokens"})


def _effort(values: str, default: str | None = None, **more: Any) -> dict[str, Any]:
    facts = {"sampling": "without-effort", "output_keys": _ONLY_COMPLETION_TOKENS, **more}
    return {"efforts": frozenset(values.split()), "default_effort": default, **facts}


# The first pattern that is found in the plain name holds.
_ROWS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    # Claude
    (r"claude-(instant|v?[12]|3)|claude-(opus|sonnet)-4(-0)?$", {"thinking_types": frozenset({_BUDGET, _OFF})}),
    (
        r"claude-(opus|sonnet|haiku)-4-[1-5]$",
        {"sampling": "one", "thinking_types": frozenset({_BUDGET, _OFF})},
    ),
    (
        r"claude-(opus|sonnet)-4-6$",
        {
            "sampling": "one",
            "thinking_types": frozenset({_BUDGET, _ADAPTIVE, _OFF}),
            "efforts": frozenset({"low", "medium", "high", "max"}),
            "block_binding": False,
        },
    ),
    (r"claude-opus-4-[78]$", {"sampling": "never", "thinking_types": frozenset({_ADAPTIVE, _OFF})}),
    (
        r"claude-opus-5$",
        {"sampling": "never", "thinking_types": frozenset({_ADAPTIVE, _OFF}), "thinking_efforts": _HIGHEST},
    ),
    (r"claude-sonnet-5$", {"sampling": "usual", "thinking_types": frozenset({_ADAPTIVE, _OFF})}),
    (r"claude-(fable|mythos)-(5$|preview)", {"sampling": "never", "thinking_types": frozenset({_ADAPTIVE})}),
    (
        r"claude-((fable|mythos)-5-[12]|opus-5-5)$",
        {"sampling": "never", "thinking_types": frozenset({_ADAPTIVE}), "forced_calls": False},
    ),
    (
        r"claude-sonnet-5-5$",
        {
            "sampling": "usual",
            "thinking_types": frozenset({_ADAPTIVE, "between_tools"}),
            "thinking_efforts": _HIGHEST,
            "forced_calls": False,
        },
    ),
    (
        r"claude-haiku-5-5$",
        {"sampling": "never", "thinking_types": frozenset({_ADAPTIVE, _OFF}), "thinking_efforts": _HIGHEST},
    ),
    # Gemini
    (r"gemini-2\.5-pro", {"thinking_levels": _BY_BUDGET}),
    (r"gemini-2\.5-flash", {"thinking_levels": _BY_BUDGET | {"off"}}),
    (r"gemini-3(\.\d+)?-pro|gemini-4-argon", {"thinking_levels": frozenset({"low", "medium", "high", "xhigh"})}),
    # GPT
    (r"^o\d", _effort("low medium high", "medium")),
    (r"^gpt-5$|^gpt-5-(mini|nano)$", _effort("minimal low medium high", "medium")),
    (r"^gpt-5\.[1-9]\d*-chat", _effort("medium", "medium")),
    (r"^gpt-[56](\.\d+)?-(chat|codex|pro)|^gpt-\d.*-pro$", _effort("", "medium")),
    (r"^gpt-5\.1(?!\d)", _effort("none low medium high", "none")),
    (r"^gpt-5\.[2-4](?!\d)", _effort("none low medium high xhigh", "none")),
    (r"^gpt-5\.5(?!\d)", _effort("none low medium high xhigh", "medium")),
    (r"^gpt-(6-astra|6\.1-sol)", _effort("low medium high xhigh max", "medium")),
    (r"^gpt-(5\.6|6)(?![\d.])|^gpt-6\.1(?!\d)", _effort("none low medium high xhigh max", "medium")),
    (r"^gpt-6\.2(?!\d)", _effort("low medium high xhigh max", "medium", sampling="never")),
)


def settings_of(plain_name: str) -> Mapping[str, Any]:
    """Give the fields of Target that say which settings a model takes.

    >>> settings_of("claude-opus-4-8")["sampling"], settings_of("gpt-5.2")["default_effort"], settings_of("gpt-4o")
    ('never', 'none', {})
    """
    return next((facts for pattern, facts in _ROWS if re.search(pattern, plain_name)), {})
