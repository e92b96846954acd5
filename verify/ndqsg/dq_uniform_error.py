"""Checks of `ndqsg/dq-uniform-error`: the law of the error on finite dithers, by sampling and along a run."""

from collections.abc import Iterable, Mapping
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, Draws
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.ndqsg.dithered_run import arms_of, dithered_run
from verify.ndqsg.sabotaged_dither import (
    FloorIndex,
    HalfWidth,
    NineTenthsWidth,
    StochasticRounding,
    WidthTwo,
    WrongSign,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.rungs.uniformity_case import BATCH, UniformityCase

ID = "ndqsg/dq-uniform-error"
SABOTAGED: Mapping[str, type[DitheredQuantizer]] = {
    "stochastic-rounding": StochasticRounding,
    "half-width": HalfWidth,
    "width-nine-tenths": NineTenthsWidth,
    "wrong-sign": WrongSign,
    "floor": FloorIndex,
    "width-two": WidthTwo,
}
EXACT = ("stochastic-rounding", "half-width", "wrong-sign", "floor", "width-two")
ADVERSARIAL = ("stochastic-rounding", "half-width", "width-nine-tenths", "wrong-sign")
SAMPLED = ("stochastic-rounding", "half-width", "width-nine-tenths", "floor")
POINTS = (2, 3, 4, 16)
INPUTS = (F(0), F(1, 2), F(1, 4), F(-1, 2), F(1, 3), F(-2, 7), F(17, 5), F(1, 8))
# A point of the grid, cell edges, a quarter, irrational numbers, far out.
SAMPLED_INPUTS = (0, 0.5, 0.25, -0.5, 1, 2**0.5, np.pi, -np.e, 1 / 3, 0.1, 1000.3, 2**20 + 1 / 7)
SHIFT = 5
GRID, PERIODS = 16, 4
"""Points of the dither of the search, and how many cells it looks at."""
ROUND_OFF = 1e-12
"""For the mean of 16 squares below 1 of errors good to 1e-15, by a thousand times."""
SAMPLES = 2**20
"""Samples at each input in the full profile."""


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=1.0),
        _exact(),
        _adversarial(),
        _sampled(),
        _many_samples(),
        _run(),
    )


def stated(name: str) -> Any:
    """Return a number of the claim, exactly."""
    return rational(theory.claim(ID).expressions[name])


# ---------------------------------------------------------------- all dithers


def errors(kind: type[DitheredQuantizer], x: F, points: int) -> list[F]:
    """Return the errors of all dithers at an input in units of the step, sorted."""
    codec = kind(1, scale=1, points=points)
    return sorted(codec.reference([x], draws)[0] - x for _, draws in codec.outcomes([x]))


def distance_from_uniform(values: list[F]) -> F:
    """Return the largest distance of the distribution function of equal weights from the uniform one."""
    n, half = len(values), F(1, 2)
    claimed = [max(F(0), min(F(1), value + half)) for value in values]
    return max(max(F(i + 1, n) - u, u - F(i, n)) for i, u in enumerate(claimed))


def compare_law(kind: type[DitheredQuantizer], shift: int = 0) -> Iterable[Comparison]:
    """N points: the law is within 1/N of the uniform one, its variance the stated one but for 1 - N^-2."""
    for points in POINTS:
        for x in INPUTS:
            found, witness = errors(kind, x + shift, points), {"x": x + shift, "points": points}
            n = len(found)
            largest = max(map(abs, found))
            yield Comparison("largest error", "le", largest, stated("bound"), witness=witness, headline=True)
            away = distance_from_uniform(found)
            yield Comparison("distance from uniform", "le", away, F(1, points), witness=witness)
            mean = sum(found) / n
            variance = sum((e - mean) ** 2 for e in found) / n
            claimed = stated("exact") * (1 - F(1, points**2))
            yield Comparison("variance", "eq", variance, claimed, witness=witness)
    yield from compare_fourth(kind, shift)


def compare_fourth(kind: type[DitheredQuantizer], shift: int) -> Iterable[Comparison]:
    """At the symmetric input 0 the fourth moment is that of the grid: 1/80 but for lower orders."""
    points = 64
    found = errors(kind, F(shift), points)
    fourth = sum(e**4 for e in found) / len(found)
    claimed = stated("fourth_moment") - F(1, 24 * points**2) + F(7, 240 * points**4)
    yield Comparison("fourth moment at 0", "eq", fourth, claimed, witness={"points": points})


