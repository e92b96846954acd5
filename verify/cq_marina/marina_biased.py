"""Checks of `cq_marina/marina-biased`: tight rounds in rationals, whole runs by exact moments, real runs."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import RandK, Scaled
from impl.problems import Quadratic, smoothness_constants, tridiagonal
from theory.old_steps import Certificate
from verify.binding import Check
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.cq_marina.marina_biased_rules import CLAIM, FAULTS, STATED, Rule, stated
from verify.cq_marina.marina_biased_runs import MOMENTS, identity, run_checks
from verify.cq_marina.second_moments import QuadraticRun, one_bit_noise, rand_k_noise
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    crossless = tuple(_without_cross_term(step) for step in claim.derivation)
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"dropped-cross-term": SymbolicCase(crossless)},
            seconds=1.2,
        ),
        *(_tight_round(name, chosen) for name, chosen in TIGHT.items()),
        *(_whole_run(name, chosen) for name, chosen in RUNS.items()),
        *run_checks(),
    )


def _without_cross_term(step: Any) -> Any:
    """Claim |e + b|^2 <= |e|^2 + |b|^2."""
    if not isinstance(step, Certificate) or step.name != "young":
        return step
    return replace(step, rhs=sum(symbol**2 for symbol in step.rhs.free_symbols if symbol.name in "eb"))


# ---------------------------------------------------------------- rounds at which every bound is attained


@dataclass(frozen=True)
class TightRound:
    """Scaled RandK on f = |x|^2 / 2 with numbers that make sqrt(kappa) and s* rational; n = 1.

    Args:
        p: Probability of a full gradient.
        sigma: Scale; 0 is the compressor that sends nothing.
        k: Kept coordinates.
        g: Estimate; the error of the state is the bias over s*, where Young's inequality is an equation.
    """

    p: F
    sigma: F
    k: int
    g: tuple[F, ...]

    @property
    def constants(self) -> tuple[F, F]:
        """Return X_v and X_b; L_minus = L_plus = 1."""
        omega = F(len(self.g), self.k) - 1
        shared = {"sigma": self.sigma}
        X_v = stated("scaled_variance", omega=omega, n=1, L_plus=1, **shared)
        return _fraction(X_v), _fraction(stated("scaled_bias", L_minus=1, **shared))


TIGHT = {
    "nothing-sent-3-of-4": TightRound(F(3, 4), F(0), 1, (F(2),)),
    "nothing-sent-9-of-25": TightRound(F(9, 25), F(0), 1, (F(1),)),
    "half-of-rand-k": TightRound(F(4, 13), F(1, 2), 2, tuple(F(item) for item in (3, -1, 2, 0, 1, 5, -2, 4))),
}


def _fraction(number: Any) -> F:
    return F(int(number.p), int(number.q))


def _tight_round(name: str, chosen: TightRound) -> Check:
    # With sqrt(kappa) = 1 even half of the bias leaves the step small enough.
    faults = {fault: rule for fault, rule in FAULTS.items() if chosen.p < F(1, 2) or fault != "half-the-bias"}
    mutants = {
        fault: ExactCase(functools.partial(compare_round, chosen, rule)) for fault, rule in faults.items()
    }
    parameters = {"p": chosen.p, "sigma": chosen.sigma, "K": chosen.k, "g": chosen.g}
    base = ExactCase(functools.partial(compare_round, chosen, STATED))
    return Check(
        "exact", name, base, {key: str(item) for key, item in parameters.items()}, mutants, seconds=0.2
    )


def compare_round(chosen: TightRound, rule: Rule) -> Iterable[Comparison]:
    """Noise, potential and kappa at a state where Young's inequality is an equation."""
    p, (X_v, X_b) = chosen.p, chosen.constants
    gamma = 1 / (1 + rule.root_kappa(p, X_v, X_b))
    s, tight = rule.split_value(p, X_v, X_b), STATED.split_value(p, X_v, X_b)
    a = [-gamma * item for item in chosen.g]
    bias = [(chosen.sigma - 1) * item for item in a]
    e = [item / tight for item in bias]
    # RandK is homogeneous: its exact variance at rational g gives that at a.
    at_g = Scaled(RandK(chosen.k), chosen.sigma).variance([list(chosen.g)])
    spread = gamma**2 * at_g - _square(bias)
    error_next = (1 - p) * (_square(_plus(e, bias)) + spread)
    length = _square(a)
    stretch, inverse = (1 + s, 1 + 1 / s) if rule.crossed else (1, 1)
    noise = (1 - p) * (stretch * _square(e) + (X_v + inverse * X_b) * length)
    yield _compare("noise of a round", "le", error_next, noise)

    weight = stated("weight", gamma=1, p=p, s=s) * gamma
    x = _plus(chosen.g, [-item for item in e])
    before = _square(x) / 2 + weight * _square(e) - gamma / 2 * _square(x)
    after = _square(_plus(x, a)) / 2 + weight * error_next
    yield _compare("potential after a round", "le", after, before, headline=True)
    least = STATED.root_kappa(p, X_v, X_b) ** 2
    splits = [F(j, 20) * p / (1 - p) for j in range(1, 20)] if rule.split is None else [s]
    for split in splits:
        kappa = stated("kappa", p=p, X_v=X_v, X_b=X_b, s=split)
        yield _compare(f"least kappa against s={split}", "le", least, kappa)
    if rule == STATED:
        yield _compare("kappa at s*", "eq", stated("kappa", p=p, X_v=X_v, X_b=X_b, s=s), least)


