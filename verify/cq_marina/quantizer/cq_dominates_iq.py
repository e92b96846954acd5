"""Checks of `cq_marina/cq-dominates-iq`: covariances, joint inputs in rationals, a search for a worse one."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint, mean_of
from verify.cq_marina.fixtures.joint.sabotaged_thresholds import (
    Antithetic,
    Array,
    NoJitter,
    SabotagedQuantizer,
    SignMagnitude,
    Stratified,
    Unshared,
    enumerated_bits,
    enumerated_error,
)
from verify.rungs.adversarial import AdversarialCase

BITS: dict[str, dict[str, Any]] = {
    "same-cell": {"y": (F(1, 8), F(1, 5), F(1, 4)), "c": (F(1), F(2), F(3))},
    "ends": {"y": (F(0), F(1), F(1, 2), F(3, 4)), "c": (F(2), F(1), F(1), F(5))},
    "five-clients": {
        "y": (F(1, 10), F(3, 7), F(1, 2), F(5, 9), F(9, 10)),
        "c": (F(1), F(1, 2), F(2), F(1), F(3)),
    },
    "one-coefficient": {"y": (F(1, 3), F(2, 3), F(1, 2)), "c": (F(0), F(7), F(0))},
}
JOINT: dict[str, dict[str, Any]] = {
    "opposite-ones": {"rows": ((1, 1, 1, 1), (-1, -1, -1, -1)), "grid": "ternary"},
    "equal-pair": {"rows": ((3, 4), (3, 4)), "grid": "binary"},
    "unequal-norms": {"rows": ((3, -4), (-12, 5)), "grid": "ternary"},
    "three-clients": {"rows": ((3, 4), (-8, 6), (0, 0)), "grid": "binary"},
    "three-ternary": {"rows": ((3, 4), (-8, -6), (5, -12)), "grid": "ternary"},
}
SEARCHED: dict[str, dict[str, Any]] = {
    "ternary-pair": {"grid": "ternary", "n": 2, "d": 4},
    "ternary-three": {"grid": "ternary", "n": 3, "d": 2},
    "binary-five": {"grid": "binary", "n": 5, "d": 2},
}

judge = checks_of(
    "cq_marina/cq-dominates-iq",
    rule=Stratified(),
    quantizer=CorrelatedQuantizer,
    closed=CorrelatedQuantizer,
)


judge.sabotage(
    "sign-magnitude at exact/opposite-ones, adversarial/ternary-pair: One threshold for |a_j|/r and the "
    "sign multiplied afterwards: 4 against 2 for independent quantization at a_1 = (1, 1, 1, 1) = -a_2.",
    {"quantizer": SignMagnitude},
    "antithetic at exact/opposite-ones, exact/equal-pair, exact/same-cell, adversarial/ternary-pair: Two "
    "clients with U_2 = U_1 for an antithetic pair: twice the independent variance at equal inputs.",
    lambda law: law.replace(quantizer=lambda grid: SabotagedQuantizer(grid, Antithetic()), rule=Antithetic()),
    "no-jitter at exact/equal-pair, exact/three-ternary: Thresholds without jitter: biased.",
    {"quantizer": lambda grid: SabotagedQuantizer(grid, NoJitter())},
)
judge.sabotage_data(
    "permuted-clients, neutral: Take the clients in another order: nothing may change.",
    lambda rows, grid: {"rows": rows[::-1], "grid": grid},
    at=tuple(f"exact/{name}" for name in JOINT),
)


@judge.exact(instances=BITS)
def bits(law: Law, y: Sequence[F], c: Sequence[F]) -> Iterable[Comparison]:
    """Enumerate the bits of one coordinate: every covariance, and the variance under the stated sum."""
    stated = law.exactly("bound", y=y, c=c, n=len(y))
    yield eq("independent thresholds", enumerated_error(Unshared(), y, c), stated)
    found = enumerated_error(law.rule, y, c)
    yield le("variance", found, stated, headline=True)
    if sum(ci != 0 for ci in c) == 1:
        yield eq("one coefficient", found, stated)
    outcomes = list(enumerated_bits(law.rule, y))
    for i in range(len(y)):
        for l in range(i):
            covariance = sum(p * (b[i] - y[i]) * (b[l] - y[l]) for p, b in outcomes)
            yield le("covariance of two bits", covariance, 0)


@judge.exact(instances=JOINT)
def joint(law: Law, rows: Sequence[Sequence[int]], grid: str) -> Iterable[Comparison]:
    """Enumerate one joint input: unbiased, the closed form, and no worse than independent quantization."""
    exact = [[F(entry) for entry in row] for row in rows]
    moments = enumerate_joint(law.quantizer(grid), exact)
    for mean, truth in zip(moments.mean, mean_of(exact), strict=True):
        yield eq("mean of a coordinate", mean, truth)
    yield eq("closed form", law.closed(grid).variance(exact), moments.error)
    independent: Any = IndependentQuantizer(grid)  # type: ignore[arg-type]
    yield le("V_CQ against V_IQ", moments.error, enumerate_joint(independent, exact).error, headline=True)


@judge.adversarial(instances=SEARCHED, label="searched ratio")
def searched(law: Law, grid: str, n: int, d: int) -> AdversarialCase:
    """Search for joint inputs with V_CQ > V_IQ."""
    quantizer, independent = law.quantizer(grid), IndependentQuantizer(grid)  # type: ignore[arg-type]

    def value(inputs: Array) -> Array:
        return np.asarray(quantizer.variance(inputs.reshape(-1, n, d)))

    def bound(inputs: Array) -> Array:
        return np.asarray(independent.variance(inputs.reshape(-1, n, d)))

    alone = np.zeros((n, d))
    alone[0] = np.arange(1, d + 1)
    opposite = np.outer((-1.0) ** np.arange(n), np.ones(d))
    starts = (alone.ravel(), opposite.ravel())
    return AdversarialCase(value, bound, n * d, starts=starts, budget=2000)
