"""Messages about arrays of one shape, round after round: what does not change is found out once."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from impl.coding.dense_code import DenseCode
from impl.coding.level_bits import LevelBits
from impl.coding.sparse_code import SparseCode
from impl.compressors.contract import Draws
from impl.compressors.philox_draws import PhiloxUniforms
from impl.compressors.rounding.block_norms import SAFE
from impl.compressors.rounding.step_sizes import StepSizes
from impl.tiers import current

if TYPE_CHECKING:
    from impl.compressors.rounding.stochastic_quantizer import StochasticQuantizer

Array = npt.NDArray[Any]

_SMALLEST_STEP = 1 / 250  # levels stay below 255: at most 1 / step + 1, and a rounded norm adds nothing whole
_LARGEST_STEP = 2.0**100  # h N stays in the range of floats for the norms that are taken here
_LONGEST = 2**12 - 1  # coordinates whose squares are added in one go
_LONGEST_BY_KERNEL = (
    2**10
)  # coordinates whose uniforms a kernel makes at a time: BLOCK of impl.kernels.philox
_CELLS = 2**14  # of a tile: its buffers together stay in the second-level cache
_SIGN = np.int64(-(2**63))


class RoundedRows:
    """Compression of x (..., d) by a quantizer with one norm and the same steps for every vector.

    Its operations are those of `draw`, `message` and `reconstruct`, so are its draws and results; what is not
    ordinary, such as a zero vector, goes that way.

    Args:
        quantizer: Whose messages these are.
        code: Of their levels.
        rng: The random stream.
        steps: h, () or (d,).
        shape: (..., d).
    """

    def __init__(
        self,
        quantizer: "StochasticQuantizer",
        code: SparseCode | DenseCode,
        rng: np.random.Generator,
        steps: Array,
        shape: tuple[int, ...],
    ) -> None:
        self._quantizer, self._rng, self._steps, self.shape = quantizer, rng, steps, shape
        self._decoded = np.empty(shape)
        self._prepare(code, self._decoded.size // shape[-1], shape[-1])

    def _prepare(self, code: SparseCode | DenseCode, rows: int, d: int) -> None:
        """Make the buffers of so many vectors."""
        self._height = min(rows, max(1, _CELLS // d))
        self._uniforms, *self._buffers = (np.empty((self._height, d)) for _ in range(4))
        self._bits = LevelBits(code, rows, d)

    def __call__(self, x: Array) -> tuple[Array, Array]:
        """Return what the receiver makes of the messages about x, until the next call, and their bits."""
        rows = x.reshape(-1, x.shape[-1])
        with np.errstate(over="ignore", invalid="ignore"):
            squares = np.vecdot(rows, rows)
        norm_bits = self._quantizer.norm_bits
        low, high = SAFE[int(norm_bits == 32)]
        if not (squares.min() > low and squares.max() < high):  # NaN fails
            return self._any(x)
        norms = np.sqrt(squares)[:, None]
        if norm_bits == 32:
            norms = norms.astype(np.float32).astype(np.float64)
        bits = self._compressed(rows, norms * self._steps, self._decoded.reshape(rows.shape))
        if bits is None:
            return self._any(x)
        return self._decoded, (bits + norm_bits).reshape(self.shape[:-1])

    def _compressed(self, rows: Array, spacing: Array, decoded: Array) -> Array | None:
        """Write what is decoded of ordinary vectors; return the bits of their levels, None if uncounted."""
        for first in range(0, len(rows), self._height):
            part = slice(first, first + self._height)
            levels = self._uniforms[: len(rows) - first]  # the uniforms at first
            self._rng.random(out=levels)
            self._round(rows[part], spacing[part], levels, decoded[part])
            np.copyto(self._bits.levels[part], levels, casting="unsafe")
        return self._bits.count()

    def _round(self, x: Array, spacing: Array, uniforms: Array, decoded: Array) -> None:
        """Write levels over the uniforms, and what is decoded of them; all (rows, d)."""
        signed, fraction, floor = (buffer[: len(x)] for buffer in self._buffers)
        bits = signed.view(np.int64)
        np.bitwise_and(x.view(np.int64), _SIGN, out=bits)
        np.bitwise_or(bits, spacing.view(np.int64), out=bits)
        np.divide(x, signed, out=fraction)
        np.floor(fraction, out=floor)
        fraction -= floor
        np.subtract(fraction, uniforms, out=uniforms)
        np.ceil(uniforms, out=uniforms)
        uniforms += floor
        np.multiply(uniforms, signed, out=decoded)
        decoded += 0.0  # a negative zero would not survive the message

    def _any(self, x: Array) -> tuple[Array, Array]:
        return self._sent(x, Draws(private=self._rng.random(self.shape)))

    def _sent(self, x: Array, draws: Draws) -> tuple[Array, Array]:
        message = self._quantizer.message(x, draws)
        return self._quantizer.reconstruct(message), np.asarray(message.bits)


class KernelRows(RoundedRows):
    """The same by a kernel, which makes the uniforms and counts the bits: that of the fused tier."""

    def _prepare(self, code: SparseCode | DenseCode, rows: int, d: int) -> None:
        self._sparse, self._bits_of_levels = isinstance(code, SparseCode), np.empty(rows, np.int64)
        _, self._lengths = code.elias.short_table()

    def __call__(self, x: Array) -> tuple[Array, Array]:
        self._draws = PhiloxUniforms(self._rng, self.shape, np.float64)
        return super().__call__(x)

    def _compressed(self, rows: Array, spacing: Array, decoded: Array) -> Array | None:
        from impl.kernels.stochastic_rounding import compress_rows  # numba, where it is asked for

        bits = self._bits_of_levels
        known = compress_rows(rows, spacing, self._draws.stream, self._sparse, self._lengths, decoded, bits)
        return bits if known else None

    def _any(self, x: Array) -> tuple[Array, Array]:
        return self._sent(x, Draws(private=self._draws))


def rounded_rows(
    quantizer: "StochasticQuantizer",
    steps: StepSizes,
    code: SparseCode | DenseCode,
    rng: np.random.Generator,
    shape: tuple[int, ...],
) -> RoundedRows | None:
    """Return the compression of arrays of this shape; None where it is not simple."""
    simple, fused = steps.lengths is None and steps.values.ndim < 2, current() == "fused"
    if not simple or not _SMALLEST_STEP <= steps.smallest <= steps.largest <= _LARGEST_STEP:
        return None
    if (
        not 0 < shape[-1] <= (_LONGEST_BY_KERNEL if fused else _LONGEST)
        or steps.dimension not in (None, shape[-1])
        or 0 in shape
    ):
        return None
    made = KernelRows if fused else RoundedRows
    return made(quantizer, code, rng, steps.values.astype(np.float64), shape)
