"""Checks of `cat/cost-bound`: costs of runs against bounds with their own efficiencies."""

import functools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_s
from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.binding import Check
from verify.cat.fixed_size import fixed_size
from verify.cat.golden_vectors import quad
from verify.cat.rational_descent import RationalQuadratic, State, descend, squared_norm
from verify.comparison import ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cat/cost-bound"
LONG = Tolerance(1e-9, "a run of some hundred iterations in float64; both sides differ by more than a tenth")


@dataclass(frozen=True)
class Instance:
    """A rational quadratic, a start, a cost c_0 + T and an accuracy relative to that of the start.

    Args:
        diagonal: Eigenvalues where there is no coupling.
        start: First iterate.
        fixed: c_0.
        size: Entries of each message; None for CAT.
        accuracy: Part of the first squared gradient, or of the first gap, that ends the run.
    """

    diagonal: tuple[int, ...]
    start: tuple[int, ...]
    fixed: int
    accuracy: F
    size: int | None = None
    coupling: tuple[int, ...] = ()


def _random_instances(count: int) -> tuple[Instance, ...]:
    """Return quadratics in four dimensions with ties among eigenvalues and entries."""
    rng = random.Random(1)
    found = []
    for place in range(count):
        diagonal = tuple(rng.choice((1, 1, 2, 3)) for _ in range(4))
        start = tuple(rng.choice((-4, -1, 1, 2, 2, 5)) for _ in range(4))
        size = None if place % 3 else rng.choice((1, 2, 3))
        coupling = (1, -1, 0, 1) if place % 2 else ()
        part = F(1, rng.choice((2, 8, 40)))
        found.append(Instance(diagonal, start, rng.choice((0, 2, 7)), part, size, coupling))
    return tuple(found)


ONE = tuple(Instance((1,), (1,), fixed, part) for fixed in (0, 5) for part in (F(9, 10), F(999, 1000)))
FLAT = (Instance((1,) * 64, (1,) * 64, 0, F(99, 6400)),)
ACCURACIES = (("squared gradient", 0.1), ("squared gradient", 0.02), ("gap", 0.5), ("gap", 0.1))
RANDOM = _random_instances(24)


@dataclass(frozen=True)
class Rule:
    """What is run or claimed: as stated, or with one fault.

    Args:
        factor: Factor of the first bound.
        counts_fixed: Whether the efficiencies of the bounds count c_0.
        extreme: Which efficiency of the run takes the place of the smallest one.
        sign: Sign of the start.
    """

    factor: F = F(1)
    counts_fixed: bool = True
    extreme: Any = min
    sign: int = 1


STATED = Rule()
RULES = {
    "half-bound": Rule(factor=F(1, 2)),
    "without-fixed-cost": Rule(counts_fixed=False),
    "largest-efficiency": Rule(extreme=max),
    "other-signs": Rule(sign=-1),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        _exact("one-coordinate", compare, ONE, ("half-bound", "without-fixed-cost", "other-signs"), 0.1),
        _exact("rational-quadratics", compare, RANDOM, ("other-signs",), 0.1),
        _exact("flat-start-gap", compare_gaps, FLAT, ("largest-efficiency",), 0.3),
        _exact("rational-quadratics-gap", compare_gaps, RANDOM, ("other-signs",), 0.1),
        Check(
            "run",
            "quad",
            DriftCase(functools.partial(compare_run, STATED)),
            {"problem": "quad", "C": "T + 5", "epsilon": ACCURACIES, "T": ("CAT", 4, 20)},
            {"other-signs": DriftCase(functools.partial(compare_run, RULES["other-signs"]))},
            seconds=0.2,
        ),
    )


def _exact(
    name: str,
    held: Callable[[Sequence[Instance], Rule], Iterable[Comparison]],
    instances: Sequence[Instance],
    seen: Sequence[str],
    seconds: float,
) -> Check:
    mutants = {key: ExactCase(functools.partial(held, instances, RULES[key])) for key in seen}
    base = ExactCase(functools.partial(held, instances, STATED))
    return Check("exact", name, base, {"instances": len(instances)}, mutants, seconds)


@dataclass(frozen=True)
class _Run:
    """A rational run of an instance, and what the bounds need of its start."""

    problem: RationalQuadratic
    states: Sequence[State]
    gap: F
    epsilon: F
    witness: dict[str, Any]

    @property
    def paid(self) -> F:
        """Return the cost of all messages."""
        return sum((F(state.choice.cost) for state in self.states), F(0))

    def values(self, rule: Rule, fixed: int) -> dict[str, Any]:
        """Return the values of the symbols that all bounds have."""
        left_out = 0 if rule.counts_fixed else fixed
        e_bar = rule.extreme(state.choice.share / (state.choice.cost - left_out) for state in self.states)
        return {"L": self.problem.L, "epsilon": self.epsilon, "e_bar": e_bar}


