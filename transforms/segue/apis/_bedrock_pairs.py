"""Judge the order of messages in Bedrock's Converse, and pair calls and results the way its server does.

Nothing is joined there: a message is a turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from segue.apis._bedrock_blocks import member_of
from segue.apis._bedrock_rules import problem
from segue.apis._walk import shown, text_of
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

_BESIDE = frozenset({"cachePoint"})  # marks are no content


@dataclass(slots=True)
class Turn:
    """A message: `blocks` are the pointers, names and values of its members, in order."""

    number: int
    role: str
    blocks: list[tuple[str, str, Json]] = field(default_factory=list)

    @property
    def calls(self) -> list[tuple[str, dict[str, Json]]]:
        return self._of("toolUse")

    @property
    def results(self) -> list[tuple[str, dict[str, Json]]]:
        return self._of("toolResult")

    def _of(self, name: str) -> list[tuple[str, dict[str, Json]]]:
        """List the client's calls or results with their pointers; the server's own have a type."""
        return [
            (pointer, value)
            for pointer, found, value in self.blocks
            if found == name and isinstance(value, dict) and value.get("type") is None
        ]


def turns_of(messages: Sequence[Json]) -> list[Turn]:
    """Lay the messages out; what is no block with one member is left out."""
    turns = []
    for number, message in enumerate(messages):
        if not isinstance(message, dict):
            continue
        turn = Turn(number, str(message.get("role")))
        content = message.get("content")
        for index, block in enumerate(content if isinstance(content, list) else ()):
            found = member_of(block) if isinstance(block, dict) else None
            if found is not None:
                turn.blocks.append((f"/messages/{number}/content/{index}/{found[0]}", *found))
        turns.append(turn)
    return turns


def ordered(turns: Sequence[Turn], target: Target) -> Iterator[Problem]:
    """Judge which role begins, follows and ends."""
    if not turns:
        return
    claude = target.thinking == "signed"
    if turns[0].role == "assistant" and target.leading_user:
        says = (
            "A conversation must start with a user message. Try again with a conversation that starts with a user "
            "message."
        )
        what = "the first message is the assistant's"
        if claude:
            what += f", which {target.name} tolerates today"
        yield problem("first-not-user", f"/messages/{turns[0].number}/role", what, says, "warning" if claude else None)
    spoken = [turn for turn in turns if turn.role != "system"]
    for before, turn in pairwise(spoken):
        if turn.role == before.role and target.alternates:
            says = (
                "A conversation must alternate between user and assistant roles. Make sure the conversation alternates "
                "between user and assistant roles and try again."
            )
            what = f"a second message in a row of the role {shown(turn.role)}"
            yield problem("consecutive-role", f"/messages/{turn.number}/role", what, says)
    for turn in turns:
        if turn.role == "system" and not target.late_system:
            what = f"{target.name} takes no system message among the others"
            yield problem("misplaced-system", f"/messages/{turn.number}", what)
    if turns[-1].role == "assistant":
        yield from _ending(turns[-1], target, claude)


def _ending(turn: Turn, target: Target, claude: bool) -> Iterator[Problem]:
    pointer = f"/messages/{turn.number}"
    last = [block for block in turn.blocks if block[1] not in _BESIDE][-1:]
    if last and last[0][1] == "reasoningContent" and claude:
        says = f"messages.{turn.number}: The final block in an assistant message cannot be `thinking`."
        yield problem("ends-on-assistant", pointer, "the history ends on the assistant's reasoning", says)
    elif not target.prefill:
        says = "This model does not support assistant message prefill. The conversation must end with a user message."
        what = f"the history ends on the assistant, and {target.name} wants a user's turn last"
        yield problem("ends-on-assistant", pointer, what, says if claude else None, None if claude else "warning")
    elif last and isinstance(last[0][2], str) and last[0][2][-1:].isspace():
        says = "messages: final assistant content cannot end with trailing whitespace"
        what = "the history ends on an assistant's text with white space at its end"
        yield problem("ends-on-assistant", pointer, what, says)


def placed(turns: Sequence[Turn], target: Target) -> Iterator[Problem]:
    """Judge what stands together in one message."""
    for turn in turns:
        names = [name for _, name, _ in turn.blocks]
        if turn.role == "assistant" and turn.calls:
            called = names.index("toolUse")
            for pointer, name, _ in turn.blocks[called + 1 :]:
                if name == "text" and not target.text_after_calls:
                    yield problem("text-behind-call", pointer, "a text stands behind a call in an assistant's message")
        if turn.role != "user":
            continue
        yield from _beside_results(turn, target)
        documents = [pointer for pointer, name, _ in turn.blocks if name == "document"]
        if documents and not {"text", "guardContent"} & set(names) and not target.lone_documents:
            says = "A text block must be included when using documents"
            yield problem("lone-document", documents[0], "a document without a text beside it", says)


def _beside_results(turn: Turn, target: Target) -> Iterator[Problem]:
    if not turn.results:
        return
    others = [(pointer, name) for pointer, name, _ in turn.blocks if name != "toolResult" and name not in _BESIDE]
    if not target.user_after_results:
        refused = others
    else:
        moving = () if target.documents_beside_results else ("document", "video")
        refused = [(pointer, name) for pointer, name in others if name in moving]
    if refused:
        pointer, name = refused[0]
        says = "Conversation blocks and tool result blocks cannot be provided in the same turn."
        what = f"a block of type '{name}' stands in a message with results, where {target.name} takes none"
        yield problem("mixed-results", pointer, what, says)


def paired(turns: Sequence[Turn], target: Target) -> Iterator[Problem]:
    """Find calls without a result, results without a call, and ids that come twice."""
    met: dict[str, str] = {}
    nothing = Turn(-1, "")
    for index, turn in enumerate(turns):
        if turn.role == "assistant":
            following = turns[index + 1] if index + 1 < len(turns) else nothing
            yield from _calls(turn, following if following.role == "user" else nothing, met, target)
        elif turn.role == "user":
            before = turns[index - 1] if index else nothing
            yield from _results(turn, before if before.role == "assistant" else nothing)


def _calls(turn: Turn, following: Turn, met: dict[str, str], target: Target) -> Iterator[Problem]:
    answered = {text_of(value.get("toolUseId")) for _, value in following.results}
    here: dict[str, str] = {}
    for pointer, value in turn.calls:
        call_id = text_of(value.get("toolUseId"))
        if call_id is None:
            continue
        call = f"call {shown(call_id)} ({shown(value.get('name'))})"
        place, says = f"{pointer}/toolUseId", f"messages.{turn.number}: toolUse ids must be unique"
        if call_id in here:
            what = f"{call} has the id of the call at {here[call_id]}"
            yield problem("duplicate-call-id", place, what, says)
        elif call_id in met:
            name = "duplicate-call-id" if target.thinking == "signed" else "reused-call-id"
            what = f"{call} has the id of the call at {met[call_id]}, of an earlier turn"
            yield problem(name, place, what, f"messages.{turn.number}: `tool_use` ids must be unique")
        here.setdefault(call_id, pointer)
        if call_id not in answered:
            says = f"Expected toolResult blocks at messages.{turn.number + 1}.content for the following Ids: {call_id}"
            yield problem("call-without-result", place, f"{call} has no result in the next message", says)
    for call_id, pointer in here.items():
        met.setdefault(call_id, pointer)


def _results(turn: Turn, before: Turn) -> Iterator[Problem]:
    calls = {text_of(value.get("toolUseId")) for _, value in before.calls}
    answered: set[str] = set()
    says = (
        f"The number of toolResult blocks at messages.{turn.number}.content exceeds the number of toolUse blocks of "
        "previous turn."
    )
    for pointer, value in turn.results:
        call_id = text_of(value.get("toolUseId"))
        if call_id is None:
            continue
        if call_id not in calls:
            what = f"a result for call {shown(call_id)}, which the message before does not hold"
            yield problem("result-without-call", f"{pointer}/toolUseId", what, says)
        elif call_id in answered:
            yield problem(
                "duplicate-result", f"{pointer}/toolUseId", f"a second result for call {shown(call_id)}", says
            )
        answered.add(call_id)


def altered(turns: Sequence[Turn]) -> Iterator[Problem]:
    """Find reasoning in the latest answer that cannot be as the model wrote it: twice the same, or grown together."""
    latest = next((turn for turn in reversed(turns) if turn.role == "assistant"), None)
    met: dict[str, str] = {}
    before: str | None = None
    for pointer, name, value in latest.blocks if latest is not None else ():
        said = value.get("reasoningText") if name == "reasoningContent" and isinstance(value, dict) else None
        signature = text_of(said.get("signature")) if isinstance(said, dict) else None
        says = (
            f"messages.{pointer.split('/')[2]}.content.{pointer.split('/')[4]}: `thinking` or `redacted_thinking` "
            "blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the "
            "original response."
        )
        if signature is not None and signature in met:
            what = f"the reasoning at {met[signature]} stands here a second time, in the latest answer"
            yield problem("thinking-altered", pointer, what, says)
        elif signature is not None and before is not None:
            what = "two pieces of reasoning in the latest answer follow each other: something between may be gone"
            yield problem("thinking-altered", pointer, what, says)
        if signature is not None:
            met.setdefault(signature, pointer)
        before = signature
