"""No exception but a SegueError, whatever is read."""

# ruff: noqa: E501
from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from spoken import TARGETS
from walking import fitted

from segue.errors import SegueError
from segue.formats import FORMATS

KEYS = (
    "role", "content", "type", "text", "thinking", "signature", "id", "name", "input", "arguments", "tool_use_id", "tool_calls", "function",
    "source", "messages", "model", "system", "tools", "uuid", "parentUuid", "message", "parentId", "toolCallId", "call_id", "output", "data",
    "mimeType", "media_type", "image_url", "url", "summary", "encrypted_content", "stopReason", "toolName", "isError", "provider", "api",
    "timestamp", "details", "sections", "is_error", "cache_control", "input_schema", "parameters", "description", "subtype", "version",
    "parts", "thought", "thoughtSignature", "thought_signature", "functionCall", "functionResponse", "response", "args", "inlineData", "fileData",
    "fileUri", "toolUse", "toolResult", "toolUseId", "status", "document", "image", "format", "bytes", "reasoningContent", "reasoningText",
    "redactedContent", "cachePoint", "json", "prefix", "document_url", "reasoning_content", "reasoning_details", "payload", "items", "ordinal",
)  # fmt: skip
WORDS = (
    "user", "assistant", "system", "tool", "toolResult", "developer", "text", "thinking", "redacted_thinking", "tool_use", "tool_result",
    "toolCall", "image", "document", "input_text", "output_text", "reasoning", "function", "function_call", "function_call_output",
    "message", "session", "compaction", "summary", "image_url", "base64", "error", "aborted", "attachment", "progress", "compact_boundary",
    "x", "", "\ud800", "\x00", "bashExecution", "custom", "branchSummary", "base64", "file", "input_image", "server_tool_use",
    "model", "thinking", "document_url", "session_meta", "response_item", "event_msg", "turn_context", "compacted", "custom_tool_call",
)  # fmt: skip
AROUND = (
    "model", "modelId", "system", "tools", "max_tokens", "instructions", "systemInstruction", "toolConfig", "generationConfig", "inferenceConfig",
)  # fmt: skip
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(max_size=4)
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=12,
)
blocks = st.fixed_dictionaries(
    {"type": st.sampled_from(WORDS)}, optional={key: anything for key in KEYS if key not in ("type", "messages")}
)
parts = st.dictionaries(st.sampled_from(KEYS), anything, min_size=1, max_size=3)
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(WORDS[:6]), "content": anything | st.lists(blocks | parts | anything, max_size=3)},
    optional=dict.fromkeys(
        ("tool_calls", "tool_call_id", "provider", "api", "model", "stopReason", "type", "toolName"), anything
    ),
)
contents = st.fixed_dictionaries(
    {"parts": st.lists(parts | anything, max_size=3)}, optional={"role": st.sampled_from(WORDS)}
)
containers = (
    st.lists(messages | anything, max_size=3)
    | st.fixed_dictionaries({"messages": st.lists(messages, max_size=3)}, optional=dict.fromkeys(AROUND, anything))
    | st.fixed_dictionaries(
        {"input": st.lists(messages | blocks, max_size=4)}, optional=dict.fromkeys(AROUND, anything)
    )
    | st.fixed_dictionaries({"contents": st.lists(contents, max_size=3)}, optional=dict.fromkeys(AROUND, anything))
)
targets = st.sampled_from(TARGETS)
formats = st.sampled_from([None, *(known.name for known in FORMATS)])
outputs = st.sampled_from([None, "request", *(known.name for known in FORMATS)])


def assert_ends_well(source, target, source_format, to):
    try:
        outcome = fitted(source, target, to, source_format=source_format, force=True)
    except SegueError:
        return
    outcome.output.decode("utf-8")
    json.dumps(outcome.report.as_json())


@given(value=containers | anything, target=targets, source_format=formats, to=outputs)
def test_any_document_ends_in_a_result_or_an_error_of_ours(value, target, source_format, to):
    assert_ends_well(json.dumps(value).encode(), target, source_format, to)


@given(values=st.lists(messages | anything, max_size=5), target=targets, source_format=formats, to=outputs)
def test_any_lines_end_in_a_result_or_an_error_of_ours(values, target, source_format, to):
    source = b"".join(json.dumps(value).encode() + b"\n" for value in values)

    assert_ends_well(source, target, source_format, to)


def nodes():
    """Lines of agents' sessions, with links that may lead anywhere."""
    ids = st.sampled_from(("a", "b", "c", None)) | anything
    kinds = st.sampled_from(
        ("user", "assistant", "system", "attachment", "progress", "message", "compaction", "session")
    )
    return st.fixed_dictionaries(
        {"type": kinds | anything, "uuid": ids, "parentUuid": ids, "id": ids, "parentId": ids},
        optional={"message": messages | anything, "subtype": anything, "attachment": anything, "version": anything,
                  "sessionId": anything, "timestamp": anything, "firstKeptEntryId": ids, "summary": anything, "content": anything,
                  "isSidechain": anything, "isApiErrorMessage": anything, "compactMetadata": anything, "targetId": ids,
                  "replacement": anything, "customType": anything, "logicalParentUuid": ids},
    )  # fmt: skip


@given(
    values=st.lists(nodes(), min_size=1, max_size=5),
    target=targets,
    source_format=st.sampled_from(("pi", "claude-code")),
    to=outputs,
)
def test_any_session_lines_end_in_a_result_or_an_error_of_ours(values, target, source_format, to):
    head = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-03-04T10:00:00.000Z", "cwd": "/"}
    lines = [head, *values] if source_format == "pi" else values
    source = b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    assert_ends_well(source, target, source_format, to)


@given(kinds=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), data=st.data(), target=targets, to=outputs)
def test_any_rollout_ends_in_a_result_or_an_error_of_ours(kinds, data, target, to):
    head = {"id": "5973b6c0-94b8-487b-a530-2aeb6098ae0e", "timestamp": "2026-03-04T10:00:00.000Z", "cwd": "/"}
    lines = [{"timestamp": "2026-03-04T10:00:00.000Z", "type": "session_meta", "payload": head}]
    for kind in (*kinds, "response_item"):
        payload = data.draw(blocks | messages | anything)
        lines.append({"timestamp": "2026-03-04T10:00:01.000Z", "type": kind, "payload": payload})
    source = b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    assert_ends_well(source, target, "codex", to)


@given(source=st.binary(max_size=200), target=targets, source_format=formats)
def test_any_bytes_end_in_a_result_or_an_error_of_ours(source, target, source_format):
    assert_ends_well(source, target, source_format, "request")


@given(
    at=st.integers(0, 2000),
    damage=st.binary(max_size=4),
    length=st.integers(0, 30),
    target=targets,
)
def test_damaged_file_ends_in_a_result_or_an_error_of_ours(at, damage, length, target):
    lines = [
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "c", "name": "ls", "arguments": {}}],
            "stopReason": "toolUse",
        },
        {"role": "toolResult", "toolCallId": "c", "toolName": "ls", "content": [{"type": "text", "text": "é\ud83d"}]},
    ]
    whole = b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    assert_ends_well(whole[: at % len(whole)] + damage + whole[at % len(whole) + length :], target, None, "request")