def _run(item: Instance, rule: Rule, *, to_gap: bool) -> _Run:
    problem = RationalQuadratic(item.diagonal, item.coupling)
    start = [F(rule.sign * entry) for entry in item.start]
    cost = Affine(1, item.fixed)
    choose: Any = (
        functools.partial(cat_s, cost=cost, entry_bits=1)
        if item.size is None
        else fixed_size(item.size, cost)
    )
    gap = problem.value(start)
    epsilon = item.accuracy * (gap if to_gap else squared_norm(problem.gradient(start)))

    def reached(value: F, square: F) -> bool:
        return (value if to_gap else square) <= epsilon

    states = descend(problem, choose, start, 4000, reached=reached)
    witness = {"diagonal": item.diagonal, "start": start, "c_0": item.fixed, "T": item.size or "CAT"}
    return _Run(problem, states, gap, epsilon, witness)


def compare(instances: Sequence[Instance], rule: Rule) -> Iterable[Comparison]:
    """Costs until a squared gradient, and the bounds of gradient descent."""
    claim = theory.claim(CLAIM)
    for place, item in enumerate(instances):
        run = _run(item, rule, to_gap=False)
        values = {**run.values(rule, item.fixed), "Delta_0": run.gap}
        stated = F(str(evaluate_exact(claim.bound, values))) * rule.factor
        label = f"{place}: cost to {item.accuracy} of the squared gradient"
        yield Comparison(label, "le", run.paid, stated, witness=run.witness, headline=True)
        if item.size is None and rule.factor == 1 and rule.counts_fixed:
            whole = {name: value for name, value in values.items() if name != "e_bar"}
            bound = evaluate_exact(claim.formulas["whole"], {**whole, "C_d": len(item.start) + item.fixed})
            label = f"{place}: at most the bound of gradient descent"
            yield Comparison(label, "le", stated, F(str(bound)), witness=run.witness)


def compare_gaps(instances: Sequence[Instance], rule: Rule) -> Iterable[Comparison]:
    """Costs until a gap; R is that of the ellipsoid of the level set."""
    claim = theory.claim(CLAIM)
    for place, item in enumerate(instances):
        run = _run(item, rule, to_gap=True)
        values, mu = run.values(rule, item.fixed), run.problem.mu
        bounds = {
            "polyak": evaluate(claim.formulas["polyak"], {**values, "mu": mu, "Delta_0": run.gap}),
            "convex": evaluate(claim.formulas["convex"], {**values, "R": math.sqrt(2 * run.gap / mu)}),
        }
        for name, bound in bounds.items():
            label = f"{place}: cost to {item.accuracy} of the gap, {name}"
            yield Comparison(label, "le", float(run.paid), bound, ROUND_OFF, run.witness, headline=True)


def compare_run(rule: Rule, rng: Any) -> Iterable[Comparison]:
    """The same for the quadratic in 20 dimensions, with CAT and with fixed sizes."""
    claim, problem, cost = theory.claim(CLAIM), quad(), Affine(1, 5)
    start = rule.sign * np.ones(problem.d)
    rules: dict[str, Any] = {
        "CAT": functools.partial(cat_s, cost=cost, entry_bits=1),
        "T=4": fixed_size(4, cost),
        "T=20": fixed_size(20, cost),
    }
    for name, choose in rules.items():
        result = cat_gd(problem, choose, step_size=1 / problem.L, rounds=300, rng=rng, start=start)
        gap = float(result.objective[0, 0])
        radius = math.sqrt(2 * gap / problem.mu)
        for kind, epsilon in ACCURACIES:
            trace = result.gradient_norm_sq[0] if kind == "squared gradient" else result.objective[0]
            if not trace.min() <= epsilon:
                raise ValueError(f"{name} does not reach a {kind} of {epsilon}; run more rounds")
            K = int(np.argmax(trace <= epsilon))
            e_bar = float(rule.extreme(result.efficiencies[0, :K, 0]))
            values = {"L": problem.L, "epsilon": epsilon, "e_bar": e_bar}
            at_gap = {**values, "Delta_0": gap}
            if kind == "gap":
                bounds = {
                    "polyak": evaluate(claim.formulas["polyak"], {**at_gap, "mu": problem.mu}),
                    "convex": evaluate(claim.formulas["convex"], {**values, "R": radius}),
                }
            else:
                bounds = {"nonconvex": evaluate(claim.bound, at_gap)}
            for form, bound in bounds.items():
                label = f"{name}: cost to a {kind} of {epsilon}, {form}"
                paid, witness = float(result.cost[0, K]), {"K": K, "e_bar": e_bar}
                yield Comparison(label, "le", paid, bound, LONG, witness, headline=form == "nonconvex")
