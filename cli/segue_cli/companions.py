"""What lies beside a source: the files of a session's own folder, and those of its subagents in the same folder.

`S.jsonl` may have a folder `S/`. Names are relative to it (`subagents/agent-a1.jsonl`); a file `agent-a1.jsonl` beside
the source has that name alone. Only regular files count, no link is followed, and nothing is listed or read before it
is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from segue.errors import UnreadableSource, UsageError
from segue_cli.files import STANDARD_INPUT

if TYPE_CHECKING:
    from segue.subagent_files import Written

LIMIT = 256 << 20  # bytes of one file
_ENDS = (".jsonl", ".meta.json")


class Companions(Mapping[str, bytes]):
    """The files beside a source, by relative name. Reading one raises UnreadableSource when that is not possible."""

    def __init__(self, source: str) -> None:
        self._source = None if source == STANDARD_INPUT else Path(source)
        self._paths: dict[str, Path] | None = None

    @property
    def paths(self) -> dict[str, Path]:
        """Name the files, listed once."""
        if self._paths is None:
            self._paths = dict(_listed(self._source)) if self._source is not None else {}
        return self._paths

    def __getitem__(self, name: str) -> bytes:
        path = self.paths[name]
        try:
            size = path.stat(follow_symlinks=False).st_size
            if size > LIMIT:
                raise UnreadableSource(f"it is larger than {LIMIT >> 20} MB")
            return path.read_bytes()
        except OSError as error:
            raise UnreadableSource((error.strerror or type(error).__name__).lower()) from error

    def __contains__(self, name: object) -> bool:
        return name in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def _listed(source: Path) -> Iterator[tuple[str, Path]]:
    folder = source.with_suffix("")
    if folder != source and folder.is_dir() and not folder.is_symlink():
        for place, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = Path(place, name)
                if path.is_file() and not path.is_symlink():
                    yield path.relative_to(folder).as_posix(), path
    try:
        entries = sorted(os.scandir(source.parent), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        is_agents = entry.name.startswith("agent-") and entry.name.endswith(_ENDS)
        if is_agents and entry.name != source.name and entry.is_file(follow_symlinks=False):
            yield entry.name, Path(entry.path)


def check_separate(output: Path | None) -> None:
    """Refuse to write subagents' files where the output's name gives no folder for them."""
    if output is None:
        raise UsageError("--subagents 'separate' writes files beside the output: name it with -o FILE")
    if not output.suffix:
        raise UsageError(
            f"the subagents' folder is named like the output without its extension: {str(output)!r} has none"
        )


def separate_files(written: Sequence[Written], output: Path, beside: Companions) -> list[tuple[bytes, Path]]:
    """Say where the subagents' files go: the output's own folder, and never over what lies beside the source."""
    files = [(one.data, output.with_suffix("") / one.name) for one in written]
    for _, path in files:
        if path.exists() and any(os.path.samefile(path, other) for other in beside.paths.values()):
            raise UsageError(f"the subagent's file {str(path)!r} is one of the source's own; name another output")
    return files
