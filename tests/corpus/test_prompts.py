"""The own reading of a session: which words must arrive, and that a missing one is seen."""

import json

from prompts import expected_prompts, lost_prompts
from session_chain import unanswered_by_plain_walk

START = "2026-01-01T10:00:00.000Z"


def user(uuid, parent, content, **more):
    return {
        "type": "user", "uuid": uuid, "parentUuid": parent, "isSidechain": False, "timestamp": START,
        "message": {"role": "user", "content": content}, **more,
    }  # fmt: skip


def assistant(uuid, parent, *content, id=None, **more):
    return {
        "type": "assistant", "uuid": uuid, "parentUuid": parent, "isSidechain": False, "timestamp": START,
        "message": {"id": id or f"msg_{uuid}", "role": "assistant", "content": list(content)}, **more,
    }  # fmt: skip


def answer(uuid, parent, **more):
    return assistant(uuid, parent, {"type": "text", "text": f"answer {uuid}"}, **more)


def call(id):
    return {"type": "tool_use", "id": id, "name": "Read", "input": {}}


def result(id):
    return {"type": "tool_result", "tool_use_id": id, "content": "ok"}


def boundary(uuid, **more):
    return {"type": "system", "subtype": "compact_boundary", "uuid": uuid, "parentUuid": None, **more}


def session(*lines):
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_every_text_of_the_chain_is_expected_once():
    data = session(
        user("1", None, "one"),
        answer("2", "1"),
        user("3", "2", [{"type": "text", "text": "two"}, {"type": "text", "text": " \n"}]),
        answer("4", "3"),
        user("5", "4", "one"),
    )

    assert expected_prompts(data) == ["one", "two"]


def test_words_of_the_agent_and_hidden_lines_are_not_expected():
    data = session(
        user("1", None, "prompt"),
        user("2", "1", "caveat", isMeta=True),
        user("3", "2", "shown only", isVisibleInTranscriptOnly=True),
        user("4", "3", "virtual", isVirtual=True),
        user("5", "4", "snipped"),
        {"type": "system", "subtype": "snip_boundary", "uuid": "6", "parentUuid": "5",
         "snipMetadata": {"removedUuids": ["5"]}},
        user("7", None, "to a subagent", isSidechain=True),
        answer("8", "6"),
    )  # fmt: skip

    assert expected_prompts(data) == ["prompt"]


def test_file_of_a_subagent_is_a_session():
    data = session(user("1", None, "task", isSidechain=True), answer("2", "1", isSidechain=True))

    assert expected_prompts(data) == ["task"]


def test_branch_that_was_left_is_not_expected():
    data = session(user("1", None, "one"), answer("2", "1"), user("3", "2", "left"), user("4", "2", "taken"))

    assert expected_prompts(data) == ["one", "taken"]


def test_pinned_leaf_is_followed_and_a_stale_hint_is_not():
    lines = [user("1", None, "one"), answer("2", "1"), user("3", "2", "two"), answer("4", "3")]

    pinned = session(*lines, {"type": "last-prompt", "leafUuid": "2", "explicit": True})
    stale = session(*lines, {"type": "last-prompt", "leafUuid": "2"})

    assert expected_prompts(pinned) == ["one"]
    assert expected_prompts(stale) == ["one", "two"]


def test_only_what_follows_the_last_compaction_is_expected():
    data = session(
        user("1", None, "before"),
        answer("2", "1"),
        boundary("3", logicalParentUuid="2"),
        user("4", "3", "summary", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        user("5", "4", "after"),
    )

    assert expected_prompts(data) == ["summary", "after"]


def test_messages_that_a_compaction_kept_are_expected():
    kept = {"preservedMessages": {"anchorUuid": "5", "uuids": ["3"]}}
    data = session(
        user("1", None, "gone"), answer("2", "1"), user("3", "2", "kept"), boundary("4", compactMetadata=kept),
        user("5", "4", "summary", isCompactSummary=True),
    )  # fmt: skip

    assert expected_prompts(data) == ["kept", "summary"]


def test_text_beside_a_parallel_result_is_expected():
    data = session(
        user("1", None, "one"),
        assistant("2", "1", call("a"), id="msg_a"),
        assistant("3", "2", call("b"), id="msg_a"),
        user("4", "2", [result("a"), {"type": "text", "text": "with the result"}]),
        user("5", "3", [result("b")]),
    )

    assert expected_prompts(data) == ["one", "with the result"]


def test_queued_prompt_behind_the_leaf_is_expected():
    queued = {"type": "queued_command", "prompt": "and this"}
    data = session(user("1", None, "one"), {"type": "attachment", "uuid": "2", "parentUuid": "1", "attachment": queued})

    assert expected_prompts(data) == ["one", "and this"]


def test_missing_parent_is_bridged_to_a_near_line_only():
    near = user("3", "lost", "two", timestamp="2026-01-01T10:00:04.000Z")
    far = user("3", "lost", "two", timestamp="2026-01-01T10:00:06.000Z")

    assert expected_prompts(session(user("1", None, "one"), near)) == ["one", "two"]
    assert expected_prompts(session(user("1", None, "one"), far)) == ["two"]


def test_circle_of_parents_ends():
    data = session(user("1", "2", "one", timestamp=None), user("2", "1", "two", timestamp=None))

    assert expected_prompts(data) == ["one", "two"]


def test_damaged_line_is_passed_over():
    assert expected_prompts(b'{"type": "user", "uu\n' + session(user("1", None, "one"))) == ["one"]


def test_lost_prompt_is_seen_and_a_kept_one_is_not():
    data = session(user("1", None, "one\x00 \ud83d"), answer("2", "1"), user("3", "2", "two"))
    whole = json.dumps({"input": [{"content": "<< one\ufffd \ufffd >>"}, {"content": "two"}]}).encode()
    half = json.dumps({"input": [{"content": "one"}, {"content": "two"}]}).encode()

    assert lost_prompts(data, whole, is_session=False) == []
    assert len(lost_prompts(data, half, is_session=False)) == 1


def test_prompt_on_a_branch_of_the_written_session_counts_as_lost():
    data = session(user("1", None, "one"), answer("2", "1"), user("3", "2", "two"))
    written = session(user("1", None, "one"), answer("2", "1"), user("3", "2", "two"), user("4", "2", "other"))

    assert len(lost_prompts(data, written, is_session=True)) == 1
    assert lost_prompts(data, data, is_session=True) == []


def test_plain_walk_misses_results_of_parallel_calls():
    data = session(
        user("1", None, "one"),
        assistant("2", "1", call("a"), id="msg_a"),
        assistant("3", "2", call("b"), id="msg_a"),
        user("4", "2", [result("a")]),
        user("5", "3", [result("b")]),
    )

    assert unanswered_by_plain_walk(data) == 1
