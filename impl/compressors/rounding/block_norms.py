"""Euclidean norms of blocks of coordinates, safe at both ends of the floating-point range."""

import math
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import require_finite
from impl.compressors.tiled_sums import TILE, tiled_sum
from impl.errors import ArgumentError

Array = npt.NDArray[Any]

# Dot products of this length are formed in the precision of x: accurate to a few units in the last place.
_CHUNK = 2**12
_FEW_BLOCKS = 32
# Inside these ranges neither a sum of squares nor the norm that is sent comes near the ends of float64
# and float32.
SAFE = ((2.0**-900, 2.0**1000), (2.0**-80, 2.0**120))


def block_norms(x: Array, lengths: tuple[int, ...], norm_bits: int, where: str) -> Array:
    """Return the norm of each block, rounded to what is sent.

    Args:
        x: float32 or float64, (..., d).
        lengths: Block lengths that sum to d.
        norm_bits: 64, or 32 to round to float32.
        where: Name for error messages.

    Returns:
        (..., B), in the dtype of x.

    Raises:
        ArgumentError: x is not finite, or a norm is outside the range of the format that is sent.
    """
    if x.ndim == 1 and len(lengths) == 1 and len(x) < _CHUNK:
        norm = _short_norm(x, norm_bits)
        if norm is not None:
            return norm
    rows = x.reshape(-1, x.shape[-1])
    with np.errstate(over="ignore", invalid="ignore"):
        squares = sums_of_squares(rows, lengths)
    sent = np.dtype(np.float32) if norm_bits == 32 or x.dtype == np.float32 else np.dtype(np.float64)
    low, high = SAFE[int(sent == np.dtype(np.float32))]
    if not squares.size or bool(np.min(squares) > low and np.max(squares) < high):  # NaN fails
        norms = np.sqrt(squares).astype(sent, copy=False)
        return norms.astype(x.dtype, copy=False).reshape((*x.shape[:-1], len(lengths)))
    require_finite(x, where)
    norms = np.sqrt(squares)
    for row, block in np.argwhere(~((squares > low) & (squares < high))):
        start = sum(lengths[:block])
        norms[row, block] = _scaled_norm(rows[row, start : start + lengths[block]].astype(np.float64))
    with np.errstate(over="ignore"):
        rounded = norms.astype(sent)
    lost = ~np.isfinite(rounded) | (np.equal(rounded, 0) & np.greater(norms, 0))
    if lost.any():
        row, block = (int(i) for i in np.argwhere(lost)[0])
        remedy = "use norm_bits=64" if sent != x.dtype else "use float64" if sent == np.float32 else "scale x"
        raise ArgumentError(
            f"{where}: the norm {norms[row, block]} of block {block} of vector {row} is outside the range of "
            f"{sent}; {remedy}"
        )
    return rounded.astype(x.dtype, copy=False).reshape((*x.shape[:-1], len(lengths)))


def _short_norm(x: Array, norm_bits: int) -> Array | None:
    """Return the norm of one short block without detours, (1,); None where its square is not ordinary."""
    single = norm_bits == 32 or x.dtype == np.float32
    low, high = SAFE[int(single)]
    square = float(np.vdot(x, x))  # no warning where it overflows
    if not low < square < high:
        return None
    norm = np.array([math.sqrt(square)])
    return (norm.astype(np.float32) if single else norm).astype(x.dtype, copy=False)


