"""Made-up Claude Code sessions: everything that a recorder may leave behind, in any order.

Each step adds lines as the agent would, or as a crash, a rewind or a proxy would have it. Texts are numbered, so that
one that is lost can be named.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SIGNATURE = "EqQBCkYIBRgCKkDTZWFsZWQ="
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}


@dataclass
class Recorder:
    """A session while it is written. `tip` is the line that the next one hangs on."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    tip: str | None = None
    nodes: list[str] = field(default_factory=list)
    calls: list[tuple[str, str]] = field(default_factory=list)  # calls without a result: id, and the line of each
    count: int = 0

    def number(self) -> int:
        self.count += 1
        return self.count

    def stamp(self) -> str:
        seconds = 2 * len(self.lines)
        return f"2026-03-01T{10 + seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000Z"

    def aside(self, **value: Any) -> None:
        self.lines.append({**value, "timestamp": self.stamp(), "sessionId": "5e550000-0000-4000-8000-000000000001"})

    def line(self, value: dict[str, Any], parent: Any = ..., moves: bool = True, **more: Any) -> str:
        uuid = f"9e000000-0000-4000-8000-{self.number():012d}"
        above = self.tip if parent is ... else parent
        envelope = {"parentUuid": above, "isSidechain": False, "version": "2.1.220", "uuid": uuid}
        self.aside(**envelope | value | more)
        self.nodes.append(uuid)
        self.tip = uuid if moves else self.tip
        return uuid

    def user(self, content: Any, **more: Any) -> str:
        return self.line({"type": "user", "message": {"role": "user", "content": content}}, **more)

    def answer(self, response: str, block: dict[str, Any], **more: Any) -> str:
        body = {"id": response, "type": "message", "role": "assistant", "model": "claude-opus-4-8", "content": [block]}
        return self.line({"type": "assistant", "message": body}, **more)

    def written(self) -> bytes:
        return b"".join(json.dumps(line).encode() + b"\n" for line in self.lines)


def prompt(made: Recorder, draw: Any) -> None:
    words = f"words {made.number()}"
    made.user(
        draw(st.sampled_from((words, [{"type": "text", "text": words}, IMAGE], [{"type": "text", "text": words}])))
    )


def response(made: Recorder, draw: Any) -> None:
    name = f"msg_{made.number()}"
    before = len(made.calls)
    for kind in draw(
        st.lists(
            st.sampled_from(("blank", "thinking", "omitted", "redacted", "text", "call", "call")),
            min_size=1,
            max_size=4,
        )
    ):
        if kind == "call":
            own = f"toolu_{made.number()}"
            is_taken = any(found == "toolu_twice" for found, _ in made.calls[before:])  # once in a response
            call = own if is_taken else draw(st.sampled_from((own, own, "toolu_twice")))
            made.calls.append(
                (
                    call,
                    made.answer(
                        name,
                        {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"echo {made.number()}"}},
                    ),
                )
            )
            continue
        made.answer(name, {
            "blank": {"type": "text", "text": "\n\n"},
            "thinking": {"type": "thinking", "thinking": "hm", "signature": SIGNATURE},
            "omitted": {"type": "thinking", "thinking": "", "signature": SIGNATURE},
            "redacted": {"type": "redacted_thinking", "data": "RW5jcnlwdGVk"},
            "text": {"type": "text", "text": f"answer {made.number()}"},
        }[kind])  # fmt: skip


def result(made: Recorder, draw: Any) -> None:
    if not made.calls:
        return
    call, line = made.calls.pop(draw(st.integers(0, len(made.calls) - 1)))
    content = draw(
        st.sampled_from(
            ("done", "", [{"type": "text", "text": "done"}], [IMAGE], [{"type": "tool_reference", "tool_name": "Bash"}])
        )
    )
    block = {"type": "tool_result", "tool_use_id": call, "content": content}
    if draw(st.booleans()):
        block["is_error"] = True
    parent = draw(st.sampled_from((..., ..., line, *made.nodes[:1])))
    made.user([block], parent=parent, moves=parent is ...)


def orphan(made: Recorder, draw: Any) -> None:
    made.user([{"type": "tool_result", "tool_use_id": f"toolu_{made.number()}", "content": "whose?"}])


def attachment(made: Recorder, draw: Any) -> None:
    words = f"note {made.number()}"
    told = draw(st.sampled_from((
        {"type": "edited_text_file", "filename": "a.py", "snippet": words},
        {"type": "queued_command", "prompt": words},
        {"type": "kettle", "state": words},
        {"type": "date_change"},
    )))  # fmt: skip
    made.line({"type": "attachment", "attachment": told})


