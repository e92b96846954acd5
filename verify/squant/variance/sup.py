"""Checks of `squant/sup`: the claimed supremum is attained by its maximiser and exceeded by no input."""

import functools
from dataclasses import replace
from fractions import Fraction as F
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from sympy import Sum, sqrt

from impl.compressors import StochasticQuantizer
from theory.squant.variance.one_block import COORDINATES, L, h, j
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROOT, ROUND_OFF
from verify.formulas.evaluation import root
from verify.rungs.adversarial import AdversarialCase

judge = checks_of("squant/sup", quantizer=StochasticQuantizer)

_COARSE: dict[str, dict[str, Any]] = {
    "two-weights": {"L": (4.0, 1.0), "h": (3.0, 3.0)},
    "three-weights": {"L": (9.0, 4.0, 1.0), "h": (2.0, 3.0, 6.0)},
    "ones-d100": {"L": (1.0,) * 100, "h": (1.0,) * 100},
    "zero-weight": {"L": (4.0, 0.0, 1.0), "h": (3.0, 2.0, 3.0)},
    "wide-spectrum": {
        "L": tuple(10.0 ** (-k / 2) for k in range(12)),
        "h": tuple(1.0 + 0.5 * (k % 3) for k in range(12)),
    },
}
_FINE: dict[str, dict[str, Any]] = {
    "zero-weight-fine": {"L": (1.0, 0.0), "h": (1.0, 5.0), "x": (0.5, 0.75**0.5)},
    "half-levels-d64": {"L": (1.0,) * 64, "h": (0.125,) * 64, "x": (3.0,) * 24 + (1.0,) * 40},
    "one-coordinate": {"L": (2.0,), "h": (0.4,), "x": (1.0,)},
}
_INTERVALS: dict[str, dict[str, Any]] = {
    "fine-interval": {"L": (3.0, 2.0, 1.0), "h": (0.9, 0.8, 0.7)},
    # Beside a level 1/2 the carrier has the level 1, where nothing is rounded.
    "fine-lower-end": {"L": (1.0, 1.0), "h": (1.0, 0.75**0.5)},
}
_UPPER = ("exact", "fine_upper", "one_dimension", "uniform", "uniform_fine")


@judge.mutant(
    "Maximise without the norm constraint: reports 11.25 instead of 8.6795 at L = (4, 1), h = (3, 3).",
    at=("exact/two-weights", "exact/three-weights"),
)
def dropped_norm_constraint(law: Law) -> Law:
    stated = law.formulas["fine_upper"]
    return law.replace(
        exact=lambda value: replace(value, expression=stated),
        maximiser=lambda formula: formula.subs(law.formulas["exact"].unknown, 0),
    )


@judge.mutant("Maximise without -u^2: reports 12.3693 there.", at=("exact/two-weights",))
def dropped_quadratic_term(law: Law) -> Law:
    claimed = sqrt(Sum(L[j] ** 2 * h[j] ** 2, COORDINATES))
    return law.replace(exact=lambda value: replace(value, expression=claimed))


judge.sabotage(
    "ninety-percent at adversarial/*: Claim 90 % of the values: refuted by the maximisers.",
    lambda law: law.scaled(F(9, 10), *_UPPER),
    at=(*(f"exact/{name}" for name in (*_COARSE, *_FINE, "fine-interval", "uniform-*")),),
)
judge.sabotage(
    "no-spare-norm at exact/fine-interval, exact/fine-lower-end: Claim that the whole of S is reached. "
    "| fine_lower = fine_upper"
)
judge.sabotage_data(
    "two-coordinates at exact/half-odd: Two triangular numbers are not enough: none add up to 5.",
    lambda most, **_: {"d": 2, "most": most},
)
judge.sabotage_data(
    "permuted-coordinates, neutral at exact/*: Permute steps and weights alike: the value may not change.",
    lambda **arguments: {
        name: item[::-1] if hasattr(item, "__len__") else item for name, item in arguments.items()
    },
)


def _variance(quantizer: StochasticQuantizer, weights: Any, x: Any) -> Any:
    """Return the exact variance divided by the squared norm, for inputs (..., d)."""
    points = np.asarray(x, dtype=float)
    return quantizer.variance(points, weight=weights) / (points**2).sum(axis=-1)


def _maximiser(law: Law, weights: Any, steps: Any) -> Any:
    values = {"L": weights, "h": steps}
    nu = root(law.formulas["exact"], {**values, "d": len(weights)})
    return np.array([law("maximiser", **values, nu=nu, j=place) for place in range(len(weights))])


