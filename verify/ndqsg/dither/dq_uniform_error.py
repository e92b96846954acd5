"""Checks of `ndqsg/dq-uniform-error`: the law of the error on finite dithers, by sampling and along a run."""

import functools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, Draws
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import DRIFT, Comparison
from verify.ndqsg.fixtures.dithers import errors_at, grid_factor, mean_and_variance, uniformity_at
from verify.ndqsg.fixtures.runs.dithered_run import arms_of, dithered_run
from verify.ndqsg.fixtures.sabotaged_dither import (
    FloorIndex,
    HalfWidth,
    NineTenthsWidth,
    StochasticRounding,
    WidthTwo,
    WrongSign,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.uniformity_case import BATCH, UniformityCase

POINTS = (2, 3, 4, 16)
INPUTS = (F(0), F(1, 2), F(1, 4), F(-1, 2), F(1, 3), F(-2, 7), F(17, 5), F(1, 8))
# A point of the grid, cell edges, a quarter, irrational numbers, far out.
SAMPLED = (0, 0.5, 0.25, -0.5, 1, 2**0.5, np.pi, -math.e, 1 / 3, 0.1, 1000.3, 2**20 + 1 / 7)
PERIODS = 4
"""How many cells the search looks at."""
TOLERANCE = 1e-12
"""For the mean of 16 squares below 1 of errors good to 1e-15, by a thousand times."""
SAMPLES = 2**20
"""Samples at each input in the full profile."""
WIDTHS = {F(1): DitheredQuantizer, F(2): WidthTwo, F(1, 2): HalfWidth, F(9, 10): NineTenthsWidth}

judge = checks_of("ndqsg/dq-uniform-error", quantizer=DitheredQuantizer, part=1)


judge.sabotage(
    "stochastic-rounding at adversarial/*, run/*, exact/all-dithers, montecarlo/*: Do not subtract the "
    "dither: $Q(x+u)-x$; at $x=0$ the error is 0.",
    {"quantizer": StochasticRounding},
    "half-width at adversarial/*, exact/all-dithers, montecarlo/*: A dither of half width: at $x=\\frac14$ "
    "the mean square is nominal, elsewhere it is not.",
    {"quantizer": HalfWidth},
    "width-nine-tenths at adversarial/*, montecarlo/*: A dither of width $\\frac9{10}$.",
    {"quantizer": NineTenthsWidth},
    "wrong-sign at adversarial/*, exact/all-dithers: Decode $q+u$ instead of $q-u$.",
    {"quantizer": WrongSign},
    "floor at exact/all-dithers, montecarlo/*: Round down instead of to the nearest integer: bias "
    "$-\\frac12$.",
    {"quantizer": FloorIndex},
    "width-two at exact/all-dithers: A dither of width 2: the error is uniform all the same, only the index "
    "exceeds $M$.",
    {"quantizer": WidthTwo},
    "half-the-sum at exact/triangular: Halve the sum of two dithers: triangular, but of width 1. "
    "| part = 1 / 2",
)
judge.sabotage_data(
    "shifted-input, neutral at montecarlo/*, exact/all-dithers: Shift the input by whole steps: nothing may "
    "change.",
    lambda x, **_: {"x": tuple(item + 5 for item in x)},
)


def distance_from_uniform(values: Sequence[F]) -> F:
    """Return the largest distance of the distribution function of equal weights from the uniform one."""
    n, half = len(values), F(1, 2)
    claimed = [max(F(0), min(F(1), value + half)) for value in values]
    return max(max(F(i + 1, n) - u, u - F(i, n)) for i, u in enumerate(claimed))


@judge.exact(x=INPUTS, parameters={"points": POINTS, "x": INPUTS})
def all_dithers(law: Law, x: Sequence[F]) -> Iterable[Comparison]:
    """N points: the law is within 1/N of the uniform one, its variance the stated one but for 1 - N^-2."""
    for points, at in ((points, at) for points in POINTS for at in x):
        found, shown = errors_at(law.quantizer(1, scale=1, points=points), at), {"x": at, "points": points}
        errors = sorted(e for _, e in found)
        largest = max(map(abs, errors))
        yield le("largest error", largest, law.exactly("bound"), witness=shown, headline=True)
        yield le("distance from uniform", distance_from_uniform(errors), F(1, points), witness=shown)
        claimed = law.exactly("exact") * grid_factor(law, points)
        yield eq("variance", mean_and_variance(found)[1], claimed, witness=shown)
    # Of the midpoint rule: the largest second derivative of the fourth power is 3 in the cell.
    points = 64
    errors = [e for _, e in errors_at(law.quantizer(1, scale=1, points=points), x[0])]
    away = abs(sum(e**4 for e in errors) / points - law.exactly("fourth_moment"))
    yield le("fourth moment at 0", away, F(3, 24 * points**2), witness={"points": points})
    for levels in (1, 3):
        codec = law.quantizer(levels, points=8)
        for end in ([F(1)], [F(-1)]):
            indices = [codec.reference_symbols(end, draws)[0] for _, draws in codec.outcomes(end)]
            yield le("largest index", max(map(abs, indices)), levels, witness={"x": end})


@judge.exact(x=INPUTS, parameters={"points": POINTS, "x": INPUTS})
def triangular(law: Law, x: Sequence[F]) -> Iterable[Comparison]:
    """The sum of two dithers for the dither: errors as of one of them, but a larger index."""
    for points in POINTS:
        one = [F(2 * i + 1 - points, 2 * points) for i in range(points)]
        dithers = [F(law.part) * (u + v) for u in one for v in one]
        for at in x:
            shown = {"x": at, "points": points}
            errors = sorted(math.floor(at + u + F(1, 2)) - u - at for u in dithers)
            away = distance_from_uniform(errors)
            yield le("distance from uniform at the sum of two", away, F(1, points), witness=shown)
            found = mean_and_variance([(F(1, points**2), e) for e in errors])[1]
            claimed = law.exactly("exact") * grid_factor(law, points)
            yield eq("variance at the sum of two", found, claimed, witness=shown)
        for levels in (1, 3):
            largest = max(math.floor(levels + u + F(1, 2)) for u in dithers)
            yield eq("largest index at the sum of two", largest, levels + 1, witness={"points": points})


@judge.exact(width=list(WIDTHS), j=[1, 2, 3])
def fourier(law: Law, width: F, j: int) -> Iterable[Comparison]:
    """Coefficients of the law of the error at 1/3, for dithers of several widths."""
    stated = abs(law("characteristic", j=j, w=float(width)))
    yield eq("Fourier coefficient", 1 + coefficient(width, j), 1 + stated, DRIFT)


@functools.cache  # what changes a formula asks for the same ones
def coefficient(width: F, j: int) -> Any:
    """Return the absolute value of a coefficient at 1/3: by the input it turns, that stays.

    That of N points is larger by 1e-11.
    """
    return abs(np.exp(2j * np.pi * j * _errors(width)).mean())


@functools.lru_cache(maxsize=1)
def _errors(width: F) -> Any:
    N, x = 2**20, 1 / 3
    u = (2 * np.arange(N) + 1 - N) / (2 * N)
    return WIDTHS[width](1, scale=1.0).compress(np.full(N, x), Draws(shared=u)) - x


@judge.adversarial(
    label="variance",
    instance="variance",
    parameters={"points": 16, "value": "|Var e - 1/12|", "bound": TOLERANCE},
    points=16,
)
def search(law: Law, points: int) -> AdversarialCase:
    """The input at which the variance is farthest from the stated one."""
    codec, stated = law.quantizer(1, scale=1.0, points=points), float(law.exactly("exact"))
    dither = (2 * np.arange(points) + 1 - points) / (2 * points)

    def value(inputs: Any) -> Any:
        # The error has the period 1; far out its round-off would be that of the input.
        x = np.broadcast_to(np.asarray(inputs)[:, :1] % PERIODS, (len(inputs), points))
        found = codec.compress(x, Draws(shared=np.broadcast_to(dither, x.shape))) - x
        return np.abs(found.var(axis=-1) / (1 - points**-2) - stated)

    return AdversarialCase(
        value,
        lambda inputs: np.full(len(inputs), TOLERANCE),
        dim=1,
        starts=([0.5], [0.25], [1 / (2 * points)]),
        scale_invariant=False,
        budget=400,
    )


@judge.montecarlo(
    instance="a-million-each",
    label="uniform errors",
    x=SAMPLED,
    batches=SAMPLES // BATCH,
    parameters={"x": SAMPLED, "samples": SAMPLES},
    profile="full",
)
@judge.montecarlo(
    instance="twelve-inputs",
    label="uniform errors",
    x=SAMPLED,
    batches=4,
    parameters={"x": SAMPLED, "points": 2**24},
)
def sampled(law: Law, x: Sequence[float], batches: int) -> UniformityCase:
    """Errors of the sampler at twelve inputs."""
    return uniformity_at(law.quantizer(1, scale=1.0), x, batches)


@judge.samples(
    instance="normalised-errors",
    label="uniform errors",
    parameters={"M": 2, "workers": 4, "d": 16, "iterations": 200},
    M=2,
)
def along_run(law: Law, M: int) -> UniformityCase:
    """Errors of a run in steps, with the previous ones and with the gradients."""

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        trace = dithered_run(law.quantizer(M), rng)
        return arms_of(trace.errors(M), trace.gradients)

    return UniformityCase(sample, batches=1)
