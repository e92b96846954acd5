"""Checks of what users hand to compressors as arrays: vectors, uniforms, weights, sizes."""

import contextlib
import operator
import reprlib
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.literal_input import is_rational, nested_shape
from impl.compressors.philox_draws import PhiloxUniforms
from impl.errors import ArgumentError, NonFiniteError, Problems

Array = npt.NDArray[Any]

SHORT = 2**13
"""Longest vector that takes the short way of a sample."""

FLOATS: frozenset[Any] = frozenset((np.dtype(np.float32), np.dtype(np.float64)))
"""Kinds of numbers that are compressed as they are."""

# Products of roots are symmetric up to some units in the last place; a user's mistake is far above.
_ROUNDING = 1e-10


def as_vectors(x: Any, where: str, name: str = "x") -> Array:
    """Return x as a C-ordered array (..., d) of float32 or float64; integers become float64."""
    array = _as_real(x, name, where)
    if array.dtype not in (np.float32, np.float64):
        raise ArgumentError(f"{where}: {name} has dtype {array.dtype}; convert it to float32 or float64")
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ArgumentError(f"{where}: {name} has shape {array.shape}; give (..., d) with d of at least 1")
    return np.ascontiguousarray(array)


def is_plain_vector(x: Any, longest: int) -> bool:
    """Tell whether x is one contiguous vector of float32 or float64, of 1 to `longest` numbers.

    A sample of one takes a short way without the detours that everything else needs. That it is finite, and
    far from an overflow, `math.isfinite` of `np.vdot(x, x)` tells then in one pass, which warns of nothing.
    """
    plain = type(x) is np.ndarray and x.ndim == 1 and x.dtype in FLOATS and x.flags.c_contiguous
    return bool(plain and 0 < x.size <= longest)


def _as_real(given: Any, name: str, where: str) -> Array:
    """Return an array; integers and objects become float64, other dtypes are left as they are."""
    try:
        array = np.asarray(given)
        return array.astype(np.float64) if array.dtype == object or array.dtype.kind in "iub" else array
    except (TypeError, ValueError, OverflowError) as error:
        nested_shape(given, where, name)  # a ragged list is named by its first odd row
        raise ArgumentError(
            f"{where}: {name}={reprlib.repr(given)} must hold real numbers in the range of float64 ({error})"
        ) from None


def as_float64(given: Any) -> Array:
    """Return given as a float64 array, the same one where it is that already.

    Raises:
        TypeError: Complex numbers, which would lose a part, or no numbers.
        ValueError: A ragged list, or a text.
        OverflowError: An integer beyond the range.
    """
    array = np.asarray(given)
    if array.dtype.kind == "c":
        raise TypeError("complex numbers are not real")
    return array.astype(np.float64, copy=False)


def require_finite(x: Array, where: str, name: str = "x") -> None:
    """Raise a NonFiniteError that names the first coordinate of x that is NaN or infinite."""
    finite = np.isfinite(x)
    if not finite.all():
        raise NonFiniteError(
            f"{where}: {first(x, ~finite, name)} must be finite; remove it before compression"
        )


def first(x: Array, bad: Array, name: str) -> str:
    """Return `name[i, j] = value` for the first element of x that is marked as bad."""
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{name}{list(index) if index else ''} = {x[index]}"


def as_uniforms(draws: Any, where: str) -> Array:
    """Return `draws.private` as a float array with every element in [0, 1)."""
    uniforms = as_private_floats(draws, where)
    require_unit_interval(uniforms, where)
    return uniforms


def lazy_or_uniforms(draws: Any, where: str) -> Array | PhiloxUniforms:
    """Return what `as_uniforms` does, or uniforms of the fused tier as they are."""
    private = getattr(draws, "private", None)
    return private if isinstance(private, PhiloxUniforms) else as_uniforms(draws, where)


def as_private_floats(draws: Any, where: str) -> Array:
    """Return `draws.private` as a float array, its range unchecked: `require_unit_interval` does that."""
    private = getattr(draws, "private", None)
    if private is None:
        raise ArgumentError(f"{where}: draws.private is missing; take draws from draw(rng, x.shape)")
    uniforms = _as_real(private, "draws.private", where)
    if uniforms.dtype.kind != "f":
        raise ArgumentError(
            f"{where}: draws.private has dtype {uniforms.dtype}; take draws from draw(rng, x.shape)"
        )
    if is_rational(private):  # Fractions below 1 may round to 1
        uniforms[(uniforms == 1) & (np.asarray(private) < 1)] = 1 - 2.0**-53
    return uniforms


def require_unit_interval(uniforms: Array, where: str) -> None:
    """Raise unless every element is in [0, 1)."""
    inside = not uniforms.size or bool(uniforms.min() >= 0 and uniforms.max() < 1)  # NaN fails
    if not inside:
        bad = ~((uniforms >= 0) & (uniforms < 1))
        raise ArgumentError(
            f"{where}: {first(uniforms, bad, 'draws.private')} must be in [0, 1); take draws from "
            "draw(rng, x.shape)"
        )


