"""The options that decide where a rule has a choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from segue.changes import Change
from segue.model import ContentBlock, ToolCall


class Answer(NamedTuple):
    """What answers a call elsewhere: the content of its result, where that stands, and what taking it over changed."""

    content: tuple[ContentBlock, ...]
    where: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """What the user chose.

    `keeps_records`: the output is the recording agent's own format, which does its own shaping before it sends; rules
    that only shape what is sent leave its records alone. `as_request`: the output is a request body. `same_blocks`: the
    output's blocks have the shape of the source's. `answer_of` looks
    outside of the history for the answer to a call that has none in it.
    """

    thinking: Literal["auto", "text", "drop"] = "auto"
    orphan_results: Literal["auto", "synthesize", "text", "drop"] = "auto"
    bound_thinking: Literal["drop", "switch"] = "drop"
    keeps_records: bool = False
    as_request: bool = False
    same_format: bool = False
    same_blocks: bool = False
    answer_of: Callable[[ToolCall], Answer | None] | None = None
