"""Checks of `cq_marina/cq-1d-bound`: exact variances under the bound, both constants reached, a search."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.joint.correlated.stratified_variance import (
    stratified_variance,
    stratified_variance_literal,
)
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.rungs.adversarial import AdversarialCase

Array = npt.NDArray[Any]
TENTH = F(1, 10_000)

INSTANCES: dict[str, dict[str, Any]] = {
    "half-cells": {"x": (F(1, 8),) * 4, "reached": "attained"},
    "three-half-cells": {"x": (F(1),) * 3, "ends": (F(-3, 2), F(7, 2)), "reached": "attained"},
    "one-client": {"x": (F(1, 2),), "ends": (F(-1, 2), F(3, 2)), "reached": "attained"},
    "whole-cells": {"x": (F(1, 2),) * 4},
    "first-term": {
        "x": (F(4, 9) + TENTH, F(4, 9) - TENTH, *(F(4, 9),) * 7),
        "reached": "first term",
        "delta": TENTH,
    },
    "spread": {"x": (F(-2), F(-1, 3), F(0), F(5, 7), F(3)), "ends": (F(-2), F(3))},
    "hundred": {"x": (F(3, 5),) * 10 + (F(2, 5),) * 10 + (F(1, 2),) * 80},
}
_FEW = tuple(f"exact/{name}" for name in INSTANCES if name != "hundred")


def independent_variance(y: Sequence[F]) -> F:
    """Return the variance of the number of ones with independent thresholds."""
    return sum((item * (1 - item) for item in y), F(0))


def independent_variances(y: Array) -> Array:
    """Return the same for each coordinate of a batch, (..., n, d)."""
    return np.asarray((y * (1 - y)).sum(axis=-2))


judge = checks_of("cq_marina/cq-1d-bound", literal=stratified_variance_literal, batched=stratified_variance)


judge.sabotage(
    "eighth: 1/8 for 1/4: broken by the factor 2 at identical inputs with {ny} = 1/2. "
    "| bound = bound - bound(sigma_md = 0) / 2",
    at=("exact/half-cells", "exact/three-half-cells", "exact/one-client", "adversarial/n2", "adversarial/n5"),
)
judge.sabotage(
    "half-deviation at exact/hundred: Half of the mean deviation: broken by the factor 1.2929 at a hundred "
    "clients; at small n the second term hides it. | bound = bound(sigma_md = sigma_md / 2)",
    "independent-thresholds at exact/half-cells, exact/three-half-cells, exact/whole-cells, adversarial/n2, "
    "adversarial/n5: Independent thresholds against this bound: broken by the factor n at y_i = 1/2, n even.",
    {"literal": independent_variance, "batched": independent_variances},
)
judge.sabotage_data(
    "permuted-clients, neutral: Take the clients in another order: nothing may change.",
    lambda x, **others: {"x": x[::-1], **others},
    at=_FEW,
)


@judge.exact(instances=INSTANCES)
def exact(
    law: Law, x: Sequence[F], ends: tuple[F, F] = (F(0), F(1)), reached: str = "", delta: F = F(0)
) -> Iterable[Comparison]:
    """The exact variance of the mean of what is sent, in rationals."""
    n, interval = len(x), {"low": ends[0], "high": ends[1]}
    y = [(item - ends[0]) / (ends[1] - ends[0]) for item in x]
    for i in range(min(n, 3)):
        yield eq("level", y[i], law.exactly("level", x=x, i=i, **interval))
    values = {"sigma_md": law.exactly("mean_deviation", x=x, n=n), "n": n, **interval}
    stated = law.exactly("bound", **values)
    found = law.literal(y) * (ends[1] - ends[0]) ** 2 / n**2
    yield le("variance of the mean", found, stated, headline=True)
    if reached == "attained":
        yield eq("attained", found, stated)
    elif reached:
        yield eq("first term", found, law.exactly("reached", delta=delta, **values))


@judge.adversarial(instances={f"n{n}": {"n": n} for n in (2, 3, 4, 5)}, label="searched variance")
def searched(law: Law, n: int) -> AdversarialCase:
    """Search for the largest variance / bound over inputs in [0, 1]."""
    # The bound is affine in the mean deviation.
    rest, whole = (law("bound", sigma_md=sigma, low=0.0, high=1.0, n=n) for sigma in (0.0, 1.0))

    def value(x: Array) -> Array:
        return np.asarray(law.batched(folded(x)[..., None])[..., 0] / n**2)

    def bound(x: Array) -> Array:
        y = folded(x)
        deviation = np.abs(y - y.mean(axis=-1, keepdims=True)).mean(axis=-1)
        return np.asarray(deviation * (whole - rest) + rest)

    starts = (np.full(n, 0.5 / n), np.linspace(0.1, 0.9, n))
    return AdversarialCase(value, bound, n, starts=starts, scale_invariant=False, budget=1200)


def folded(x: Array) -> Array:
    """Return numbers in [0, 1]: those of [0, 1] as they are, all others reflected at its ends."""
    return np.asarray(np.abs((x + 1) % 2 - 1))
