"""Checks of `squant/finding-reference-point`: distances, and the reference of the experiments."""

import functools
from collections.abc import Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import LONG_RUN, printed
from verify.expectation.rational_norm import rational_norm
from verify.experiments.squant import original

# Differences to the solution of a point and of the reference, with rational norms.
PLACES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "line": ((3, 4), (6, 8)),
    "beyond": ((3, 4), (-6, -8)),
    "plane": ((3, -4), (12, 5)),
    "near": ((1, 2, 2), (6, -2, 3)),
    "arrived": ((0, 0), (5, 12)),
}

HUNDRED_THOUSANDTHS = 1e5
"""In which part (f) says its values."""

judge = checks_of("squant/finding-reference-point", steps=original.REFERENCE_STEPS)

judge.sabotage(
    "smaller at exact/beyond: Claim that distances do not add up. | bound = bound / 2",
    "larger at exact/line: Claim that no reference is on the way. | lower = 2 * lower",
    "no-floor at exact/arrived: Claim that the plot of a method that has arrived is lower. "
    "| lower = lower / 2",
    "half at exact/near: Claim a higher floor nearby. | near = 12 * near",
    "faster at exact/descent: Leave out the square. | left = left(k = k / 2)",
    "no-steps at exact/descent: Claim a slower descent. | slow = slow(k = k / 4)",
    "more-steps at exact/breast-cancer: Take ten percent more steps. | steps = 5500",
    "more-steps-on-data, slow at exact/splice: Take ten percent more steps. | steps = 5500",
)


@judge.exact(instances={name: {"a": a, "b": b} for name, (a, b) in PLACES.items()})
def distances(law: Law, a: Sequence[int], b: Sequence[int]) -> Comparisons:
    """What is plotted, between the bounds and at the floor."""
    e, delta = map(rational_norm, (a, b))
    plotted = sum((F(p - q) ** 2 for p, q in zip(a, b, strict=True)), F(0))
    yield le("distance", plotted, law.exactly("bound", e=e, delta=delta), headline=True)
    yield le("distance from below", law.exactly("lower", e=e, delta=delta), plotted)
    if 2 * e <= delta:
        yield le("near", law.exactly("near", delta=delta), plotted)
    if not e:
        yield eq("floor", plotted, law.exactly("lower", e=0, delta=delta))


@judge.exact(kappa=[F(1), F(5, 2), F(100)], steps=9)
def descent(law: Law, kappa: F, steps: int) -> Comparisons:
    """Gradient descent along two eigenvectors, in rationals."""
    curvatures = (F(1), 1 / kappa)
    x = [F(1), F(1)]
    for k in range(steps):
        yield eq("gradient descent", x[1] ** 2, law.exactly("left", k=k, kappa=kappa))
        yield le("many steps", law.exactly("slow", k=k, kappa=kappa), x[1] ** 2)
        x = [item - curvature * item for item, curvature in zip(x, curvatures, strict=True)]


def _reference(law: Law, problem: Any, stated: str) -> Comparisons:
    reference, solution = original.reference_point(problem, law.steps), problem.solution
    delta = float(np.linalg.norm(reference - solution))
    error = delta**2 / float(solution @ solution)
    yield eq("error of the reference", HUNDRED_THOUSANDTHS * error, law(stated), printed(3))
    plotted = float(((solution - reference) ** 2).sum())
    yield eq("plotted solution", plotted, law("lower", e=0.0, delta=delta), LONG_RUN)
    guaranteed = law("left", k=law.steps, kappa=problem.L / problem.mu)
    yield le("error guaranteed", error, guaranteed, LONG_RUN)


@functools.cache
def _bundled() -> Any:
    from impl.problems import load_breast_cancer

    return original.arranged(*load_breast_cancer()[:2])


@judge.exact
def breast_cancer(law: Law) -> Comparisons:
    """The data set that everybody has, in the protocol."""
    yield from _reference(law, _bundled(), "breast_cancer")


def _data(law: Law, data: str) -> Comparisons:
    yield from _reference(law, original.problem_of(data), data)


for _name in ("splice", "phishing", "a9a"):
    judge.exact(instance=_name, profile="full", needs=_name, data=_name)(_data)