def bookkeeping(made: Recorder, draw: Any) -> None:
    kind = draw(st.sampled_from(("progress", "turn_duration", "local_command", "mode")))
    if kind == "mode":
        made.aside(type="mode", mode="plan")
    elif kind == "progress":
        made.line({"type": "progress", "data": {"type": "hook_progress"}}, moves=draw(st.booleans()))
    else:
        made.line({"type": "system", "subtype": kind, "content": f"said {made.number()}"})


def rewind(made: Recorder, draw: Any) -> None:
    made.tip = draw(st.sampled_from((*made.nodes, None, "9e000000-0000-4000-8000-00000000dead")))


def compaction(made: Recorder, draw: Any) -> None:
    kept = draw(st.lists(st.sampled_from(made.nodes), max_size=3, unique=True)) if made.nodes else []
    told: dict[str, Any] = {"trigger": "auto"}
    words = f"summary {made.number()}"
    summary = f"9e000000-0000-4000-8000-{made.count + 2:012d}"  # of the line behind the boundary
    how = draw(st.sampled_from(("none", "messages", "segment", "missing")))
    if how == "messages" and kept:
        told["preservedMessages"] = {"anchorUuid": summary, "uuids": sorted(kept)}
    elif how == "segment" and kept:
        told["preservedSegment"] = {"anchorUuid": summary, "headUuid": min(kept), "tailUuid": max(kept)}
    elif how == "missing":
        told["preservedMessages"] = {"anchorUuid": summary, "uuids": [*kept, "9e000000-0000-4000-8000-00000000dead"]}
    above = made.tip
    made.line(
        {"type": "system", "subtype": "compact_boundary", "compactMetadata": told, "logicalParentUuid": above},
        parent=None,
    )
    made.user(words, isCompactSummary=True, isVisibleInTranscriptOnly=True)


def snip(made: Recorder, draw: Any) -> None:
    """Take out what the user or a tool said: an answer is taken out whole or not at all."""
    spoken = [line["uuid"] for line in made.lines if line.get("type") == "user"]
    gone = draw(st.lists(st.sampled_from(spoken), max_size=2, unique=True)) if spoken else []
    made.line({"type": "system", "subtype": "snip_boundary", "snipMetadata": {"removedUuids": gone}})


def marked(made: Recorder, draw: Any) -> None:
    flag = draw(st.sampled_from(("isVirtual", "isMeta", "isSidechain", "snipped")))
    made.user(f"marked {made.number()}", moves=flag != "isSidechain", **{flag: True})


def failure(made: Recorder, draw: Any) -> None:
    words = draw(
        st.sampled_from(
            (
                "API Error: 400 image exceeds 5 MB maximum",
                "API Error: 529 overloaded",
                "API Error: 413 Request too large",
            )
        )
    )
    made.answer(f"{made.number()}", {"type": "text", "text": words}, isApiErrorMessage=True)


def repetition(made: Recorder, draw: Any) -> None:
    """Write a line again: the last one with its own uuid, or one of the user's with another."""
    last = next((line for line in reversed(made.lines) if "uuid" in line), None)
    words = [line for line in made.lines if line.get("type") == "user" and not line.get("isCompactSummary")]
    if last is None or last.get("subtype") == "compact_boundary":
        return
    line = dict(draw(st.sampled_from((last, *words))))
    if line["uuid"] != last["uuid"]:
        line["uuid"] = f"9e000000-0000-4000-8000-{made.number():012d}"
        made.nodes.append(line["uuid"])
        made.tip = line["uuid"]
    made.lines.append(line)


def queue(made: Recorder, draw: Any) -> None:
    operation = draw(st.sampled_from(("enqueue", "enqueue", "dequeue", "remove", "popAll")))
    more = {"content": f"queued {made.number()}"} if operation in ("enqueue", "popAll") else {}
    made.aside(type="queue-operation", operation=operation, **more)


def hint(made: Recorder, draw: Any) -> None:
    leaf = draw(st.sampled_from((*made.nodes, "9e000000-0000-4000-8000-00000000dead", "")))
    more = {"explicit": True} if draw(st.booleans()) else {}
    made.aside(type="last-prompt", leafUuid=leaf, **more)


def replacement(made: Recorder, draw: Any) -> None:
    call = made.calls[-1][0] if made.calls else "toolu_twice"
    made.aside(
        type="content-replacement",
        replacements=[{"kind": "tool-result", "toolUseId": call, "replacement": "[too long]"}],
    )


STEPS = (prompt, prompt, response, response, response, result, result, result, orphan, attachment, bookkeeping, rewind,
         compaction, snip, marked, failure, repetition, queue, hint, replacement)  # fmt: skip


@st.composite
def sessions(draw: Any) -> bytes:
    """Draw a session of up to 14 steps that begins with a prompt and an answer."""
    made = Recorder()
    prompt(made, draw)
    response(made, draw)
    for step in draw(st.lists(st.sampled_from(STEPS), max_size=12)):
        step(made, draw)
    return made.written()
