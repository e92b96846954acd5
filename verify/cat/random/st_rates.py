"""Checks of `cat/st-rates`: exact trees of whole runs, and exact steps along a long run."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

from impl.adaptive import cat_st, keep_probabilities
from impl.communication import Affine, Packet
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import MN2_MATRICES, MN2_START, quad
from verify.cat.fixtures.recorded_run import louder, recorded_run, turned_run, without_noise
from verify.cat.random.one_node_trees import Setting
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.expectation.outcome_tree import expected, square

judge = checks_of(
    "cat/st-rates",
    tree=Setting.tree,
    rule=partial(cat_st, cost=Affine(1, 5), entry_bits=1),
    record=recorded_run,
)

_H = tuple(tuple(F(item) for item in row) for row in MN2_MATRICES[0])
_DENSE = ((F(4), F(1), F(-1)), (F(1), F(2), F(1)), (F(-1), F(1), F(3)))
_START = tuple(F(item) for item in MN2_START)
_EQUAL = Setting(((F(1), F(0)), (F(0), F(1))), (F(1), F(1)), F(1), F(1), 1)
# One dimension, where everything is attained in one round.
_ONE = Setting(((F(2),),), (F(3),), F(2), F(2), 1, cost=Affine(1, 5))
_PACKETS = Setting(_DENSE, (F(1), F(2), F(0)), F(6), F(1, 2), 2, T=None, cost=Packet(2, 1, F(1, 2)))
SETTINGS = {
    "one-entry": replace(_ONE, accuracy=F(35)),
    "equal-entries": _EQUAL,
    "near-isotropic": Setting(((F(1), F(0)), (F(0), F(19, 20))), (F(1), F(20, 19)), F(1), F(19, 20), 2),
    "rational": Setting(_H, _START, F(14, 5), F(7, 10), 4),
    "three-entries": Setting(_DENSE, (F(1), F(-2), F(1, 2)), F(6), F(1, 2), 2, T=2),
    "rule": Setting(_H, _START, F(14, 5), F(7, 10), 3, T=None, accuracy=F(1, 2)),
    "rule-packets": _PACKETS,
    "one-entry-gap": replace(_ONE, gap=F(891, 100)),
    "equal-entries-gap": replace(_EQUAL, rounds=3, gap=F(1, 4) - F(1, 100)),
    "rule-gap": Setting(_H, (F(2), F(1)), F(14, 5), F(7, 10), 3, T=None, cost=Affine(1, 0), gap=F(3, 2)),
    "rule-packets-gap": replace(_PACKETS, gap=F(2)),
}
_TREES = tuple(f"exact/{name}" for name in SETTINGS)

# ---------------------------------------------------------------- sabotages


judge.sabotage(
    "half-sum at exact/one-entry: Claim half of the bounds on the sum of omega |g|^2 and on the cost.",
    lambda law: law.scaled(F(1, 2), "sum", "cost"),
    "half-distance at exact/one-entry: Claim half of the bound on the sum of omega delta: twice too small "
    "in one dimension. | distance = distance / 2",
    "twice-nearer at run/quad: Claim that the squared distance falls by twice as much. | nearer = 2 * nearer",
    "larger-convexity at exact/equal-entries: Put 3/2 mu for mu: for equal entries and T = 1 in two "
    "dimensions a quarter of the gap is claimed, not half. | bound = bound(mu = mu * (3/2))",
    "larger-convexity-in-product at exact/equal-entries: Put it into the factors: there the gap over the "
    "product is twice the first one. | factor = factor(mu = mu * (3/2))",
    "half-polyak-cost at exact/one-entry-gap: Claim half of the cost until a gap: one round in one "
    "dimension costs nearly the whole. | polyak_cost = polyak_cost / 2",
    "without-last-round at exact/one-entry-gap: Leave the last round out of the cost until a gap: it may go "
    "far below. | polyak_cost = polyak_cost - L / (mu * e_bar)",
)
judge.sabotage(
    "lost-leaf at exact/golden: Lose a leaf of the tree.",
    tree=lambda setting, factor: [level[1:] for level in setting.tree(factor)],
    at=_TREES,
)
judge.sabotage(
    "constant-factors at exact/near-isotropic: Take 1 for the factors of the product: it is not below the "
    "gap.",
    {"tree": lambda setting, factor: setting.tree(lambda omega, **known: 1 + 0 * omega)},
    "unscaled-step at run/quad: Run with the step 1/L, without the factor omega.",
    lambda law: law.replace(rule=without_noise(law.rule)),
    "loud-messages at run/quad: Messages are too large by a thousandth.",
    lambda law: law.replace(rule=louder(law.rule)),
    "turned-moves at run/quad: The run moves away from its messages.",
    {"record": turned_run},
)
judge.sabotage_data(
    "permuted-coordinates, neutral: Reverse the order of the coordinates: nothing may change.",
    lambda name, order: {"name": name, "order": -order},
    at=_TREES,
)


# ---------------------------------------------------------------- exact trees


@judge.exact(instances={name: {"name": name, "order": 1} for name in SETTINGS})
def trees(law: Law, name: str, order: int) -> Iterable[Comparison]:
    """The expectations after each round of the tree against the bounds."""
    yield from _compare(law, SETTINGS[name].permuted(order), name)


@judge.exact(K=4)
def golden(law: Law, K: int) -> Iterable[Comparison]:
    """The setting of the specification, in floats with the eigenvalues themselves."""
    matrix = tuple(tuple(float(item) for item in row) for row in _H)
    low, high = (float(item) for item in np.linalg.eigvalsh(np.array(matrix)))
    start = tuple(float(item) for item in _START)
    yield from _compare(law, Setting(matrix, start, high, low, K, tolerance=ROUND_OFF), "golden")


def _compare(law: Law, setting: Setting, name: str) -> Iterable[Comparison]:
    tolerance, nodes, known = setting.tolerance, setting.nodes, {"L": setting.L}
    stated: Any = law.exactly if tolerance is EXACT else law
    levels = law.tree(setting, partial(stated, "factor"))
    Delta_0, D_0 = nodes.objective(setting.start), square(setting.start)
    start = {**known, "Delta_0": Delta_0}
    for k, level in enumerate(levels[1:], 1):
        witness = {"k": k, "leaves": len(level)}
        yield eq("total probability", expected(level, lambda leaf: 1), 1, tolerance)
        gap = expected(level, lambda leaf: nodes.objective(leaf.x))
        squares = expected(level, lambda leaf: leaf.memory.squares)
        yield le("sum of omega |g|^2", squares, stated("sum", **start), tolerance, witness=witness)
        gaps = expected(level, lambda leaf: leaf.memory.gaps)
        distance = stated("distance", **known, D_0=D_0)
        yield le("sum of omega delta", gaps, distance, tolerance, witness=witness)
        if not level:
            return
        least = min(leaf.memory.least for leaf in level)
        if not any(leaf.memory.ended for leaf in level):
            bound = stated("bound", **start, mu=setting.mu, omega=least, K=k)
            yield le("gap", gap, bound, tolerance, witness=witness, headline=True)
        if all(leaf.memory.product > 0 for leaf in level) and not (setting.accuracy or setting.gap):
            ratio = expected(level, lambda leaf: nodes.objective(leaf.x) / leaf.memory.product)
            yield le("gap over the product", ratio, Delta_0, tolerance, witness=witness)
        if name == "near-isotropic" and k == setting.rounds:
            product = expected(level, lambda leaf: leaf.memory.product)
            yield le("mean product below the gap", product * Delta_0, gap, tolerance, witness=witness)
            yield eq("mean product", product, law.exactly("product"), witness=witness)
            yield eq("gap after two rounds", gap, law.exactly("two_rounds"), witness=witness)
        e_bar = min(leaf.memory.efficiency for leaf in level)
        spent = expected(level, lambda leaf: leaf.memory.spent)
        if setting.accuracy:
            bound = stated("cost", **start, epsilon=setting.accuracy, e_bar=e_bar)
            yield le("cost", spent, bound, tolerance, witness=witness)
        if setting.gap:
            values = {**start, "mu": setting.mu, "epsilon": setting.gap, "e_bar": e_bar}
            bound = law("polyak_cost", **{key: float(item) for key, item in values.items()})
            yield le("cost until a gap", float(spent), bound, ROUND_OFF, witness=witness)


# ---------------------------------------------------------------- exact steps at the points of a run


@judge.drift(instance="quad", d=20, rounds=30, parameters={"d": 20, "K": 30, "c_0": 5})
def run(law: Law, rng: Any, d: int, rounds: int) -> Iterable[Comparison]:
    """The run's own steps, and with them the exact means of gap and squared distance after each round."""
    problem = quad()
    H = problem.matrices[0]
    low, *_, high = np.linalg.eigvalsh(H)
    for made in law.record(problem, law.rule, step_size=1 / high, rounds=rounds, rng=rng, start=np.ones(d)):
        x, size = made.x, int(made.sizes[0])
        g, gap = H @ x, x @ H @ x / 2
        p = keep_probabilities(g, size)
        noise = g * g * (1 / p - 1)
        omega = float(g @ g / (g * g / p).sum())
        step = law("step", omega=omega, L=high)
        yield from made.hold(step, [g], [p])
        taken = step if made.step is None else made.step
        y = x - taken * g
        witness = {"k": made.k, "T": size}
        after = y @ H @ y / 2 + taken**2 * (np.diag(H) @ noise) / 2
        factor = law("factor", omega=omega, mu=low, L=high)
        yield le("gap", float(after), factor * float(gap), ROUND_OFF, witness=witness, headline=True)
        moved = float(y @ y + taken**2 * noise.sum())
        bound = float(x @ x - law("nearer", omega=omega, L=high, delta=float(gap)))
        yield le("squared distance", moved, bound, ROUND_OFF, witness=witness)
