"""pi sessions: which branch is read, what the model sees of it, and how a session is written over."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from pi_transcripts import SESSIONS, fixture, read_all, read_one, written

from segue.changes import Change
from segue.errors import UsageError
from segue.formats import pi_messages
from segue.formats.pi import FORMAT
from segue.model import Message, Origin, Session, Source, Text, Tool, ToolCall, ToolResult, Transcript

FIXTURES = sorted(path.name for path in (SESSIONS / "pi").iterdir())


def texts(transcript: Transcript) -> list[str]:
    return [block.text for message in transcript.messages for block in message.of(Text)]


def told(changes: list[Change]) -> list[tuple[str, str, int]]:
    return [(change.kind, change.rule, change.count) for change in changes]


def lines_of(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()]


# ----------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("name", FIXTURES)
def test_untouched_session_comes_back_byte_for_byte(name: str) -> None:
    data = fixture(FORMAT, name)

    output, changes = written(FORMAT, read_one(FORMAT, data))

    assert output == data
    assert changes == []


@pytest.mark.parametrize("name", FIXTURES)
def test_first_line_is_recognised(name: str) -> None:
    values = lines_of(fixture(FORMAT, name))

    assert FORMAT.recognise(values, False)
    assert not FORMAT.recognise(values[1:], False)


@pytest.mark.parametrize("name", FIXTURES)
def test_session_in_lines_of_messages_loses_only_what_is_no_message(name: str) -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, name))

    output, _ = written(pi_messages.FORMAT, transcript)

    again = read_one(pi_messages.FORMAT, output)
    spoken = [message for message in transcript.messages if "compaction-boundary" not in message.marks]
    assert [message.role for message in again.messages] == [message.role for message in spoken]
    assert [message.origin for message in again.messages] == [message.origin for message in spoken]


def test_bookkeeping_is_told_once() -> None:
    (transcript,), changes = read_all(FORMAT, fixture(FORMAT, "calls-and-results.jsonl"))

    roles = [message.role for message in transcript.messages]

    assert roles == ["user", "assistant", "tool", "tool", "assistant"]
    assert transcript.session.model == "claude-sonnet-4-6"
    assert told(changes) == [("hidden", "bookkeeping-record", 3)]
    assert changes[0].what == "3 bookkeeping records: label 1, model_change 1, session_info 1"


def test_other_branch_is_hidden_and_its_summary_speaks() -> None:
    (transcript,), changes = read_all(FORMAT, fixture(FORMAT, "abandoned-branch.jsonl"))

    assert texts(transcript) == [
        "First try",
        "The following is a summary of a branch that this conversation came back from:\n\n"
        "<summary>\nIt went wrong.</summary>",
        "Second try",
        "Better",
    ]
    assert told(changes) == [("hidden", "abandoned-branch", 2)]
    assert changes[0].what == "2 messages on 1 abandoned branch: 'b0000003'"


def test_named_leaf_chooses_its_branch() -> None:
    (transcript,), changes = read_all(FORMAT, fixture(FORMAT, "abandoned-branch.jsonl"), leaf="b0000003")

    assert texts(transcript) == ["First try", "Left behind", "Left behind too"]
    assert told(changes) == [("hidden", "abandoned-branch", 3)]


def test_unknown_leaf_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown leaf 'b000000X': the nearest ids are b000000"):
        read_all(FORMAT, fixture(FORMAT, "abandoned-branch.jsonl"), leaf="b000000X")


def test_compaction_comes_between_what_went_and_what_it_kept() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "compaction-keeps-a-tail.jsonl"))

    seen = [(message.role, message.records, sorted(message.marks)) for message in transcript.messages]

    assert seen == [
        ("user", (1,), []),
        ("assistant", (2,), []),
        ("system", (5,), ["compaction-boundary"]),
        ("user", (5,), ["compaction-summary"]),
        ("assistant", (3,), []),
        ("tool", (4,), []),
        ("user", (6,), []),
    ]
    assert texts(transcript)[2] == (
        "The conversation history before this point was compacted into the following summary:\n\n"
        "<summary>\nWe listed files.\n</summary>"
    )


def test_version_1_counts_lines_instead_of_ids() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "version-1-compaction.jsonl"))

    assert [message.records for message in transcript.messages] == [(1,), (2,), (5,), (5,), (3,), (4,), (6,)]
    assert all(message.id is None for message in transcript.messages)


def test_version_2_hook_message_speaks_as_user() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "version-2-hook-message.jsonl"))

    assert [message.role for message in transcript.messages] == ["user"] * 3
    assert texts(transcript) == ["Hello", "On branch main", "Two notes"]


def test_shell_output_is_worded_and_secrets_are_not() -> None:
    (transcript,), changes = read_all(FORMAT, fixture(FORMAT, "shell-output.jsonl"))

    assert texts(transcript) == [
        "Ran `make`\n```\nno rule\n```\n\nCommand exited with code 2\n\n[Output truncated. Full output: /logs/out.log]",
        "Ran `sleep 9`\n(no output)\n\n(command cancelled)",
        "Why?",
    ]
    assert told(changes) == [("hidden", "excluded-output", 1)]


def test_last_edit_counts_and_an_edit_to_nothing_hides() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "context-edits.jsonl"))

    taken_out, _, result, last = transcript.messages

    assert taken_out.marks == {"snipped"}
    assert result.of(ToolResult)[0].text == "a summary of it"
    assert texts(replace(transcript, messages=(last,))) == ["And now?"]


def test_sections_of_the_prompt_are_read_and_tools_followed() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "system-sections.jsonl"))

    assert texts(transcript) == [
        "Be brief.",
        "Plain words.",
        "Hello",
        "",
        'Removed system prompt section "style".',
        'Updated system prompt section "mode":\n\nCareful.',
        "Still there?",
    ]
    assert transcript.session.tools == ()
    assert transcript.session.prefix_known


@pytest.mark.parametrize(
    ("name", "seen"), [("broken-parent.jsonl", ["In reach"]), ("circular-parents.jsonl", ["One", "Two"])]
)
def test_broken_links_end_the_walk(name: str, seen: list[str]) -> None:
    (transcript,), changes = read_all(FORMAT, fixture(FORMAT, name))

    assert texts(transcript) == seen
    assert changes[0].rule == "broken-chain"


def test_unknown_role_is_hidden() -> None:
    _, changes = read_all(FORMAT, fixture(FORMAT, "spaced-lines-unknown-things.jsonl"))

    assert told(changes) == [("hidden", "unknown-role", 1), ("hidden", "bookkeeping-record", 1)]


def test_missing_header_is_told_and_made() -> None:
    data = fixture(FORMAT, "abandoned-branch.jsonl").split(b"\n", 1)[1]
    (transcript,), changes = read_all(FORMAT, data)

    output, of_writing = written(FORMAT, transcript)

    assert changes[0].rule == "missing-header"
    assert told(of_writing) == [("synthesized", "missing-header", 1)]
    assert output.split(b"\n", 1)[1] == data
    assert FORMAT.recognise(lines_of(output), False)


# ----------------------------------------------------------------------------------------- writing


def test_changed_id_changes_two_lines_only() -> None:
    data = fixture(FORMAT, "calls-and-results.jsonl")
    transcript = read_one(FORMAT, data)
    user, answer, first, second, last = transcript.messages
    blocks = [replace(b, id="t1") if isinstance(b, ToolCall) and b.id == "toolu_1" else b for b in answer.blocks]
    renamed = first.with_blocks([replace(first.of(ToolResult)[0], call_id="t1")])
    fitted = replace(transcript, messages=(user, answer.with_blocks(blocks), renamed, second, last))

    output, _ = written(FORMAT, fitted)

    assert output == data.replace(b'"toolu_1"', b'"t1"')


def test_dropped_message_hands_its_children_on() -> None:
    data = fixture(FORMAT, "calls-and-results.jsonl")
    transcript = read_one(FORMAT, data)
    user, answer, first, _, last = transcript.messages
    fitted = replace(transcript, messages=(user, answer, first, last))

    output, _ = written(FORMAT, fitted)

    lines = data.splitlines()
    assert output.splitlines() == [
        *lines[:5],
        lines[6].replace(b'"parentId":"a0000005"', b'"parentId":"a0000004"'),
        *lines[7:],
    ]


def test_inserted_result_stands_behind_its_neighbour() -> None:
    data = fixture(FORMAT, "calls-and-results.jsonl")
    transcript = read_one(FORMAT, data)
    filler = Message("tool", (ToolResult("toolu_3", "read", (Text("No result provided"),), is_error=True),))
    fitted = replace(transcript, messages=(*transcript.messages[:4], filler, transcript.messages[4]))

    output, _ = written(FORMAT, fitted)

    lines, new = data.splitlines(), output.splitlines()
    made = json.loads(new[6])
    assert new[:6] == lines[:6]
    assert new[7] == lines[6].replace(b'"parentId":"a0000005"', f'"parentId":"{made["id"]}"'.encode())
    assert new[8:] == lines[7:]
    assert made == {
        "type": "message",
        "id": made["id"],
        "parentId": "a0000005",
        "timestamp": "2026-03-04T10:00:04.000Z",
        "message": {
            "role": "toolResult",
            "toolCallId": "toolu_3",
            "toolName": "read",
            "content": [{"type": "text", "text": "No result provided"}],
            "isError": True,
            "timestamp": 1772618404000,
        },
    }
    assert len(made["id"]) == 8 and int(made["id"], 16) >= 0


def test_result_added_to_a_message_becomes_an_entry_of_its_own() -> None:
    data = fixture(FORMAT, "calls-and-results.jsonl")
    transcript = read_one(FORMAT, data)
    user, answer, first, _, last = transcript.messages
    both = first.with_blocks([*first.blocks, ToolResult("toolu_2", "read", (Text("made up"),), is_error=True)])
    fitted = replace(transcript, messages=(user, answer, both, last))

    output, _ = written(FORMAT, fitted)

    values = lines_of(output)
    assert output.splitlines()[:5] == data.splitlines()[:5]
    assert [value["id"] for value in values[4:]] == ["a0000004", values[5]["id"], "a0000006", "a0000007", "a0000008"]
    assert values[5]["message"]["toolCallId"] == "toolu_2"
    assert values[6]["parentId"] == values[5]["id"]


def test_moved_result_is_moved_in_the_file_too() -> None:
    data = fixture(FORMAT, "calls-and-results.jsonl")
    transcript = read_one(FORMAT, data)
    user, answer, first, second, last = transcript.messages
    fitted = replace(transcript, messages=(user, answer, second, first, last))

    output, _ = written(FORMAT, fitted)

    values = lines_of(output)
    assert [value["id"] for value in values[3:7]] == ["a0000003", "a0000005", "a0000004", "a0000006"]
    assert [value["parentId"] for value in values[4:7]] == ["a0000003", "a0000005", "a0000004"]
    assert output.splitlines()[7:] == data.splitlines()[7:]


def test_prompt_at_the_end_is_on_the_branch() -> None:
    data = fixture(FORMAT, "calls-and-results.jsonl")
    transcript = read_one(FORMAT, data)
    fitted = replace(transcript, messages=(*transcript.messages, Message("user", (Text("And now?"),))))

    output, _ = written(FORMAT, fitted)

    again = read_one(FORMAT, output)
    assert texts(again)[-1] == "And now?"
    assert len(again.messages) == 6


def test_prompt_behind_a_named_leaf_becomes_the_leaf() -> None:
    data = fixture(FORMAT, "abandoned-branch.jsonl")
    (transcript,), _ = read_all(FORMAT, data, leaf="b0000003")
    fitted = replace(transcript, messages=(*transcript.messages, Message("user", (Text("Once more"),))))

    output, _ = written(FORMAT, fitted)

    assert output.startswith(data)
    assert texts(read_one(FORMAT, output)) == ["First try", "Left behind", "Left behind too", "Once more"]


def test_leaf_stays_at_the_end_when_the_last_one_goes() -> None:
    lines = fixture(FORMAT, "abandoned-branch.jsonl").splitlines()
    data = b"\n".join([*lines[:4], lines[5].replace(b'"b0000004"', b'"b0000001"')]) + b"\n"
    transcript = read_one(FORMAT, data)

    output, _ = written(FORMAT, replace(transcript, messages=transcript.messages[:1]))

    assert output.splitlines() == [lines[0], lines[2], lines[3], lines[1]]
    assert texts(read_one(FORMAT, output)) == ["First try"]


def test_compaction_keeps_its_place_when_its_first_entry_goes() -> None:
    data = fixture(FORMAT, "compaction-keeps-a-tail.jsonl")
    transcript = read_one(FORMAT, data)
    kept = tuple(message for message in transcript.messages if message.records != (3,))

    output, _ = written(FORMAT, replace(transcript, messages=kept))

    compaction = next(value for value in lines_of(output) if value["type"] == "compaction")
    assert compaction["firstKeptEntryId"] == "c0000004"
    assert texts(read_one(FORMAT, output)) == texts(replace(transcript, messages=kept))


def test_compaction_keeps_a_call_that_was_put_before_its_first_entry() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "compaction-keeps-a-tail.jsonl"))
    origin = Origin("anthropic", "anthropic-messages", "claude-sonnet-4-6")
    call = Message("assistant", (ToolCall("toolu_0", "bash", {}),), origin)
    messages = (*transcript.messages[:4], call, *transcript.messages[4:])

    output, _ = written(FORMAT, replace(transcript, messages=messages))

    again = read_one(FORMAT, output)
    assert [message.role for message in again.messages] == [message.role for message in messages]
    assert again.messages[4].blocks[0] == replace(
        call.blocks[0], raw=again.messages[4].blocks[0].raw, place=again.messages[4].blocks[0].place
    )


def test_version_1_compaction_counts_anew() -> None:
    data = fixture(FORMAT, "version-1-compaction.jsonl")
    transcript = read_one(FORMAT, data)
    kept = transcript.messages[1:]

    output, _ = written(FORMAT, replace(transcript, messages=kept))

    lines = data.splitlines()
    expected = [
        lines[0],
        *lines[2:5],
        lines[5].replace(b'"firstKeptEntryIndex":3', b'"firstKeptEntryIndex":2'),
        lines[6],
    ]
    assert output.splitlines() == expected
    assert texts(read_one(FORMAT, output)) == texts(replace(transcript, messages=kept))


def test_version_1_entry_that_is_inserted_has_no_id() -> None:
    transcript = read_one(FORMAT, fixture(FORMAT, "version-1-compaction.jsonl"))
    messages = (*transcript.messages, Message("user", (Text("More"),)))

    output, _ = written(FORMAT, replace(transcript, messages=messages))

    assert list(lines_of(output)[-1]) == ["type", "timestamp", "message"]
    assert texts(read_one(FORMAT, output))[-1] == "More"


def test_hidden_messages_keep_their_records() -> None:
    data = fixture(FORMAT, "compaction-keeps-a-tail.jsonl")
    transcript = read_one(FORMAT, data)
    fitted = replace(transcript, messages=transcript.messages[3:], hidden=frozenset({0, 1}))

    output, _ = written(FORMAT, fitted)

    assert output == data


def test_edited_result_is_changed_in_its_edit() -> None:
    data = fixture(FORMAT, "context-edits.jsonl")
    transcript = read_one(FORMAT, data)
    first, answer, result, last = transcript.messages
    block = result.of(ToolResult)[0]
    changed = result.with_blocks([replace(block, call_id="call_1", content=(replace(block.content[0], text="short"),))])

    output, _ = written(FORMAT, replace(transcript, messages=(first, answer, changed, last)))

    expected = data.replace(b'"toolCallId":"call_1|fc_1"', b'"toolCallId":"call_1"').replace(
        b"a summary of it", b"short"
    )
    assert output == expected


def test_changed_section_is_written_back_to_its_name() -> None:
    data = fixture(FORMAT, "system-sections.jsonl")
    transcript = read_one(FORMAT, data)
    *others, late, last = transcript.messages
    blank, removed, mode = late.blocks
    assert isinstance(mode, Text)
    fitted_late = late.with_blocks([blank, removed, replace(mode, text=mode.text.replace("Careful", "Bold"))])

    output, _ = written(FORMAT, replace(transcript, messages=(*others, fitted_late, last)))

    assert output == data.replace(b"Careful.", b"Bold.")


def test_changed_shell_output_becomes_a_custom_message() -> None:
    data = fixture(FORMAT, "shell-output.jsonl")
    transcript = read_one(FORMAT, data)
    first, *others = transcript.messages
    fitted = replace(transcript, messages=(first.with_blocks([Text("Ran something")]), *others))

    output, _ = written(FORMAT, fitted)

    message = lines_of(output)[1]["message"]
    assert (message["role"], message["content"]) == ("custom", [{"type": "text", "text": "Ran something"}])
    assert message["details"]["command"] == "make"
    assert output.splitlines()[2:] == data.splitlines()[2:]


def test_changed_line_is_printed_as_it_was() -> None:
    data = fixture(FORMAT, "spaced-lines-unknown-things.jsonl")
    transcript = read_one(FORMAT, data)
    user, answer = transcript.messages
    text = answer.of(Text)[0]
    fitted = replace(transcript, messages=(user, answer.with_blocks([replace(text, signature=None)])))

    output, _ = written(FORMAT, fitted)

    assert output == data.replace(b', "textSignature": "msg_1"', b"")


# --------------------------------------------------------------------------------------- from elsewhere


def test_history_from_elsewhere_starts_a_session() -> None:
    origin = Origin("anthropic", "anthropic-messages", "claude-sonnet-4-6")
    messages = (
        Message("user", (Text("Hi"),), time="2026-03-04T10:00:00Z"),
        Message("assistant", (ToolCall("toolu_1", "read", {}), ToolCall("toolu_2", "read", {})), origin, "error"),
        Message("user", (ToolResult("toolu_1", "read", ()), ToolResult("toolu_2", "read", ()), Text("Go on"))),
        Message("assistant", (Text("Done"),)),
    )
    session = Session("anthropic-messages", system=(Text("Be brief."),), tools=(Tool("read"),))
    transcript = Transcript(session, messages, Source(b"", (), messages), session.system, session.tools)

    output, changes = written(FORMAT, transcript)

    header, *entries = lines_of(output)
    assert told(changes) == [("hidden", "tool-definitions", 1)]
    assert (header["type"], header["version"], header["cwd"]) == ("session", 3, "/")
    assert [entry["message"]["role"] for entry in entries] == [
        "system",
        "user",
        "assistant",
        "toolResult",
        "toolResult",
        "user",
        "assistant",
    ]
    assert [entry["parentId"] for entry in entries] == [None, *(entry["id"] for entry in entries[:-1])]
    times = [entry["timestamp"] for entry in entries]
    assert times == sorted(set(times)) and times[0] == "2026-03-04T10:00:00.000Z"
    assert entries[2]["message"]["stopReason"] == "toolUse"
    assert entries[2]["message"]["model"] == "claude-sonnet-4-6"
    assert entries[6]["message"]["provider"] == "unknown"
    assert entries[6]["message"]["usage"]["totalTokens"] == 0
    assert written(FORMAT, transcript)[0] == output


def test_session_from_messages_keeps_what_they_say_beside() -> None:
    transcript = read_one(pi_messages.FORMAT, fixture(pi_messages.FORMAT, "bare-array.json"))

    output, _ = written(FORMAT, transcript)

    again = read_one(FORMAT, output)
    assert again.messages[1].raw is not None and again.messages[1].raw["usage"] == {"input": 1, "output": 2}
    assert [
        replace(b, raw=None, place=None) for m in again.messages for b in m.blocks if not isinstance(b, ToolResult)
    ] == [
        replace(b, raw=None, place=None) for m in transcript.messages for b in m.blocks if not isinstance(b, ToolResult)
    ]


def test_longer_history_extends_the_shorter_session() -> None:
    messages = tuple(Message("user", (Text(f"Line {index}"),), number=index) for index in range(4))
    session = Session("openai-chat")
    shorter = Transcript(session, messages[:3], Source(b"", (), messages[:3]))
    longer = Transcript(session, messages, Source(b"", (), messages))

    assert written(FORMAT, longer)[0].startswith(written(FORMAT, shorter)[0])
