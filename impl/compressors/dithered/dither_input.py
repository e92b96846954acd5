"""Checks that the dithered quantizers share: draws, and several arguments of one call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import first
from impl.compressors.dithered.dither_stream import LazyDither
from impl.compressors.literal_input import as_nested
from impl.errors import ArgumentError, Problems

Array = npt.NDArray[Any]

_HALF = "in [-1/2, 1/2); take draws from draw(rng, x.shape)"


def all_of(where: str, *calls: Callable[[], Any]) -> list[Any]:
    """Return the results of the calls; one error is raised as it is, several as one ArgumentError."""
    results, found = [], []
    for call in calls:
        try:
            results.append(call())
        except ArgumentError as error:
            found.append(error)
    if len(found) == 1:
        raise found[0]
    problems = Problems(where)
    for problem in found:
        with problems.collect():
            raise problem
    problems.raise_if_any()
    return results


def as_dither(draws: Any, where: str) -> Array | LazyDither:
    """Return `draws.shared` as float64 (..., d), every element in [-1/2, 1/2), or lazy as it is."""
    shared = getattr(draws, "shared", None)
    if shared is None:
        raise ArgumentError(
            f"{where}: draws.shared is missing; take draws from draw(rng, x.shape) or the key"
        )
    if isinstance(shared, LazyDither) and shared.shape:
        return shared
    try:
        dither = np.asarray(shared)
        if dither.dtype.kind not in "fO" or dither.ndim == 0:  # objects are Fractions
            raise TypeError
        dither = dither.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(
            f"{where}: draws.shared must hold real numbers (..., d); take draws from draw(rng, x.shape)"
        ) from None
    if dither.size and not (dither.min() >= -0.5 and dither.max() < 0.5):  # NaN fails
        bad = ~((dither >= -0.5) & (dither < 0.5))
        raise ArgumentError(f"{where}: {first(dither, bad, 'draws.shared')} must be {_HALF}")
    return dither


def nested_dither(draws: Any, where: str) -> list[Any]:
    """Return `draws.shared` as nested lists of floats or Fractions, each in [-1/2, 1/2)."""
    shared = getattr(draws, "shared", None)
    if shared is None:
        raise ArgumentError(
            f"{where}: draws.shared is missing; take draws from draw(rng, x.shape) or the key"
        )
    nested = as_nested(shared, where, "draws.shared", _HALF)
    _require_half(nested, where, ())
    return nested


def _require_half(items: Any, where: str, index: tuple[int, ...]) -> None:
    for i, item in enumerate(items):
        if isinstance(item, list):
            _require_half(item, where, (*index, i))
        elif not -1 <= 2 * item < 1:
            raise ArgumentError(f"{where}: draws.shared{[*index, i]} = {item} must be {_HALF}")


def common_shape(shape: tuple[int, ...], drawn: tuple[int, ...], where: str) -> tuple[int, ...]:
    """Return the common shape of x and its dither; raise unless they broadcast with one d."""
    if drawn[-1:] == shape[-1:]:
        try:
            return np.broadcast_shapes(shape, drawn)
        except ValueError:
            pass  # they do not broadcast: said below, with the remedy
    raise ArgumentError(
        f"{where}: draws.shared has shape {drawn}, x has shape {shape}; take draws from draw(rng, x.shape)"
    )


def dither_rows(dither: Array | LazyDither, shape: tuple[int, ...]) -> Array | LazyDither:
    """Return dither as a matrix of rows, or lazy where it has the shape already."""
    if isinstance(dither, LazyDither) and dither.shape == shape:
        return dither
    return rows_of(np.asarray(dither), shape)


def rows_of(array: Array, shape: tuple[int, ...]) -> Array:
    """Return an array broadcast to (*shape[:-1], its own last axis) as a matrix of rows."""
    if array.shape[:-1] != shape[:-1]:
        array = np.broadcast_to(array, (*shape[:-1], array.shape[-1]))
    return array.reshape(-1, array.shape[-1])
