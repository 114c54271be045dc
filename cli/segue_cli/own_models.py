"""The user's own models: which file they stand in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from segue_cli.files import read_named

if TYPE_CHECKING:
    from segue.targets import OwnModels

VARIABLE = "SEGUE_MODELS"
_NAMES = ("models.toml", "models.json")


def own_models(given: str | None) -> OwnModels | None:
    """Read the file that `--models` names, else SEGUE_MODELS, else the one in the user's config folder.

    None if there is none of them. Raises UsageError for a named file that is missing, and for what is wrong in one.
    """
    if given is not None:
        return _read(given, "--models")
    named = os.environ.get(VARIABLE)
    if named:
        return _read(named, VARIABLE)
    for name in _NAMES:
        file = _config_folder() / "segue" / name
        if file.is_file():
            return _read(str(file), "own models")
    return None


def _read(path: str, option: str) -> OwnModels:
    from segue.targets import read_models

    return read_models(read_named(path, option), path)


def _config_folder() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(folder) if os.path.isabs(folder) else Path(os.path.expanduser("~"), ".config")
