"""Random histories for the laws: pi's unified messages with every fault that recorders leave.

Beside pi's blocks they hold documents (`{"type": "document", "mimeType", "data", "name"}`) and images by `url`, which the
other formats' spellings have words for. `tagging` gives everything a token.
"""

# ruff: noqa: E501
from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from spoken import ORIGINS
from tagging import FILLERS, tagged

Json = Any

IDS = (
    "toolu_1", "toolu_2", "call_1", "call_2", "call_1|fc_1", "fc_1|call_1", "call_2|fc_1", "call_1|fc_2", "call_1_2", "", "|", "|||",
    "a.b", "a:b", "a_b", "functions.Bash:0", "functions.Bash:1", "é", "日本", "…", " ", "_", "x" * 450, "x" * 449 + "y", "x" * 64 + "a",
    "x" * 64, "x" * 41, "x" * 40, "call_l|fc_" + "f" * 440, "call_1__thought__AbC", "\x00", "\ud83d", "fc_1", "0", "call",
    "aB3dE6gH9", "aB3-dE6-gH9", "aB3dE6gH99", "tooluse_1", "null",
)  # fmt: skip
NAMES = (
    "read", "Bash", "tabs.open", "tabs_open", "", "a b", "mcp__" + "n" * 130, "mcp__" + "n" * 130 + "2", "é", "\ud800", "2fa_code",
    "mcp.files." + "n" * 60, "mcp.files." + "n" * 60 + "2", "mcp__files__" + "n" * 60, "ns:tool", "-dash", ".dot",
)  # fmt: skip
WORDS = (
    "fine", "", " ", "\n\n", "two\nlines", "cut \ud83d emoji", "nul \x00 here", "😀", "[bold]not markup[/]", "\x1b[31mred\x1b[0m", "\u2028",
    '{"a": 1}', "<thinking>hm</thinking>", "trailing  ", "word " * 60, '{"$ref": "#/a", "rows": [1, {"b": null}]}', "[1, 2]",
)  # fmt: skip
ARGUMENTS: tuple[Json, ...] = (
    {}, {"path": "a"}, {"n": None, "f": 1.5, "big": 10**30}, {"deep": {"er": [{"x": [[], {}]}]}}, {"cut": "\ud83d", "\ud800": "\x00"},
    '{"path": "b"}', "{broken", "", [1, "two"], None, 7, True,
)  # fmt: skip
DOCUMENT_NAMES = (
    None,
    None,
    "plan.pdf",
    "plan.pdf",
    "plan_v2 (final).pdf",
    "  ",
    "",
    "été\n日本.pdf",
    "n" * 250 + ".pdf",
    "plan pdf",
    "plan-pdf",
)


# -------------------------------------------------------------------------------------------- blocks


def plain_words() -> st.SearchStrategy[dict[str, Json]]:
    """Texts of a user or a result."""
    return st.builds(lambda text: {"type": "text", "text": text}, st.sampled_from(WORDS))


def words() -> st.SearchStrategy[dict[str, Json]]:
    """Texts, with and without the signatures that models attach to them; blank ones with them too."""
    marks = ("@item", "@phase", "@later item", "@plain", "@plain", "@message id", "", "msg_1", "{cut", "no base64!")
    signatures = st.sampled_from(({}, *({"textSignature": mark} for mark in marks)))
    signed = st.builds(lambda text, mark: {"type": "text", "text": text} | mark, st.sampled_from(WORDS), signatures)
    blank = st.builds(lambda mark: {"type": "text", "text": ""} | mark, signatures)
    return plain_words() | plain_words() | signed | blank


def thoughts() -> st.SearchStrategy[dict[str, Json]]:
    """Thinking: signed for each vendor, empty but signed, unsigned, redacted, or with its signature cut."""
    return st.builds(
        lambda text, marks: {"type": "thinking", "thinking": text} | marks,
        st.sampled_from(("hm", "hm", "", " \n", "cut \ud83d", "nul \x00")),
        st.sampled_from((
            {}, {"thinkingSignature": "@plain"}, {"thinkingSignature": "@plain"}, {"thinkingSignature": "@reasoning"}, {"thinkingSignature": ""},
            {"thinkingSignature": "@cut"}, {"thinkingSignature": '{"type":"reasoning","id":"rs_'}, {"thinkingSignature": "@plain", "redacted": True},
            {"redacted": True}, {"thinkingSignature": "reasoning_content"}, {"thinkingSignature": "reasoning"}, {"thinkingSignature": "thinking"},
            {"thinkingSignature": "@same reasoning"}, {"thinkingSignature": "@reasoning id"}, {"thinkingSignature": "@details"},
        )),
    )  # fmt: skip


