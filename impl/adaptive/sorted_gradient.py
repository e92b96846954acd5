"""Magnitudes of a gradient in falling order with their sums, exact for Fractions."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.literal_input import as_nested, is_rational
from impl.errors import ArgumentError, NonFiniteError

Array = npt.NDArray[Any]

_SAFE_EXPONENT = 400

CHUNK = 2**15
"""Entries that are worked on at a time: some such arrays fit into the L2 cache."""

NEAR_TIE = 1e-12
"""Relative difference of two efficiencies in floats below which the smaller size is taken."""


class SortedGradient:
    r"""Sorted magnitudes $|g|_{(1)}\ge|g|_{(2)}\ge\dots$ and what the rules make of them.

    Args:
        g: Gradient, (d,); a list with a Fraction selects exact arithmetic, in arrays of objects.
        where: Name for error messages.

    Attributes:
        d: Number of entries.
        sizes: Sorted magnitudes, (d,), divided by 2**exponent: squares stay in the range, no share changes.
        exponent: 0 but for very large or small floats.
        exact: Whether they are Fractions.

    Raises:
        NonFiniteError: An entry is not finite; the first one is named.
        ArgumentError: g is no vector of real numbers.
    """

    def __init__(self, g: Any, where: str) -> None:
        self.exact, self.exponent = is_rational(g), 0
        if self.exact:
            entries = as_nested(g, where, "g")
            if isinstance(entries[0], list):
                raise ArgumentError(f"{where}: g must be a vector (d,), not nested lists")
            self.sizes = np.array(sorted((abs(item) for item in entries), reverse=True), dtype=object)
        else:
            values = _floats(g, where)
            if values.ndim != 1 or not values.size:
                raise ArgumentError(f"{where}: g of shape {values.shape} must be a vector (d,)")
            sizes = -np.abs(values)
            sizes.sort()  # falling magnitudes; NaN comes last
            if not (np.isfinite(sizes[0]) and np.isfinite(sizes[-1])):
                place = int(np.argmax(~np.isfinite(values)))
                raise NonFiniteError(f"{where}: g[{place}]={values[place]} must be finite")
            self.sizes = np.negative(sizes, out=sizes)
            exponent = int(np.frexp(sizes[0])[1])
            if abs(exponent) > _SAFE_EXPONENT:
                self.exponent = exponent
                self.sizes = np.ldexp(sizes, -exponent)
        self.d = len(self.sizes)

    @cached_property
    def nonzeros(self) -> int:
        """Return the number of entries that are not 0."""
        if self.exact:
            return int(sum(1 for item in self.sizes if item))
        return int(self.d - np.searchsorted(self.sizes[::-1], 0.0, side="right"))

    @cached_property
    def energies(self) -> Array:
        """Return A_T for T = 1..d, sums of the largest squares."""
        if self.exact:
            return np.asarray(np.cumsum(self.sizes * self.sizes))
        out, carried = np.empty_like(self.sizes), 0.0
        for first in range(0, self.d, CHUNK):
            part, sizes = out[first : first + CHUNK], self.sizes[first : first + CHUNK]
            np.multiply(sizes, sizes, out=part)
            np.cumsum(part, out=part)
            part += carried
            carried = part[-1]
        return out

    @cached_property
    def sums(self) -> Array:
        """Return S_T for T = 1..d, sums of the largest magnitudes."""
        return np.asarray(np.cumsum(self.sizes))

    @cached_property
    def tails(self) -> Array:
        """Return S_d - S_k for k = 0..nonzeros-1, added from the small end: no cancellation."""
        out = np.empty_like(self.sizes[: self.nonzeros])  # in order: `take` would copy a view for every chunk
        np.cumsum(self.sizes[: self.nonzeros][::-1], out=out[::-1])
        return out


def literal_entries(g: Any, where: str) -> list[Any]:
    """Return a gradient as plain floats, or Fractions where it has one, after the checks of `SortedGradient`.

    Raises:
        NonFiniteError: An entry is not finite.
        ArgumentError: g is no vector of real numbers.
    """
    exact = SortedGradient(g, where).exact
    return [Fraction(item) if exact else float(item) for item in g]


def _floats(g: Any, where: str) -> Array:
    """Return a gradient as float64."""
    try:
        if not np.iscomplexobj(g):
            return np.asarray(g, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass  # one error for all that is no vector of real numbers
    raise ArgumentError(f"{where}: g must be a vector (d,) of real numbers")


def best(shares: Array, costs: Array, exact: bool) -> int:
    """Return the first place with the largest share / cost; in floats, the first that is as good as it."""
    if exact:
        place = 0
        for other in range(1, len(shares)):  # compared without division
            if shares[other] * costs[place] > shares[place] * costs[other]:
                place = other
        return place
    efficiency = shares / costs
    return int(np.argmax(efficiency >= efficiency.max() * (1 - NEAR_TIE)))


def costs_of(cost: Callable[[Any], Any], bits: Array, exact: bool) -> Array:
    """Return the costs of payloads, exact where the gradient is.

    Raises:
        ArgumentError: A cost that is not positive and finite, or not one cost for each payload.
    """
    _require_callable(cost)
    if exact:
        return np.array([Fraction(literal_cost(cost, int(item), exact=True)) for item in bits], dtype=object)
    prices = cost(bits)
    try:
        costs = np.asarray(prices, dtype=np.float64)
    except (TypeError, ValueError):
        raise _wrong_cost(prices, bits) from None
    if costs.shape != bits.shape:
        raise ArgumentError(
            f"cost of payloads of shape {bits.shape} has the shape {costs.shape}; return one cost for each"
        )
    if not (costs.min() > 0 and costs.max() < np.inf):
        place = int(np.argmin((costs > 0) & (costs < np.inf)))
        raise _wrong_cost(costs[place], bits[place])
    return costs


def literal_cost(cost: Callable[[Any], Any], bits: Any, *, exact: bool) -> Any:
    """Return the cost of one payload as it is, after the checks of `costs_of`.

    Raises:
        ArgumentError: No cost, or one that is not positive and finite.
    """
    _require_callable(cost)
    price = cost(bits)
    try:
        valid = bool(0 < price < float("inf"))
    except (TypeError, ValueError):  # no order, or an array of several
        valid = False
    if not valid:
        raise _wrong_cost(price if exact or not isinstance(price, numbers.Real) else float(price), bits)
    return price


def _require_callable(cost: Any) -> None:
    if not callable(cost):
        raise ArgumentError(f"cost={cost!r} must map payload bits to cost; take one of impl.communication")


def _wrong_cost(price: Any, bits: Any) -> ArgumentError:
    return ArgumentError(
        f"cost({bits})={price} must be positive and finite: a share is divided by it; take one of "
        "impl.communication"
    )
