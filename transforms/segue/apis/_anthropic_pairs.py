"""Pair calls and results of Anthropic Messages the way the server reads the turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from segue.apis._anthropic_keys import CODE_RESULTS, SERVER_CALLS, SERVER_RESULTS
from segue.apis._anthropic_rules import problem
from segue.apis._walk import bare, dotted, shown, text_of
from segue.changes import Problem
from segue.model import Json


@dataclass(slots=True)
class Turn:
    """Neighbouring messages of one role, which the server joins: `blocks` with their pointers, in order."""

    role: str
    messages: list[int] = field(default_factory=list)
    blocks: list[tuple[str, dict[str, Json]]] = field(default_factory=list)

    @property
    def last_type(self) -> str | None:
        return str(self.blocks[-1][1].get("type")) if self.blocks else None


def turns_of(messages: Sequence[Json]) -> list[Turn]:
    """Join neighbours of one role; a text as whole content is one text block, an empty one none."""
    turns: list[Turn] = []
    for number, message in enumerate(messages):
        if not isinstance(message, dict):
            continue
        role, content = str(message.get("role")), message.get("content")
        if not turns or turns[-1].role != role:
            turns.append(Turn(role))
        turn = turns[-1]
        turn.messages.append(number)
        pointer = f"/messages/{number}/content"
        if isinstance(content, list):
            turn.blocks.extend((f"{pointer}/{i}", block) for i, block in enumerate(content) if isinstance(block, dict))
        elif isinstance(content, str) and content:
            turn.blocks.append((pointer, {"type": "text", "text": content}))
    return turns


def paired(turns: Sequence[Turn]) -> Iterator[Problem]:
    """Find calls without a result, results without a call, and ids that come twice."""
    met: dict[str, str] = {}
    nothing = Turn("")
    for index, turn in enumerate(turns):
        before = turns[index - 1] if index else nothing
        if turn.role == "assistant":
            following = turns[index + 1] if index + 1 < len(turns) else nothing
            yield from _calls(turn, following if following.role == "user" else nothing, met)
        elif turn.role == "user":
            yield from _results(turn, before if before.role == "assistant" else nothing)
    yield from _server_pairs(turns)


def _calls(turn: Turn, following: Turn, met: dict[str, str]) -> Iterator[Problem]:
    answered: set[str] = set()
    for _, block in following.blocks:
        if block.get("type") != "tool_result":
            break
        answered.add(text_of(block.get("tool_use_id")) or "")
    displaced = {
        block.get("tool_use_id") for _, block in following.blocks if _is_named(block, "tool_use_id")
    } - answered
    for pointer, block in turn.blocks:
        call_id = text_of(block.get("id"))
        if block.get("type") != "tool_use" or call_id is None:
            continue
        call = f"call {shown(call_id)} ({bare(block.get('name'))})"
        if call_id in met:
            says = f"{dotted(pointer)}: `tool_use` ids must be unique"
            yield problem(
                "duplicate-call-id", f"{pointer}/id", f"{call} has the id of the call at {met[call_id]}", says
            )
        met.setdefault(call_id, pointer)
        if call_id not in answered:
            what = f"{call} has no result directly behind its turn"
            if call_id in displaced:
                what = f"the result of {call} stands behind other content of the next turn"
            yield problem("call-without-result", f"{pointer}/id", what, _unanswered(pointer, call_id))


def _unanswered(pointer: str, call_id: str) -> str:
    return (
        f"messages.{pointer.split('/')[2]}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{call_id}. Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )


def _results(turn: Turn, before: Turn) -> Iterator[Problem]:
    calls = {
        block.get("id") for _, block in before.blocks if block.get("type") == "tool_use" and _is_named(block, "id")
    }
    answered: set[str] = set()
    for pointer, block in turn.blocks:
        call_id = text_of(block.get("tool_use_id"))
        if block.get("type") != "tool_result" or call_id is None:
            continue
        if call_id not in calls:
            says = (
                f"{dotted(pointer)}: unexpected `tool_use_id` found in `tool_result` blocks: {call_id}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
            what = f"a result for call {shown(call_id)}, which the assistant's turn before does not hold"
            yield problem("result-without-call", f"{pointer}/tool_use_id", what, says)
        elif call_id in answered:
            yield problem("duplicate-result", f"{pointer}/tool_use_id", f"a second result for call {shown(call_id)}")
        answered.add(call_id)


def _server_pairs(turns: Sequence[Turn]) -> Iterator[Problem]:
    """Pair a server's calls and results, not always of one turn: code that calls tools waits for their results."""
    everything = [(turn, pointer, block) for turn in turns for pointer, block in turn.blocks]
    results = {block.get("tool_use_id") for _, _, block in everything if _is_result(block)}
    last_answer = max((turn.messages[-1] for turn in turns if turn.role == "assistant"), default=-1)
    met: set[str] = set()
    for turn, pointer, block in everything:
        if text_of(block.get("type")) in SERVER_CALLS and _is_named(block, "id"):
            call_id = block["id"]
            met.add(call_id)
            # The last turn may hold a call that the server still works on.
            if call_id not in results and turn.messages[-1] < last_answer:
                says = (
                    f"messages.{pointer.split('/')[2]}: `{block.get('name')}` tool use with id `{call_id}` was found "
                    f"without a corresponding `{block.get('name')}_tool_result` block"
                )
                what = f"the server's call {shown(call_id)} ({bare(block.get('name'))}) has no result"
                yield problem("server-tool", f"{pointer}/id", what, says)
        elif _is_result(block) and block["tool_use_id"] not in met:
            kind, call_id = block["type"], block["tool_use_id"]
            says = (
                f"{dotted(pointer)}: unexpected `tool_use_id` found in `{kind}` blocks: {call_id}. Each `{kind}` "
                "block must have a corresponding `server_tool_use` block before it."
            )
            what = f"a server's result for call {shown(call_id)}, which does not stand before it"
            yield problem("server-tool", f"{pointer}/tool_use_id", what, says)


