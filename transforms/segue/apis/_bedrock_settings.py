"""Judge the settings of a Converse request: inference, and what Claude behind it is told of thinking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.apis._bedrock_keys import INFERENCE_KEYS
from segue.apis._bedrock_pairs import Turn
from segue.apis._bedrock_rules import problem, refused, unknown_key
from segue.apis._walk import shown
from segue.changes import Problem, Severity
from segue.model import Json
from segue.targets import Target

_SMALLEST_BUDGET = 1024
_FIELDS = "/additionalModelRequestFields"
_BINDING = ("enabled", "adaptive")  # the types of thinking that know block_binding


def judged(request: dict[str, Json], turns: Sequence[Turn], target: Target) -> Iterator[Problem]:
    """Judge what a request asks for beside its history."""
    config = request.get("inferenceConfig")
    if config is not None and not isinstance(config, dict):
        yield problem("wrong-type", "/inferenceConfig", f"an inferenceConfig is an object, this is {shown(config)}")
    fields = request.get("additionalModelRequestFields")
    if fields is not None and not isinstance(fields, dict):
        yield problem("wrong-type", _FIELDS, f"additional fields are an object, this is {shown(fields)}")
    inference: dict[str, Json] = config if isinstance(config, dict) else {}
    thinking = fields.get("thinking") if isinstance(fields, dict) else None
    yield from _inference(inference, target)
    if target.thinking == "signed":
        yield from _sampling(inference, thinking, target)
        if thinking is not None:
            yield from _thinking(thinking, inference, target)
            yield from _leads(thinking, turns)


def _doubt(target: Target) -> Severity | None:
    return None if target.known else "warning"


def _inference(config: dict[str, Json], target: Target) -> Iterator[Problem]:
    pointer = "/inferenceConfig"
    for key in config:
        if key not in INFERENCE_KEYS:
            yield unknown_key("an inferenceConfig", key, pointer)
    limit = config.get("maxTokens")
    if limit is not None and (type(limit) is not int or limit < 1):
        says = refused(limit, f"{pointer}/maxTokens", "value greater than or equal to 1")
        what = f"maxTokens is a whole number from 1 on, this is {shown(limit)}"
        yield problem("wrong-type", f"{pointer}/maxTokens", what, says)
    elif limit is not None and target.max_output is not None and limit > target.max_output:
        says = (
            f"The maximum tokens you requested exceeds the model limit of {target.max_output}. Try again with a "
            f"maximum tokens value that is lower than {target.max_output}."
        )
        what = f"maxTokens is {limit:,}, {target.name} writes {target.max_output:,} at most"
        yield problem("max-tokens", f"{pointer}/maxTokens", what, says)
    for key in ("temperature", "topP"):
        value = config.get(key)
        if value is not None and not (type(value) in (int, float) and 0 <= value <= 1):
            says = refused(value, f"{pointer}/{key}", "value less than or equal to 1")
            what = f"{key} is a number from 0 to 1, this is {shown(value)}"
            yield problem("wrong-type", f"{pointer}/{key}", what, says)
    stops = config.get("stopSequences")
    if stops is not None and not (isinstance(stops, list) and all(isinstance(stop, str) and stop for stop in stops)):
        what = f"stopSequences are a list of strings that are not empty, this is {shown(stops)}"
        yield problem("wrong-type", f"{pointer}/stopSequences", what)


def _sampling(config: dict[str, Json], thinking: Json, target: Target) -> Iterator[Problem]:
    pointer = "/inferenceConfig"
    heat, share = config.get("temperature"), config.get("topP")
    if isinstance(thinking, dict) and thinking.get("type") == "enabled" and heat not in (None, 1):
        says = "`temperature` may only be set to 1 when thinking is enabled"
        what = f"the temperature is {shown(heat)} while manual thinking is enabled"
        yield problem("sampling-with-thinking", f"{pointer}/temperature", what, says)
    elif target.sampling in ("never", "usual"):
        for key, value in (("temperature", heat), ("topP", share)):
            if value is not None and not (target.sampling == "usual" and value == 1):
                other = "another value than usual" if target.sampling == "usual" else "it at all"
                says = f"`{'temperature' if key == 'temperature' else 'top_p'}` is deprecated for this model."
                what = f"{key} is {shown(value)}, and {target.name} does not take {other}"
                yield problem("sampling-parameter", f"{pointer}/{key}", what, says, _doubt(target))
    elif target.sampling == "one" and heat is not None and share is not None:
        says = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
        what = f"temperature and topP are both set, and {target.name} takes one of them"
        yield problem("sampling-parameter", f"{pointer}/topP", what, says, _doubt(target))


def _thinking(thinking: Json, config: dict[str, Json], target: Target) -> Iterator[Problem]:
    pointer = f"{_FIELDS}/thinking"
    kind = thinking.get("type") if isinstance(thinking, dict) else None
    if not isinstance(kind, str):
        yield problem("thinking-type", pointer, f"thinking is an object with a type, this is {shown(kind or thinking)}")
        return
    if target.thinking_types and kind not in target.thinking_types:
        says = f'"thinking.type.{kind}" is not supported for this model.'
        what = f"thinking of type {shown(kind)}, and {target.name} takes {', '.join(sorted(target.thinking_types))}"
        yield problem("thinking-type", f"{pointer}/type", what, says, _doubt(target))
    if "block_binding" in thinking and (kind not in _BINDING or not target.block_binding):
        says = f"thinking.{kind}.block_binding: Extra inputs are not permitted"
        what = f"thinking of type {shown(kind)} of {target.name} knows no block_binding"
        yield problem("block-binding", f"{pointer}/block_binding", what, says, _doubt(target))
    if kind != "enabled":
        return
    budget, limit = thinking.get("budget_tokens"), config.get("maxTokens")
    if type(budget) is not int or budget < _SMALLEST_BUDGET:
        says = "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
        what = f"budget_tokens is a whole number from 1,024 on, this is {shown(budget)}"
        yield problem("thinking-budget", pointer, what, says)
    elif type(limit) is int and budget >= limit:
        says = "`max_tokens` must be greater than `thinking.budget_tokens`."
        what = f"budget_tokens is {budget:,}, not below maxTokens, {limit:,}"
        yield problem("thinking-budget-above-max", f"{pointer}/budget_tokens", what, says)


def _leads(thinking: Json, turns: Sequence[Turn]) -> Iterator[Problem]:
    if not isinstance(thinking, dict) or thinking.get("type") != "enabled" or len(turns) < 2:
        return
    answer, last = turns[-2:]
    if answer.role != "assistant" or last.role != "user" or not last.results or not answer.blocks:
        return
    pointer, name, _ = answer.blocks[0]
    if name != "reasoningContent":
        found = {"toolUse": "tool_use"}.get(name, name)
        says = (
            f"messages.{answer.number}.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
            f"`{found}`. When `thinking` is enabled, a final `assistant` message must start with a thinking block "
            "(preceeding the lastmost set of `tool_use` and `tool_result` blocks)."
        )
        what = f"manual thinking is enabled, and the message before the last results starts with '{name}'"
        yield problem("thinking-missing", pointer, what, says)
