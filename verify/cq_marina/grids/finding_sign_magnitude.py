"""Checks of `cq_marina/finding-sign-magnitude`: the sign outside the grid, enumerated and sampled."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison, printed
from verify.cq_marina.fixtures.grid_inputs import INPUTS, P2
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint
from verify.cq_marina.fixtures.joint.sabotaged_thresholds import (
    NoJitter,
    SignMagnitude,
    Stratified,
    enumerated_error,
)
from verify.rungs.montecarlo import MonteCarloCase

GOLDEN = {"P1": 0.8251897099218, "P2": 0.2175452592862, "P3": 1.279353924472}
"""Errors with the sign outside the grid at the inputs of the specification."""

INSTANCES: dict[str, dict[str, Any]] = {
    "ones": {"x": (1, 1, 1, 1), "norm": 2},
    "both-sides-of-half": {"x": (3, -4), "norm": 5},
    "three-coordinates": {"x": (2, 3, 6), "norm": 7},
    "one-coordinate": {"x": (0, 3), "norm": 3},
}
# Where one coordinate carries all, nothing is random, wherever the sign is.
_RANDOM = tuple(f"exact/{name}" for name in INSTANCES if name != "one-coordinate")

judge = checks_of("cq_marina/finding-sign-magnitude", outside=SignMagnitude, rule=Stratified(), second=-1)


judge.sabotage(
    "sign-inside-grid at exact/specification, montecarlo/P2: Put the sign inside the grid, as the "
    "compressor is defined: no variance is left at all ones.",
    {"outside": lambda: CorrelatedQuantizer("ternary")},
    "equal-signs: Give both clients the same input: then the covariances are negative again. | second = 1",
    at=_RANDOM,
)
judge.sabotage(
    "no-jitter at exact/three-coordinates, exact/specification: Thresholds without jitter: biased.",
    lambda law: law.replace(outside=lambda: SignMagnitude(rule=NoJitter()), rule=NoJitter()),
)
judge.sabotage_data(
    "permuted-coordinates, neutral: Take the coordinates in another order: nothing may change.",
    lambda x, norm: {"x": x[::-1], "norm": norm},
    at=tuple(f"exact/{name}" for name in INSTANCES),
)


@judge.exact(instances=INSTANCES)
def two_clients(law: Law, x: Sequence[int], norm: int) -> Iterable[Comparison]:
    """Enumerate two clients with x and -x against the stated errors of all three quantizers, in rationals."""
    d, outside = len(x), law.outside()
    rows = [[F(item) for item in x], [law.second * F(item) for item in x]]
    rho = tuple(law.exactly("nearest", x=x, r=norm, j=j) for j in range(d))
    stated = partial(law.exactly, rho=rho, r=norm, d=d)
    moments = enumerate_joint(outside, rows)
    yield eq("sign outside", moments.error, stated("exact"))
    yield eq("closed form", outside.variance(rows), stated("exact"))
    independent = IndependentQuantizer("ternary").variance(rows)
    yield eq("independent", independent, stated("independent"))
    yield eq("sign inside", enumerate_joint(CorrelatedQuantizer("ternary"), rows).error, stated("correlated"))
    yield le("independent is no worse", independent, moments.error, headline=True)
    levels = tuple(law.exactly("level", x=x, r=norm, j=j) for j in range(d))
    more = law.exactly("more", t=levels, r=norm, n=4, d=d)
    yield eq("more clients", outside.variance([row for row in rows for _ in range(2)]), more)
    one_more = law.exactly("any_signs", t=levels, s=(1, -1, 1), r=norm, n=3, d=d)
    yield eq("signs without balance", outside.variance([*rows, rows[0]]), one_more)


@judge.exact(parameters={"inputs": sorted(GOLDEN)})
def specification(law: Law) -> Iterable[Comparison]:
    """The oracle and an enumeration of every coordinate against the numbers of the specification."""
    quantizer, independent = law.outside(), IndependentQuantizer("ternary")
    for name, golden in GOLDEN.items():
        x = np.array(INPUTS[name], dtype=float)
        yield eq("number of the specification", float(quantizer.variance(x)), golden, printed(13))
        yield eq("enumeration", enumerated(law.rule, x), golden, printed(13))
    x = np.array(P2, dtype=float)
    below, above = float(independent.variance(x)), float(quantizer.variance(x))
    yield le("independent is better", below, above, ROUND_OFF)


def enumerated(rule: Stratified, x: Any) -> float:
    """Return the error with the sign outside, coordinate by coordinate over all permutations, x (n, d)."""
    norms = np.linalg.norm(x, axis=1)
    signed = np.sign(x) * norms[:, None]
    levels = np.abs(x) / norms[:, None]
    total = sum(
        enumerated_error(rule, levels[:, j].tolist(), signed[:, j].tolist()) for j in range(x.shape[1])
    )
    return float(total) / len(x) ** 2


@judge.montecarlo(instance="P2", label="sampled variance", parameters={"inputs": "P2"})
def sampled(law: Law) -> MonteCarloCase:
    """The sampler has the error of the oracle at P2, where independent quantization has less."""
    quantizer = law.outside()
    x = np.array(P2, dtype=float)
    mean, reach = x.mean(axis=0), np.linalg.norm(x, axis=1).mean()

    def sample(rng: np.random.Generator, size: int) -> Any:
        return ((quantizer.sample(x, rng, size=size) - mean) ** 2).sum(axis=-1)

    # No client is off by more than its norm in any coordinate.
    upper = x.shape[1] * float(reach) ** 2
    return MonteCarloCase("eq", sample, GOLDEN["P2"], upper=upper, resolution=0.02)
