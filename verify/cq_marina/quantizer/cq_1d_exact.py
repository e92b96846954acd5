"""Checks of `cq_marina/cq-1d-exact`: enumeration over all permutations, the oracles, and the sampler."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors.joint.correlated.stratified_variance import (
    stratified_variance,
    stratified_variance_literal,
)
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.fixtures.joint.sabotaged_thresholds import (
    Common,
    NoJitter,
    ShiftedCell,
    Stratified,
    bits,
    enumerated_bits,
)
from verify.rungs.montecarlo import MonteCarloCase

COPIES = 16
"""Independent coordinates with the same inputs in one sample: they reduce its variance."""

INSTANCES: dict[str, dict[str, Any]] = {
    "ninths": {"y": (F(1, 9), F(2, 9), F(4, 9), F(8, 9)), "c": (1,) * 4},
    "one-cell-shared": {"y": (F(1, 3), F(1, 2), F(3, 5)), "c": (1,) * 3},
    "identical": {"y": (F(1, 8),) * 4, "c": (1,) * 4},
    "two-clients": {"y": (F(1, 5), F(3, 7)), "c": (F(2), F(1, 3))},
    "three-coefficients": {"y": (F(5, 6), F(1, 7), F(2, 5)), "c": (F(1), F(2), F(1, 3))},
    "ends": {"y": (F(0), F(1), F(1, 3)), "c": (1,) * 3},
    "five-clients": {
        "y": (F(1, 10), F(3, 7), F(1, 2), F(5, 9), F(1)),
        "c": (F(1), F(0), F(2), F(1, 2), F(3)),
    },
}
# At 0, 1 and 1/3 of three clients a single bit is random, and it is decided by its stratum.
_RANDOM = tuple(f"exact/{name}" for name in INSTANCES if name != "ends")

judge = checks_of(
    "cq_marina/cq-1d-exact",
    rule=Stratified(),
    literal=stratified_variance_literal,
    batched=stratified_variance,
)


judge.sabotage(
    "no-jitter at montecarlo/ninths: Thresholds pi_i / n without jitter: biased, at y = (1, 2, 4, 8)/9 the "
    "mean is off by 1/12.",
    lambda law: law.replace(rule=NoJitter()),
    "common-threshold at montecarlo/ninths: One seed for permutation and jitter of all clients: up to n "
    "times the independent variance.",
    lambda law: law.replace(rule=Common()),
    at=_RANDOM,
)
judge.sabotage(
    "shifted-cell at montecarlo/ninths: A permutation of 1, ..., n: thresholds one cell too high, bias "
    "-min(y_i, 1/n).",
    lambda law: law.replace(rule=ShiftedCell()),
    at=(*(f"exact/{name}" for name in INSTANCES),),
)
judge.sabotage(
    "divisor-n at exact/ninths, exact/one-cell-shared, exact/five-clients, exact/batched: Hoeffding's sum "
    "over n instead of n - 1: 657/752 of the variance at y = (1, 2, 4, 8)/9; equal inputs do not show it.",
    lambda law: law.replace(exact=divided),
)
judge.sabotage_data(
    "permuted-clients, neutral: Take the clients in another order: nothing may change.",
    lambda y, c: {"y": y[::-1], "c": c[::-1]},
    at=tuple(f"exact/{name}" for name in INSTANCES),
)


def divided(exact: Any) -> Any:
    """Return the stated variance with the divisor n in the place of n - 1."""
    (n,) = (symbol for symbol in exact.free_symbols if symbol.name == "n")
    between, within = sorted(exact.args, key=lambda part: not part.has(1 / (n - 1)))
    return between * (n - 1) / n + within


def stated(law: Law, name: str, y: Sequence[Any], **values: Any) -> Any:
    """Return a formula of the claim with the shares and the terms of common cells that belong to y."""
    n = len(y)
    if name == "exact":
        shares = [[law.exactly("share", y=y, n=n, i=i, k=k) for k in range(n)] for i in range(n)]
        return law.exactly(name, y=y, n=n, phi=shares, **values)
    cells = [[law.exactly("within", y=y, n=n, i=i, l=l) for l in range(n)] for i in range(n)]
    return law.exactly(name, y=y, n=n, kappa=cells, **values)


@judge.exact(instances=INSTANCES)
def enumerated(law: Law, y: Sequence[Any], c: Sequence[Any]) -> Iterable[Comparison]:
    """All permutations with independent bits given them, in rationals."""
    n = len(y)
    outcomes = list(enumerated_bits(law.rule, y))
    for i, chance in enumerate(y):
        yield eq("mean of a bit", sum(p * found[i] for p, found in outcomes), chance)
    variance = sum(
        p * sum(ci * (bit - yi) for ci, bit, yi in zip(c, found, y, strict=True)) ** 2
        for p, found in outcomes
    )
    yield eq("variance", variance, stated(law, "exact", y, c=c), headline=True)
    yield eq("literal oracle", law.literal(y, c), variance)
    for i in range(n):
        for l in range(i):
            found = sum(p * (b[i] - y[i]) * (b[l] - y[l]) for p, b in outcomes)
            yield eq("covariance of two bits", found, stated(law, "covariance", y, i=i, l=l))
    if set(c) == {1}:
        yield eq("equal coefficients", variance / n**2, stated(law, "equal", y))
        if len(set(y)) == 1:
            yield eq("identical inputs", variance / n**2, law.exactly("identical", y_0=y[0], n=n))


@judge.exact(parameters={"n": [2, 7], "d": 3})
def batched(law: Law) -> Iterable[Comparison]:
    """The batched oracle in floats."""
    for n in (2, 7):
        y = np.abs(np.sin(np.arange(1, 3 * n + 1).reshape(n, 3) ** 2))
        y[:, 2] = 0.5 + 0.01 * np.arange(n)
        c = np.abs(np.cos(np.arange(n)))
        found = law.batched(y, c)
        for j in range(3):
            levels = y[:, j].tolist()
            shares = [[law("share", y=levels, n=n, i=i, k=k) for k in range(n)] for i in range(n)]
            value = law("exact", y=levels, c=c.tolist(), n=n, phi=shares)
            yield eq("batched oracle", float(found[j]), value, ROUND_OFF)


@judge.montecarlo(label="squared error of the mean", parameters=INSTANCES["ninths"])
def ninths(law: Law) -> MonteCarloCase:
    """The sampler has the stated variance of the mean."""
    exact = INSTANCES["ninths"]["y"]
    y = np.array([float(item) for item in exact])[:, None]
    truth = float(y.mean())

    def sample(rng: np.random.Generator, size: int) -> Any:
        shape = (size, len(y), COPIES)
        means = bits(law.rule.strata(rng, shape), law.rule.jitter(rng, shape), y).mean(axis=-2)
        return ((means - truth) ** 2).mean(axis=-1)

    value = float(stated(law, "equal", exact))
    return MonteCarloCase("eq", sample, value, upper=max(truth, 1 - truth) ** 2, resolution=0.02)
