"""Real Claude Code sessions, fitted to seven targets: a sample of the corpus, where there is one.

`make corpus` does the same over a whole folder.
"""

import pytest
from examining import TARGETS, examine


@pytest.mark.parametrize("target", TARGETS)
def test_session_arrives_sound_and_whole(session, target):
    data = session.read_bytes()

    examination = examine(data, TARGETS[target])

    if examination.excuse is not None:
        pytest.skip(f"no session, or none for this target: {examination.excuse}")
    assert examination.faults == []
