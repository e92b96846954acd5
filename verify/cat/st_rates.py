"""Checks of `cat/st-rates`: exact trees of whole runs, and exact steps along a long run."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_st, keep_probabilities
from impl.communication import Affine, Packet
from impl.optimizers.cat_gd import Rule
from verify.binding import Check, Lazy
from verify.cat.golden_vectors import MN2_MATRICES, MN2_START, quad
from verify.cat.outcome_tree import (
    Leaf,
    QuadraticNodes,
    Round,
    Vector,
    expected,
    kept_entries,
    outcome_tree,
    square,
)
from verify.cat.fixtures.recorded_run import recorded_run, without_noise
from verify.comparison import EXACT, ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate, evaluate_exact, names
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/st-rates"


@dataclass(frozen=True)
class Path:
    """What a path has gathered: sums of omega |g|^2 and omega delta, product, least share, costs."""

    squares: Any = 0
    gaps: Any = 0
    product: Any = 1
    least: Any = 1
    spent: Any = 0
    efficiency: Any = None
    ended: bool = False


@dataclass(frozen=True)
class Setting:
    r"""A quadratic $\frac12x^\top Hx$, constants that hold for it, and the rule of each round.

    Args:
        matrix: H, (d, d).
        start: x_0.
        L: At least the largest eigenvalue.
        mu: At most the smallest one.
        rounds: K.
        T: Expected size of each message; None leaves it to the rule.
        cost: Cost of a message of so many entries, for the rule and for the account.
        accuracy: The run ends at the first squared norm of the gradient that is at most this.
        gap: It ends at the first gap that is at most this; one of the two is 0.
        tolerance: For rational settings none.
    """

    matrix: tuple[tuple[Any, ...], ...]
    start: Vector
    L: Any
    mu: Any
    rounds: int
    T: int | None = 1
    cost: Any = Affine(1, 1)  # noqa: RUF009  # it is not mutable
    accuracy: Any = 0
    gap: Any = 0
    tolerance: Tolerance = EXACT

    @property
    def nodes(self) -> QuadraticNodes:
        """Return the function."""
        return QuadraticNodes([self.matrix])

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        shown = {"H": self.matrix, "x_0": self.start, "K": self.rounds, "L": self.L, "mu": self.mu}
        return {**shown, "T": self.T or "rule", "epsilon": self.accuracy or self.gap}

    def permuted(self) -> "Setting":
        """Return the setting with all coordinates in reverse order."""
        return replace(self, matrix=tuple(row[::-1] for row in self.matrix[::-1]), start=self.start[::-1])

    def tree(self) -> list[list[Leaf]]:
        """Return the tree of the run; a path that has ended stays where it is."""
        return outcome_tree(self.nodes.gradients, self.start, self._round, self.rounds, memory=Path())

    def _round(self, x: Vector, gradients: Sequence[Vector], path: Path) -> Round:
        (g,) = gradients
        energy = square(g)
        if energy <= self.accuracy or self.nodes.objective(x) <= self.gap:
            return Round([(1, g)], energy * 0, replace(path, ended=True))
        p, price = self._chances(g)
        omega = energy / sum(item * item / chance for item, chance in zip(g, p, strict=True) if item)
        efficiency = omega / price
        gathered = Path(
            path.squares + omega * energy,
            path.gaps + omega * self.nodes.objective(x),
            path.product * (1 - omega * self.mu / self.L),
            min(path.least, omega),
            path.spent + price,
            efficiency if path.efficiency is None else min(path.efficiency, efficiency),
        )
        return Round(kept_entries(g, p), omega / self.L, gathered)

    def _chances(self, g: Vector) -> tuple[Sequence[Any], Any]:
        """Return the chances of a round and the expected cost of its message."""
        if self.T is None:
            choice = cat_st(list(g), self.cost, entry_bits=1)
            return list(keep_probabilities(list(g), choice.size)), choice.cost
        size = min(self.T, sum(1 for item in g if item))
        return list(keep_probabilities(list(g), size)), self.cost(size)


H_1 = tuple(tuple(F(item) for item in row) for row in MN2_MATRICES[0])
DENSE = ((F(4), F(1), F(-1)), (F(1), F(2), F(1)), (F(-1), F(1), F(3)))
START = tuple(F(item) for item in MN2_START)


def golden() -> Setting:
    """Return the setting of the specification, in floats with the eigenvalues themselves."""
    matrix = tuple(tuple(float(item) for item in row) for row in H_1)
    low, high = (float(item) for item in np.linalg.eigvalsh(np.array(matrix)))
    return Setting(matrix, tuple(float(item) for item in START), high, low, 4, tolerance=ROUND_OFF)


def one_entry(accuracy: F = F(0), gap: F = F(0)) -> Setting:
    """Return one dimension, where everything is attained in one round."""
    return Setting(((F(2),),), (F(3),), F(2), F(2), 1, cost=Affine(1, 5), accuracy=accuracy, gap=gap)


EQUAL = Setting(((F(1), F(0)), (F(0), F(1))), (F(1), F(1)), F(1), F(1), 1)
SETTINGS = {
    "one-entry": one_entry(F(35)),
    "equal-entries": EQUAL,
    "near-isotropic": Setting(((F(1), F(0)), (F(0), F(19, 20))), (F(1), F(20, 19)), F(1), F(19, 20), 2),
    "rational": Setting(H_1, START, F(14, 5), F(7, 10), 4),
    "three-entries": Setting(DENSE, (F(1), F(-2), F(1, 2)), F(6), F(1, 2), 2, T=2),
    "rule": Setting(H_1, START, F(14, 5), F(7, 10), 3, T=None, accuracy=F(1, 2)),
    "rule-packets": Setting(DENSE, (F(1), F(2), F(0)), F(6), F(1, 2), 2, T=None, cost=Packet(2, 1, F(1, 2))),
    "one-entry-gap": one_entry(gap=F(891, 100)),
    "equal-entries-gap": replace(EQUAL, rounds=3, gap=F(1, 4) - F(1, 100)),
    "rule-gap": Setting(H_1, (F(2), F(1)), F(14, 5), F(7, 10), 3, T=None, cost=Affine(1, 0), gap=F(3, 2)),
    "rule-packets-gap": Setting(
        DENSE, (F(1), F(2), F(0)), F(6), F(1, 2), 2, T=None, cost=Packet(2, 1, F(1, 2)), gap=F(2)
    ),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_exact(name, setting) for name, setting in SETTINGS.items()),
        Check("exact", "golden", Lazy(lambda: ExactCase(partial(compare, golden()))), {"K": 4}, seconds=0.1),
        _along_a_run(),
    )


def stated(setting: Setting, name: str, **values: Any) -> Any:
    """Return a formula of the claim at a setting, exactly where the setting is rational."""
    formula = theory.claim(ID).expressions[name]
    known = {"L": setting.L, "mu": setting.mu, **values}
    needed = {key: known[key] for key in names(formula)}
    return (evaluate_exact if setting.tolerance is EXACT else evaluate)(formula, needed)


@dataclass(frozen=True)
class Claimed:
    """Factors of what is claimed; 1 is the claim, a mutant takes another one.

    `overshoot` is whether the cost until a gap counts the last round, which goes below it; `convexity` is the
    factor of mu in the bound of the gap, `product` that in the product by which the gap is divided.
    """

    sums: Any = 1
    polyak_cost: Any = 1
    overshoot: bool = True
    distance: Any = 1
    convexity: Any = 1
    product: Any = 1
    mean_of_products: bool = False


MUTANTS = {
    "half-sum": ("one-entry", Claimed(sums=F(1, 2))),
    "half-distance": ("one-entry", Claimed(distance=F(1, 2))),
    "larger-convexity": ("equal-entries", Claimed(convexity=F(3, 2))),
    "larger-convexity-in-product": ("equal-entries", Claimed(product=F(3, 2))),
    "half-polyak-cost": ("one-entry-gap", Claimed(polyak_cost=F(1, 2))),
    "without-last-round": ("one-entry-gap", Claimed(overshoot=False)),
    "mean-of-products": ("near-isotropic", Claimed(mean_of_products=True)),
}


def _exact(name: str, setting: Setting) -> Check:
    mutants: dict[str, Any] = {
        key: ExactCase(partial(compare, setting, claimed))
        for key, (place, claimed) in MUTANTS.items()
        if place == name
    }
    mutants["permuted-coordinates"] = ExactCase(lambda: compare(setting.permuted()))
    return Check("exact", name, ExactCase(lambda: compare(setting)), setting.parameters, mutants, seconds=0.2)


def compare(setting: Setting, claimed: Claimed = Claimed()) -> Iterable[Comparison]:
    """Hold the expectations after each round of the tree against the bounds."""
    # Only the product that a path gathers depends on mu.
    levels, nodes = replace(setting, mu=setting.mu * claimed.product).tree(), setting.nodes
    Delta_0, D_0 = nodes.objective(setting.start), square(setting.start)
    tolerance = setting.tolerance
    total = stated(setting, "sum", Delta_0=Delta_0) * _same_kind(claimed.sums, setting)
    distance = stated(setting, "distance", D_0=D_0) * _same_kind(claimed.distance, setting)
    for k, level in enumerate(levels[1:], 1):
        witness = {"k": k, "leaves": len(level)}

        def hold(label: str, value: Any, bound: Any, shown: bool = False, at: Any = witness) -> Comparison:
            return Comparison(label, "le", value, bound, tolerance, at, headline=shown)

        yield Comparison("total chance", "eq", expected(level, lambda leaf: 1), 1, tolerance)
        gap = expected(level, lambda leaf: nodes.objective(leaf.x))
        yield hold("sum of omega |g|^2", expected(level, lambda leaf: leaf.memory.squares), total)
        yield hold("sum of omega delta", expected(level, lambda leaf: leaf.memory.gaps), distance)
        least = min(leaf.memory.least for leaf in level)
        if not any(leaf.memory.ended for leaf in level):
            convexity = setting.mu * claimed.convexity
            bound = stated(setting, "bound", omega=least, mu=convexity, K=k, Delta_0=Delta_0)
            yield hold("gap", gap, bound, shown=True)
        if all(leaf.memory.product > 0 for leaf in level) and not (setting.accuracy or setting.gap):
            ratio = expected(level, lambda leaf: nodes.objective(leaf.x) / leaf.memory.product)
            yield hold("gap over the product", ratio, Delta_0)
        if claimed.mean_of_products:
            product = expected(level, lambda leaf: leaf.memory.product)
            yield hold("gap against the mean product", gap, product * Delta_0)
        e_bar = min(leaf.memory.efficiency for leaf in level)
        spent = expected(level, lambda leaf: leaf.memory.spent)
        values = {"Delta_0": Delta_0, "epsilon": setting.accuracy, "e_bar": e_bar}
        if setting.accuracy:
            bound = stated(setting, "cost", **values) * _same_kind(claimed.sums, setting)
            yield hold("cost", spent, bound)
        if setting.gap:
            yield _cost_until_a_gap(
                setting, claimed, float(spent), {**values, "epsilon": setting.gap}, witness
            )


def _cost_until_a_gap(
    setting: Setting, claimed: Claimed, spent: float, values: dict[str, Any], witness: Any
) -> Comparison:
    """Return the comparison with the stated cost; a logarithm is a float."""
    at = {key: float(item) for key, item in {**values, "L": setting.L, "mu": setting.mu}.items()}
    bound = evaluate(theory.claim(ID).formulas["polyak_cost"], at) * float(claimed.polyak_cost)
    if not claimed.overshoot:
        bound -= at["L"] / at["mu"] / at["e_bar"]
    return Comparison("cost until a gap", "le", spent, bound, ROUND_OFF, witness)


def _same_kind(factor: Any, setting: Setting) -> Any:
    return factor if setting.tolerance is EXACT else float(factor)


# ---------------------------------------------------------------- exact steps at the points of a run


def _along_a_run() -> Check:
    mutants = {
        "half-distance": DriftCase(partial(drift, distance=2.0)),
        "unscaled-step": DriftCase(partial(drift, sabotage=without_noise)),
    }
    return Check("run", "quad", DriftCase(drift), {"d": 20, "K": 30, "c_0": 5}, mutants, seconds=0.3)


def drift(
    rng: Any, distance: float = 1.0, sabotage: Callable[[Rule], Rule] = lambda rule: rule
) -> Iterable[Comparison]:
    """The run's own steps, and with them the exact means of gap and squared distance after each round."""
    problem = quad()
    H = problem.matrices[0]
    low, *_, high = np.linalg.eigvalsh(H)
    rule = sabotage(partial(cat_st, cost=Affine(1, 5), entry_bits=1))
    formulas = theory.claim(ID).formulas
    for made in recorded_run(problem, rule, step_size=1 / high, rounds=30, rng=rng, start=np.ones(20)):
        x, size = made.x, int(made.sizes[0])
        g, gap = H @ x, x @ H @ x / 2
        p = keep_probabilities(g, size)
        noise = g * g * (1 / p - 1)
        omega = float(g @ g / (g * g / p).sum())
        step = evaluate(formulas["step"], {"omega": omega, "L": high})
        yield from made.hold(step, [g], [p])
        taken = step if made.step is None else made.step
        y = x - taken * g
        witness = {"k": made.k, "T": size}
        after = y @ H @ y / 2 + taken**2 * (np.diag(H) @ noise) / 2
        factor = evaluate(formulas["factor"], {"omega": omega, "mu": low, "L": high})
        yield Comparison("gap", "le", float(after), factor * float(gap), ROUND_OFF, witness, headline=True)
        moved = float(y @ y + taken**2 * noise.sum())
        bound = float(x @ x - distance * 2 * omega / high * gap)
        yield Comparison("squared distance", "le", moved, bound, ROUND_OFF, witness)
