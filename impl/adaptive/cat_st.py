"""CAT-ST: keep entries at random, unbiased, as many as pay (arXiv 2003.06377)."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from impl.adaptive.cat_s import Cost
from impl.adaptive.choice import NOTHING, Choice
from impl.adaptive.dense_alternative import or_dense
from impl.adaptive.entry_payload import sparse_payload
from impl.adaptive.expected_cost import expected_cost, expected_costs
from impl.adaptive.sorted_gradient import (
    NEAR_TIE,
    Array,
    SortedGradient,
    best,
    costs_of,
    literal_cost,
    literal_entries,
)
from impl.adaptive.water_filling import filled, filled_for, omegas
from impl.coding.checked_digits import whole_array
from impl.compressors import BernoulliSparsifier
from impl.errors import ArgumentError

_BLOCK = 64
"""Sizes whose expected costs are found at once."""


def cat_st(
    g: Any,
    cost: Cost,
    *,
    entry_bits: int | None = None,
    float_bits: int = 32,
    sizes: Sequence[int] | None = None,
    dense: bool = False,
) -> Choice:
    r"""Choose T that maximises $\omega_T/\mathbb E[C]$, $\omega_T$ the best share with T expected entries.

    The step $\omega_T/L$ makes the objective of an L-smooth function fall by at least
    $\omega_T\|g\|^2/(2L)$ in expectation (claim `cat/st-descent`). T is a whole number; the expected cost is
    that of the random number of survivors (claim `cat/expected-packets`).

    Args:
        g: Gradient, (d,); a list with a Fraction selects exact arithmetic.
        cost: Maps payload bits to cost, for arrays too.
        entry_bits: Payload of an entry; an index and a number of `float_bits` if left out.
        float_bits: Bits of a number, 32 or 64.
        sizes: The T among which to choose, all if left out; one beyond the nonzeros of g stands for all of
            them. Where the cost is not affine, each takes O(d^2)
            for its law of survivors: name some where d is above a few hundred.
        dense: Send the whole gradient, without indices, where that is strictly better.

    Raises:
        ArgumentError: g is no vector, sizes of a message that are none, or no positive T to choose from.
        NonFiniteError: An entry of g is not finite.
    """
    sorted_g = SortedGradient(g, "cat_st")
    payload = sparse_payload(sorted_g.d, entry_bits, float_bits, "cat_st")
    if not sorted_g.nonzeros:
        return NOTHING
    tried = _tried(sizes, sorted_g.nonzeros)
    shares = omegas(sorted_g)
    shares = shares if sizes is None else shares[tried - 1]
    costs = _expected_costs(sorted_g, g, cost, payload(1), tried)
    place = best(shares, costs, sorted_g.exact)
    size = int(tried[place])
    p = filled(sorted_g, g, size)
    choice = _choice(p, size, shares[place], costs[place], payload(1), cost)
    return or_dense(choice, sorted_g.d, cost, float_bits, sorted_g.exact) if dense else choice


def _tried(sizes: Sequence[int] | None, most: int) -> Array:
    if sizes is None:
        return np.arange(1, most + 1)
    given = whole_array(sizes)
    if given is None or not given.size or given.min() < 1:
        raise ArgumentError(
            f"cat_st: sizes={reprlib.repr(sizes)} must be positive whole numbers, at least one; those beyond "
            "the nonzeros stand for all nonzeros"
        )
    return np.unique(np.minimum(given, most))


def _expected_costs(sorted_g: SortedGradient, g: Any, cost: Cost, entry_bits: int, sizes: Array) -> Array:
    if getattr(cost, "is_affine", False):  # the mean number of entries decides
        return costs_of(cost, sizes * entry_bits, sorted_g.exact)
    # Refuses what is no cost.
    costs_of(cost, np.arange(1, sorted_g.nonzeros + 1) * entry_bits, sorted_g.exact)
    if sorted_g.exact:
        found = [expected_cost(filled(sorted_g, g, int(T)), cost, entry_bits) for T in sizes]
        return np.array(found, dtype=object)
    blocks = np.array_split(sizes, -(-len(sizes) // _BLOCK))
    return np.concatenate(
        [expected_costs(filled_for(sorted_g, g, block), cost, entry_bits) for block in blocks]
    )


def _price(cost: Cost, entry_bits: int) -> Callable[[int], Any]:
    return lambda sent: cost(sent * entry_bits) if sent else getattr(cost, "empty", cost(0))


def _choice(p: Array, size: int, share: Any, mean: Any, entry_bits: int, cost: Cost) -> Choice:
    if p.dtype == object:
        chances: Any = [item if item else Fraction(1) for item in p]
    else:
        chances = p if p.all() else np.where(p > 0, p, 1.0)  # a zero is never sent
    compressor = BernoulliSparsifier(chances)
    bits, price = size * int(entry_bits), _price(cost, entry_bits)
    return Choice(size, share, share / mean, share, mean, compressor, bits=bits, price=price)


def cat_st_reference(
    g: list[Any], cost: Cost, *, entry_bits: int | None = None, float_bits: int = 32, dense: bool = False
) -> Choice:
    """Return the choice of `cat_st`, literally: all T, chances, laws and sums anew; with its errors."""
    values = literal_entries(g, "cat_st")
    exact = isinstance(values[0], Fraction)
    payload = sparse_payload(len(values), entry_bits, float_bits, "cat_st")
    total = sum(item * item for item in values)
    chosen, most, price = NOTHING, sum(1 for item in values if item), _price(cost, payload(1))
    for size in range(1, most + 1):  # a mean over survivors would hide what is no cost
        literal_cost(cost, payload(size), exact=exact)
    for size in range(1, most + 1):
        p = _literal_chances(values, size)
        share = total / sum(item * item / chance for item, chance in zip(values, p, strict=True) if item)
        law = _literal_law(p)
        mean = sum(chance * (Fraction(price(N)) if exact else price(N)) for N, chance in enumerate(law))
        # An exact tie of many sizes is common, and in floats none is exact.
        near = 1 if exact else 1 + NEAR_TIE
        if not chosen.size or share * chosen.cost > chosen.share * mean * near:
            chances = np.array(p, dtype=object if exact else np.float64)
            chosen = _choice(chances, size, share, mean, payload(1), cost)
    return or_dense(chosen, len(values), cost, float_bits, exact) if dense and chosen.size else chosen


def _literal_chances(values: list[Any], size: int) -> list[Any]:
    """Return min(1, c |g_j|) whose sum is the size, with as few sure entries as can be."""
    sizes = sorted((abs(item) for item in values), reverse=True)
    k = next(k for k in range(size) if sizes[k] * (size - k) <= sum(sizes[k:]))
    level = (size - k) / sum(sizes[k:])
    return [min(level * abs(item), level / level) for item in values]


def _literal_law(p: list[Any]) -> list[Any]:
    """Return the chances of 0, ..., d survivors, coin after coin."""
    law = [p[0] * 0 + 1]
    for coin in p:
        stay, more, other = [*law, 0], [0, *law], 1 - coin
        law = [other * a + coin * b for a, b in zip(stay, more, strict=True)]
    return law
