"""Checks of `cat/mn-topk-diverges`: the example in rationals and in runs, and the bound that does hold."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

from impl.adaptive import cat_s
from impl.communication import Affine
from impl.optimizers import cat_gd
from impl.problems import Quadratic
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.fixed_size import fixed_size
from verify.cat.fixtures.golden_vectors import MN2_LINEAR, MN2_MATRICES
from verify.cat.fixtures.node_trees import rows_of
from verify.cat.nodes.diverging_nodes import EXAMPLE, VECTORS, largest
from verify.comparison import ROUND_OFF, ROUNDS, Comparison
from verify.expectation.outcome_tree import QuadraticNodes, Vector, mean_vector, square

judge = checks_of("cat/mn-topk-diverges", rule=cat_s, message=largest)

_L = F(103, 6)
_MN2 = QuadraticNodes(rows_of(MN2_MATRICES), rows_of(MN2_LINEAR))
POINTS: dict[str, tuple[QuadraticNodes, F, tuple[Vector, ...]]] = {
    "example": (EXAMPLE, _L, ((F(1),) * 3, (F(1), F(-1), F(0)), (F(3), F(1), F(-2)))),
    "mn2": (_MN2, F(14, 5), ((F(1), F(-2)), (F(0), F(1)), (F(3), F(1, 2)))),
    "equal-nodes": (QuadraticNodes((_MN2.matrices[0],) * 3), F(14, 5), ((F(1), F(-2)), (F(1), F(1)))),
}


judge.sabotage(
    "nothing-left-out at exact/decrease-example, run/example: Drop the sum from the decrease: it claims "
    "that the example falls. | bound = G / (2 * L)",
    "sign-error at exact/growth, run/example: Put -11 for 11: it claims that the example shrinks. "
    "| exact = exact(gamma = -gamma)",
    "smallest-entries at exact/growth: Send the smallest entries: the share is another one.",
    {"message": lambda g, size: tuple(a - b for a, b in zip(g, largest(g, 3 - size), strict=True))},
    "half-threshold at exact/threshold: Go over to all entries at half of the threshold. "
    "| threshold = threshold / 2",
    "twice-the-threshold at exact/threshold: Go over to all entries at twice the threshold. "
    "| threshold = 2 * threshold",
    "always-one at run/example: Always send one entry.",
    {"rule": lambda g, cost, **_: fixed_size(1, cost)(g)},
    "always-all at run/example: Always send all entries.",
    {"rule": lambda g, cost, **_: fixed_size(3, cost)(g)},
)
judge.sabotage_data(
    "permuted-nodes, neutral at exact/growth, exact/decrease-*: Reverse the order of the nodes: nothing may "
    "change.",
    lambda order, **others: {**others, "order": -order},
)


@judge.exact(gammas=("6/103", "1/1000", "2"), rounds=3, order=1, parameters={"a_i": VECTORS, "K": 3})
def growth(law: Law, gammas: Sequence[str], rounds: int, order: int) -> Iterable[Comparison]:
    """Rounds with one entry of each node from (t, t, t) against the stated multiple of the start."""
    t = F(2, 3)
    for gamma in map(F, gammas):
        x: Vector = (t,) * 3
        for k in range(1, rounds + 1):
            average = mean_vector([law.message(g, 1) for g in EXAMPLE.gradients(x)[::order]])
            x = tuple(a - gamma * b for a, b in zip(x, average, strict=True))
            stated = law.exactly("exact", gamma=gamma, K=k) * t
            for item in x:
                yield eq("entry after a round", item, stated, witness={"gamma": gamma, "k": k})


@judge.exact(
    ratios=("0", "1", "1.000001", "1.025", "18"), parameters={"c_0/c_1": ["0", "40/81", "41/81", "80/9"]}
)
def threshold(law: Law, ratios: Sequence[str]) -> Iterable[Comparison]:
    """How many entries local CAT-S sends at (1, 1, 1), at multiples of the stated threshold."""
    stated = law.exactly("threshold")
    for factor in map(F, ratios):
        for g in EXAMPLE.gradients((F(1),) * 3):
            choice = law.rule(list(g), Affine(1, factor * stated), entry_bits=1)
            yield eq("entries", choice.size, 1 if factor <= 1 else 3, witness={"c_0/c_1": factor * stated})


def _decrease(law: Law, nodes: QuadraticNodes, L: Any, x: Vector, size: int) -> Any:
    """Return the stated decrease with the largest entries of each node."""
    gradients = nodes.gradients(x)
    energies = [square(g) for g in gradients]
    shares = [
        square(law.message(g, size)) / energy if energy else F(1)
        for g, energy in zip(gradients, energies, strict=True)
    ]
    values = {"E": energies, "alpha": shares, "n": len(gradients)}
    return law.exactly("bound", G=square(mean_vector(gradients)), L=L, **values)


@judge.exact(instances={f"decrease-{name}": {"name": name, "order": 1} for name in POINTS})
def decrease(law: Law, name: str, order: int) -> Iterable[Comparison]:
    """One step at several points with every number of entries against the stated decrease."""
    nodes, L, points = POINTS[name]
    linear = nodes.linear[::order] if nodes.linear else None
    nodes = replace(nodes, matrices=nodes.matrices[::order], linear=linear)
    for x in points:
        for size in range(1, len(x) + 1):
            average = mean_vector([law.message(g, size) for g in nodes.gradients(x)])
            after = nodes.objective(tuple(a - b / L for a, b in zip(x, average, strict=True)))
            bound = nodes.objective(x) - _decrease(law, nodes, L, x, size)
            yield le("objective after a step", after, bound, witness={"x": x, "T": size}, headline=True)


@judge.drift(rounds=10, costs=(0.25, 0.75), parameters={"a_i": VECTORS, "gamma": "6/103", "K": 10})
def example(law: Law, rng: Any, rounds: int, costs: Sequence[float]) -> Iterable[Comparison]:
    """Runs of local CAT-S: one entry and growth at a small fixed cost, gradient descent at a large one."""
    gamma = float(1 / _L)
    problem = Quadratic(np.array(EXAMPLE.matrices, dtype=float))

    def run(rule: Any) -> Any:
        options: dict[str, Any] = {"start": np.ones(3), "trace": True, "allow_divergence": True}
        return cat_gd(problem, rule, step_size=gamma, rounds=rounds, rng=rng, **options)

    small = run(partial(law.rule, cost=Affine(1, costs[0]), entry_bits=1))
    whole = run(fixed_size(3, Affine(1, costs[1])))
    large = run(partial(law.rule, cost=Affine(1, costs[1]), entry_bits=1))
    for k in range(rounds + 1):
        stated = law("exact", gamma=gamma, K=k)
        witness = {"k": k}
        for item in small.iterates[0, k]:
            yield eq("entry", float(item), stated, ROUNDS, witness=witness)
        if k < rounds:
            yield eq("largest message", int(small.sizes[0, k].max()), 1)
            x = tuple(F(str(float(item))) for item in small.iterates[0, k])
            bound = float(small.objective[0, k]) - float(_decrease(law, EXAMPLE, _L, x, 1))
            yield le(
                "objective",
                float(small.objective[0, k + 1]),
                bound,
                ROUND_OFF,
                witness=witness,
                headline=True,
            )
    yield eq("smallest message at a large fixed cost", int(large.sizes.min()), 3)
    for a, b in zip(large.x[0], whole.x[0], strict=True):
        yield eq("gradient descent at a large fixed cost", float(a), float(b), ROUND_OFF)
    first, last = float(large.objective[0, 0]), float(large.objective[0, -1])
    yield le("objective of gradient descent", last, first / 2, ROUND_OFF)
