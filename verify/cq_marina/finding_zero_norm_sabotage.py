"""One-bit and ternary quantizers that replace a zero norm by one, as a guard against division by zero."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.compressors.threshold_quantizer import ThresholdQuantizer

Array = npt.NDArray[Any]


class _UnitNorm(ThresholdQuantizer):
    """What the guarded quantizers share: the scale 1 of a zero vector."""

    def _literal_scale(self, vector: list[Any]) -> Any:
        # The type of the number 1 is that of the norm: a Fraction or a float.
        r = super()._literal_scale(vector)
        return r or r + 1

    def _scales(self, x: Array) -> Array:
        norms = super()._scales(x)
        return np.where(norms == 0, 1.0, norms)


class UnitNormIndependent(_UnitNorm, IndependentQuantizer):
    """Independent thresholds."""


class UnitNormCorrelated(_UnitNorm, CorrelatedQuantizer):
    """Stratified thresholds."""
