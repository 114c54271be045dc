"""The random histories of the laws serve here too, and the bodies that our judges are shown."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("laws", "lint")]

settings.register_profile(
    "oracle", max_examples=60, derandomize=True, deadline=None, suppress_health_check=(HealthCheck.too_slow,)
)
settings.load_profile("oracle")