def sums_of_squares(rows: Array, lengths: tuple[int, ...]) -> Array:
    """Return (M, B) in float64; the order of addition does not depend on M."""
    if len(lengths) == 1:
        return _dots(rows)[:, None]
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).tolist()
    if len(lengths) <= _FEW_BLOCKS:
        if len(set(lengths)) == 1 and lengths[0] < _CHUNK:
            return _dots(rows.reshape(-1, lengths[0])).reshape(len(rows), len(lengths))
        pairs = zip(starts, lengths, strict=True)
        return np.stack([_dots(rows[:, start : start + length]) for start, length in pairs], axis=1)
    squares = np.empty((len(rows), len(lengths)))
    if rows.shape[1] > TILE:
        for row, found in zip(rows, squares, strict=True):
            _add_blocks(row, starts, lengths, found)
        return squares
    group = max(1, 2**14 // rows.shape[1])
    for first in range(0, len(rows), group):
        part = np.square(rows[first : first + group].astype(np.float64))
        np.add.reduceat(part, starts, axis=1, out=squares[first : first + group])
    return squares


def _add_blocks(row: Array, starts: list[int], lengths: tuple[int, ...], squares: Array) -> None:
    """Write what `np.add.reduceat` makes of the squares of a row, (B,), some blocks at a time."""
    first = 0
    while first < len(lengths):
        start, last, end = starts[first], first, starts[first]
        while last < len(lengths) and end + lengths[last] - start <= TILE:
            end += lengths[last]
            last += 1
        if last > first:
            part = np.square(row[start:end].astype(np.float64))
            np.add.reduceat(part, [at - start for at in starts[first:last]], out=squares[first:last])
        else:  # a longer block: the first square and the sum of the others, as there
            last = first + 1
            others = _squares_by_tiles(row[start + 1 : start + lengths[first]])
            squares[first] = np.square(np.float64(row[start])) + others
        first = last


def _squares_by_tiles(x: Array) -> Any:
    return tiled_sum(len(x), lambda first, last: np.square(x[first:last].astype(np.float64)))


def _dots(rows: Array) -> Array:
    """Return the sums of squares of rows, (M,): short dot products in the dtype of rows, added in float64."""
    *_, d = rows.shape
    head = d // _CHUNK * _CHUNK
    parts = rows[:, :head].reshape(len(rows), head // _CHUNK, _CHUNK)
    total = np.vecdot(rows[:, head:], rows[:, head:]).astype(np.float64)
    if head:
        total += np.vecdot(parts, parts).astype(np.float64).sum(axis=-1)
    return np.asarray(total)


def long_norm(d: int, part_of: Callable[[int, int], Array]) -> float | None:
    """Return the norm of d numbers as `block_norms` does for 64 bits; None where its square is not ordinary.

    Args:
        d: Length of the vector.
        part_of: Maps (first, last + 1) to these numbers, float64, contiguous.
    """
    head = d // _CHUNK * _CHUNK
    tail, sums = part_of(head, d), np.empty(head // _CHUNK)
    with np.errstate(over="ignore", invalid="ignore"):
        for first in range(0, head, TILE):
            parts = part_of(first, min(first + TILE, head)).reshape(-1, _CHUNK)
            sums[first // _CHUNK : first // _CHUNK + len(parts)] = np.vecdot(parts, parts)
        square = float(np.vecdot(tail, tail) + sums.sum())
    low, high = SAFE[0]
    if low < square < high:
        return math.sqrt(square)
    silent = square == 0 and not any(part_of(at, min(at + TILE, d)).any() for at in range(0, d, TILE))
    return 0.0 if silent else None


def _scaled_norm(x: Array) -> float:
    """Return the norm with the squares taken at the scale of the largest entry, a power of two."""
    largest = float(np.max(np.abs(x)))
    if largest == 0:
        return 0.0
    _, exponent = np.frexp(largest)
    scaled = np.ldexp(x, -exponent)
    with np.errstate(over="ignore"):
        return float(np.ldexp(np.sqrt(_dots(scaled[None])[0]), exponent))


def literal_norm(x: Sequence[float], norm_bits: int, where: str) -> float:
    """Return the norm of one block as it is sent; an ArgumentError if it leaves the range of that format."""
    N = math.hypot(*x)
    sent = N
    if norm_bits == 32:
        try:
            sent = struct.unpack("<f", struct.pack("<f", N))[0]
        except OverflowError:
            sent = math.inf
    if math.isinf(sent) or (sent == 0 and N > 0):
        remedy = "scale x" if norm_bits == 64 else "use norm_bits=64"
        raise ArgumentError(
            f"{where}: the norm {N} of a block is outside the range of what is sent; {remedy}"
        )
    return sent


def rational_norm(x: Sequence[Fraction], where: str) -> Fraction:
    """Return the exact norm of one block; an irrational one raises an ArgumentError."""
    square = sum((item * item for item in x), Fraction(0))
    norm = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    if norm * norm != square:
        raise ArgumentError(
            f"{where}: the norm of {[str(item) for item in x]} is irrational; in rational mode give a vector "
            "of rational norm, such as (1, 2, 2) or (3, 4)"
        )
    return norm
