"""Judge what follows what in a body of Gemini: order, calls and results, signatures of the current turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from segue.apis._gemini_reading import Content, Named, signed, speaks_for_user
from segue.apis._gemini_rules import problem
from segue.apis._walk import shown
from segue.changes import Problem, Severity
from segue.targets import Target

_CALL_ORDER = (
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
)
_RESULT_ORDER = "Please ensure that function response turn comes immediately after a function call turn."
_COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function call parts "
    "of the function call turn."
)
_ENDING = "Requests ending with a model turn are not supported."


def ordered(contents: Sequence[Content], target: Target) -> Iterator[Problem]:
    """Find contents in a place where the server takes none of their kind."""
    if not contents:
        return
    first, last = contents[0], contents[-1]
    if first.role == "model":
        # Words of the model at the start are tolerated by some, calls by none.
        severity: Severity | None = None if first.calls else "warning"
        what = "the first content is the model's"
        yield problem("first-not-user", first.pointer, what, _CALL_ORDER if first.calls else None, severity)
    for before, content in pairwise(contents):
        if content.role == "model" and content.calls and before.role == "model":
            what = f"the call of {shown(content.calls[0].name)} stands behind another content of the model"
            yield problem("misplaced-call", content.pointer, what, _CALL_ORDER)
    if last.role == "model" and not target.prefill:
        what = f"the history ends on the model, and {target.name} wants a user's turn last"
        yield problem("ends-on-assistant", last.pointer, what, _ENDING, None if target.known else "warning")
    elif not target.text_after_results and speaks_for_user(last):
        kinds = [part.kind for part in last.parts]
        if "functionResponse" in kinds and "text" in kinds[kinds.index("functionResponse") :]:
            place = last.parts[kinds.index("text", kinds.index("functionResponse"))].pointer
            what = "a text behind results; in front of them, or in a content of its own, every model takes it"
            yield problem("text-after-results", place, what, _ENDING)


def paired(contents: Sequence[Content]) -> Iterator[Problem]:
    """Pair the calls of each turn with the results in the one content behind it."""
    used: set[str] = set()
    for index, content in enumerate(contents):
        before = contents[index - 1] if index else None
        after = contents[index + 1] if index + 1 < len(contents) else None
        if speaks_for_user(content) and content.results and not (before and before.role == "model" and before.calls):
            yield from _strays(content, contents[:index])
        if content.role == "model" and content.calls:
            yield from _ids(content.calls, used)
            yield from _pairs(content.calls, after.results if after and speaks_for_user(after) else ())


def _strays(content: Content, before: Sequence[Content]) -> Iterator[Problem]:
    behind = next((other for other in reversed(before) if not (speaks_for_user(other) and other.results)), None)
    is_split = behind is not None and behind.role == "model" and bool(behind.calls)
    where = "in a second content behind its turn" if is_split else "and no call stands right before it"
    for result in content.results:
        what = (
            f"the result of {shown(result.name)} stands {where}"
            if is_split
            else f"a result of {shown(result.name)}, {where}"
        )
        yield problem("result-without-call", result.pointer, what, _COUNT if is_split else _RESULT_ORDER)


def _ids(calls: Sequence[Named], used: set[str]) -> Iterator[Problem]:
    here: set[str] = set()
    for call in calls:
        if call.id is None:
            continue
        if call.id in here:
            yield problem("duplicate-call-id", f"{call.pointer}/id", f"a second call {shown(call.id)} in one turn")
        elif call.id in used:
            what = f"call {shown(call.id)} has the id of an earlier call"
            yield problem("reused-call-id", f"{call.pointer}/id", what)
        here.add(call.id)
    used |= here


def _pairs(calls: Sequence[Named], results: Sequence[Named]) -> Iterator[Problem]:
    """Pair by id where both sides have one, else by name, else by order: the server counts them in the end."""
    waiting, open_results = list(calls), list(results)
    answered: set[str] = set()
    for result in results:
        call = next((call for call in waiting if result.id and call.id == result.id), None)
        if call is not None:
            waiting.remove(call)
            open_results.remove(result)
            answered.add(result.id or "")
            yield from _names(call, result)
    for by_name in (True, False):
        for result in list(open_results):
            call = next((call for call in waiting if _fits(call, result, by_name)), None)
            if call is not None:
                waiting.remove(call)
                open_results.remove(result)
                yield from _names(call, result)
                if call.id and not result.id:
                    what = f"the result of {shown(result.name)} does not say the id of its call, {shown(call.id)}"
                    yield problem("call-id-missing", result.pointer, what)
    for result in open_results:
        if result.id in answered:
            what = f"a second result for call {shown(result.id)}"
            yield problem("duplicate-result", result.pointer, what, _COUNT)
        else:
            what = f"a result of {shown(result.name)}, and no call of the turn before is left for it"
            yield problem("result-without-call", result.pointer, what, _COUNT)
    for call in waiting:
        what = f"the call of {shown(call.name)} has no result in the content right behind it"
        yield problem("call-without-result", call.pointer, what, _COUNT)


def _fits(call: Named, result: Named, by_name: bool) -> bool:
    if call.id and result.id:
        return False  # both say who they are, and it is not the other
    return not by_name or call.name == result.name


def _names(call: Named, result: Named) -> Iterator[Problem]:
    if call.name and result.name and call.name != result.name:
        what = f"the result says {shown(result.name)}, and its call is one of {shown(call.name)}"
        yield problem("result-name", f"{result.pointer}/name", what)


def signatures(contents: Sequence[Content], target: Target) -> Iterator[Problem]:
    """Find first calls of the current turn without a signature, and signatures that stand twice.

    The turn begins behind the last content in which the user says something: results alone begin none.
    """
    start = max((index + 1 for index, content in enumerate(contents) if content.is_prompt), default=0)
    for content in contents[start:] if target.required_call_signatures else ():
        if content.role == "model" and content.calls and not signed(content.calls[0].part.value):
            call = content.calls[0]
            says = (
                "Function call is missing a thought_signature in functionCall parts. This is required for tools to "
                "work correctly, and missing thought_signature may lead to degraded model performance. "
                f"Additional data, function call default_api:{(call.name or '')[:80]}"
            )
            what = f"the call of {shown(call.name)}, the first of a step of the current turn, has no signature"
            severity: Severity | None = None if target.known else "warning"
            yield problem("call-without-signature", call.part.pointer, what, says, severity)
    yield from _repeated(contents)


# What Google documents for histories that its models did not write, plain and as its SDK sends it.
STAND_INS = frozenset(
    {
        "skip_thought_signature_validator",
        "context_engineering_is_the_way_to_go",
        "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
        "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv",
    }
)


def _repeated(contents: Sequence[Content]) -> Iterator[Problem]:
    met: set[str] = set()
    for content in contents:
        for part in content.parts:
            signature = part.signature
            if isinstance(signature, str) and signature and signature not in STAND_INS:
                if signature in met:
                    what = f"the signature {shown(signature)} stands on another part already"
                    yield problem("repeated-signature", part.pointer, what, "Corrupted thought signature.")
                met.add(signature)
