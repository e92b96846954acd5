"""CAT-S: send the largest entries, as many as pay (arXiv 2003.06377)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from impl.adaptive.choice import NOTHING, Choice
from impl.adaptive.dense_alternative import or_dense
from impl.adaptive.entry_payload import sparse_payload
from impl.adaptive.sorted_gradient import (
    CHUNK,
    NEAR_TIE,
    Array,
    SortedGradient,
    best,
    costs_of,
    literal_cost,
    literal_entries,
)
from impl.communication import CostModel
from impl.compressors import TopK

Cost = CostModel | Callable[[Any], Any]


def cat_s(
    g: Any, cost: Cost, *, entry_bits: int | None = None, float_bits: int = 32, dense: bool = False
) -> Choice:
    r"""Choose T that maximises $\alpha(T)/C(T)$, $\alpha(T)$ the share of $\|g\|^2$ in the T largest entries.

    With step 1/L the objective of an L-smooth function falls by at least $\alpha(T)\|g\|^2/(2L)$ (claim
    `cat/s-descent`). Among equal efficiencies the smallest T is taken, and no zero is sent.

    Args:
        g: Gradient, (d,); a list with a Fraction selects exact arithmetic.
        cost: Maps payload bits to cost, for arrays too.
        entry_bits: Payload of an entry; an index and a number of `float_bits` if left out.
        float_bits: Bits of a number, 32 or 64.
        dense: Send the whole gradient, without indices, where that is strictly better.

    Raises:
        ArgumentError: g is no vector, or sizes of a message that are none.
        NonFiniteError: An entry of g is not finite.
    """
    sorted_g = SortedGradient(g, "cat_s")
    payload = sparse_payload(sorted_g.d, entry_bits, float_bits, "cat_s")
    if not sorted_g.nonzeros:
        return NOTHING
    scan = _scanned if sorted_g.exact or getattr(cost, "frame", None) is not None else _scanned_in_chunks
    size, share, price = scan(sorted_g, cost, payload)
    bits = int(payload(size))
    choice = Choice(size, share, share / price, share / share, price, TopK(size), bits=bits)
    return or_dense(choice, sorted_g.d, cost, float_bits, sorted_g.exact) if dense else choice


def _scanned(sorted_g: SortedGradient, cost: Cost, payload: Callable[[Any], Any]) -> tuple[int, Any, Any]:
    """Return size, share and cost of the best candidate."""
    sizes = candidates(sorted_g.nonzeros, cost, payload(1))
    shares = sorted_g.energies[sizes - 1] / sorted_g.energies[-1]
    costs = costs_of(cost, payload(sizes), sorted_g.exact)
    place = best(shares, costs, sorted_g.exact)
    return int(sizes[place]), shares[place], costs[place]


def _scanned_in_chunks(
    sorted_g: SortedGradient, cost: Cost, payload: Callable[[Any], Any]
) -> tuple[int, Any, Any]:
    """Return the same for floats, chunk by chunk; an affine cost ends at the first fall of the efficiency.

    That is sound for costs that are affine in the size only (claim `cat/affine-unimodal`).
    """
    m, total = sorted_g.nonzeros, float(np.vdot(sorted_g.sizes, sorted_g.sizes))
    early = getattr(cost, "is_affine", False)
    found, carried = (0, 0.0, 1.0), 0.0
    for first in range(0, m, CHUNK):
        sizes = sorted_g.sizes[first : min(first + CHUNK, m)]
        energies = np.cumsum(sizes * sizes)
        energies += carried
        carried = float(energies[-1])
        costs = costs_of(cost, payload(np.arange(first + 1, first + len(sizes) + 1)), exact=False)
        efficiency = energies / costs
        place = int(np.argmax(efficiency >= efficiency.max() * (1 - NEAR_TIE)))
        if efficiency[place] > found[1] / found[2] * (1 + NEAR_TIE):
            found = (first + place + 1, float(energies[place]), float(costs[place]))
        if early and efficiency[-1] < found[1] / found[2] * (1 - NEAR_TIE):
            break
    return found[0], min(found[1] / total, 1.0), found[2]


def candidates(most: int, cost: Cost, entry_bits: int) -> Array:
    """Return the sizes among which the best one is: those that fill packets, or all of them.

    Only where the cost is constant inside of packets (claim `cat/packet-candidates`) do full packets suffice.

    Args:
        most: Number of nonzeros.
        cost: The cost.
        entry_bits: Payload of an entry.
    """
    frame = getattr(cost, "frame", None)
    if frame is None:
        return np.arange(1, most + 1)
    count = -(-entry_bits * most // frame)
    full = np.minimum(np.arange(1, count + 1) * frame // entry_bits, most)
    return np.unique(full[full > 0])


def cat_s_reference(
    g: list[Any], cost: Cost, *, entry_bits: int | None = None, float_bits: int = 32, dense: bool = False
) -> Choice:
    """Return the choice of `cat_s`, literally: all T, every sum anew.

    It refuses what `cat_s` refuses, with the same errors.
    """
    values = literal_entries(g, "cat_s")
    exact = isinstance(values[0], Fraction)
    payload = sparse_payload(len(values), entry_bits, float_bits, "cat_s")
    order = sorted(range(len(values)), key=lambda j: (-abs(values[j]), j))
    total = sum(item * item for item in values)
    chosen = NOTHING
    for size in range(1, sum(1 for item in values if item) + 1):
        share = sum(values[j] * values[j] for j in order[:size]) / total
        price = literal_cost(cost, payload(size), exact=exact)
        if not chosen.size or share * chosen.cost > chosen.share * price:
            bits = int(payload(size))
            chosen = Choice(size, share, share / price, share / share, price, TopK(size), bits=bits)
    return or_dense(chosen, len(values), cost, float_bits, exact) if dense and chosen.size else chosen
