"""Correlated quantization of one shape, round after round: what does not change is found out once."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from impl.compressors.contract import Draws
from impl.compressors.joint.correlated.stratified_thresholds import fill_strata, strata_type
from impl.compressors.rounding.block_norms import SAFE

if TYPE_CHECKING:
    from impl.compressors.joint.correlated.correlated_quantizer import CorrelatedQuantizer

Array = npt.NDArray[Any]

LONGEST = 2**12 - 1  # coordinates whose squares are added in one go


class StratifiedRounds:
    """Rounds of a binary quantizer that sends norms of 64 bits, for inputs (..., n, d) with n of at least 2.

    Its operations are those of `draw` and `compress_counted`, so are its draws and results; what is not
    ordinary, such as a zero vector, goes that way.

    Args:
        quantizer: Whose rounds these are.
        rng: The random stream.
        shape: (..., n, d).
    """

    def __init__(
        self, quantizer: "CorrelatedQuantizer", rng: np.random.Generator, shape: tuple[int, ...]
    ) -> None:
        self._quantizer, self._rng = quantizer, rng
        self._strata = np.empty(shape, strata_type(shape[-2]))
        self._jitter, self._places, self._decoded = (np.empty(shape) for _ in range(3))
        self._bits = np.full(shape[:-1], quantizer.norm_bits + shape[-1], dtype=np.int64)

    def draw(self) -> None:
        """Draw what the next round uses."""
        fill_strata(self._rng, self._strata.reshape(-1, *self._strata.shape[-2:]))
        self._rng.random(out=self._jitter)

    def compress(self, x: Array) -> tuple[Array, Array]:
        """Return what the server decodes from each client, until the next round, and the bits (..., n)."""
        with np.errstate(over="ignore", invalid="ignore"):
            squares = np.vecdot(x, x)
        low, high = SAFE[0]
        if not (squares.min() > low and squares.max() < high):  # NaN fails
            return self._quantizer.compress_counted(x, Draws(self._strata, self._jitter))
        scales = np.sqrt(squares)[..., None]
        y = np.multiply(x, 0.5 / scales, out=self._places)
        y += 0.5
        # U < y without the division of U: stratum < n y - jitter.
        y *= x.shape[-2]
        y -= self._jitter
        levels = np.greater(y, self._strata).view(np.int8)
        levels += levels
        levels -= np.int8(1)
        return np.multiply(levels, scales, out=self._decoded), self._bits