def compare_alphabet(kind: type[DitheredQuantizer]) -> Iterable[Comparison]:
    """Indices of the largest inputs within the scale do not exceed M."""
    for levels in (1, 3):
        codec = kind(levels, points=8)
        for x in ([F(1)], [F(-1)]):
            found = [codec.reference_symbols(x, draws)[0] for _, draws in codec.outcomes(x)]
            yield Comparison("largest index", "le", max(map(abs, found)), levels, witness={"x": x})


def compare(kind: type[DitheredQuantizer], shift: int = 0) -> Iterable[Comparison]:
    """Hold law and alphabet against the claim."""
    yield from compare_law(kind, shift)
    yield from compare_alphabet(kind)


def _exact() -> Check:
    mutants = {name: ExactCase(partial(compare, SABOTAGED[name])) for name in EXACT}
    mutants["shifted-input"] = ExactCase(partial(compare, DitheredQuantizer, SHIFT))
    parameters = {"points": POINTS, "x": INPUTS}
    base = ExactCase(partial(compare, DitheredQuantizer))
    return Check("exact", "all-dithers", base, parameters, mutants, seconds=0.6)


# ---------------------------------------------------------------- search for the worst input


def _search(kind: type[DitheredQuantizer]) -> AdversarialCase:
    codec = kind(1, scale=1.0, points=GRID)
    dither = (2 * np.arange(GRID) + 1 - GRID) / (2 * GRID)

    def value(inputs: Any) -> Any:
        # The error has the period 1; far out its round-off would be that of the input.
        x = np.broadcast_to(np.asarray(inputs)[:, :1] % PERIODS, (len(inputs), GRID))
        found = codec.compress(x, Draws(shared=np.broadcast_to(dither, x.shape))) - x
        # N points have the factor 1 - N^-2, whatever the input, by `ndqsg/dither-finite`.
        return np.abs(found.var(axis=-1) / (1 - GRID**-2) - float(stated("exact")))

    return AdversarialCase(
        value,
        lambda inputs: np.full(len(inputs), ROUND_OFF),
        dim=1,
        starts=([0.5], [0.25], [1 / (2 * GRID)]),
        scale_invariant=False,
        budget=400,
    )


def _adversarial() -> Check:
    mutants = {name: Lazy(partial(_search, SABOTAGED[name])) for name in ADVERSARIAL}
    parameters = {"points": GRID, "value": "|Var e - 1/12|", "bound": ROUND_OFF}
    base = Lazy(partial(_search, DitheredQuantizer))
    return Check("adversarial", "variance", base, parameters, mutants, seconds=0.5)


# ---------------------------------------------------------------- sampling


def _uniformity(kind: type[DitheredQuantizer], shift: int = 0, batches: int = 4) -> UniformityCase:
    codec = kind(1, scale=1.0)
    x = np.array(SAMPLED_INPUTS) + shift

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        batch = np.broadcast_to(x, (size, len(x)))
        found = codec.compress(batch, codec.draw(rng, batch.shape)) - batch
        return [(column, None) for column in found.T]

    return UniformityCase(sample, batches=batches)


def _sampled() -> Check:
    mutants = {name: Lazy(partial(_uniformity, SABOTAGED[name]), tests=1) for name in SAMPLED}
    mutants["shifted-input"] = Lazy(partial(_uniformity, DitheredQuantizer, SHIFT), tests=1)
    parameters = {"x": SAMPLED_INPUTS, "points": 2**24}
    base = Lazy(partial(_uniformity, DitheredQuantizer), tests=1)
    return Check("montecarlo", "twelve-inputs", base, parameters, mutants, seconds=0.4)


def _many_samples() -> Check:
    base = Lazy(partial(_uniformity, DitheredQuantizer, batches=SAMPLES // BATCH), tests=1)
    parameters = {"x": SAMPLED_INPUTS, "samples": SAMPLES}
    return Check("montecarlo", "a-million-each", base, parameters, {}, seconds=3.0, profile="full")


# ---------------------------------------------------------------- a run


def _along_run(kind: type[DitheredQuantizer]) -> UniformityCase:
    levels = 2

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        trace = dithered_run(kind(levels), rng)
        return arms_of(trace.errors(levels), trace.gradients)

    return UniformityCase(sample, batches=1)


def _run() -> Check:
    names = ("stochastic-rounding",)
    mutants = {name: Lazy(partial(_along_run, SABOTAGED[name]), tests=1) for name in names}
    parameters = {"M": 2, "workers": 4, "d": 16, "iterations": 200}
    base = Lazy(partial(_along_run, DitheredQuantizer), tests=1)
    return Check("run", "normalised-errors", base, parameters, mutants, seconds=0.5)
