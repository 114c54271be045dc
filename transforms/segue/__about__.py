"""The version, and the date of the model catalogue. It imports nothing: `--version` has to be quick."""

__version__ = "0.1.0"
CATALOGUE_DATE = "2026-11-20"
