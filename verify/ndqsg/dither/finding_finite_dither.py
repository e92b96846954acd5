"""Checks of `ndqsg/finding-finite-dither`: laws about the mean over all dithers, averages, a search."""

import itertools
from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, Draws
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.dithers import INPUTS, errors_at
from verify.ndqsg.fixtures.sabotaged_dither import HalfWidth, RuledQuantizer
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

SCALE, M = F(3), 2
STEP = SCALE / M
POINTS = (2, 3, 4, 16)
# Points and workers whose dithers are enumerated together.
AVERAGES = ((2, 3), (4, 2), (4, 3))

judge = checks_of("ndqsg/finding-finite-dither", quantizer=DitheredQuantizer)


judge.sabotage(
    "unbiased at exact/*, adversarial/*: Claim a mean of a tenth of the bound, close to the mean 0 of a "
    "continuous dither. | bound = bound / 10",
)


@judge.mutant(
    r"Claim that the mean averages out as the variance does: $\frac{\delta^2}{4N^2}$ left out.",
    at=("exact/*", "montecarlo/*"),
)
def averaged_away(law: Law) -> Law:
    def spread(formula: Any) -> Any:
        return next(term for term in formula.args if "P" in map(str, term.free_symbols))

    return law.replace(average=spread)


class Misaligned(RuledQuantizer):
    """The receiver subtracts the points j/N - 1/2, the sender has added the symmetric ones."""

    def decoded(self, x: Any, kappa: Any, u: Any) -> Any:
        return kappa * ((self.index(x, kappa, u) - (u - F(1, 2 * self.points))) / self.levels)


judge.sabotage(
    "misaligned at exact/*, adversarial/*: The receiver subtracts the points $\\frac jN-\\frac12$, half a "
    "spacing from those of the sender: the mean is up to $\\frac\\delta N$, twice the bound.",
    {"quantizer": Misaligned},
    "half-width at exact/*: A dither of half width: the law about the mean depends on the input.",
    {"quantizer": HalfWidth},
)
judge.sabotage_data(
    "shifted-input, neutral at exact/*: Shift the input by whole steps: nothing may change.",
    lambda shift: {"shift": shift + 3},
)


def _errors(law: Law, x: F, points: int) -> list[F]:
    """Return the errors of all dithers at an input in units of the step, sorted."""
    return sorted(e for _, e in errors_at(law.quantizer(M, scale=SCALE, points=points), x * STEP))


@judge.exact(shift=0, parameters={"points": POINTS, "x": INPUTS, "delta": STEP, "points,P": AVERAGES})
def all_dithers(law: Law, shift: int) -> Iterable[Comparison]:
    """The law about the mean is one for all inputs; the mean is within its bound, and attains it."""
    for N in POINTS:
        grid = [STEP * F(2 * i + 1 - N, 2 * N) for i in range(N)]
        bound, largest = law.exactly("bound", N=N, delta=STEP), F(0)
        moments = {"second": (2, law.exactly("second", N=N, delta=STEP)), "third": (3, 0)}
        moments["fourth"] = (4, law.exactly("fourth", N=N, delta=STEP))
        for x in (*INPUTS, F(1, 2 * N)):
            found = _errors(law, x + shift, N)
            shown: dict[str, Any] = {"witness": {"x": x + shift, "points": N}}
            mean = sum(found, F(0)) / N
            centred = [error - mean for error in found]
            wrong = sum(a != b for a, b in zip(centred, grid, strict=True))
            yield eq("points of the law about the mean", wrong, 0, **shown)
            for name, (order, stated) in moments.items():
                moment = sum((item**order for item in centred), F(0)) / N
                yield eq(f"{name} central moment", moment, stated, **shown)
            yield le("mean", abs(mean), bound, **shown, headline=True)
            largest = max(largest, abs(mean))
        yield eq("largest mean", largest, bound, witness={"points": N})
    yield from _averages(law, shift)


def _averages(law: Law, shift: int) -> Iterable[Comparison]:
    """Mean squares of averages of workers over all their dithers, at a tie and elsewhere."""
    for N, P in AVERAGES:
        stated = law.exactly("average", N=N, delta=STEP, P=P)
        for x in (F(1, 2 * N), F(1, 3), F(0)):
            groups = itertools.product(_errors(law, x + shift, N), repeat=P)
            square = sum(((sum(group, F(0)) / P) ** 2 for group in groups), F(0)) / N**P
            place: dict[str, Any] = {"witness": {"x": x + shift, "points": N, "P": P}}
            yield le("mean square of the average", square, stated, **place)
            if x == F(1, 2 * N):
                yield eq("mean square of the average at a tie", square, stated, **place)
        workers = law.exactly("workers", N=N)
        alone = law.exactly("second", N=N, delta=STEP) / workers
        yield eq("break-even", 2 * alone, law.exactly("average", N=N, delta=STEP, P=workers))


@judge.adversarial(label="mean", instance="mean", points=16)
def search(law: Law, points: int) -> AdversarialCase:
    """The input with the largest mean."""
    N = points
    codec, bound = law.quantizer(1, scale=1.0, points=N), law("bound", N=N, delta=1.0)
    dither = (2 * np.arange(N) + 1 - N) / (2 * N)

    def value(inputs: Any) -> Any:
        # The error has the period 1: inputs stay near 0, where sums are exact to 1e-16.
        x = np.asarray(inputs)[:, :1] % 1.0
        batch = np.broadcast_to(x, (len(x), N))
        decoded = codec.compress(batch, Draws(shared=np.broadcast_to(dither, batch.shape)))
        return np.abs((decoded - batch).mean(axis=-1))

    return AdversarialCase(
        value,
        lambda inputs: np.full(len(inputs), bound),
        dim=1,
        starts=([1 / (2 * N)], [0.25]),
        scale_invariant=False,
        budget=400,
    )


@judge.montecarlo(label="mean square of many workers", points=4, P=64, x="1/8")
def many_workers(law: Law, points: int, P: int, x: str) -> MonteCarloCase:
    """The squared average error of many workers with few points, at a tie."""
    codec, tie = law.quantizer(1, scale=1.0, points=points), float(F(x))

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.full((size, P), tie)
        return (codec.compress(batch, codec.draw(rng, batch.shape)) - tie).mean(axis=-1) ** 2

    return MonteCarloCase("eq", sample, law("average", N=points, delta=1.0, P=P), upper=0.25, resolution=0.05)
