"""Request bodies of the fixtures, and the targets that they are judged for.

A fixture says what it has to be judged for: `for` names a model, `target` says what is otherwise than there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from segue.targets import IdShape, ImageLimits, Target, resolve
from segue.targets.target import DocumentLimits

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
        strict_keys=True,
    ),
}
# Whose bodies the fixtures of the other apis are, where they name nobody.
MODELS = {
    "google-generative-ai": "google/gemini-3-pro-preview",
    "google-vertex": "google-vertex/gemini-3-pro-preview",
    "bedrock-converse-stream": "amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
    "mistral-conversations": "mistral/mistral-large-latest",
}
_SHAPES = {
    "image_limits": lambda value: ImageLimits(**value),
    "document_limits": lambda value: DocumentLimits(**value),
    "call_id": lambda value: IdShape(**value),
    "tool_name": lambda value: IdShape(**value),
}


def fixtures(kind: str) -> list[Path]:
    return sorted(FOLDER.glob(f"*/*.{kind}.json"))


def target_of(api: str, model: str | None = None) -> Target:
    if model is None and api in TARGETS:
        return TARGETS[api]
    return replace(resolve(model or MODELS[api], api), known=True)


def read(path: Path) -> tuple[Any, Target, list[dict[str, str]]]:
    """Read a fixture: the body, the target with what the fixture says otherwise, and what has to be found."""
    fixture = json.loads(path.read_text("utf-8"))
    request = fixture["request"]
    for name, count in fixture.get("repeat", {}).items():
        _repeat(request, name, count)
    facts = {name: _shaped(name, value) for name, value in fixture.get("target", {}).items()}
    target = replace(target_of(path.parent.name, fixture.get("for")), **facts)
    return request, target, fixture.get("expects", [])


def _shaped(name: str, value: Any) -> Any:
    if name in _SHAPES:
        return _SHAPES[name](value)
    return frozenset(value) if isinstance(value, list) else value


def _repeat(request: Any, name: str, count: int) -> None:
    """Make what is too big for a file."""
    message = {"role": "user", "content": "x"}
    if name == "messages":
        request["messages"] = [message] * count
    elif name == "text":
        request["messages"] = [message | {"content": "x" * count}]
    elif name == "data":
        for owner in _owners(request, name):
            owner[name] = owner[name].ljust(count, "A")
    else:
        for owner in _owners(request, name):
            owner[name] = f'{{"path":"{"x" * (count - 11)}"}}'


def _owners(value: Any, name: str) -> Iterator[dict[str, Any]]:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and isinstance(value.get(name), str):
        yield value
    for part in parts:
        yield from _owners(part, name)
