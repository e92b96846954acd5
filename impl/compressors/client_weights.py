"""Weights of clients: positive numbers that sum to one."""

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

from impl.errors import Problems

_ROUNDING = 1e-12  # a sum of thousands of rounded weights is closer to one than that


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
        fits = isinstance(item, Real) and 0 < float(item) < math.inf
        problems.require(fits, f"weights[{i}]={item!r} must be a positive finite number")
        found.append(Fraction(item) if isinstance(item, Rational) and fits else float(item) if fits else 0.0)
    problems.raise_if_any()
    total = sum(found)
    problems.require(
        abs(total - 1) <= _ROUNDING, f"weights sum to {float(total):.12g}, not to 1; divide them by their sum"
    )
    problems.raise_if_any()
    return tuple(found)
