"""What the walk does with the subagents of a session: left out, put into the results of their calls, or set apart.

Left out is the default, for the answer of a subagent is the result of its call. Where that result is missing, the
answer is taken from the subagent's own run, whatever was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from segue.changes import Change, Problem, hidden, rewritten, shortened
from segue.errors import SegueError
from segue.formats._types import Format, Subagent
from segue.model import Block, ContentBlock, Message, Text, ToolCall, ToolResult, Transcript
from segue.options import Options, read_options
from segue.passes import Policy
from segue.passes._policy import Answer
from segue.passes.pairing import is_filler
from segue.reading.transcripts import read
from segue.subagent_text import HEAD, RULE, Told, counted, named, told

_UNSENT = frozenset({"virtual", "snipped"})


@dataclass(slots=True)
class Taken:
    """A transcript with its subagents seen to: what changed, and what is still to be asked or written."""

    transcript: Transcript
    changes: list[Change]
    problems: list[Problem] = field(default_factory=list)
    answer_of: Callable[[ToolCall], Answer | None] | None = None
    changed_from: tuple[int, int] | None = None
    separate: Sequence[Subagent] = ()

    def policy(self, policy: Policy) -> Policy:
        return policy if self.answer_of is None else replace(policy, answer_of=self.answer_of)


def with_subagents(transcript: Transcript, changes: list[Change], source: Format, options: Options) -> Taken:
    """Do with a session's subagents what the options say; `changes` are those of its reader."""
    if source.subagents is None:
        return Taken(transcript, changes)
    runs = _Runs(transcript, source, options)
    if options.subagents == "omit":
        return Taken(transcript, changes, answer_of=runs.answer_of)
    taken = Taken(transcript, [change for change in changes if change.rule != RULE], answer_of=runs.answer_of)
    for run in runs.found():
        if run.is_summary:
            taken.changes.append(_hid(run, "the agent's own run that summed the history up, which is no conversation"))
        elif run.fault is not None:
            taken.problems.append(Problem(RULE, "warning", f"{named(run)} cannot be read: {run.fault}"))
    if options.subagents == "separate":
        taken.separate = [run for run in runs.found() if not run.is_summary and run.fault is None]
        return taken
    return _inlined(taken, runs)


# ---------------------------------------------------------------------------------------------- runs


class _Runs:
    """The runs of a session, looked for when somebody asks and read at most once."""

    def __init__(self, transcript: Transcript, source: Format, options: Options) -> None:
        self._transcript, self._source, self._options = transcript, source, options
        self._found: Sequence[Subagent] | None = None
        self._read: dict[str, tuple[Transcript | None, list[Change]]] = {}
        self.told: set[str] = set()

    def found(self) -> Sequence[Subagent]:
        if self._found is None:
            assert self._source.subagents is not None
            self._found = self._source.subagents(self._transcript, self._options.beside)
        return self._found

    def usable(self, parent: str | None, call_id: str) -> list[Subagent]:
        """List the runs that a call of the session (or of a run) has started; of one that was resumed, all."""
        return [
            run
            for run in self.found()
            if run.parent == parent and run.call_id == call_id and not run.is_summary and run.fault is None
        ]

    def read(self, run: Subagent) -> tuple[Transcript | None, list[Change]]:
        """Read a run; None with no change where nothing in it can be used."""
        if run.where not in self._read:
            options = replace(read_options(self._options), leaf=None)
            try:
                transcript, changes = next(read(run.data, self._source.name, options).transcripts)
                self._read[run.where] = transcript, changes
            except SegueError:
                self._read[run.where] = None, []
        return self._read[run.where]

    def tell(self, run: Subagent, answer: str) -> Told | None:
        """Tell a run as text, None where nothing in it can be read."""
        found = told(run, self.read, self.usable, answer)
        self.told |= found.runs if found is not None else set()
        return found

    def answer_of(self, call: ToolCall) -> Answer | None:
        """Find the answer of a finished run to a call, told apart by its id; an id that is used twice tells nothing."""
        if not isinstance(call.arguments, dict) or not isinstance(call.arguments.get("prompt"), str):
            return None  # that is what a subagent is called with
        name = call.raw.get("id") if call.raw is not None else call.id
        if not isinstance(name, str) or self._is_used_twice(name):
            return None
        for run in reversed(self.usable(None, name)):
            transcript, _ = self.read(run)
            answer = _last_words(transcript) if transcript is not None else None
            if answer is None:
                continue
            content: tuple[ContentBlock, ...] = (Text(answer),)
            changes: tuple[Change, ...] = ()
            if self._options.subagents == "inline" and (text := self.tell(run, answer)) is not None:
                what = f"put {named(run)} ({run.where}, {counted(text.count)}) into the result of call {call.id!r}"
                put = rewritten(RULE, what, None, call, before=None, after=shortened(text.text))
                content, changes = (Text(text.text), *content), (put, *text.changes)
            return Answer(content, run.where, changes)
        return None

    def _is_used_twice(self, name: str) -> bool:
        calls = (b for message in self._transcript.source.messages for b in message.blocks if isinstance(b, ToolCall))
        return sum(call.id == name for call in calls) > 1


def _last_words(transcript: Transcript) -> str | None:
    """Give the final answer of a finished run: one whose last message is the agent's, in words, with no open call."""
    last = transcript.messages[-1] if transcript.messages else None
    if last is None or last.role != "assistant" or "api-error" in last.marks or last.of(ToolCall):
        return None
    text = "\n".join(block.text for block in last.blocks if isinstance(block, Text))
    return text if text.strip() else None


def _hid(run: Subagent, reason: str, count: int = 1) -> Change:
    return hidden(RULE, f"hid {named(run)} ({run.where}): {reason}", (), count=count)


