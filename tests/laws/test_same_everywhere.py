"""Order never depends on hash seeds, the clock or the place: the same bytes in any process."""

# ruff: noqa: E501
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONVERT_ALL = """
import sys
from hashlib import sha256
from pathlib import Path
from segue.errors import SegueError
from segue.options import Options
from segue.pipeline import convert
TARGETS = [
    ("anthropic/claude-opus-4-8", None), ("openai/gpt-5.2", None), ("google/gemini-3-flash-preview", None),
    ("amazon-bedrock/amazon.nova-pro-v1:0", None), ("mistral/mistral-large-latest", None), ("deepseek/deepseek-v4-pro", None),
    ("openai/gpt-4o", "openai-completions"),
]
files = [path for path in sorted(Path(sys.argv[1]).rglob("*")) if path.is_file()]
for number, path in enumerate(files):
    for model, api in TARGETS[number % 2::2]:
        for to in (None, "request", "pi-messages"):
            try:
                made = convert(path.read_bytes(), Options(model=model, api=api, to=to, force=True))
                print(path.name, model, to, sha256(made.output).hexdigest(), sha256(repr(made.report.as_json()).encode()).hexdigest())
            except SegueError as error:
                print(path.name, model, to, error)
"""
PLACES = ({"PYTHONHASHSEED": "0", "TZ": "UTC"}, {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"})


def test_every_fixture_gives_the_same_bytes_under_any_hash_seed_and_time_zone():
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", CONVERT_ALL, str(ROOT / "fixtures" / "sessions")],
            env={**os.environ, **place},
            stdout=subprocess.PIPE,
            text=True,
        )
        for place in PLACES
    ]

    first, second = (run.communicate()[0] for run in runs)

    assert [run.returncode for run in runs] == [0, 0]
    assert first.count("\n") > 50
    assert first == second


@pytest.mark.parametrize("path", sorted((ROOT / "transforms").rglob("*.py")), ids=lambda path: path.stem)
def test_library_asks_neither_clock_nor_chance_nor_environment(path):
    source = path.read_text()

    for name in ("time", "random", "uuid", "secrets", "os", "socket", "urllib", "locale", "getpass", "platform"):
        assert f"\nimport {name}\n" not in source
        assert f"\nfrom {name} import" not in source
    assert ".now(" not in source and "today(" not in source and "\n    print(" not in source
