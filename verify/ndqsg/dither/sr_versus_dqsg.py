"""Checks of `ndqsg/sr-versus-dqsg`: all dithers, quantile vectors, search, sampling, a run."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, StochasticQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.expectation.rational_norm import rational_norm
from verify.ndqsg.fixtures.dithers import errors_at, grid_factor, mean_and_variance
from verify.ndqsg.fixtures.literal.rounded_vectors import VECTORS, D, rounding_variance, vector
from verify.ndqsg.fixtures.runs.dithered_run import dithered_run
from verify.ndqsg.fixtures.sabotaged_dither import FloorIndex, StochasticRounding
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase


def _instance(g: str, M: int, points: int) -> dict[str, Any]:
    return {"g": tuple(map(F, g.split())), "M": M, "points": points}


_FOUR, _SIX = "3 -1 1/2 0", "1/3 -2/3 1 1/7 0 -5/6"
# Levels, and a number of dithers for which all phases are multiples of their spacing.
INSTANCES = {
    "four-one-level": _instance(_FOUR, 1, 6),
    "four-two-levels": _instance(_FOUR, 2, 6),
    "four-three-levels": _instance(_FOUR, 3, 6),
    "six-one-level": _instance(_SIX, 1, 42),
    "six-two-levels": _instance(_SIX, 2, 42),
    "half-steps": _instance("1 1/2 -1/2 1/2", 1, 2),
    "grid-point": _instance("1 0 0 -1", 1, 2),
}
SPARSE = tuple([1.0, -0.7, 0.2, 0.85] + [0.0] * 28)
_EXACT = tuple(f"exact/{name}" for name in INSTANCES)
_ZEROS = tuple(name for name in _EXACT if name != "exact/half-steps")

judge = checks_of(
    "ndqsg/sr-versus-dqsg",
    rounding=StochasticRounding,
    coordinates=lambda g: len(g),
    qsgd=StochasticQuantizer,
    variance=rounding_variance,
)


class RoundedDown(StochasticRounding):
    """Its index is rounded down."""

    def index(self, x: Any, kappa: Any, u: Any) -> Any:
        return FloorIndex.index(self, x, kappa, u)  # type: ignore[arg-type]


judge.sabotage(
    "average-phase at montecarlo/rounding: Use the average $\\frac{\\delta^2}6$ for every coordinate of "
    "stochastic rounding. | exact = dqsg * 2",
    at=_EXACT,
)
judge.sabotage(
    "forget-zeros at exact/sparse, montecarlo/dithering: Count the nonzero coordinates only in the variance "
    "of DQSG.",
    coordinates=lambda g: int(np.count_nonzero(np.array(g, dtype=float))),
    at=_ZEROS,
)
judge.sabotage(
    "two-fold-bound at exact/half-steps, adversarial/half-steps: Claim at most $2D$ for a coordinate of "
    "stochastic rounding: $\\frac32$ of that at half steps. | bound = bound * 2/3",
)
judge.sabotage(
    "subtracted at montecarlo/rounding, run/*: Subtract the dither after all: the error of a point of the "
    "grid is not 0.",
    {"rounding": DitheredQuantizer},
    "rounded-down: Round the index down.",
    {"rounding": RoundedDown},
    at=_EXACT,
)
judge.sabotage(
    "tenth at exact/euclidean: Claim a tenth of both bounds of QSGD. "
    "| euclidean_fine = euclidean_fine / 10, euclidean_coarse = euclidean_coarse / 10",
    "shifted-parabola at adversarial/grid-points: Errors also on the grid: the parabola is shifted.",
    {"variance": lambda x, M: rounding_variance(x, M) - np.abs(x).max(axis=-1) ** 2 / 16},
)
judge.sabotage_data(
    "reversed-coordinates, neutral: Reverse the order of the coordinates: nothing may change.",
    lambda g, M, points: {"g": g[::-1]},
    at=_EXACT,
)


@judge.exact(instances=INSTANCES)
def all_dithers(law: Law, g: Sequence[F], M: int, points: int) -> Iterable[Comparison]:
    """Both methods over all dithers, coordinate by coordinate; the indices have one law."""
    kappa, size = max(map(abs, g)), len(g)
    rounding, dithering = (kind(M, scale=kappa, points=points) for kind in (law.rounding, DitheredQuantizer))
    found = sum((p * e**2 for x in g for p, e in errors_at(rounding, x)), F(0))
    stated = law.exactly("exact", g=g, kappa=kappa, M=M, d=size)
    yield eq("stochastic rounding", found, stated)
    yield le("at most the bound", found, law.exactly("bound", kappa=kappa, M=M, d=size), headline=True)
    # On N points the variance has the factor 1 - N^-2, and the mean is 0 or half a spacing at a tie.
    variance = sum((mean_and_variance(errors_at(dithering, x))[1] for x in g), F(0))
    claimed = law.exactly("dqsg", kappa=kappa, M=M, d=law.coordinates(g))
    yield eq("dithering", variance, claimed * grid_factor(law, points))
    if M == 1:
        yield eq("one level", stated, law.exactly("one_level", g=g, kappa=kappa, d=size))
    for codec, x in ((codec, x) for codec in (rounding, dithering) for x in g):
        level = M * x / kappa
        outcomes = ((p, codec.reference_symbols([x], draws)[0]) for p, draws in codec.outcomes([x]))
        up = sum((p * (index > math.floor(level)) for p, index in outcomes), F(0))
        yield eq("probability of rounding up", up, level % 1, witness={"level": level})


@judge.exact(norm=(7, 9))
def euclidean(law: Law, norm: Sequence[int]) -> Iterable[Comparison]:
    """QSGD by its own implementation: the closed form, and its two bounds."""
    for g, s in ((g, s) for g in ((2, 3, 6), (1, 4, 8), (-2, 6, 3)) for s in (1, 2, 3, 5)):
        x, length, shown = [F(item) for item in g], rational_norm(g), {"g": g, "s": s}
        values = {"norm": length, "s": s, "d": len(x)}
        found = law.qsgd([F(1, s)] * len(x)).variance(x)
        yield eq("QSGD", found, law.exactly("euclidean", g=x, **values), witness=shown)
        yield le("fine bound", found, law.exactly("euclidean_fine", **values), witness=shown)
        limit = law("euclidean_coarse", norm=float(length), s=s, d=len(x))
        yield le("coarse bound", float(found), limit, ROUND_OFF, witness=shown)


@judge.exact(
    instance="quantiles",
    vectors=tuple(VECTORS),
    M=(1, 3),
    parameters={"vectors": tuple(VECTORS), "d": D, "M": (1, 3)},
    profile="full",
)
@judge.exact(
    instance="sparse", vectors=("sparse",), M=(1,), parameters={"vectors": ("sparse",), "d": D, "M": (1,)}
)
def quantiles(law: Law, vectors: Sequence[str], M: Sequence[int]) -> Iterable[Comparison]:
    """Closed forms on the quantile vectors; DQSG by the oracle of the codec, rounding by counting phases."""
    for name, levels in ((name, levels) for name in vectors for levels in M):
        x, shown = vector(name), {"vector": name, "M": levels}
        norm, kappa = float((x**2).sum()), float(np.abs(x).max())
        stated = law("exact", g=x, kappa=kappa, M=levels, d=len(x)) / norm
        counted = float(rounding_variance(x, levels)) / norm
        yield eq("stochastic rounding", counted, stated, ROUND_OFF, witness=shown)
        claimed = law("dqsg", kappa=kappa, M=levels, d=law.coordinates(x)) / norm
        oracle = DitheredQuantizer(levels).variance(x) / norm
        yield eq("dithering", oracle, claimed, ROUND_OFF, witness=shown, headline=True)


@judge.adversarial(instance="half-steps", label="half steps", d=16, M=1)
def search(law: Law, d: int, M: int) -> AdversarialCase:
    """The gradient for which rounding is worst."""
    unit, worst = law("bound", kappa=1.0, M=M, d=d), np.r_[1.0, np.full(d - 1, 0.5)]
    return AdversarialCase(
        lambda inputs: rounding_variance(inputs, M),
        lambda inputs: unit * np.abs(np.asarray(inputs)).max(axis=-1) ** 2,
        dim=d,
        starts=(worst,),
        budget=400,
    )


@judge.adversarial(instance="grid-points", label="grid points", d=8, M=2)
def search_below(law: Law, d: int, M: int) -> AdversarialCase:
    """What DQSG has more than stochastic rounding is at most all of its variance: on points of the grid."""
    unit = law("dqsg", kappa=1.0, M=M, d=d)

    def dithered(inputs: Any) -> Any:
        return unit * np.abs(np.asarray(inputs)).max(axis=-1) ** 2

    return AdversarialCase(
        lambda inputs: dithered(inputs) - law.variance(np.asarray(inputs), M),
        dithered,
        dim=d,
        starts=(np.r_[1.0, 0.5, -0.5, np.zeros(d - 3)],),
        budget=400,
    )


def _sampling(codec: DitheredQuantizer, g: Sequence[float], value: float, upper: float) -> MonteCarloCase:
    x = np.array(g)

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.broadcast_to(x, (size, len(x)))
        return ((codec.compress(batch, codec.draw(rng, batch.shape)) - x) ** 2).sum(axis=-1)

    return MonteCarloCase("eq", sample, value, upper=upper, resolution=0.02)


@judge.montecarlo(instance="rounding", label="sampled rounding", g=SPARSE, M=1)
def sampled(law: Law, g: Sequence[float], M: int) -> MonteCarloCase:
    """Stochastic rounding; off by less than a step each, or half of one where the dither is subtracted."""
    value = law("exact", g=np.array(g), kappa=1.0, M=M, d=len(g))
    upper = float(len(g) if law.rounding is DitheredQuantizer else 4)
    return _sampling(law.rounding(M), g, value, upper)


@judge.montecarlo(instance="dithering", label="sampled dithering", g=SPARSE, M=1)
def sampled_dithered(law: Law, g: Sequence[float], M: int) -> MonteCarloCase:
    """DQSG."""
    value = law("dqsg", kappa=1.0, M=M, d=law.coordinates(g))
    return _sampling(DitheredQuantizer(M), g, value, float(len(g)))


@judge.samples(
    label="both methods",
    d=64,
    M=2,
    workers=4,
    parameters={"d": 64, "M": 2, "workers": 4, "methods": "both, from the same start"},
)
def both_methods(law: Law, d: int, M: int, workers: int) -> MonteCarloCase:
    """Errors of both methods, each less its stated value given the gradient, in units of the bound: mean 0.

    Both run from one start with one stream, side by side; a sample is the mean of the two.
    """
    unit = law("dqsg", kappa=1.0, M=M, d=d)

    def surprise(codec: DitheredQuantizer, rng: np.random.Generator, size: int, rounded: bool) -> Any:
        trace = dithered_run(codec, rng, iterations=size // (4 * workers), workers=workers, d=d)
        found = ((trace.decoded - trace.gradients) ** 2).sum(axis=-1)
        claimed = rounding_variance(trace.gradients, M) if rounded else unit * trace.scales[..., 0] ** 2
        return ((found - claimed) / (d * trace.scales[..., 0] ** 2 / (4 * M**2))).ravel()

    def sample(rng: np.random.Generator, size: int) -> Any:
        seed = int(rng.integers(2**63))
        streams = [np.random.Generator(np.random.Philox(seed)) for _ in range(2)]
        ours = surprise(law.rounding(M), streams[0], size, rounded=True)
        return (ours + surprise(DitheredQuantizer(M), streams[1], size, rounded=False)) / 2

    # An error is less than a step, four times the bound, and half a step with the dither subtracted.
    return MonteCarloCase("eq", sample, 0.0, lower=-1.0, upper=2.5, tolerance=0.02)
