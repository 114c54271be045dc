"""Judge reasoning in Bedrock's Converse: signed for Claude, plain words for some, nothing for all others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.apis._bedrock_keys import REASONING_TEXT_KEYS
from segue.apis._bedrock_media import is_base64
from segue.apis._bedrock_rules import problem, unknown_key
from segue.apis._walk import foreign_keys, shown
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

_BASE64_START = re.compile(r"[A-Za-z0-9+/=_-]*")
_SIGNATURE_SAMPLE = 200


def reasoning(value: dict[str, Json], pointer: str, target: Target) -> Iterator[Problem]:
    """Judge one piece of reasoning, readable or redacted."""
    there = [key for key in ("reasoningText", "redactedContent") if value.get(key) is not None]
    if len(there) != 1:
        what = f"reasoning has one member, this has {' and '.join(there) or 'none'}"
        yield problem("block-members", pointer, what)
        return
    if target.thinking not in ("signed", "field"):
        says = "This model doesn't support the reasoningContent field. Remove reasoningContent and try again."
        yield problem("reasoning-unsupported", pointer, f"{target.name} takes no reasoning back", says)
    inside = f"{pointer}/{there[0]}"
    if there == ["redactedContent"]:
        data = value["redactedContent"]
        if not isinstance(data, str):
            yield problem("wrong-type", inside, f"redacted reasoning is a string of base64, this is {shown(data)}")
        elif not data:
            yield problem("redacted-without-data", inside, "redacted reasoning without its data")
        elif not is_base64(data):
            yield problem("not-base64", inside, f"the redacted reasoning {shown(data)} is no base64")
    else:
        yield from _reasoning_text(value["reasoningText"], inside, target)


def _reasoning_text(said: Json, pointer: str, target: Target) -> Iterator[Problem]:
    if not isinstance(said, dict):
        yield problem("wrong-type", pointer, f"the text of reasoning is an object, this is {shown(said)}")
        return
    words, signature = said.get("text"), said.get("signature")
    if words is None:
        yield problem("missing-key", pointer, "the text of reasoning needs the key 'text'")
    elif not isinstance(words, str):
        yield problem("wrong-type", f"{pointer}/text", f"a text is a string, this is {shown(words)}")
    for key in foreign_keys(said, REASONING_TEXT_KEYS):
        yield unknown_key("the text of reasoning", key, pointer)
    if signature is not None and not isinstance(signature, str):
        yield problem("wrong-type", f"{pointer}/signature", f"a signature is a string, this is {shown(signature)}")
    elif target.thinking != "signed":
        if signature is not None:
            field = "reasoningContent.reasoningText.signature"
            says = f"This model doesn't support the {field} field. Remove {field} and try again."
            yield problem(
                "refused-signature", f"{pointer}/signature", f"{target.name} takes no signature of reasoning", says
            )
    elif not signature:
        path = pointer.split("/content/")[0][1:].replace("/", ".")
        says = f"{path}.content.{pointer.split('/')[4]}: Invalid `signature` in `thinking` block"
        yield problem("thinking-without-signature", pointer, "reasoning without its signature", says)
    elif not _BASE64_START.fullmatch(signature[:_SIGNATURE_SAMPLE]):
        yield problem("signature-shape", f"{pointer}/signature", f"the signature {shown(signature)} is no base64")
