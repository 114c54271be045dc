"""Who a history must fit: provider/id → Target.

A rule asks the target what it accepts; it never compares names.
"""

from segue.targets.catalogue import resolve
from segue.targets.own import OwnModels, read_models
from segue.targets.target import DocumentLimits, IdShape, ImageLimits, Target

__all__ = ["DocumentLimits", "IdShape", "ImageLimits", "OwnModels", "Target", "read_models", "resolve"]
