"""Put a text beside documents that stand alone in a message, where the api demands one.

Bedrock refuses a message that holds documents and no text.
Source: api rule B-M2, read 2026-11.

Example, for amazon-bedrock/anthropic.claude-sonnet-4-5:

    {"role": "user", "content": [{"type": "document", "media_type": "application/pdf", "data": "JVBERi0=", "filename": "plan"}]}
  →
    {"role": "user", "content": [{"type": "document", "media_type": "application/pdf", "data": "JVBERi0=", "filename": "plan"}, {"type": "text", "text": "(see the attached document)"}]}

    + 0 synthesized a text beside a document that stood alone
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.changes import Change, synthesized
from segue.model import History, Media, Message, Text
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "lone-document"
NEEDS = frozenset({"Media"})
SENT_ONLY = True
FILLER = "(see the attached document)"


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        documents = [block for block in message.of(Media) if block.kind == "document"]
        if target.lone_documents or not documents or message.of(Text):
            yield message
            continue
        yield synthesized(RULE, "synthesized a text beside a document that stood alone", message, after=FILLER)
        yield message.with_blocks((*message.blocks, Text(FILLER)))
