"""What hosts add to a model's name, and how to see through it."""

from __future__ import annotations

import re


def plain_name(model: str) -> str:
    """Strip what hosts add to a model's name: paths, regions, makers, dates, versions, window marks.

    >>> plain_name("us.anthropic.claude-sonnet-4-5-20250929-v1:0"), plain_name("anthropic/claude-sonnet-4.5")
    ('claude-sonnet-4-5', 'claude-sonnet-4-5')
    """
    name = model.lower().rpartition("/")[2]
    name = re.sub(r"^.*?(?=claude-)", "", name)
    name = re.sub(r"^(?:(?:us|eu|apac|global|jp|au|ca|us-gov)\.)?(?:[a-z]+\.)(?=[a-z])", "", name)
    name = re.sub(r"\[1m\]$|:thinking$", "", name)
    name = re.sub(r"-v\d+(:\d+)?$", "", name)
    name = re.sub(r"[-@](20\d{6}|20\d\d-\d\d-\d\d|latest|default)$", "", name)
    return name.replace(".", "-") if "claude-" in name else name
