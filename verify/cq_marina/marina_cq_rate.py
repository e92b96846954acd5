"""Checks of `cq_marina/marina-cq-rate`: exact noise at scaled differences, exact rounds, runs."""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer, JointCompressor
from impl.optimizers import marina
from impl.problems import Quadratic, smoothness_constants, tridiagonal
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.expected_round import expected_round, visited
from verify.cq_marina.marina_biased_runs import MOMENTS, running_averages
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase, TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cq_marina/marina-cq-rate"
CORRELATED = CorrelatedQuantizer("binary")


@dataclass(frozen=True)
class Rule:
    """The constant of the noise and the compressor: as stated, or with one fault.

    Args:
        d_factor: Factor on d / n^2.
        formula: Name of the stated constant that is used, `X` or `X_equal_hessians`.
        small_b: Whether B is (n - 2) / (2 (n - 1)) for all norms.
        compressor: What the clients use.
        reverse: Whether the clients are numbered in the reverse order.
    """

    d_factor: Any = 1
    formula: str = "X"
    small_b: bool = False
    compressor: JointCompressor = CORRELATED
    reverse: bool = False

    def constant(self, n: int, d: int, L_plus: Any, L_pm: Any) -> Any:
        """Return X for values of L_plus and L_pm that are rational, or roots of rationals, or floats."""
        formulas = theory.claim(CLAIM).formulas
        values = {"n": n, "d": d, "L_plus": L_plus}
        use = evaluate if isinstance(L_plus, float) else evaluate_exact
        alone = use(formulas["X_equal_hessians"], values)
        if self.small_b:
            return alone + F(n - 2, 2 * (n - 1)) * L_pm**2
        found = use(formulas["X"], {**values, "L_pm": L_pm}) if self.formula == "X" else alone
        return found - (1 - self.d_factor) * alone


STATED = Rule()
QUARTER = Rule(d_factor=F(1, 4))
INDEPENDENT = Rule(compressor=IndependentQuantizer("binary"))
NO_VARIANCE = Rule(formula="X_equal_hessians")
SMALL_B = Rule(small_b=True)
REVERSED = Rule(reverse=True)


@dataclass(frozen=True)
class Scales:
    """Quadratics A_i = scale_i I: the differences of the clients are multiples of one direction.

    Args:
        scales: Curvature of each client.
        direction: Direction of the difference, of rational norm.
        faults: Mutants that show here.
    """

    scales: tuple[int, ...]
    direction: tuple[int, ...]
    faults: tuple[str, ...] = ()


RULES = {
    "quarter-constant": QUARTER,
    "independent-thresholds": INDEPENDENT,
    "no-hessian-variance": NO_VARIANCE,
    "equal-norms-b": SMALL_B,
    "permuted-clients": REVERSED,
}
ODD = (3, 1, 1, 1, 1, 1, 1, 1)
SCALES = {
    "equal-hessians": Scales((1, 1, 1, 1), ODD, ("quarter-constant", "independent-thresholds")),
    "one-hessian": Scales((4, 0, 0, 0), ODD, ("no-hessian-variance", "equal-norms-b")),
    "two-clients": Scales((1, 3), (1, 2, 2, 4)),
    "mixed-signs": Scales((2, -1, 3, 0, 1), (2, 3, 6)),
    "many-clients": Scales((1, 2, 3, 4, 5, 6, 7, 8), (1, 2, -2)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.6),
        *(_noise(name, chosen) for name, chosen in SCALES.items()),
        Check("run", "drift", DriftCase(_drift), {"n": 10, "d": 32, "lambda": 0.5, "p": 0.1}, seconds=0.4),
        _runs(4, 64, 0.02, {"quarter-constant": QUARTER, "independent-thresholds": INDEPENDENT}),
        _runs(2, 4, 0.05, {"quarter-constant": QUARTER}, replicates=2000),
        _runs(2, 16, 0.05, {"quarter-constant": QUARTER}, replicates=2000),
    )


def _noise(name: str, chosen: Scales) -> Check:
    def case(rule: Rule) -> ExactCase:
        return ExactCase(lambda: compare_noise(chosen, rule))

    mutants = {fault: case(RULES[fault]) for fault in (*chosen.faults, "permuted-clients")}
    parameters = {"scales": chosen.scales, "direction": chosen.direction}
    return Check("exact", name, case(STATED), parameters, mutants, seconds=0.1)


