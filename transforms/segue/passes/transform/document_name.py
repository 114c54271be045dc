"""Give documents names that the api takes, each a name of its own.

Bedrock wants letters, digits, single spaces, hyphens and brackets, at most 200, and no name twice in a request. OpenAI
takes any name, but no data without one.
Source: api rules B-M2 and O-M2; botocore 1.44, openai 3.57, read 2026-11.

Example, for amazon-bedrock/anthropic.claude-sonnet-4-5:

    {"role": "user", "content": [{"type": "text", "text": "read"}, {"type": "document", "media_type": "application/pdf", "data": "JVBERi0=", "filename": "plan_v2.pdf"}]}
  →
    {"role": "user", "content": [{"type": "text", "text": "read"}, {"type": "document", "media_type": "application/pdf", "data": "JVBERi0=", "filename": "plan v2 pdf"}]}

    = 0.1 renamed document 'plan_v2.pdf' to 'plan v2 pdf'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import Block, ContentBlock, History, Media, Message, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "document-name"
NEEDS = frozenset({"Media"})
SENT_ONLY = True
_LEGAL = re.compile(r"(?=.{1,200}$)[A-Za-z0-9()\[\]-]+(?: [A-Za-z0-9()\[\]-]+)*")
_FOREIGN = re.compile(r"[^A-Za-z0-9()\[\]-]+")
_LONGEST = 200
_USUAL = "document.pdf"


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if not (policy.as_request and (target.document_names or target.named_documents)):
        yield from history.messages
        return
    taken: set[str] = set()
    for message in history.messages:
        blocks: list[Block] = []
        changes: list[Change] = []
        for block in message.blocks:
            if isinstance(block, Media):
                blocks.append(_named(message, block, block, target, taken, changes))
            elif isinstance(block, ToolResult):
                before = len(changes)
                content: tuple[ContentBlock, ...] = tuple(
                    _named(message, block, inner, target, taken, changes) if isinstance(inner, Media) else inner
                    for inner in block.content
                )
                blocks.append(replace(block, content=content) if len(changes) > before else block)
            else:
                blocks.append(block)
        yield from changes
        yield message.with_blocks(blocks) if changes else message


def _named(
    message: Message, place: Block, media: Media, target: Target, taken: set[str], changes: list[Change]
) -> Media:
    if media.kind != "document" or not (target.document_names or media.data is not None):
        return media
    old = media.name or ""
    new = _legal(old, taken) if target.document_names else old or _USUAL
    taken.add(new)
    if new == old:
        return media
    what = f"renamed document {old!r} to {new!r}" if old else f"named a document {new!r}"
    changes.append(rewritten(RULE, what, message, place, before=old or None, after=new))
    return replace(media, name=new)


def _legal(name: str, taken: set[str]) -> str:
    plain = name if _LEGAL.fullmatch(name) else _FOREIGN.sub(" ", name).strip()[:_LONGEST].strip() or "document"
    new, number = plain, 1
    while new in taken:
        number += 1
        new = f"{plain[: _LONGEST - 8].rstrip()} {number}"
    return new
