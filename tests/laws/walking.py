"""Convert in tests, and say what came out."""

from __future__ import annotations

import json
from typing import Any

from spoken import Spoken

from segue.errors import RefusedByTarget, UnreadableSource
from segue.options import Options
from segue.pipeline import Outcome, convert

Json = Any


def fitted(data: bytes, target: Spoken, to: str | None = "request", **more: Any) -> Outcome:
    return convert(data, Options(model=target.model, api=target.api, to=to, **more))


def converted(data: bytes, target: Spoken, format: str, to: str | None) -> Outcome | None:
    """Convert a file of a format, whatever the target may say to it; None where no message is left at all."""
    try:
        return fitted(data, target, to, force=True, source_format=format)
    except UnreadableSource:
        return None


def again(body_before: bytes, format: str, target: Spoken, **more: Any) -> Outcome:
    """Convert a body of the target's own once more. One that names no model counts as another's, unless it is told."""
    if "model" not in json.loads(body_before):
        more["source_model"] = target.model
    return fitted(body_before, target, None, source_format=format, **more)


def refusal(data: bytes, target: Spoken, **more: Any) -> list[str]:
    """Say why the target would refuse; nothing where it would not."""
    try:
        fitted(data, target, **more)
    except RefusedByTarget as error:
        return [f"{p.rule} {p.pointer}: {p.what}" for p in error.report.problems if p.severity == "error"]
    return []


def body(outcome: Outcome) -> Json:
    return json.loads(outcome.output)


def is_empty(outcome: Outcome) -> bool:
    """Tell whether a body has no message at all: what was said is all gone, or was a system prompt only."""
    value = body(outcome)
    said = next(value[key] for key in ("messages", "input", "contents") if key in value)
    return all(item.get("role") in ("system", "developer") for item in said)
