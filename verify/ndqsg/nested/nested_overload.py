"""Checks of `ndqsg/nested-overload`: stated sums against quadrature, bounds on both, and sampled messages."""

from collections.abc import Callable, Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
from scipy import special
from sympy import erfc, sqrt

from impl.compressors.contract import Draws
from impl.compressors.dithered.dither_stream import draw_dither
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ORACLE, ROUND_OFF, Comparison
from verify.ndqsg.fixtures.nested_links import Link
from verify.ndqsg.fixtures.nested_overload_oracle import (
    OverloadMoments,
    conditional_error,
    conditional_overload,
    gaussian,
    integrated,
    moments_of,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

INSTANCES = {
    "deviation-0.3": {"sigma": 0.3, "k": 3, "alpha": 1.0},
    "deviation-0.5": {"sigma": 0.5, "k": 3, "alpha": 1.0},
    "ratio-5": {"sigma": 1.0, "k": 5, "alpha": 1.0},
    "gain-0.9": {"sigma": 0.5, "k": 3, "alpha": 0.9},
    "ratio-2": {"sigma": 0.5, "k": 2, "alpha": 1.0},
}
COPIES = 128
MOST_CELLS = 1
"""Sampled errors are cut off beyond this many cells, which takes less than 1e-5 off their mean square."""
_QUADRATURE = tuple(f"exact/{name}" for name in INSTANCES)
_FREQUENT = tuple(name for name in _QUADRATURE if name != "exact/deviation-0.3")

# Boundaries that are summed, all by default; innovations are multiplied by `sign`.
judge = checks_of("ndqsg/nested-overload", link=Link, cells=None, sign=1)


def _stated(law: Law, sigma: float, k: int, alpha: float) -> OverloadMoments:
    return moments_of(law, sigma, k, alpha, law.cells)


@judge.mutant(
    "Overload where |alpha z| >= k/2, without the fine error: 117 times too rare at sigma = 0.3, 1.3 times "
    "at "
    "sigma = 1, k = 5.",
    at=(*_QUADRATURE, "exact/boundaries", "montecarlo/overload-ratio-2"),
)
def innovation_alone(law: Law) -> Law:
    at = {symbol.name: symbol for symbol in law.formulas["tail"].free_symbols}
    return law.replace(tail=erfc((at["l"] - sqrt(4) / 4) * at["k"] / at["spread"] / sqrt(2)) / 2)


judge.sabotage(
    "no-cross-term at montecarlo/error-ratio-2: Drop E[ej]: 7 to 29 % too much where overloads are "
    "frequent. | exact = exact(cross = 0)",
    at=_QUADRATURE,
)
judge.sabotage(
    "one-cell at exact/ratio-2: The first boundary only: 2e-6 of E j^2 at sigma = 1/2, k = 2, never seen by "
    "sampling. | cells = 1",
)
judge.sabotage(
    "variance-given-success: Report the error of the messages without overload as that of all: 0.0833 for "
    "0.1428 at sigma = 1/2, k = 3. | exact = exact(squares = 0, cross = 0, pull = 0)",
    at=(*_QUADRATURE, "montecarlo/error-ratio-2"),
)
judge.sabotage(
    "half-parts at exact/boundaries: Claim half of the parts of error and innovation. "
    "| error_part = error_part / 2, innovation_part = innovation_part / 2",
)
judge.sabotage(
    "smaller-bounds: Forget the 8 in the exponent, and divide by k^6 for k^2. "
    "| sub_gaussian = 2 * (sub_gaussian / 2)**8, chebyshev = chebyshev / k**4",
    at=(*_FREQUENT, "adversarial/*"),
)
judge.sabotage(
    "half-bounds at exact/two-points: Claim half of both bounds on the overload probability. "
    "| sub_gaussian = sub_gaussian / 2, chebyshev = chebyshev / 2",
    "one-side at exact/symmetric-law: Count the boundaries of one side only. "
    "| overload = overload / 2, squares = squares / 2, cross = cross / 2, pull = pull / 2",
)
judge.sabotage(
    "narrower-excess at exact/deviation-*, exact/ratio-?, adversarial/*: Claim twice the least excess and "
    "half of the largest ones. "
    "| excess_low = 2 * excess_low, excess_gaussian = excess_gaussian / 2, excess_high = excess_high / 4",
)
judge.sabotage(
    "reflected, neutral: Change the sign of the innovation: nothing may change. | sign = -1",
    at=_QUADRATURE,
)


# ---------------------------------------------------------------- quadrature


@judge.exact(s=(0.5, 1.0, 3.0), k=(2, 3, 4), l=(1, 2))
def boundaries(law: Law, s: Any, k: Any, l: Any) -> Iterable[Comparison]:
    """Probability, error and innovation beyond a boundary, integrated over the fine error."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    e, weights = nodes / 2, weights / 2
    for spread in s:
        for ratio, place in ((ratio, place) for ratio in k for place in l):
            t = ((place - 0.5) * ratio - e) / spread
            tail, density = special.ndtr(-t), np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi)
            for label, name, found in (
                ("T_l", "tail", tail),
                ("U_l", "error_part", e * tail),
                ("W_l", "innovation_part", spread * density),
            ):
                values = {"spread": spread, "k": ratio, "l": place}
                mean = float((weights * found).sum())
                yield eq(label, mean, law(name, **values), ORACLE, witness=values, headline=label == "T_l")


@judge.exact(instances=INSTANCES)
def by_quadrature(law: Law, sigma: float, k: int, alpha: float) -> Iterable[Comparison]:
    """The sums against quadrature of the law for given innovations, and the stated bounds."""
    found = _stated(law, sigma, k, alpha)

    def mean(function: Callable[..., Any]) -> float:
        return integrated(lambda z: function(law.sign * z, k, alpha), gaussian(sigma), sigma, k, alpha)

    square, overload = mean(conditional_error), mean(conditional_overload)
    yield eq("mean square", square, found.mse, ROUND_OFF, headline=True)
    yield eq("overload probability", overload, found.overload, ROUND_OFF)
    for label, name in (("sub-Gaussian", "sub_gaussian"), ("second moment", "chebyshev")):
        yield le(f"overload, {label}", overload, law(name, k=k, spread=alpha * sigma), ROUND_OFF)
    if alpha == 1:
        low, high, widest = (
            law(name, k=k, squares=found.squares) for name in ("excess_low", "excess_gaussian", "excess_high")
        )
        excess = square - law("exact", alpha=1, sigma=sigma, k=k, squares=0, cross=0, pull=0)
        yield le("least excess", low, excess, ROUND_OFF)
        yield le("largest excess", excess, high, ROUND_OFF)
        yield le("largest excess for any law", high, widest, ROUND_OFF)


@judge.exact(cases=((2.0, 9), (3.0, 13)))
def wide_innovations(law: Law, cases: Any) -> Iterable[Comparison]:
    """The bounds for deviations above a fine step."""
    for sigma, k in cases:
        overload = integrated(partial(conditional_overload, ratio=k), gaussian(sigma), sigma, k)
        stated = law("sub_gaussian", k=k, spread=sigma)
        yield le("overload, sub-Gaussian", overload, stated, ROUND_OFF, witness={"sigma": sigma, "k": k})


@judge.exact(k=(9, 101))
def two_points(law: Law, k: tuple[int, ...]) -> Iterable[Comparison]:
    """Two innovations that always overload, half a cell and half a step away: half a bound is too little."""
    for ratio in k:
        spread = (ratio + 1) / 2
        overload = float(np.mean(conditional_overload([law.sign * spread, -law.sign * spread], ratio)))
        for label, name in (("sub-Gaussian", "sub_gaussian"), ("second moment", "chebyshev")):
            stated = law(name, k=ratio, spread=spread)
            yield le(f"overload, {label}", overload, stated, ROUND_OFF, witness={"k": ratio})


# Innovations and their probabilities, each with either sign.
SYMMETRIC = ((F(1, 3), F(1, 4)), (F(5, 4), F(1, 8)), (F(7, 2), F(1, 16)), (F(6), F(1, 16)))


def _by_outcome(k: int) -> dict[str, F]:
    """Return the moments of the cell, innovation by innovation: the errors of a cell are an interval."""
    names = ("overload", "squares", "cross", "pull")
    found = dict.fromkeys(names, F(0))
    for z, p in ((sign * z, p) for z, p in SYMMETRIC for sign in (1, -1)):
        for cell in range(-9, 10):
            low, high = (min(F(1, 2), max(-F(1, 2), (cell + end) * k - z)) for end in (-F(1, 2), F(1, 2)))
            part = p * (high - low)
            values = (part * (cell != 0), part * cell**2, p * (high**2 - low**2) / 2 * cell, part * z * cell)
            found = {name: found[name] + value for name, value in zip(names, values, strict=True)}
    return found


@judge.exact(k=(2, 3, 4), parameters={"k": (2, 3, 4), "law": SYMMETRIC})
def symmetric_law(law: Law, k: tuple[int, ...]) -> Iterable[Comparison]:
    """The sums over the boundaries for a law of bounded support."""
    for ratio in k:
        cells = 1 + next(n for n in range(1, 9) if (n + F(1, 2)) * ratio >= SYMMETRIC[-1][0] + F(1, 2))
        tails, errors, innovations = ([F(0)] * cells for _ in range(3))
        for z, p in ((sign * z, p) for z, p in SYMMETRIC for sign in (1, -1)):
            for place in range(cells):
                start = min(F(1, 2), max(-F(1, 2), (place + F(1, 2)) * ratio - z))
                tails[place] += p * (F(1, 2) - start)
                errors[place] += p * (F(1, 4) - start**2) / 2
                innovations[place] += p * z * (F(1, 2) - start)
        stated = {
            "overload": law.exactly("overload", tails=tails),
            "squares": law.exactly("squares", tails=tails, cells=cells),
            "cross": law.exactly("cross", error_parts=errors, cells=cells),
            "pull": law.exactly("pull", innovation_parts=innovations, cells=cells),
        }
        found = _by_outcome(ratio)
        for label, name in (
            ("overloads", "overload"),
            ("squared cells", "squares"),
            ("error by cell", "cross"),
            ("innovation by cell", "pull"),
        ):
            yield eq(f"{label} of a symmetric law", found[name], stated[name], witness={"k": ratio})


@judge.adversarial(
    label="largest part of a bound",
    k=3,
    parameters={"k": 3, "alpha": 1, "bounds": ["sub_gaussian", "chebyshev", "excess_gaussian"]},
)
def deviations(law: Law, k: int) -> AdversarialCase:
    """No deviation at which a quadrature exceeds one of the stated bounds."""

    def largest(point: Any) -> float:
        sigma = float(np.exp(np.clip(point[0], -2, 2)))
        overload, square = (
            integrated(partial(function, ratio=k), gaussian(sigma), sigma, k)
            for function in (conditional_overload, conditional_error)
        )
        bounds = [law(name, k=k, spread=sigma) for name in ("sub_gaussian", "chebyshev")]
        excess = law("excess_gaussian", k=k, squares=_stated(law, sigma, k, 1.0).squares)
        return max(*(overload / bound for bound in bounds), (square - 1 / 12) / excess)

    return AdversarialCase(
        lambda points: np.array([largest(point) for point in points]),
        lambda points: np.ones(len(points)),
        1,
        scale_invariant=False,
        budget=60,
    )


# ---------------------------------------------------------------- samples


def _pairs(rng: np.random.Generator, size: int, sigma: float) -> tuple[Any, Any, Any]:
    """Return gradients of random phase, side information and dithers, each (size, COPIES)."""
    g = rng.uniform(-8, 8, (size, COPIES))
    return g, g - sigma * rng.standard_normal(g.shape), draw_dither(rng, g.shape)


def _overloads(law: Law, sigma: float, k: int, alpha: float) -> MonteCarloCase:
    """Sampled overloads."""
    codec = law.link(k, alpha).codec

    def sample(rng: np.random.Generator, size: int) -> Any:
        g, y, u = _pairs(rng, size, sigma)
        return codec.overloads(g, Draws(shared=u), y).mean(axis=-1)

    return MonteCarloCase("eq", sample, _stated(law, sigma, k, alpha).overload, upper=1.0)


def _errors(law: Law, sigma: float, k: int, alpha: float) -> MonteCarloCase:
    """Sampled errors."""
    link, cap = law.link(k, alpha), (alpha * (k * MOST_CELLS + 0.5)) ** 2

    def sample(rng: np.random.Generator, size: int) -> Any:
        g, y, u = _pairs(rng, size, sigma)
        return np.minimum(link.errors(g, y, u) ** 2, cap).mean(axis=-1)

    return MonteCarloCase("eq", sample, _stated(law, sigma, k, alpha).mse, upper=cap)


def _sampled(kind: str, label: str, case: Any, quick: tuple[str, ...], full: tuple[str, ...]) -> None:
    named = {
        name: {f"{kind}-{key}": INSTANCES[key] for key in keys}
        for name, keys in (("quick", quick), ("full", full))
    }
    judge.montecarlo(label=label, instances=named["quick"])(case)
    judge.montecarlo(label=label, instances=named["full"], profile="full")(case)


_sampled("overload", "overload probability", _overloads, ("ratio-2",), ("ratio-5",))
_sampled(
    "error", "mean square", _errors, ("ratio-2",), ("ratio-5", "gain-0.9", "deviation-0.5", "deviation-0.3")
)
