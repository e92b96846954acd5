"""Checks of `cat/finding-distance-grows`: growth in the plane, one iteration, a slow phase after growth."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import TopK
from impl.compressors.contract import Draws
from impl.optimizers.cat_gd import cat_gd
from impl.problems import Quadratic
from theory.cat.finding_distance_grows_derivation import derivation
from theory.cat.symbols import alpha
from verify.binding import Check
from verify.cat.finding_distance_grows_phase import NestedProblem
from verify.cat.fixtures.top_runs import fixed
from verify.cat.golden_vectors import GI
from verify.comparison import ROUND_OFF, Comparison, Tolerance, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/finding-distance-grows"
SHORT = NestedProblem(4, 1e-3, 0.2, 1e-12), 15_000_000
LONG = NestedProblem(5, 0.01, 0.4, 1e-9), 30_000_000
HESSIAN = np.array([[4.0, 2.0], [2.0, 2.0]])
LAST_DIGITS = Tolerance(
    1e-6, "leaps and single steps over 10^7 iterations; the claim has a margin of a quarter"
)

Phase = Callable[[NestedProblem, int], Any]


@dataclass(frozen=True)
class Sabotage:
    """What is run and stated: as it should be, or with one fault.

    Args:
        all_entries: Whether all entries are sent in the first phase.
        no_phase: Whether the first phase is left out.
        factor: Factor of the share in the bound for one iteration.
        mirrored: Whether the signs of some coordinates are changed.
    """

    all_entries: bool = False
    no_phase: bool = False
    factor: int = 1
    mirrored: bool = False

    def phase(self, steps: Phase) -> Phase:
        """Return the first phase, or what is put in its place."""
        if self.no_phase:
            return lambda problem, count: problem.start
        return NestedProblem.after_all_entries if self.all_entries else steps


STATED = Sabotage()
ALL, NONE, TWICE, MIRRORED = (
    Sabotage(all_entries=True),
    Sabotage(no_phase=True),
    Sabotage(factor=2),
    Sabotage(mirrored=True),
)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    twice = {**claim.expressions, "bound": claim.expressions["bound"].subs(alpha, 2 * alpha)}
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"share-twice": SymbolicCase(derivation(twice))},
            seconds=0.5,
        ),
        Check(
            "exact",
            "in-the-plane",
            ExactCase(partial(compare_plane, STATED)),
            {"H": HESSIAN.tolist(), "x_0": [0, 1], "T": 1},
            {
                "all-entries": ExactCase(partial(compare_plane, ALL)),
                "mirrored": ExactCase(partial(compare_plane, MIRRORED)),
            },
            seconds=0.1,
        ),
        Check(
            "exact",
            "one-iteration",
            ExactCase(partial(compare_one_iteration, STATED)),
            {"F": "L |x|^2 / 2", "x_0": ["flat, d=64", "gi"]},
            {"share-twice": ExactCase(partial(compare_one_iteration, TWICE))},
            seconds=0.1,
        ),
        Check(
            "exact",
            "slow-phase",
            ExactCase(partial(compare_slow_phase, STATED)),
            {"d": 4, "q": 0.001, "eta": 0.2, "c tau": 1e-12, "steps": SHORT[1]},
            {
                "all-entries": ExactCase(partial(compare_slow_phase, ALL)),
                "no-first-phase": ExactCase(partial(compare_slow_phase, NONE)),
                "mirrored": ExactCase(partial(compare_slow_phase, MIRRORED)),
            },
            seconds=0.3,
        ),
        Check(
            "run",
            "growth",
            DriftCase(partial(compare_growth, STATED)),
            {"d": 5, "q": 0.01, "eta": 0.4, "T": 1, "rounds": 1000},
            {"all-entries": DriftCase(partial(compare_growth, ALL))},
            seconds=0.2,
        ),
        Check(
            "run",
            "every-step",
            DriftCase(compare_every_step),
            {"d": 5, "q": 0.01, "eta": 0.4, "c tau": 1e-9, "steps": LONG[1]},
            seconds=60.0,
            profile="full",
        ),
    )


def compare_plane(rule: Sabotage) -> Iterable[Comparison]:
    """Steps on one entry in the plane: the distance grows, to the stated values."""
    size = 2 if rule.all_entries else 1
    signs = np.array([-1.0, 1.0]) if rule.mirrored else np.ones(2)
    x = np.array([0.0, 1.0]) * signs
    # The two entries of the gradient are equal: the first one is sent.
    sent = TopK(size).compress((HESSIAN * np.outer(signs, signs)) @ x, Draws())
    after = x - sent / evaluate(_formula("top"), {})
    found, witness = float(after @ after), {"x": after}
    yield Comparison("squared distance", "eq", found, evaluate(_formula("grown"), {}), ROUND_OFF, witness)
    yield Comparison("grows", "le", 1.0, found, ROUND_OFF, witness, headline=True)
    for eta in (F(1, 4), F(1, 100)):
        r = [F(-1) * int(signs[0]), (1 + eta) * int(signs[1])]
        L = sum(item**2 for item in r)
        point = [F(int(signs[0])), F(0)]
        for _ in range(40):
            along = sum(a * b for a, b in zip(r, point, strict=True))
            step = TopK(size).reference([along * item for item in r], Draws())
            point = [item - q / L for item, q in zip(point, step, strict=True)]
        square = sum(item**2 for item in point)
        limit = rational(evaluate_exact(_formula("plane_limit"), {"eta": eta}))
        witness = {"eta": eta, "steps": 40}
        # Each step leaves the part 1 / (1 + (1 + eta)^2) of the way, less than half.
        yield Comparison("below its limit", "le", square, limit, witness=witness)
        yield Comparison("near its limit", "le", limit - F(1, 2**38), square, witness=witness)


def compare_one_iteration(rule: Sabotage) -> Iterable[Comparison]:
    """After one iteration the bound with the initial distance holds, and it is below the rate."""
    for g in ((1,) * 64, GI):
        for L in (F(1), F(5, 2)):
            for size in (1, 2, len(g) // 2, len(g)):
                x = [F(item) / L for item in g]
                sent = TopK(size).reference([F(item) for item in g], Draws())
                left = [item - q / L for item, q in zip(x, sent, strict=True)]
                square, share = sum(item**2 for item in x), stated_share(g, size)
                gap = L / 2 * sum(item**2 for item in left)
                # The formulas take the distance; their values are those of distance 1 times its square.
                given = {"L": L, "R_0": 1}
                bound = square * _exactly("bound", {**given, "alpha": rule.factor * share})
                rate = square * _exactly("rate", {**given, "Sigma": share})
                witness = {"d": len(g), "T": size, "L": L}
                yield Comparison("gap", "le", gap, bound, witness=witness, headline=True)
                yield Comparison("bound below the rate", "le", bound, rate, witness=witness)


def compare_slow_phase(rule: Sabotage) -> Iterable[Comparison]:
    """After growth on single entries a slow last phase exceeds the rate from the initial distance."""
    problem, steps = SHORT
    if rule.mirrored:
        problem = replace(problem, signs=(1, -1, -1, 1))
    x = rule.phase(NestedProblem.after_leaps)(problem, steps)
    yield from exceeded(problem, x)
    # 9.98 in the statement, three digits.
    u = float(problem.kernel @ x)
    yield Comparison("square of u", "le", 9.98, u**2, witness={"x": x, "u": u})


def exceeded(problem: NestedProblem, x: Any) -> Iterable[Comparison]:
    """The gap after half of the way down the Huber function exceeds the rate, in closed form."""
    u = float(problem.kernel @ x)
    # c = L is allowed: M and v v^T act on orthogonal spaces.
    tau = problem.pull / problem.L
    witness = {"x": x, "u": u, "L": problem.L}
    flatness = float(np.abs(problem.matrix @ problem.kernel).max())
    yield Comparison("M v = 0", "le", flatness, 1e-14, ROUND_OFF, witness)
    yield Comparison("growth above eight", "le", 8.0, u**2, ROUND_OFF, witness)
    values = {"u": u, "f": problem.pull, "L": problem.L}
    count = evaluate(_formula("half_way"), values)
    gap = evaluate(_formula("gap"), {**values, "tau": tau, "N": count})
    # The shares of the first phase would only lower the rate.
    rate = evaluate(_formula("rate"), {"L": problem.L, "R_0": 1.0, "Sigma": count})
    yield Comparison("rate from the initial distance", "le", rate, gap, ROUND_OFF, witness, headline=True)
    ratio = evaluate(_formula("ratio"), {"u": u, "tau": tau, "R_0": 1.0})
    yield Comparison("stated ratio", "le", ratio, gap / rate, ROUND_OFF, witness)


# ---------------------------------------------------------------- runs


def compare_growth(rule: Sabotage, rng: Any) -> Iterable[Comparison]:
    """The method itself moves away from the solution 0."""
    problem = replace(LONG[0], pull=0.0)
    found = cat_gd(
        Quadratic(problem.matrix[None]),
        fixed(problem.d if rule.all_entries else 1),
        step_size=1 / problem.L,
        rounds=1000,
        rng=rng,
        start=problem.start,
    )
    square = float((found.x[0] ** 2).sum())
    yield Comparison("twice the squared distance", "le", 2.0, square, witness={"x": found.x[0]})
    if not rule.all_entries:
        leapt = problem.after_leaps(1000)
        yield Comparison("leaps", "eq", float(leapt @ leapt), square, LAST_DIGITS, {"x": leapt})


def compare_every_step(rng: Any) -> Iterable[Comparison]:
    """The instance of the specification, each of its 3 * 10^7 steps taken."""
    problem, steps = LONG
    x = problem.after_each_step(steps)
    yield from exceeded(problem, x)
    u = float(problem.kernel @ x)
    # 12.29, four digits.
    yield Comparison("square of u", "le", abs(u**2 - 12.29), 0.005, witness={"x": x})


def stated_share(g: Any, size: int) -> F:
    """Return the share of the T largest entries."""
    squares = sorted((F(item) ** 2 for item in g), reverse=True)
    formula = theory.claim("cat/s-descent").formulas["share"]
    return rational(evaluate_exact(formula, {"a": squares, "T": size, "d": len(squares)}))  # type: ignore[no-any-return]


def _formula(name: str) -> Any:
    return theory.claim(ID).expressions[name]


def _exactly(name: str, values: dict[str, Any]) -> F:
    return rational(evaluate_exact(_formula(name), values))  # type: ignore[no-any-return]
