"""Stochastic rounding in place, tile by tile, with uniforms from a generator or from an array."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems

Array = npt.NDArray[Any]

# Bytes of one buffer of a tile: all of them together fit a cache of 1 MiB, and calls are few.
TILE_BYTES = 2**17


class UniformStream:
    """Uniforms in [0, 1) of one dtype, the same however they are split into calls.

    float64 comes from `Generator.random`. float32 takes two numbers of 24 bits from every 64-bit word, low
    half first, which is faster than `Generator.random(dtype=float32)`; probabilities are met up to 2**-24.
    """

    def __init__(self, rng: np.random.Generator, dtype: Any) -> None:
        self._rng = rng
        self._dtype = np.dtype(dtype)
        self._spare: float | None = None

    def fill(self, out: Array) -> None:
        """Fill a contiguous 1-d array with the next uniforms."""
        if self._dtype == np.float64:
            self._rng.random(out=out)
            return
        if self._spare is not None and len(out):
            out[0], self._spare = self._spare, None
            out = out[1:]
        if not len(out):
            return
        halves = self._words((len(out) + 1) // 2).astype("<u8", copy=False).view("<u4")
        np.right_shift(halves, 8, out=halves)
        numbers = halves.view("<i4")  # below 2**24; signed integers convert faster
        np.copyto(out, numbers[: len(out)], casting="unsafe")
        np.multiply(out, np.float32(2.0**-24), out=out)
        if len(out) % 2:
            self._spare = float(numbers[-1]) * 2.0**-24

    def _words(self, count: int) -> Array:
        bits = self._rng.bit_generator
        if isinstance(bits, np.random.MT19937):  # its raw words have 32 bits
            return self._rng.integers(0, 2**64 - 1, size=count, dtype=np.uint64, endpoint=True)
        return np.asarray(bits.random_raw(count))


def draw_uniforms(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any, where: str) -> Array:
    """Return uniforms in [0, 1) of this shape, float64 or float32, in C order of one `UniformStream`."""
    problems = Problems(where)
    problems.require(isinstance(rng, np.random.Generator), f"rng={rng!r} must be a numpy.random.Generator")
    known = np.dtype(dtype) in (np.float32, np.float64)
    problems.require(known, f"dtype={dtype!r} must be float32 or float64")
    problems.raise_if_any()
    uniforms = np.empty(math.prod(shape), dtype)
    UniformStream(rng, dtype).fill(uniforms)
    return uniforms.reshape(shape)


def round_tiles(
    x: Array,
    spacing_of: Callable[[int, int, int, int], Array],
    uniforms: UniformStream | Array,
    uniform_dtype: Any,
    out: Array,
) -> None:
    """Write the stochastic rounding of x into out.

    With v = |x| / a: level = floor(v) + (u < v - floor(v)). A floating-point difference has the right sign
    always, so ceil((v - floor(v)) - u) is that comparison, exactly; floor(v + u) would not be.

    Args:
        x: Vectors, (M, d).
        spacing_of: Maps a tile (row, row end, column, column end) to the distance a > 0 between neighbouring
            levels, in the dtype of x, to be broadcast over the tile.
        uniforms: A stream, consumed in C order of out, or an array (S, M, d).
        uniform_dtype: dtype of the uniforms.
        out: (S, M, d); integers receive the signed levels, floats the quantized vector.
    """
    samples, rows, d = out.shape
    if not out.size:
        return
    tile = TILE_BYTES // x.itemsize
    whole = x.size <= tile  # then one tile serves several samples
    together = min(samples, tile // x.size) if whole else 1
    tile_rows, tile_columns = (rows if whole else tile // d, d) if d <= tile else (1, tile)
    cells = tile_rows * tile_columns
    fraction, floor, signed = (np.empty(cells, x.dtype) for _ in range(3))
    drawn = np.empty(together * cells if isinstance(uniforms, UniformStream) else 0, uniform_dtype)
    bit_dtype = np.result_type(x.dtype, uniform_dtype)
    excess = None if out.dtype == bit_dtype else np.empty(together * cells, bit_dtype)
    for s0 in range(0, samples, together):
        s1 = min(samples, s0 + together)
        for r0 in range(0, rows, tile_rows):
            r1 = min(rows, r0 + tile_rows)
            for c0 in range(0, d, tile_columns):
                c1 = min(d, c0 + tile_columns)
                shape = (r1 - r0, c1 - c0)
                part = x[r0:r1, c0:c1]
                f, k, a = (buffer[: part.size].reshape(shape) for buffer in (fraction, floor, signed))
                if not whole or s0 == 0:
                    _split(part, spacing_of(r0, r1, c0, c1), f, k, a)
                count = (s1 - s0) * part.size
                if isinstance(uniforms, UniformStream):
                    uniforms.fill(drawn[:count])
                    u = drawn[:count].reshape(s1 - s0, *shape)
                else:
                    u = uniforms[s0:s1, r0:r1, c0:c1]
                target = out[s0:s1, r0:r1, c0:c1]
                bit = target if excess is None else excess[:count].reshape(s1 - s0, *shape)
                np.subtract(f, u, out=bit)
                np.ceil(bit, out=bit)
                np.add(bit, k, out=bit)
                if out.dtype.kind == "i":
                    np.copysign(bit, part, out=bit)
                    np.copyto(target, bit, casting="unsafe")
                    continue
                np.multiply(bit, a, out=target, casting="same_kind", dtype=x.dtype)
                np.add(target, 0.0, out=target)  # a negative zero would not survive the message


def _split(x: Array, spacing: Array, fraction: Array, floor: Array, signed: Array) -> None:
    """Fill in v - floor(v), floor(v) and the spacing with the sign of x, for v = x / signed."""
    # The sign bit moves by integer operations: numpy's copysign is seven times slower.
    kind = np.int32 if x.dtype == np.float32 else np.int64
    bits = signed.view(kind)
    np.bitwise_and(x.view(kind), kind(np.iinfo(kind).min), out=bits)
    np.bitwise_or(bits, np.ascontiguousarray(spacing).view(kind), out=bits)
    np.divide(x, signed, out=fraction)
    np.floor(fraction, out=floor)
    np.subtract(fraction, floor, out=fraction)
