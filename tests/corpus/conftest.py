"""Where the corpus is: the folder that SEGUE_CORPUS names, else the one beside the repository; without one, no test."""

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).parents[3] / "shared" / "corpus"
EVERY = 6
LARGEST = 5


def sampled(folder: Path) -> list[Path]:
    """Choose every sixth session by name, and the largest ones."""
    files = sorted(folder.rglob("*.jsonl"))
    largest = sorted(files, key=lambda file: (-file.stat().st_size, file))[:LARGEST]
    return sorted({*files[::EVERY], *largest})


def pytest_generate_tests(metafunc):
    if "session" not in metafunc.fixturenames:
        return
    folder = Path(os.environ.get("SEGUE_CORPUS") or BESIDE) / "claude-code"
    files = sampled(folder) if folder.is_dir() else []
    if files:
        names = [file.relative_to(folder).as_posix() for file in files]
        metafunc.parametrize("session", files, ids=names)
    else:
        skip = pytest.mark.skip(reason="no corpus: SEGUE_CORPUS names the folder that holds 'claude-code'")
        metafunc.parametrize("session", [pytest.param(None, marks=skip, id="no-corpus")])
