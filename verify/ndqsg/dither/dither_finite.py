"""Checks of `ndqsg/dither-finite`: all dithers in rationals, the 24-bit grid in float64, sampling."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import Rational

from impl.compressors import DitheredQuantizer, Draws
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ORACLE, ROUND_OFF, Comparison
from verify.ndqsg.fixtures.dithers import (
    BITS,
    INPUTS,
    errors_at,
    grid_chunks,
    mean_and_variance,
    uniformity_at,
)
from verify.ndqsg.fixtures.sabotaged_dither import FourBits, LeftAligned, OnePoint
from verify.rungs.uniformity_case import UniformityCase

SMALL, LARGE = (2, 3, 4, 16), (64, 256)
FEWER = (*((N, INPUTS) for N in SMALL), *((N, INPUTS[7:12]) for N in LARGE))

judge = checks_of("ndqsg/dither-finite", quantizer=DitheredQuantizer)


judge.sabotage(
    "left-aligned at exact/all-dithers, exact/many-points: The points $\\frac jN-\\frac12$: the mean is off "
    "by $\\frac1{2N}$, at $N=4$, $x=0$ by $\\frac18$.",
    {"quantizer": LeftAligned},
    "one-point at exact/all-dithers, exact/many-points, montecarlo/24-bits: One point only: plain rounding, "
    "without variance.",
    {"quantizer": OnePoint},
    "four-bits at montecarlo/24-bits, exact/many-points: Sixteen points where many are claimed.",
    {"quantizer": FourBits},
)
judge.sabotage_data(
    "shifted-input, neutral at exact/all-*: Shift the input by whole steps: nothing may change.",
    lambda cases: {"cases": [(N, tuple(x + 3 for x in inputs)) for N, inputs in cases]},
)


@judge.exact(
    instance="many-points",
    cases=tuple((N, INPUTS) for N in LARGE),
    parameters={"points": LARGE, "x": INPUTS},
    profile="full",
)
@judge.exact(instance="all-dithers", cases=FEWER, parameters={"points": SMALL + LARGE, "x": INPUTS})
def all_dithers(law: Law, cases: Sequence[tuple[int, Sequence[F]]]) -> Iterable[Comparison]:
    """Mean and variance over all dithers, and the two bounds."""
    for N, x in ((N, x) for N, inputs in cases for x in inputs):
        mean, variance = mean_and_variance(errors_at(law.quantizer(1, scale=1, points=N), x))
        shown: dict[str, Any] = {"witness": {"x": x, "points": N}}
        yield eq("mean", mean, law.exactly("mean", N=N, x=x), **shown)
        yield eq("variance", variance, law.exactly("exact", N=N), **shown)
        yield le("largest mean", abs(mean), law.exactly("mean_bound", N=N), **shown)
        square = variance + mean**2
        yield le("mean square", square, law.exactly("bound", N=N), **shown, headline=True)


@judge.exact(instance="far-out", x=2**20 + 0.7, profile="full")
@judge.exact(instance="third", x=1 / 3)
def whole_grid(law: Law, x: float) -> Iterable[Comparison]:
    """Mean and variance over all 2^24 dithers in double precision."""
    codec, sums, squares, count = law.quantizer(1, scale=1.0), [], [], 2**BITS
    for u in grid_chunks():
        error = codec.compress(np.full(len(u), x), Draws(shared=u)) - x
        sums.append(math.fsum(error.reshape(-1, 64).sum(axis=1)))  # all but 2e-8 cancels
        squares.append(float((error**2).sum()))
    mean, square = math.fsum(sums) / count, math.fsum(squares) / count
    # The float itself is the input, and the mean is 2e-8 of errors that are good to 1e-16.
    yield eq("mean", mean, float(law.exactly("mean", N=count, x=Rational(x))), ORACLE)
    variance = square - mean**2
    yield eq("variance", variance, float(law.exactly("exact", N=count)), ROUND_OFF, headline=True)


@judge.montecarlo(instance="24-bits", label="uniform at 24 bits", x=(0.0, 1 / 3, 0.7))
def sampled(law: Law, x: Sequence[float]) -> UniformityCase:
    """Errors of the sampler at three inputs."""
    return uniformity_at(law.quantizer(1, scale=1.0), x, batches=6)
