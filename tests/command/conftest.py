"""Run the command: inside the test's own process, or as a process where only that tells."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from running import CLEAN, SESSIONS, Ended, Run

from segue_cli.main import run


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "SEGUE_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def segue(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in this process."""

    def called(*arguments: object, given: bytes = b"") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = run([str(argument) for argument in arguments])
        captured = capfdbinary.readouterr()
        return Ended(code, captured.out, captured.err.decode())

    return called


@pytest.fixture
def process() -> Run:
    """Run the command as a process of its own."""

    def called(*arguments: object, given: bytes = b"", env: dict[str, str] | None = None, **more: Any) -> Ended:
        words = [sys.executable, "-m", "segue_cli", *map(str, arguments)]
        ended = subprocess.run(
            words, input=given, capture_output=True, env=CLEAN | (env or {}), timeout=60, check=False, **more
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr.decode())

    return called


@pytest.fixture(scope="session")
def demo() -> Path:
    return SESSIONS / "claude-code" / "demo.jsonl"


@pytest.fixture(scope="session")
def chat() -> bytes:
    """A body that gpt-4o takes as it is."""
    return b'{"model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}\n'


@pytest.fixture(scope="session")
def refused() -> bytes:
    """A body that no repair makes acceptable: nobody may invent a schema for a tool."""
    return (
        b'{"model":"gpt-4o","tools":[{"type":"function","function":{"name":"f","parameters":{"type":"string"}}}],'
        b'"messages":[{"role":"user","content":"Hello"}]}\n'
    )
