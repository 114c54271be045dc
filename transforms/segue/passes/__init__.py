"""The rules, in one literal order, and the loop that runs them.

A rule is a module with `run(history, target, policy)`, a generator of messages and changes (and of `Declared`, where
it touches tools or prompt); its file's name is its name. `NEEDS` says what a history must hold for the rule to have
any work, in the words of `History.contents`; an empty set means always. `SENT_ONLY` rules only shape what is sent:
the recording agent's own format does without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

from segue.changes import Change
from segue.model import Declared, History, Message
from segue.passes._policy import Policy
from segue.passes.normalize import (
    aborted_turn,
    api_error_turn,
    before_compaction,
    displaced_result,
    duplicate_call_id,
    duplicate_result,
    injected_context,
    internal_block,
    misplaced_attachment,
    misplaced_block,
    missing_tool_result,
    orphan_tool_result,
    queued_prompt,
    refused_media,
    snipped_message,
    unsendable_character,
    virtual_message,
)
from segue.passes.transform import (
    arguments_shape,
    blank_text,
    blank_thinking,
    bound_thinking,
    cache_mark,
    call_id_shape,
    consecutive_role,
    dangling_thinking,
    developer_role,
    document_name,
    empty_content,
    empty_turn,
    error_flag,
    error_result_shape,
    foreign_signature,
    foreign_thinking,
    item_id,
    leading_assistant,
    lone_document,
    media_data,
    media_in_tool_result,
    misplaced_system,
    missing_reasoning,
    missing_thought_signature,
    null_content,
    oversized_media,
    oversized_request,
    partial_thinking,
    reasoning_field,
    redacted_thinking,
    second_system,
    server_tool,
    stray_key,
    text_after_call,
    text_parts,
    tool_name_shape,
    trailing_blank,
    unknown_block,
    unsigned_thinking,
    unsupported_media,
    user_after_result,
)
from segue.targets import Target

__all__ = ["NORMALIZE", "ORDER", "TRANSFORM", "Policy", "rule_name", "run_rule", "run_rules"]

NORMALIZE: tuple[ModuleType, ...] = (
    # what the model had seen
    before_compaction,
    snipped_message,
    misplaced_attachment,  # before virtual ones go: they still stop its way up
    virtual_message,
    queued_prompt,
    injected_context,
    # what the recorder left
    misplaced_block,  # before anything looks for calls and results
    refused_media,  # an api error blames it: before the error goes
    api_error_turn,
    aborted_turn,  # before pairing: its calls ask for no results
    internal_block,
    unsendable_character,
    # calls and results
    duplicate_call_id,  # first: two calls of one id would share their results
    duplicate_result,  # before moving: only the best one moves
    displaced_result,  # before a filler is made: the real one may come late
    missing_tool_result,
    orphan_tool_result,
)
TRANSFORM: tuple[ModuleType, ...] = (
    # what belongs to another model
    redacted_thinking,  # first of the thinking rules: its payload must never count as words
    blank_thinking,  # passes over what its own model signed
    foreign_thinking,
    unsigned_thinking,
    reasoning_field,  # of the reasoning that is left
    foreign_signature,
    server_tool,
    unknown_block,
    # what the target accepts
    stray_key,
    arguments_shape,
    tool_name_shape,
    call_id_shape,
    media_data,  # before sizes are measured and types told by the bytes
    oversized_media,
    unsupported_media,
    oversized_request,  # of the media that are left
    media_in_tool_result,
    error_result_shape,
    error_flag,
    misplaced_system,
    developer_role,
    second_system,  # after those in the middle have gone
    # what is left
    blank_text,
    empty_content,
    dangling_thinking,  # after blank texts: one of those may have followed it
    item_id,
    empty_turn,
    leading_assistant,
    lone_document,
    document_name,
    user_after_result,  # before neighbours are merged: it splits what is to stay apart
    consecutive_role,  # after empty turns: its neighbours meet
    text_after_call,  # after merging: two answers may have become one
    text_parts,  # likewise
    null_content,  # likewise
    trailing_blank,
    cache_mark,
    missing_thought_signature,  # after merging: a step is one message
    missing_reasoning,  # likewise
    partial_thinking,  # after all that may have taken thinking away
    bound_thinking,  # last: it depends on whether anything before it changed
)
ORDER: tuple[ModuleType, ...] = NORMALIZE + TRANSFORM
ROUNDS = 3
_BEGINNING = (0, -1)


def rule_name(module: ModuleType) -> str:
    """Return the name of a rule as users see it: its file's name with dashes."""
    return module.__name__.rpartition(".")[2].replace("_", "-")


def run_rules(
    history: History, target: Target, policy: Policy, rules: tuple[ModuleType, ...] = ORDER
) -> tuple[History, list[Change]]:
    """Run rules to a fixed point, three rounds at most: removing makes new work, an emptied turn, two neighbours."""
    changes: list[Change] = []
    seen: dict[ModuleType, tuple[Message, ...]] = {}  # what each rule looked at when it ran last
    for _ in range(ROUNDS):
        before = history
        for rule in rules:
            if _has_work(rule, history, policy) and _has_news(rule, history, target, policy, seen.get(rule)):
                seen[rule] = history.messages
                history, of_rule = run_rule(rule, history, target, policy)
                changes.extend(of_rule)
        if history is before:
            break
    return history, changes


def _has_work(rule: ModuleType, history: History, policy: Policy) -> bool:
    if policy.keeps_records and getattr(rule, "SENT_ONLY", False):
        return False
    return not rule.NEEDS or not rule.NEEDS.isdisjoint(history.contents)


def _has_news(
    rule: ModuleType, history: History, target: Target, policy: Policy, seen: tuple[Message, ...] | None
) -> bool:
    """Tell whether a rule may find anything that it did not find among the messages that it has seen."""
    if seen is None:
        return True
    if seen is history.messages:
        return False
    if not getattr(rule, "ALONE", False):
        return True
    known = set(map(id, seen))
    new = tuple(message for message in history.messages if id(message) not in known)
    return bool(new) and bool(run_rule(rule, replace(history, messages=new), target, policy)[1])


def run_rule(rule: ModuleType, history: History, target: Target, policy: Policy) -> tuple[History, list[Change]]:
    """Run one rule. A rule that did nothing returns the very same history."""
    messages: list[Message] = []
    changes: list[Change] = []
    declared: list[Declared] = []
    made: Iterator[Message | Change | Declared] = rule.run(history, target, policy)
    for item in made:
        if type(item) is Message:
            messages.append(item)
        elif type(item) is Change:
            changes.append(item)
        else:
            declared.append(item)  # type: ignore[arg-type]
    if not changes and not declared:
        return history, changes
    after = replace(history, messages=tuple(messages), changed_from=_changed_from(history.changed_from, changes))
    for new in declared:
        after = replace(
            after,
            tools=after.tools if new.tools is None else new.tools,
            system=after.system if new.system is None else new.system,
            changed_from=_BEGINNING,
        )
    return after, changes


def _changed_from(before: tuple[int, int] | None, changes: list[Change]) -> tuple[int, int] | None:
    """Find the place of the first change; what its own agent would not have sent is no change of the history."""
    places = [
        (change.message or 0, -1 if change.block is None else change.block)
        for change in changes
        if change.kind != "hidden"
    ]
    if before is not None:
        places.append(before)
    return min(places, default=None)
