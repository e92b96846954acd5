"""Checks of `ndqsg/nested-overload`: stated sums against quadrature, bounds on both, and sampled messages."""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors.contract import Draws
from impl.compressors.dither_stream import draw_dither
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF as QUADRATURE
from verify.comparison import Comparison
from verify.evaluation import evaluate
from verify.ndqsg.nested_links import Link
from verify.ndqsg.nested_overload_oracle import (
    OverloadMoments,
    conditional_error,
    conditional_overload,
    gaussian,
    integrated,
    moments,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/nested-overload"
INSTANCES = {
    "deviation-0.3": (0.3, 3, 1.0),
    "deviation-0.5": (0.5, 3, 1.0),
    "ratio-5": (1.0, 5, 1.0),
    "gain-0.9": (0.5, 3, 0.9),
    "ratio-2": (0.5, 2, 1.0),
}
COPIES = 128
MOST_CELLS = 1
"""Sampled errors are cut off beyond this many cells, which takes less than 1e-5 off their mean square."""


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_exact(name, *values) for name, values in INSTANCES.items()),
        _searched(),
        _sampled_overload("ratio-2", "quick"),
        _sampled_error("ratio-2", "quick"),
        _sampled_overload("ratio-5", "full"),
        *(_sampled_error(name, "full") for name in ("ratio-5", "gain-0.9", "deviation-0.5", "deviation-0.3")),
    )


def claimed(sigma: float, ratio: int, alpha: float, mutant: str) -> OverloadMoments:
    """Return the stated moments, or those of a mutant of the formulas."""
    found = moments(sigma, ratio, alpha)
    if mutant == "innovation-alone":
        return replace(found, overload=math.erfc(ratio / (2 * alpha * sigma) / math.sqrt(2)))
    if mutant == "no-cross-term":
        return _with(found, sigma, ratio, alpha, cross=0.0)
    if mutant == "one-cell":
        return moments(sigma, ratio, alpha, cells=1)
    if mutant == "variance-given-success":
        return _with(found, sigma, ratio, alpha, squares=0.0, cross=0.0, pull=0.0)
    return found


def _with(
    found: OverloadMoments, sigma: float, ratio: int, alpha: float, **changed: float
) -> OverloadMoments:
    names = {"squares": found.squares, "cross": found.cross, "pull": found.pull} | changed
    values = {"alpha": alpha, "sigma": sigma, "k": ratio, **names}
    return replace(found, mse=evaluate(theory.claim(ID).expressions["exact"], values), **changed)


SEEN = {
    "deviation-0.3": ("innovation-alone", "no-cross-term", "variance-given-success"),
    "ratio-2": ("innovation-alone", "no-cross-term", "one-cell", "variance-given-success"),
}
"""Mutants of an instance; all but `one-cell`, which is below 1e-12 there, where an instance is not named."""


def _exact(name: str, sigma: float, ratio: int, alpha: float) -> Check:
    def case(mutant: str = "", sign: int = 1) -> ExactCase:
        return ExactCase(partial(compare, sigma, ratio, alpha, mutant, sign))

    names = SEEN.get(name, ("innovation-alone", "no-cross-term", "variance-given-success"))
    mutants = {key: case(key) for key in names} | {"reflected": case(sign=-1)}
    parameters = {"sigma": sigma, "k": ratio, "alpha": alpha}
    return Check("exact", name, case(), parameters, mutants, seconds=0.1)


def compare(sigma: float, ratio: int, alpha: float, mutant: str, sign: int) -> Iterable[Comparison]:
    """Compare the sums with quadrature of the law for given innovations, and with the stated bounds."""
    found = claimed(sigma, ratio, alpha, mutant)
    witness = {"sigma": sigma, "k": ratio, "alpha": alpha}

    def mean(function: Callable[..., Any]) -> float:
        return integrated(lambda z: function(sign * z, ratio, alpha), gaussian(sigma), sigma, ratio, alpha)

    square, overload = mean(conditional_error), mean(conditional_overload)
    yield Comparison("mean square", "eq", square, found.mse, QUADRATURE, witness, headline=True)
    yield Comparison("overload probability", "eq", overload, found.overload, QUADRATURE, witness)
    formulas = theory.claim(ID).formulas
    for name in ("sub_gaussian", "chebyshev"):
        bound = evaluate(formulas[name], {"k": ratio, "spread": alpha * sigma})
        yield Comparison(f"overload, {name} bound", "le", overload, bound, QUADRATURE, witness)
    if alpha == 1:
        values = {"k": ratio, "squares": found.squares}
        low, high = (evaluate(formulas[name], values) for name in ("excess_low", "excess_gaussian"))
        yield Comparison("least excess", "le", low, square - 1 / 12, QUADRATURE, witness)
        yield Comparison("largest excess", "le", square - 1 / 12, high, QUADRATURE, witness)
        widest = evaluate(formulas["excess_high"], values)
        yield Comparison("largest excess for any law", "le", high, widest, QUADRATURE, witness)


