"""How many tokens a history has, about.

An estimate from the characters: four of ASCII text make a token, other scripts take more tokens for each, an image
takes what a typical screenshot takes. It is meant for "does it fit", not for bills.
"""

from __future__ import annotations

from typing import Any

from segue.model import Block, Json, Media, Text, Thinking, ToolCall, ToolResult, Transcript
from segue.targets import Target

CHARACTERS_PER_TOKEN = 4
OTHER_CHARACTERS_PER_TOKEN = 1.4
IMAGE_TOKENS = 1_600
DOCUMENT_BYTES_PER_TOKEN = 24
MESSAGE_TOKENS = 4


def estimate(transcript: Transcript) -> int:
    """Estimate the tokens of a fitted history with its system prompt and tools."""
    total = sum(map(_of_text, (text.text for text in transcript.system)))
    total += sum(_of_value(tool.parameters) + _of_text(tool.description) + MESSAGE_TOKENS for tool in transcript.tools)
    for message in transcript.messages:
        total += MESSAGE_TOKENS + sum(map(of_block, message.blocks))
    return round(total)


def fit_of(total: int, largest: int, target: Target) -> dict[str, Any]:
    """Say whether the (largest) history fits the target's window; None where the window is not known."""
    window = target.context_window
    return {
        "tokens": largest if largest != total else total,
        "method": "estimate",
        "context_window": window,
        "fits": None if window is None else largest <= window,
    }


def of_block(block: Block) -> float:
    """Estimate the tokens of one block."""
    if isinstance(block, (Text, Thinking)):
        return _of_text(block.text)
    if isinstance(block, ToolCall):
        return _of_value(block.arguments) + _of_text(block.name) + MESSAGE_TOKENS
    if isinstance(block, ToolResult):
        return MESSAGE_TOKENS + sum(map(of_block, block.content))
    if isinstance(block, Media):
        if block.kind == "image":
            return IMAGE_TOKENS
        return len(block.data or "") / DOCUMENT_BYTES_PER_TOKEN
    return 0


def _of_text(text: str) -> float:
    if text.isascii():
        return len(text) / CHARACTERS_PER_TOKEN
    ascii_count = len(text.encode("ascii", "ignore"))
    return ascii_count / CHARACTERS_PER_TOKEN + (len(text) - ascii_count) / OTHER_CHARACTERS_PER_TOKEN


def _of_value(value: Json) -> float:
    total = 0.0
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            total += _of_text(value) + 1
        elif isinstance(value, dict):
            waiting.extend(value)
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        else:
            total += 1
    return total
