"""CAT-SQ: send the signs of the largest entries and one number, as many as pay (arXiv 2003.06377)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from impl.adaptive.cat_s import Cost
from impl.adaptive.choice import NOTHING, Choice
from impl.adaptive.dense_alternative import or_dense
from impl.adaptive.entry_payload import signs_payload
from impl.adaptive.sorted_gradient import SortedGradient, best, costs_of, literal_cost, literal_entries
from impl.compressors import TopKSigns


def cat_sq(
    g: Any, cost: Cost, *, entry_bits: int | None = None, float_bits: int = 32, dense: bool = False
) -> Choice:
    r"""Choose T that maximises $\beta(T)/C(T)$, $\beta(T)=S_T^2/(T\|g\|^2)$.

    $S_T$ is the sum of the T largest magnitudes. The step $S_T/(TL\|g\|)$ makes the objective of an L-smooth
    function fall by at least $\beta(T)\|g\|^2/(2L)$ (claim `cat/sq-descent`). All T are looked at: neither
    shortcut of `cat_s` is sound here (claim `cat/sq-range`).

    Args:
        g: Gradient, (d,); a list with a Fraction selects exact arithmetic (but for `step_factor`, a root).
        cost: Maps payload bits to cost, for arrays too.
        entry_bits: Payload of an entry; if left out, index and sign, and `float_bits` for each message.
        float_bits: Bits of the number, 32 or 64.
        dense: Send the whole gradient, without indices, where that is strictly better.

    Raises:
        ArgumentError: g is no vector, or sizes of a message that are none.
        NonFiniteError: An entry of g is not finite.
    """
    sorted_g = SortedGradient(g, "cat_sq")
    payload = signs_payload(sorted_g.d, entry_bits, float_bits, "cat_sq")
    if not sorted_g.nonzeros:
        return NOTHING
    sizes = np.arange(1, sorted_g.nonzeros + 1)
    sums = sorted_g.sums[: sorted_g.nonzeros]
    shares = sums * sums / (sizes * sorted_g.energies[-1])
    costs = costs_of(cost, payload(sizes), sorted_g.exact)
    place = best(shares, costs, sorted_g.exact)
    size, share, price = int(sizes[place]), shares[place], costs[place]
    bits = int(payload(size))
    choice = Choice(size, share, share / price, math.sqrt(share / size), price, TopKSigns(size), bits=bits)
    return or_dense(choice, sorted_g.d, cost, float_bits, sorted_g.exact) if dense else choice


def cat_sq_reference(
    g: list[Any], cost: Cost, *, entry_bits: int | None = None, float_bits: int = 32, dense: bool = False
) -> Choice:
    """Return the choice of `cat_sq`, literally: all T, every sum anew; it refuses what `cat_sq` refuses."""
    values = literal_entries(g, "cat_sq")
    exact = isinstance(values[0], Fraction)
    payload = signs_payload(len(values), entry_bits, float_bits, "cat_sq")
    order = sorted(range(len(values)), key=lambda j: (-abs(values[j]), j))
    total = sum(item * item for item in values)
    chosen = NOTHING
    for size in range(1, sum(1 for item in values if item) + 1):
        share = sum(abs(values[j]) for j in order[:size]) ** 2 / (size * total)
        price = literal_cost(cost, payload(size), exact=exact)
        if not chosen.size or share * chosen.cost > chosen.share * price:
            step, bits = math.sqrt(share / size), int(payload(size))
            chosen = Choice(size, share, share / price, step, price, TopKSigns(size), bits=bits)
    return or_dense(chosen, len(values), cost, float_bits, exact) if dense and chosen.size else chosen
