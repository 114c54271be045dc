"""`-o` is written whole or not at all, and never over the source."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from running import Run

CHAT = ("-m", "openai/gpt-4o", "--api", "openai-completions")


def test_file_holds_what_standard_output_would(segue: Run, chat: bytes, tmp_path: Path) -> None:
    ended = segue("convert", *CHAT, "-o", tmp_path / "out.json", given=chat)

    assert (ended.code, ended.out) == (0, b"")
    assert (tmp_path / "out.json").read_bytes() == chat
    assert os.listdir(tmp_path) == ["out.json"]


def test_existing_file_is_kept_when_writing_fails(
    segue: Run, chat: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.json"
    path.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)

    ended = segue("convert", *CHAT, "-o", path, "--report", "none", given=chat)

    assert ended.code == 5
    assert ended.err == f"segue: {path}: no space left on device\n"
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["out.json"]


@pytest.mark.parametrize("name", ["missing/out.json", "file/out.json", "."])
def test_place_that_cannot_be_written_is_told_in_one_line(segue: Run, chat: bytes, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")

    ended = segue("convert", *CHAT, "-o", tmp_path / name, "--report", "none", given=chat)

    assert ended.code == 5
    assert ended.err.startswith("segue: ") and ended.err.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_write_permission_is_told(segue: Run, chat: bytes, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    ended = segue("convert", *CHAT, "-o", tmp_path / "out.json", given=chat)

    tmp_path.chmod(0o700)
    assert ended.code == 5
    assert "permission denied" in ended.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_full_standard_output_is_told(chat: bytes, tmp_path: Path) -> None:
    import subprocess
    import sys

    with open("/dev/full", "wb") as full:
        words = [sys.executable, "-m", "segue_cli", "convert", *CHAT, "--report", "none"]
        ended = subprocess.run(words, input=chat, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)

    assert ended.returncode == 5
    assert ended.stderr == b"segue: standard output: no space left on device\n"


@pytest.mark.parametrize("way", ["same", "link", "hard link"])
def test_source_is_never_the_output(segue: Run, chat: bytes, tmp_path: Path, way: str) -> None:
    source = tmp_path / "in.json"
    source.write_bytes(chat)
    output = source if way == "same" else tmp_path / "other.json"
    if way == "link":
        output.symlink_to(source)
    elif way == "hard link":
        os.link(source, output)

    ended = segue("convert", source, *CHAT, "-o", output, "--prompt", "more")

    assert ended.code == 2
    assert "is the source itself" in ended.err
    assert source.read_bytes() == chat


def test_output_through_a_link_changes_what_it_points_at(segue: Run, chat: bytes, tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("before")
    (tmp_path / "link.json").symlink_to("real.json")

    ended = segue("convert", *CHAT, "-o", tmp_path / "link.json", given=chat)

    assert ended.code == 0
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_bytes() == chat


def test_existing_file_keeps_its_permissions(segue: Run, chat: bytes, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("before")
    path.chmod(0o640)

    segue("convert", *CHAT, "-o", path, given=chat)

    assert path.stat().st_mode & 0o777 == 0o640


def test_device_takes_the_output(segue: Run, chat: bytes) -> None:
    ended = segue("convert", *CHAT, "-o", "/dev/null", "--report", "none", given=chat)

    assert (ended.code, ended.out, ended.err) == (0, b"", "")


def test_refused_body_leaves_the_file_alone(segue: Run, refused: bytes, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("before")

    ended = segue("convert", *CHAT, "-o", path, given=refused)

    assert ended.code == 4
    assert path.read_text() == "before"


def test_fail_on_leaves_the_file_alone(segue: Run, demo: Path, tmp_path: Path) -> None:
    ended = segue("convert", demo, "-m", "openai/gpt-5.2", "--fail-on", "dropped", "-o", tmp_path / "out.json")

    assert ended.code == 1
    assert not (tmp_path / "out.json").exists()
