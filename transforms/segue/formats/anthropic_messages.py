"""Request body of Anthropic's `POST /v1/messages`.

Also a bare list of such messages, lines of them, and data sets of one body a line. Consecutive messages of the user's
side (results, then words) are one message on the wire; that much joining is spelling.
Facts: /v1/messages documents and SDK 2.14, read 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from segue.changes import Change, dropped, rewritten, shortened
from segue.formats._anthropic import read_blocks, read_server_tools, read_tools, with_names, write_blocks, write_tools
from segue.formats._document import COMPACT, messages_around, printed, unchanged
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Message, Record, Session, Text, Transcript
from segue.targets import Target

NAME = "anthropic-messages"
DEFAULT_MAX_TOKENS = 8192
ROLES = ("user", "assistant", "system")
_BLOCK_TYPES = frozenset(
    {
        "tool_use",
        "tool_result",
        "thinking",
        "redacted_thinking",
        "server_tool_use",
        "image",
        "document",
        "search_result",
    }
)
_OPENAI_MARKS = frozenset({"tool_calls", "tool_call_id", "function_call", "refusal", "reasoning_content"})


# ------------------------------------------------------------------------------------------ recognising


def recognise(values: Sequence[object], whole: bool) -> bool:
    first = values[0]
    if isinstance(first, dict) and isinstance(first.get("messages"), list):
        messages = first["messages"]
        return _are_messages(messages) and (_speaks_anthropic(messages) or _is_anthropic_body(first, messages))
    if isinstance(first, list):
        return _are_messages(first) and _speaks_anthropic(first)
    return len(values) > 1 and _are_messages(values) and _speaks_anthropic(values)


def _are_messages(values: Sequence[Any]) -> bool:
    return all(isinstance(value, dict) and value.get("role") in ROLES and "content" in value for value in values)


def _speaks_anthropic(messages: Sequence[Any]) -> bool:
    for message in messages:
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, dict) or block.get("type") not in _BLOCK_TYPES:
                continue
            if block["type"] not in ("image", "document") or isinstance(block.get("source"), dict):
                return True
    return False


def _is_anthropic_body(body: dict[str, Any], messages: Sequence[Any]) -> bool:
    """Tell a body without blocks of its own by its other keys."""
    if any(_OPENAI_MARKS & message.keys() for message in messages):
        return False
    if "system" in body or "stop_sequences" in body or "thinking" in body:
        return True
    is_claude = "claude" in str(body.get("model", "")) and "max_tokens" in body
    return is_claude and all(message["role"] != "system" for message in messages)


# ---------------------------------------------------------------------------------------------- reading


def read(source: Iterable[Record], options: ReadOptions) -> Read:
    lines: list[Record] = []
    names: dict[str, str] = {}
    for record in source:
        value = record.value
        if isinstance(value, dict) and isinstance(value.get("messages"), list):
            yield Session(
                NAME,
                "body",
                model=value.get("model") if isinstance(value.get("model"), str) else None,
                system=_read_system(value.get("system")),
                tools=read_tools(value.get("tools")),
                server_tools=read_server_tools(value.get("tools")),
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
            yield _message(value, record, len(lines), names)
            lines.append(record)


def _read_system(system: Any) -> tuple[Text, ...]:
    if isinstance(system, str):
        return (Text(system),) if system else ()
    if not isinstance(system, list):
        return ()
    return tuple(
        Text(block["text"], raw=block)
        for block in system
        if isinstance(block, dict) and isinstance(block.get("text"), str)
    )


def _messages(values: Iterable[Any], record: Record) -> Iterator[Message]:
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
    if own and _is_complete(transcript, target):
        same = unchanged(transcript)
        if same is not None:
            yield same
            return
    if own and session.container != "body":
        yield from _in_its_container(transcript)
        return
    head = 0
    while head < len(transcript.messages) and transcript.messages[head].role == "system":
        head += 1
    messages = _written(transcript.messages[head:], own)
    body: dict[str, Any] = {"model": target.model, **transcript.settings}
    system = _written_system(transcript, head, own)
    if own:
        raw = session.raw or {}
        limit, change = _max_tokens(raw.get("max_tokens"), target)
        if change is not None:
            yield change
        body["max_tokens"] = limit
        tools = _own_tools(transcript)
        removed = [key for key, gone in (("system", not system), ("tools", not tools)) if gone]
        if system:
            body["system"] = system
        if tools:
            body["tools"] = tools
        text = messages_around(transcript, messages, "messages", replaced=body, removed=removed)
        yield text
        return
    body["max_tokens"] = _max_tokens(None, target)[0]
    if system:
        body["system"] = system
    if transcript.tools or transcript.server_tools:
        body["tools"] = [tool.raw for tool in transcript.server_tools] + write_tools(transcript.tools, own)
    yield printed(body | {"messages": messages}, COMPACT)


def _in_its_container(transcript: Transcript) -> Iterator[bytes | Change]:
    """Write a bare list of messages, or lines of them, as what they were."""
    same = unchanged(transcript)
    yield same if same is not None else messages_around(transcript, _written(transcript.messages, own=True), "messages")
    if transcript.system:
        what = "dropped the system prompt: a bare list of messages holds none"
        yield dropped("system-prompt", what, before=shortened(transcript.system[0].text))
    if any(not tool.stub for tool in transcript.tools):
        yield dropped("undeclared-tool", f"a bare list of messages cannot declare {len(transcript.tools)} tools")


def _own_tools(transcript: Transcript) -> list[Any]:
    """Spell the tools beside those that the server runs itself, which stay as they are."""
    given = (transcript.session.raw or {}).get("tools")
    session = transcript.session
    is_given = (transcript.tools, transcript.server_tools) == (session.tools, session.server_tools)
    if is_given and isinstance(given, list):
        return given
    return [tool.raw for tool in transcript.server_tools] + write_tools(transcript.tools, own=True)


def _is_complete(transcript: Transcript, target: Target) -> bool:
    raw = transcript.session.raw
    return (
        transcript.session.container == "body"
        and raw is not None
        and raw.get("model") == target.model
        and isinstance(raw.get("max_tokens"), int)
        and (target.max_output is None or raw["max_tokens"] <= target.max_output)
    )


def _max_tokens(given: Any, target: Target) -> tuple[int, Change | None]:
    """Choose the longest answer: what the body asks for, as far as the model can."""
    most = target.max_output
    if not isinstance(given, int):
        return min(DEFAULT_MAX_TOKENS, most or DEFAULT_MAX_TOKENS), None
    if most is None or given <= most:
        return given, None
    what = f"lowered max_tokens to {most:,}, the most that {target.model} answers"
    return most, rewritten("request-limit", what, before=str(given), after=str(most))


def _written_system(transcript: Transcript, head: int, own: bool) -> Any:
    texts = [*transcript.system]
    for message in transcript.messages[:head]:
        texts.extend(block for block in message.blocks if isinstance(block, Text))
    if not texts:
        return None
    raw = transcript.session.raw or {}
    if own and not head and transcript.system == transcript.session.system and "system" in raw:
        return raw["system"]
    if all(not (own and text.raw) for text in texts):
        return "\n\n".join(text.text for text in texts)
    return write_blocks(texts, own)


def _written(messages: Sequence[Message], own: bool) -> list[Any]:
    written: list[Any] = []
    run: list[Message] = []  # neighbours of the user's side
    for message in messages:
        if run and _side(message) != _side(run[0]):
            written.append(_spelled(run, own))
            run = []
        if run and message.role == "assistant":
            written.append(_spelled(run, own))
            run = []
        run.append(message)
    if run:
        written.append(_spelled(run, own))
    return written


def _side(message: Message) -> str:
    return "user" if message.role == "tool" else message.role


def _spelled(run: list[Message], own: bool) -> Any:
    first = run[0]
    if own and len(run) == 1 and not first.touched and first.raw is not None:
        return first.raw
    blocks = [block for message in run for block in message.blocks]
    if len(blocks) == 1 and isinstance(blocks[0], Text) and not (own and blocks[0].raw):
        content: Any = blocks[0].text
    else:
        content = write_blocks(blocks, own)
    raw = (first.raw or {}) if own else {}
    return {**raw, "role": _side(first), "content": content}


FORMAT = Format(
    NAME,
    "request body of Anthropic's POST /v1/messages",
    recognise,
    read,
    write,
    dialect="anthropic",
    api="anthropic-messages",
    provider="anthropic",
)
