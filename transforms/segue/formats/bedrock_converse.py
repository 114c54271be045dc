"""Request body of Amazon Bedrock's Converse and ConverseStream.

Also a bare list of such messages, lines of them, and data sets of one body a line. Over HTTP the model stands in the
address; the keyword form of the SDKs has it as `modelId`, and a body that brings one keeps it. Bytes are base64.
Consecutive messages of the user's side (results, then words) are one message on the wire; that much is spelling.
Facts: botocore 1.44, service model of bedrock-runtime, read 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from segue.changes import Change, downgraded, dropped, rewritten, shortened
from segue.formats._anthropic import with_names
from segue.formats._bedrock import members_of, read_blocks, read_tools
from segue.formats._bedrock_spelling import own_tools, write_blocks, write_tools
from segue.formats._document import COMPACT, messages_around, printed, unchanged
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Json, Message, Record, Session, Text, Thinking, Transcript
from segue.targets import Target

NAME = "bedrock-converse"
ROLES = ("user", "assistant", "system")
_KEYS = frozenset({"modelId", "inferenceConfig", "toolConfig", "additionalModelRequestFields", "guardrailConfig"})


# ------------------------------------------------------------------------------------------ recognising


def recognise(values: Sequence[object], whole: bool) -> bool:
    """Tell Converse by its blocks: objects without a type, each with a member that is named as one."""
    first = values[0]
    if isinstance(first, dict) and isinstance(first.get("messages"), list):
        return _are_messages(first["messages"]) and (bool(first["messages"]) or not _KEYS.isdisjoint(first))
    if isinstance(first, list):
        return bool(first) and _are_messages(first)
    return len(values) > 1 and _are_messages(values)


def _are_messages(values: Sequence[Any]) -> bool:
    blocks = 0
    for value in values:
        if not isinstance(value, dict) or value.get("role") not in ROLES or not isinstance(value.get("content"), list):
            return False
        for block in value["content"]:
            if not isinstance(block, dict) or "type" in block:
                return False
            blocks += bool(members_of(block))
    return blocks > 0 or not values


# ---------------------------------------------------------------------------------------------- reading


def read(source: Iterable[Record], options: ReadOptions) -> Read:
    lines = 0
    names: dict[str, str] = {}
    for record in source:
        value = record.value
        if isinstance(value, dict) and isinstance(value.get("messages"), list):
            yield Session(
                NAME,
                "body",
                model=value.get("modelId") if isinstance(value.get("modelId"), str) else None,
                system=_read_system(value.get("system")),
                tools=read_tools(value.get("toolConfig")),
                raw=value,
                record=record.number,
            )
            yield record
            yield from _messages(value["messages"], record)
        elif isinstance(value, list):
            yield Session(NAME, "array", record=record.number)
            yield record
            yield from _messages(value, record)
        elif isinstance(value, dict):
            if not lines:
                yield Session(NAME, "lines", record=record.number)
            yield record
            yield _message(value, record, lines, names)
            lines += 1


def _read_system(system: Json) -> tuple[Text, ...]:
    blocks = read_blocks(system, 0, None, 0)
    return tuple(Text(block.text, raw=block.raw) for block in blocks if isinstance(block, Text))


def _messages(values: Iterable[Json], record: Record) -> Iterator[Message]:
    names: dict[str, str] = {}
    for number, value in enumerate(value for value in values if isinstance(value, dict)):
        yield _message(value, record, number, names)


def _message(value: dict[str, Any], record: Record, number: int, names: dict[str, str]) -> Message:
    role: Any = value.get("role")
    blocks = with_names(read_blocks(value.get("content"), record.number, record.line, number), names)
    return Message(
        role if role in ROLES else "user", blocks, None, None, number, record.line, (record.number,), raw=value
    )


# ---------------------------------------------------------------------------------------------- writing


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    session = transcript.session
    own = session.format == NAME
    unsaid = [*_lost_signatures(transcript, target)]
    head = 0
    while head < len(transcript.messages) and transcript.messages[head].role == "system":
        head += 1
    if own and session.container == "body" and not head and _is_complete(session.raw or {}, target):
        same = unchanged(transcript)
        if same is not None and not unsaid:
            yield same
            return
    yield from unsaid
    if own and session.container != "body":
        same = unchanged(transcript) if not unsaid else None
        yield same or messages_around(transcript, _written(transcript.messages, target, own), "messages")
        yield from _around_unsaid(transcript)
        return
    messages = _written(transcript.messages[head:], target, own)
    system = _written_system(transcript, head, target, own)
    body: dict[str, Any] = {"system": system} if system else {}
    if own:
        raw = session.raw or {}
        settings, change = _limited(raw, target)
        if change is not None:
            yield change
        if "modelId" in raw:
            body["modelId"] = target.model
        body |= {**settings, **transcript.settings}
        config = _own_config(transcript)
        if config:
            body["toolConfig"] = config
        removed = [key for key, gone in (("system", not system), ("toolConfig", not config)) if gone]
        yield messages_around(transcript, messages, "messages", replaced=body, removed=removed)
        return
    body |= transcript.settings
    if transcript.tools:
        body["toolConfig"] = {"tools": write_tools(transcript.tools, own)}
    yield printed(body | {"messages": messages}, COMPACT)


def _is_complete(raw: Any, target: Target) -> bool:
    return raw.get("modelId", target.model) == target.model and _limited(raw, target)[1] is None


def _limited(raw: Any, target: Target) -> tuple[dict[str, Json], Change | None]:
    """Lower the longest answer that a body asks for to what the model can."""
    config, most = raw.get("inferenceConfig"), target.max_output
    given = config.get("maxTokens") if isinstance(config, dict) else None
    if most is None or type(given) is not int or given <= most:
        return {}, None
    what = f"lowered maxTokens to {most:,}, the most that {target.model} answers"
    change = rewritten("request-limit", what, before=str(given), after=str(most))
    return {"inferenceConfig": {**config, "maxTokens": most}}, change


def _lost_signatures(transcript: Transcript, target: Target) -> Iterator[Change]:
    """Tell of signatures that a target which takes reasoning as plain words has no place for."""
    for message in transcript.messages:
        for block in _signed_in_vain(message, target):
            what = "lost the signature of thinking"
            yield downgraded("foreign-signature", what, message, block, before=shortened(block.signature or ""))


def _signed_in_vain(message: Message, target: Target) -> list[Thinking]:
    if target.thinking == "signed":
        return []
    return [block for block in message.of(Thinking) if block.signature and not block.redacted]


def _around_unsaid(transcript: Transcript) -> Iterator[Change]:
    """Tell what a bare list of messages cannot hold."""
    if transcript.system:
        what = "dropped the system prompt: a bare list of messages holds none"
        yield dropped("system-prompt", what, before=shortened(transcript.system[0].text))
    if any(not tool.stub for tool in transcript.tools):
        yield dropped("undeclared-tool", f"a bare list of messages cannot declare {len(transcript.tools)} tools")


def _own_config(transcript: Transcript) -> Any:
    given = (transcript.session.raw or {}).get("toolConfig")
    if transcript.tools == transcript.session.tools:
        return given
    tools = own_tools(given, transcript.tools)
    return {**(given if isinstance(given, dict) else {}), "tools": tools} if tools else None


def _written_system(transcript: Transcript, head: int, target: Target, own: bool) -> Any:
    raw = transcript.session.raw or {}
    if own and not head and transcript.system == transcript.session.system and "system" in raw:
        return raw["system"]
    texts = [*transcript.system]
    for message in transcript.messages[:head]:
        texts.extend(block for block in message.blocks if isinstance(block, Text))
    return write_blocks(texts, target, own)


def _written(messages: Sequence[Message], target: Target, own: bool) -> list[Any]:
    written: list[Any] = []
    run: list[Message] = []  # neighbours of the user's side
    for message in messages:
        if run and (_side(message) != "user" or _side(run[0]) != "user"):
            written.append(_spelled(run, target, own))
            run = []
        run.append(message)
    if run:
        written.append(_spelled(run, target, own))
    return written


def _side(message: Message) -> str:
    return "user" if message.role == "tool" else message.role


def _spelled(run: list[Message], target: Target, own: bool) -> Any:
    first = run[0]
    is_as_read = own and len(run) == 1 and not first.touched and not _signed_in_vain(first, target)
    if is_as_read and first.raw is not None:
        return first.raw
    content = write_blocks((block for message in run for block in message.blocks), target, own)
    raw = (first.raw or {}) if own else {}
    return {**raw, "role": _side(first), "content": content}


FORMAT = Format(
    NAME,
    "request body of Amazon Bedrock's Converse",
    recognise,
    read,
    write,
    api="bedrock-converse-stream",
    provider="amazon-bedrock",
)
