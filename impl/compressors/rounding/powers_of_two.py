"""The powers of two around a number, its sign kept: for arrays of floats, one float, or one Fraction."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class _Layout:
    """Bits of a float: a sign, an exponent from the bias, digits behind the first."""

    signed: Any
    unsigned: Any
    digits: int
    bias: int
    size: int


_LAYOUTS = {
    np.dtype(np.float32): _Layout(np.int32, np.uint32, 23, 127, 2**31 - 1),
    np.dtype(np.float64): _Layout(np.int64, np.uint64, 52, 1023, 2**63 - 1),
}


def power_below(x: Any, lowest: int | None = None) -> Any:
    """Return sign(x) 2^k for the largest 2^k that does not exceed |x|; 0 where that is below 2^lowest.

    Args:
        x: Finite float array, float or Fraction; the result is of the same kind, and exact.
        lowest: Least exponent, None for no bound.
    """
    if not isinstance(x, np.ndarray):
        if x == 0:
            return x * 0
        k = _floor_log2(Fraction(abs(x)))
        return x * 0 if lowest is not None and k < lowest else _power(x, k)
    _, exponent = np.frexp(x)
    size = np.ldexp(x.dtype.type(0.5), exponent)
    keep = x != 0 if lowest is None else (x != 0) & (exponent > lowest)
    return np.where(keep, np.copysign(size, x), x.dtype.type(0))


def power_above(x: Any, lowest: int | None = None) -> Any:
    """Return sign(x) 2^k for the least 2^k that is not below |x|, and not below 2^lowest; 0 where x is 0.

    Args:
        x: As for `power_below`. A power beyond the range of floats is infinite.
        lowest: Least exponent, None for no bound.
    """
    if not isinstance(x, np.ndarray):
        if x == 0:
            return x * 0
        k = -_floor_log2(1 / Fraction(abs(x)))
        return _power(x, k if lowest is None else max(k, lowest))
    mantissa, exponent = np.frexp(x)
    k = exponent - (np.abs(mantissa) == 0.5)
    if lowest is not None:
        k = np.maximum(k, lowest)
    with np.errstate(over="ignore"):
        size = np.ldexp(x.dtype.type(1), k)
    return np.where(x != 0, np.copysign(size, x), x.dtype.type(0))


def are_within_powers(x: Array, lowest: int, highest: int) -> bool:
    """Tell whether `rounded_to_powers` takes x: zeros, and normal numbers from 2^lowest to 2^highest.

    Args:
        x: float32 or float64, not empty.
        lowest: Least exponent.
        highest: Largest one.
    """
    layout = _LAYOUTS[x.dtype]
    low = max(lowest + layout.bias, 1) << layout.digits
    high = min(highest + layout.bias, 2 * layout.bias) << layout.digits
    sizes = x.view(layout.signed) & layout.size
    if low <= high and int((sizes - low).view(layout.unsigned).max()) <= high - low:  # NaN is above
        return True
    others = sizes[sizes > 0]
    return not others.size or bool(others.min() >= low and others.max() <= high)


def rounded_to_powers(x: Array, uniforms: Array) -> Array:
    """Return sign(x) times the power of two below |x|, or twice that where u is less than the rest of |x|.

    The rest over that power is the number m 2^-t of the t digits behind the first, so that it exceeds u where
    m + (2^t - 1 - floor(2^t u)) carries into the exponent, whose digits are next.

    Args:
        x: As `are_within_powers` tells.
        uniforms: float32 or float64 in [0, 1), (..., *x.shape).
    """
    layout = _LAYOUTS[x.dtype]
    bits = (uniforms * -(2.0**layout.digits)).astype(layout.signed)
    bits += x.view(layout.signed)
    bits += (1 << layout.digits) - 1
    bits &= -(1 << layout.digits)
    rounded: Array = bits.view(x.dtype)
    rounded += 0.0  # no negative zeros
    return rounded


def _power(x: Any, k: int) -> Any:
    """Return sign(x) 2^k, of the kind of x."""
    sign = 1 if x > 0 else -1
    if isinstance(x, Fraction):
        return sign * Fraction(2) ** k
    return sign * (math.inf if k > 1023 else 2.0**k)


def _floor_log2(size: Fraction) -> int:
    """Return the largest k with 2^k <= size, for a positive size."""
    k = size.numerator.bit_length() - size.denominator.bit_length()
    return k if Fraction(2) ** k <= size else k - 1
