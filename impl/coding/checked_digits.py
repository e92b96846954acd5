"""Checks of what users hand to the entropy coders: digits, sizes, codes."""

import reprlib
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError

Array = npt.NDArray[Any]


def whole_array(given: Any, kinds: str = "iu") -> Array | None:
    """Return whole numbers, of these kinds of numpy, as an array; None where there are others."""
    try:
        found = np.asarray(given)
    except ValueError:  # ragged
        return None
    return found if found.dtype.kind in kinds or found.size == 0 else None


def as_digits(given: Any, alphabet: int, where: str) -> Array:
    """Return digits as int64 (d,), every one from 0 to alphabet - 1.

    Raises:
        ArgumentError: No list of whole numbers (a float is none, whatever its value), or one outside.
    """
    digits = whole_array(given)
    if digits is None or digits.ndim != 1:
        raise ArgumentError(
            f"{where}: digits={reprlib.repr(given)} must be whole numbers from 0 to {alphabet - 1}, (d,); "
            "round them before"
        )
    if digits.size and not (digits.min() >= 0 and digits.max() < alphabet):
        j = int(np.flatnonzero((digits < 0) | (digits >= alphabet))[0])
        raise ArgumentError(
            f"{where}: digits[{j}] = {digits[j]} must be from 0 to {alphabet - 1}; add an offset, or take a "
            "larger alphabet"
        )
    return digits.astype(np.int64, copy=False)


def as_positive(given: Any, where: str) -> Array:
    """Return whole numbers of at least 1 as int64, of the shape they have.

    Raises:
        ArgumentError: No whole numbers (a float is none, whatever its value), or one below 1 or beyond int64.
    """
    numbers = whole_array(given)
    if numbers is None:
        raise ArgumentError(
            f"{where}: k={reprlib.repr(given)} must be whole numbers from 1 to 2**63 - 1; round them before"
        )
    found = numbers.astype(np.int64, copy=False)  # unsigned ones beyond are negative now
    if found.size and found.min() < 1:
        index = [int(i) for i in np.argwhere(found < 1)[0]]
        raise ArgumentError(
            f"{where}: k{index or ''} = {numbers[tuple(index)]} must be from 1 to 2**63 - 1; add 1 where "
            "zeros occur"
        )
    return found


def require_whole(value: Any, name: str, low: int, high: int | None, where: str, remedy: str) -> None:
    """Raise an ArgumentError unless a value is a whole number from low to high; None for no upper end."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not (whole and low <= value and (high is None or value <= high)):
        bound = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise ArgumentError(f"{where}: {name}={value!r} must be a whole number {bound}; {remedy}")


def require_code(data: Any, where: str) -> None:
    """Raise an ArgumentError unless data are bytes."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ArgumentError(f"{where}: data={reprlib.repr(data)} must be bytes; give the result of encode")
