"""Checks of `cat/finding-local-topk-diverges`: growth in rationals and in runs; unbiased entries fall."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

from impl.adaptive import cat_s, cat_st, keep_probabilities
from impl.communication import Affine
from impl.optimizers import cat_gd
from impl.problems import Quadratic
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.nodes.diverging_nodes import EXAMPLE, VECTORS, largest
from verify.comparison import LONG_RUN, Comparison
from verify.expectation.outcome_tree import Vector, independent_mean, kept_entries


@dataclass(frozen=True)
class Nodes:
    """What the nodes do: CAT-S, or CAT-ST with random entries; `fixed` is c_0 for c_1 = 1."""

    rule: Any = cat_s
    fixed: Any = F(1, 4)

    def law(self, g: Vector) -> Any:
        """Return the law of a node's message."""
        size = self.rule(list(g), Affine(1, self.fixed), entry_bits=1).size
        if self.rule is cat_st:
            return kept_entries(g, list(keep_probabilities(list(g), size)))
        return [(F(1), largest(g, size))]

    def mean_objective(self, x: Vector, step: Any) -> tuple[Any, Vector]:
        """Return the mean objective after a round, and the point if it is sure."""
        average = independent_mean([self.law(g) for g in EXAMPLE.gradients(x)])
        points = [(p, tuple(a - step * b for a, b in zip(x, mean, strict=True))) for p, mean in average]
        return sum(p * EXAMPLE.objective(point) for p, point in points), points[0][1]


LOCAL, RANDOM, WHOLE = Nodes(), Nodes(cat_st, F(0)), Nodes(fixed=F(3, 4))
judge = checks_of("cat/finding-local-topk-diverges", local=LOCAL, random=RANDOM, whole=WHOLE)


judge.sabotage(
    "unbiased-entries at *: Let the nodes keep entries at random, CAT-ST: no growth.",
    {"local": RANDOM},
    "large-fixed-cost at exact/growth, run/growth: Raise the fixed cost to 3/4 of that of an entry, above "
    "40/81: it is gradient descent.",
    {"local": WHOLE},
    "largest-fall at exact/what-holds: Claim that the largest entries fall with the short step.",
    {"random": LOCAL},
    "largest-as-whole at exact/what-holds: Claim the first round of gradient descent for the largest "
    "entries.",
    {"whole": LOCAL},
)
judge.sabotage_data(
    "scaled-start, neutral at exact/growth, run/growth: Multiply the start by 4: nothing may change.",
    lambda scale, **others: {**others, "scale": 4 * scale},
)


@judge.exact(
    gammas=("6/103", "1/1000", "1"), rounds=3, scale=1, parameters={"a_i": VECTORS, "c_0": "1/4", "K": 3}
)
def growth(law: Law, gammas: Sequence[str], rounds: int, scale: int) -> Iterable[Comparison]:
    """The objective after each round, in expectation over what is drawn, against the stated multiple."""
    for gamma in map(F, gammas):
        x: Vector = (F(scale),) * 3
        first = EXAMPLE.objective(x)
        for k in range(1, rounds + 1):
            value, x = law.local.mean_objective(x, gamma)
            stated = law.exactly("exact", gamma=gamma, K=k)
            yield eq("growth of the objective", value / first, stated, witness={"gamma": gamma, "k": k})


@judge.exact(step="3/103", short="1/1000")
def what_holds(law: Law, step: str, short: str) -> Iterable[Comparison]:
    """The first round of gradient descent and of unbiased entries as stated: they fall in expectation."""
    x = (F(1),) * 3
    first = EXAMPLE.objective(x)
    after, _ = law.whole.mean_objective(x, F(step))
    yield eq("gradient descent", after / first, law.exactly("gradient_descent", gamma=F(step), K=1))
    # The step is short enough for the noise of the entries (`cat/mn-strong`).
    unbiased, _ = law.random.mean_objective(x, F(short))
    yield eq("unbiased entries", unbiased / first, law.exactly("first_round", gamma=F(short)))
    yield le("unbiased entries fall", unbiased, first, headline=True)
    biased, _ = law.local.mean_objective(x, F(short))
    yield le("the largest ones rise", first, biased)


@judge.drift(
    instance="growth", parts=(1, 100), rounds=20, scale=1, parameters={"a_i": VECTORS, "c_0": "1/4", "K": 20}
)
def runs(law: Law, rng: Any, parts: Sequence[int], rounds: int, scale: int) -> Iterable[Comparison]:
    """Runs of twenty rounds against the stated growth, at two steps."""
    problem = Quadratic(np.array(EXAMPLE.matrices, dtype=float))
    rule = partial(law.local.rule, cost=Affine(1, float(law.local.fixed)), entry_bits=1)
    options: dict[str, Any] = {"start": np.full(3, float(scale)), "allow_divergence": True}
    for part in parts:
        gamma = 6 / 103 / part
        run = cat_gd(problem, rule, step_size=gamma, rounds=rounds, rng=rng, **options)
        for k in range(rounds + 1):
            ratio = float(run.objective[0, k] / run.objective[0, 0])
            yield eq(
                "growth of the objective", ratio, law("exact", gamma=gamma, K=k), LONG_RUN, witness={"k": k}
            )
