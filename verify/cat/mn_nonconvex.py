"""Checks of `cat/mn-nonconvex`: exact trees with several nodes, and exact steps along a run."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_st
from impl.communication import Affine
from impl.optimizers.cat_gd import Rule
from verify.binding import Check
from verify.cat.golden_vectors import mn4
from verify.cat.mn_strong import EQUAL, MN4, Setting, chances_of, largest_noise, noises_of, solved
from verify.cat.mn_strong import stated as stated_for_strong
from verify.cat.outcome_tree import expected, square
from verify.cat.recorded_run import recorded_run, without_noise
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact, names
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/mn-nonconvex"


@dataclass(frozen=True)
class Bounded:
    r"""Nodes with $\frac1n\sum\|g_i\|^2\le G^2+B^2\|\nabla F\|^2$ at all points.

    Args:
        setting: Nodes, start, step and rounds; `L` is that of F.
        G_sq: G^2.
        B_sq: B^2.
    """

    setting: Setting
    G_sq: Any
    B_sq: Any

    def permuted(self) -> "Bounded":
        """Return the same with the nodes in reverse order."""
        return replace(self, setting=self.setting.permuted())


# The mean of the two is [[1, 1/2], [1/2, 1]], with the eigenvalues 3/2 and 1/2; there the mean of H_i^2 has
# 13/2 and 9/2, so B^2 = 18 suffices. Neither node is convex.
INDEFINITE = solved(
    Setting(
        (((F(3), F(0)), (F(0), F(-1))), ((F(-1), F(1)), (F(1), F(3)))),
        ((F(0),) * 2,) * 2,
        (),
        (F(1), F(-2)),
        F(3, 2),
        F(1, 2),
        F(1, 20),
        2,
    )
)
# Two of the four corners: the tree of two rounds stays small.
SEGMENT = replace(
    MN4, matrices=MN4.matrices[:2], linear=(MN4.linear[0], MN4.linear[3]), start=(F(1), F(1, 2)), rounds=2
)
# One node with half the squared norm and whole gradients: after one round the bound is attained.
ATTAINED = replace(
    MN4, matrices=MN4.matrices[:1], linear=((F(0),) * 2,), start=(F(1), F(2)), step=F(1), rounds=2, T=2
)
SETTINGS = {
    "attained": Bounded(ATTAINED, 0, 1),
    "corners-from-the-middle": Bounded(MN4, 2, 1),
    "corners-far": Bounded(replace(MN4, start=(F(2), F(2))), 2, 1),
    "two-corners": Bounded(SEGMENT, 2, 1),
    "indefinite-nodes": Bounded(INDEFINITE, 0, 18),
    "equal-nodes": Bounded(replace(EQUAL, rounds=2), 0, 1),
}


@dataclass(frozen=True)
class Claimed:
    """What is claimed or run.

    Args:
        nodes: Maps n to the number of nodes as it enters.
        B: Whether B counts.
        gap: Part of Delta_0 in the bound on mean squared gradients.
        rule: Maps the rule of the nodes to the one of the run.
    """

    nodes: Callable[[int], int] = lambda n: n
    B: int = 1
    gap: F = F(1)
    rule: Callable[[Rule], Rule] = lambda rule: rule


HONEST = Claimed()
SABOTAGED = {
    "n-squared": Claimed(nodes=lambda n: n * n),
    "zero-b": Claimed(B=0),
    "half-gap": Claimed(gap=F(1, 2)),
    "noiseless-step": Claimed(rule=without_noise),
}
SEEN = {
    "attained": ("half-gap",),
    "corners-from-the-middle": ("n-squared",),
    "corners-far": ("zero-b",),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    mutants = {key: DriftCase(partial(drift, SABOTAGED[key])) for key in ("n-squared", "noiseless-step")}
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.6),
        *(_exact(name, bounded) for name, bounded in SETTINGS.items()),
        Check("exact", "tuned-step", ExactCase(compare_tuned), {"K": [1, 10, 10000]}, seconds=0.1),
        Check("run", "corners", DriftCase(partial(drift, HONEST)), {"K": 20}, mutants, seconds=0.1),
    )


def _exact(name: str, bounded: Bounded) -> Check:
    mutants: dict[str, Any] = {
        key: ExactCase(partial(compare, bounded, SABOTAGED[key])) for key in SEEN.get(name, ())
    }
    mutants["permuted-nodes"] = ExactCase(lambda: compare(bounded.permuted()))
    parameters = {**bounded.setting.parameters, "G^2": bounded.G_sq, "B^2": bounded.B_sq}
    return Check("exact", name, ExactCase(lambda: compare(bounded)), parameters, mutants, seconds=0.3)


def stated(name: str, values: dict[str, Any]) -> Any:
    """Return a formula of the claim, exactly for rational values; it takes what it needs of them."""
    formula = theory.claim(ID).expressions[name]
    needed = {key: values[key] for key in names(formula)}
    rational = all(not isinstance(item, float) for item in needed.values())
    return (evaluate_exact if rational else evaluate)(formula, needed)


def constants(bounded: Bounded, claimed: Claimed = HONEST) -> dict[str, Any]:
    """Return the constants by the names of the claim."""
    setting = bounded.setting
    return {
        "L": setting.L,
        "gamma": setting.step,
        "q": setting.q,
        "n": claimed.nodes(setting.n),
        "G_sq": bounded.G_sq,
        "B_sq": bounded.B_sq * claimed.B,
    }


def compare(bounded: Bounded, claimed: Claimed = HONEST) -> Iterable[Comparison]:
    """Hold the change of each round and the mean squared gradients of the tree against the bounds."""
    setting, nodes = bounded.setting, bounded.setting.nodes
    values, levels = constants(bounded, claimed), setting.tree()
    yield Comparison("step", "le", setting.step, stated("step", constants(bounded)))
    floor = nodes.objective(setting.solution)
    gaps = [expected(level, lambda leaf: nodes.objective(leaf.x)) - floor for level in levels]
    squares = [expected(level, lambda leaf: square(nodes.gradient(leaf.x))) for level in levels]
    for leaf in levels[0] + levels[1]:
        energies = [square(g) for g in nodes.gradients(leaf.x)]
        allowed = bounded.G_sq + bounded.B_sq * square(nodes.gradient(leaf.x))
        yield Comparison("gradients of the nodes", "le", sum(energies) / setting.n, allowed)
    for k in range(1, len(levels)):
        change = stated("one_step", {**values, "G": squares[k - 1]})
        yield Comparison("gap", "le", gaps[k], gaps[k - 1] + change, EXACT, {"k": k}, headline=True)
        mean = sum(squares[:k]) / k
        bound = stated("bound", {**values, "Delta_0": gaps[0] * claimed.gap, "K": k})
        yield Comparison("mean squared gradient", "le", mean, bound, EXACT, {"K": k})


def compare_tuned() -> Iterable[Comparison]:
    """With the smaller of the two stated steps the bound is at most the stated sum."""
    values = {key: float(item) for key, item in constants(SETTINGS["corners-far"]).items()}
    for K in (1, 10, 10_000):
        at = {**values, "n": 4, "K": K, "Delta_0": 4.0}
        step = min(stated("step", at), stated("tuned_step", at))
        bound = stated("bound", {**at, "gamma": step})
        yield Comparison("bound at the tuned step", "le", bound, stated("tuned", at), ROUND_OFF, {"K": K})


def drift(claimed: Claimed, rng: Any) -> Iterable[Comparison]:
    """The run's own steps from the middle of the corners, and with them the exact mean changes of F."""
    problem = mn4()
    n = problem.n
    rule = claimed.rule(partial(cat_st, cost=Affine(1, 0), entry_bits=1))
    for made in recorded_run(problem, rule, step_size=1.0, rounds=20, rng=rng, start=np.zeros(2)):
        x, gradients = made.x, problem.gradients(made.x)
        chances, mean = chances_of(gradients, made.sizes), gradients.mean(axis=0)
        noises = noises_of(gradients, chances)
        values = {"L": 1.0, "q": largest_noise(gradients, noises), "n": n, "G_sq": 2.0, "B_sq": claimed.B}
        # The method is that of `cat/mn-strong`; its step is below the largest one of this claim.
        step = stated_for_strong("step", values)
        yield from made.hold(step, gradients, chances)
        taken = step if made.step is None else made.step
        witness = {"k": made.k}
        yield Comparison("step", "le", taken, stated("step", values), ROUND_OFF, witness)
        y = x - taken * mean
        # F = (|x|^2 + 2) / 2 for these nodes.
        change = (float(y @ y - x @ x) + taken**2 * sum(noises) / n**2) / 2
        at = {**values, "gamma": taken, "n": claimed.nodes(n), "G": float(mean @ mean)}
        # A change near 0 is the difference of two objectives of this size.
        size = float(x @ x + 2) / 2
        bound = size + stated("one_step", at)
        yield Comparison("change", "le", size + change, bound, ROUND_OFF, witness, headline=True)
