"""Checks of `cat/st-descent`: one step over all outcomes in rationals, and the sampler in 64 dimensions."""

import math
from collections.abc import Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

from impl.adaptive import keep_probabilities
from impl.compressors import BernoulliSparsifier
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import GI, gh
from verify.cat.fixtures.sampled_entries import sampled_entries
from verify.comparison import Comparison
from verify.expectation.outcome_tree import QuadraticNodes, kept_entries, square, systematic_entries
from verify.rungs.montecarlo import MonteCarloCase

judge = checks_of(
    "cat/st-descent", entries=sampled_entries, systematic=systematic_entries, sparsifier=BernoulliSparsifier
)

_DENSE = ((4, 2, 0, -1), (2, 3, -1, 1), (0, -1, 2, 1), (-1, 1, 1, 5))
_ANY = (F(1, 3), F(1, 7), F(1), F(11, 21))


def _instance(x: Any, T: Any, matrix: Any = None, p: Any = None) -> dict[str, Any]:
    return {"x": x, "T": T, "matrix": matrix, "p": p}


INSTANCES = {
    "gi-one": _instance(GI, 1),
    "gi-three": _instance(GI, 3),
    "gi-five-halves": _instance(GI, F(5, 2)),
    "gi-six": _instance(GI, 6),
    "ties-and-zero": _instance((2, -2, 0, 1, 1), 2),
    "any-chances": _instance((3, -1, 4, 1), 2, p=_ANY),
    "dense": _instance((1, -2, F(1, 2), 3), 2, _DENSE),
    "dense-one": _instance((-1, 1, 5, F(1, 3)), 1, _DENSE),
}
# Of the kind of other instances, which notice all that these notice.
MORE = ("gi-one", "gi-three")
_ISOTROPIC = tuple(f"exact/{name}" for name, item in INSTANCES.items() if item["matrix"] is None)

# ---------------------------------------------------------------- sabotages


judge.sabotage(
    "step-of-descent at montecarlo/gh-five: Take the step 1/L: at (3, -1, 4, 1, -5, 9, 2, -6) with T = 1 "
    "the objective rises by 307.5 in expectation. | step = 1 / L",
    at=_ISOTROPIC,
)
judge.sabotage(
    "unscaled at exact/*: Send g_j instead of g_j/p_j: the message is biased.",
    lambda law: law.replace(entries=partial(kept_entries, scaled=False)),
    "lost-outcome at exact/*: Lose an outcome.",
    {"entries": lambda g, p: sampled_entries(g, p)[1:]},
    "half-denominator at exact/dense*: Claim what the slope alone promises, without the 2. "
    "| bound = 2 * bound",
    "systematic-sampling, neutral at exact/*: Systematic sampling in place of independent entries: nothing "
    "may change.",
    {"entries": systematic_entries},
    "independent-for-systematic at exact/gi-*: Independent entries in place of systematic sampling: any "
    "number survives.",
    {"systematic": kept_entries},
)


@judge.mutant("Systematic sampling without the division.", at=("exact/gi-*",))
def unscaled_systematic(law: Law) -> Law:
    def entries(g: Any, p: Any) -> Any:
        return [(q, tuple(a and b for a, b in zip(v, g, strict=True))) for q, v in systematic_entries(g, p)]

    return law.replace(systematic=entries)


# ---------------------------------------------------------------- checks


@judge.exact(instances={name: INSTANCES[name] for name in MORE}, profile="full")
@judge.exact(instances={name: item for name, item in INSTANCES.items() if name not in MORE})
def all_outcomes(law: Law, x: Any, T: Any, matrix: Any, p: Any) -> Iterable[Comparison]:
    """Moments and decrease over all outcomes against the stated ones."""
    d, point = len(x), tuple(F(item) for item in x)
    rows = matrix or tuple(tuple(int(i == j) for j in range(d)) for i in range(d))
    nodes = QuadraticNodes([tuple(tuple(F(item) for item in row) for row in rows)])
    L = max(sum(abs(F(item)) for item in row) for row in rows)  # at least the largest eigenvalue
    g = nodes.gradient(point)
    p = p or tuple(keep_probabilities(list(g), float(T)))  # a size in floats is taken as it is
    kept = [(item, probability) for item, probability in zip(g, p, strict=True) if item]
    sent = {"g": [item for item, _ in kept], "p": [q for _, q in kept], "d": len(kept)}
    stated, omega = law.exactly("second_moment", **sent), law.exactly("share", **sent)
    values = {"omega": omega, "G": square(g), "L": L}
    step, outcomes = law.exactly("step", omega=omega, L=L), law.entries(g, p)

    yield eq("total probability", sum(probability for probability, _ in outcomes), 1)
    for j, item in enumerate(g):
        yield eq("mean of an entry", sum(q * vector[j] for q, vector in outcomes), item, witness={"j": j})
    second = sum(q * square(vector) for q, vector in outcomes)
    yield eq("second moment", second, stated)
    yield eq("second moment by the share", second * omega, square(g))
    after = sum(
        q * nodes.objective(tuple(a - step * b for a, b in zip(point, vector, strict=True)))
        for q, vector in outcomes
    )
    decrease = nodes.objective(point) - after
    bound = law.exactly("bound", **values)
    yield le("guaranteed decrease", bound, decrease, headline=True)
    if matrix is None:
        yield eq("attained", decrease, law.exactly("exact", **values, gamma=step))
        yield eq("attained at this step", decrease, bound)

    systematic = law.systematic(g, p)
    found = sum(q * square(vector) for q, vector in systematic)
    yield eq("second moment of systematic sampling", found, stated)
    size = sum(q for item, q in kept)
    for _, vector in systematic:
        survivors = sum(1 for item in vector if item)
        yield le("survivors of systematic sampling", survivors, math.ceil(size))
        yield le("survivors of systematic sampling", math.floor(size), survivors)


@judge.montecarlo(instance="gh-five", label="sampled objective", d=64, T=5)
def sampled(law: Law, d: int, T: int) -> MonteCarloCase:
    """The sampler on half the squared norm: the objective after one step."""
    g = gh()
    p = keep_probabilities(g, T)
    omega = law("share", g=g, p=p, d=d)
    decrease = law("bound", omega=omega, G=float(g @ g), L=1)
    step = law("step", omega=omega, L=1)
    compressor = law.sparsifier(p)

    def sample(rng: Any, size: int) -> Any:
        after = g - step * compressor.sample(g, rng, size)
        return (after**2).sum(axis=-1) / 2

    upper = float(np.maximum(g**2, (g - step * g / p) ** 2).sum() / 2)
    return MonteCarloCase("eq", sample, float(g @ g) / 2 - decrease, upper=upper)
