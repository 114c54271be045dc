"""A session of an api that only its recorder speaks is repaired for its own model all the same."""

from __future__ import annotations

import json

import pytest

from segue import Options, convert
from segue.errors import UsageError

SESSION = json.dumps(
    [
        {"role": "user", "content": "Hello", "timestamp": 1},
        {
            "role": "assistant",
            "provider": "radius",
            "api": "pi-messages",
            "model": "cheap",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "thinkingSignature": "s"},
                {"type": "text", "text": "Hi"},
            ],
            "usage": {},
            "stopReason": "stop",
            "timestamp": 2,
        },
    ]
).encode()


def test_same_keeps_a_model_of_an_unknown_api() -> None:
    outcome = convert(SESSION, Options(model="same"))

    assert outcome.report.as_json()["target"] == {"provider": "radius", "api": "pi-messages", "model": "cheap"}


def test_its_request_body_is_told_to_be_unknown() -> None:
    with pytest.raises(UsageError, match="the api 'pi-messages' has no request body that is known here"):
        convert(SESSION, Options(model="same", to="request"))


def test_another_name_of_an_api_speaks_it() -> None:
    outcome = convert(SESSION, Options(model="same", api="openai-chat", to="request", force=True))

    assert outcome.report.as_json()["target"]["api"] == "openai-completions"
