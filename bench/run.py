"""Measure whole runs of the command as ratios to a bare process that only parses and prints the same file.

    python bench/run.py                  every case, five rounds
    python bench/run.py --rounds 9 claude    the cases with `claude` in their name

Case and baseline take turns within each round, so what slows the machine down slows both. A ratio is the case's figure
of a round over the baseline's of the same round. CPU and peak memory are the child's own, as the kernel counted them.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from generate import MB, path_of

HERE = Path(__file__).parent
# An installed command has its byte code at hand.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
SEGUE = str(Path(sys.executable).with_name("segue"))
LINES = "for line in open(sys.argv[1], 'rb'):\n    orjson.dumps(orjson.loads(line))"
DOCUMENT = "orjson.dumps(orjson.loads(open(sys.argv[1], 'rb').read()))"


@dataclass(frozen=True)
class Case:
    """A run of the command, the file that it reads, and what it is held against."""

    name: str
    file: str
    arguments: tuple[str, ...]
    goal: float | None = None  # CPU ratio to lean towards
    loads_only: bool = False


@dataclass(frozen=True)
class Run:
    """What one process took: seconds of CPU and of wall time, bytes of memory at its peak."""

    cpu: float
    wall: float
    memory: int


REQUEST = ("-t", "request", "--report", "summary")
CASES = (
    Case("claude → gpt request", "claude-30MB", ("convert", "-m", "openai/gpt-5.2", *REQUEST), 2.0),
    Case("claude → gpt request, diff", "claude-30MB", ("convert", "-m", "openai/gpt-5.2", "-t", "request"), 2.0),
    Case("claude → own request", "claude-30MB", ("convert", "-m", "same", *REQUEST), 2.0),
    Case("claude, same (loads only)", "claude-30MB", ("convert", "-m", "same", "--report", "summary"), 1.6, True),
    Case("claude compacted → gpt", "claude-30MB-compacted", ("convert", "-m", "openai/gpt-5.2", *REQUEST), 2.0),
    Case("claude 15 MB → gpt request", "claude-15MB", ("convert", "-m", "openai/gpt-5.2", *REQUEST), 2.0),
    Case("pi, other model", "pi-20MB", ("convert", "-m", "openai/gpt-5.2", "--report", "summary"), 2.0),
    Case("pi → claude request", "pi-20MB", ("convert", "-m", "anthropic/claude-opus-4-8", *REQUEST), 2.0),
    Case("pi, same (loads only)", "pi-20MB-one-model", ("convert", "-m", "same", "--report", "summary"), 1.6, True),
    Case("extreme: 10,000 parallel calls", "parallel-10k-calls", ("convert", "-m", "openai/gpt-5.2", *REQUEST)),
    Case("extreme: 100,000 messages", "tiny-100k-messages", ("convert", "-m", "openai/gpt-5.2", *REQUEST)),
    Case("extreme: one string of 50 MB", "one-50MB-string", ("convert", "-m", "openai/gpt-5.2", *REQUEST)),
)
STARTS = (
    Case("start: --version", "claude-100kB", ("--version",)),
    Case("start: check 150 kB", "claude-100kB", ("check", "-m", "openai/gpt-5.2", "--report", "summary")),
    Case("start: convert 100 kB", "pi-100kB", ("convert", "-m", "openai/gpt-5.2", "--report", "summary")),
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure segue against a bare parse of the same file.")
    parser.add_argument("words", nargs="*", help="only cases with one of these words in their name")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    chosen = [case for case in (*CASES, *STARTS) if not given.words or any(word in case.name for word in given.words)]
    empty = [sys.executable, "-c", "import orjson"]
    start_up = median(timed(empty).memory for _ in range(3))
    machine = f"python {sys.version.split()[0]}, {os.cpu_count()} cores, {given.rounds} rounds"
    print(f"{machine}; ratios are min / median / max")
    print(f"over file: (peak memory - {start_up / MB:.0f} MB of 'import orjson') / size of the file\n")
    print(f"{'':32}{'CPU':>20}{'wall':>20}{'memory':>20}   over file   seconds  noise")
    for case in chosen:
        print(measured(case, given.rounds, empty, start_up), flush=True)


def measured(case: Case, rounds: int, empty: Sequence[str], start_up: float) -> str:
    """Run a case and its baseline in turns; give a line of the table."""
    path = path_of(case.file)
    verb, *options = case.arguments
    command = [SEGUE, verb, str(path), *options] if options else [SEGUE, verb]
    if case in STARTS:
        bare = list(empty)
    else:
        program = LINES if path.suffix == ".jsonl" else DOCUMENT
        program = program.replace("orjson.dumps(orjson.loads(", "(orjson.loads(") if case.loads_only else program
        bare = [sys.executable, "-c", f"import sys, orjson\n{program}", str(path)]
    timed(command)  # once for the caches of files and byte code
    pairs = [(timed(bare), timed(command)) for _ in range(rounds)]
    cpu = [case_run.cpu / base.cpu for base, case_run in pairs]
    wall = [case_run.wall / base.wall for base, case_run in pairs]
    memory = [case_run.memory / base.memory for base, case_run in pairs]
    peak = max(case_run.memory for _, case_run in pairs)
    over = f"{(peak - start_up) / path.stat().st_size:9.1f} x" if path.stat().st_size > MB else " " * 11
    bases = [base.cpu for base, _ in pairs]
    noise = (max(bases) - min(bases)) / median(bases)
    seconds = median(case_run.cpu for _, case_run in pairs)
    goal = "" if case.goal is None else f"  goal {case.goal}" + ("" if median(cpu) <= case.goal else " missed")
    figures = "".join(f"{_spread(values):>20}" for values in (cpu, wall, memory))
    return f"{case.name:32}{figures} {over} {seconds:9.2f}  ±{noise / 2:4.0%}{goal}"


def timed(command: Sequence[str]) -> Run:
    """Run a process to its end, its output thrown away, and ask the kernel what it took."""
    start = time.perf_counter()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    actions = [(os.POSIX_SPAWN_DUP2, nowhere, 1), (os.POSIX_SPAWN_DUP2, nowhere, 2)]
    process = os.posix_spawn(command[0], list(command), ENVIRONMENT, file_actions=actions)
    os.close(nowhere)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 1, 4):
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * unit)


def _spread(values: Sequence[float]) -> str:
    return f"{min(values):.2f} {median(values):.2f} {max(values):.2f}"


if __name__ == "__main__":
    main()
