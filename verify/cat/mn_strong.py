"""Checks of `cat/mn-strong`: exact trees with several nodes, and exact steps along runs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_st, keep_probabilities
from impl.communication import Affine
from impl.optimizers.cat_gd import Rule
from impl.problems import Logistic, Quadratic
from verify.binding import Check
from verify.cat.golden_vectors import (
    MN2_LINEAR,
    MN2_MATRICES,
    MN2_START,
    MN4_CENTERS,
    logi,
    mn4,
)
from verify.cat.outcome_tree import (
    Leaf,
    QuadraticNodes,
    Round,
    Vector,
    expected,
    independent_mean,
    kept_entries,
    mean_vector,
    outcome_tree,
    square,
)
from verify.cat.recorded_run import recorded_run, without_noise
from verify.cat.written_out import RUN_FAULTS, RUNS, compare_run
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact, names
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/mn-strong"
Rows = tuple[tuple[Any, ...], ...]


def rows_of(matrix: Any) -> Any:
    """Return nested sequences of numbers as nested tuples of Fractions."""
    return tuple(rows_of(item) if hasattr(item, "__len__") else F(item) for item in matrix)


@dataclass(frozen=True)
class Setting:
    r"""Nodes $\frac12x^\top H_ix-b_i^\top x$ in rationals, each of which expects to send T entries.

    Args:
        matrices: H_i, (n, d, d).
        linear: b_i, (n, d).
        solution: x*, (d,).
        start: x_0.
        L: At least the smoothness constant.
        mu: At most the constant of strong convexity.
        step: gamma.
        rounds: K.
        T: Expected entries of each message.
    """

    matrices: tuple[Rows, ...]
    linear: Rows
    solution: Vector
    start: Vector
    L: Any
    mu: Any
    step: Any
    rounds: int
    T: int = 1

    @property
    def nodes(self) -> QuadraticNodes:
        """Return the functions."""
        return QuadraticNodes(self.matrices, self.linear)

    @property
    def n(self) -> int:
        """Return the number of nodes."""
        return len(self.matrices)

    @property
    def q(self) -> F:
        """Return d / T - 1: no share is below T / d."""
        return F(len(self.start), self.T) - 1

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        shown = {"H": self.matrices, "b": self.linear, "x_0": self.start, "K": self.rounds, "T": self.T}
        return {**shown, "gamma": self.step, "L": self.L, "mu": self.mu}

    def permuted(self) -> "Setting":
        """Return the setting with the nodes in reverse order."""
        return replace(self, matrices=self.matrices[::-1], linear=self.linear[::-1])

    def chances(self, g: Vector) -> Sequence[Any]:
        """Return the chances of a node's entries."""
        size = min(self.T, sum(1 for item in g if item))
        return list(keep_probabilities(list(g), size)) if size else [F(0)] * len(g)

    def law(self, gradients: Sequence[Vector], *, common: bool = False) -> Any:
        """Return the law of the mean of the messages; `common` draws the entries once, for equal nodes."""
        if common:
            return kept_entries(gradients[0], self.chances(gradients[0]))
        return independent_mean([kept_entries(g, self.chances(g)) for g in gradients])

    def tree(self) -> list[list[Leaf]]:
        """Return the tree of the run."""

        def played(x: Vector, gradients: Sequence[Vector], memory: Any) -> Round:
            return Round(self.law(gradients), self.step)

        return outcome_tree(self.nodes.gradients, self.start, played, self.rounds)


def solved(setting: Setting) -> Setting:
    """Return the setting with its solution, in two dimensions by Cramer's rule."""
    (a, b), (c, d) = (mean_vector(rows) for rows in zip(*setting.matrices, strict=True))
    u, v = mean_vector(setting.linear)
    determinant = a * d - b * c
    return replace(setting, solution=((u * d - b * v) / determinant, (a * v - c * u) / determinant))


MN2 = solved(
    Setting(
        rows_of(MN2_MATRICES), rows_of(MN2_LINEAR), (), rows_of(MN2_START), F(14, 5), F(4, 3), F(1, 10), 3
    )
)
UNIT = ((F(1), F(0)), (F(0), F(1)))
MN4 = Setting((UNIT,) * 4, rows_of(MN4_CENTERS), (F(0),) * 2, (F(0),) * 2, F(1), F(1), F(1, 5), 1)
EQUAL = solved(
    Setting((MN2.matrices[0],) * 3, (MN2.linear[0],) * 3, (), MN2.start, F(14, 5), F(2, 3), F(1, 8), 1)
)
SETTINGS = {
    "mn2": MN2,
    "mn2-from-the-solution": replace(MN2, start=MN2.solution, rounds=2),
    "corners-from-the-middle": MN4,
    "corners": replace(MN4, start=(F(1), F(2)), rounds=2),
    "equal-nodes": EQUAL,
    "whole-gradients": replace(MN2, T=2, rounds=2),
}


