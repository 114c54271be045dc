"""Random histories for the laws: pi's unified messages with every fault that recorders leave.

Every text, argument, medium and signature carries a token of its own, so that a law can ask where it went.
"""

# ruff: noqa: E501
from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Json = Any
TOKEN = re.compile(r"tk\d{4}q")
FILLER = "No result provided"


@dataclass(frozen=True)
class Spoken:
    """A target, as it is named on the command line, with the origin that its own turns record."""

    model: str
    api: str | None
    origin: tuple[str, str, str]

    @property
    def name(self) -> str:
        return self.model + (f"-over-{self.api}" if self.api else "")


def _spoken(model: str, api: str | None = None) -> Spoken:
    provider, _, plain = model.partition("/")
    usual = "anthropic-messages" if provider == "anthropic" else "openai-responses"
    return Spoken(model, api, (provider, api or usual, plain))


TARGETS = (
    _spoken("anthropic/claude-sonnet-4-5"),
    _spoken("anthropic/claude-opus-4-8"),
    _spoken("anthropic/claude-opus-5-5"),
    _spoken("anthropic/claude-fable-5"),
    _spoken("openai/gpt-5.2"),
    _spoken("openai/gpt-4o"),
    _spoken("openai/gpt-4o-mini", "openai-completions"),
    _spoken("openai/gpt-4o", "openai-completions"),
    _spoken("openai/o3-mini"),
    _spoken("vllm/some-model", "openai-completions"),
)
ORIGINS: tuple[tuple[str, str, str] | None, ...] = (
    *(target.origin for target in TARGETS),
    ("anthropic", "messages", "claude-sonnet-4-5"),
    ("anthropic", "anthropic-messages", "claude-sonnet-4-5-20250929"),
    ("amazon-bedrock", "bedrock-converse-stream", "anthropic.claude-opus-4-8"),
    ("google", "google-generative-ai", "gemini-3-pro"),
    None,
)

IDS = (
    "toolu_1", "toolu_2", "call_1", "call_2", "call_1|fc_1", "fc_1|call_1", "call_2|fc_1", "call_1|fc_2", "call_1_2", "", "|", "|||",
    "a.b", "a:b", "a_b", "functions.Bash:0", "functions.Bash:1", "é", "日本", "…", " ", "_", "x" * 450, "x" * 449 + "y", "x" * 64 + "a",
    "x" * 64, "x" * 41, "x" * 40, "call_l|fc_" + "f" * 440, "call_1__thought__AbC", "\x00", "\ud83d", "fc_1", "0", "call",
)  # fmt: skip
NAMES = (
    "read",
    "Bash",
    "tabs.open",
    "tabs_open",
    "",
    "a b",
    "mcp__" + "n" * 130,
    "mcp__" + "n" * 130 + "2",
    "é",
    "\ud800",
)
WORDS = (
    "fine", "", " ", "\n\n", "two\nlines", "cut \ud83d emoji", "nul \x00 here", "😀", "[bold]not markup[/]", "\x1b[31mred\x1b[0m", "\u2028",
    '{"a": 1}', "<thinking>hm</thinking>", "trailing  ", "word " * 60,
)  # fmt: skip
ARGUMENTS: tuple[Json, ...] = (
    {}, {"path": "a"}, {"n": None, "f": 1.5, "big": 10**30}, {"deep": {"er": [{"x": [[], {}]}]}}, {"cut": "\ud83d", "\ud800": "\x00"},
    '{"path": "b"}', "{broken", "", [1, "two"], None, 7, True,
)  # fmt: skip
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"


# -------------------------------------------------------------------------------------------- blocks


def plain_words() -> st.SearchStrategy[dict[str, Json]]:
    """Texts of a user or a result."""
    return st.builds(lambda text: {"type": "text", "text": text}, st.sampled_from(WORDS))


def words() -> st.SearchStrategy[dict[str, Json]]:
    """Texts, with and without the signatures that models attach to them."""
    return st.builds(
        lambda text, signature: {"type": "text", "text": text} | signature,
        st.sampled_from(WORDS),
        st.sampled_from(
            (
                {},
                {},
                {},
                {"textSignature": "@item"},
                {"textSignature": "@plain"},
                {"textSignature": ""},
                {"textSignature": "msg_1"},
            )
        ),
    )


