"""The same rule for QSGD: as many levels as pay (arXiv 2003.06377, section 6 of the specification)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from impl.adaptive.cat_s import Cost
from impl.adaptive.choice import NOTHING, Choice
from impl.adaptive.dense_alternative import or_dense
from impl.adaptive.sorted_gradient import SortedGradient, best, costs_of, literal_cost, literal_entries
from impl.communication import levels_bits
from impl.compressors import StochasticQuantizer
from impl.compressors.rounding.block_norms import rational_norm
from impl.errors import Problems

MOST_LEVELS = 255


def cat_qsgd(
    g: Any, cost: Cost, *, most_levels: int = MOST_LEVELS, float_bits: int = 32, dense: bool = False
) -> Choice:
    r"""Choose the levels s that maximise $\omega_s/C$, $\omega_s=1/(1+\frac1{s^2}\sum_jf_j(1-f_j))$.

    $f_j$ is the fractional part of $s|g_j|/\|g\|$. All s are looked at: $\omega_s$ does not grow with s
    everywhere (claim `cat/qsgd-adaptive`). The step is $\omega_s/L$.

    Args:
        g: Gradient, (d,); a list with a Fraction selects exact arithmetic, for vectors of rational norm.
        cost: Maps payload bits to cost, for arrays too.
        most_levels: Largest s.
        float_bits: Bits of the norm, 32 or 64.
        dense: Send the whole gradient, without indices, where that is strictly better.

    Raises:
        ArgumentError: g is no vector, `most_levels` is no positive whole number, or a number has other bits.
        NonFiniteError: An entry of g is not finite.
    """
    _require(most_levels, float_bits)
    sorted_g = SortedGradient(g, "cat_qsgd")
    if not sorted_g.nonzeros:
        return NOTHING
    levels = np.arange(1, most_levels + 1)
    if sorted_g.exact:
        shares = np.array(_exact_shares(literal_entries(g, "cat_qsgd"), most_levels), dtype=object)
    else:
        v = sorted_g.sizes / np.sqrt(sorted_g.energies[-1])
        shares = np.array([1 / (1 + _rounding(s * v) / s**2) for s in levels.tolist()])
    payloads = np.array([levels_bits(int(s), sorted_g.d, float_bits) for s in levels])
    costs = costs_of(cost, payloads, sorted_g.exact)
    place = best(shares, costs, sorted_g.exact)
    size, share, price = int(levels[place]), shares[place], costs[place]
    choice = _choice(size, share, price, int(payloads[place]))
    return or_dense(choice, sorted_g.d, cost, float_bits, sorted_g.exact) if dense else choice


def _require(most_levels: Any, float_bits: Any) -> None:
    problems = Problems("cat_qsgd")
    whole = isinstance(most_levels, int) and not isinstance(most_levels, bool) and most_levels >= 1
    problems.require(whole, f"most_levels={most_levels!r} must be a positive whole number")
    problems.require(float_bits in (32, 64), f"float_bits={float_bits!r} must be 32 or 64")
    problems.raise_if_any()


def _choice(levels: int, share: Any, price: Any, bits: int) -> Choice:
    quantizer = StochasticQuantizer(Fraction(1, levels))
    return Choice(levels, share, share / price, share, price, quantizer, bits=bits)


def cat_qsgd_reference(
    g: list[Any],
    cost: Cost,
    *,
    most_levels: int = MOST_LEVELS,
    float_bits: int = 32,
    dense: bool = False,
) -> Choice:
    """Return the choice of `cat_qsgd`, literally: all levels, every fraction anew; with its errors."""
    _require(most_levels, float_bits)
    values = literal_entries(g, "cat_qsgd")
    if not any(values):
        return NOTHING
    exact = isinstance(values[0], Fraction)
    total = sum(item * item for item in values)
    norm: Any = rational_norm(values, "cat_qsgd") if exact else math.sqrt(total)
    chosen = NOTHING
    for s in range(1, most_levels + 1):
        fractions = [s * abs(item) / norm - math.floor(s * abs(item) / norm) for item in values]
        share = 1 / (1 + sum(f * (1 - f) for f in fractions) / (Fraction(s * s) if exact else s * s))
        bits = levels_bits(s, len(values), float_bits)
        price = literal_cost(cost, bits, exact=exact)
        if not chosen.size or share * chosen.cost > chosen.share * price:
            chosen = _choice(s, share, price, bits)
    return or_dense(chosen, len(values), cost, float_bits, exact) if dense else chosen


def _exact_shares(g: list[Fraction], most_levels: int) -> list[Fraction]:
    """Return omega_s for s = 1, 2, ...; over the common denominator the levels s |g_j| / ||g|| are whole."""
    norm = rational_norm(g, "cat_qsgd")
    parts = [abs(item) / norm for item in g]
    n = math.lcm(*(part.denominator for part in parts))
    counts = [int(part * n) for part in parts]
    found = []
    for s in range(1, most_levels + 1):
        rests = [s * count % n for count in counts]
        whole = (s * n) ** 2
        found.append(Fraction(whole, whole + sum(rest * (n - rest) for rest in rests)))
    return found


def _rounding(v: Any) -> float:
    f = v - np.floor(v)
    return float((f * (1 - f)).sum())
