"""The version, and the date of the model catalogue."""

from segue.targets.catalogue import CATALOGUE_DATE

__version__ = "0.1.0"
__all__ = ["CATALOGUE_DATE", "__version__"]
