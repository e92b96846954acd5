"""Checks of `cq_marina/dsgd`: exact rounds with shifted clients, exact long runs, sampled rounds and runs."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.optimizers import dcgd, marina
from impl.problems import Quadratic
from verify.binding import Check, Lazy
from verify.comparison import Comparison, Tolerance
from verify.cq_marina.marina_biased_runs import running_averages
from verify.cq_marina.second_moments import QuadraticRun, one_bit_noise
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cq_marina/dsgd"
LONG = Tolerance(1e-9, "up to 2000 rounds of float64 products; the second moments contract")
INDEPENDENT = IndependentQuantizer("binary")
CLIENTS, DIMENSION = 4, 8


@dataclass(frozen=True)
class Rule:
    """What is claimed or run: as stated, or with one fault.

    Args:
        averaged: Whether the error of the mean is divided by n.
        shifted: Whether the shifts enter the recursion.
        noise: Factor on the noise term of the bound.
        step: Factor on the largest step.
        method: `marina` or `dcgd`, where MARINA is claimed.
        reverse: Whether the clients are numbered in the reverse order.
    """

    averaged: bool = True
    shifted: bool = True
    noise: float = 1.0
    step: float = 1.0
    method: str = "marina"
    reverse: bool = False

    def omega(self, n: int, d: int) -> Any:
        """Return the relative variance of the mean."""
        return evaluate_exact(_formula("relative_variance"), {"n": n if self.averaged else 1, "d": d})


STATED = Rule()
RULES = {
    "forgotten-mean": Rule(averaged=False),
    "forgotten-shifts": Rule(shifted=False),
    "half-the-noise": Rule(noise=0.5),
    "double-step": Rule(step=2.0),
    "dcgd-for-marina": Rule(method="dcgd"),
    "permuted-clients": Rule(reverse=True),
}


def _formula(name: str) -> Any:
    return theory.claim(CLAIM).formulas[name]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    faults = ("forgotten-mean", "forgotten-shifts")
    shape: dict[str, Any] = {"n": CLIENTS, "d": DIMENSION, "L": 1}
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.4),
        Check(
            "exact",
            "one-round",
            _exact(compare_round, STATED),
            {"n": 4, "s_1": (2, 3, 6), "gamma": "1/4"},
            {name: _exact(compare_round, RULES[name]) for name in (*faults, "permuted-clients")},
            seconds=0.2,
        ),
        Check(
            "exact",
            "small-step",
            _exact(compare_values, STATED),
            {**shape, "gamma": 0.05, "rounds": 200, "S_sq": 1},
            {name: _exact(compare_values, RULES[name]) for name in faults},
            seconds=0.2,
        ),
        Check(
            "exact",
            "largest-step",
            _exact(compare_averages, STATED),
            {**shape, "rounds": 2000, "S_sq": 1},
            {name: _exact(compare_averages, RULES[name]) for name in ("half-the-noise", "double-step")},
            seconds=0.3,
        ),
        Check(
            "exact",
            "marina",
            _exact(compare_marina, STATED),
            {**shape, "p": 0.1, "rounds": 1000, "S_sq": 1},
            {"dcgd-for-marina": _exact(compare_marina, RULES["dcgd-for-marina"])},
            seconds=0.3,
        ),
        _sampled_round(faults),
        _sampled_run(),
    )


def _exact(compare: Any, rule: Rule) -> ExactCase:
    return ExactCase(functools.partial(compare, rule))


# ---------------------------------------------------------------- exact rounds


def compare_round(rule: Rule) -> Iterable[Comparison]:
    """One round in rationals, at states along the shifts, where all norms are rational."""
    direction, gamma = (F(2), F(3), F(6)), F(1, 4)
    shifts = [F(1), F(-1), F(2), F(-2)]
    if rule.reverse:
        shifts = shifts[::-1]
    n, d = len(shifts), len(direction)
    length = sum(item**2 for item in direction)
    S_sq = sum(item**2 for item in shifts) / n * length if rule.shifted else 0
    for place in (F(0), F(1, 2), F(-3)):
        gradients = [[(place + shift) * item for item in direction] for shift in shifts]
        after = (1 - gamma) ** 2 * place**2 * length + gamma**2 * INDEPENDENT.variance(gradients)
        values = {"gamma": gamma, "L": 1, "omega": rule.omega(n, d), "S_sq": S_sq, "v": place**2 * length}
        stated = evaluate_exact(_formula("recursion"), values)
        yield Comparison(f"round from {place} times the shift", "eq", after, stated, headline=True)


def shifted_problem(scale: float = 1.0) -> Quadratic:
    """Return f_i = |x|^2 / 2 + <s_i, x> for four clients in R^8 with S = scale and the solution 0."""
    shifts = np.zeros((CLIENTS, DIMENSION))
    shifts[0], shifts[2] = np.full(DIMENSION, DIMENSION**-0.5), np.eye(DIMENSION)[0]
    shifts[1], shifts[3] = -shifts[0], -shifts[2]
    return Quadratic(np.ones((CLIENTS, DIMENSION)), -scale * shifts)


def second_moments(gamma: float, rounds: int, start: float = 8.0) -> Any:
    """Return E|x|^2 after 0..rounds rounds of DCGD, (rounds + 1,), from the exact error of the quantizers.

    That error is an affine function of |x|^2; so one point for each round will do.
    """
    problem, values = shifted_problem(), [start]
    for _ in range(rounds):
        x = values[-1] ** 0.5 * np.eye(DIMENSION)[1]
        error = float(INDEPENDENT.variance(problem.gradients(x)))
        values.append(min((1 - gamma) ** 2 * values[-1] + gamma**2 * error, 1e200))
    return np.array(values)


def compare_values(rule: Rule) -> Iterable[Comparison]:
    """Closed form of the recursion and its floor, at the step of the golden numbers."""
    gamma, rounds = 0.05, 200
    found = second_moments(gamma, rounds)
    values = {"gamma": gamma, "L": 1, "omega": rule.omega(CLIENTS, DIMENSION), "S_sq": int(rule.shifted)}
    for k in (1, 2, 5, 20, 100, rounds):
        stated = evaluate(_formula("value"), {**values, "v": 8, "k": k})
        yield Comparison(
            f"second moment after {k} rounds", "eq", float(found[k]), stated, LONG, headline=True
        )
    settled = second_moments(gamma, 500)[-1]
    yield Comparison("floor", "eq", float(settled), evaluate(_formula("floor"), values), LONG)


def compare_averages(rule: Rule) -> Iterable[Comparison]:
    """Averages of E|grad f|^2 at the largest step, where the floor meets the noise term of the bound."""
    rounds, omega = 2000, float(rule.omega(CLIENTS, DIMENSION))
    gamma = rule.step * evaluate(_formula("step_size"), {"L": 1, "A": omega})
    averages = running_averages(second_moments(gamma, rounds)[None])[0]
    bound = theory.claim(CLAIM).bound
    values = {"gamma": gamma, "L": 1, "sigma_sq": rule.noise * omega, "Delta_0": 4}
    for T in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, rounds):
        stated = evaluate(bound, {**values, "T": T})
        yield Comparison(
            f"average over {T} rounds", "le", float(averages[T - 1]), stated, LONG, headline=True
        )


def compare_marina(rule: Rule) -> Iterable[Comparison]:
    """MARINA on the same problem stays below its rate, and falls far below the floor of DCGD."""
    problem, p, rounds = shifted_problem(), 0.1, 1000
    omega = float(STATED.omega(CLIENTS, DIMENSION))
    gamma = 1 / (
        evaluate(_formula("marina_rounds"), {"Delta_0": 0.5, "L": 1, "p": p, "omega": omega, "epsilon": 1})
    )
    if rule.method == "marina":
        run = QuadraticRun(problem.matrices, problem.linear, np.ones(DIMENSION), gamma, p, one_bit_noise)
        found = run.trace(rounds).gradient_norm_sq
    else:
        found = second_moments(gamma, rounds)
    averages = running_averages(found[None])[0]
    for T in (1, 10, 100, 200, 500, rounds):
        # The stated number of rounds is T at this epsilon^2; Delta_0 = 4.
        stated = 8 / (gamma * T)
        yield Comparison(
            f"average over {T} rounds", "le", float(averages[T - 1]), stated, LONG, headline=True
        )
    floor = evaluate(_formula("floor"), {"gamma": gamma, "L": 1, "omega": omega, "S_sq": 1})
    yield Comparison("below the floor of DCGD", "le", float(found[-1]), 1e-6 * floor, LONG)


# ---------------------------------------------------------------- sampled rounds and runs


def _sampled_round(faults: Iterable[str]) -> Check:
    """One sampled round of DCGD against the stated recursion."""
    gamma, start = 0.25, np.full(DIMENSION, 0.5)

    def case(rule: Rule) -> MonteCarloCase:
        problem = shifted_problem()
        length = float(start @ start)
        values = {"gamma": gamma, "L": 1, "S_sq": int(rule.shifted), "v": length}
        stated = evaluate(_formula("recursion"), {**values, "omega": float(rule.omega(CLIENTS, DIMENSION))})
        # Decoded entries are plus or minus the norm of the client's gradient.
        norms = np.linalg.norm(problem.gradients(start), axis=-1)
        upper = (length**0.5 + gamma * DIMENSION**0.5 * float(norms.mean())) ** 2

        def sample(rng: Any, size: int) -> Any:
            result = dcgd(
                problem, INDEPENDENT, step_size=gamma, rounds=1, rng=rng, replicates=size, start=start
            )
            return (result.x**2).sum(axis=-1)

        return MonteCarloCase("eq", sample, stated, upper=upper, resolution=0.02)

    base = Lazy(functools.partial(case, STATED), tests=1)
    mutants = {name: Lazy(functools.partial(case, RULES[name]), tests=1) for name in faults}
    parameters = {"n": CLIENTS, "d": DIMENSION, "gamma": gamma, "x": "halves"}
    return Check("montecarlo", "one-round", base, parameters, mutants, seconds=1.0)


def _sampled_run() -> Check:
    """MARINA with the correlated quantizer on clients with large shifts, against its bound at every T."""
    p, rounds, scale = 0.1, 60, 10.0
    quantizer = CorrelatedQuantizer("binary")

    def step() -> float:
        rate = theory.claim("cq_marina/marina-cq-rate").formulas
        X = evaluate(rate["X"], {"n": CLIENTS, "d": DIMENSION, "L_plus": 1, "L_pm": 0})
        return evaluate(rate["step_size"], {"L_minus": 1, "X": X, "p": p})

    def case(rule: Rule) -> TrajectoryCase:
        def rows(rng: Any, replicates: int) -> Any:
            common: dict[str, Any] = {
                "step_size": step(),
                "rounds": rounds,
                "rng": rng,
                "replicates": replicates,
                "start": np.ones(DIMENSION),
            }
            problem = shifted_problem(scale)
            if rule.method == "marina":
                result = marina(problem, quantizer, probability=p, **common)
            else:
                result = dcgd(problem, quantizer, **common)
            return running_averages(result.gradient_norm_sq)

        def bounds() -> Any:
            bound, gap = theory.claim("cq_marina/marina-cq-rate").bound, DIMENSION / 2
            values = {"Delta_0": gap, "gamma": step()}
            return [evaluate(bound, {**values, "T": T}) for T in range(1, rounds + 1)]

        return TrajectoryCase(bounds, rows)

    base = Lazy(functools.partial(case, STATED), tests=1)
    mutants = {"dcgd-for-marina": Lazy(functools.partial(case, RULES["dcgd-for-marina"]), tests=1)}
    parameters = {"n": CLIENTS, "d": DIMENSION, "p": p, "S": scale, "rounds": rounds, "compressor": "CQ"}
    return Check("run", "large-shifts", base, parameters, mutants, seconds=0.8)