def compare_noise(chosen: Scales, rule: Rule) -> Iterable[Comparison]:
    """The exact variance of the estimate against X times the squared length, in rationals."""
    scales = chosen.scales[::-1] if rule.reverse else chosen.scales
    n, d = len(scales), len(chosen.direction)
    inputs = [[F(scale * entry) for entry in chosen.direction] for scale in scales]
    variance = rule.compressor.variance(inputs)
    length = sum(entry**2 for entry in chosen.direction)
    X = rule.constant(n, d, *_roots(scales))
    witness = {"scales": scales, "direction": chosen.direction}
    yield Comparison("noise", "le", variance, X * length, witness=witness, headline=True)
    if _is_attained(scales, chosen.direction):
        yield Comparison("noise is attained", "eq", variance, X * length, witness=witness)


def _roots(scales: Sequence[int]) -> tuple[Any, Any]:
    """Return L_plus and L_pm of quadratics A_i = scale_i I, exact."""
    from sympy import Rational, sqrt

    n = len(scales)
    square = Rational(sum(item**2 for item in scales), n)
    return sqrt(square), sqrt(square - Rational(sum(scales), n) ** 2)


def _is_attained(scales: Sequence[int], direction: Sequence[int]) -> bool:
    """Return whether the claim names the input as a worst case."""
    return direction == ODD and len(scales) == 4 and len(set(scales) - {0}) == 1


# ---------------------------------------------------------------- states that runs visit


def _drift(rng: Any) -> Iterable[Comparison]:
    """The potential of the rate in exact expectation, where clients differ."""
    n, d, p = 10, 32, 0.1
    problem = tridiagonal(n, d, heterogeneity=0.5, mu=0.01, offset=0.5)
    constants = smoothness_constants(problem)
    X = STATED.constant(n, d, constants.L_plus, constants.L_pm)
    gamma = _step(X, p, constants.L_minus)
    result = marina(
        problem,
        STATED.compressor,
        step_size=gamma,
        probability=p,
        rounds=40,
        rng=rng,
        replicates=4,
        trace=True,
    )
    if result.iterates is None:
        raise ValueError("the run was asked for a trace")
    x, g = visited(result.iterates, gamma)
    found = expected_round(problem, STATED.compressor, x, g, step_size=gamma, probability=p)
    noise = (1 - p) * (found.error + X * found.length)
    before, after = found.potentials(gamma / (2 * p))
    for k in range(len(x)):
        yield Comparison(
            "noise at a visited state", "le", float(found.error_next[k]), float(noise[k]), ROUND_OFF
        )
        allowed = float(before[k] - gamma / 2 * found.gradient_norm_sq[k])
        yield Comparison(
            "potential at a visited state", "le", float(after[k]), allowed, MOMENTS, headline=True
        )


def _step(X: Any, p: float, L_minus: float) -> float:
    return evaluate(theory.claim(CLAIM).formulas["step_size"], {"L_minus": L_minus, "X": float(X), "p": p})


# ---------------------------------------------------------------- sampled runs

ROUNDS = 150
TIMES = range(10, ROUNDS + 1, 10)


def equal_hessians_run(n: int, d: int, p: float, rule: Rule, rng: Any, replicates: int) -> tuple[Any, Any]:
    """Return averages of |grad f|^2 over T = 10, 20, ..., 150 rounds, (R, 15), and their bounds, (15,).

    All clients have f_i = |x|^2 / 2 and the start is the ones vector; the bounds are those at the rule's own
    step.
    """
    gamma = _step(rule.constant(n, d, 1.0, 0.0), p, 1.0)
    result = marina(
        Quadratic(np.ones((n, d))),
        rule.compressor,
        step_size=gamma,
        probability=p,
        rounds=ROUNDS,
        rng=rng,
        replicates=replicates,
        start=np.ones(d),
    )
    bound = theory.claim(CLAIM).bound
    bounds = [evaluate(bound, {"Delta_0": d / 2, "gamma": gamma, "T": T}) for T in TIMES]
    return running_averages(result.gradient_norm_sq)[:, np.array(TIMES) - 1], np.array(bounds)


def _runs(n: int, d: int, p: float, faults: dict[str, Rule], replicates: int = 64) -> Check:
    """Equal Hessians: the average of |grad f|^2 over replicates against the bound, at every T."""

    def case(rule: Rule) -> TrajectoryCase:
        def bounds() -> Any:
            return equal_hessians_run(n, d, p, rule, np.random.default_rng(0), 1)[1]

        def rows(rng: Any, size: int) -> Any:
            return equal_hessians_run(n, d, p, rule, rng, size)[0]

        return TrajectoryCase(bounds, rows, replicates)

    mutants = {name: Lazy(functools.partial(case, rule), tests=1) for name, rule in faults.items()}
    parameters = {"n": n, "d": d, "p": p, "rounds": ROUNDS}
    return Check(
        "run",
        f"equal-hessians-{n}-{d}",
        Lazy(lambda: case(STATED), tests=1),
        parameters,
        mutants,
        seconds=1.0 if replicates == 64 else 6.0,
        profile="quick" if replicates == 64 else "full",
    )