@dataclass(frozen=True)
class Claimed:
    """What is claimed or done: the claim itself, or one sabotage.

    Args:
        noise: Maps n to the factor of the noise.
        common: Whether all nodes draw the same entries.
        missing: How many nodes the stated second moment takes for noiseless.
        rounds: Part of the stated number of rounds.
        rule: Maps the rule of the nodes to the one of the run.
    """

    noise: Callable[[int], Any] = lambda n: 1
    common: bool = False
    missing: int = 0
    rounds: float = 1.0
    rule: Callable[[Rule], Rule] = lambda rule: rule


HONEST = Claimed()
SABOTAGED = {
    "drop-noise": Claimed(noise=lambda n: 0),
    "noise-over-n-squared": Claimed(noise=lambda n: F(1, n)),
    "common-mask": Claimed(common=True),
    "missing-node": Claimed(missing=1),
    "half-rounds": Claimed(rounds=0.5),
    "noiseless-step": Claimed(rule=without_noise),
}
ACCURACIES = (1.0, 0.1, 1e-3)
SEEN = {
    "mn2-from-the-solution": ("drop-noise",),
    "corners-from-the-middle": ("drop-noise", "noise-over-n-squared"),
    "equal-nodes": ("common-mask", "missing-node"),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_exact(name, setting) for name, setting in SETTINGS.items()),
        Check(
            "exact",
            "accuracy",
            ExactCase(compare_accuracy),
            {"epsilon": ACCURACIES},
            {"half-rounds": ExactCase(partial(compare_accuracy, SABOTAGED["half-rounds"]))},
            seconds=0.1,
        ),
        _along_a_run("corners", mn4, 20, ("drop-noise", "noise-over-n-squared", "noiseless-step")),
        _along_a_run("logistic", shards, 15, ("noiseless-step",)),
        *(_literal(name) for name in RUNS),
    )


def _exact(name: str, setting: Setting) -> Check:
    mutants: dict[str, Any] = {
        key: ExactCase(partial(compare, setting, SABOTAGED[key])) for key in SEEN.get(name, ())
    }
    mutants["permuted-nodes"] = ExactCase(lambda: compare(setting.permuted()))
    return Check("exact", name, ExactCase(lambda: compare(setting)), setting.parameters, mutants, seconds=0.2)


def stated(name: str, values: dict[str, Any]) -> Any:
    """Return a formula of the claim, exactly for rational values; it takes what it needs of them."""
    formula = theory.claim(ID).expressions[name]
    needed = {key: values[key] for key in names(formula)}
    rational = all(not isinstance(item, float) for item in needed.values())
    return (evaluate_exact if rational else evaluate)(formula, needed)


def constants(setting: Setting) -> dict[str, Any]:
    """Return the constants of the bound by the names of the claim."""
    at_solution = [square(g) for g in setting.nodes.gradients(setting.solution)]
    return {
        "L": setting.L,
        "mu": setting.mu,
        "gamma": setting.step,
        "q": setting.q,
        "n": setting.n,
        "sigma_sq": sum(at_solution) / setting.n,
        "D_0": _distance(setting.start, setting.solution),
    }


def _distance(x: Vector, y: Vector) -> Any:
    return square(a - b for a, b in zip(x, y, strict=True))


def compare(setting: Setting, claimed: Claimed = HONEST) -> Iterable[Comparison]:
    """Hold second moments and expected distances of the tree against the claim."""
    values = constants(setting)
    yield Comparison("step", "le", setting.step, stated("step", values))
    yield from compare_second_moment(setting, setting.start, claimed)
    values["sigma_sq"] *= claimed.noise(setting.n)
    before = values["D_0"]
    for k, level in enumerate(setting.tree()):
        witness = {"k": k, "leaves": len(level)}
        distance = expected(level, lambda leaf: _distance(leaf.x, setting.solution))
        yield Comparison("total chance", "eq", expected(level, lambda leaf: 1), 1)
        bound = stated("bound", {**values, "K": k})
        yield Comparison("squared distance", "le", distance, bound, witness=witness, headline=k > 0)
        if k:
            recursion = (1 - setting.step * setting.mu) * before + stated("noise", values)
            yield Comparison("one round", "le", distance, recursion, witness=witness)
        before = distance


def compare_second_moment(setting: Setting, x: Vector, claimed: Claimed = HONEST) -> Iterable[Comparison]:
    """The second moment of the mean of the messages over all outcomes against the stated one."""
    gradients = setting.nodes.gradients(x)
    law = setting.law(gradients, common=claimed.common)
    mean, energies = mean_vector(gradients), [square(g) for g in gradients]
    shares = [
        energy / sum(item * item / p for item, p in zip(g, setting.chances(g), strict=True) if item)
        if energy
        else F(1)
        for g, energy in zip(gradients, energies, strict=True)
    ]
    if claimed.missing:
        shares[-claimed.missing :] = [F(1)] * claimed.missing
    values = {"G": square(mean), "E": energies, "omega": shares, "n": setting.n}
    second = sum(chance * square(vector) for chance, vector in law)
    # The variance: the squared mean would hide most of a wrong noise.
    variance = stated("second_moment", {**values, "G": 0})
    yield Comparison("variance of the mean", "eq", second - square(mean), variance)
    for j, item in enumerate(mean):
        yield Comparison(f"mean of entry {j}", "eq", sum(chance * v[j] for chance, v in law), item)


