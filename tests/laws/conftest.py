"""How much the laws are tested: a little in every run, `--hypothesis-profile=thorough` much more, at random.

Only the thorough profile shrinks what it finds: that can take minutes.
"""

from hypothesis import HealthCheck, Phase, settings

_CHECKS = (
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.large_base_example,
)
settings.register_profile(
    "laws",
    max_examples=80,
    derandomize=True,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=_CHECKS,
)
settings.register_profile(
    "thorough", parent=settings.get_profile("laws"), max_examples=3000, derandomize=False, phases=tuple(Phase)
)
settings.load_profile("laws")
