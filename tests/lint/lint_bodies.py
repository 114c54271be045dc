"""Request bodies of the fixtures, and the targets that they are judged for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from segue.targets import IdShape, ImageLimits, Target

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "lint"

TARGETS = {
    "anthropic-messages": Target(
        "anthropic",
        "anthropic-messages",
        "claude-sonnet-4-6",
        context_window=1_000_000,
        max_output=128_000,
        tool_name=IdShape(length=128),
        thinking="signed",
        images=True,
        documents=True,
        image_limits=ImageLimits(size=5_242_880, side=8000, many=20, many_side=2000, count=600),
        result_media=frozenset({"image", "document"}),
        text_only_error_results=True,
        alternates=True,
        leading_user=True,
        late_system=False,
        system_placement=True,
        prefill=False,
        declares_tools=True,
        cache_marks=4,
        server_tools=True,
    ),
    "openai-responses": Target(
        "openai",
        "openai-responses",
        "gpt-5.2",
        context_window=400_000,
        max_output=128_000,
        call_id=IdShape(length=64, piped=True),
        thinking="item",
        images=True,
        documents=True,
        image_limits=ImageLimits(size=20_971_520, count=1500),
        result_media=frozenset({"image", "document"}),
        text_parts=True,
        blank_text=True,
    ),
    "openai-completions": Target(
        "openai",
        "openai-completions",
        "gpt-4o",
        context_window=128_000,
        max_output=16_384,
        call_id=IdShape(length=40),
        images=True,
        documents=True,
        text_parts=True,
        blank_text=True,
    ),
}


def fixtures(kind: str) -> list[Path]:
    return sorted(FOLDER.glob(f"*/*.{kind}.json"))


def read(path: Path) -> tuple[Any, Target, list[dict[str, str]]]:
    """Read a fixture: the body, the target with what the fixture says otherwise, and what has to be found."""
    fixture = json.loads(path.read_text("utf-8"))
    request = fixture["request"]
    for name, count in fixture.get("repeat", {}).items():
        _repeat(request, name, count)
    return request, _target(path.parent.name, fixture.get("target", {})), fixture.get("expects", [])


def _target(api: str, facts: dict[str, Any]) -> Target:
    if "image_limits" in facts:
        facts = facts | {"image_limits": ImageLimits(**facts["image_limits"])}
    return replace(TARGETS[api], **facts)


def _repeat(request: Any, name: str, count: int) -> None:
    """Make what is too big for a file."""
    message = {"role": "user", "content": "x"}
    if name == "messages":
        request["messages"] = [message] * count
    elif name == "text":
        request["messages"] = [message | {"content": "x" * count}]
    else:
        for owner in _owners(request, name):
            owner[name] = f'{{"path":"{"x" * (count - 11)}"}}'


def _owners(value: Any, name: str) -> Iterator[dict[str, Any]]:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and isinstance(value.get(name), str):
        yield value
    for part in parts:
        yield from _owners(part, name)