def thoughts() -> st.SearchStrategy[dict[str, Json]]:
    """Thinking: signed for either vendor, empty but signed, unsigned, redacted, or with its signature cut."""
    return st.builds(
        lambda text, marks: {"type": "thinking", "thinking": text} | marks,
        st.sampled_from(("hm", "hm", "", " \n", "cut \ud83d", "nul \x00")),
        st.sampled_from((
            {}, {"thinkingSignature": "@plain"}, {"thinkingSignature": "@reasoning"}, {"thinkingSignature": ""}, {"thinkingSignature": "EqQ"},
            {"thinkingSignature": '{"type":"reasoning","id":"rs_'}, {"thinkingSignature": "@plain", "redacted": True}, {"redacted": True},
            {"thinkingSignature": "reasoning_content"},
            {"thinkingSignature": "@same reasoning"},
        )),
    )  # fmt: skip


def calls() -> st.SearchStrategy[dict[str, Json]]:
    """Tool calls with nasty ids, names and arguments."""
    return st.builds(
        lambda id, name, arguments, mark: {"type": "toolCall", "id": id, "name": name, "arguments": arguments} | mark,
        st.sampled_from(IDS),
        st.sampled_from(NAMES[:3]) | st.sampled_from(NAMES),
        st.sampled_from(ARGUMENTS[:2]) | st.sampled_from(ARGUMENTS),
        st.sampled_from(({}, {}, {"thoughtSignature": "@plain"})),
    )


def media() -> st.SearchStrategy[dict[str, Json]]:
    """Images: good, of a wrong type, of no type at all, and no base64."""
    kinds = ("image/png", "image/png", "image/jpeg", "image/tiff", "", "application/pdf")
    return st.builds(
        lambda kind, data: {"type": "image", "mimeType": kind, "data": data},
        st.sampled_from(kinds),
        st.sampled_from(("@png", "@png", "@png", "", "no base64!", "@pdf")),
    )


UNKNOWN: tuple[Json, ...] = (
    {"type": "hologram", "beam": 1},
    {"type": "tool_reference", "tool_name": "read"},
    {"text": "no type"},
    {"type": "tool_use", "id": "toolu_loose", "name": "ls", "input": {}},
    {"type": "search_result"},
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tides"}},
)


def content(*kinds: st.SearchStrategy[Json], most: int = 3) -> st.SearchStrategy[Json]:
    """Contents of a message: a string, a list of blocks, nothing."""
    blocks = st.lists(st.one_of(*kinds), max_size=most)
    return blocks | blocks | st.sampled_from(WORDS)


# ------------------------------------------------------------------------------------------ messages


def users() -> st.SearchStrategy[dict[str, Json]]:
    return st.builds(
        lambda value: {"role": "user", "content": value},
        content(plain_words(), plain_words(), media(), st.sampled_from(UNKNOWN)),
    )


def systems() -> st.SearchStrategy[dict[str, Json]]:
    return st.builds(lambda value: {"role": "system", "content": value}, st.sampled_from(WORDS))


@st.composite
def turns(draw: st.DrawFn, own: tuple[str, str, str] | None) -> dict[str, Json]:
    """One assistant turn: by the target's own model in a third of all cases."""
    origin = draw(st.sampled_from((own, own, *ORIGINS)) if own else st.sampled_from(ORIGINS))
    blocks = draw(
        st.lists(st.one_of(words(), thoughts(), calls(), calls(), st.sampled_from(UNKNOWN)), max_size=5)
        | st.lists(calls(), min_size=2, max_size=4)
    )
    reasons = ("stop", "toolUse", "length", "error", "aborted", None)
    stop = draw(st.sampled_from(("toolUse", "stop", "toolUse", *reasons)))
    turn: dict[str, Json] = {"role": "assistant", "content": blocks}
    if origin is not None:
        turn |= dict(zip(("provider", "api", "model"), origin, strict=True))
    if stop is not None:
        turn["stopReason"] = stop
    if stop in ("error", "aborted"):
        turn["errorMessage"] = "overloaded"
    return turn


def results() -> st.SearchStrategy[tuple[Json, bool]]:
    """What a result says, and whether it is an error."""
    real = content(plain_words(), plain_words(), media(), st.sampled_from(UNKNOWN), most=2)
    filler = st.sampled_from((FILLER, "[Tool execution interrupted]", "aborted"))
    return st.tuples(real | real | filler, st.sampled_from((False, False, True)))


