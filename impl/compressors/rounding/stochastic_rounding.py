"""Stochastic rounding in place, tile by tile, with uniforms from a generator or from an array."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import as_axes, require_generator
from impl.compressors.philox_draws import PhiloxUniforms
from impl.errors import Problems
from impl.tiers import chosen

Array = npt.NDArray[Any]

# Bytes of one buffer of a tile: all of them together fit a cache of 1 MiB, and calls are few.
TILE_BYTES = 2**17
_KERNEL_CELLS = 2**17  # of a tile for a kernel: spacings of so many coordinates are held at a time
# As arrays: numpy takes those half a microsecond sooner than numbers.
_SIGN_32, _SIGN_64 = np.array(-(2**31), np.int32), np.array(-(2**63), np.int64)
_WORDS, _HALVES, _NUMBERS = np.dtype("<u8"), np.dtype("<u4"), np.dtype("<i4")
_EIGHT, _UNIT = np.array(8, np.uint32), np.array(2.0**-24, np.float32)


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
        halves = self._words((len(out) + 1) // 2).astype(_WORDS, copy=False).view(_HALVES)
        np.right_shift(halves, _EIGHT, out=halves)
        numbers = halves.view(_NUMBERS)  # below 2**24; signed integers convert faster
        np.copyto(out, numbers[: len(out)], casting="unsafe")
        np.multiply(out, _UNIT, out=out)
        if len(out) % 2:
            self._spare = float(numbers[-1]) * 2.0**-24

    def _words(self, count: int) -> Array:
        bits = self._rng.bit_generator
        if isinstance(bits, np.random.MT19937):  # its raw words have 32 bits
            return self._rng.integers(0, 2**64 - 1, size=count, dtype=np.uint64, endpoint=True)
        return np.asarray(bits.random_raw(count))


def streamed_uniforms(
    rng: np.random.Generator, shape: tuple[int, ...], dtype: Any, tier: str
) -> UniformStream | PhiloxUniforms:
    """Return the numbers that `draw_uniforms` draws, without their memory, to be used once."""
    return PhiloxUniforms(rng, shape, dtype) if tier == "fused" else UniformStream(rng, dtype)


def draw_uniforms(
    rng: np.random.Generator, shape: tuple[int, ...], dtype: Any, where: str, tier: str | None = None
) -> Array | PhiloxUniforms:
    """Return uniforms in [0, 1) of this shape, float64 or float32, in C order of one `UniformStream`.

    Those of the fused tier are made where they are used.
    """
    problems = Problems(where)
    with problems.collect():
        require_generator(rng, where)
    with problems.collect():
        shape = as_axes(shape, "shape", where)
    try:
        known = np.dtype(dtype) in (np.float32, np.float64)
    except TypeError:
        known = False
    problems.require(known, f"dtype={dtype!r} must be float32 or float64")
    with problems.collect():
        tier = chosen(tier, where)
    problems.raise_if_any()
    if tier == "fused":
        return PhiloxUniforms(rng, shape, dtype)
    uniforms = np.empty(math.prod(shape), dtype)
    UniformStream(rng, dtype).fill(uniforms)
    return uniforms.reshape(shape)


def round_tiles(
    x: Array,
    spacing_of: Callable[[int, int, int, int], Array],
    uniforms: UniformStream | PhiloxUniforms | Array,
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
        uniforms: A stream, consumed in C order of out, or an array (S, M, d); those of Philox, of as many
            numbers as out, are made by a kernel.
        uniform_dtype: dtype of the uniforms.
        out: (S, M, d); integers receive the signed levels, floats the quantized vector.
    """
    if not out.size:
        return
    if isinstance(uniforms, PhiloxUniforms):
        if x.dtype == uniform_dtype:
            _round_by_kernel(x, spacing_of, uniforms.stream, out)
            return
        uniforms = np.asarray(uniforms).reshape(out.shape)
    tile = TILE_BYTES // x.itemsize
    cells = min(tile, x.size)
    fraction, floor, signed = (np.empty(cells, x.dtype) for _ in range(3))
    bit_dtype = np.result_type(x.dtype, uniform_dtype)
    excess = None if out.dtype == bit_dtype else np.empty(min(tile, out.size), bit_dtype)
    integers, own_dtype = out.dtype.kind == "i", bit_dtype == x.dtype
    buffers: list[Array] = []
    for new, at in tiles(out.shape, tile):
        _, rows, columns = at
        part = x[rows, columns]
        if not buffers or buffers[0].shape != part.shape:
            buffers = [buffer[: part.size].reshape(part.shape) for buffer in (fraction, floor, signed)]
        f, k, a = buffers
        if new:
            _split(part, spacing_of(rows.start, rows.stop, columns.start, columns.stop), f, k, a)
        target = out[at]
        bit = target if excess is None else excess[: target.size].reshape(target.shape)
        if isinstance(uniforms, UniformStream):
            u = bit  # drawn where they are used up: a tile is contiguous
            uniforms.fill(u.reshape(-1))
        else:
            u = uniforms[at]
        np.subtract(f, u, out=bit)
        np.ceil(bit, out=bit)
        np.add(bit, k, out=bit)
        if integers:
            np.copysign(bit, part, out=bit)
            np.copyto(target, bit, casting="unsafe")
            continue
        if own_dtype:
            np.multiply(bit, a, out=target)
        else:
            np.multiply(bit, a, out=target, casting="same_kind", dtype=x.dtype)
        np.add(target, 0.0, out=target)  # a negative zero would not survive the message


