"""What a target accepts, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from segue.model import Origin


@dataclass(frozen=True)
class IdShape:
    """The form of an id or a name: the allowed characters as a regex class (`^` negates it), and how many of them."""

    characters: str = "a-zA-Z0-9_-"
    length: int = 64
    piped: bool = False  # `call|item` is this api's own spelling: calls and texts have the server's item ids
    first: str | None = None  # the class of the first character, where that is a narrower one
    exact: bool = False  # exactly `length` characters, not up to
    wire_only: bool = False  # only a request has to have this form: recordings hold ids of any

    @cached_property
    def _legal(self) -> re.Pattern[str]:
        ahead = f"(?=[{self.first}])" if self.first else ""
        least = self.length if self.exact else 1
        return re.compile(f"{ahead}[{self.characters}]{{{least},{self.length}}}")

    @cached_property
    def _foreign(self) -> re.Pattern[str]:
        is_negated = self.characters.startswith("^")
        return re.compile(f"[{self.characters[1:]}]" if is_negated else f"[^{self.characters}]")

    def accepts(self, text: str) -> bool:
        return self._legal.fullmatch(text) is not None

    def cleaned(self, text: str) -> str:
        """Replace each character that is not allowed by an underscore, or leave it out; nothing is cut."""
        clean = self._foreign.sub("" if self._foreign.match("_") else "_", text)
        return f"_{clean}" if clean and self.first and not re.match(f"[{self.first}]", clean) else clean


@dataclass(frozen=True)
class ImageLimits:
    """Limits of one request. Sizes count the base64 text in bytes, sides are pixels; None where there is no limit."""

    size: int | None = None
    side: int | None = None
    many: int | None = None  # with more images and documents than this …
    many_side: int | None = None  # … each side may be this long only
    count: int | None = None


@dataclass(frozen=True)
class DocumentLimits:
    """Limits of one request on documents, as ImageLimits has them; `pages` counts those of a PDF."""

    size: int | None = None
    count: int | None = None
    pages: int | None = None


@dataclass(frozen=True)
class Target:
    """A model and the api it is spoken to by. The defaults are those of a careful unknown host."""

    provider: str
    api: str
    model: str
    known: bool = True  # the catalogue knows the model; else api and nearest family decide

    context_window: int | None = None  # tokens
    max_output: int | None = None  # tokens

    # settings of a request, which no history holds: the judges and `request_settings` ask for them
    #   any · one of temperature and top_p · usual values · without-effort: while it does not reason · never
    sampling: Literal["any", "one", "usual", "without-effort", "never"] = "any"
    efforts: frozenset[str] = frozenset()  # of reasoning, where all are known
    default_effort: str | None = None  # what holds when a request says nothing
    thinking_types: frozenset[str] = frozenset()  # of Anthropic's `thinking`, where all are known
    thinking_levels: frozenset[str] = frozenset()  # of Gemini's, where all are known; "off" where it can do without
    thinking_efforts: frozenset[str] = frozenset()  # efforts that thinking must not be off for
    block_binding: bool = True  # knows the switch for thinking that is bound to all before it
    forced_calls: bool = True  # a tool choice may demand a call
    output_keys: frozenset[str] = frozenset({"max_tokens", "max_completion_tokens"})  # of Chat Completions

    call_id: IdShape = IdShape()
    call_ids_on_wire: bool = True  # calls and results carry ids; else order and name tell which belong together
    tool_name: IdShape = IdShape()
    declares_tools: bool = False  # calls in the history demand tool definitions
    chat_tools: Literal["any", "without-effort", "never"] = "any"  # takes tools on Chat Completions at all

    # thinking: how the api takes back what its own model thought
    #   signed: a block with its signature · item: a reasoning item · field: a plain field · none: not at all
    thinking: Literal["signed", "item", "field", "none"] = "none"
    thinking_field: str = "reasoning_content"  # the field's name, where it is one
    required_thinking: Literal["none", "calls", "all"] = "none"  # which assistant messages have to bring the field
    thinking_filler: str = ""  # what stands in the field where nothing was thought
    unsigned_thinking: bool = False  # takes back readable thinking that nobody signed
    bound_thinking: bool = False  # a signature also binds all that stood before it
    refuses_transcribed_thinking: bool = False  # refuses reasoning that is shown to it as text
    whole_thinking: bool = False  # of the latest turn it wants all the thinking back, or none
    text_signatures: bool = False  # takes back what its model attached to a text
    call_signatures: bool = False  # takes back the thought signature on a call of its own
    required_call_signatures: bool = False  # each step of the current turn has to bring one on its first call

    # media
    images: bool = False
    documents: bool = False
    document_types: frozenset[str] = frozenset({"application/pdf"})
    image_types: frozenset[str] = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
    image_limits: ImageLimits = ImageLimits()
    document_limits: DocumentLimits = DocumentLimits()
    url_schemes: frozenset[str] = frozenset({"http", "https"})  # of media that it fetches itself
    result_media: frozenset[str] = frozenset()  # kinds of media that may stand inside a tool result
    text_only_error_results: bool = False  # a result marked as an error holds text only, and some
    error_flag: bool = False  # the wire says of a result that it is an error
    named_documents: bool = False  # a document's data has to come with a name
    document_names: bool = False  # documents have names of letters, digits, single spaces, -, () and [], each once
    lone_documents: bool = True  # a message may hold documents without a text beside them

    # shape of the history
    alternates: bool = False  # neighbours of one role have to be one message
    leading_user: bool = False  # the first message has to be the user's
    late_system: bool = True  # system messages may stand in the middle
    single_system: bool = False  # one system message only, where they stand among the messages
    developer_role: bool = False  # knows the role that OpenAI gave to system messages of late
    system_placement: bool = False  # … but only behind the user, and before an assistant or at the end
    prefill: bool = True  # a history may end on the assistant
    user_after_results: bool = True  # the user may speak right behind tool results
    text_after_results: bool = True  # within one message texts may stand behind results; else in front of them
    documents_beside_results: bool = True  # documents may stand in the message that holds results
    text_after_calls: bool = True  # an assistant's texts may stand behind its calls
    blank_text: bool = False  # takes text blocks of white space only
    empty_lists: bool = False  # takes an empty list for a result's content
    null_content: bool = True  # an answer with calls may go without a content
    text_parts: bool = False  # an assistant's text may come in parts
    cache_marks: int = 0  # how many cache_control marks it takes
    request_size: int | None = None  # bytes of a whole request
    server_tools: bool = False  # takes its own server tools' blocks back
    server_call_id: str | None = None  # the pattern of the ids that its server gives to their calls

    # keys that its request body knows, where all are known: of the request, of messages, of blocks by type
    request_keys: frozenset[str] = frozenset()
    spare_keys: frozenset[str] = frozenset()  # of the request: it takes them too, and no body needs them
    message_keys: frozenset[str] = frozenset()
    block_keys: Mapping[str, frozenset[str]] = field(default_factory=dict)
    block_types: Mapping[str, frozenset[str]] = field(default_factory=dict)  # by role, and of a `result`
    member_keys: Mapping[str, frozenset[str]] = field(default_factory=dict)  # of the object under a block's name
    strict_keys: bool = False  # surely refuses keys of messages that it does not know
    thinking_keys: frozenset[str] = frozenset()  # in which hosts put reasoning: the thinking rules settle those

    @property
    def name(self) -> str:
        return f"{self.provider}/{self.model}"

    @property
    def origin(self) -> Origin:
        return Origin(self.provider, self.api, self.model)

    def wrote(self, origin: Origin | None) -> bool:
        """Whether this very model wrote a turn: provider, api and model id all equal."""
        return origin is not None and origin == (self.provider, self.api, self.model)
