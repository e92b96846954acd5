"""Checks of what users hand to compressors: vectors, weights, rational input."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError

Array = npt.NDArray[Any]


def as_vectors(x: Any, where: str) -> Array:
    """Return x as a C-ordered array (..., d) of float32 or float64; integers become float64."""
    array = np.asarray(x)
    if array.dtype == object:
        array = array.astype(np.float64)
    if array.dtype.kind in "iub":
        array = array.astype(np.float64)
    if array.dtype not in (np.float32, np.float64):
        raise ArgumentError(f"{where}: x has dtype {array.dtype}; convert it to float32 or float64")
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ArgumentError(f"{where}: x has shape {array.shape}; give (..., d) with d of at least 1")
    return np.ascontiguousarray(array)


def require_finite(x: Array, where: str) -> None:
    """Raise an ArgumentError that names the first coordinate of x that is NaN or infinite."""
    finite = np.isfinite(x)
    if finite.all():
        return
    index = tuple(int(i) for i in np.unravel_index(int(np.argmin(finite)), x.shape))
    place = ", ".join(map(str, index))
    raise ArgumentError(f"{where}: x[{place}] = {x[index]} must be finite; remove it before compression")


def as_weight(shape: tuple[int, ...], weight: Any, node_weight: Any, where: str) -> Array | None:
    """Return the weight as a float64 array that fits x of this shape, None for the identity."""
    if weight is not None and node_weight is not None:
        raise ArgumentError(f"{where}: give weight or node_weight, not both")
    d = shape[-1]
    if weight is not None:
        array = np.asarray(weight, dtype=np.float64)
        if array.shape not in ((d,), (d, d)):
            raise ArgumentError(f"{where}: weight has shape {array.shape}; give ({d},) or ({d}, {d})")
    elif node_weight is not None:
        array = np.asarray(node_weight, dtype=np.float64)
        n = shape[-2] if len(shape) > 1 else None
        if array.shape not in ((n, d), (n, d, d)):
            raise ArgumentError(
                f"{where}: node_weight has shape {array.shape}, x has shape {shape}; give (n, d) or (n, d, d)"
                " for x (..., n, d)"
            )
    else:
        return None
    if not np.isfinite(array).all():
        raise ArgumentError(f"{where}: the weight must be finite")
    return array


def weight_diagonal(weight: Array | None, node: bool) -> Array | float:
    """Return the diagonal of W, (d,) or (n, d); 1.0 for the identity."""
    if weight is None:
        return 1.0
    return weight if weight.ndim == (2 if node else 1) else np.diagonal(weight, axis1=-2, axis2=-1)


def quadratic_form(x: Array, weight: Array | None, node: bool) -> Array:
    """Return x^T W x for x (..., d), (...)."""
    if weight is None:
        return np.asarray(np.sum(x * x, axis=-1))
    if weight.ndim == (2 if node else 1):
        return np.asarray(np.sum(weight * x * x, axis=-1))
    return np.asarray(np.sum(x * np.matmul(weight, x[..., None])[..., 0], axis=-1))


def number(value: Array) -> Any:
    """Return a float for a 0-d array, the array itself otherwise."""
    return float(value) if np.ndim(value) == 0 else value


# ---------------------------------------------------------------- rational mode


def is_rational(x: Any) -> bool:
    """Tell whether a nested list (or an object array) holds a Fraction."""
    if isinstance(x, np.ndarray):
        return x.dtype == object and any(isinstance(item, Fraction) for item in x.flat)
    if isinstance(x, list | tuple):
        return any(is_rational(item) for item in x)
    return isinstance(x, Fraction)


def to_nested(x: Any, exact: bool) -> Any:
    """Return x as nested lists of Fractions (exact) or of floats."""
    if isinstance(x, np.ndarray):
        x = x.tolist()
    if isinstance(x, list | tuple):
        return [to_nested(item, exact) for item in x]
    return Fraction(x) if exact else float(x)


def map_vectors(x: list[Any], function: Callable[[list[Any], int], Any], node: int = 0) -> Any:
    """Apply function(vector, node) to the innermost lists; node is the index on the last batch axis."""
    if x and isinstance(x[0], list):
        return [map_vectors(item, function, index) for index, item in enumerate(x)]
    return function(x, node)


def depth(x: Any) -> int:
    """Return how deep lists are nested."""
    return 1 + depth(x[0]) if isinstance(x, list) and x else 0


def exact_weight(weight: Any, node_weight: Any, node: int, d: int) -> list[list[Fraction]] | list[Fraction]:
    """Return W of one node in Fractions, (d,) or (d, d); ones by default."""
    chosen = weight if node_weight is None else node_weight[node]
    return [Fraction(1)] * d if chosen is None else to_nested(chosen, exact=True)


def exact_diagonal(weight: list[Any]) -> list[Fraction]:
    """Return the diagonal of a weight from `exact_weight`."""
    return [row[j] if isinstance(row, list) else row for j, row in enumerate(weight)]
