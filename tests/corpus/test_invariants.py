"""The checks themselves: each one sees a body that breaks it, and is silent about one that does not."""

import copy
import json

import invariants
import pytest
from invariants import ANTHROPIC_CHECKS, broken, id_patterns, strict_utf8

SOUND = {
    "model": "claude-opus-4-5",
    "max_tokens": 8,
    "system": [{"type": "text", "text": "be brief"}],
    "messages": [
        {"role": "user", "content": "look at the file"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "", "signature": "c2lnbmVk"},
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
                {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
                {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"path": "a"}},
                {"type": "tool_use", "id": "toolu_2", "name": "Read", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "words"}]},
                {"type": "tool_result", "tool_use_id": "toolu_2", "content": "", "is_error": True},
                {"type": "text", "text": "and then?"},
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
    ],
}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}


def _blank(body):
    body["messages"][3]["content"].insert(0, {"type": "text", "text": "\n\n"})


def _foreign_role(body):
    body["messages"][3]["role"] = "system"


def _assistant_first(body):
    del body["messages"][0]


def _nothing(body):
    body["messages"] = []


def _empty(content):
    def spoil(body):
        body["messages"][3]["content"] = content

    return spoil


def _blank_string(body):
    body["messages"][0]["content"] = " "


def _blank_system(body):
    body["system"][0]["text"] = "\t"


def _empty_in_result(body):
    body["messages"][2]["content"][0]["content"][0]["text"] = ""


def _id_again(body):
    body["messages"][1]["content"][4]["id"] = "toolu_1"


def _no_result(body):
    del body["messages"][2]["content"][0]


def _no_call(body):
    del body["messages"][1]["content"][4]


def _two_results(body):
    content = body["messages"][2]["content"]
    content.insert(1, copy.deepcopy(content[0]))


def _open_end(body):
    del body["messages"][2:]


def _late_result(body):
    body["messages"].insert(2, {"role": "user", "content": "in between"})


def _text_first(body):
    body["messages"][2]["content"].reverse()


def _input_is(value):
    def spoil(body):
        body["messages"][1]["content"][3]["input"] = value

    return spoil


def _error_with_image(body):
    body["messages"][2]["content"][1]["content"] = [IMAGE]


def _no_signature(body):
    del body["messages"][1]["content"][0]["signature"]


def _no_thinking(body):
    del body["messages"][1]["content"][0]["thinking"]


def _no_data(body):
    body["messages"][1]["content"][0] = {"type": "redacted_thinking"}


def _ends_on_thinking(body):
    body["messages"][3]["content"].append({"type": "thinking", "thinking": "hm", "signature": "c2lnbmVk"})


def _result_before_call(body):
    content = body["messages"][1]["content"]
    content[1], content[2] = content[2], content[1]


def _server_call_alone(body):
    del body["messages"][1]["content"][2]


def _server_result_elsewhere(body):
    body["messages"][3]["content"].append(body["messages"][1]["content"].pop(2))


def _message_field(body):
    body["messages"][0]["uuid"] = "1"


def _block_field(body):
    body["messages"][1]["content"][3]["caller"] = {"type": "direct"}


def _inner_field(body):
    body["messages"][2]["content"][0]["content"][0]["cache_control"] = {"type": "ephemeral"}


def _unknown_block(body):
    body["messages"][0]["content"] = [{"type": "thoughts"}]


BREAKING = [
    ("roles", _foreign_role),
    ("first_is_user", _assistant_first),
    ("first_is_user", _nothing),
    ("some_content", _empty([])),
    ("some_content", _empty("")),
    ("some_content", _empty(None)),
    ("no_blank_text", _blank),
    ("no_blank_text", _blank_string),
    ("no_blank_text", _blank_system),
    ("no_blank_text", _empty_in_result),
    ("calls_once", _id_again),
    ("answered_next", _no_result),
    ("answered_next", _no_call),
    ("answered_next", _two_results),
    ("answered_next", _open_end),
    ("answered_next", _late_result),
    ("results_lead", _text_first),
    ("input_is_object", _input_is('{"path": "a"}')),
    ("input_is_object", _input_is(None)),
    ("errors_are_text", _error_with_image),
    ("thinking_in_place", _no_signature),
    ("thinking_in_place", _no_thinking),
    ("thinking_in_place", _no_data),
    ("thinking_in_place", _ends_on_thinking),
    ("server_pairs", _result_before_call),
    ("server_pairs", _server_call_alone),
    ("server_pairs", _server_result_elsewhere),
    ("known_fields", _message_field),
    ("known_fields", _block_field),
    ("known_fields", _inner_field),
    ("known_fields", _unknown_block),
]


def test_sound_body_breaks_nothing():
    assert broken(json.dumps(SOUND).encode(), "anthropic-messages") == []


@pytest.mark.parametrize(("name", "spoil"), BREAKING, ids=lambda value: getattr(value, "__qualname__", value))
def test_check_sees_what_breaks_it(name, spoil):
    body = copy.deepcopy(SOUND)
    check = getattr(invariants, name)

    spoil(body)

    assert list(check(SOUND)) == []
    assert list(check(body))


def test_every_check_has_a_body_that_breaks_it():
    assert {check.__name__ for check in ANTHROPIC_CHECKS} == {name for name, _ in BREAKING}


def test_whole_list_of_checks_is_asked():
    body = copy.deepcopy(SOUND)

    _block_field(body)
    _blank(body)

    found = broken(json.dumps(body).encode(), "anthropic-messages")
    assert [sentence.split()[0] for sentence in found] == ["V4", "V13"]


# ------------------------------------------------------------------------------------------- V10 and V14


def anthropic(id):
    return {"messages": [{"content": [{"type": "tool_use", "id": id, "input": {"toolUseId": "?!"}}]}]}


def server(id):
    return {"messages": [{"content": [{"type": "web_search_tool_result", "tool_use_id": id}]}]}


def responses(id):
    return {"input": [{"type": "function_call_output", "call_id": id}]}


def chat(id):
    return {"messages": [{"tool_calls": [{"type": "function", "id": id, "function": {}}]}]}


def chat_result(id):
    return {"messages": [{"role": "tool", "tool_call_id": id}]}


def converse(id):
    return {"messages": [{"content": [{"toolUse": {"toolUseId": id, "input": {"id": "?!"}}}]}]}


@pytest.mark.parametrize(
    ("api", "shape", "sound", "unsound"),
    [
        ("anthropic-messages", anthropic, "toolu_1-A", "functions.Read:0"),
        ("anthropic-messages", anthropic, "a" * 64, "a" * 65),
        ("anthropic-messages", server, "srvtoolu_1", "call_1"),
        ("openai-responses", responses, "a" * 64, "a" * 65),
        ("openai-completions", chat, "a" * 40, "a" * 41),
        ("openai-completions", chat_result, "a" * 40, "a" * 41),
        ("mistral-conversations", chat, "abcDEF123", "toolu_1"),
        ("bedrock-converse-stream", converse, "toolu_1", "toolu|1"),
    ],
)
def test_ids_have_the_form_of_the_api(api, shape, sound, unsound):
    assert list(id_patterns(shape(sound), api)) == []
    assert list(id_patterns(shape(unsound), api))


@pytest.mark.parametrize("output", [b'{"a": "\\ud83d"}', b'{"a": "\xff"}', b"{", b'{"\\udc00": 1}'])
def test_text_that_is_no_utf8_is_seen(output):
    assert broken(output, "anthropic-messages")


def test_pair_of_surrogates_is_a_character():
    assert list(strict_utf8(b'{"a": "\\ud83d\\ude00"}')) == []
