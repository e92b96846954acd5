"""Rounds of Rand-k on one stream, by kernels."""

import math
from typing import TYPE_CHECKING

import numpy as np

from impl.compressors.contract import Array, Draws
from impl.compressors.philox_draws import philox_stream

if TYPE_CHECKING:
    from impl.compressors.sparse.rand_k import RandK


class SetRounds:
    """Compression of x (..., d) round after round: the draws and results of `draw`, `message`, `reconstruct`.

    Args:
        compressor: Whose messages these are, of 64 bits an entry.
        rng: The random stream.
        shape: (..., d), no axis of which is empty.
    """

    def __init__(self, compressor: "RandK", rng: np.random.Generator, shape: tuple[int, ...]) -> None:
        from impl.kernels.rand_k import fill_sets, scatter  # numba, where it is asked for

        self._fill, self._scatter, self._compressor, self._rng = fill_sets, scatter, compressor, rng
        self._d, rows, k = shape[-1], math.prod(shape[:-1]), compressor.k
        self._sets, self._factor = np.empty((rows, k), np.int64), self._d / k
        self._out, self._bits = np.empty(shape), np.full(shape[:-1], k * compressor.value_bits, np.int64)

    def draw(self) -> None:
        """Draw the index sets of the next round."""
        self._fill(self._d, philox_stream(self._rng), self._sets)

    def compress(self, x: Array) -> tuple[Array, Array]:
        """Return what the receiver makes of the messages about x, until the next call, and their bits."""
        flat = x.reshape(-1)
        with np.errstate(over="ignore", invalid="ignore"):
            square = flat.dot(flat)
        self._out.fill(0.0)
        rows, out = flat.reshape(-1, self._d), self._out.reshape(-1, self._d)
        if not (math.isfinite(square) and self._scatter(rows, self._sets, self._factor, out)):
            # The general way takes squares beyond the range, and tells what is wrong.
            sets = self._sets.reshape(*x.shape[:-1], -1)
            message = self._compressor.message(x, Draws(shared=sets))
            return self._compressor.reconstruct(message, sets), self._bits.copy()
        return self._out, self._bits.copy()