def compare_accuracy(claimed: Claimed = HONEST) -> Iterable[Comparison]:
    """With the stated step and number of rounds the bound is at most the accuracy."""
    values = {key: float(item) for key, item in constants(MN2).items()} | {"n": 2}
    for epsilon in ACCURACIES:
        at = {**values, "epsilon": epsilon}
        step = min(stated("step", at), stated("target_step", at))
        rounds = int(np.ceil(stated("rounds", at) * claimed.rounds))
        bound = stated("bound", {**at, "gamma": step, "K": rounds})
        yield Comparison("bound after the rounds", "le", bound, epsilon, ROUND_OFF, {"K": rounds})


# ---------------------------------------------------------------- exact steps at the points of runs


def shards() -> Logistic:
    """Return a logistic regression of 40 rows on four nodes, in 16 dimensions."""
    return logi(40, 16, 0.9, 0.31, 1.0, 0.05, n=4)


def _along_a_run(name: str, make: Callable[[], Any], rounds: int, seen: tuple[str, ...]) -> Check:
    mutants = {key: DriftCase(partial(drift, make, rounds, SABOTAGED[key])) for key in seen}
    parameters = {"problem": name, "K": rounds, "rule": "CAT-ST, C = T"}
    return Check(
        "run", name, DriftCase(partial(drift, make, rounds, HONEST)), parameters, mutants, seconds=0.2
    )


def drift(
    make: Callable[[], Quadratic | Logistic], rounds: int, claimed: Claimed, rng: Any
) -> Iterable[Comparison]:
    """The run's own steps from x*, and with them the exact mean of the squared distance after each round."""
    problem = make()
    L, solution = float(problem.L_nodes.max()), problem.solution
    rule = claimed.rule(partial(cat_st, cost=Affine(1, 0), entry_bits=1))
    run = recorded_run(problem, rule, step_size=1 / L, rounds=rounds, rng=rng, start=solution)
    sigma_sq = float((problem.gradients(solution) ** 2).sum(axis=-1).mean())
    for made in run:
        gradients = problem.gradients(made.x)
        chances = chances_of(gradients, made.sizes)
        noises = noises_of(gradients, chances)
        values = {"L": L, "mu": problem.mu, "n": problem.n, "sigma_sq": sigma_sq}
        values["q"] = largest_noise(gradients, noises)
        step = stated("step", values)
        yield from made.hold(step, gradients, chances)
        taken = step if made.step is None else made.step
        y = made.x - taken * gradients.mean(axis=0) - solution
        after = float(y @ y) + taken**2 * sum(noises) / problem.n**2
        noise = stated("noise", {**values, "gamma": step}) * float(claimed.noise(problem.n))
        bound = (1 - step * problem.mu) * float(((made.x - solution) ** 2).sum()) + noise
        witness = {"k": made.k, "T": made.sizes.tolist()}
        yield Comparison("squared distance", "le", after, bound, ROUND_OFF, witness, headline=True)


def chances_of(gradients: Any, sizes: Any) -> list[Any]:
    """Return the chances of the entries of each node, n times (d,); 0 where nothing is sent."""
    return [
        keep_probabilities(g, int(size)) if size else np.zeros(len(g))
        for g, size in zip(gradients, sizes, strict=True)
    ]


def noises_of(gradients: Any, chances: Any) -> list[float]:
    """Return the variances of the messages of the nodes."""
    return [
        float((g[p > 0] ** 2 * (1 / p[p > 0] - 1)).sum()) for g, p in zip(gradients, chances, strict=True)
    ]


def largest_noise(gradients: Any, noises: Any) -> float:
    """Return q_k, the largest variance relative to the gradient; a zero gradient counts as 0."""
    return max(noise / float(g @ g) if g.any() else 0.0 for noise, g in zip(noises, gradients, strict=True))


# ---------------------------------------------------------------- the method, written out


def _literal(name: str) -> Check:
    """Runs on singular matrices with one heavy node: iterates, bits and costs against a loop over nodes."""
    rule, link, n, seen = RUNS[name]
    mutants = {key: ExactCase(partial(compare_run, name, RUN_FAULTS[key])) for key in seen}
    parameters = {"rule": rule, "link": link, "n": n}
    return Check(
        "exact", f"literal-{name}", ExactCase(partial(compare_run, name)), parameters, mutants, seconds=0.1
    )
