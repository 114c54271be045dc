"""Judge the settings of a request that OpenAI's two apis share: sampling and effort."""

from __future__ import annotations

from collections.abc import Iterator

from segue.apis._rule import Reporter
from segue.apis._walk import shown
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

_USUAL: tuple[tuple[str, tuple[Json, ...]], ...] = (
    ("temperature", (None, 1)),
    ("top_p", (None, 1)),
    ("top_logprobs", (None, 0)),
    ("logprobs", (None, False)),
)


def effort_of(request: dict[str, Json], target: Target, chat: bool) -> str | None:
    """Give the effort that a request asks for, else the one that the model takes by itself, None if nobody knows."""
    reasoning = request.get("reasoning")
    asked = (
        request.get("reasoning_effort") if chat else reasoning.get("effort") if isinstance(reasoning, dict) else None
    )
    return asked if isinstance(asked, str) else target.default_effort


def judged(request: dict[str, Json], target: Target, problem: Reporter, chat: bool) -> Iterator[Problem]:
    """Judge sampling parameters and the effort of reasoning; `chat` is the api where the effort stands alone."""
    yield from _effort(request, target, problem, chat)
    yield from _sampling(request, target, problem, effort_of(request, target, chat))


def _effort(request: dict[str, Json], target: Target, problem: Reporter, chat: bool) -> Iterator[Problem]:
    reasoning = request.get("reasoning")
    asked = (
        request.get("reasoning_effort") if chat else reasoning.get("effort") if isinstance(reasoning, dict) else None
    )
    if not isinstance(asked, str) or not target.efforts or asked in target.efforts:
        return
    takes = ", ".join(f"'{effort}'" for effort in _ORDER if effort in target.efforts)
    name, pointer = ("reasoning_effort", "/reasoning_effort") if chat else ("reasoning.effort", "/reasoning/effort")
    says = (
        f"Unsupported value: '{name}' does not support {shown(asked)} with this model. Supported values are: {takes}."
    )
    what = f"the effort {shown(asked)}, and {target.name} takes {takes}"
    yield problem("effort", pointer, what, says, None if target.known else "warning")


_ORDER = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


def _sampling(request: dict[str, Json], target: Target, problem: Reporter, effort: str | None) -> Iterator[Problem]:
    if target.sampling == "any" and target.thinking != "item":
        return
    if effort == "none" and target.sampling != "never":
        return
    # Of a reasoning model that nobody described it is only likely, and so where it may not reason by itself.
    sure = target.known and (target.sampling == "never" or (target.sampling == "without-effort" and effort is not None))
    severity: Severity | None = None if sure else "warning"
    for key, usual in _USUAL:
        if request.get(key) not in usual:
            says = f"Unsupported parameter: '{key}' is not supported with this model."
            when = "" if target.sampling == "never" else " while it reasons"
            what = f"{key} is {shown(request[key])}, which {target.name} does not take{when}"
            yield problem("sampling-parameter", f"/{key}", what, says, severity)
