"""Judge request bodies as they stand: `segue lint`. Nothing is repaired, nothing is written.

    bytes ── records ──> bodies ── which api, which model ──> the api's judge ──> problems

A file holds one body, or a data set with one on each line; pointers of the latter begin with the line: `3:/messages/0`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from segue import __about__, apis
from segue.apis import api_name as judged_as
from segue.apis._excerpts import excerpt_at
from segue.apis._rule import BODY, reporter
from segue.apis._tongues import is_body, meant_for
from segue.changes import Change, Problem, Severity
from segue.errors import UnreadableSource, UsageError
from segue.model import Json, Record
from segue.records import RecordStream, read_source
from segue.targets import Target, resolve
from segue.targets.catalogue import api_name
from segue.targets.own import OwnModels

problem = reporter(BODY)

_UNKNOWN = "unknown"
# What readers put right in silence for a transcript, and a server would not: the change's rule, and how sure that is.
_FORM = {
    "raw-control-character": "invalid-json",
    "damaged-line": "invalid-json",
    "glued-records": "invalid-json",
    "deep-nesting": "deep-nesting",
    "source-encoding": "invalid-json",
}
_LEGAL_FORM = ("CRLF", "blank", "1 blank", "value on several")  # white space, or told by the judge


@dataclass(slots=True)
class Judgement:
    """What would become of the request bodies of a source. `as_json` is what `--report json` prints."""

    version: str
    source: dict[str, Any] = field(default_factory=dict)
    target: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    exit: int = 0

    @property
    def is_refused(self) -> bool:
        return any(problem.severity == "error" for problem in self.problems)

    def as_json(self) -> dict[str, Any]:
        return {
            "segue": self.version,
            "source": self.source,
            "target": self.target,
            "problems": [problem.as_json() for problem in self.problems],
            "exit": self.exit,
        }


def lint(
    data: bytes,
    model: str | None = None,
    api: str | None = None,
    path: str | None = None,
    models: OwnModels | None = None,
) -> Judgement:
    """Tell whether request bodies would be refused: the judgement's exit code is 4 if one of them has an error.

    `model` is PROVIDER/ID; `same` is the one that the body names. `api` speaks to it by another of its apis; alone it
    judges by the model that the body names if the catalogue has it, else by what the api asks of any model. `models`
    are the user's own. Raises UsageError for neither or an unknown one, UnreadableSource where there is no body.
    """
    if model is None and api is None:
        raise UsageError("-m PROVIDER/ID or --api API is missing: whose rules count?")
    target = None if model in (None, "same") else resolve(model or "", api, models=models)
    if api is not None:
        api = api_name(api)
    judgement = Judgement(__about__.__version__)
    stream = read_source(data)
    bodies, about_form = _bodies(stream)
    is_data_set = len(bodies) > 1
    if is_data_set and not any(is_body(body) for _, body in bodies):
        raise UnreadableSource("no request body in it: none of its lines holds 'messages', 'input' or 'contents'")
    judgement.problems.extend(about_form)
    chosen: Target | None = target
    for line, body in bodies:
        chosen = target or _target_of(body, model, api, models)
        for found in _judged(body, chosen, is_data_set):
            place = f"{line}:{found.pointer or ''}" if is_data_set else found.pointer
            judgement.problems.append(replace(found, pointer=place))
    if chosen is None:
        is_deep = any(found.rule == "deep-nesting" for found in about_form)
        raise UnreadableSource("it nests too deep to be judged" if is_deep else "no request body in it")
    _describe(judgement, bodies, chosen, path)
    return judgement


# ---------------------------------------------------------------------------------------------- bodies


def _bodies(stream: RecordStream) -> tuple[list[tuple[int, Json]], list[Problem]]:
    """Read the bodies, each with its line, and tell what in their text is not JSON as servers take it."""
    bodies: list[tuple[int, Json]] = []
    problems: list[Problem] = []
    unfaithful: set[int] = set()
    for change in stream.changes:
        problems.extend(_form_problem(change))
    for item in stream:
        if isinstance(item, Record):
            value = item.value
            if item.line in unfaithful:
                value = _as_written(item, stream.data)
            bodies.append((item.line, value))
        elif item.rule == "non-finite-number":
            unfaithful.add(item.line or 1)
        else:
            problems.extend(_form_problem(item))
    return [(line, body) for line, body in bodies if body is not None], problems


def _form_problem(change: Change) -> Iterator[Problem]:
    rule = _FORM.get(change.rule)
    if rule is None or change.what.startswith(_LEGAL_FORM):
        return
    doubt: Severity | None = "warning" if "byte order mark" in change.what else None
    what = _WORDS[change.rule].format(what=change.what)
    line = f"line {change.line:,}: " if change.line is not None else ""
    yield replace(problem(rule, "", f"{line}{what}", severity=doubt), excerpt=change.before)


_WORDS = {
    "source-encoding": "the text is not plain UTF-8: {what}",
    "raw-control-character": "the text is no JSON: {what}",
    "damaged-line": "the text is no JSON: {what}",
    "glued-records": "the text is no JSON value a line: {what}",
    "deep-nesting": "the body nests too deep to be judged",
}


def _as_written(record: Record, data: bytes) -> Json:
    """Read a body with NaN and Infinity as they stand, so that the judge meets them where they are."""
    try:
        return json.loads(data[record.start : record.end], strict=False)
    except (ValueError, RecursionError):
        return record.value


# --------------------------------------------------------------------------------------------- targets


def _target_of(body: Json, model: str | None, api: str | None, models: OwnModels | None) -> Target:
    """Find the model that a body names; of an api alone, the unknown model."""
    from segue.formats import request_format

    named = (body.get("model") or body.get("modelId")) if isinstance(body, dict) else None
    named = named if isinstance(named, str) and named.strip("/") else None
    if api is None:
        spoken = meant_for(body)
        if named is None or len(spoken) != 1:
            raise UsageError(
                "no model is named in the body that 'same' could mean, or its api is not plain; give --api"
            )
        api = next(iter(spoken))
    if named is not None:
        known = resolve(f"{request_format(api).provider or _UNKNOWN}/{named}", api, models=models)
        if known.known or model == "same":
            return known
    return resolve(f"{_UNKNOWN}/{named or _UNKNOWN}", api)


def _judged(body: Json, target: Target, is_line: bool) -> Iterator[Problem]:
    spoken = meant_for(body)
    api = judged_as(target.api)
    if api not in spoken:
        others = " or ".join(sorted(spoken))
        what = f"this is a body of {others}, not of {target.api}: nothing in it was judged"
        yield replace(problem("other-api-body", "", what), excerpt=excerpt_at(body, ""))
        return
    if is_line and isinstance(body, dict) and "model" not in body and "model" in target.request_keys:
        body = {"model": target.model, **body}  # a line of a data set names no model: whoever sends it does
    for found in apis.lint(body, target):
        pointer = found.pointer or ""
        yield replace(found, message=_message_of(pointer), excerpt=excerpt_at(body, pointer))


def _message_of(pointer: str) -> int | None:
    parts = pointer.split("/", 3)
    is_inside = len(parts) > 2 and parts[1] in ("messages", "input", "contents") and parts[2].isdecimal()
    return int(parts[2]) if is_inside else None


def _describe(judgement: Judgement, bodies: list[tuple[int, Json]], target: Target, path: str | None) -> None:
    count = sum(_length(body) for _, body in bodies)
    judgement.source = {"path": path, "format": judged_as(target.api), "bodies": len(bodies), "messages": count}
    stranger = target.provider == _UNKNOWN
    judgement.target = {
        "provider": None if stranger else target.provider,
        "api": target.api,
        "model": None if stranger and target.model == _UNKNOWN else target.model,
    }
    if not target.known:
        what = f"the catalogue does not know {target.name!r}: the rules of its api and nearest family count"
        if stranger:
            what = "no known model is named: only what its api asks of any model counts; -m PROVIDER/ID tells more"
        judgement.problems.append(Problem("unknown-model", "note" if stranger else "warning", what))
    judgement.exit = 4 if judgement.is_refused else 0


def _length(body: Json) -> int:
    found = [body.get(key) for key in ("messages", "input", "contents")] if isinstance(body, dict) else []
    return sum(len(history) for history in found if isinstance(history, list)) or 1
