"""Indices of a dithered quantizer and their decoding, in place, tile by tile."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.dithered.dither_blocks import Blocks
from impl.compressors.dithered.dither_stream import LazyDither
from impl.errors import ArgumentError
from impl.tiers import current

Array = npt.NDArray[Any]
Tile = tuple[slice, slice]

_LARGEST_INDEX = 2.0**51
_TILE = 2**15  # numbers per buffer: a tile of everything fits the cache
# Added to a whole number below 2^51 in size, it leaves that number in the last bits.
_WHOLE, _WHOLE_BITS = 1.5 * 2.0**52, np.int64(0x4338000000000000)


def tiles(rows: int, d: int) -> Iterator[Tile]:
    """Yield the tiles of a matrix in C order of all its elements."""
    columns = min(d, _TILE)
    height = max(1, _TILE // max(columns, 1))
    for r in range(0, rows, height):
        for c in range(0, d, columns):
            yield slice(r, min(r + height, rows)), slice(c, min(c + columns, d))


def require_indices_in_range(x: Array, scales: Array, levels: int, where: str) -> None:
    """Raise an ArgumentError where an index of fixed scales may not fit what `write_quantized` can do."""
    with np.errstate(over="ignore"):
        largest = float(np.max(np.abs(x))) / float(scales.min()) * levels
    if largest >= _LARGEST_INDEX:
        raise ArgumentError(f"{where}: an entry is {largest} steps, 2**51 or more; give a larger scale")


def part_of(scales: Array, tile: Tile, blocks: Blocks | None = None, d: int = 0) -> Array:
    """Return the scales of a tile, from (R, 1) or (R, d), or from those of the blocks of d coordinates."""
    if blocks is not None:
        return blocks.spread_part(scales[tile[0]], d, tile[1].start, tile[1].stop)
    return scales[tile[0]] if scales.shape[-1] == 1 else scales[tile]


def dither_of(dither: Array | LazyDither) -> Callable[[Tile, tuple[int, ...]], Array]:
    """Return a function: the dither of a tile and its shape; lazy dither needs the tiles in their order."""
    if not isinstance(dither, LazyDither):
        return lambda tile, shape: dither[tile]
    following = dither.parts()
    return lambda tile, shape: following(shape[0] * shape[1]).reshape(shape)


def write_quantized(
    x: Array,
    scales: Array,
    dither: Array | LazyDither,
    gain: float,
    limit: int | None,
    indices: Array | None,
    decoded: Array | None = None,
    blocks: Blocks | None = None,
) -> int:
    """Write q = floor((gain (x / scale) + u) + 1/2) into indices; return how many were clipped.

    The operations are those of float64 in this order, without a fused one; a scale of zero counts as one.

    Args:
        x: float32 or float64, (R, d).
        scales: Not negative, (R, 1) or (R, d), or those of the blocks, (R, B).
        dither: u, float64 (R, d), or lazy.
        gain: Steps per scale.
        limit: Indices are clipped to plus or minus this; for None not at all, they must be below 2^51.
        indices: int64, (R, d); None where they are not wanted.
        decoded: float32 or float64, (R, d): receives scale ((q - u) / gain), as of `write_decoded`.
        blocks: Blocks of the coordinates, where scales are given for these.
    """
    silent = not scales.all()
    size = min(_TILE, x.size)
    buffer, whole, dither_at, clipped = np.empty(size), np.empty(size), dither_of(dither), 0
    fused = current() == "fused" and decoded is None and indices is not None and len(x) == 1
    for tile in tiles(*x.shape):
        part = x[tile]
        kappa = part_of(scales, tile, blocks, x.shape[-1]).astype(np.float64, copy=False)
        divisors = np.where(kappa == 0, 1.0, kappa) if silent else kappa
        if fused and indices is not None:
            from impl.kernels.dithered.keyed_dither import quantize_tile  # numba, where it is asked for

            own, u = divisors[0], dither_at(tile, part.shape)[0]
            bound = np.inf if limit is None else float(limit)
            clipped += quantize_tile(part[0], own, _fixed(u), float(gain), bound, indices[tile][0])
            continue
        v = buffer[: part.size].reshape(part.shape)
        u = dither_at(tile, v.shape)
        clipped += quantize(part, divisors, u, gain, limit, v)
        if indices is not None:
            w = whole[: v.size].reshape(v.shape)
            np.add(v, _WHOLE, out=w)  # a conversion to integers takes twice the time
            np.subtract(w.view(np.int64), _WHOLE_BITS, out=indices[tile])
        if decoded is not None:
            _decode(v, u, gain, kappa, silent)
            np.copyto(decoded[tile], v, casting="same_kind")
    return clipped


def _fixed(dither: Array) -> Array:
    """Return contiguous dither that may not be written: a kernel is compiled anew for every other kind."""
    fixed = np.ascontiguousarray(dither).view()
    fixed.flags.writeable = False
    return fixed


def quantize(x: Array, divisors: Any, u: Array, gain: float, limit: int | None, v: Array) -> int:
    """Write the indices of a tile into v, float64; return how many were clipped."""
    np.copyto(v, x)
    v /= divisors
    if gain != 1:
        v *= gain
    v += u
    v += 0.5
    np.floor(v, out=v)
    if limit is None or (v.max() <= limit and v.min() >= -limit):
        return 0
    clipped = int(np.count_nonzero(np.abs(v) > limit))
    np.clip(v, -limit, limit, out=v)
    return clipped


def write_decoded(indices: Array, scales: Array, dither: Array | LazyDither, levels: int, out: Array) -> None:
    """Write scale ((q - u) / M) into out; zero where the scale is zero.

    Args:
        indices: q, (R, d).
        scales: Not negative, (R, 1) or (R, d).
        dither: u, float64 (R, d), or lazy.
        levels: M.
        out: float32 or float64, (R, d).
    """
    scales = scales.astype(np.float64, copy=False)
    silent = not scales.all()
    buffer, dither_at = np.empty(min(_TILE, out.size)), dither_of(dither)
    fused = current() == "fused" and len(out) == 1
    for tile in tiles(*out.shape):
        target = out[tile]
        if fused:
            from impl.kernels.dithered.keyed_dither import decode_tile  # numba, where it is asked for

            u = dither_at(tile, target.shape)[0]
            decode_tile(indices[tile][0], _fixed(u), part_of(scales, tile)[0], float(levels), target[0])
            continue
        v = target if out.dtype == np.float64 else buffer[: target.size].reshape(target.shape)
        np.copyto(v, indices[tile])
        _decode(v, dither_at(tile, v.shape), levels, part_of(scales, tile), silent)
        if v is not target:
            np.copyto(target, v, casting="same_kind")


def _decode(v: Array, dither: Array, levels: float, scales: Array, silent: bool) -> None:
    """Turn indices into estimates, in place."""
    v -= dither
    if levels != 1:
        v /= levels
    v *= scales
    if silent:
        np.copyto(v, 0.0, where=scales == 0)
