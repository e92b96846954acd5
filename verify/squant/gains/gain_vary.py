"""Checks of `squant/gain-vary`: rounds from the matrices of family W against the stated ratio."""

from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.squant.fixtures.branches import smaller_branch
from verify.squant.fixtures.families import diagonals

DIMENSION = 64
NODES = (4, 16, 64, 256, 1024)


def family_w(n: int, d: int) -> Any:
    """Return the diagonals (n, d) of family W: one heavy coordinate of one node."""
    return diagonals("W", n, d=d)[0]


def reversed_coordinates(n: int, d: int) -> Any:
    """Return family W with the coordinates in reverse order."""
    return family_w(n, d)[:, ::-1]


def matched(n: int, d: int) -> tuple[float, float]:
    """Return the budgets of the uniform step and of the varying steps."""
    return max(1.0, d / n), max(1.0, d / n)


def rounds(nodes: Any, budgets: tuple[float, float]) -> tuple[float, float]:
    """Return K of the uniform and of the varying steps at their budgets, each from the smaller branch."""
    n, d = nodes.shape
    mean = nodes.mean(axis=0)
    omega = smaller_branch(np.ones((n, d)), np.full((n, d), np.sqrt(d) / budgets[0])).max()
    constants = smaller_branch(nodes, varying_steps(nodes, budgets[1]))
    std, vary = (
        float((mean.max() + 2 * item / n) / mean.min()) for item in (omega * nodes.max(), constants.max())
    )
    return std, vary


def varying_steps(nodes: Any, budget: float) -> Any:
    """Return the steps of each node, (n, d)."""
    return np.sqrt(nodes.sum(axis=1, keepdims=True) / nodes) / budget


judge = checks_of("squant/gain-vary", family=family_w, budgets=matched)


def _without_dominant_coordinate(n: int, d: int) -> Any:
    nodes = family_w(n, d)
    nodes[0] = 1.0
    return nodes


judge.sabotage(
    "no-dominant-coordinate at exact/family-w-*: Family W with the identity at the heavy node: varying "
    "steps gain nothing.",
    family=_without_dominant_coordinate,
)


judge.sabotage(
    # With four nodes 3 is no small part of min(n, d).
    "similar-nodes at exact/family-w-??*: Every node has the matrix of the heavy one: "
    "the ratio stays below 3.",
    {"family": lambda n, d: np.tile(family_w(n, d)[0], (n, 1))},
    "fixed-budget at exact/*: Both methods at the root of d as budget.",
    {"budgets": lambda n, d: (d**0.5, d**0.5)},
    "unmatched-budget at exact/family-w-4, exact/family-w-16, exact/random-few-nodes: The varying steps at "
    "budget 1, whatever the uniform step has.",
    {"budgets": lambda n, d: (max(1.0, d / n), 1.0)},
    "budget-below-one at exact/family-w-256, exact/family-w-1024, exact/*-coordinates: A budget below 1 for "
    "many nodes: the ratio does not saturate.",
    {"budgets": lambda n, d: (d / n, d / n)},
    "starved-uniform-step at exact/family-w-*: A tenth of the budget for the uniform step: it seems worse "
    "than it is.",
    {"budgets": lambda n, d: (max(1.0, d / n) / 10, max(1.0, d / n))},
    "permuted-coordinates, neutral at exact/family-w-*: Take the coordinates in reverse order: the ratio "
    "depends on traces only.",
    {"family": reversed_coordinates},
)


def _compare(law: Law, nodes: Any) -> Comparisons:
    """Budget, steps, both condition numbers, and their ratio."""
    n, d = nodes.shape
    budgets = law.budgets(n, d)
    std, vary = rounds(nodes, budgets)
    mean, traces = nodes.mean(axis=0), nodes.sum(axis=1)
    L, mu, largest, trace = (float(item) for item in (mean.max(), mean.min(), nodes.max(), traces.max()))
    rho, nu_tr = largest / (n * L), trace / largest
    witness = {"n": n, "d": d, "rho": rho, "nu_tr": nu_tr}
    shared = {"L": L, "mu": mu, "n": n, "d": d}
    budget = law("budget", n=n, d=d)
    uniform = np.full(d, np.sqrt(d) / budgets[0])
    steps = varying_steps(nodes, budgets[1])[0]
    for label, value, bound in (
        ("budget", budgets[0], budget),
        ("omega", float(np.linalg.norm(uniform)), law("omega", n=n, d=d)),
        ("budget of the steps", float(np.linalg.norm(1 / steps)), budget),
        (
            "coarse bound of the steps",
            float(np.linalg.norm(nodes[0] * steps)),
            law("step_bound", tr=float(traces[0]), beta=budget),
        ),
        ("rounds with a uniform step", std, law("condition_std", L_max=largest, **shared)),
        ("rounds with varying steps", vary, law("condition_vary", trace=trace, **shared)),
        ("ratio of rounds", std / vary, law("exact", **witness)),
    ):
        yield eq(label, value, bound, ROUND_OFF, witness=witness)
    yield le("ratio, from below", law("lower", **witness), std / vary, ROUND_OFF, witness=witness)
    yield le("ratio, from above", std / vary, law("upper", n=n, d=d), ROUND_OFF, witness=witness)


@judge.exact(instances={f"family-w-{n}": {"n": n, "d": DIMENSION, "family": "W"} for n in NODES})
def family(law: Law, n: int, d: int, **_: Any) -> Comparisons:
    """One heavy coordinate of one node: also against the smaller one of n and d, and in both regimes."""
    yield from _compare(law, law.family(n, d))
    std, vary = rounds(law.family(n, d), law.budgets(n, d))
    ratio, sizes = std / vary, {"n": n, "d": d}
    shown: dict[str, Any] = {"witness": sizes}
    yield le("ratio in family W", law("family_lower", **sizes), ratio, ROUND_OFF, headline=True, **shown)
    for name, own, smaller in (("few", sizes, sizes["n"]), ("many", {"d": sizes["d"]}, sizes["d"])):
        if smaller == min(sizes.values()):
            lower, upper = (law(f"{name}_{end}", **own) for end in ("below", "above"))
            yield le(f"ratio for {name} nodes, from below", lower, ratio, ROUND_OFF, **shown)
            yield le(f"ratio for {name} nodes, from above", ratio, upper, ROUND_OFF, **shown)


@judge.exact(instances={"random-few-nodes": {"n": 5, "d": 9}, "random-few-coordinates": {"n": 9, "d": 5}})
def random_nodes(law: Law, n: int, d: int) -> Comparisons:
    """Diagonals of several scales; the coarse branch is the smaller one from 4 nodes and coordinates on."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for _ in range(10):
        yield from _compare(law, np.exp(rng.normal(0, 2, size=(n, d)) + rng.normal(0, 2, size=(n, 1))))
