"""Checks of what users hand to the codes of levels: arrays of levels, numbers of coordinates."""

import reprlib
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.checked_digits import require_whole
from impl.errors import ArgumentError

Array = npt.NDArray[Any]

_INT64 = np.dtype(np.int64)


def as_levels(given: Any, where: str, *, vector: bool) -> Array:
    """Return an array of whole numbers as int64, of the shape it has.

    Args:
        given: Levels, (d,), or (..., d) unless one vector is wanted.
        where: Name for error messages.
        vector: Whether it has to be one vector.

    Raises:
        ArgumentError: No array of whole numbers (a list, a float and a truth value are none), other axes, or
            a level beyond int64.
    """
    fits = isinstance(given, np.ndarray) and (given.ndim == 1 or (given.ndim > 1 and not vector))
    if fits and type(given) is np.ndarray and given.dtype == _INT64:
        return given  # as nearly always
    shape = "(d,)" if vector else "(..., d)"
    if not isinstance(given, np.ndarray) or given.dtype.kind not in "iu":
        raise ArgumentError(
            f"{where}: levels={reprlib.repr(given)} must be an array of whole numbers {shape}; "
            "numpy.array(levels, dtype=numpy.int64) makes one"
        )
    if not fits:
        remedy = "write one vector after another" if given.ndim else "numpy.atleast_1d makes one"
        raise ArgumentError(f"{where}: levels have shape {given.shape}, must be {shape}; {remedy}")
    if given.dtype.kind == "u" and given.size and int(given.max()) >= 2**63:
        raise beyond(given, 2**63 - 1, where)
    return np.asarray(given).astype(np.int64)


def beyond(levels: Array, most: int, where: str) -> ArgumentError:
    """Return the error that names the first level whose magnitude exceeds `most`; there is one."""
    # The least integer has no magnitude in int64: it is compared as it is.
    i = int(np.flatnonzero((levels.reshape(-1) > most) | (levels.reshape(-1) < -most))[0])
    index = [int(place) for place in np.unravel_index(i, levels.shape)]
    return ArgumentError(
        f"{where}: levels{index} = {levels[tuple(index)]} must be from {-most} to {most}; take larger steps"
    )


def require_coordinates(d: Any, where: str) -> None:
    """Raise an ArgumentError unless d is a whole number of at least 0."""
    if type(d) is not int or d < 0:
        require_whole(d, "d", 0, None, where, "give the number of coordinates")
