"""Checks of `ndqsg/finding-silent-desync`: pairs of dithers, the law of the errors, and noisy training."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.dithers import errors_at, grid_factor, uniformity_at
from verify.ndqsg.fixtures.runs.desynchronised import INPUTS, POINTS, Biased, SwappedEnds
from verify.ndqsg.fixtures.sabotaged_dither import Desynchronised
from verify.rungs.run import TrajectoryCase
from verify.rungs.uniformity_case import UniformityCase

NOISES = (F(0), F(1, 12), F(18, 12))
WORKERS, DIMENSION, ROUNDS, STEP = 4, 32, 40, 0.3


judge = checks_of(
    "ndqsg/finding-silent-desync", desynchronised=Desynchronised, tested=DitheredQuantizer, claimed=1
)


judge.sabotage(
    "loud at exact/*: A desynchronised message that is biased, so that training would show it.",
    {"desynchronised": Biased},
    "unseen-law at montecarlo/*: Claim that the law of the errors does not show it either.",
    {"tested": Desynchronised},
    "no-noise at run/noisy-training: Claim the ratio with much noise for a problem without worker noise. "
    "| claimed = 0",
    "swapped-ends, neutral at exact/*: Exchange the dithers of the two ends: the law does not change.",
    {"desynchronised": SwappedEnds},
)


@judge.exact(x=INPUTS, s=NOISES, parameters={"points": POINTS, "x": INPUTS, "s": NOISES})
def dither_pairs(law: Law, x: Sequence[F], s: Sequence[F]) -> Iterable[Comparison]:
    """A desynchronised message is unbiased, and its variance is lost in the noise as stated."""
    D = law.of("ndqsg/dq-uniform-error").exactly("exact")
    codec = law.desynchronised(1, scale=1, points=POINTS)
    for at in x:
        found = errors_at(codec, at)
        square, shown = sum(p * e * e for p, e in found), {"x": at, "points": POINTS}
        yield eq("bias", sum(p * e for p, e in found), 0, witness=shown)
        # Points instead of all dithers at the receiver lack this of D, the squared step being 1.
        square += D * (1 - grid_factor(law, POINTS))
        for noise in s:
            ratio = (noise + square) / (noise + D)
            yield eq("ratio", ratio, law.exactly("exact", s=noise, D=D, p=at % 1), witness=shown)
            yield le("bound", ratio, law.exactly("bound", s=noise, D=D), witness=shown, headline=True)
    for noise in s:
        # Simpson's rule is exact for the quadratic dependence on the phase.
        ends = [law.exactly("exact", s=noise, D=D, p=p) for p in (F(0), F(1, 2), F(1))]
        average = (ends[0] + 4 * ends[1] + ends[2]) / 6
        yield eq("average", average, law.exactly("average", s=noise, D=D))


@judge.montecarlo(instance="law-of-errors", label="law of the errors", x=(0, 0.25, 0.5))
def law_of_errors(law: Law, x: Sequence[float]) -> UniformityCase:
    """What a test of the law sees of a pair."""
    return uniformity_at(law.tested(1, scale=1.0), x, batches=2)


@judge.trajectory(parameters={"workers": WORKERS, "d": DIMENSION, "rounds": ROUNDS, "step": STEP, "s/D": 18})
def noisy_training(law: Law) -> TrajectoryCase:
    """Squared distances of SGD on |x|^2 / 2 from its solution, against the synchronous ones times the bound.

    The workers' gradients are half a step beside x, where desynchronisation costs most.
    """
    much = float(NOISES[-1])
    noise, D = much * law.claimed, float(law.of("ndqsg/dq-uniform-error").exactly("exact"))
    codec = Desynchronised(1, scale=1.0)
    offsets = np.where(np.arange(WORKERS) % 2, 0.5, -0.5)[:, None]
    decay = (1 - STEP) ** 2

    def bounds() -> Any:
        grown = (1 - decay ** np.arange(1, ROUNDS + 1)) / (1 - decay)
        return law("bound", s=much, D=D) * STEP**2 * (noise + D) / WORKERS * grown

    def rows(rng: np.random.Generator, replicates: int) -> Any:
        x, found = np.zeros((replicates, DIMENSION)), []
        for _ in range(ROUNDS):
            shape = (replicates, WORKERS, DIMENSION)
            g = x[:, None] + offsets + np.sqrt(12 * noise) * (rng.random(shape) - 0.5)
            x = x - STEP * codec.compress(g, codec.draw(rng, shape)).mean(axis=1)
            found.append((x**2).mean(axis=1))
        return np.stack(found, axis=1)

    return TrajectoryCase(bounds, rows)
