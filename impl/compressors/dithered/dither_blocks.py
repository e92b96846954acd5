"""Blocks of coordinates with one scale each: their largest magnitudes as they are sent."""

import struct
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import first
from impl.errors import ArgumentError, NonFiniteError, Problems, ScaleOverflow

Array = npt.NDArray[Any]

_WHOLE = (int, np.integer)
_SHORT = 2**15  # a vector whose copy is nothing


class Blocks:
    """Cut d coordinates into blocks.

    Args:
        blocks: Block size (the last block may be shorter), lengths that sum to d, or None for one block.
        where: Name for error messages.
    """

    def __init__(self, blocks: Any, where: str) -> None:
        self._where = where
        self.size: int | None = None
        self._lengths: tuple[int, ...] | None = None
        self._cumulated: Array | None = None
        items = blocks if isinstance(blocks, list | tuple) else [1 if blocks is None else blocks]
        whole = all(isinstance(item, _WHOLE) and not isinstance(item, bool) and item >= 1 for item in items)
        if not whole or not items:
            raise ArgumentError(
                f"{where}: blocks={blocks!r} must be a block size of at least 1, a list of lengths, or None"
            )
        if isinstance(blocks, list | tuple):
            self._lengths = tuple(int(item) for item in items)
        elif blocks is not None:
            self.size = int(blocks)

    @property
    def dimension(self) -> int | None:
        """Return d where lengths are given."""
        return None if self._lengths is None else sum(self._lengths)

    @property
    def key(self) -> Any:
        """Return what makes two cuts equal."""
        return self.size, self._lengths

    def lengths(self, d: int) -> tuple[int, ...]:
        """Return the block lengths, which sum to d."""
        if self._lengths is not None:
            return self._lengths
        if self.size is None or self.size >= d:
            return (d,)
        full, rest = divmod(d, self.size)
        return (self.size,) * full + ((rest,) if rest else ())

    def count(self, d: int) -> int:
        """Return the number of blocks."""
        if self._lengths is not None:
            return len(self._lengths)
        return 1 if self.size is None else -(-d // self.size)

    def largest(self, x: Array) -> Array:
        """Return the largest magnitude of each block, (..., B); NaN where a block holds one."""
        d = x.shape[-1]
        if self.count(d) == 1:
            largest = np.maximum(x.max(axis=-1), -x.min(axis=-1))
            return np.asarray(largest[..., None] + x.dtype.type(0))  # no negative zero
        if self.size is None:
            starts = np.concatenate(([0], np.cumsum(self.lengths(d))[:-1]))
            if d <= _SHORT:
                return np.asarray(np.maximum.reduceat(np.abs(x), starts, axis=-1))
            highest, lowest = (f.reduceat(x, starts, axis=-1) for f in (np.maximum, np.minimum))
            return np.asarray(np.maximum(highest, -lowest) + x.dtype.type(0))
        whole = d // self.size * self.size
        parts = x[..., :whole].reshape(*x.shape[:-1], whole // self.size, self.size)
        found = np.maximum(parts.max(axis=-1), -parts.min(axis=-1))
        if whole < d:
            rest = x[..., whole:]
            last = np.maximum(rest.max(axis=-1), -rest.min(axis=-1))[..., None]
            found = np.concatenate([found, last], axis=-1)
        return np.asarray(found + x.dtype.type(0))  # no negative zeros

    def spread(self, scales: Array, d: int) -> Array:
        """Return the scales of the coordinates, (..., d), or (..., 1) where there is one block."""
        if scales.shape[-1] == 1:
            return scales
        return np.repeat(scales, self.lengths(d), axis=-1)

    def spread_part(self, scales: Array, d: int, first: int, last: int) -> Array:
        """Return columns first, ..., last - 1 of `spread`; its one column where there is one block."""
        if scales.shape[-1] == 1 or last - first == d:
            return self.spread(scales, d)
        if self._lengths is None:
            size = self.size or d
            low, high = first // size, -(-last // size)
            ends = np.arange(low + 1, high + 1) * size
        else:
            if self._cumulated is None:
                self._cumulated = np.cumsum(self._lengths)
            low = int(self._cumulated.searchsorted(first, "right"))
            high = int(self._cumulated.searchsorted(last, "left")) + 1
            ends = self._cumulated[low:high]
        lengths = np.diff(np.minimum(ends, last), prepend=first)
        return np.repeat(scales[..., low:high], lengths, axis=-1)


def sent_scales(x: Array, blocks: Blocks, norm_bits: int, fixed: Any, where: str) -> Array:
    """Return the scale of each block as it is sent, (..., B), in the dtype of x.

    Args:
        x: float32 or float64, (..., d).
        blocks: Its blocks.
        norm_bits: 64, or 32 to round up to float32.
        fixed: A number used for every block instead of its largest magnitude; None for that.
        where: Name for error messages.

    Raises:
        NonFiniteError: x is not finite; the first coordinate is named.
        ScaleOverflow: A scale exceeds half the largest number of the format that is sent, or of x.
    """
    largest = blocks.largest(x)
    if not np.isfinite(largest).all():
        raise NonFiniteError(
            f"{where}: {first(x, ~np.isfinite(x), 'x')} must be finite; remove it before compression"
        )
    if fixed is not None:
        largest = np.full(largest.shape, float(fixed))
    sent = np.dtype(np.float32) if norm_bits == 32 or x.dtype == np.float32 else np.dtype(np.float64)
    if largest.size:
        _require_in_range(float(largest.max()), sent, x.dtype, where)
    return round_up(largest, sent).astype(x.dtype, copy=False)


def _require_in_range(scale: float, sent: Any, own: Any, where: str) -> None:
    if scale > float(np.finfo(sent).max) / 2:
        remedy = (
            "scale x down" if sent == np.float64 else "use float64" if own == sent else "use norm_bits=64"
        )
        raise ScaleOverflow(f"{where}: the scale {scale} exceeds half the largest {sent}; {remedy}")


def round_up(values: Array, dtype: Any) -> Array:
    """Return the smallest numbers of this dtype that are not below the values."""
    rounded = values.astype(dtype)
    if rounded.dtype == values.dtype:
        return rounded
    below = rounded < values
    return np.asarray(np.where(below, np.nextafter(rounded, rounded.dtype.type(np.inf)), rounded))


def literal_scale(x: list[Any], norm_bits: int, fixed: Any, where: str) -> Any:
    """Return the scale of one block as `sent_scales` does, literally; a Fraction is sent as it is."""
    kappa = max(abs(item) for item in x)
    if fixed is not None:
        kappa = Fraction(fixed) if isinstance(kappa, Fraction) else float(fixed)
    if isinstance(kappa, Fraction):
        return kappa
    _require_in_range(kappa, np.dtype(np.float32 if norm_bits == 32 else np.float64), np.float64, where)
    if norm_bits == 64:
        return kappa
    nearest = struct.unpack("<f", struct.pack("<f", kappa))[0]
    if nearest >= kappa:
        return nearest
    (pattern,) = struct.unpack("<I", struct.pack("<f", nearest))
    return struct.unpack("<f", struct.pack("<I", pattern + 1))[0]  # the next float32, as bits are ordered


def require_fixed_scale(problems: Problems, scale: Any) -> None:
    """Note a problem unless scale is None or a positive finite number."""
    real = isinstance(scale, int | float | Fraction | np.integer | np.floating) and not isinstance(
        scale, bool
    )
    fits = scale is None or (real and 0 < scale <= sys.float_info.max and float(scale) > 0)  # NaN fails
    problems.require(fits, f"scale={scale!r} must be a positive finite number, or None for the largest entry")
