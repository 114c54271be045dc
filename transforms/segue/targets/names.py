"""What hosts add to a model's name, and how to see through it."""

from __future__ import annotations

import re

# Bedrock's regions and makers: `us.anthropic.`, `global.amazon.`. A maker whose models are called v3 or r1 only stays.
_MAKER = re.compile(r"^(?:[a-z]{2,6}(?:-gov)?\.)?(?:[a-z]+|ai21)\.(?=[a-z])(?![rv]\d)")
_WINDOW = re.compile(r"\[\d+[mk]\]$")
# Routes and prices of one model, as OpenRouter and other gateways spell them.
_ROUTE = re.compile(r":(thinking|free|beta|nitro|floor|online|extended|exacto|batch)$")
_VERSION = re.compile(r"-v\d+(?::\w+)+$|-\d:0$|(?<=\d)-v\d+$")  # Bedrock's; in deepseek-v3 it is the model's own
_DATE = re.compile(r"[-@](20\d{6}|20\d\d-\d\d-\d\d|latest|default)$")
_VERSION_FIRST = re.compile(r"^claude-([4-9]|\d\d)(-\d)?-([a-z]+)")  # claude-4.5-sonnet is claude-sonnet-4-5
# The same model served otherwise: faster, later; and claude-opus-4-0, which is claude-opus-4.
_SAME_CLAUDE = re.compile(r"-(fast|batch)$|(?<=-4)-0$")


def plain_name(model: str) -> str:
    """Strip what hosts add to a model's name: paths, regions, makers, dates, versions, window marks.

    >>> plain_name("us.anthropic.claude-sonnet-4-5-20250929-v1:0"), plain_name("anthropic/claude-sonnet-4.5")
    ('claude-sonnet-4-5', 'claude-sonnet-4-5')
    """
    name = model.lower().rpartition("/")[2]
    at = name.find("claude-")
    name = name[at:] if at > 0 else _MAKER.sub("", name)
    for mark in (_WINDOW, _ROUTE, _VERSION, _DATE):
        name = mark.sub("", name)
    if "claude-" not in name:
        return name
    name = _VERSION_FIRST.sub(r"claude-\3-\1\2", name.replace(".", "-"))
    return _SAME_CLAUDE.sub("", name)
