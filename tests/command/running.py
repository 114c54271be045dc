"""What the tests of the command share: how a run ended, where the sessions are, a clean environment."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
CLEAN = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    code: int
    out: bytes
    err: str


Run = Callable[..., Ended]
