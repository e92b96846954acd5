"""Nested lists of Python numbers, for the literal forms and for rational mode, with their checks."""

import math
import numbers
import reprlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from impl.compressors.philox_draws import PhiloxDraws
from impl.errors import ArgumentError, NonFiniteError

_FINITE = "finite; remove it before compression"
_UNIT = "in [0, 1); take draws from draw(rng, x.shape)"


def is_rational(x: Any) -> bool:
    """Tell whether a nested list (or an object array) holds a Fraction: it selects exact arithmetic."""
    if isinstance(x, np.ndarray):
        return x.dtype == object and any(isinstance(item, Fraction) for item in x.flat)
    if isinstance(x, list | tuple):
        return set(map(type, x)) != {float} and any(is_rational(item) for item in x)
    return isinstance(x, Fraction)


def as_nested(x: Any, where: str, name: str = "x", bound: str = _FINITE) -> list[Any]:
    """Return x as nested lists: of Fractions if any element is one, of floats otherwise.

    Raises:
        ArgumentError: The first element that is no real number, rows of different lengths, no coordinate.
        NonFiniteError: The first element that is NaN or infinite.
    """
    if isinstance(x, PhiloxDraws):
        x = np.asarray(x)
    nested = _converted(x, is_rational(x), where, name, bound, ())
    shape = nested_shape(nested, where, name)
    if not shape or shape[-1] == 0:
        raise ArgumentError(f"{where}: {name} has shape {shape}; give (..., d) with d of at least 1")
    return list(nested)


def _converted(x: Any, exact: bool, where: str, name: str, bound: str, index: tuple[int, ...]) -> Any:
    if isinstance(x, float) and not exact and math.isfinite(x):  # the usual case first: this runs per element
        return float(x)
    if isinstance(x, Fraction):
        return x
    if isinstance(x, np.ndarray | np.generic):
        x = x.tolist()
    if isinstance(x, list | tuple):
        if not exact and set(map(type, x)) == {float} and all(map(math.isfinite, x)):
            return list(x)
        return [_converted(item, exact, where, name, bound, (*index, i)) for i, item in enumerate(x)]
    place = f"{where}: {name}{list(index) if index else ''}"
    if not isinstance(x, numbers.Real):
        raise ArgumentError(f"{place} = {reprlib.repr(x)} must be a real number; give int, float or Fraction")
    if not isinstance(x, numbers.Rational) and not math.isfinite(x):
        kind = NonFiniteError if bound == _FINITE else ArgumentError
        raise kind(f"{place} = {x} must be {bound}")
    try:
        return Fraction(x if isinstance(x, numbers.Rational) else float(x)) if exact else float(x)
    except OverflowError:
        raise ArgumentError(
            f"{place} = {reprlib.repr(x)} exceeds the range of float64; give a Fraction"
        ) from None


def nested_shape(x: Any, where: str = "", name: str = "x", index: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return the shape of nested lists; rows of different shapes raise an ArgumentError that names them."""
    if isinstance(x, np.ndarray):
        return tuple(x.shape)
    if not isinstance(x, list | tuple):
        return ()
    if not any(issubclass(kind, list | tuple | np.ndarray) for kind in set(map(type, x))):
        return (len(x),)
    shapes = [nested_shape(item, where, name, (*index, i)) for i, item in enumerate(x)]
    for i, shape in enumerate(shapes):
        if shape != shapes[0]:
            raise ArgumentError(
                f"{where}: {name}{[*index, i]} has shape {shape}, {name}{[*index, 0]} has shape {shapes[0]}; "
                "make them equal"
            )
    return (len(x), *(shapes[0] if shapes else ()))


def nested_uniforms(draws: Any, where: str) -> list[Any]:
    """Return `draws.private` as nested lists of floats or Fractions, each in [0, 1)."""
    private = getattr(draws, "private", None)
    if private is None:
        raise ArgumentError(f"{where}: draws.private is missing; take draws from draw(rng, x.shape)")
    uniforms = as_nested(private, where, "draws.private", _UNIT)
    _require_unit_interval(uniforms, where, ())
    return uniforms


def _require_unit_interval(uniforms: Any, where: str, index: tuple[int, ...]) -> None:
    for i, item in enumerate(uniforms):
        if isinstance(item, list):
            _require_unit_interval(item, where, (*index, i))
        elif not 0 <= item < 1:
            raise ArgumentError(f"{where}: draws.private{[*index, i]} = {item} must be {_UNIT}")


def map_vectors(x: list[Any], function: Callable[[list[Any], int], Any], node: int = 0) -> Any:
    """Apply function(vector, node) to the innermost lists; node is the index on the last batch axis."""
    if x and isinstance(x[0], list):
        return [map_vectors(item, function, index) for index, item in enumerate(x)]
    return function(x, node)


def map_draws(
    x: list[Any],
    draws: list[Any],
    function: Callable[[list[Any], list[Any], int], Any],
    where: str,
    width: int | None = None,
) -> Any:
    """Apply function(vector, draws of one vector, node).

    Args:
        x: Vectors, (..., d), repeated along leading axes that only the draws have.
        draws: (..., width).
        function: As above; node is the index on the last batch axis.
        where: Name for error messages.
        width: Draws per vector, d by default.
    """
    own, drawn = nested_shape(x), nested_shape(draws)
    repeats = len(drawn) - len(own)
    if repeats < 0 or drawn[repeats:-1] != own[:-1] or drawn[-1] != (width or own[-1]):
        raise ArgumentError(
            f"{where}: the draws have shape {drawn}, x has shape {own}; take draws from draw(rng, x.shape)"
        )
    return _map_draws(x, draws, function, repeats, 0)


def _map_draws(x: list[Any], draws: list[Any], function: Any, repeats: int, node: int) -> Any:
    if repeats:
        return [_map_draws(x, item, function, repeats - 1, 0) for item in draws]
    if isinstance(x[0], list):
        pairs = zip(x, draws, strict=True)
        return [_map_draws(xi, item, function, 0, i) for i, (xi, item) in enumerate(pairs)]
    return function(x, draws, node)


def exact_weight(weight: Any, node_weight: Any, node: int, d: int) -> list[Any]:
    """Return W of one node in Fractions, (d,) or (d, d); ones by default. Checked before by `as_weight`."""
    chosen = weight if node_weight is None else node_weight[node]
    return [Fraction(1)] * d if chosen is None else list(_converted(chosen, True, "", "weight", _FINITE, ()))


def exact_diagonal(weight: list[Any]) -> list[Fraction]:
    """Return the diagonal of a weight from `exact_weight`."""
    return [row[j] if isinstance(row, list) else row for j, row in enumerate(weight)]