def _searched() -> Check:
    """No deviation at which a quadrature exceeds one of the stated bounds."""
    formulas = theory.claim(ID).formulas
    ratio = 3

    def largest(point: Any) -> float:
        sigma = float(np.exp(np.clip(point[0], -2, 2)))
        overload, square = (
            integrated(partial(function, ratio=ratio), gaussian(sigma), sigma, ratio)
            for function in (conditional_overload, conditional_error)
        )
        bounds = [
            evaluate(formulas[name], {"k": ratio, "spread": sigma}) for name in ("sub_gaussian", "chebyshev")
        ]
        squares = moments(sigma, ratio).squares
        excess = evaluate(formulas["excess_gaussian"], {"k": ratio, "squares": squares})
        return max(*(overload / bound for bound in bounds), (square - 1 / 12) / excess)

    base = AdversarialCase(
        lambda points: np.array([largest(point) for point in points]),
        lambda points: np.ones(len(points)),
        1,
        scale_invariant=False,
        budget=60,
    )
    parameters = {"k": ratio, "alpha": 1, "bounds": ["sub_gaussian", "chebyshev", "excess_gaussian"]}
    return Check("adversarial", "deviations", base, parameters, seconds=0.5)


def _pairs(rng: np.random.Generator, size: int, sigma: float) -> tuple[Any, Any, Any]:
    """Return gradients of random phase, side information and dithers, each (size, COPIES)."""
    g = rng.uniform(-8, 8, (size, COPIES))
    return g, g - sigma * rng.standard_normal(g.shape), draw_dither(rng, g.shape)


def _sampled_overload(name: str, profile: Any) -> Check:
    sigma, ratio, alpha = INSTANCES[name]

    def case(mutant: str = "") -> MonteCarloCase:
        codec = Link(ratio, alpha).codec

        def sample(rng: np.random.Generator, size: int) -> Any:
            g, y, u = _pairs(rng, size, sigma)
            return codec.overloads(g, Draws(shared=u), y).mean(axis=-1)

        return MonteCarloCase("eq", sample, claimed(sigma, ratio, alpha, mutant).overload, upper=1.0)

    mutants = {"innovation-alone": Lazy(partial(case, "innovation-alone"), tests=1)}
    parameters = {"sigma": sigma, "k": ratio, "alpha": alpha}
    base = Lazy(case, tests=1)
    shown = mutants if profile == "quick" else {}
    return Check("montecarlo", f"overload-{name}", base, parameters, shown, seconds=1.0, profile=profile)


def _sampled_error(name: str, profile: Any) -> Check:
    sigma, ratio, alpha = INSTANCES[name]

    def case(mutant: str = "") -> MonteCarloCase:
        link, cap = Link(ratio, alpha), (alpha * (ratio * MOST_CELLS + 0.5)) ** 2

        def sample(rng: np.random.Generator, size: int) -> Any:
            g, y, u = _pairs(rng, size, sigma)
            return np.minimum(link.errors(g, y, u) ** 2, cap).mean(axis=-1)

        return MonteCarloCase("eq", sample, claimed(sigma, ratio, alpha, mutant).mse, upper=cap)

    names = ("no-cross-term", "variance-given-success")
    mutants = {key: Lazy(partial(case, key), tests=1) for key in names}
    parameters = {"sigma": sigma, "k": ratio, "alpha": alpha}
    base = Lazy(case, tests=1)
    shown = mutants if profile == "quick" else {}
    return Check("montecarlo", f"error-{name}", base, parameters, shown, seconds=1.0, profile=profile)
