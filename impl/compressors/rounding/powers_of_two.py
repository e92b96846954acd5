"""The powers of two around a number, its sign kept: for arrays of floats, one float, or one Fraction."""

import math
from fractions import Fraction
from typing import Any

import numpy as np


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
