"""Checks of `ndqsg/dqsg-variance`: all dithers in rationals, the worst gradient, samples, a run."""

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.dithers import grid_factor
from verify.ndqsg.fixtures.runs.dithered_run import dithered_run
from verify.ndqsg.fixtures.sabotaged_dither import (
    ClippedValue,
    EuclideanScale,
    NarrowStep,
    SharedCoordinates,
    StochasticRounding,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase


def _instance(g: str, M: int, blocks: Any = None, points: int = 4) -> dict[str, Any]:
    return {"g": tuple(map(F, g.split())), "M": M, "blocks": blocks, "points": points}


INSTANCES = {
    "four-one-level": _instance("3 -1 1/2 0", 1),
    "four-two-levels": _instance("3 -1 1/2 0", 2),
    "four-three-levels": _instance("3 -1 1/2 0", 3),
    "four-two-blocks": _instance("3 -1 1/2 0", 2, (2, 2)),
    "six-two-blocks": _instance("1/3 -2/3 1 1/7 0 -5/6", 2, (2, 4), 2),
    "one-hot": _instance("0 0 -2", 1),
    "constant-modulus": _instance("1 -1 1", 3),
    "norm-7": _instance("2 3 6", 2),
    "zero-block": _instance("0 0 1", 2, (2, 1)),
}

judge = checks_of("ndqsg/dqsg-variance", quantizer=DitheredQuantizer, omega=max)


def _exact(*names: str) -> tuple[str, ...]:
    return tuple(f"exact/{name}" for name in names)


# A vector on the grid is rounded exactly.
judge.sabotage(
    "stochastic-rounding at montecarlo/*, run/*: Do not subtract the dither: the variance depends on the "
    "fractional parts.",
    quantizer=StochasticRounding,
    at=(*_exact("four-one-level", "four-two-*", "norm-7"),),
)
judge.sabotage(
    "narrow-step: The step $\\frac2{2M+1}$ without a wider range: the index overflows at $|x|=1$, clipped "
    "it is biased.",
    quantizer=NarrowStep,
    at=_exact("four-one-level", "four-two-levels", "one-hot", "constant-modulus", "norm-7"),
)
judge.sabotage(
    "clipped-value: Clip the decoded value to $[-\\kappa,\\kappa]$: biased by $-\\frac\\Delta8$ at $x=1$, "
    "with a smaller mean square.",
    quantizer=ClippedValue,
    at=_exact("four-one-level", "four-two-blocks", "one-hot", "constant-modulus", "norm-7"),
)
# Its exact form needs a rational norm.
judge.sabotage(
    "euclidean-scale at montecarlo/*, run/*, exact/norm-7: Scale by $\\|g\\|_2$: the variance grows by "
    "$\\|g\\|_2^2/\\|g\\|_\\infty^2$.",
    {"quantizer": EuclideanScale},
    "average-block at adversarial/two-blocks: Take the average length of a block in $\\omega$ instead of "
    "the largest.",
    {"omega": np.mean},
)
judge.sabotage(
    "shared-coordinates: One dither for all coordinates: only the covariances show it.",
    quantizer=SharedCoordinates,
    at=_exact("four-one-level", "four-two-levels", "norm-7", "constant-modulus"),
)
judge.sabotage_data(
    "reversed-coordinates, neutral at exact/*: Reverse the order of the coordinates: nothing may change.",
    lambda g, M, blocks, points: {"g": g[::-1], "blocks": blocks and blocks[::-1]},
)


@judge.exact(instances=INSTANCES)
def all_dithers(
    law: Law, g: Sequence[F], M: int, blocks: Sequence[int] | None, points: int
) -> Iterable[Comparison]:
    """Law of all outcomes: means, variances with the factor 1 - N^-2 of N points, covariances, ranges."""
    codec = law.quantizer(M, blocks=list(blocks) if blocks else None, points=points)
    g, d, lengths = list(g), len(g), blocks or (len(g),)
    ends = itertools.accumulate(lengths)
    scales = [max(map(abs, g[end - n : end])) for end, n in zip(ends, lengths, strict=True)]
    kappa = [scale for scale, n in zip(scales, lengths, strict=True) for _ in range(n)]
    decoded = [(p, codec.reference(g, draws)) for p, draws in codec.outcomes(g)]
    errors = [(p, [a - b for a, b in zip(out, g, strict=True)]) for p, out in decoded]
    mean = [sum(p * e[j] for p, e in errors) for j in range(d)]
    finite = law.of("ndqsg/dither-finite")
    for j in range(d):
        own = {"kappa": kappa[j], "M": M}
        offset = finite.exactly("mean", N=points, x=M * g[j] / kappa[j]) if kappa[j] else 0
        yield eq("mean error", mean[j], kappa[j] / M * offset)
        yield le("largest error", max(abs(e[j]) for _, e in errors), law.exactly("largest_error", **own))
        yield le("largest value", max(abs(out[j]) for _, out in decoded), law.exactly("largest_value", **own))
    for i, j in itertools.combinations(range(d), 2):
        mixed = sum(p * (e[i] - mean[i]) * (e[j] - mean[j]) for p, e in errors)
        yield eq("covariance of two coordinates", mixed, 0)
    factor, B = grid_factor(law, points), len(lengths)
    variance = sum(p * (e[j] - mean[j]) ** 2 for p, e in errors for j in range(d))
    yield eq("variance", variance, law.exactly("exact", kappa_b=scales, d_b=lengths, B=B, M=M) * factor)
    omega = law.omega([law.exactly("block_omega", d_b=lengths, j=b, M=M) for b in range(B)])
    above = law.exactly("bound", omega=omega, g=g, d=d) * factor
    yield le("relative bound", variance, above, headline=True)
    yield le("lower bound", law.exactly("lower", g=g, d=d, M=M) * factor, variance)


@judge.adversarial(
    label="worst gradient",
    instances={"d2": {"blocks": (2,)}, "two-blocks": {"blocks": (2, 6)}, "d64": {"blocks": (64,)}},
    M=1,
)
def search(law: Law, blocks: Sequence[int], M: int) -> AdversarialCase:
    """The gradient with the largest variance for its length."""
    d = sum(blocks)
    omegas = [float(law.exactly("block_omega", d_b=blocks, j=b, M=M)) for b in range(len(blocks))]
    unit = law("bound", omega=law.omega(omegas), g=(1.0,), d=1)
    start = np.zeros(d)
    start[-1] = 1.0

    def bound(inputs: Any) -> Any:
        # The dither of 24 bits adds up to 2^-47 of the bound to the mean square.
        return unit * (np.asarray(inputs) ** 2).sum(axis=-1) * (1 + 2.0**-46)

    codec = law.quantizer(M, blocks=list(blocks))
    return AdversarialCase(codec.variance, bound, dim=d, starts=(start,), budget=400)


@judge.montecarlo(instance="d50", label="sampled variance", parameters={"x": "sin(1..50)", "M": 2}, d=50, M=2)
def sampled(law: Law, d: int, M: int) -> MonteCarloCase:
    """The sampler at one vector."""
    x, codec = np.sin(np.arange(1, d + 1)), law.quantizer(M)
    scale = float(np.abs(x).max())

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.broadcast_to(x, (size, d))
        return ((codec.compress(batch, codec.draw(rng, batch.shape)) - x) ** 2).sum(axis=-1)

    value = law("exact", kappa_b=(scale,), d_b=(d,), B=1, M=M)
    return MonteCarloCase("eq", sample, value, upper=d * (scale / M) ** 2 / 4)


@judge.samples(
    instance="relative-error",
    label="error along a run",
    parameters={"d": 64, "M": 2, "workers": 4, "value": "error over its stated variance"},
    d=64,
    M=2,
    workers=4,
)
def along_run(law: Law, d: int, M: int, workers: int) -> MonteCarloCase:
    """Errors of a run over their stated variance."""
    value = law("exact", kappa_b=(1.0,), d_b=(d,), B=1, M=M)

    def sample(rng: np.random.Generator, size: int) -> Any:
        iterations = size // (4 * workers)
        trace = dithered_run(law.quantizer(M), rng, iterations=iterations, workers=workers, d=d)
        squares = ((trace.decoded - trace.gradients) ** 2 / trace.scales**2).sum(axis=-1)
        return squares.ravel() / value

    # No error exceeds half a step: three times the mean.
    return MonteCarloCase("eq", sample, 1.0, upper=3.0, resolution=0.02)
