"""Files that are no transcripts: exit code 3, in one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from running import Run

NO_TRANSCRIPTS: dict[str, bytes] = {
    "package.json": b'{"name": "tea", "version": "1.0.0", "dependencies": {"kettle": "^2"}}\n',
    "table.csv": b"name,price\nsencha,4.20\nassam,3.10\n",
    "picture.png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x02",
    "empty.jsonl": b"",
    "blank.jsonl": b" \n\n\t\r\n",
    "nul.bin": b"\x00" * 4096,
    "words.txt": b"It was a dark and stormy night.\n",
    "numbers.json": b"[1, 2, 3]\n",
    "null.json": b"null\n",
    "string.json": b'"messages"\n',
    "settings.json": b'{"messages": {"hello": "Hello!"}}\n',
    "log.jsonl": b'{"level": "info", "time": 1}\n{"level": "warn", "time": 2}\n',
    "no-message.json": b'{"model": "claude-opus-4-8", "max_tokens": 9, "system": "x", "messages": []}\n',
}


@pytest.mark.parametrize("command", ["convert", "check", "show"])
@pytest.mark.parametrize("name", [name for name in NO_TRANSCRIPTS if name != "no-message.json"])
def test_file_that_is_no_transcript_is_3(segue: Run, tmp_path: Path, command: str, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(NO_TRANSCRIPTS[name])

    ended = segue(command, path, *(() if command == "show" else ("-m", "openai/gpt-4o")))

    assert (ended.code, ended.out) == (3, b"")
    assert ended.err.startswith(f"segue: {path}: ") and ended.err.count("\n") == 1


def test_body_without_a_message_is_3(segue: Run) -> None:
    ended = segue("convert", "-m", "openai/gpt-4o", given=NO_TRANSCRIPTS["no-message.json"])

    assert (ended.code, ended.out) == (3, b"")
    assert ended.err == "segue: standard input: no message in it\n"


def test_missing_file_is_3(segue: Run, tmp_path: Path) -> None:
    ended = segue("convert", tmp_path / "gone.jsonl", "-m", "openai/gpt-4o")

    assert ended.code == 3
    assert ended.err == f"segue: {tmp_path / 'gone.jsonl'}: no such file or directory\n"


def test_folder_is_3(segue: Run, tmp_path: Path) -> None:
    ended = segue("convert", tmp_path, "-m", "openai/gpt-4o")

    assert ended.code == 3
    assert ended.err == f"segue: {tmp_path}: is a directory\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file_is_3(segue: Run, tmp_path: Path) -> None:
    path = tmp_path / "secret.jsonl"
    path.write_text("{}")
    path.chmod(0)

    ended = segue("convert", path, "-m", "openai/gpt-4o")

    assert ended.code == 3
    assert "permission denied" in ended.err


def test_empty_standard_input_is_3(segue: Run) -> None:
    ended = segue("convert", "-m", "openai/gpt-4o")

    assert ended.code == 3
    assert ended.err.startswith("segue: standard input: ")


def test_named_format_that_does_not_fit_is_3(segue: Run, chat: bytes) -> None:
    ended = segue("convert", "-f", "claude-code", "-m", "openai/gpt-4o", given=chat)

    assert ended.code == 3
    assert ended.err.count("\n") == 1