@judge.exact(instances=_COARSE)
def coarse(law: Law, L: Any, h: Any) -> Comparisons:
    """Attainment at the claimed maximiser; and no more than that at inputs around it."""
    stated, best = law("exact", L=L, h=h, d=len(L)), _maximiser(law, L, h)
    yield eq("norm of the maximiser", float((best**2).sum()), 1.0, ROOT)
    found = float(_variance(law.quantizer(h), L, best))
    yield eq("attained", found, stated, ROOT, witness={"x": best}, headline=True)
    for scale in (0.5, 0.8, 1.25, 2.0):
        x = best**scale
        value = float(_variance(law.quantizer(h), L, x))
        yield le("input with another exponent", value, stated, ROUND_OFF, witness={"x": x})
    for place in range(min(len(best), 5)):
        x = best + 0.3 * np.eye(len(best))[place]
        value = float(_variance(law.quantizer(h), L, x))
        yield le("input moved along a coordinate", value, stated, ROUND_OFF, witness={"x": x})


@judge.exact(instances=_FINE)
def fine(law: Law, L: Any, h: Any, x: Any) -> Comparisons:
    """The quarter bound is attained at these inputs, and the value of one coordinate at any."""
    if len(L) == 1:
        stated = law("one_dimension", L=L, step=h[0])
    else:
        stated = law("fine_upper", L=L, h=h, d=len(L))
    found = float(_variance(law.quantizer(h), L, x))
    yield eq("attained in the fine regime", found, stated, ROUND_OFF, headline=True)


@judge.exact(instances=_INTERVALS)
def interval(law: Law, L: Any, h: Any) -> Comparisons:
    """The carrier, of smallest L_j h_j^2, takes the norm that the others leave at level 1/2."""
    weights, steps = np.array(L), np.array(h)
    carrier = int(np.argmin(weights * steps**2))
    x = steps / 2
    x[carrier] = 0.0
    x[carrier] = (1 - x @ x) ** 0.5
    value = float(_variance(law.quantizer(h), L, x))
    lower = law("fine_lower", L=L, h=h, d=len(L), place=carrier + 1)
    yield le("lower end reached", lower, value, ROUND_OFF, witness={"x": x})
    upper = law("fine_upper", L=L, h=h, d=len(L))
    yield le("upper end kept", value, upper, ROUND_OFF, witness={"x": x}, headline=True)


@judge.exact(
    instances={
        "uniform-d100": {"step": 1, "x": (1,) * 100},
        "uniform-d16": {"step": F(3, 4), "x": (1,) * 16},
        "uniform-d9": {"step": 2, "x": (1,) * 9},
        "uniform-half-levels": {"step": F(1, 8), "x": (3,) * 24 + (1,) * 40},
    }
)
def uniform(law: Law, step: Any, x: Any) -> Comparisons:
    """A uniform step and L = I, in rationals: at equal coordinates, and at half-odd levels."""
    d, points = len(x), [F(item) for item in x]
    value = law.quantizer([F(step)] * d).variance(points) / sum(item * item for item in points)
    regime = "uniform" if step * step * d >= 4 else "uniform_fine"
    yield eq("uniform step", value, law.exactly(regime, d=d, step=step), headline=True)


@functools.cache  # sympy takes longer for it than for the formula
def _step(square: int) -> Any:
    return 2 / sqrt(square)


@judge.exact(instance="half-odd", d=[3, 4, 5], most=300)
def half_odd(law: Law, d: int, most: int) -> Comparisons:
    """Levels m_j + 1/2 have unit norm where odd squares add up to 4 / h^2: all sums of d of them."""
    squares = [item**2 for item in range(1, most, 2) if item**2 <= most]
    sums = {sum(chosen) for chosen in combinations_with_replacement(squares, d)}
    for square in range(1, most + 1):
        total = law.exactly("triangular_total", d=d, step=_step(square))
        allowed = total >= 0 and total.denominator == 1
        yield eq("half-odd levels", int(square in sums), int(allowed), witness={"d": d, "4/h^2": square})


def _search(law: Law, L: Any, h: Any, stated: float, starts: Any) -> AdversarialCase:
    quantizer = law.quantizer(h)
    return AdversarialCase(
        lambda inputs: _variance(quantizer, L, inputs),
        lambda inputs: np.full(len(inputs), stated),
        len(L),
        starts=starts,
        budget=6000,
    )


@judge.adversarial(
    instances={
        name: _COARSE[name] for name in ("two-weights", "three-weights", "zero-weight", "wide-spectrum")
    }
)
def searched(law: Law, L: Any, h: Any) -> AdversarialCase:
    """Search from structured and random starts, the claimed maximiser among them."""
    return _search(law, L, h, law("exact", L=L, h=h, d=len(L)), (tuple(_maximiser(law, L, h)),))


@judge.adversarial(instances={"fine-interval": _INTERVALS["fine-interval"]})
def searched_in_the_fine_regime(law: Law, L: Any, h: Any) -> AdversarialCase:
    """No input exceeds the upper end."""
    return _search(law, L, h, law("fine_upper", L=L, h=h, d=len(L)), ())
