"""Checks of `cat/scaling`: all sizes tried in rationals, CAT-S on long gradients, growth with d."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import LambertW

from impl.adaptive import cat_s
from impl.communication import Affine
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import flat, geometric
from verify.comparison import DRIFT, EXACT, ROOT, ROUND_OFF, Comparison

RHO = F(9, 10)
LINEAR = DRIFT
"""rho^d is 3.6e-12 at the smallest dimension, d = 250."""

# `offset` is added to the stated maximiser, in units of r.
judge = checks_of("cat/scaling", rule=cat_s, offset=0, scale=1)

_MAXIMISER = ("exact/all-sizes", "exact/long-gradients", "exact/dimension")


judge.sabotage(
    "branch-zero: Take the branch W_0: a maximiser below 0, clipped to one entry, up to 7.5 times less "
    "efficient.",
    {"maximiser": lambda f: f.replace(LambertW, lambda z, branch: LambertW(z, 0))},
    "omit-r: Leave out -r: 5, 21 and 125 entries for 4, 11 and 25. | offset = 1",
    at=_MAXIMISER,
)
judge.sabotage(
    "one-entry at exact/flat: Claim the gain of steep gradients for flat ones.",
    {"rule": lambda g, cost, entry_bits: cat_s(g, Affine(1, 0), entry_bits=entry_bits)},
    "r-for-d at exact/dimension: Put r for d in the gain: it would not grow with the dimension. "
    "| gain = gain(d = r)",
    "root-of-d at exact/dimension: Put the root of d for d in the gain: no line. | gain = gain(d = sqrt(d))",
    "scaled-gradient, neutral at exact/long-gradients: Multiply the gradient by 1024: nothing may change. "
    "| scale = 1024",
)


def maximiser(law: Law, rho: Any, r: Any) -> float:
    """Return the stated maximiser by Lambert's function."""
    formula = law.formulas["maximiser"]
    values = {"decay": -math.log(rho), "r": float(r)}
    point = {symbol: values[symbol.name] for symbol in formula.free_symbols}
    shift: float = law.offset * float(r)
    return float(formula.evalf(30, subs=point)) + shift


def kept(rho: F, r: Any, T: int) -> F:
    """Return (1 - rho^T) / (r + T)."""
    return (1 - rho**T) / (F(r) + T)


def stated_size(law: Law, rho: F, r: Any, d: int) -> int:
    """Return the better one of the neighbours of the stated maximiser, from 1 to d."""
    found = maximiser(law, rho, r)
    ends = [min(max(size, 1), d) for size in (math.floor(found), math.ceil(found))]
    return max(ends, key=lambda T: (kept(rho, r, T), -T))


@judge.exact(parameters={"rho": ["1/2", "9/10"], "d": 60}, rho=(F(1, 2), RHO), d=60)
def all_sizes(law: Law, rho: Sequence[F], d: int) -> Iterable[Comparison]:
    """The stated size against all sizes in rationals; the maximiser against the root of its equation."""
    for base in rho:
        for r in (F(1, 10), F(1), F(10), F(100)):
            shares = {T: kept(base, r, T) for T in range(1, d + 1)}
            best = max(shares, key=shares.__getitem__)  # the first of equal ones
            witness = {"rho": base, "r": r}
            yield eq("best size", stated_size(law, base, r, d), best, EXACT, witness=witness)
            stated = law.exactly("efficiency", rho=base, r=r, T=best, d=d)
            yield eq("efficiency", kept(base, r, best) / (1 - base**d), stated, EXACT, witness=witness)
            implicit = law("exact", rho=float(base), r=float(r))
            yield eq("maximiser", maximiser(law, base, r), implicit, ROOT, witness=witness)


@judge.exact(parameters={"rho": "9/10", "d": 1000, "r": [1, 10, 100]}, d=1000)
def long_gradients(law: Law, d: int) -> Iterable[Comparison]:
    """What CAT-S chooses among a thousand entries against the stated size, efficiency and gain."""
    g = law.scale * geometric(float(RHO), d)
    for r in (1, 10, 100):
        choice, witness = law.rule(g, Affine(1, r), entry_bits=1), {"r": r}
        yield eq("size", choice.size, stated_size(law, RHO, r, d), EXACT, witness=witness)
        values = {"rho": float(RHO), "r": r, "T": choice.size, "d": d}
        stated = law("efficiency", **values)
        yield eq("efficiency", float(choice.efficiency), stated, ROUND_OFF, witness=witness)
        gain = float(choice.efficiency) * (r + d)
        yield eq("gain", gain, law("gain", **values), ROUND_OFF, witness=witness)


@judge.exact(parameters={"d": [250, 500, 1000, 2000, 4000]}, d=(250, 500, 1000, 2000, 4000))
def dimension(law: Law, d: Sequence[int]) -> Iterable[Comparison]:
    """Size and gain as d doubles: the same size, and equal differences of the gain per entry."""
    gains = {}
    for size in d:
        choice = law.rule(geometric(float(RHO), size), Affine(1, 10), entry_bits=1)
        stated = stated_size(law, RHO, 10, size)
        yield eq("size as d grows", choice.size, stated, EXACT, witness={"d": size})
        gains[size] = law("gain", rho=float(RHO), r=10, T=choice.size, d=size)
        found = float(choice.efficiency) * (10 + size)
        yield eq("gain", found, gains[size], ROUND_OFF, witness={"d": size})
    first, *inner, last = d
    slope = (gains[last] - gains[first]) / (last - first)
    for size in inner:
        line = gains[last] + slope * (size - last)
        yield eq("gain on a line", gains[size], line, LINEAR, witness={"d": size}, headline=True)


@judge.exact(instance="flat", parameters={"d": [10, 100, 1000], "c_0": ["1/100", 10]}, d=(10, 100, 1000))
def flat_gradients(law: Law, d: Sequence[int]) -> Iterable[Comparison]:
    """Flat gradients: all entries are sent, and nothing is gained."""
    for size in d:
        for fixed in (F(1, 100), F(10)):
            choice = law.rule(flat(size), Affine(1, float(fixed)), entry_bits=1)
            witness = {"d": size, "c_0": fixed}
            yield eq("flat size", choice.size, size, EXACT, witness=witness)
            stated = law("flat", T=size, d=size, c_0=fixed, c_1=1)
            yield eq("flat efficiency", float(choice.efficiency), stated, ROUND_OFF, witness=witness)
            found = float(choice.efficiency * (size + np.float64(fixed)))
            yield eq("flat gain", found, stated * (size + float(fixed)), ROUND_OFF, witness=witness)
