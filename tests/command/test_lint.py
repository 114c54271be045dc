"""`segue lint` says whether a body would be refused, where and why, and ends as the contract says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from running import SESSIONS, Run

from segue.apis import RULES

CLAUDE = {"model": "claude-sonnet-4-6", "max_tokens": 1024, "messages": [{"role": "user", "content": "Which port?"}]}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {}}
TOOL = {"name": "read", "input_schema": {"type": "object"}}


def body_of(*messages: Any, **more: Any) -> bytes:
    return json.dumps(CLAUDE | ({"messages": [*CLAUDE["messages"], *messages]} if messages else {}) | more).encode()


OPEN_CALL = body_of({"role": "assistant", "content": [CALL]}, {"role": "user", "content": "Well?"}, tools=[TOOL])


def report_of(out: bytes) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(out)
    return report


def test_sound_body_is_accepted(segue: Run) -> None:
    ended = segue("lint", "-m", "anthropic/claude-sonnet-4-6", given=body_of())

    assert ended.code == 0
    assert ended.out.decode().splitlines()[-1] == "  accepted by anthropic/claude-sonnet-4-6"
    assert ended.err == ""


def test_bad_body_is_told_with_rule_place_value_and_answer(segue: Run) -> None:
    ended = segue("lint", "-m", "anthropic/claude-sonnet-4-6", given=OPEN_CALL)

    out = ended.out.decode()
    assert ended.code == 4
    assert "  #1\n  ✗ error    call 'toolu_1' (read) has no result directly behind its turn" in out
    assert '/messages/1/content/0/id  "toolu_1"' in out
    assert "call-without-result" in out
    assert "it would say: messages.1: `tool_use` ids were found without" in out
    assert out.endswith("  ✗ 1 error\n  would be refused by anthropic/claude-sonnet-4-6\n")


def test_report_is_one_json_value_for_programs(segue: Run) -> None:
    ended = segue("lint", "-m", "anthropic/claude-sonnet-4-6", "--report", "json", given=OPEN_CALL)

    report = report_of(ended.out)
    assert list(report) == ["segue", "source", "target", "problems", "exit"]
    assert report["source"] == {"path": "standard input", "format": "anthropic-messages", "bodies": 1, "messages": 3}
    assert report["target"]["model"] == "claude-sonnet-4-6"
    assert report["exit"] == ended.code == 4
    (problem,) = report["problems"]
    assert problem["rule"] == "call-without-result"
    assert problem["severity"] == "error"
    assert problem["message"] == 1
    assert problem["pointer"] == "/messages/1/content/0/id"
    assert problem["excerpt"] == '"toolu_1"'
    assert problem["says"].startswith("messages.1: `tool_use` ids")


@pytest.mark.parametrize("quiet", [("-q",), ("--quiet",), ("--report", "none")])
def test_quiet_leaves_the_exit_code(segue: Run, quiet: tuple[str, ...]) -> None:
    ended = segue("lint", "-m", "anthropic/claude-sonnet-4-6", *quiet, given=OPEN_CALL)

    assert (ended.code, ended.out, ended.err) == (4, b"", "")


def test_summary_is_a_line_a_rule(segue: Run) -> None:
    ended = segue("lint", "-m", "anthropic/claude-sonnet-4-6", "--report", "summary", given=OPEN_CALL)

    assert "  ✗ error    1  call-without-result  /messages/1/content/0/id\n" in ended.out.decode()


def test_history_that_ends_on_the_assistant_is_an_error_here(segue: Run) -> None:
    given = body_of({"role": "assistant", "content": "8080."})

    refused = segue("lint", "-m", "anthropic/claude-sonnet-4-6", "--report", "json", given=given)
    taken = segue("lint", "-m", "anthropic/claude-sonnet-4-5", "-q", given=given)

    assert [problem["rule"] for problem in report_of(refused.out)["problems"]] == ["ends-on-assistant"]
    assert (refused.code, taken.code) == (4, 0)


# ---------------------------------------------------------------------------------- whose rules count


def test_model_or_api_has_to_be_given(segue: Run) -> None:
    ended = segue("lint", given=body_of())

    assert ended.code == 2
    assert ended.err == "segue: -m PROVIDER/ID or --api API is missing: whose rules count?\n"


@pytest.mark.parametrize("words", [("-m", "anthropic/claude-nothing-9x"), ("--api", "antropic"), ("-m", "nobody")])
def test_unknown_names_are_wrong_usage_or_a_warning(segue: Run, words: tuple[str, ...]) -> None:
    ended = segue("lint", *words, "--report", "json", given=body_of())

    if ended.code == 2:
        assert ended.err.startswith("segue: unknown ") or "PROVIDER/ID" in ended.err
    else:
        assert [problem["rule"] for problem in report_of(ended.out)["problems"]] == ["unknown-model"]


def test_api_alone_takes_the_model_that_the_body_names(segue: Run) -> None:
    given = body_of(temperature=1, model="claude-opus-4-8")

    ended = segue("lint", "--api", "messages", "--report", "json", given=given)

    report = report_of(ended.out)
    assert report["target"] == {"provider": "anthropic", "api": "anthropic-messages", "model": "claude-opus-4-8"}
    assert [problem["rule"] for problem in report["problems"]] == ["sampling-parameter"]


def test_api_alone_judges_an_unknown_model_by_what_all_take(segue: Run) -> None:
    given = body_of(model="house-model")

    ended = segue("lint", "--api", "anthropic-messages", "--report", "json", given=given)

    report = report_of(ended.out)
    assert ended.code == 0
    assert report["target"] == {"provider": None, "api": "anthropic-messages", "model": "house-model"}
    assert [(problem["rule"], problem["severity"]) for problem in report["problems"]] == [("unknown-model", "note")]


def test_both_speak_to_the_model_by_the_other_api(segue: Run, chat: bytes) -> None:
    ended = segue("lint", "-m", "openai/gpt-5.2", "--api", "chat", "--report", "json", given=chat)

    assert report_of(ended.out)["target"]["api"] == "openai-completions"
    assert ended.code == 0


def test_own_models_are_known(segue: Run, chat: bytes, tmp_path: Path) -> None:
    models = tmp_path / "models.toml"
    models.write_text('[models."house/small"]\napis = ["openai-completions"]\n')

    ended = segue("lint", "-m", "house/small", "--models", models, "--report", "json", given=chat)

    assert ended.code == 0
    assert report_of(ended.out)["problems"] == []


def test_same_is_the_body_s_own_model(segue: Run) -> None:
    told = segue("lint", "-m", "same", "--report", "json", given=body_of(system="Be brief."))
    silent = segue("lint", "-m", "same", given=b'{"messages":[{"role":"user","content":"Hi"}]}')

    assert report_of(told.out)["target"]["model"] == "claude-sonnet-4-6"
    assert silent.code == 2


# ---------------------------------------------------------------------------------------- other bodies


@pytest.mark.parametrize(
    ("words", "given", "others"),
    [
        (("-m", "openai/gpt-5.2"), OPEN_CALL, "anthropic-messages"),
        (("--api", "openai-chat"), OPEN_CALL, "anthropic-messages"),
        (("--api", "messages"), b'{"model":"gpt-5.2","input":[{"role":"user","content":"Hi"}]}', "openai-responses"),
        (("--api", "messages"), b'{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}', "google-generative-ai"),
        (
            ("--api", "messages"),
            b'{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"tool","content":"x","tool_call_id":"c"}]}',
            "mistral-conversations or openai-completions",
        ),
        (("--api", "messages"), b'{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}', "bedrock-converse-stream"),
    ],
)
def test_body_of_another_api_is_one_finding(segue: Run, words: tuple[str, ...], given: bytes, others: str) -> None:
    ended = segue("lint", *words, "--report", "json", given=given)

    found = [problem for problem in report_of(ended.out)["problems"] if problem["rule"] != "unknown-model"]
    assert ended.code == 4
    assert [problem["rule"] for problem in found] == ["other-api-body"]
    assert found[0]["what"].startswith(f"this is a body of {others}, not of ")


def test_mistake_within_a_body_is_not_taken_for_another_api(segue: Run) -> None:
    given = body_of({"role": "assistant", "tool_calls": [], "content": [CALL]}, tools=[TOOL])

    ended = segue("lint", "-m", "anthropic/claude-sonnet-4-6", "--report", "json", given=given)

    found = {problem["pointer"] for problem in report_of(ended.out)["problems"]}
    assert "/messages/1/tool_calls" in found


def test_each_line_of_a_data_set_is_judged(segue: Run) -> None:
    lines = b'{"messages":[{"role":"user","content":"Hi"}]}\n\n{"messages":[{"role":"user","content":null}]}\n'

    ended = segue("lint", "-m", "openai/gpt-4o", "--api", "chat", "--report", "json", given=lines)

    report = report_of(ended.out)
    assert report["source"]["bodies"] == 2
    assert [problem["pointer"] for problem in report["problems"]] == ["3:/messages/0/content"]
    assert [problem["message"] for problem in report["problems"]] == [0]


def test_many_equal_problems_are_folded_and_all_in_the_json_report(segue: Run) -> None:
    given = body_of(*({"role": "user", "content": ""} for _ in range(10_000)))

    drawn = segue("lint", "-m", "anthropic/claude-sonnet-4-6", given=given)
    told = segue("lint", "-m", "anthropic/claude-sonnet-4-6", "--report", "json", given=given)

    lines = drawn.out.decode().splitlines()
    assert len(lines) < 80
    assert any("✗ error    … 9,9" in line and "more" in line for line in lines)
    assert len(report_of(told.out)["problems"]) == 10_000


# ----------------------------------------------------------------------------------- the text of a body


@pytest.mark.parametrize(
    ("text", "rule", "pointer"),
    [
        (
            '{"model":"gpt-4o","temperature":NaN,"messages":[{"role":"user","content":"Hi"}]}',
            "no-json-number",
            "/temperature",
        ),
        (
            '{"model":"gpt-4o","messages":[{"role":"user","content":"a\\ud83d"}]}',
            "lone-surrogate",
            "/messages/0/content",
        ),
        ('{"model":"gpt-4o","messages":[{"role":"user","content":"a\tb"}]}', "invalid-json", ""),
        ('{"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}]} and more', "invalid-json", ""),
    ],
)
def test_text_that_is_no_json_is_an_error(segue: Run, text: str, rule: str, pointer: str) -> None:
    ended = segue("lint", "--api", "chat", "--report", "json", given=text.encode())

    found = [(problem["rule"], problem["pointer"]) for problem in report_of(ended.out)["problems"]]
    assert ended.code == 4
    assert (rule, pointer) in found


def test_other_encodings_are_an_error_and_a_byte_order_mark_a_doubt(segue: Run, chat: bytes) -> None:
    wide = segue("lint", "--api", "chat", "--report", "json", given=chat.decode().encode("utf-16"))
    marked = segue("lint", "--api", "chat", "--report", "json", given=b"\xef\xbb\xbf" + chat)
    broken = segue("lint", "--api", "chat", "--report", "json", given=chat.replace(b"Hello", b"Hell\xff"))

    assert [report_of(ended.out)["problems"][0]["rule"] for ended in (wide, marked, broken)] == ["invalid-json"] * 3
    assert [ended.code for ended in (wide, marked, broken)] == [4, 0, 4]


def test_white_space_is_nothing_to_tell(segue: Run, chat: bytes) -> None:
    spread = json.dumps(json.loads(chat), indent=2).replace("\n", "\r\n").encode() + b"\r\n\r\n"

    ended = segue("lint", "--api", "chat", "--report", "json", given=spread)

    assert report_of(ended.out)["problems"] == []


@pytest.mark.parametrize("given", [b"", b"hello", b'{"model":"m","messages":[{"role"'])
def test_what_is_no_body_cannot_be_read(segue: Run, given: bytes) -> None:
    ended = segue("lint", "--api", "chat", given=given)

    assert ended.code == 3
    assert ended.err.startswith("segue: standard input: ")


def test_body_too_deep_to_be_judged_cannot_be_read(segue: Run) -> None:
    ended = segue("lint", "--api", "chat", given=b'{"a":' * 1100 + b"1" + b"}" * 1100)

    assert (ended.code, ended.err) == (3, "segue: standard input: it nests too deep to be judged\n")


def test_session_is_no_body(segue: Run) -> None:
    ended = segue("lint", SESSIONS / "claude-code" / "demo.jsonl", "--api", "messages")

    assert ended.code == 3
    assert "no request body in it" in ended.err


def test_missing_file_cannot_be_read(segue: Run, tmp_path: Path) -> None:
    ended = segue("lint", tmp_path / "nothing.json", "--api", "chat")

    assert ended.code == 3


def test_file_stays_as_it_is(segue: Run, tmp_path: Path) -> None:
    path = tmp_path / "body.json"
    path.write_bytes(OPEN_CALL)

    segue("lint", path, "-m", "same")

    assert path.read_bytes() == OPEN_CALL
    assert list(tmp_path.iterdir()) == [path]


def test_colour_adds_no_words(segue: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = segue("lint", "-m", "same", given=OPEN_CALL).out.decode()
    monkeypatch.setenv("FORCE_COLOR", "1")

    coloured = segue("lint", "-m", "same", given=OPEN_CALL).out.decode()

    assert coloured != plain
    assert all(word in coloured for word in ("error", "call-without-result", "would be refused by"))


# ------------------------------------------------------------------------------------------- in words


@pytest.mark.parametrize("api", RULES)
def test_every_rule_of_an_api_is_explained_by_name_and_by_id(segue: Run, api: str) -> None:
    for rule in RULES[api]:
        by_name = segue("explain", rule.name)
        by_id = segue("explain", rule.id.lower())

        for ended in (by_name, by_id):
            told = ended.out.decode()
            assert ended.code == 0
            assert rule.words in told
            assert f"source: {rule.source}, read {rule.date}" in told


@pytest.mark.parametrize("name", ["anthropic-messages", "messages", "openai-chat", "openai-completions", "responses"])
def test_api_is_explained_theme_by_theme(segue: Run, name: str) -> None:
    told = segue("explain", name).out.decode()

    themes = ["any JSON", "the request and the shape of its history", "tools, calls and results", "media", "limits"]
    places = [told.index(f"\n{theme}\n") for theme in themes]
    assert places == sorted(places)
    assert "legal, although it is often said not to be" in told
    assert "what a body alone does not tell" in told


def test_what_is_not_judged_is_explained_by_its_id(segue: Run) -> None:
    told = segue("explain", "A-R7").out.decode()

    assert "the binding is sealed in the signature" in told
