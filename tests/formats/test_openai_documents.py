"""What was read comes back byte for byte, in whatever shape and style the file has."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from openai_transcripts import fixtures, own_target, read_all, read_one, write_one

from segue.formats import openai_chat, openai_responses
from segue.formats._document import PRETTY, Style, printed, style_of
from segue.formats._types import Format
from segue.model import Text

FORMATS: tuple[Format, ...] = (openai_chat.FORMAT, openai_responses.FORMAT)
CASES = [pytest.param(known, path, id=f"{known.name}/{path.stem}") for known in FORMATS for path in fixtures(known)]


@pytest.mark.parametrize(("known", "path"), CASES)
def test_what_was_read_comes_back_byte_for_byte(known: Format, path: Path) -> None:
    data = path.read_bytes()
    transcripts, _ = read_all(known, data)

    outputs = [write_one(known, transcript, own_target(known, transcript)) for transcript in transcripts]

    assert b"\n".join(output for output, _ in outputs) + b"\n" == data
    assert [changes for _, changes in outputs if changes] == []


@pytest.mark.parametrize(("known", "path"), CASES)
def test_rebuilding_a_touched_file_changes_nothing_but_what_was_touched(known: Format, path: Path) -> None:
    data = path.read_bytes()
    transcripts, _ = read_all(known, data)

    outputs = []
    for transcript in transcripts:
        messages = tuple(message.with_blocks(message.blocks) for message in transcript.messages)
        touched = replace(transcript, messages=messages)
        outputs.append(write_one(known, touched, own_target(known, transcript)))

    assert [changes for _, changes in outputs if changes] == []
    assert b"\n".join(output for output, _ in outputs) + b"\n" == data


@pytest.mark.parametrize(("known", "path"), CASES)
def test_each_file_is_recognised_by_its_own_format_only(known: Format, path: Path) -> None:
    text = path.read_bytes()
    lines = path.suffix == ".jsonl"
    values = [json.loads(line) for line in text.splitlines()] if lines else [json.loads(text)]

    found = [candidate.name for candidate in reversed(FORMATS) if candidate.recognise(values, not lines)]

    assert found[-1] == known.name


@pytest.mark.parametrize(("known", "path"), CASES)
def test_every_block_knows_its_place(known: Format, path: Path) -> None:
    transcripts, _ = read_all(known, path.read_bytes())

    for transcript in transcripts:
        assert [message.number for message in transcript.messages] == list(range(len(transcript.messages)))
        for message in transcript.messages:
            assert message.line is not None
            for index, block in enumerate(message.blocks):
                assert block.place is not None
                assert (block.place.message, block.place.block) == (message.number, index)


@pytest.mark.parametrize(
    "values",
    [
        [{"name": "x", "version": "1.0.0", "scripts": {}}],
        [{"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}],
        [{"role": "user", "parts": [{"text": "hi"}]}],
        [{"messages": [{"from": "human", "value": "hi"}]}],
        [{"messages": [], "name": "nothing"}],
        [{"model": "text-embedding-3-small", "input": ["a", "b"]}],
        [{"input": "a", "output": "b"}],
        [{"type": "message", "message": {"role": "user", "content": "hi"}}],
        [{"type": {"a": 1}, "role": ["user"], "content": {}}],
        [{"role": "user"}],
        [["a", "b"]],
        [[]],
        [1, "two", None],
        [],
    ],
)
def test_other_files_are_not_taken(values: list[object]) -> None:
    assert not any(known.recognise(values, len(values) == 1) for known in FORMATS)


def test_a_touched_line_leaves_the_other_lines_as_they_were() -> None:
    data = b'{"role":  "user","content":"one"}\n{"role":"user", "content":"two"}\n{"role":"user","content" :"three"}\n'
    transcript = read_one(openai_chat.FORMAT, data)
    second = transcript.messages[1].with_blocks([Text("2")])

    output, _ = write_one(
        openai_chat.FORMAT,
        replace(transcript, messages=(transcript.messages[0], second, transcript.messages[2])),
        own_target(openai_chat.FORMAT, transcript),
    )

    lines = data.splitlines()
    assert output.splitlines() == [lines[0], b'{"role": "user","content": "2"}', lines[2]]


def test_blank_lines_between_untouched_lines_stay() -> None:
    data = b'{"role":"user","content":"one"}\n\n{"role":"user","content":"two"}\n'
    transcript = read_one(openai_chat.FORMAT, data)

    output, _ = write_one(openai_chat.FORMAT, transcript, own_target(openai_chat.FORMAT, transcript))

    assert output + b"\n" == data


@pytest.mark.parametrize(
    ("text", "style"),
    [
        (b'{"a":1,"b":["c: d, e"]}', Style()),
        (b'{"a": 1, "b": []}', Style(item_separator=", ", key_separator=": ")),
        (b'{\n  "a": 1\n}', PRETTY),
        (b'[\n\t{\n\t\t"a": 1\n\t}\n]', Style(indent="\t", key_separator=": ")),
        (b'{"a":"\\u00fc"}', Style(escapes=True)),
        (b'{"a":"\\\\u00fc \\n \\u001b"}', Style()),
        ('{"a":"ü \\u00fc"}'.encode(), Style()),
        (b"[]", Style()),
    ],
)
def test_a_style_is_told_from_the_text(text: bytes, style: Style) -> None:
    assert style_of(text) == style


@pytest.mark.parametrize("style", [Style(), PRETTY, Style(indent="\t", key_separator=": "), Style(escapes=True)])
def test_a_value_is_printed_in_its_style_whatever_it_holds(style: Style) -> None:
    value = {"lone": "\ud83d", "big": 2**70, "text": "ü\u2028", "empty": [{}, []]}

    text = printed(value, style)

    assert json.loads(text) == value
    assert style_of(text).indent == style.indent
