"""Made-up Claude Code sessions, fitted to seven targets and held against checks that share nothing with segue."""

import pytest
from examining import TARGETS, examine
from generated import sessions
from hypothesis import HealthCheck, Phase, given, settings

settings.register_profile(
    "sessions",
    max_examples=120,
    derandomize=True,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("target", TARGETS)
@settings(settings.get_profile("sessions"))
@given(data=sessions())
def test_made_up_session_arrives_sound_and_whole(target, data):
    examination = examine(data, TARGETS[target])

    # A session of which nothing is left is refused, and rightly.
    refused = [fault for fault in examination.refused if "empty-" not in fault]
    # A branch off a message that a compaction kept may belong before it or behind it.
    lost = [] if b"preserved" in data else examination.lost
    assert [*examination.crashed, *refused, *examination.broken, *examination.unstable, *lost] == []
