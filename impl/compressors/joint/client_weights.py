"""Exact or floating-point parameters: single numbers, and weights of clients that sum to one."""

import math
import reprlib
from collections.abc import Sequence
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

import numpy as np

from impl.errors import ArgumentError, Problems

_ROUNDING = 1e-12  # a sum of thousands of rounded weights is closer to one than that


def as_exact_number(value: Any, name: str, where: str, *, positive: bool = False) -> Any:
    """Return a finite number as it was given: int and Fraction stay exact, numpy's become Python's.

    Raises:
        ArgumentError: No number, not finite in float64, or not positive where it must be.
    """
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    try:
        finite = number and math.isfinite(float(value))
    except OverflowError:
        finite = False
    what = "a positive finite number" if positive else "a finite number"
    if not finite or (positive and not value > 0):
        raise ArgumentError(f"{where}: {name}={reprlib.repr(value)} must be {what}")
    if isinstance(value, Fraction):
        return value
    return int(value) if isinstance(value, int | np.integer) else float(value)


def as_client_weights(weights: Sequence[Any], where: str) -> tuple[Any, ...]:
    """Return the weights as a tuple of Fractions or floats.

    Raises:
        ArgumentError: Not a sequence of positive finite numbers, or the sum is not one.
    """
    problems = Problems(where)
    try:
        given = list(weights)
    except TypeError:
        given = []
    problems.require(
        given, f"weights={weights!r} must be a sequence of positive numbers, one for each client"
    )
    found: list[Any] = []
    for i, item in enumerate(given):
        number: Any = 0.0
        with problems.collect():
            number = as_exact_number(item, f"weights[{i}]", where, positive=True)
        found.append(Fraction(number) if isinstance(number, Rational) else number)
    problems.raise_if_any()
    total = sum(found)
    problems.require(
        abs(total - 1) <= _ROUNDING,
        f"weights sum to {float(total):.12g}, not to 1 (off by {float(total - 1):.3g}); divide by it",
    )
    problems.raise_if_any()
    return tuple(found)
