"""Claude Code sessions: what a repair writes back, and what a session made from another format looks like."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from claude_transcripts import data_of, named, read_all, said

from segue.options import Options
from segue.pipeline import convert

FOLDER = "claude-code"
SOUND = [  # nothing in them would make the next request fail
    *("split-response", "parallel-branches", "parallel-interleaved", "rewind", "pinned-leaf", "compaction-boundary"),
    *("virtual", "snipped", "queued-prompt", "error-blames-nothing", "tool-references", "advisor", "cycle"),
    *("dangling-parent-far", "uuid-written-twice", "sidechain", "through-progress"),
    *("omitted-and-redacted-thinking", "local-command", "line-written-twice"),
    *("kept-messages", "kept-segment", "kept-message-missing", "kept-parallel-calls", "thinking-alone"),
    *("prompt-in-queue", "queue-operations", "replaced-result", "ends-in-words-of-its-agent", "attached-image"),
    *("response-copied-by-a-fork", "leaf-of-another-file", "note-on-a-parallel-result", "kept-part-of-a-response"),
]


def session(name: str) -> bytes:
    return data_of(FOLDER, f"{name}.jsonl")


def repaired(name: str, **options: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in convert(session(name), Options("same", **options)).output.splitlines()]


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in session(name).splitlines()]


def content_of(value: dict[str, Any]) -> Any:
    return value["message"]["content"]


# ------------------------------------------------------------------------------------------ repairs


@pytest.mark.parametrize("name", SOUND)
def test_sound_session_comes_back_byte_for_byte_for_its_own_model(name: str) -> None:
    outcome = convert(session(name), Options("same"))

    assert outcome.output == session(name)
    assert not outcome.report.loses


@pytest.mark.parametrize("name", [name.removesuffix(".jsonl") for name in named(FOLDER)])
def test_repaired_session_needs_no_second_repair(name: str) -> None:
    once = convert(session(name), Options("same")).output

    twice = convert(once, Options("same"))

    assert twice.output == once
    assert not twice.report.loses


def test_joined_line_names_its_new_parent_and_nothing_else_changes() -> None:
    before, after = lines_of("dangling-parent-near"), repaired("dangling-parent-near")

    assert after == [*before[:2], {**before[2], "parentUuid": before[1]["uuid"]}, *before[3:]]


@pytest.mark.parametrize(
    ("name", "call"), [("result-on-another-branch", "toolu_b1"), ("result-beside-its-content", "toolu_x1")]
)
def test_result_that_the_agent_would_not_find_is_a_new_line_behind_its_call(name: str, call: str) -> None:
    before, after = lines_of(name), repaired(name)

    new = [value for value in after if value["uuid"] not in {old["uuid"] for old in before}]
    assert len(new) == 1
    assert content_of(new[0]) == [{"type": "tool_result", "tool_use_id": call, "content": "12 tins"}]
    asking = next(value for value in after if value["uuid"] == new[0]["parentUuid"])
    assert content_of(asking)[0]["id"] == call


def test_call_that_the_agent_would_not_find_is_a_new_line_before_its_result() -> None:
    before, after = lines_of("call-on-another-branch"), repaired("call-on-another-branch")

    new = [value for value in after if value["uuid"] not in {old["uuid"] for old in before}]
    assert [content_of(value)[0]["id"] for value in new] == ["toolu_b2"]
    result = next(value for value in after if value["uuid"] == before[2]["uuid"])
    assert result["parentUuid"] == new[0]["uuid"]
    assert new[0]["parentUuid"] == before[0]["uuid"]


def test_call_that_was_written_again_without_a_result_goes() -> None:
    before, after = lines_of("call-written-again"), repaired("call-written-again")

    assert after == [*before[:3], {**before[4], "parentUuid": before[2]["uuid"]}, before[5]]


def test_what_a_compaction_kept_stands_behind_its_summary_once_it_is_mended() -> None:
    before, after = lines_of("kept-call-without-result"), repaired("kept-call-without-result")

    old = {value["uuid"] for value in before}
    words = [content_of(value) for value in after[3:]]
    assert [value["uuid"] for value in after[:4]] == [before[index]["uuid"] for index in (0, 1, 5, 6)]
    assert "preservedMessages" not in after[2]["compactMetadata"]
    assert words[1] == "Look in the cellar."
    assert [value["uuid"] in old for value in after[5:8]] == [True, False, True]
    assert all(value["parentUuid"] == above["uuid"] for value, above in zip(after[3:], after[2:], strict=False))


def test_prompt_in_the_midst_of_a_response_goes_behind_its_results() -> None:
    after = repaired("prompt-inside-an-open-response")

    kinds = [
        content_of(value) if isinstance(content_of(value), str) else content_of(value)[0]["type"] for value in after
    ]
    assert kinds[1:] == ["tool_use", "tool_use", "tool_result", "tool_result", "Hurry up."]


def test_older_version_of_a_moved_line_goes() -> None:
    before, after = lines_of("late-result-written-twice"), repaired("late-result-written-twice")

    assert [value["uuid"] for value in after] == [before[index]["uuid"] for index in (0, 1, 4, 2, 5)]


def test_server_tool_whose_id_no_server_gave_becomes_words() -> None:
    after = repaired("server-tool-of-a-proxy")

    assert [content_of(value) for value in after[1:]] == [
        [{"type": "text", "text": "[web_search: tea]"}],
        [{"type": "text", "text": "Nothing found."}],
    ]


def test_missing_result_is_one_new_line_and_one_new_link() -> None:
    before, after = lines_of("missing-result"), repaired("missing-result")

    new = after[4]

    assert after[:4] == before[:4]
    assert after[5] == {**before[4], "parentUuid": new["uuid"]}
    assert after[6:] == before[5:]
    assert new["parentUuid"] == before[3]["uuid"]
    assert content_of(new) == [
        {"type": "tool_result", "tool_use_id": "toolu_r2", "content": "No result provided", "is_error": True}
    ]


def test_new_line_is_of_the_same_session_as_its_neighbours() -> None:
    before, new = lines_of("missing-result")[3], repaired("missing-result")[4]

    same = ("isSidechain", "userType", "cwd", "sessionId", "version", "gitBranch", "timestamp")

    assert {key: new[key] for key in same} == {key: before[key] for key in same}
    assert new["uuid"] not in {value["uuid"] for value in lines_of("missing-result")}


def test_orphan_becomes_words_in_its_own_line() -> None:
    before, after = lines_of("orphan-result"), repaired("orphan-result")

    assert [after[0], after[2]] == [before[0], before[2]]
    assert {**after[1], "message": None} == {**before[1], "message": None}
    assert [block["type"] for block in content_of(after[1])] == ["text", "text"]
    assert content_of(after[1])[1]["text"] == "steeped for 3 minutes"


def test_dropped_orphan_leaves_no_gap_in_the_chain() -> None:
    before, after = lines_of("orphan-result"), repaired("orphan-result", orphan_results="drop")

    assert after == [before[0], {**before[2], "parentUuid": before[0]["uuid"]}]


def test_duplicate_result_goes_and_a_used_id_is_given_anew() -> None:
    before, after = lines_of("call-id-used-twice"), repaired("call-id-used-twice")

    assert [value["uuid"] for value in after] == [value["uuid"] for value in before if value is not before[2]]
    assert after[2] == {**before[3], "parentUuid": before[1]["uuid"]}
    assert content_of(after[3])[0]["id"] == content_of(after[4])[0]["tool_use_id"] == "toolu_p1-2"
    assert after[5] == before[6]


def test_late_result_is_moved_behind_its_call() -> None:
    before, after = lines_of("late-result"), repaired("late-result")

    uuids = [value["uuid"] for value in after]

    assert uuids == [before[index]["uuid"] for index in (0, 1, 3, 2, 4)]
    assert [value["parentUuid"] for value in after] == [None, *uuids[:-1]]
    assert [value["message"] for value in after] == [before[index]["message"] for index in (0, 1, 3, 2, 4)]


@pytest.mark.parametrize(
    ("name", "line", "mark"),
    [
        ("error-blames-document", 1, "[document removed: too large]"),
        ("error-blames-image-in-result", 2, "[image removed: too large]"),
    ],
)
def test_blamed_medium_changes_its_own_line_only(name: str, line: int, mark: str) -> None:
    before, after = session(name).splitlines(), convert(session(name), Options("same")).output.splitlines()

    changed = [index for index, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]

    assert changed == [line]
    assert mark in after[line].decode()


def test_thinking_of_another_model_changes_its_own_line_only() -> None:
    before, after = (
        lines_of("split-response"),
        convert(session("split-response"), Options("anthropic/claude-sonnet-4-6")).output.splitlines(),
    )

    values = [json.loads(line) for line in after]

    assert [values[0], values[2]] == [before[0], before[2]]
    assert content_of(values[1]) == [{"type": "text", "text": "Two to three minutes at 75 degrees."}]


# ------------------------------------------------------------------------------------- a new session

BODY: dict[str, Any] = {
    "model": "gpt-5.2",
    "input": [
        {"role": "user", "content": "Two teas, please."},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I'll look."}]},
        {"type": "function_call", "call_id": "call_1", "name": "stock", "arguments": '{"tea":"sencha"}'},
        {"type": "function_call", "call_id": "call_2", "name": "stock", "arguments": '{"tea":"assam"}'},
        {"type": "function_call_output", "call_id": "call_1", "output": "12"},
        {"type": "function_call_output", "call_id": "call_2", "output": "7"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Both are here."}]},
        {"role": "user", "content": "Thanks."},
    ],
}


def new_session(body: dict[str, Any]) -> list[dict[str, Any]]:
    options = Options("anthropic/claude-opus-4-8", to=FOLDER)
    return [json.loads(line) for line in convert(json.dumps(body).encode(), options).output.splitlines()]


def test_new_session_has_one_block_a_line_in_one_chain() -> None:
    values = new_session(BODY)

    links = [value["parentUuid"] for value in values]
    blocks = [content if isinstance(content, list) else [content] for content in map(content_of, values)]

    assert links == [None, *(value["uuid"] for value in values[:-1])]
    assert [len(content) for content in blocks] == [1] * 8
    assert len({value["uuid"] for value in values}) == 8
    assert len({value["sessionId"] for value in values}) == 1


def test_lines_of_one_answer_share_its_id() -> None:
    values = new_session(BODY)

    ids = [value["message"].get("id") for value in values]

    assert ids[1] == ids[2] == ids[3] != ids[6]
    assert [value["message"].get("stop_reason") for value in values[1:4]] == [None, None, "tool_use"]


def test_new_session_rises_in_time() -> None:
    times = [datetime.fromisoformat(value["timestamp"]) for value in new_session(BODY)]

    assert times == sorted(times)


def test_new_session_is_read_as_what_went_in() -> None:
    options = Options("anthropic/claude-opus-4-8", to=FOLDER)

    (transcript,), changes = read_all(convert(json.dumps(BODY).encode(), options).output)

    assert changes == []
    assert [said(message) for message in transcript.messages] == [
        ("user", "text Two teas, please."),
        ("assistant", "text I'll look.", "call call_1", "call call_2"),
        ("tool", "result call_1: text 12"),
        ("tool", "result call_2: text 7"),
        ("assistant", "text Both are here."),
        ("user", "text Thanks."),
    ]


def test_new_session_holds_no_unsigned_thinking() -> None:
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Look in the box."}]}
    body = {**BODY, "input": [BODY["input"][0], reasoning, *BODY["input"][1:]]}

    blocks = [block for value in new_session(body) for block in content_of(value) if isinstance(block, dict)]

    assert "thinking" not in {block["type"] for block in blocks}
    assert {"type": "text", "text": "Look in the box."} in blocks


def test_same_input_makes_the_same_session() -> None:
    assert new_session(BODY) == new_session(BODY)
