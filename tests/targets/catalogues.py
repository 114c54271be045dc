"""What the tests of the catalogue share: its bytes, and the models that stand for their families."""

from __future__ import annotations

import json
from pathlib import Path

import segue

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "fixtures" / "models"
DATA = Path(segue.__file__).parent / "targets" / "models.json"
BY_FAMILY: dict[str, list[str]] = json.loads((MODELS / "by-family.json").read_text(encoding="utf-8"))