def _round_by_kernel(
    x: Array, spacing_of: Callable[[int, int, int, int], Array], stream: Array, out: Array
) -> None:
    from impl.kernels.stochastic_rounding import round_part  # numba, where its draws are used

    first, unit = 0, np.ones((1, 1), x.dtype)
    for new, at in tiles(out.shape, _KERNEL_CELLS):
        _, rows, columns = at
        if new:
            spacing = np.atleast_2d(spacing_of(rows.start, rows.stop, columns.start, columns.stop))
            spacing = np.ascontiguousarray(spacing)  # kernels are compiled once for each kind of array
            if out.dtype == x.dtype:
                unit = spacing
            elif unit.shape != spacing.shape:
                unit = np.ones_like(spacing)
        target = out[at]
        round_part(x[rows, columns], spacing, unit, np.uint64(first), stream, target.reshape(-1))
        first += target.size


def round_tile(x: Array, spacing: Array, uniforms: UniformStream) -> Array:
    """Return the stochastic rounding of one vector of at most a tile: the operations of `round_tiles`, alone.

    Args:
        x: (d,), contiguous.
        spacing: Distance between neighbouring levels, in the dtype of x, (1,).
        uniforms: Stream of the dtype of x.
    """
    u = np.empty_like(x)
    uniforms.fill(u)
    kind: Any = np.int32 if x.dtype == np.float32 else np.int64
    bits = x.view(kind) & (_SIGN_32 if kind is np.int32 else _SIGN_64)
    bits |= spacing.view(kind)
    signed: Array = bits.view(x.dtype)
    rounded = x / signed
    floor = np.floor(rounded)
    rounded -= floor
    rounded -= u
    np.ceil(rounded, out=rounded)
    rounded += floor
    rounded *= signed
    rounded += 0.0  # a negative zero would not survive the message
    return rounded


Tile = tuple[slice, slice, slice]


def tiles(shape: tuple[int, ...], cells: int) -> Iterator[tuple[bool, Tile]]:
    """Yield contiguous tiles of samples (S, M, d) in C order, and whether the vectors (M, d) are others.

    Args:
        shape: (S, M, d), not empty.
        cells: Numbers of a tile at most; where all vectors fit one, it serves several samples.
    """
    samples, rows, d = shape
    size = rows * d
    if size <= cells:
        together = cells // size
        for first in range(0, samples, together):
            yield first == 0, (slice(first, min(samples, first + together)), slice(0, rows), slice(0, d))
        return
    height, width = (cells // d, d) if d <= cells else (1, cells)
    for sample in range(samples):
        for row in range(0, rows, height):
            for column in range(0, d, width):
                yield (
                    True,
                    (
                        slice(sample, sample + 1),
                        slice(row, min(rows, row + height)),
                        slice(column, min(d, column + width)),
                    ),
                )


def _split(x: Array, spacing: Array, fraction: Array, floor: Array, signed: Array) -> None:
    """Fill in v - floor(v), floor(v) and the spacing with the sign of x, for v = x / signed."""
    # The sign bit moves by integer operations: numpy's copysign is seven times slower.
    kind, sign = (np.int32, _SIGN_32) if x.dtype == np.float32 else (np.int64, _SIGN_64)
    bits = signed.view(kind)
    np.bitwise_and(x.view(kind), sign, out=bits)
    np.bitwise_or(bits, np.ascontiguousarray(spacing).view(kind), out=bits)
    np.divide(x, signed, out=fraction)
    np.floor(fraction, out=floor)
    np.subtract(fraction, floor, out=fraction)
