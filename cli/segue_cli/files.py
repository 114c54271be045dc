"""Sources in, results out: files are read whole, and written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from pathlib import Path

from segue.errors import SegueError, UnreadableSource, UnwritableOutput, UsageError

STANDARD_INPUT = "-"


def read_source(source: str) -> bytes:
    """Read a source; '-' is standard input. Raises UnreadableSource in one line."""
    if source == STANDARD_INPUT:
        if sys.stdin is None or sys.stdin.closed:
            raise UnreadableSource("standard input is closed")
        if sys.stdin.isatty():
            raise UsageError("no SOURCE is given and standard input is a terminal")
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise UnreadableSource(f"{source}: {_reason(error)}") from error


def read_named(path: str, option: str) -> bytes:
    """Read a file that an option names. Raises UsageError."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{option} {path}: {_reason(error)}") from error


def shown_name(source: str) -> str:
    return "standard input" if source == STANDARD_INPUT else source


def named(error: SegueError, source: str) -> SegueError:
    """Put the source's name in front of what went wrong with it."""
    if isinstance(error, UnreadableSource) and not str(error).startswith(shown_name(source)):
        return UnreadableSource(f"{shown_name(source)}: {error}")
    return error


def check_output(output: Path, source: str) -> None:
    """Refuse an output that is the source itself: sources are never modified."""
    if source == STANDARD_INPUT:
        return
    try:
        is_same = output.exists() and os.path.samefile(output, source)
    except OSError:
        return
    if is_same and stat.S_ISREG(output.stat().st_mode):
        raise UsageError(f"the output {str(output)!r} is the source itself; name another file")


def write_output(data: bytes, output: Path | None) -> None:
    """Write to standard output, or to a file: whole, or not at all. Raises UnwritableOutput."""
    if output is None:
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise UnwritableOutput(f"standard output: {_reason(error)}") from error
        return
    try:
        _write_file(data, output)
    except OSError as error:
        raise UnwritableOutput(f"{output}: {_reason(error)}") from error


def write_outputs(outputs: list[tuple[bytes, Path]]) -> None:
    """Write several files, with the folders that they need: all of them, or none. Raises UnwritableOutput."""
    staged: list[tuple[Path, Path]] = []
    made: list[Path] = []
    done = False
    output = outputs[0][1]
    try:
        for data, output in outputs:
            made.extend(_made_folders(output.parent))
            target = Path(os.path.realpath(output))
            if target.exists() and not target.is_file():
                reason = "is a directory" if target.is_dir() else "not a regular file"
                raise OSError(21, reason)
            staged.append((_staged(data, target), target))
        for name, target in staged:
            os.replace(name, target)
        done = True
    except OSError as error:
        raise UnwritableOutput(f"{output}: {_reason(error)}") from error
    finally:
        if not done:
            for name, _ in staged:
                name.unlink(missing_ok=True)
            for folder in reversed(made):
                _remove_if_empty(folder)


def _made_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it that are missing; return what was made, the highest first."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for one in reversed(missing):
        one.mkdir()
    return missing[::-1]


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _write_file(data: bytes, output: Path) -> None:
    target = Path(os.path.realpath(output))
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise IsADirectoryError(21, "is a directory")
        with open(target, "wb", buffering=0) as stream:  # a device or a pipe: nothing to replace
            stream.write(data)
        return
    name = _staged(data, target)
    try:
        os.replace(name, target)
    except BaseException:
        name.unlink(missing_ok=True)
        raise


def _staged(data: bytes, target: Path) -> Path:
    """Write what a file will hold under another name beside it, with the mode that it will have."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, stat.S_IMODE(target.stat().st_mode) if target.exists() else _usual_mode())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _usual_mode() -> int:
    """Give the mode that a new file gets here; a temporary one is its owner's alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
