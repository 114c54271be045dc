"""Judge the settings of a request of Anthropic Messages: sampling, thinking, effort."""

from __future__ import annotations

from collections.abc import Iterator

from segue.apis._anthropic_keys import THINKING_KEYS
from segue.apis._anthropic_rules import problem
from segue.apis._walk import escaped, foreign_keys, shown
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

_SMALLEST_BUDGET = 1024
_USUAL: tuple[tuple[str, tuple[Json, ...]], ...] = (
    ("temperature", (None, 1)),
    ("top_p", (None, 1)),
    ("top_k", (None,)),
)


def judged(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    """Judge what a request asks for beside its history."""
    yield from _sampling(request, target)
    yield from _thinking(request, target)
    yield from _effort(request, target)


def _doubt(target: Target) -> Severity | None:
    return None if target.known else "warning"


def _sampling(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    thinking = request.get("thinking")
    if isinstance(thinking, dict) and thinking.get("type") == "enabled" and request.get("temperature") not in (None, 1):
        says = "`temperature` may only be set to 1 when thinking is enabled"
        what = f"the temperature is {shown(request['temperature'])} while manual thinking is enabled"
        yield problem("sampling-with-thinking", "/temperature", what, says)
        return
    if target.sampling in ("never", "usual"):
        for key, usual in _USUAL:
            value = request.get(key)
            if value is not None and not (target.sampling == "usual" and value in usual):
                other = "another value than usual" if target.sampling == "usual" else "it at all"
                what = f"{key} is {shown(value)}, and {target.name} does not take {other}"
                says = f"`{key}` is deprecated for this model."
                yield problem("sampling-parameter", f"/{key}", what, says, _doubt(target))
    elif target.sampling == "one" and request.get("temperature") is not None and request.get("top_p") is not None:
        says = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
        what = f"temperature and top_p are both set, and {target.name} takes one of them"
        yield problem("sampling-parameter", "/top_p", what, says, _doubt(target))


def _thinking(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    thinking = request.get("thinking")
    if thinking is None:
        return
    kind = thinking.get("type") if isinstance(thinking, dict) else None
    keys = THINKING_KEYS.get(kind) if isinstance(kind, str) else None
    if keys is None:
        what = f"thinking is an object of type {', '.join(THINKING_KEYS)}, this is {shown(kind or thinking)}"
        yield problem("wrong-type", "/thinking", what, _untagged(kind))
        return
    for key in foreign_keys(thinking, keys):
        name = "block-binding" if key == "block_binding" else "unknown-key"
        says = f"thinking.{kind}.{key}: Extra inputs are not permitted"
        yield problem(name, f"/thinking/{escaped(key)}", f"thinking of type '{kind}' knows no key {shown(key)}", says)
    if "block_binding" in thinking and "block_binding" in keys:
        yield from _binding(thinking["block_binding"], str(kind), target)
    if target.thinking_types and kind not in target.thinking_types:
        says = f'"thinking.type.{kind}" is not supported for this model.'
        if "adaptive" in target.thinking_types:
            says += ' Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
        takes = ", ".join(sorted(target.thinking_types))
        what = f"thinking of type '{kind}', and {target.name} takes {takes}"
        yield problem("thinking-type", "/thinking/type", what, says, _doubt(target))
    if kind == "enabled":
        yield from _budget(request, thinking)


def _untagged(kind: Json) -> str:
    expected = ", ".join(f"'{name}'" for name in THINKING_KEYS)
    if not isinstance(kind, str):
        return "thinking: Input should be a valid dictionary or object to extract fields from"
    return f"thinking: Input tag '{kind[:80]}' found using 'type' does not match any of the expected tags: {expected}"


def _binding(binding: Json, kind: str, target: Target) -> Iterator[Problem]:
    pointer = "/thinking/block_binding"
    if not target.block_binding:
        says = f"thinking.{kind}.block_binding: Extra inputs are not permitted"
        yield problem("block-binding", pointer, f"{target.name} knows no block_binding", says, _doubt(target))
    elif binding is not None and not isinstance(binding, dict):
        says = f"thinking.{kind}.block_binding: Input should be a valid dictionary"
        yield problem("wrong-type", pointer, f"block_binding is an object, this is {shown(binding)}", says)


def _budget(request: dict[str, Json], thinking: dict[str, Json]) -> Iterator[Problem]:
    budget, limit = thinking.get("budget_tokens"), request.get("max_tokens")
    if type(budget) is not int or budget < _SMALLEST_BUDGET:
        says = "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
        what = f"budget_tokens is a whole number from 1,024 on, this is {shown(budget)}"
        yield problem("thinking-budget", "/thinking", what, says)
    elif type(limit) is int and budget >= limit:
        what = f"budget_tokens is {budget:,}, not below max_tokens, {limit:,}"
        says = "`max_tokens` must be greater than `thinking.budget_tokens`."
        yield problem("thinking-budget-above-max", "/thinking/budget_tokens", what, says)


def _effort(request: dict[str, Json], target: Target) -> Iterator[Problem]:
    config, thinking = request.get("output_config"), request.get("thinking")
    effort = config.get("effort") if isinstance(config, dict) else None
    if not isinstance(effort, str):
        return
    if target.efforts and effort not in target.efforts:
        what = f"the effort {shown(effort)}, and {target.name} takes {', '.join(sorted(target.efforts))}"
        yield problem("effort", "/output_config/effort", what, severity=_doubt(target))
    elif effort in target.thinking_efforts and isinstance(thinking, dict) and thinking.get("type") == "disabled":
        what = f"the effort {shown(effort)} while thinking is off"
        yield problem("effort", "/output_config/effort", what, severity=_doubt(target))
