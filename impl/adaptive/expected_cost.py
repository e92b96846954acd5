"""Expected cost of a message whose number of entries is random (arXiv 2003.06377)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from impl.adaptive.sorted_gradient import Array

_NEGLIGIBLE = 1e-18


def survivor_law(probabilities: Any) -> Array:
    """Return the probabilities of 0, ..., d survivors of independent coins, exact for Fractions.

    The exact law of the Poisson-binomial distribution by adding coin after coin, O(d^2) at most; in floats,
    what is below 1e-18 at both ends is left out on the way.
    """
    p = np.asarray(probabilities)
    exact = p.dtype == object
    sure = int(sum(1 for item in p if item == 1))
    open_coins = [item for item in p if 0 < item < 1]
    law = np.array([Fraction(1)] if exact else [1.0], dtype=object if exact else np.float64)
    first = 0
    for coin in open_coins:
        longer = np.full(len(law) + 1, Fraction(0) if exact else 0.0, dtype=law.dtype)
        longer[:-1] += law * (1 - coin)
        longer[1:] += law * coin
        law = longer
        if not exact:
            kept = np.flatnonzero(law > _NEGLIGIBLE)
            first += int(kept[0])
            law = law[kept[0] : kept[-1] + 1]
    zero = Fraction(0) if exact else 0.0
    out = np.full(len(p) + 1, zero, dtype=law.dtype)
    out[sure + first : sure + first + len(law)] = law
    return out


def expected_cost(probabilities: Any, cost: Callable[[Any], Any], entry_bits: int) -> Any:
    r"""Return $\mathbb EC(bN)$ with N the number of survivors; no survivors cost `cost.empty`.

    Args:
        probabilities: Chances of the entries, (d,).
        cost: Maps payload bits to cost, for arrays too.
        entry_bits: b.
    """
    if getattr(cost, "is_affine", False):
        return cost(0) + (cost(entry_bits) - cost(0)) * sum(probabilities)
    law = survivor_law(probabilities)
    if law.dtype == object:
        return sum((chance * Fraction(cost(entry_bits * N)) for N, chance in enumerate(law)), Fraction(0))
    places = np.flatnonzero(law)
    return float(law[places] @ np.asarray(cost(entry_bits * places), dtype=np.float64))


def expected_costs(probabilities: Array, cost: Callable[[Any], Any], entry_bits: int) -> Array:
    """Return the same for many vectors of chances at once, (S, d) floats to (S,), much faster.

    The exact laws, coin after coin, O(S d^2).
    """
    p = np.asarray(probabilities, dtype=np.float64).T
    d, S = p.shape
    law = np.zeros((d + 1, S))
    law[0] = 1.0
    for j in range(d):
        moved = law[: j + 1] * p[j]
        law[: j + 1] -= moved
        law[1 : j + 2] += moved
    return np.asarray(cost(entry_bits * np.arange(d + 1)), dtype=np.float64) @ law
