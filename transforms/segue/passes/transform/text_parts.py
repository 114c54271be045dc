"""Say a text in parts as one text where the host takes plain strings only.

Many hosts in OpenAI's shape read the content of answers, results and system messages as a string and refuse a list of
parts. Their words are joined, a blank line between them; a user's parts stay where images are among them.
Source: api rule C-V6; Gitlawb/openclaude#774, cline/cline#247, read 2026-11.

Example, for deepseek/deepseek-v4-pro:

    {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}
  →
    {"role": "user", "content": "one\\n\\ntwo"}

    = 0 joined 2 parts of a text to one
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from segue.changes import Change, rewritten
from segue.model import Block, History, Message, Text, Thinking, ToolCall, ToolResult
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "text-parts"
NEEDS = frozenset({"Text"})
ALONE = True
SENT_ONLY = True
_BETWEEN = "\n\n"


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    if target.text_parts or not (policy.as_request and policy.same_format):
        yield from history.messages
        return
    for message in history.messages:
        results = message.of(ToolResult)
        if any(_is_list(result.raw) and _are_texts(result.content) for result in results):
            yield from _results(message)
        elif not results and _is_list(message.raw) and _are_texts(_words(message)) and not _thinks_in_parts(message):
            yield rewritten(RULE, _told(len(_words(message))), message, before=None)
            yield _joined(message)
        else:
            yield message


def _thinks_in_parts(message: Message) -> bool:
    """Tell whether thinking stands among the parts of the content, which is no plain text then."""
    return any(block.raw is not None for block in message.of(Thinking))


def _is_list(raw: object) -> bool:
    return isinstance(raw, dict) and isinstance(raw.get("content"), list)


def _are_texts(blocks: Sequence[Block]) -> bool:
    return bool(blocks) and all(isinstance(block, Text) for block in blocks)


def _words(message: Message) -> list[Block]:
    """Give what stands in the content; thinking and calls have keys of their own beside it."""
    return [block for block in message.blocks if not isinstance(block, Thinking | ToolCall)]


def _told(count: int) -> str:
    return f"joined {count} parts of a text to one" if count > 1 else "said a part as a plain text"


def _text_of(blocks: Sequence[Block]) -> str:
    return _BETWEEN.join(block.text for block in blocks if isinstance(block, Text))


def _joined(message: Message) -> Message:
    words = _words(message)
    text = _text_of(words)
    blocks: list[Block] = []
    for block in message.blocks:
        if block is words[0]:
            blocks.append(Text(text, place=block.place))
        elif isinstance(block, Thinking | ToolCall):
            blocks.append(block)
    return replace(message.with_blocks(blocks), raw={**(message.raw or {}), "content": text})


def _results(message: Message) -> Iterator[Message | Change]:
    blocks: list[Block] = []
    for block in message.blocks:
        if isinstance(block, ToolResult) and _is_list(block.raw) and _are_texts(block.content):
            yield rewritten(RULE, _told(len(block.content)), message, block, before=None)
            text = _text_of(block.content)
            plain = (Text(text, place=block.content[0].place),)
            block = replace(block, content=plain, raw={**(block.raw or {}), "content": text})
        blocks.append(block)
    alone = blocks[0].raw if len(blocks) == 1 else message.raw
    yield replace(message.with_blocks(blocks), raw=alone)