def _plus(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    """Return the sum of two vectors."""
    return [a + b for a, b in zip(first, second, strict=True)]


def _square(vector: Sequence[Any]) -> Any:
    return sum(item**2 for item in vector)


def _compare(label: str, relation: Any, value: Any, bound: Any, headline: bool = False) -> Comparison:
    exact = Comparison(label, relation, value, bound, EXACT, headline=headline)
    return exact if exact.is_rational else replace(exact, tolerance=ROUND_OFF)


# ---------------------------------------------------------------- whole runs by exact second moments


@dataclass(frozen=True)
class WholeRun:
    """A run whose second moments are known exactly: sigma times an independent unbiased compressor.

    Args:
        problem: Builds the problem.
        start: x^0.
        p: Probability of a full gradient.
        sigma: Scale.
        omega: Variance constant of the unbiased compressor.
        noise: Its covariance, as in `second_moments`.
        rounds: Length of the run.
        faults: Mutants that this run shows.
    """

    problem: Callable[[], Quadratic]
    start: tuple[float, ...]
    p: float
    sigma: float
    omega: float
    noise: Any
    rounds: int
    faults: tuple[str, ...] = ("unbiased-step",)

    def constants(self, problem: Quadratic) -> tuple[float, float, float]:
        """Return L_minus, X_v, X_b."""
        found = smoothness_constants(problem)
        X_v = stated("scaled_variance", sigma=self.sigma, omega=self.omega, n=problem.n, L_plus=found.L_plus)
        return found.L_minus, X_v, stated("scaled_bias", sigma=self.sigma, L_minus=found.L_minus)


def nothing(Y: Any, Z: Any, n: int) -> Any:
    """Return the covariance of a compressor that sends nothing."""
    return 0 * Y


RUNS = {
    "nothing-sent-p-0.5": WholeRun(lambda: identity(1), (1.0,), 0.5, 0.0, 0.0, nothing, 200),
    "nothing-sent-p-0.1": WholeRun(lambda: identity(1), (1.0,), 0.1, 0.0, 0.0, nothing, 200),
    "half-of-rand-k-run": WholeRun(lambda: identity(8), (1.0,) * 8, 0.05, 0.5, 3.0, rand_k_noise(2), 400),
    "different-clients": WholeRun(
        lambda: tridiagonal(2, 6, heterogeneity=0.5, mu=0.01, offset=0.3),
        (6**0.5, 0.0, 0.0, 0.0, 0.0, 0.0),
        0.25,
        0.5,
        5.0,
        one_bit_noise,
        200,
        (),
    ),
}


def _whole_run(name: str, chosen: WholeRun) -> Check:
    def case(rule: Rule) -> ExactCase:
        return ExactCase(lambda: compare_run(chosen, rule))

    parameters = {"p": chosen.p, "sigma": chosen.sigma, "omega": chosen.omega, "rounds": chosen.rounds}
    mutants = {fault: case(FAULTS[fault]) for fault in chosen.faults}
    return Check("exact", name, case(STATED), parameters, mutants, seconds=0.15)


def compare_run(chosen: WholeRun, rule: Rule) -> Iterable[Comparison]:
    """The average of E|grad f|^2 at every T, and the potential in every round."""
    problem = chosen.problem()
    L, X_v, X_b = chosen.constants(problem)
    gamma = 1 / (L + float(rule.root_kappa(chosen.p, X_v, X_b)))
    trace = QuadraticRun(
        problem.matrices, problem.linear, np.array(chosen.start), gamma, chosen.p, chosen.noise, chosen.sigma
    ).trace(chosen.rounds)
    sums = np.cumsum(trace.gradient_norm_sq)
    s = rule.split_value(chosen.p, X_v, X_b)
    bound = theory.claim(CLAIM).bound
    for T in range(1, chosen.rounds + 1):
        allowed = evaluate(
            bound, {"gamma": gamma, "T": T, "Delta_0": trace.gap[0], "E_0": 0.0, "p": chosen.p, "s": s}
        )
        yield Comparison(f"average over {T} rounds", "le", sums[T - 1] / T, allowed, MOMENTS, headline=True)
    weight = stated("weight", gamma=gamma, p=chosen.p, s=s)
    potential = trace.gap + weight * trace.error
    before = potential - gamma / 2 * trace.gradient_norm_sq
    for k in range(chosen.rounds):
        yield Comparison(f"potential in round {k}", "le", potential[k + 1], before[k], MOMENTS)