def calls() -> st.SearchStrategy[dict[str, Json]]:
    """Tool calls with nasty ids, names and arguments, and thought signatures of Google's, of others', and broken ones."""
    marks = ("@plain", "@plain", "@cut", "@custom call", "no base64!", "skip_thought_signature_validator")
    return st.builds(
        lambda id, name, arguments, mark: {"type": "toolCall", "id": id, "name": name, "arguments": arguments} | mark,
        st.sampled_from(IDS),
        st.sampled_from(NAMES[:3]) | st.sampled_from(NAMES),
        st.sampled_from(ARGUMENTS[:2]) | st.sampled_from(ARGUMENTS),
        st.sampled_from(({}, {}, {}, *({"thoughtSignature": mark} for mark in marks))),
    )


def images() -> st.SearchStrategy[dict[str, Json]]:
    """Images: good, of a wrong type, of no type at all, too large, by their address, and no base64."""
    kinds = ("image/png", "image/png", "image/jpeg", "image/gif", "image/tiff", "", "application/pdf")
    data = ("@png", "@png", "@png", "@gif", "@png 2400", "@png 12000", "", "no base64!", "@pdf")
    urls = ("https://example.org/a.png?", "gs://bucket/", "s3://bucket/", "ftp://example.org/")
    return st.builds(
        lambda kind, data: {"type": "image", "mimeType": kind, "data": data},
        st.sampled_from(kinds),
        st.sampled_from(data),
    ) | st.builds(lambda url: {"type": "image", "mimeType": "image/png", "url": url}, st.sampled_from(urls))


def documents() -> st.SearchStrategy[dict[str, Json]]:
    """Documents: PDFs, texts, tables and office files, with names, odd names, equal names and none."""
    kinds = (
        ("application/pdf", "@pdf"),
        ("text/plain", "@text"),
        ("text/csv", "@text"),
        ("application/msword", "@text"),
        ("", "@pdf"),
    )
    return st.builds(
        lambda kind, name: (
            {"type": "document", "mimeType": kind[0], "data": kind[1]} | ({} if name is None else {"name": name})
        ),
        st.sampled_from((*kinds[:2], *kinds)),
        st.sampled_from(DOCUMENT_NAMES),
    )


UNKNOWN: tuple[Json, ...] = (
    {"type": "hologram", "beam": 1},
    {"type": "tool_reference", "tool_name": "read"},
    {"text": "no type"},
    {"type": "tool_use", "id": "toolu_loose", "name": "ls", "input": {}},
    {"type": "search_result"},
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tides"}},
)


def put_in() -> st.SearchStrategy[dict[str, Json]]:
    """What a user or a tool puts in: mostly words."""
    return st.one_of(plain_words(), plain_words(), plain_words(), images(), documents(), st.sampled_from(UNKNOWN))


def content(*kinds: st.SearchStrategy[Json], most: int = 3) -> st.SearchStrategy[Json]:
    """Contents of a message: a string, a list of blocks, nothing."""
    blocks = st.lists(st.one_of(*kinds), max_size=most)
    return blocks | blocks | st.sampled_from(WORDS)


# ------------------------------------------------------------------------------------------ messages


@st.composite
def users(draw: st.DrawFn) -> dict[str, Json]:
    """What a user says; now and then with more pictures or documents than an api takes."""
    said = draw(content(put_in()))
    if draw(st.integers(0, 11)) == 0 and isinstance(said, list):
        kind = draw(st.sampled_from(("@png", "@png 2400")))
        picture = {"type": "image", "mimeType": "image/png", "data": kind}
        paper = {"type": "document", "mimeType": "application/pdf", "data": "@pdf", "name": "plan.pdf"}
        said = said + draw(st.sampled_from(([picture] * 9, [picture] * 22, [paper] * 7)))
    return {"role": "user", "content": said}


def systems() -> st.SearchStrategy[dict[str, Json]]:
    return st.builds(lambda value: {"role": "system", "content": value}, st.sampled_from(WORDS))


@st.composite
def turns(draw: st.DrawFn, own: tuple[str, str, str] | None) -> dict[str, Json]:
    """One assistant turn: by the target's own model in half of all cases."""
    origin = own if own and draw(st.booleans()) else draw(st.sampled_from(ORIGINS))
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
    real = content(put_in(), most=2)
    return st.tuples(real | real | st.sampled_from(FILLERS), st.sampled_from((False, False, True)))


_EVENTS = (
    "answer", "answer", "answer", "answer", "answer and user", "some", "late", "twice", "stray", "user", "user", "user", "system", "turn",
)  # fmt: skip


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
        elif event in ("turn", "answer", "answer and user", "some"):
            turn = draw(turns(own))
            messages.append(turn)
            latest = [block for block in turn["content"] if block.get("type") == "toolCall"]
            called.extend(latest)
            if event == "turn" or not latest:
                continue
            answered = draw(st.permutations(latest))[: draw(st.integers(0, 2))] if event == "some" else latest
            messages.extend(_result(call, *draw(results())) for call in answered)
            if event == "answer and user":
                messages.append(draw(users()))
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
