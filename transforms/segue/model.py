"""The model that every format is read into: blocks, messages, sessions.

All types are frozen. A pass that has nothing to do hands on the very same object, so `is` tells
"untouched", and a writer of the source's own format may copy what is untouched as bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

Json: TypeAlias = Any
Raw: TypeAlias = "Mapping[str, Json] | None"
Role: TypeAlias = Literal["system", "user", "assistant", "tool"]


class Place(NamedTuple):
    """Where in the source a block stood. `line` counts from 1, everything else from 0."""

    record: int
    line: int | None
    message: int
    block: int


class Origin(NamedTuple):
    """Who wrote an assistant turn. The api `messages` of older recordings is `anthropic-messages`."""

    provider: str
    api: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}"


# ------------------------------------------------------------------------------------------ blocks
#
# `raw` is the object of the source that a block was read from, in the dialect of the source's format. A writer of
# that format lays the block's fields over it, so unknown fields survive; every other writer ignores it.


@dataclass(frozen=True, slots=True)
class Text:
    """Readable words. `signature` is what a model attached to them (OpenAI: an id, Google: a thought signature)."""

    text: str
    signature: str | None = None
    refusal: bool = False
    raw: Raw = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Thinking:
    """A model's reasoning.

    `signature` is the opaque part that lets its own model read it again: Anthropic's signature, the JSON text of an
    OpenAI reasoning item, the name of the field it came in on a chat api. `redacted` thinking has no readable
    text; its payload is the signature.
    """

    text: str
    signature: str | None = None
    redacted: bool = False
    raw: Raw = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool. `arguments` is a JSON object, or the raw text where the model's JSON was broken.

    `signature` is Google's thought signature on the call. An id may be piped, `call_…|fc_…`: see `identity.id_parts`.
    `item` is the id that OpenAI's server gave to the item that holds the call, where it is kept apart.
    """

    id: str
    name: str
    arguments: Json
    signature: str | None = None
    item: str | None = None
    raw: Raw = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to the call with the same id. `filler` marks a result that some agent made up for a lost one."""

    call_id: str
    name: str
    content: tuple[ContentBlock, ...]
    is_error: bool = False
    raw: Raw = None
    place: Place | None = None

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.content if isinstance(block, Text))


@dataclass(frozen=True, slots=True)
class Media:
    """An image or a document: base64 `data`, or a `url`, or the id of an uploaded `file`; exactly one of them."""

    kind: Literal["image", "document"]
    media_type: str
    data: str | None = None
    url: str | None = None
    file: str | None = None
    name: str | None = None
    raw: Raw = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Opaque:
    """A block that only its own format knows: server tools, tool references, whatever comes next year."""

    type: str
    raw: Raw = None
    place: Place | None = None


Block: TypeAlias = "Text | Thinking | ToolCall | ToolResult | Media | Opaque"
ContentBlock: TypeAlias = "Text | Media | Opaque"


# ---------------------------------------------------------------------------------------- messages

Mark: TypeAlias = Literal[
    "compaction-boundary",  # everything before it was compacted away; holds no blocks itself
    "compaction-summary",  # the memory of what was compacted
    "virtual",  # shown to the person only
    "snipped",  # taken out of the sent view by its agent
    "attachment",  # context that its agent moves up to the last answer before it sends
    "queued",  # typed while its agent worked: the model had it, but it stands in the agent's queue only
    "meta",  # words of the agent in the user's name; they are sent
    "injected",  # what its agent tells of its own surroundings: another agent has others
    "api-error",  # the agent's notice that a request failed
    "thinking-lost",  # a rule took thinking out of the turn
]


@dataclass(frozen=True, slots=True)
class Message:
    """What one or more records say to a model in one turn of one role.

    `tool` messages hold results only; results may also lead a `user` message, as Anthropic has it. `number` counts
    the messages of the source's history from 0, None for one that a rule made. `records` are the indices of the
    records it came from. `touched` tells that a rule changed it since it was read.
    """

    role: Role
    blocks: tuple[Block, ...]
    origin: Origin | None = None
    stop_reason: str | None = None
    number: int | None = None
    line: int | None = None
    records: tuple[int, ...] = ()
    id: str | None = None
    time: str | float | int | None = None
    marks: frozenset[Mark] = frozenset()
    raw: Raw = None
    touched: bool = False

    def with_blocks(self, blocks: Iterable[Block]) -> Message:
        return replace(self, blocks=tuple(blocks), touched=True)

    def of(self, kind: type[Block]) -> list[Any]:
        return [block for block in self.blocks if isinstance(block, kind)]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool's declaration. `parameters` is a JSON schema; a `stub` was derived from calls, nobody declared it.

    A tool that the vendor's `server` runs by itself is what its `raw` says, and nothing else.
    """

    name: str
    description: str = ""
    parameters: Json = field(default_factory=lambda: {"type": "object"})
    stub: bool = False
    raw: Raw = None
    server: bool = False


