"""Checks of `ndqsg/dqsg-average`: all dithers of several workers in rationals, sampling, and a run."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, Draws, Key
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.dithers import grid_factor
from verify.ndqsg.fixtures.runs.dithered_run import dithered_run, usual_key
from verify.ndqsg.fixtures.sabotaged_dither import StochasticRounding
from verify.rungs.montecarlo import MonteCarloCase

# Gradients of the workers; the scale of a worker is its own.
WORKERS: dict[str, tuple[tuple[F, ...], ...]] = {
    "two": ((F(1), F(1, 3)), (F(-2), F(1, 2))),
    "three": ((F(3, 2),),) * 3,
    "four": ((F(1),), (F(3),), (F(-1, 2),), (F(2),)),
}

judge = checks_of("ndqsg/dqsg-average", quantizer=DitheredQuantizer, shared=False, rule=usual_key)


judge.sabotage(
    "same-seed at montecarlo/*, exact/two, exact/three, exact/four: One dither for all workers: with equal "
    "gradients the variance is $P$ times as large. | shared = True",
    "no-worker-in-key at exact/keys, run/*: Leave the worker out of the counter of the keyed stream: the "
    "same dither for all.",
    {"rule": lambda seed, worker, iteration: usual_key(seed, 0, iteration)},
    # A scalar is its own scale: stochastic rounding makes no error at all there.
    "stochastic-rounding at exact/two, exact/three, exact/four: Do not subtract the dither: the variance "
    "depends on the gradients' fractional parts.",
    {"quantizer": StochasticRounding},
)
judge.sabotage_data(
    "permuted-workers, neutral at exact/two, exact/three, exact/four: Take the workers in another order: "
    "nothing may change.",
    lambda g, **_: {"g": g[::-1]},
)


def _outcomes(law: Law, rows: Sequence[Any], M: int, points: int, shared: bool) -> Iterator[Any]:
    """Yield probability and error of the average over the workers, over all dithers."""
    codec, P = law.quantizer(M, points=points), len(rows)
    draws = [(p, item.shared) for p, item in codec.outcomes([F(0)] * len(rows[0]))]

    def errors(row: Any) -> list[Any]:
        found = [(p, codec.reference(list(row), Draws(shared=u))) for p, u in draws]
        return [(p, [a - b for a, b in zip(out, row, strict=True)]) for p, out in found]

    groups = (zip if shared else itertools.product)(*map(errors, rows))
    for group in groups:
        chance = F(1)
        for p, _ in group[:1] if shared else group:
            chance *= p
        yield chance, [sum(column, F(0)) / P for column in zip(*(e for _, e in group), strict=True)]


def _variance(found: Iterable[tuple[F, list[F]]]) -> F:
    law = list(found)
    mean = [sum(p * e[j] for p, e in law) for j in range(len(law[0][1]))]
    return sum((p * (e - m) ** 2 for p, row in law for e, m in zip(row, mean, strict=True)), F(0))


@judge.exact(instances={name: {"g": rows} for name, rows in WORKERS.items()}, M=2, points=4)
def all_dithers(law: Law, g: Sequence[Sequence[F]], M: int, points: int) -> Iterable[Comparison]:
    """The variance of the average is the stated one, with the factor 1 - N^-2 of N points."""
    size, scales = {"M": M, "d": len(g[0])}, [max(map(abs, row)) for row in g]
    factor = grid_factor(law, points)
    total = _variance(_outcomes(law, g, M, points, law.shared))
    stated = law.exactly("exact", kappa_p=scales, P=len(g), **size)
    yield eq("variance", total, stated * factor, headline=True)
    if len(set(g)) == 1:
        equal = law.exactly("equal", kappa=scales[0], P=len(g), **size)
        yield eq("equal scales", total, equal * factor)
        lost = _variance(_outcomes(law, g, M, points, shared=True))
        yield eq("same seed", lost, law.exactly("same_seed", kappa=scales[0], **size) * factor)


@judge.exact(workers=8, iterations=5, tensors=2, d=64)
def keys(law: Law, workers: int, iterations: int, tensors: int, d: int) -> Iterable[Comparison]:
    """No two messages of a run share a stream: their dithers agree at random places only."""
    codec = law.quantizer(1)
    places = itertools.product(range(tensors), range(iterations), range(workers))
    dithers = [codec.draw_keyed(_key(law, *place), (d,)).shared for place in places]
    pairs = itertools.combinations(dithers, 2)
    shared = max(int(np.count_nonzero(first == second)) for first, second in pairs)
    # Two of 2^24 points agree at 3 of 64 places with probability 1e-17.
    yield le("coordinates that two messages share", shared, 2, headline=True)


def _key(law: Law, tensor: int, iteration: int, worker: int) -> Key:
    return replace(  # type: ignore[no-any-return]
        law.rule((2024, 0), worker, iteration), tensor=tensor
    )


@judge.montecarlo(instance="eight-workers", label="average of eight workers", P=8, d=32, M=1)
def sampled(law: Law, P: int, d: int, M: int) -> MonteCarloCase:
    """The sampler with equal gradients."""
    x, codec = np.cos(np.arange(d) ** 2), law.quantizer(M)
    scale = float(np.abs(x).max())
    value = law("equal", d=d, kappa=scale, M=M, P=P)

    def sample(rng: np.random.Generator, size: int) -> Any:
        shape = (size, 1 if law.shared else P, d)
        errors = codec.compress(np.broadcast_to(x, shape), codec.draw(rng, shape)) - x
        return (errors.mean(axis=1) ** 2).sum(axis=-1)

    # A mean of uniform errors has a kurtosis below 3, so Var Z <= 2 value^2 / d.
    bounds = {"upper": d * scale**2 / 4, "variance": 2 * value**2 / d}
    return MonteCarloCase("eq", sample, value, **bounds, resolution=0.03)


@judge.samples(instance="error-of-average", label="error of the average along a run", P=4, d=64, M=2)
def along_run(law: Law, P: int, d: int, M: int) -> MonteCarloCase:
    """Errors of the average in a run over their stated variance."""

    def sample(rng: np.random.Generator, size: int) -> Any:
        trace = dithered_run(law.quantizer(M), rng, iterations=128, workers=P, d=d, rule=law.rule)
        square = ((trace.decoded - trace.gradients).mean(axis=1) ** 2).sum(axis=-1)
        one = law("exact", kappa_p=(1.0,), P=1, M=M, d=d)
        return square / (one * (trace.scales[..., 0] ** 2).mean(axis=1) / P)

    # Half a step for every worker is the worst: 3 P times the mean.
    return MonteCarloCase("eq", sample, 1.0, upper=3.0 * P, variance=2 / d, resolution=0.05)
