"""What a format is: four functions and a few facts, the same for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from segue.changes import Change
from segue.model import Message, Origin, Record, Session, Transcript
from segue.targets import Target

SAMPLE_SIZE = 20


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a reader is told: who wrote turns that do not say it (`origin`, given the model named in the source), and
    which branch of a tree to follow (`leaf`)."""

    origin: Callable[[str | None], Origin | None] = lambda model: None
    leaf: str | None = None


Read: TypeAlias = "Iterator[Session | Message | Record | Change]"


@dataclass(frozen=True, slots=True)
class Format:
    """A file shape.

    `api` names the wire protocol whose request body this is, None for other formats; `provider` is who wrote the
    assistant turns of a body that does not say. `session` formats are an agent's own recording. `extension` is that of
    a file of this format.

    `recognise(values, whole)` looks at the first SAMPLE_SIZE parsed records (`whole`: the file is that one JSON value).
    `read(records, options)` yields a Session, then its Messages in order with its Changes among them; another
    Session starts another transcript (data sets). It also yields each Record that the writer needs to see again:
    all of them for a session format, with `value` None where only its bytes matter; the one record of a body.
    `write(transcript, target)` yields the bytes of the transcript without the final newline, and Changes.
    """

    name: str
    about: str
    recognise: Callable[[Sequence[object], bool], bool]
    read: Callable[[Iterable[Record], ReadOptions], Read]
    write: Callable[[Transcript, Target], Iterator[bytes | Change]]
    api: str | None = None
    provider: str | None = None
    session: bool = False
    extension: str = ".json"