Container: TypeAlias = Literal["session", "body", "array", "lines"]


@dataclass(frozen=True, slots=True)
class Session:
    """What a source says beside its messages.

    `container` tells the shape of the file: a `session` of records, a request `body` or an object around messages, a
    bare `array` of messages, or `lines` with one message each. `raw` is the object around the messages, where there
    is one. `prefix_known`: system prompt and tools are in the source, so a prefix-bound signature can be judged.
    `joined` names, for a record whose parent is not there, the record that it was joined to, both by number; `leaf` is
    the record that a tree was read from, where its reader tells it.
    """

    format: str
    container: Container = "session"
    id: str | None = None
    model: str | None = None
    system: tuple[Text, ...] = ()
    tools: tuple[Tool, ...] = ()
    raw: Raw = None
    prefix_known: bool = True
    record: int = 0
    joined: Mapping[int, int] = field(default_factory=dict)
    leaf: int | None = None
    server_tools: tuple[Tool, ...] = ()


@dataclass(frozen=True)
class History:
    """What the passes work on: the messages, the system prompt, the tools.

    `changed_from` is where the first change of some rule so far stood: the numbers of message and block in the source
    (block -1: the message as a whole), None while nothing was changed.
    """

    messages: tuple[Message, ...]
    system: tuple[Text, ...] = ()
    tools: tuple[Tool, ...] = ()
    prefix_known: bool = True
    changed_from: tuple[int, int] | None = None
    server_tools: tuple[Tool, ...] = ()

    @cached_property
    def contents(self) -> frozenset[str]:
        """What there is at all, so that a rule with nothing to find is not entered: type names, roles and marks."""
        found: set[str] = {"Tools"} if self.tools else set()
        kinds: set[type] = set()
        for message in self.messages:
            found.add(message.role)
            found.update(message.marks)
            if message.stop_reason:
                found.add(f"stop:{message.stop_reason}")
            for block in message.blocks:
                kinds.add(type(block))
                if type(block) is ToolResult:
                    kinds.update(map(type, block.content))
                    if block.is_error:
                        found.add("error-result")
        found.update(kind.__name__ for kind in kinds)
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class Record:
    """One line (or object) of the source.

    `number` counts the records from 0, `line` is the physical line it starts on, from 1. `start` and `end` bound its
    bytes in the source's UTF-8 text, without the line's end. `value` is the parsed JSON, None when a reader has let it
    go or when it nests too deep to be parsed. `repaired` records have no such bytes: they are printed from `value`.
    """

    number: int
    line: int
    start: int
    end: int
    value: Json
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What a transcript was read from: the whole text as UTF-8, its records, and the messages as they were read."""

    data: bytes
    records: tuple[Record, ...]
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A history with what a writer needs beside it.

    As it comes from a reader, `messages` are the source's own. As it comes from `fit`, they are fitted, and `hidden`
    holds the numbers of those source messages that left the history only because their agent would not send them:
    the source's own format keeps their records. What is missing and not hidden was dropped.
    """

    session: Session
    messages: tuple[Message, ...]
    source: Source
    system: tuple[Text, ...] = ()
    tools: tuple[Tool, ...] = ()
    hidden: frozenset[int] = frozenset()
    reshaped: bool = False  # something beside the messages has changed: the source's bytes will not do
    settings: Mapping[str, Json] = field(default_factory=dict)  # what a request body says beside the history
    server_tools: tuple[Tool, ...] = ()  # those that the vendor's server runs by itself

    @property
    def is_unchanged(self) -> bool:
        """Whether every message, the system prompt and the tools are those of the source."""
        kept = tuple(message for message in self.source.messages if message.number not in self.hidden)
        return (
            not self.reshaped
            and len(self.messages) == len(kept)
            and all(one is other for one, other in zip(self.messages, kept, strict=True))
            and self.system == self.session.system
            and self.tools == self.session.tools
            and self.server_tools == self.session.server_tools
        )


@dataclass(frozen=True, slots=True)
class Declared:
    """New tools or a new system prompt, yielded by a pass beside the messages; None leaves what is there."""

    tools: tuple[Tool, ...] | None = None
    system: tuple[Text, ...] | None = None
