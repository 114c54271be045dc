"""`segue check`: what would a switch cost? On standard output, with the verdict as exit code."""

from __future__ import annotations

import json
from pathlib import Path

from running import SESSIONS, Run

from segue.options import Options
from segue.pipeline import convert


def test_report_is_on_standard_output_and_nothing_else_anywhere(segue: Run, demo: Path) -> None:
    ended = segue("check", demo, "-m", "openai/gpt-5.2")

    assert ended.code == 1
    assert b"foreign-thinking" in ended.out and b"with loss" in ended.out
    assert ended.err == ""


def test_history_that_fits_without_loss_is_0(segue: Run) -> None:
    session = SESSIONS / "claude-code" / "rewind.jsonl"

    ended = segue("check", session, "-m", "openai/gpt-5.2", "--report", "json")

    report = json.loads(ended.out)
    assert (ended.code, report["exit"]) == (0, 0)
    assert report["counts"]["hidden"] == 2


def test_rewritten_ids_are_no_loss(segue: Run) -> None:
    session = SESSIONS / "claude-code" / "late-result.jsonl"

    ended = segue("check", session, "-m", "anthropic/claude-opus-4-8", "--report", "json")

    assert ended.code == 0
    assert json.loads(ended.out)["counts"]["rewritten"] > 0


def test_body_that_would_be_refused_is_4(segue: Run, refused: bytes) -> None:
    ended = segue("check", "-m", "openai/gpt-4o", "--api", "openai-completions", "--report", "json", given=refused)

    assert ended.code == 4
    assert json.loads(ended.out)["exit"] == 4


def test_history_that_overflows_the_window_is_4_and_only_a_warning_when_converted(segue: Run) -> None:
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "word " * 200_000}]}
    data = json.dumps(body).encode() + b"\n"
    options = ("-m", "openai/gpt-4o", "--api", "openai-completions", "--report", "json")

    checked = segue("check", *options, given=data)
    converted = segue("convert", *options, given=data)

    assert checked.code == 4
    assert json.loads(checked.out)["fit"]["fits"] is False
    assert (converted.code, converted.out) == (0, data)
    assert [problem["severity"] for problem in json.loads(converted.err)["problems"]] == ["warning"]


def test_several_models_make_an_array_and_the_best_is_the_verdict(segue: Run) -> None:
    session = SESSIONS / "claude-code" / "split-response.jsonl"

    ended = segue("check", session, "-m", "openai/gpt-5.2", "-m", "anthropic/claude-opus-4-8", "--report", "json")

    reports = json.loads(ended.out)
    assert [report["target"]["model"] for report in reports] == ["gpt-5.2", "claude-opus-4-8"]
    assert [report["exit"] for report in reports] == [1, 0]
    assert ended.code == 0


def test_check_tells_the_same_as_converting_to_a_request(segue: Run, demo: Path) -> None:
    checked = json.loads(segue("check", demo, "-m", "openai/gpt-5.2", "--report", "json").out)

    outcome = convert(demo.read_bytes(), Options("openai/gpt-5.2", to="request"), str(demo))

    assert {**checked, "exit": 0} == outcome.report.as_json()


def test_same_means_the_model_that_the_session_used_last(segue: Run, demo: Path) -> None:
    report = json.loads(segue("check", demo, "-m", "same", "--report", "json").out)

    assert report["target"] == {
        "provider": "anthropic",
        "api": "anthropic-messages",
        "model": "claude-sonnet-4-6",
    }


def test_same_without_a_recorded_model_names_the_way_out(segue: Run) -> None:
    messages = b'[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hello!"}]\n'

    ended = segue("check", "-m", "same", given=messages)
    named = segue("check", "-m", "same", "--source-model", "openai/gpt-4o", "--report", "none", given=messages)

    assert ended.code == 2
    assert "--source-model" in ended.err and ended.err.count("\n") == 1
    assert named.code == 0


def test_same_of_a_model_that_nobody_knows_is_a_warning(segue: Run) -> None:
    body = b'{"model":"claude-opus-9","max_tokens":9,"system":"x","messages":[{"role":"user","content":"Hi"}]}\n'

    ended = segue("check", "-m", "same", "--report", "json", given=body)

    problems = json.loads(ended.out)["problems"]
    assert ended.code == 0
    assert [(problem["rule"], problem["severity"]) for problem in problems] == [("unknown-model", "warning")]


def test_report_file_holds_all_reports(segue: Run, demo: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    models = ("-m", "openai/gpt-5.2", "-m", "openai/gpt-4o")

    ended = segue("check", demo, *models, "--report", "summary", "--report-file", path)

    assert len(json.loads(path.read_bytes())) == 2
    assert ended.out.count(b"openai/") >= 2