def _is_result(block: dict[str, Json]) -> bool:
    return text_of(block.get("type")) in SERVER_RESULTS and _is_named(block, "tool_use_id")


def _is_named(block: dict[str, Json], key: str) -> bool:
    return isinstance(block.get(key), str)


def server_payloads(turns: Sequence[Turn], tools: Sequence[Json], container: Json) -> Iterator[Problem]:
    """Find blocks of server tools whose tool, payload or container is missing."""
    types = {str(tool.get("type")) for tool in tools if isinstance(tool, dict)}
    has_advisor = any(kind.startswith("advisor_") for kind in types)
    told_of_container = container is not None
    for turn in turns:
        for pointer, block in turn.blocks:
            kind = text_of(block.get("type"))
            if kind == "advisor_tool_result" or (kind == "server_tool_use" and block.get("name") == "advisor"):
                if not has_advisor:
                    yield problem(
                        "server-tool", pointer, "a block of the advisor, which the request does not declare as tool"
                    )
            elif kind == "web_search_tool_result":
                yield from _search_results(block.get("content"), f"{pointer}/content")
            elif kind in CODE_RESULTS and not told_of_container:
                told_of_container = True
                what = "the result of code that ran in a container, and the request names none"
                yield problem("server-tool-container", pointer, what, "container_id is required")


def _search_results(content: Json, pointer: str) -> Iterator[Problem]:
    for index, result in enumerate(content if isinstance(content, list) else ()):
        if isinstance(result, dict) and not text_of(result.get("encrypted_content")):
            what = f"the search result {shown(result.get('url'))} has no encrypted content"
            says = "Invalid encrypted_content in search_result block"
            yield problem("server-tool", f"{pointer}/{index}", what, says)
