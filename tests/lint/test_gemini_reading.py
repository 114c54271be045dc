"""The judge of Gemini reads a body as leniently as its server does, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from lint_bodies import target_of

from segue.apis import lint
from segue.targets import resolve

TARGET = target_of("google-generative-ai")
SIGNED = {"thoughtSignature": "c2lnbmVk"}


def found(request: Any, target: Any = TARGET) -> list[tuple[str, str | None]]:
    return [(problem.rule, problem.pointer) for problem in lint(request, target)]


def test_one_part_may_stand_without_a_list() -> None:
    request = {"contents": {"parts": {"text": "hi"}}, "systemInstruction": {"parts": {"text": "Be brief."}}}

    assert found(request) == []


def test_faults_of_a_part_without_a_list_have_its_place() -> None:
    request = {"contents": [{"parts": {"text": "hi", "type": "text"}}]}

    assert found(request) == [("unknown-key", "/contents/0/parts/type")]


def test_pointers_are_spelled_as_the_body_is() -> None:
    call = {"function_call": {"name": "f", "args": []}, "thought_signature": "c2lnbmVk"}
    request = {"contents": [{"parts": [{"text": "hi"}]}, {"role": "model", "parts": [call]}]}

    problems = [problem for problem in lint(request, TARGET) if problem.rule == "arguments-not-object"]

    assert [problem.pointer for problem in problems] == ["/contents/1/parts/0/function_call/args"]
    assert "'contents[1].parts[0].function_call.args'" in (problems[0].says or "")


def test_error_texts_name_fields_as_google_does() -> None:
    request = {"contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": "?"}}]}]}

    says = [problem.says for problem in lint(request, TARGET)]

    expected = "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed for \"?\""
    assert says == [expected]


def test_vertex_is_judged_alike() -> None:
    request = {"contents": [{"role": "assistant", "parts": [{"text": "hi"}]}]}

    assert found(request, resolve("google-vertex/gemini-3-pro-preview")) == found(request)


def test_model_in_the_body_is_no_fault() -> None:
    request = {"model": "models/gemini-3-pro-preview", "contents": [{"parts": [{"text": "hi"}]}]}

    assert found(request) == []


@pytest.mark.parametrize("text", ["", " \n"])
def test_blank_words_begin_no_turn(text: str) -> None:
    call, result = {"functionCall": {"name": "f"}}, {"functionResponse": {"name": "f", "response": {}}}
    contents = [
        {"parts": [{"text": "hi"}]},
        {"role": "model", "parts": [call]},
        {"parts": [{"text": text}, result]},
    ]

    assert ("call-without-signature", "/contents/1/parts/0") in found({"contents": contents})


def test_calls_of_one_name_without_ids_are_paired_in_order() -> None:
    calls = [{"functionCall": {"name": "f"}} | SIGNED, {"functionCall": {"name": "f"}}]
    results = [{"functionResponse": {"name": "f", "response": {"output": text}}} for text in ("1", "2")]
    contents = [{"parts": [{"text": "hi"}]}, {"role": "model", "parts": calls}, {"parts": results}]

    assert found({"contents": contents}) == []


def test_wrong_ids_are_two_faults() -> None:
    call = {"functionCall": {"id": "a", "name": "f"}} | SIGNED
    result = {"functionResponse": {"id": "b", "name": "f", "response": {}}}
    contents = [{"parts": [{"text": "hi"}]}, {"role": "model", "parts": [call]}, {"parts": [result]}]

    assert found({"contents": contents}) == [
        ("result-without-call", "/contents/2/parts/0/functionResponse"),
        ("call-without-result", "/contents/1/parts/0/functionCall"),
    ]


def test_doubts_of_an_unknown_model_are_warnings() -> None:
    unknown = replace(resolve("unknown/unknown", "gemini"), required_call_signatures=True)
    call, result = {"functionCall": {"name": "f"}}, {"functionResponse": {"name": "f", "response": {}}}
    contents = [{"parts": [{"text": "hi"}]}, {"role": "model", "parts": [call]}, {"parts": [result]}]

    open_end = list(lint({"contents": contents[:2]}, unknown))
    closed = list(lint({"contents": contents}, unknown))

    assert [problem.severity for problem in open_end if problem.rule == "ends-on-assistant"] == ["warning"]
    assert [(problem.rule, problem.severity) for problem in closed] == [("call-without-signature", "warning")]


@pytest.mark.parametrize("key", ["parameters", "parametersJsonSchema"])
def test_deep_schemas_and_responses_are_survived(key: str) -> None:
    deep: Any = {"$ref": "#"}
    for _ in range(20_000):
        deep = {"type": "object", "properties": {"p": deep}}
    response = {"functionResponse": {"name": "f", "response": {"output": deep}}}
    tools = [{"functionDeclarations": [{"name": "f", key: deep}]}]

    request = {"contents": [{"parts": [{"text": "hi"}, response]}], "tools": tools}

    assert {rule for rule, _ in found(request)} == {"result-without-call", "result-reference"}