def require_draws_fit(
    shape: tuple[int, ...], uniforms: Array | PhiloxUniforms, where: str
) -> tuple[int, ...]:
    """Return the common shape of x and its uniforms; raise unless they broadcast with one d."""
    if uniforms.shape[-len(shape) :] == shape:
        return uniforms.shape
    if uniforms.shape[-1:] == shape[-1:]:
        with contextlib.suppress(ValueError):  # they do not broadcast: said below, with the remedy
            return np.broadcast_shapes(shape, uniforms.shape)
    raise ArgumentError(
        f"{where}: draws.private has shape {uniforms.shape}, x has shape {shape}; take draws from "
        "draw(rng, x.shape)"
    )


def as_weight(shape: tuple[int, ...] | None, weight: Any, node_weight: Any, where: str) -> Array | None:
    """Return the weight as a checked float64 array, None for the identity.

    Args:
        shape: Shape of x, (..., d); None if x is wrong itself: then only the weight alone is checked.
        weight: (d,) or (d, d), positive semidefinite.
        node_weight: (n, d) or (n, d, d), positive semidefinite for each node.
        where: Name for error messages.

    Raises:
        ArgumentError: No real numbers, not finite, another shape, a negative diagonal entry, an entry beyond
            the largest on the diagonal, not symmetric.
    """
    if weight is not None and node_weight is not None:
        raise ArgumentError(f"{where}: give weight or node_weight, not both")
    if weight is None and node_weight is None:
        return None
    name, given = ("weight", weight) if node_weight is None else ("node_weight", node_weight)
    array = _as_real(given, name, where)
    if array.dtype.kind != "f":
        raise ArgumentError(f"{where}: {name}={reprlib.repr(given)} must hold real numbers")
    array = array.astype(np.float64, copy=False)
    problems = Problems(where)
    if shape is not None:
        problems.require(*_weight_fits(array.shape, shape, name))
    finite = np.isfinite(array)
    if not finite.all():
        problems.require(False, f"{first(array, ~finite, name)} must be finite")
    elif array.size:
        _require_semidefinite(problems, array, name)
    problems.raise_if_any()
    return array


def _weight_fits(given: tuple[int, ...], shape: tuple[int, ...], name: str) -> tuple[bool, str]:
    d = shape[-1]
    if name == "weight":
        return given in ((d,), (d, d)), f"weight has shape {given}; give ({d},) or ({d}, {d})"
    n = shape[-2] if len(shape) > 1 else None
    return given in ((n, d), (n, d, d)), (
        f"node_weight has shape {given}, x has shape {shape}; give (n, d) or (n, d, d) for x (..., n, d)"
    )


def _require_semidefinite(problems: Problems, array: Array, name: str) -> None:
    """Remember negative diagonal entries, entries beyond the diagonal, asymmetry: the cheap part."""
    full = array.ndim == (2 if name == "weight" else 3)
    if full and array.shape[-1] != array.shape[-2]:
        return  # `_weight_fits` tells
    diagonal = np.diagonal(array, axis1=-2, axis2=-1) if full else array
    # Of a semidefinite matrix the largest entry is on the diagonal.
    allowed = _ROUNDING * np.max(np.abs(diagonal), axis=-1, keepdims=True)
    bad = diagonal < -allowed
    if bad.any():
        what = f"the diagonal of {name}" if full else name
        problems.require(
            False, f"{first(diagonal, bad, what)} must not be negative: W is positive semidefinite"
        )
    if full:
        beyond = np.abs(array) - allowed[..., None] > np.max(np.abs(diagonal), axis=-1)[..., None, None]
        if beyond.any():
            told = f"{first(array, beyond, name)} exceeds the diagonal: W is positive semidefinite"
            problems.require(False, told)
        skew = np.abs(array - np.swapaxes(array, -1, -2)) > allowed[..., None]
        if skew.any():
            remedy = "but W is symmetric; give (W + W^T) / 2 if that is what you mean"
            *node, i, j = (int(axis) for axis in np.argwhere(skew)[0])
            mirror = f"{name}{[*node, j, i]} = {array[(*node, j, i)]}"
            problems.require(False, f"{first(array, skew, name)} and {mirror}, {remedy}")


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


def as_axes(given: Any, name: str, where: str) -> tuple[int, ...]:
    """Return a shape as a tuple of lengths: from a tuple, from one number, () from None."""
    try:
        axes = () if given is None else given if isinstance(given, list | tuple) else (given,)
        lengths = tuple(operator.index(axis) for axis in axes)
    except TypeError:
        raise ArgumentError(f"{where}: {name}={given!r} must be a whole number or a tuple of them") from None
    if min(lengths, default=0) < 0:
        raise ArgumentError(f"{where}: {name}={given!r} must not be negative")
    return lengths


def require_generator(rng: Any, where: str) -> None:
    """Raise unless rng is a generator of numpy."""
    if not isinstance(rng, np.random.Generator):
        raise ArgumentError(
            f"{where}: rng={rng!r} must be a numpy.random.Generator; numpy.random.default_rng(0) makes one"
        )
