"""`segue models`, and the file of own models that the command finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import Run

OWN = '[models."mine/one"]\napi = "openai-completions"\nwindow = 4321\nreasoning = true\n'


@pytest.fixture(autouse=True)
def _no_own_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SEGUE_MODELS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    return file


def test_every_word_has_to_occur_in_a_line(segue: Run) -> None:
    ended = segue("models", "ANTHROPIC/", "omitted", "opus")

    lines = ended.out.decode().splitlines()
    assert (ended.code, ended.err) == (0, "")
    assert [line.split()[0] for line in lines] == [
        "anthropic/claude-opus-4-7",
        "anthropic/claude-opus-4-8",
        "anthropic/claude-opus-5",
        *(line.split()[0] for line in lines[3:]),
    ]
    assert all("omitted" in line and "opus" in line for line in lines)


def test_a_line_tells_apis_window_answer_inputs_and_family(segue: Run) -> None:
    ended = segue("models", "anthropic/claude-opus-4-8", "image,pdf")

    assert ended.out.decode().splitlines()[0].split() == [
        "anthropic/claude-opus-4-8",
        "anthropic-messages",
        "1000000",
        "128000",
        "image,pdf",
        "claude-omitted-text",
    ]


def test_columns_are_aligned(segue: Run) -> None:
    lines = segue("models", "gemini").out.decode().splitlines()

    starts = {len(line) - len(line.split(None, 1)[1]) for line in lines}
    assert len(lines) > 20 and len(starts) == 1


def test_without_words_all_are_listed(segue: Run) -> None:
    assert len(segue("models").out.decode().splitlines()) > 1500


@pytest.mark.parametrize("words", [["claude-mythos-5-2"], ["kimi"]])
def test_json_is_one_array_whatever_the_count(segue: Run, words: list[str]) -> None:
    ended = segue("models", "--json", *words)

    found = json.loads(ended.out)
    assert isinstance(found, list) and found
    assert all(words[0] in json.dumps(one).lower() for one in found)
    assert {"model", "apis", "window", "output", "image", "pdf", "audio", "reasoning", "family"} <= found[0].keys()


def test_no_match_is_told_with_the_nearest(segue: Run) -> None:
    ended = segue("models", "claude-opus-49")

    assert (ended.code, ended.out) == (2, b"")
    assert "'claude-opus-49'" in ended.err and "claude-opus-4-8" in ended.err and ended.err.count("\n") == 1


def test_own_models_are_listed(segue: Run, own: Path) -> None:
    ended = segue("models", "mine/", "--models", own)

    assert ended.out.decode().split() == ["mine/one", "openai-completions", "4321", "-", "-", "reasoning", "own"]


def test_own_models_come_from_the_environment(segue: Run, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGUE_MODELS", str(own))

    assert segue("models", "mine/").code == 0
    assert "from your own models" in segue("explain", "mine/one").out.decode()


@pytest.mark.parametrize("name", ["models.toml", "models.json"])
def test_own_models_come_from_the_config_folder(segue: Run, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "config" / "segue"
    folder.mkdir(parents=True)
    text = OWN if name.endswith("toml") else '{"models": {"mine/one": {"window": 4321}}}'
    (folder / name).write_text(text, encoding="utf-8")

    assert "4321" in segue("models", "mine/").out.decode()


def test_named_file_counts_before_the_environment(
    segue: Run, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEGUE_MODELS", str(tmp_path / "missing.toml"))

    assert segue("models", "mine/", "--models", own).code == 0


def test_missing_file_is_told(segue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "missing.toml"

    named = segue("models", "--models", missing)
    monkeypatch.setenv("SEGUE_MODELS", str(missing))
    from_environment = segue("models")

    assert (named.code, from_environment.code) == (2, 2)
    assert f"--models {missing}" in named.err and f"SEGUE_MODELS {missing}" in from_environment.err


@pytest.mark.parametrize("command", ["convert", "check"])
def test_a_history_is_fitted_to_an_own_model(segue: Run, own: Path, chat: bytes, command: str) -> None:
    ended = segue(command, "-m", "mine/one", "--models", own, "--report", "summary", given=chat)

    assert ended.code == 0
    assert "does not know" not in ended.err + ended.out.decode()


def test_wrong_file_ends_with_its_place(segue: Run, tmp_path: Path, chat: bytes) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('[models."mine/one"]\nwindw = 1\n', encoding="utf-8")

    ended = segue("check", "-m", "mine/one", "--models", wrong, given=chat)

    assert ended.code == 2
    assert ended.err.startswith(f"segue: {wrong}: model 'mine/one': unknown key 'windw'; did you mean 'window'")
    assert ended.err.count("\n") == 1


def test_unknown_model_of_a_plain_family_is_a_warning_that_names_the_api(segue: Run, chat: bytes) -> None:
    ended = segue("check", "-m", "gateway/claude-opus-9", "--report", "json", given=chat)

    (problem,) = [one for one in json.loads(ended.out)["problems"] if one["rule"] == "unknown-model"]
    assert problem["severity"] == "warning" and "openai-completions" in problem["what"]


def test_explain_tells_a_model_in_words(segue: Run) -> None:
    told = segue("explain", "anthropic/claude-sonnet-4-5").out.decode()

    for words in ("200,000 tokens", "64,000 tokens", "pdf", "signed thinking", "[a-zA-Z0-9_-]", "until 2026-11-30"):
        assert words in told
