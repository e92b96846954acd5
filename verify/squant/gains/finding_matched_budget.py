"""Checks of `squant/finding-matched-budget`: gains at numerically best budgets."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.squant.fixtures.best_budget import minimal_cost
from verify.squant.gains.gain_vary import DIMENSION, NODES, family_w, reversed_coordinates

KAPPA = 8.0
"""Bits per unit of budget: sign, level and gap of about one nonzero."""

NORM = 32
_SIZES = (64, 256, 1024, 4096)


@dataclass(frozen=True)
class Matrices:
    """What the gains depend on: sizes, smoothness of the mean, and constants times budget of a rival."""

    n: int
    d: int
    L: float
    L_max: float
    c: float

    @property
    def rho(self) -> float:
        """Return L_max / (n L)."""
        return self.L_max / (self.n * self.L)


def best_cost(matrices: Matrices, norms: int, constant: float) -> float:
    """Return the smallest cost over all budgets, found numerically."""
    return minimal_cost(NORM * norms, KAPPA, constant, matrices.L, matrices.n, 1.0)[0]


def equal_nodes(n: int) -> Matrices:
    """Return nodes that all have the identity, with the best conceivable constant: that of one coordinate."""
    return Matrices(n, n, 1.0, 1.0, 1.0)


judge = checks_of(
    "squant/finding-matched-budget",
    cost=best_cost,
    uniform=lambda matrices: matrices.d * matrices.L_max,
    family=family_w,
    equal=equal_nodes,
)


def _at_matched_budget(matrices: Matrices, norms: int, constant: float) -> float:
    beta = max(1.0, matrices.d / matrices.n)
    return (NORM * norms + KAPPA * beta) * (matrices.L + 2 * constant / (beta * matrices.n))


judge.sabotage(
    "matched-is-best at exact/whatever-n, exact/order-d: The matched budget for the best one: the gain "
    "grows with n and not with d.",
    {"cost": _at_matched_budget},
    "blocks-gain-n at exact/blocks: Count one norm for n blocks: they gain of order n also for d = 8 n.",
    {"cost": lambda matrices, norms, constant: best_cost(matrices, 1, constant)},
    "norms-of-all-nodes at exact/blocks, exact/whatever-n, exact/order-d: Count the norms of all nodes: the "
    "gain falls with n.",
    {"cost": lambda matrices, norms, constant: best_cost(matrices, norms * matrices.n, constant)},
    "dimension-twice at exact/blocks, exact/whatever-n, exact/order-d: Charge the uniform step d twice: the "
    "gain exceeds d.",
    {"uniform": lambda matrices: matrices.d**2 * matrices.L_max},
    "all-nodes-heavy at exact/whatever-n: Every node has the matrix of the heavy one: no gain, at any "
    "budget.",
    {"family": lambda n, d: np.tile(family_w(n, d)[0], (n, 1))},
    "similar-nodes-gain-d at exact/similar-nodes: One node dominates where all should be equal: a gain of "
    "order d.",
    {"equal": lambda n: replace(equal_nodes(n), L=1 / n)},
    "permuted-coordinates, neutral at exact/whatever-n: Take the coordinates in reverse order: traces count.",
    {"family": reversed_coordinates},
)


def _gain(law: Law, matrices: Matrices, norms: int, cost: Any = None) -> float:
    """Return the cost of the unaware method over that of the rival, by default each at its best budget."""
    cost = cost or law.cost
    unaware: float = cost(matrices, 1, law.uniform(matrices))
    return unaware / float(cost(matrices, norms, matrices.c))


def _matched(law: Law, matrices: Matrices, found: float) -> Comparisons:
    """The gain at the matched budget, where both messages have the same bits: its formula, and its order."""
    sizes = {"n": matrices.n, "d": matrices.d}
    values = {**sizes, "rho": matrices.rho, "nu_tr": matrices.c / matrices.L_max}
    least, most = law("matched_lower", **sizes), law("matched_upper", **sizes)
    yield eq("gain at the matched budget", found, law("matched", **values), ROUND_OFF, witness=values)
    yield le("gain at the matched budget, from below", least, found, ROUND_OFF, witness=values)
    yield le("gain at the matched budget, from above", found, most, ROUND_OFF, witness=values)


def _vary(law: Law, matrices: Matrices, found: float) -> Comparisons:
    """The gain of varying steps: its formula, and its order."""
    shared = {"kappa": KAPPA, "d": matrices.d, "rho": matrices.rho, "nu_tr": matrices.c / matrices.L_max}
    witness = {**shared, "n": matrices.n}
    yield eq("gain of varying steps", found, law("exact", **shared), ROUND_OFF, witness=witness)
    yield le("gain, from above", found, law("vary_upper", d=matrices.d), ROUND_OFF, witness=witness)
    least, least_of_w = law("vary_lower", **shared), law("W_lower", kappa=KAPPA, d=matrices.d)
    yield le("gain, from below", least, found, ROUND_OFF, witness=witness, headline=True)
    yield le("gain in family W", least_of_w, found, ROUND_OFF, witness=witness)


@judge.exact(instance="whatever-n", family="W", d=DIMENSION, n=NODES, kappa=KAPPA)
def nodes(law: Law, n: tuple[int, ...], d: int, **_: Any) -> Comparisons:
    """The number of nodes changes the gain at the matched budget, not the one at best budgets."""
    for count in n:
        rows = law.family(count, d)
        mean, trace = float(rows.mean(axis=0).max()), float(rows.sum(axis=1).max())
        matrices = Matrices(count, d, mean, float(rows.max()), trace)
        yield from _vary(law, matrices, _gain(law, matrices, 1))
        yield from _matched(law, matrices, _gain(law, matrices, 1, _at_matched_budget))


@judge.exact(family="W", n=16, kappa=KAPPA)
def order_d(law: Law, n: int, **_: Any) -> Comparisons:
    """The gain is of order d at a fixed number of nodes."""
    for d in (2**power for power in range(12, 21, 2)):
        small = 1 / (n * d)
        matrices = Matrices(n, d, (1 + (n - 1) * small) / n, 1.0, 1 + (d - 1) * small)
        yield from _vary(law, matrices, _gain(law, matrices, 1))


@judge.exact(family="V", d="8 n^2 and 8 n", kappa=KAPPA)
def blocks(law: Law, **_: Any) -> Comparisons:
    """With n blocks in family V the gain is of order min(n, d / n)."""
    for n in _SIZES:
        for d in (8 * n * n, 8 * n):
            # Node 1 has 1 on its first block and 1/n elsewhere, the others have I/n. The constant is the sum
            # over the blocks of the root of the length times the Frobenius norm.
            matrices = Matrices(n, d, (1 + (n - 1) / n) / n, 1.0, d / n * (1 + (n - 1) / n))
            found = _gain(law, matrices, n)
            # nu_B = (n / d) c_block / L_max, with B = n blocks.
            values = {"kappa": KAPPA, "rho": matrices.rho, "n": n, "d": d}
            full = {**values, "nu_B": n * matrices.c / (d * matrices.L_max)}
            low, high = (law(f"V_{side}", kappa=KAPPA, n=n, d=d) for side in ("lower", "upper"))
            yield eq("gain of blocks", found, law("gain_block", **full), ROUND_OFF, witness=full)
            for label, value, most in (
                ("gain of blocks, norms", found, law("block_upper_norms", **values)),
                ("gain of blocks, steps", found, law("block_upper_steps", **full)),
                ("gain of blocks, from below", law("block_lower", **full), found),
                ("gain in family V, from below", low, found),
                ("gain in family V, from above", found, high),
            ):
                headline = label == "gain of blocks, from below"
                yield le(label, value, most, ROUND_OFF, witness=full, headline=headline)


@judge.exact(family="identity", n="d", kappa=KAPPA)
def similar_nodes(law: Law, **_: Any) -> Comparisons:
    """If all nodes have the identity, the gain stays bounded while d = n grows."""
    for n in _SIZES:
        found, upper = _gain(law, law.equal(n), 1), law("similar_upper", kappa=KAPPA, d=n, n=n)
        yield le("gain of similar nodes", found, upper, ROUND_OFF, witness={"n": n}, headline=True)
