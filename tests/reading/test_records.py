"""Damaged sources, each a fixture named for its oddity, with what is read from it and what is told."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.changes import Change
from segue.errors import SegueError, UnreadableSource
from segue.model import Json, Record
from segue.records import TooDeep, decoded, dumps, layout, parse, read_records, read_source, record_text

DAMAGED = Path(__file__).resolve().parents[2] / "fixtures" / "damaged"

ONE = {"type": "user", "id": "u1", "text": "one"}
TWO = {"type": "assistant", "id": "a1", "content": [{"type": "text", "text": "two } { braces"}]}
THREE = {"type": "user", "id": "u2", "text": "three"}


def u2(**more: Json) -> Json:
    return {"type": "user", "id": "u2", **more}


def nested(levels: int) -> Json:
    value: Json = []
    for _ in range(levels - 1):
        value = [value]
    return value


def form(line: int, what: str) -> tuple[str, str, int, str]:
    return ("rewritten", "source-encoding", line, what)


def lost(line: int, what: str) -> tuple[str, str, int, str]:
    return ("dropped", "damaged-line", line, what)


NO_OBJECT = "malformed line: no JSON object"
TRUNCATED = "truncated record: the text ends inside it"
CUT = "malformed record, cut off where the next one on its line begins"
SOUND = [(1, ONE), (2, TWO), (3, THREE)]
ESCAPED = "raw-control-character"

# file → the records with their lines, and the changes in the order in which they are told
LINES: dict[str, tuple[list[tuple[int, Json]], list[tuple[str, str, int, str]]]] = {
    "sound.jsonl": (SOUND, []),
    "byte-order-mark.jsonl": (SOUND, [form(1, "byte order mark removed")]),
    "utf-16-little-endian.jsonl": (SOUND, [form(1, "UTF-16-LE became UTF-8"), form(1, "CRLF line ends on 3 lines")]),
    "utf-16-big-endian.jsonl": (SOUND, [form(1, "UTF-16-BE became UTF-8")]),
    "utf-16-without-mark.jsonl": (SOUND, [form(1, "UTF-16-LE became UTF-8")]),
    "utf-16-half-a-pair.jsonl": (
        [(1, ONE), (2, u2(text="\ufffd"))],
        [form(1, "UTF-16-LE became UTF-8"), form(2, "unpaired surrogates in 1 place became U+FFFD")],
    ),
    "utf-32-little-endian.jsonl": (SOUND, [form(1, "UTF-32-LE became UTF-8")]),
    "invalid-utf-8.jsonl": (
        [(1, ONE), (2, u2(text="caf\ufffd \ufffd"))],
        [form(2, "invalid UTF-8 in 2 places became U+FFFD")],
    ),
    "crlf.jsonl": (SOUND, [form(1, "CRLF line ends on 3 lines")]),
    "blank-lines.jsonl": ([(2, ONE), (4, TWO), (5, THREE)], [form(1, "3 blank lines removed")]),
    "nul-padding.jsonl": ([(1, ONE), (3, TWO), (4, THREE)], [form(2, "NUL bytes on 3 lines removed")]),
    "no-final-newline.jsonl": (SOUND, [("rewritten", "final-newline", 3, "newline at the end added")]),
    "cut-last-line.jsonl": ([(1, ONE), (2, TWO)], [lost(3, TRUNCATED)]),
    "cut-last-line-with-newline.jsonl": ([(1, ONE)], [lost(2, TRUNCATED)]),
    "bad-line-in-the-middle.jsonl": ([(1, ONE), (3, THREE)], [lost(2, NO_OBJECT)]),
    "plain-text-between.jsonl": ([(1, ONE), (3, THREE)], [lost(2, NO_OBJECT)]),
    "no-objects-between.jsonl": ([(1, ONE), (6, THREE)], [lost(line, NO_OBJECT) for line in (2, 3, 4, 5)]),
    "two-records-glued.jsonl": (
        [(1, ONE), (1, TWO), (2, THREE)],
        [("rewritten", "glued-records", 1, "2 records on one line separated")],
    ),
    "three-records-glued-with-spaces.jsonl": (
        [(1, ONE), (1, TWO), (1, THREE), (2, ONE)],
        [("rewritten", "glued-records", 1, "3 records on one line separated")],
    ),
    "cut-record-glued-to-a-whole-one.jsonl": (SOUND, [lost(2, CUT)]),
    "cut-record-glued-where-a-value-stood.jsonl": (SOUND, [lost(2, CUT)]),
    "whole-record-glued-to-a-cut-one.jsonl": (SOUND, [lost(2, "malformed text after a record")]),
    "lost-head-glued-to-a-whole-one.jsonl": ([*SOUND, (4, ONE)], [lost(3, "malformed text before a record")]),
    "lost-bracket-after-a-part.jsonl": ([(1, ONE), (3, THREE)], [lost(2, NO_OBJECT)]),
    "raw-line-feeds-in-a-string.jsonl": (
        [(1, ONE), (2, u2(text="first\nsecond {\n\nlast")), (6, THREE)],
        [("rewritten", ESCAPED, 2, "raw line feed in a string escaped")],
    ),
    "open-string-before-a-whole-record.jsonl": ([(1, ONE), (3, THREE)], [lost(2, NO_OBJECT)]),
    "pretty-printed-values.jsonl": (
        [(1, ONE), (6, TWO), (16, THREE)],
        [form(1, "3 values on several lines put on one each")],
    ),
    "pretty-printed-values-glued.jsonl": (
        [(1, ONE), (5, TWO), (15, THREE)],
        [form(1, "2 values on several lines put on one each")],
    ),
    "pretty-printed-value-cut.jsonl": (
        [(1, ONE)],
        [lost(6, TRUNCATED), form(1, "value on several lines put on one")],
    ),
    "document-list-cut.json": (
        [(2, ONE), (3, TWO)],
        [lost(4, TRUNCATED), form(1, "stray brackets or commas on 3 lines removed")],
    ),
    "document-list-with-a-comma-too-many.json": (
        [(2, ONE), (3, TWO)],
        [form(1, "stray brackets or commas on 4 lines removed")],
    ),
    "raw-control-characters.jsonl": (
        [(1, ONE), (2, u2(text="a\x1b[1m\tb"))],
        [("rewritten", ESCAPED, 2, "raw control character U+001B in a string escaped")],
    ),
    "raw-separators.jsonl": ([(1, ONE), (2, u2(text="a\u2028b\u2029c\u0085d"))], []),
    "not-a-number.jsonl": (
        [(1, ONE), (2, u2(numbers=["NaN", "-Infinity", "1e400", "Infinity", 1.5]))],
        [("rewritten", "non-finite-number", 2, "number 'NaN' and 3 more became a string")],
    ),
    "long-integers.jsonl": ([(1, ONE), (2, u2(numbers=[2**64 - 1, 2**64, -(2**63) - 1, 10**60]))], []),
    "lone-surrogates.jsonl": ([(1, ONE), (2, u2(text="\ud83d and \ude00"))], []),
    "equal-keys.jsonl": ([(1, ONE), (2, u2(text="last"))], []),
    "nesting-500-deep.jsonl": ([(1, ONE), (2, u2(text=nested(500)))], []),
    "nesting-5000-deep.jsonl": (
        [(1, ONE), (2, None), (3, THREE)],
        [("rewritten", "deep-nesting", 2, "record nests too deep to be parsed, kept as it stands")],
    ),
}

DOCUMENTS: dict[str, tuple[int, Json, list[tuple[str, str, int, str]]]] = {
    "document.json": (1, TWO, []),
    "document-on-one-line.json": (1, TWO, []),
    "document-list.json": (1, [ONE, TWO], []),
    "document-with-blanks-around.json": (2, TWO, [form(1, "2 blank lines removed")]),
    "document-before-text.json": (1, TWO, [lost(11, "malformed text after the document")]),
}

UNREADABLE = {
    "empty.jsonl": "it is empty",
    "blanks-only.jsonl": "it is empty but for blanks and NUL bytes",
    "table.csv": "no JSON in it: line 1 starts with 'id,name'",
    "picture.png": "no JSON in it: line 1 starts with '\ufffdPNG'",
    "escape-sequences.txt": "no JSON in it: line 1 starts with '\\x1b[31mred\\x1b[0m \"x\"'",
    "document-cut.json": "no whole JSON object in it: line 1 starts with '{'",
}


def read(data: bytes) -> tuple[list[Record], list[Change]]:
    stream = read_source(data)
    entries = [*stream.changes, *stream]
    records = [entry for entry in entries if isinstance(entry, Record)]
    return records, [entry for entry in entries if isinstance(entry, Change)]


def told(changes: list[Change]) -> list[tuple[str, str, int | None, str]]:
    return [(change.kind, change.rule, change.line, change.what) for change in changes]


@pytest.mark.parametrize("name", LINES)
def test_every_record_that_can_be_had_is_read_and_the_rest_is_told(name: str) -> None:
    expected, expected_changes = LINES[name]
    data = (DAMAGED / name).read_bytes()

    records, changes = read(data)

    assert [(record.line, record.value) for record in records] == expected
    assert told(changes) == expected_changes
    assert [record.number for record in records] == list(range(len(records)))
    assert read_source(data).layout == "lines"


@pytest.mark.parametrize("name", [*LINES, *DOCUMENTS])
def test_the_bytes_of_a_record_hold_its_value(name: str) -> None:
    stream = read_source((DAMAGED / name).read_bytes())

    records = [entry for entry in stream if isinstance(entry, Record) and entry.value is not None]

    assert [parse(record_text(record, stream.data)) for record in records] == [record.value for record in records]


@pytest.mark.parametrize("name", LINES)
def test_lines_written_back_are_read_without_a_change(name: str) -> None:
    stream = read_source((DAMAGED / name).read_bytes())
    first = [entry for entry in stream if isinstance(entry, Record)]

    text = b"".join(record_text(record, stream.data) + b"\n" for record in first)
    second, changes = read(text)

    assert [record.value for record in second] == [record.value for record in first]
    assert [change for change in changes if change.rule != "deep-nesting"] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_one_record_whatever_stands_around_it(name: str) -> None:
    line, value, expected_changes = DOCUMENTS[name]

    stream = read_source((DAMAGED / name).read_bytes())
    records, changes = read(stream.data)

    assert stream.layout == layout(stream.data) == "document"
    assert [(record.number, record.line, record.value) for record in records] == [(0, line, value)]
    assert told(changes) == expected_changes


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_transcript_is_refused_with_its_first_words(name: str) -> None:
    data = (DAMAGED / name).read_bytes()

    with pytest.raises(UnreadableSource) as refused:
        read(data)

    assert str(refused.value) == UNREADABLE[name]


def test_every_fixture_is_expected_somewhere() -> None:
    names = {path.name for path in DAMAGED.iterdir()}

    expected = {*LINES, *DOCUMENTS, *UNREADABLE}

    assert names == expected


@pytest.mark.parametrize("name", ["sound.jsonl", "document.json", "document-on-one-line.json", "document-list.json"])
def test_a_sound_file_comes_back_byte_for_byte(name: str) -> None:
    data = (DAMAGED / name).read_bytes()

    stream = read_source(data)
    text = b"".join(record_text(record, data) + b"\n" for record in stream if isinstance(record, Record))

    assert stream.data is data
    assert text == data


def test_spaces_around_a_sound_record_stay() -> None:
    data = b' {"a": 1} \n\t{"a": 2}\n'

    records, changes = read(data)

    assert [data[record.start : record.end] for record in records] == [b' {"a": 1} ', b'\t{"a": 2}']
    assert changes == []


def test_a_dropped_line_shows_how_it_began() -> None:
    data = (DAMAGED / "bad-line-in-the-middle.jsonl").read_bytes()

    _, changes = read(data)

    assert changes[0].before == '{"type":"assistant","id":"a1","content":[{"type":"te'


def test_a_source_can_be_read_twice() -> None:
    stream = read_source((DAMAGED / "document.json").read_bytes())

    first, second = list(stream), list(stream)

    assert first == second


def test_records_come_before_the_rest_of_the_source_is_looked_at() -> None:
    entries = read_records(b'{"a":1}\n{"a":2}\nnonsense\n')

    first = next(entries)

    assert isinstance(first, Record) and first.value == {"a": 1}
    assert isinstance(entries, Iterator)


def test_a_line_of_half_a_utf_16_file_is_told() -> None:
    text, changes = decoded(b"\xff\xfe" + '{"a":1}\n'.encode("utf-16-le") + b"{")

    assert text == b'{"a":1}\n'
    assert told(changes)[1] == form(2, "cut UTF-16-LE character at the end left out")


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity", "1e400", "-1E999", "1" * 5000])
def test_a_number_that_no_float_holds_becomes_a_string(literal: str) -> None:
    value = parse(f"[{literal}]".encode())

    assert value == [literal]


@pytest.mark.parametrize("number", [2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**100, -(10**600)])
@pytest.mark.parametrize("before", ["", "1234 ", "1, 2, 3, ", " " * 7])
def test_integers_are_exact_wherever_they_stand(number: int, before: str) -> None:
    text = f'{{"a":"{before}","b":[ {number},{number}]}}'.encode()

    value = parse(text)

    assert value == {"a": before, "b": [number, number]}
    assert parse(str(number).encode()) == number
    assert dumps(value) == json.dumps(value, separators=(",", ":")).encode()


def test_a_long_integer_is_found_at_every_distance_from_the_start() -> None:
    texts = [b'{"a":"' + b"x" * length + b'","b":18446744073709551617}' for length in range(40)]
    texts += [b'{"a":"' + b"x" * (262144 - 60 + length) + b'","b":-9223372036854775809}' for length in range(60)]

    values = [parse(text)["b"] for text in texts]

    assert set(values) == {2**64 + 1, -(2**63) - 1}


@pytest.mark.parametrize("text", [b"", b"{", b"{} {}", b"[1,]", b"{'a':1}", b"nul", b'"\\x"', b"\xff", b"[" * 3000])
def test_what_is_no_json_is_a_value_error(text: bytes) -> None:
    with pytest.raises(ValueError) as refused:
        parse(text)

    assert not isinstance(refused.value, TooDeep)


def test_nesting_beyond_every_parser_is_told_apart_from_bad_json() -> None:
    with pytest.raises(TooDeep):
        parse(b"[" * 5000 + b"]" * 5000)


@pytest.mark.parametrize("depth", [253, 254, 255, 500, 1000])
def test_what_can_be_read_can_be_written(depth: int) -> None:
    text = b'{"a":[' * (depth // 2) + b'"\xe2\x82\xac",1' + b"]}" * (depth // 2)

    value = parse(text)

    assert dumps(value) == text


def test_lone_surrogates_alone_are_escaped() -> None:
    text = dumps({"a": "€ \ud83d ü", "\udc00": 1})

    assert text == '{"a":"€ \\ud83d ü","\\udc00":1}'.encode()
    assert parse(text) == {"a": "€ \ud83d ü", "\udc00": 1}


@pytest.mark.parametrize(
    "value", [float("nan"), [{"a": float("inf")}], [2**70, float("-inf")], {"a": (1, float("nan"))}]
)
def test_no_float_that_is_not_finite_is_ever_written(value: Json) -> None:
    with pytest.raises(SegueError, match="a number that JSON cannot hold"):
        dumps(value)


def test_indented_json_looks_the_same_from_both_writers() -> None:
    plain = {"a": [1, {"b": "ü"}], "c": {}, "d": []}

    text = dumps(plain, indent=2)

    assert text == json.dumps(plain, indent=2, ensure_ascii=False).encode()
    assert dumps({**plain, "e": 2**70}, indent=2).startswith(text[:-2])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.lists(st.dictionaries(st.text(), VALUES, max_size=4), min_size=2, max_size=6))
def test_any_sound_lines_come_back_byte_for_byte(values: list[Json]) -> None:
    data = b"".join(dumps(value) + b"\n" for value in values)

    records, changes = read(data)

    assert changes == []
    assert [record.value for record in records] == values
    assert b"".join(record_text(record, data) + b"\n" for record in records) == data


@settings(deadline=None)
@given(
    st.lists(st.dictionaries(st.text(min_size=1), VALUES, min_size=1, max_size=4), min_size=1, max_size=4), st.data()
)
def test_a_cut_anywhere_costs_one_record_at_most(values: list[Json], data: st.DataObject) -> None:
    text = b"".join(dumps({"role": "user", "value": value}) + b"\n" for value in values)
    cut = data.draw(st.integers(text.rfind(b"\n", 0, -1) + 2, len(text)))

    try:
        records, changes = read(text[:cut])
    except UnreadableSource:
        records, changes = [], []

    assert len(records) >= len(values) - 1
    assert len(records) == len(values) or len(values) == 1 or any(change.kind == "dropped" for change in changes)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_at_all_end_in_a_fault(data: bytes) -> None:
    try:
        records, _ = read(data)
    except UnreadableSource:
        records = []

    assert all(isinstance(record, Record) for record in records)


@settings(deadline=None)
@given(st.lists(st.sampled_from([*'{}[]":,\\ \n\x00', '{"a":', "1", "NaN", '"x"', "\ufeff", "\r\n"]), max_size=40))
def test_no_scraps_of_json_end_in_a_fault(pieces: list[str]) -> None:
    data = "".join(pieces).encode()

    try:
        records, _ = read(data)
    except UnreadableSource:
        records = []

    assert all(
        record.value is None or parse(record_text(record, decoded(data)[0])) == record.value for record in records
    )


SOUND_LINE = b'{"type":"user","id":1,"text":"a"}\n'
HOSTILE = {
    "cut lines": b'{"type":"user","te\n' * 20_000,
    "open lists": b'["a",\n' * 20_000,
    "open objects": b'{"a":\n' * 20_000,
    "openings on one line": b'{"' * 500_000,
    "nested openings on one line": b'{"type":' * 200_000,
    "brackets": b"[" * 500_000,
    "escaped quotes behind deep nesting": b'{"a":' * 2000 + b'"' + b'\\"' * 200_000,
    "parts before a cut": b'{"type":[' + b'{"type":1},' * 50_000,
    "cut and whole in turn": b'{"type":"user","id":{"type":"user","id":1,"text":"a"}' * 5_000,
    "digits": b'{"a":' + b"1" * 500_000 + b"}",
    "carriage returns": b"\r" * 500_000,
    "long strings in open lists": (b'["' + b"x" * 20_000 + b'",\n') * 200,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_costs_no_more_than_long_input(name: str) -> None:
    data = SOUND_LINE + HOSTILE[name] + b"\n" + SOUND_LINE

    started = time.process_time()
    records, _ = read(data)
    spent = time.process_time() - started

    assert records[0].value == records[-1].value == {"type": "user", "id": 1, "text": "a"}
    assert spent < 10
