"""The user's own models: added, laid over the catalogue's, and refused in one line where they are wrong."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from catalogues import MODELS

from segue import Options, check
from segue.errors import UsageError
from segue.targets import IdShape, OwnModels, read_models, resolve
from segue.targets.catalogue import model_names, models

WRONG = sorted((MODELS / "wrong").iterdir())
LOCAL = MODELS / "own" / "local-hosts.toml"
TALK = b'{"model":"m","messages":[{"role":"user","content":"Hello"}]}'


def own(path: Path = LOCAL) -> OwnModels:
    return read_models(path.read_bytes(), str(path))


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_wrong_file_is_refused_in_one_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    says = "not JSON" if path.suffix == ".json" else text.partition("\n")[0].removeprefix("# says: ")

    with pytest.raises(UsageError) as refused:
        own(path)

    assert says in str(refused.value)
    assert str(refused.value).startswith(str(path)) and "\n" not in str(refused.value)


def test_own_model_is_known_with_all_that_the_file_says() -> None:
    target = resolve("vllm/qwen3-coder", models=own())

    assert target.known and target.api == "openai-completions"
    assert (target.context_window, target.max_output) == (131_072, 16_384)
    assert (target.images, target.alternates, target.required_thinking) == (False, True, "calls")
    assert target.call_id == IdShape("a-zA-Z0-9", 9, exact=True)
    assert target.image_types == frozenset({"image/png"})


def test_what_the_file_does_not_say_is_the_catalogues() -> None:
    target = resolve("anthropic/claude-opus-4-8", models=own())
    usual = resolve("anthropic/claude-opus-4-8")

    assert (target.max_output, usual.max_output) == (4096, 128_000)
    assert target.context_window == usual.context_window and target.late_system


def test_model_that_is_like_another_has_its_family_and_its_own_name() -> None:
    target = resolve("azure/our-deployment", models=own())

    assert target.name == "azure/our-deployment" and target.api == "azure-openai-responses"
    assert (target.context_window, target.max_output) == (64_000, 128_000)
    assert target.efforts == resolve("azure/gpt-5-mini").efforts


def test_model_that_is_like_nobody_is_refused() -> None:
    models = read_models(b'[models."a/b"]\nlike = "c/d"\n', "own.toml")

    with pytest.raises(UsageError, match="'a/b' is like 'c/d', which the catalogue does not know"):
        resolve("a/b", models=models)


def test_api_overrules_the_files() -> None:
    assert resolve("vllm/qwen3-coder", "anthropic-messages", models=own()).api == "anthropic-messages"


def test_without_the_file_an_own_model_is_a_stranger() -> None:
    with pytest.raises(UsageError):
        resolve("azure/our-deployment")


def test_json_says_the_same_things() -> None:
    target = resolve("ollama/tiny", models=own(LOCAL.with_suffix(".json")))

    assert (target.context_window, target.images, target.api) == (8192, True, "openai-completions")


def test_json_is_recognised_without_its_ending() -> None:
    data = b'\xef\xbb\xbf {"models": {"a/b": {"window": 5}}}'

    assert resolve("a/b", models=read_models(data, "SEGUE_MODELS")).context_window == 5


def test_own_models_stand_in_the_list_and_among_the_names() -> None:
    rows = {row.name: row for row in models(own())}

    assert rows["vllm/qwen3-coder"].own and not rows["openai/gpt-5.2"].own
    assert rows["anthropic/claude-opus-4-8"].output == 4096
    assert list(rows) == [row.name for row in sorted(rows.values(), key=lambda row: (row.provider, row.id))]
    assert model_names(own())[0] == "vllm/qwen3-coder"


def test_own_models_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(own())) == own()


def test_a_run_knows_own_models() -> None:
    report = check(TALK, Options(model="vllm/qwen3-coder", to="request", models=own()))

    assert report.exit == 0
    assert not any(problem.rule == "unknown-model" for problem in report.problems)
    assert report.as_json()["fit"]["context_window"] == 131_072


def test_own_model_that_wants_reasoning_back_has_a_field_for_it() -> None:
    models = read_models(
        b'[models."vllm/thinker"]\napi = "openai-completions"\nrequired_thinking = "all"\n', "own.toml"
    )

    target = resolve("vllm/thinker", models=models)

    assert (target.thinking, target.thinking_field, target.unsigned_thinking) == ("field", "reasoning_content", True)
    assert target.required_thinking == "all"
