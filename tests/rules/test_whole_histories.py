"""What concerns a history as a whole: nothing is left of it, or its body holds what no reader takes."""

import json

import pytest

from segue.errors import RefusedByTarget
from segue.options import Options
from segue.pipeline import convert


def test_message_of_an_unknown_role_does_not_come_back_with_the_bytes():
    body = {"model": "gpt-4o", "messages": [{"role": "oracle", "content": "x"}, {"role": "user", "content": "hi"}]}
    options = Options("openai/gpt-4o", api="openai-completions", source_format="openai-chat")

    outcome = convert(json.dumps(body).encode(), options)

    assert json.loads(outcome.output)["messages"] == [{"role": "user", "content": "hi"}]
    assert [change.rule for change in outcome.report.changes if change.kind == "dropped"] == ["unknown-role"]


@pytest.mark.parametrize("to", [None, "request", "pi"])
def test_history_of_which_nothing_is_left_is_refused_in_every_format(to):
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "No result provided", "is_error": True}
    line = {
        "parentUuid": None,
        "isSidechain": False,
        "type": "user",
        "uuid": "u1",
        "sessionId": "s",
        "message": {"role": "user", "content": [result]},
    }

    with pytest.raises(RefusedByTarget) as refused:
        convert(json.dumps(line).encode(), Options("openai/gpt-4o", to=to))

    assert refused.value.report.exit == 4
    assert any(problem.severity == "error" for problem in refused.value.report.problems)
