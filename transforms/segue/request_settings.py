"""Settings of a request that another model does not take: they go, or become what it takes.

They are no part of the history, so nothing of it is lost; a source's body in the target's own format keeps all others.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, rewritten, shortened
from segue.model import Json
from segue.targets import Target

_RULE = "request-setting"
_USUAL: tuple[tuple[str, tuple[Json, ...]], ...] = (
    ("temperature", (None, 1)),
    ("top_p", (None, 1)),
    ("top_k", (None,)),
    ("top_logprobs", (None, 0)),
    ("logprobs", (None, False)),
)
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


def taken_settings(raw: dict[str, Json], target: Target) -> tuple[dict[str, Json], list[Change]]:
    """Give a request's settings as a known target takes them, the very same object if it takes all."""
    if not target.known:
        return raw, []
    body = dict(raw)
    is_anthropic = target.api == "anthropic-messages"
    fit = (
        (_thinking, _anthropic_effort, _anthropic_sampling, _forced_call)
        if is_anthropic
        else (_output_key, _effort, _sampling)
    )
    changes = [change for settle in fit for change in settle(body, target)]
    return (body, changes) if changes else (raw, [])


def _object(body: dict[str, Json], key: str) -> dict[str, Json]:
    value = body.get(key)
    return value if isinstance(value, dict) else {}


def _left_out(body: dict[str, Json], key: str, why: str) -> Change:
    value = body.pop(key)
    return rewritten(_RULE, f"left out the setting {key!r}: {why}", before=shortened(str(value)))


def _thinking(body: dict[str, Json], target: Target) -> Iterator[Change]:
    thinking = _object(body, "thinking")
    kind = thinking.get("type")
    if not isinstance(kind, str) or not target.thinking_types or kind in target.thinking_types:
        return
    if kind == "enabled" and "adaptive" in target.thinking_types:
        body["thinking"] = {key: thinking[key] for key in ("display",) if key in thinking} | {"type": "adaptive"}
        what = f"thinking to a budget became adaptive, as {target.name} has it"
        yield rewritten(_RULE, what, before=shortened(str(thinking)), after=shortened(str(body["thinking"])))
        return
    takes = ", ".join(sorted(target.thinking_types))
    yield _left_out(body, "thinking", f"{target.name} takes {takes}, not {kind}")


def _anthropic_effort(body: dict[str, Json], target: Target) -> Iterator[Change]:
    config = _object(body, "output_config")
    effort = config.get("effort")
    if not isinstance(effort, str):
        return
    is_off = _object(body, "thinking").get("type") == "disabled"
    if (target.efforts and effort not in target.efforts) or (is_off and effort in target.thinking_efforts):
        body["output_config"] = {key: value for key, value in config.items() if key != "effort"}
        if not body["output_config"]:
            del body["output_config"]
        yield rewritten(_RULE, f"left out the effort {effort!r}, which {target.name} does not take so", before=effort)


def _anthropic_sampling(body: dict[str, Json], target: Target) -> Iterator[Change]:
    for key, usual in _USUAL[:3]:
        value = body.get(key)
        if value is None or target.sampling == "any":
            continue
        if target.sampling == "never" or (target.sampling == "usual" and value not in usual):
            yield _left_out(body, key, f"{target.name} does not take it")
    if target.sampling == "one" and body.get("temperature") is not None and body.get("top_p") is not None:
        yield _left_out(body, "top_p", f"{target.name} takes it or the temperature, not both")


def _forced_call(body: dict[str, Json], target: Target) -> Iterator[Change]:
    choice = body.get("tool_choice")
    if target.forced_calls or not isinstance(choice, dict) or choice.get("type") not in ("any", "tool"):
        return
    body["tool_choice"] = {key: value for key, value in choice.items() if key not in ("type", "name")} | {
        "type": "auto"
    }
    what = f"a tool choice that forces a call became 'auto': {target.name} takes none that does"
    yield rewritten(_RULE, what, before=shortened(str(choice)), after="auto")


def _output_key(body: dict[str, Json], target: Target) -> Iterator[Change]:
    if target.api != "openai-completions":
        return
    for key in ("max_tokens", "max_completion_tokens"):
        other = min(target.output_keys)
        if body.get(key) is None or key in target.output_keys:
            continue
        value = body.pop(key)
        body.setdefault(other, value)
        yield rewritten(_RULE, f"{key} became {other}, as {target.name} has it", before=key, after=other)


def _effort(body: dict[str, Json], target: Target) -> Iterator[Change]:
    in_chat = target.api == "openai-completions"
    reasoning = body.get("reasoning")
    asked = (
        body.get("reasoning_effort") if in_chat else reasoning.get("effort") if isinstance(reasoning, dict) else None
    )
    if not isinstance(asked, str) or not target.efforts or asked in target.efforts:
        return
    nearest = _nearest(asked, target.efforts)
    if in_chat:
        body["reasoning_effort"] = nearest
    else:
        body["reasoning"] = _object(body, "reasoning") | {"effort": nearest}
    what = f"the effort {asked!r} became {nearest!r}, the nearest that {target.name} takes"
    yield rewritten(_RULE, what, before=asked, after=nearest)


def _nearest(asked: str, efforts: frozenset[str]) -> str:
    """Choose the effort that is nearest in rank; an unknown one becomes the middle of what there is."""
    taken = [effort for effort in _EFFORTS if effort in efforts]
    if asked not in _EFFORTS:
        return taken[len(taken) // 2]
    return min(taken, key=lambda effort: abs(_EFFORTS.index(effort) - _EFFORTS.index(asked)))


def _sampling(body: dict[str, Json], target: Target) -> Iterator[Change]:
    asked = _object(body, "reasoning").get("effort") or body.get("reasoning_effort")
    effort = asked if isinstance(asked, str) else target.default_effort
    if target.sampling == "any" or effort is None or (effort == "none" and target.sampling != "never"):
        return
    for key, usual in _USUAL:
        if key != "top_k" and body.get(key) not in usual:
            yield _left_out(
                body,
                key,
                f"{target.name} does not take it" + ("" if target.sampling == "never" else " while it reasons"),
            )