# ---------------------------------------------------------------------------------------------- inline


def _inlined(taken: Taken, runs: _Runs) -> Taken:
    """Put each run of the session into the result of its call, or behind what the session had said when it ended."""
    before = taken.transcript
    messages = list(before.messages)
    asked, results = _calls_and_results(messages)
    fillers = {name for name, (index, number) in results.items() if _is_made_up(messages[index].blocks[number])}
    waiting: list[tuple[int, Message]] = []
    touched: list[tuple[int, int]] = []
    for run in runs.found():
        if run.is_summary or run.fault is not None or (run.parent is not None and run.call_id is not None):
            continue  # what a run has started is told in it
        if run.call_id in results and (run.call_id not in fillers or _is_finished(runs, run)):
            index, number = results[run.call_id]
            grown = _with_run(messages[index], number, run, runs, taken)
            if grown is not messages[index]:
                messages[index] = grown
                touched.append((grown.number or 0, number))
        elif run.call_id is None and run.parent is None and run.record is not None:
            made = _as_user_text(run, runs, taken, messages)
            waiting.extend([made] if made is not None else [])
        elif run.call_id is None:
            taken.changes.append(_hid(run, "nothing tells which call it belongs to", _length(runs, run)))
        elif run.call_id not in asked:
            taken.changes.append(_hid(run, "its call is not in the history that is sent", _length(runs, run)))
        elif not _is_finished(runs, run):
            taken.changes.append(_hid(run, "its call has no result, and it was not finished", _length(runs, run)))
        else:
            runs.tell(run, "")  # the rule about missing results takes it: here it is only known which runs come with it
    for run in runs.found():
        is_nested = run.parent is not None and run.call_id is not None and not run.is_summary and run.fault is None
        if is_nested and run.where not in runs.told:
            taken.changes.append(_hid(run, "the run that started it is not told", _length(runs, run)))
    for index, message in sorted(waiting, key=lambda entry: entry[0], reverse=True):
        messages.insert(index, message)
        touched.append((next((m.number for m in messages[index:] if m.number is not None), len(before.messages)), -1))
    if touched:
        taken.transcript = replace(before, messages=tuple(messages))
        taken.changed_from = min(touched)
    return taken


def _with_run(message: Message, number: int, run: Subagent, runs: _Runs, taken: Taken) -> Message:
    """Put the text of a run in front of the answer in a result, behind the runs that stand there."""
    result = message.blocks[number]
    assert isinstance(result, ToolResult)
    before = [block for block in result.content if isinstance(block, Text) and block.text.startswith(HEAD)]
    answer = [block for block in result.content if block not in before]
    text = runs.tell(run, "\n".join(block.text for block in answer if isinstance(block, Text)))
    if text is None:
        taken.problems.append(Problem(RULE, "warning", f"{named(run)} ({run.where}) holds nothing that can be read"))
        return message
    if any(block.text == text.text for block in before):
        return message
    grown = replace(result, content=(*before, Text(text.text), *answer))
    where = f"the result of call {result.call_id!r}" + (f" ({result.name})" if result.name else "")
    what = f"put {named(run)} ({run.where}, {counted(text.count)}) into {where}"
    taken.changes.append(rewritten(RULE, what, message, result, before=None, after=shortened(text.text)))
    taken.changes.extend(text.changes)
    return message.with_blocks([*message.blocks[:number], grown, *message.blocks[number + 1 :]])


def _calls_and_results(messages: list[Message]) -> tuple[set[str], dict[str | None, tuple[int, int]]]:
    """Find the calls, and the first result of each, that the agent still sends: since the last compaction."""
    start = max((i for i, message in enumerate(messages) if "compaction-boundary" in message.marks), default=-1)
    asked: set[str] = set()
    found: dict[str | None, tuple[int, int]] = {}
    for index, message in enumerate(messages):
        if index < start or message.marks & _UNSENT:
            continue
        for number, block in enumerate(message.blocks):
            if isinstance(block, ToolCall):
                asked.add(block.id)
            elif isinstance(block, ToolResult):
                found.setdefault(block.call_id, (index, number))
    return asked, found


def _is_made_up(block: Block) -> bool:
    return isinstance(block, ToolResult) and is_filler(block)


def _is_finished(runs: _Runs, run: Subagent) -> bool:
    transcript, _ = runs.read(run)
    return transcript is not None and _last_words(transcript) is not None


def _length(runs: _Runs, run: Subagent) -> int:
    transcript, _ = runs.read(run)
    return max(len(transcript.messages), 1) if transcript is not None else 1


def _as_user_text(run: Subagent, runs: _Runs, taken: Taken, messages: list[Message]) -> tuple[int, Message] | None:
    """Make user text of a run that no call is known of, and say where: behind what the file held when it ended."""
    text = runs.tell(run, "")
    said = {block.text for message in messages for block in message.blocks if isinstance(block, Text)}
    if text is None or text.text in said:
        return None
    index = 0
    for at, message in enumerate(messages):
        if message.records and run.record is not None and message.records[0] <= run.record:
            index = at + 1
    while index < len(messages) and _leads_with_result(messages[index]):
        index += 1
    before = messages[index - 1] if index else None
    what = f"put {named(run)} ({run.where}, {counted(text.count)}), whose call is unknown, in as user text"
    taken.changes.append(rewritten(RULE, what, before, None, before=None, after=shortened(text.text)))
    taken.changes.extend(text.changes)
    return index, Message("user", (Text(text.text),), time=before.time if before else None, touched=True)


def _leads_with_result(message: Message) -> bool:
    return message.role != "assistant" and bool(message.blocks) and isinstance(message.blocks[0], ToolResult)
