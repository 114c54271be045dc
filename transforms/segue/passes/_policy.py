"""The options that decide where a rule has a choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Policy:
    """What the user chose.

    `keeps_records`: the output is the recording agent's own format, which does its own shaping before it sends; rules
    that only shape what is sent leave its records alone. `as_request`: the output is a request body.
    """

    thinking: Literal["auto", "text", "drop"] = "auto"
    orphan_results: Literal["auto", "synthesize", "text", "drop"] = "auto"
    bound_thinking: Literal["drop", "switch"] = "drop"
    keeps_records: bool = False
    as_request: bool = False
    same_format: bool = False
