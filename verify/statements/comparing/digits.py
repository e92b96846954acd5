"""Numbers of 60 digits, more where constants are very large or small, and which of them are the same."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mpmath

CONTEXT = mpmath.MPContext()
_DIGITS = CONTEXT.dps = 60
_NUMBERS: dict[tuple[int, int, int], Any] = {}
_MOST_NUMBERS = 10_000


class Undefined(ArithmeticError):
    """A node has no value at a point."""


@contextmanager
def apart(orders: int) -> Iterator[None]:
    """Evaluate and compare what constants take so many orders of ten away from 1.

    Two terms are as much as twice that apart, and the larger ones may cancel.
    """
    CONTEXT.dps = _DIGITS + 3 * orders
    try:
        yield
    finally:
        CONTEXT.dps = _DIGITS


def precision() -> int:
    """Return the digits to which nodes are evaluated now."""
    return int(CONTEXT.dps)


@functools.cache
def _small(digits: int, dps: int) -> Any:
    """Return what counts as zero: 1e-40 for 40 digits, and less where more orders are looked at."""
    return CONTEXT.mpf(10) ** -(digits + 2 * (dps - _DIGITS) // 3)


def tiny() -> Any:
    """Return what counts as zero beside 1."""
    return _small(40, CONTEXT.dps)


def zero() -> Any:
    """Return what counts as zero by itself: what cancellation leaves of one."""
    return _small(50, CONTEXT.dps)


def agree(left: Any, right: Any) -> bool:
    """Return whether two values are the same number."""
    if left is right:
        return True
    if CONTEXT.isinf(left) or CONTEXT.isinf(right):
        return bool(left == right)
    if _far_apart(left, right):
        return False
    # Values of 60 digits: what is left of a zero after cancellation is below the second bound.
    return bool(abs(left - right) <= max(tiny() * max(abs(left), abs(right)), zero()))


def _far_apart(left: Any, right: Any) -> bool:
    """Return whether floats tell already that two values differ, which is so for most pairs."""
    try:
        one, other = float(left), float(right)
    except (OverflowError, TypeError):  # beyond floats, or complex
        return False
    difference, size = abs(one - other), max(abs(one), abs(other))
    return 1e-200 < size < 1e200 and difference > 1e-9 * size


def in_digits(found: Any) -> Any:
    """Return a fraction as a number of these digits."""
    key = found.numerator, found.denominator, CONTEXT.dps  # quicker to hash than the Fraction
    if key not in _NUMBERS:
        if len(_NUMBERS) >= _MOST_NUMBERS:
            _NUMBERS.clear()
        _NUMBERS[key] = CONTEXT.mpf(found.numerator) / found.denominator
    return _NUMBERS[key]


def real(number: Any) -> Any:
    """Return a number that has a place in an order.

    Raises:
        Undefined: It is complex.
    """
    if isinstance(number, int):
        return CONTEXT.mpf(number)
    if isinstance(number, CONTEXT.mpc):
        raise Undefined("a complex number has no place in an order")
    return number


def shown(number: Any) -> str:
    """Return the digits by which a number is told from others, the same for two that agree."""
    found = CONTEXT.mpmathify(number)
    return "0" if abs(found) < zero() else str(CONTEXT.nstr(found, CONTEXT.dps - _DIGITS + 25))
