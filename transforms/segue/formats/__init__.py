"""All formats, in the order in which they are recognised.

The order matters where two could be meant: an agent's own recording before a request body, a body with marks of its own
before one without. A bare array of role and content with neither pi nor Anthropic blocks is `openai-chat`, the last.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.apinames import ALIASES as API_NAMES
from segue.apinames import SAME_BODY
from segue.errors import UsageError
from segue.formats import (
    anthropic_messages,
    bedrock_converse,
    claude_code,
    codex,
    gemini,
    mistral_chat,
    neutral,
    openai_chat,
    openai_responses,
    pi,
    pi_messages,
)
from segue.formats._types import SAMPLE_SIZE, Format, ReadOptions

__all__ = ["FORMATS", "SAMPLE_SIZE", "Format", "ReadOptions", "format_named", "recognised", "request_format"]

FORMATS: tuple[Format, ...] = (
    neutral.FORMAT,
    claude_code.FORMAT,
    codex.FORMAT,
    pi.FORMAT,
    pi_messages.FORMAT,
    gemini.FORMAT,  # no other body has `contents`
    bedrock_converse.FORMAT,  # its bodies have keys that Anthropic's have too, its blocks are its own
    mistral_chat.FORMAT,  # has something that only Mistral has
    anthropic_messages.FORMAT,
    openai_responses.FORMAT,
    openai_chat.FORMAT,
)
# An api's name means its request body.
ALIASES = {known.api: known.name for known in FORMATS if known.api and known.api != known.name}


def format_named(name: str) -> Format:
    """Return the format of this name; UsageError, with the nearest names, when there is none."""
    wanted = ALIASES.get(name, name)
    for known in FORMATS:
        if known.name == wanted:
            return known
    from difflib import get_close_matches

    close = get_close_matches(name, [known.name for known in FORMATS], n=3, cutoff=0.4)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    raise UsageError(f"unknown format {name!r}{hint}")


def recognised(values: Sequence[object], whole: bool) -> Format | None:
    """Recognise a format by the first records; None when it is none of them."""
    return next((known for known in FORMATS if known.recognise(values, whole)), None)


def request_format(api: str) -> Format:
    """Return the format of an api's request body; UsageError for an api that only its recorder speaks."""
    wanted = API_NAMES.get(api, api)
    wanted = SAME_BODY.get(wanted, wanted)
    for known in FORMATS:
        if known.api == wanted:
            return known
    raise UsageError(f"the api {api!r} has no request body that is known here; --api names another of the model's apis")
