"""What a format is: four functions and a few facts, the same for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from segue.changes import Change
from segue.model import Message, Origin, Record, Session, Transcript
from segue.targets import Target

SAMPLE_SIZE = 20


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a reader is told: who wrote turns that do not say it (`origin`, given the model named in the source),
    which branch of a tree to follow (`leaf`), and what lies beside the source (`beside`: bytes by relative name)."""

    origin: Callable[[str | None], Origin | None] = lambda model: None
    leaf: str | None = None
    beside: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Subagent:
    """A run of another agent that a session has started, as a session of its own.

    `where` names it once only: the file's name beside the session, or the line in it. `parent` is the `where` of the
    run that started it, None for the session itself; `call_id` is the call there, None where nothing tells. `record` is
    the record of the session that the run ends in, None for a file of its own. A run with a `fault` has no data.
    """

    id: str
    where: str
    data: bytes
    call_id: str | None = None
    parent: str | None = None
    kind: str | None = None
    description: str | None = None
    record: int | None = None
    is_summary: bool = False  # the agent's own run that summed a history up: no conversation
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """One way through a session's tree, from its beginning to a leaf, told so that a person can choose it.

    `leaf` is the id that `--leaf` takes, None where the format gives none. The branch leaves another one, whose leaf is
    `leaves`, behind the line `fork_line`, where `fork_prompt` was the user's last word; all three are None for a branch
    that begins on its own. `own_messages`, `own_bytes`, `begins` and `ends` (times as they stand in the file) are those
    of what stands on no branch told before it; `messages` and `tokens` those of the history that it would give, the
    tokens (an estimate) since its last compaction. `age` is in seconds, back from the latest time in the file. `prompt`
    is what the user says first on its own part, `answered` whether a model says anything there. `is_compacted`: it
    leaves before the last compaction of the active branch.
    """

    leaf: str | None
    line: int
    is_active: bool
    own_messages: int
    own_bytes: int
    messages: int
    tokens: int
    is_subagent: bool = False
    begins: str | None = None
    ends: str | None = None
    age: float | None = None
    prompt: str | None = None
    answered: bool = True
    is_compacted: bool = False
    leaves: str | None = None
    fork_line: int | None = None
    fork_prompt: str | None = None


Read: TypeAlias = "Iterator[Session | Message | Record | Change]"


@dataclass(frozen=True, slots=True)
class Format:
    """A file shape.

    `dialect` names the shape of blocks that several formats share. `api` names the wire protocol whose request body
    this is, None for other formats; `provider` is who wrote the assistant turns of a body that does not say. `session`
    formats are an agent's own recording. `extension` is that of a file of this format.

    `recognise(values, whole)` looks at the first SAMPLE_SIZE parsed records (`whole`: the file is that one JSON value).
    `read(records, options)` yields a Session, then its Messages in order with its Changes among them; another
    Session starts another transcript (data sets). It also yields each Record that the writer needs to see again:
    all of them for a session format, with `value` None where only its bytes matter; the one record of a body.
    `write(transcript, target)` yields the bytes of the transcript without the final newline, and Changes.
    `subagents(transcript, beside)` finds the runs of other agents that belong to a session, in it and beside it.
    `branches(records, options)` tells the branches of a tree: the active one first, then the latest first, then those
    of subagents. None for a format that is a list.
    """

    name: str
    about: str
    recognise: Callable[[Sequence[object], bool], bool]
    read: Callable[[Iterable[Record], ReadOptions], Read]
    write: Callable[[Transcript, Target], Iterator[bytes | Change]]
    dialect: str | None = None
    api: str | None = None
    provider: str | None = None
    session: bool = False
    extension: str = ".json"
    subagents: Callable[[Transcript, Mapping[str, bytes]], Sequence[Subagent]] | None = None
    branches: Callable[[Iterable[Record], ReadOptions], Sequence[Branch]] | None = None
