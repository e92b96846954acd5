"""Checks of `ndqsg/finding-sparse-gradients`: both methods on sparse vectors, exactly and by sampling."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer
from theory.ndqsg.dither.finding_sparse_gradients import MILLIONTH, MOMENTS, OFF, QUANTILES
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.ndqsg.fixtures.dithers import errors_at, grid_factor, mean_and_variance
from verify.ndqsg.fixtures.literal.rounded_vectors import D, rounding_variance, vector
from verify.ndqsg.fixtures.sabotaged_dither import StochasticRounding
from verify.rungs.montecarlo import MonteCarloCase

NONZEROS, LEAST = 50, 10.0
"""What the statement prints: nonzero coordinates and the least ratio."""
# Gradient, levels, points.
INSTANCES = tuple(
    ((*map(F, g.split()), *(F(0),) * zeros), M, points)
    for g, zeros, M, points in (
        ("1 1/2 -1/2", 9, 1, 2),
        ("3 -1 1/2", 7, 1, 6),
        ("2 -1 1/2 1", 12, 3, 4),
        ("1 1/3", 18, 2, 3),
    )
)

judge = checks_of("ndqsg/finding-sparse-gradients", zeros=True)


@judge.data_mutant(
    "Take spread vectors for sparse ones: there DQSG wins.",
    at=("exact/all-dithers", "exact/quantiles", "montecarlo/quantiles"),
)
def spread_gradient(**given: Any) -> Mapping[str, Any]:
    if "name" in given:
        return {"name": "gauss"}
    spread = tuple(tuple(F(j + 1, len(g)) for j in range(len(g))) for g, _, _ in given["instances"])
    return {"instances": tuple((new, *rest) for new, (_, *rest) in zip(spread, INSTANCES, strict=True))}


judge.sabotage(
    "forget-zeros at exact/all-dithers, montecarlo/quantiles: Count the nonzero coordinates only in the "
    "variance of DQSG. | zeros = False",
    "half-the-support at exact/all-dithers: Rounding wins below a half of nonzeros. "
    "| sparsest_win = sparsest_win * 3/2",
)
judge.sabotage_data(
    "sparse-for-spread at exact/spread: Take the sparse vector for the spread one.",
    lambda name: {"name": "sparse"},
    "moved-zeros, neutral at exact/all-dithers: Put the zeros elsewhere: nothing may change.",
    lambda instances: {"instances": tuple((g[::-1], *rest) for g, *rest in instances)},
)


@judge.exact(
    instances={"all-dithers": {"instances": INSTANCES}},
    parameters={"g": [item[0] for item in INSTANCES], "M": [item[1] for item in INSTANCES]},
)
def all_dithers(law: Law, instances: Sequence[Any]) -> Iterable[Comparison]:
    """The ratio of the two variances over all dithers is at least the stated one."""
    for (g, M, points), (given, *_) in zip(instances, INSTANCES, strict=True):
        kappa, m = max(map(abs, g)), sum(item != 0 for item in given)
        dithering, rounding = (
            kind(M, scale=kappa, points=points) for kind in (DitheredQuantizer, StochasticRounding)
        )
        counted = [x for x in g if law.zeros or x]
        dithered = sum((mean_and_variance(errors_at(dithering, x))[1] for x in counted), F(0))
        rounded = sum((p * e**2 for x in g for p, e in errors_at(rounding, x)), F(0))
        found = dithered / grid_factor(law, points) / rounded
        shown = {"g": g, "M": M, "points": points, "nonzeros": m}
        yield le("ratio", law.exactly("bound", d=len(g), m=m), found, witness=shown, headline=True)
    for d in (3, 12):
        yield eq("break-even", law.exactly("bound", d=d, m=law.exactly("sparsest_win", d=d)), 1)


def _ratio(name: str, M: int) -> float:
    x = vector(name)
    return float(DitheredQuantizer(M).variance(x) / float(rounding_variance(x, M)))


@judge.exact(instance="quantiles", name="sparse", parameters={"d": D, "nonzeros": NONZEROS, "M": (1, 3)})
def quantiles(law: Law, name: str) -> Iterable[Comparison]:
    """Ten times the variance on 50 Gaussian quantiles among 950 zeros."""
    for M in (1, 3):
        ratio, shown = _ratio(name, M), {"vector": name, "M": M}
        least = float(law.exactly("bound", d=D, m=NONZEROS))
        yield le("ratio", least, ratio, ROUND_OFF, witness=shown, headline=True)
        yield le("at least ten times", LEAST, ratio, ROUND_OFF, witness=shown)
    # The table that the proof takes, against the quantiles themselves, each with both signs.
    found = -np.sort(-np.abs(vector(name)))[:NONZEROS]
    table = np.repeat([float(item) for item in QUANTILES], 2)
    yield le("quantiles of the table", np.abs(found - table).max(), float(OFF), ROUND_OFF)


@judge.exact(name="gauss")
def spread(law: Law, name: str) -> Iterable[Comparison]:
    """What DQSG saves on all quantiles, in two digits."""
    yield le("saved on spread gradients", abs(1 - _ratio(name, 1) - law("saved") / 100), 0.005, ROUND_OFF)
    # The three numbers that the proof takes: between the stated ones and two millionths more.
    sizes = np.abs(vector(name))
    for found, low in zip((sizes.mean(), (sizes**2).mean(), sizes.max()), MOMENTS, strict=True):
        middle = float(low + MILLIONTH)
        yield le("moments of the quantiles", abs(found - middle), float(MILLIONTH), ROUND_OFF)


@judge.montecarlo(
    instance="quantiles",
    label="ratio by sampling",
    name="sparse",
    parameters={"d": D, "nonzeros": NONZEROS, "M": 1},
)
def sampled(law: Law, name: str) -> MonteCarloCase:
    """The stated ratio times the error of stochastic rounding, less that of DQSG, is negative on average."""
    x = vector(name)
    x = x / np.abs(x).max()
    ratio = law("bound", d=D, m=NONZEROS)
    dqsg, rounding = DitheredQuantizer(1), StochasticRounding(1)
    counted = np.ones(D, dtype=bool) if law.zeros else x != 0

    def sample(rng: np.random.Generator, size: int) -> Any:
        found = []
        for start in range(0, size, 256):
            batch = np.broadcast_to(x, (min(256, size - start), D))
            draws = dqsg.draw(rng, batch.shape)
            ours = ((dqsg.compress(batch, draws) - x)[:, counted] ** 2).sum(axis=-1)
            theirs = ((rounding.compress(batch, draws) - x) ** 2).sum(axis=-1)
            found.append(ratio * theirs - ours)
        return np.concatenate(found) / D

    support = int(np.count_nonzero(x))
    return MonteCarloCase("le", sample, 0.0, lower=-0.25, upper=ratio * support / D)
