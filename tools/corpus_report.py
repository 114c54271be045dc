"""Convert every Claude Code session of a folder to seven targets, and report what became of them.

    python tools/corpus_report.py FOLDER [--targets same gemini …]

Each result is held against the checks of tests/corpus, which share nothing with segue's own judges. Prints plain
tables; ends with 1 when anything is broken. Files only: nothing is written, and nothing goes over the network.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "corpus"))

from examining import NO_MODEL, TARGETS, Examination, examine
from session_chain import unanswered_by_plain_walk

from segue.changes import Change
from segue.errors import SegueError
from segue.model import History
from segue.passes.pairing import pairing_of
from segue.reading.transcripts import read

WORKERS = 2
COUNTED = ("same", "same-request")  # the targets whose changes are told: rules that only shape what is sent differ
FAULTS = ("crashed", "refused", "unstable", "broken", "lost")
SHOWN = 3  # faults of one file and target


@dataclass
class Row:
    """What became of one session."""

    name: str
    examined: dict[str, Examination] = field(default_factory=dict)
    plain: int = 0
    chain: int = 0

    @property
    def unreadable(self) -> str | None:
        """Why no target can have it: it is no session, or nothing is left of it."""
        excuses = [examination.excuse for examination in self.examined.values()]
        others = [excuse for excuse in excuses if excuse is None or not excuse.startswith(NO_MODEL)]
        return others[0] if others and all(others) else None


def main() -> int:
    parser = argparse.ArgumentParser(
        description="convert a folder of Claude Code sessions and report what became of them"
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--targets", nargs="+", choices=list(TARGETS), default=list(TARGETS), metavar="TARGET")
    arguments = parser.parse_args()
    files = sorted(arguments.folder.rglob("*.jsonl"))
    if not files:
        parser.error(f"no *.jsonl below '{arguments.folder}'")
    with ProcessPoolExecutor(WORKERS) as pool:
        job = partial(row_of, folder=arguments.folder, targets=arguments.targets)
        rows = list(pool.map(job, files, chunksize=2))
    for line in report(rows, arguments.targets):
        print(line)
    return int(any(examination.faults for row in rows for examination in row.examined.values()))


def row_of(file: Path, folder: Path, targets: Sequence[str]) -> Row:
    """Convert one session to each target, and count its calls without results."""
    data = file.read_bytes()
    row = Row(file.relative_to(folder).as_posix())
    for name in targets:
        row.examined[name] = examine(data, TARGETS[name])
    row.plain = unanswered_by_plain_walk(data)
    row.chain = unanswered_by_chain(data)
    return row


def unanswered_by_chain(data: bytes) -> int:
    """Count the calls without a result as segue reads the session since its last compaction, before any rule."""
    count = 0
    try:
        for transcript, _ in read(data).transcripts:
            messages = transcript.messages
            ends = [index for index, message in enumerate(messages) if "compaction-boundary" in message.marks]
            history = History(messages[ends[-1] :] if ends else messages)
            count += sum(not pair.results for pair in pairing_of(history).pairs)
    except SegueError:
        return 0
    return count


# ---------------------------------------------------------------------------------------------- report


def report(rows: Sequence[Row], targets: Sequence[str]) -> Iterator[str]:
    """Print everything, a table after the other."""
    reasons = Counter(row.unreadable for row in rows if row.unreadable)
    yield f"files: {len(rows)}, unreadable: {sum(reasons.values())}"
    for reason, count in reasons.most_common():
        yield f"  {count:>4}  {reason}"
    yield ""
    yield from _table(["target", "converted", "no model", *FAULTS], (_target_row(rows, name) for name in targets))
    yield ""
    counted = [name for name in COUNTED if name in targets]
    yield from _table(["change", "rule", *counted], _change_rows(rows, counted))
    yield ""
    yield "unresolved problems"
    yield from _table(["severity", "rule", *targets], _problem_rows(rows, targets))
    yield ""
    yield from _unanswered(rows)
    yield from _faults(rows)


def _target_row(rows: Sequence[Row], name: str) -> list[str]:
    examined = [row.examined[name] for row in rows]
    converted = sum(examination.report is not None for examination in examined)
    unnamed = sum((examination.excuse or "").startswith(NO_MODEL) for examination in examined)
    faults = [sum(bool(getattr(examination, kind)) for examination in examined) for kind in FAULTS]
    return [name, *map(str, (converted, unnamed, *faults))]


def _change_rows(rows: Sequence[Row], targets: Sequence[str]) -> Iterator[list[str]]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        for name in targets:
            told = row.examined[name].report
            for change in told.changes if told else ():
                counts[change.kind, change.rule, name] += change.count
    yield from _counted(counts, targets)


def _problem_rows(rows: Sequence[Row], targets: Sequence[str]) -> Iterator[list[str]]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        for name in targets:
            for problem in row.examined[name].problems:
                if problem.severity != "note":
                    counts[problem.severity, problem.rule, name] += 1
    yield from _counted(counts, targets)


def _counted(counts: Counter[tuple[str, str, str]], targets: Sequence[str]) -> Iterator[list[str]]:
    for kind, rule in sorted({(kind, rule) for kind, rule, _ in counts}):
        yield [kind, rule, *(str(counts[kind, rule, name]) for name in targets)]


def _unanswered(rows: Sequence[Row]) -> Iterator[str]:
    told = [row.examined["same-request"].report for row in rows if "same-request" in row.examined]
    fillers = [sum(map(_is_filler, one.changes)) for one in told if one]
    yield "calls without results"
    ways = (
        ("parents alone, from the last line", [row.plain for row in rows]),
        ("segue's chain, before any rule", [row.chain for row in rows]),
        *([("after recovery (a filler is made up)", fillers)] if told else ()),
    )
    yield from _table(
        ["way", "calls", "files"], ([way, str(sum(counts)), str(sum(map(bool, counts)))] for way, counts in ways)
    )


def _is_filler(change: Change) -> bool:
    return (change.kind, change.rule) == ("synthesized", "missing-tool-result")


def _faults(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        for name, examination in row.examined.items():
            if examination.faults:
                yield ""
                yield f"{row.name} · {name}"
                yield from (f"  {fault}" for fault in examination.faults[:SHOWN])
                if len(examination.faults) > SHOWN:
                    yield f"  and {len(examination.faults) - SHOWN} more"


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> Iterator[str]:
    """Lay out columns: words to the left, numbers to the right."""
    cells = [head, *lines]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        laid = (
            cell.rjust(width) if cells[-1][column].isdigit() else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(laid).rstrip()


if __name__ == "__main__":
    sys.exit(main())
