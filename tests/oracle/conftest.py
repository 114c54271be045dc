"""The random histories of the laws serve here too."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))

settings.register_profile(
    "oracle", max_examples=60, derandomize=True, deadline=None, suppress_health_check=(HealthCheck.too_slow,)
)
settings.load_profile("oracle")