_EVENTS = (
    "answer",
    "answer",
    "answer",
    "answer",
    "some",
    "late",
    "twice",
    "stray",
    "user",
    "user",
    "user",
    "system",
    "turn",
)


@st.composite
def histories(draw: st.DrawFn, own: tuple[str, str, str] | None = None, most: int = 9) -> list[dict[str, Json]]:
    """A history of any kind of disorder, in pi's words, every text with its token."""
    messages: list[dict[str, Json]] = []
    called: list[dict[str, Json]] = []
    for event in draw(st.lists(st.sampled_from(_EVENTS), min_size=1, max_size=most)):
        if event == "user":
            messages.append(draw(users()))
        elif event == "system":
            messages.append(draw(systems()))
        elif event in ("turn", "answer", "some"):
            turn = draw(turns(own))
            messages.append(turn)
            latest = [block for block in turn["content"] if block.get("type") == "toolCall"]
            called.extend(latest)
            if event == "turn" or not latest:
                continue
            answered = latest if event == "answer" else draw(st.permutations(latest))[: draw(st.integers(0, 2))]
            messages.extend(_result(call, *draw(results())) for call in answered)
        elif event == "stray" or not called:
            call = {"id": draw(st.sampled_from(IDS)), "name": draw(st.sampled_from(NAMES))}
            messages.append(_result(call, *draw(results())))
        else:
            messages.extend(
                _result(draw(st.sampled_from(called)), *draw(results())) for _ in range(1 + (event == "twice"))
            )
    return tagged(messages)


def _result(call: dict[str, Json], said: Json, is_error: bool) -> dict[str, Json]:
    return {
        "role": "toolResult",
        "toolCallId": call["id"],
        "toolName": call["name"],
        "content": said,
        "isError": is_error,
    }


# -------------------------------------------------------------------------------------------- tokens


def tagged(messages: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """Give every text, argument, medium and signature a token of its own."""
    count = 0

    def token() -> str:
        nonlocal count
        count += 1
        return f"tk{count:04}q"

    def text(value: str) -> str:
        return f"{token()} {value}" if value.strip() and not is_filler(value) else value

    def block(value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        value = dict(value)
        if value.get("type") == "text":
            value["text"] = text(value["text"])
        if value.get("type") == "thinking":
            value["thinking"] = text(value["thinking"])
        for key in ("textSignature", "thinkingSignature", "thoughtSignature"):
            if str(value.get(key)).startswith("@"):
                value[key] = _signature(value[key], token(), value.get("thinking", ""))
        if value.get("type") == "toolCall":
            value["arguments"] = _arguments(value["arguments"], token)
        if value.get("type") == "image" and value["data"].startswith("@"):
            head = PNG if value["data"] == "@png" else b"%PDF-1.7 padded so"
            data = head + token().encode()
            value["data"] = base64.b64encode(data + b"=" * (-len(data) % 3)).decode()
        return value

    made = []
    for number, message in enumerate(messages):
        said = message["content"]
        said = text(said) if isinstance(said, str) else [block(item) for item in said]
        made.append({**message, "content": said, "timestamp": 1_767_323_045_000 + number})
    return made


def _signature(kind: str, token: str, thought: str) -> str:
    if kind.endswith("reasoning"):
        summary = [{"type": "summary_text", "text": thought}] if thought else []
        id = "rs_1" if kind == "@same reasoning" else f"rs_{token}"
        return json.dumps({"type": "reasoning", "id": id, "summary": summary, "encrypted_content": f"gAAA{token}"})
    if kind == "@item":
        return json.dumps({"v": 1, "id": f"msg_{token}"})
    return f"EqQB{token}"


def _arguments(value: Json, token: Any) -> Json:
    if isinstance(value, dict):
        return {**value, "token": token()}
    if isinstance(value, list):
        return [*value, token()]
    if isinstance(value, str) and value:
        return value.replace("b", token()) if value.startswith('{"') else value + token()
    return value


def is_filler(text: str) -> bool:
    return text.strip() in (FILLER, "[Tool execution interrupted]", "aborted")


def as_bytes(value: Json) -> bytes:
    """Print as JSON with escapes only: lone surrogates and all."""
    return json.dumps(value).encode() + b"\n"
