"""Checks of `cq_marina/finding-identical-clients`: costs in rationals, best probabilities, long runs."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.problems import Quadratic, smoothness_constants, tridiagonal
from verify.binding import Check, Profile
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.cq_marina.psi import psi
from verify.cq_marina.second_moments import Array, QuadraticRun, one_bit_noise
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cq_marina/finding-identical-clients"
ACCURACY = 1e-4
# Rounds that MARINA needs at n clients, and some more.
LIMITS = {50: 400, 10: 700}


@dataclass(frozen=True)
class Rule:
    """What is compared: as stated, or with one fault.

    Args:
        extra: Values of A beyond those below the threshold.
        full: Whether a compressed message of DCGD is counted as a full one.
        offset: How far the linear parts of the clients differ in the runs.
        scale: Factor on all objectives in the runs.
    """

    extra: tuple[F, ...] = ()
    full: bool = False
    offset: float = 0.0
    scale: float = 1.0


STATED = Rule()
BEYOND = Rule(extra=(F(36),))
FULL = Rule(full=True)
SHIFTED = Rule(offset=0.5)
RESCALED = Rule(scale=3.0)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        _check(
            "every-probability",
            compare_costs,
            {"c": "1/32"},
            {"beyond-threshold": BEYOND, "counted-in-full": FULL},
        ),
        _check("best-probability", compare_best, {"c": [1 / 32, 1 / 16]}, {"counted-in-full": FULL}),
        _runs(50, "quick"),
        _runs(10, "full"),
    )


def _runs(n: int, profile: Profile) -> Check:
    faults = {"with-shifts": SHIFTED, "counted-in-full": FULL, "rescaled-problem": RESCALED}
    check = _check(
        f"runs-of-{n}",
        functools.partial(compare_runs, n),
        {"n": n, "d": 32, "accuracy": ACCURACY},
        faults,
        0.8,
    )
    return replace(check, profile=profile)


def _check(
    name: str, compare: Any, parameters: dict[str, Any], faults: dict[str, Rule], seconds: float = 0.1
) -> Check:
    def case(rule: Rule) -> ExactCase:
        return ExactCase(functools.partial(compare, rule))

    mutants = {fault: case(rule) for fault, rule in faults.items()}
    return Check("exact", name, case(STATED), parameters, mutants, seconds=seconds)


def compare_costs(rule: Rule) -> Iterable[Comparison]:
    """DCGD against MARINA at many probabilities 1 / (1 + t^2) and A = a^2, in rationals."""
    claim, c = theory.claim(CLAIM), F(1, 32)
    threshold = evaluate_exact(claim.formulas["threshold"], {"c": c})
    yield Comparison("threshold", "eq", threshold, 31)
    squares = [F(a, 4) ** 2 for a in range(23)]  # up to 5.5^2 = 30.25
    for A in (*squares, F(5567, 1000) ** 2, *rule.extra):
        cost = evaluate_exact(claim.formulas["dcgd_cost"], {"A": A, "c": 1 if rule.full else c})
        for t in (F(j, 4) for j in (0, 1, 2, 4, 8, 12, 16, 24, 40, 80)):
            p = 1 / (1 + t * t)
            marina = evaluate_exact(claim.bound, {"A": A, "c": c, "p": p})
            yield Comparison(f"A={A}, p={p}", "le", cost, marina, EXACT, headline=True)


def compare_best(rule: Rule) -> Iterable[Comparison]:
    """DCGD against MARINA at its best probability, for A up to the threshold."""
    formulas = theory.claim(CLAIM).formulas
    for c in (1 / 32, 1 / 16):
        threshold = evaluate(formulas["threshold"], {"c": c})
        for share in (1e-3, 0.01, 0.03, 0.1, 0.2, 0.25, 0.3, 0.5, 0.8, 0.999):
            A = share * threshold
            cost = evaluate(formulas["dcgd_cost"], {"A": A, "c": 1 if rule.full else c})
            yield Comparison(f"A={A:g}, c={c:g}", "le", cost, psi(A, c).value, ROUND_OFF, headline=True)
        for A in (1.001 * threshold, 2 * threshold):
            cost = evaluate(formulas["dcgd_cost"], {"A": A, "c": c})
            yield Comparison(f"beyond, A={A:g}", "le", psi(A, c).value, cost, ROUND_OFF)


# ---------------------------------------------------------------- exact runs


def compare_runs(n: int, rule: Rule) -> Iterable[Comparison]:
    """Bits for each client until E|grad f|^2 is small: independent one-bit quantizers on equal quadratics."""
    d, limit = 32, LIMITS[n]
    problem = tridiagonal(n, d, heterogeneity=0.0, mu=1e-6, offset=rule.offset)
    problem = Quadratic(rule.scale * problem.matrices, rule.scale * problem.linear, convex=False)
    accuracy = ACCURACY * rule.scale**2
    L = smoothness_constants(problem).L_minus
    A, c = (d - 1) / n, (32 + d) / (32 * d)
    whole, message = 32 * d, 32 + d
    step = evaluate(theory.claim("cq_marina/dsgd").formulas["step_size"], {"L": L, "A": A})
    rounds = rounds_to(dcgd_gradients(problem, step, limit), accuracy)
    dcgd = rounds * (whole if rule.full else message)
    p = psi(A, c).probability
    rate = theory.claim("cq_marina/marina-rate").formulas["step_size"]
    step = evaluate(rate, {"L_minus": L, "X": A * L**2, "p": p})
    run = QuadraticRun(problem.matrices, problem.linear, np.zeros(d), step, p, one_bit_noise)
    rounds = rounds_to(run.trace(limit).gradient_norm_sq, accuracy)
    marina = whole + rounds * (whole * p + (1 - p) * message)
    yield Comparison("bits of DCGD and MARINA", "le", float(dcgd), float(marina), ROUND_OFF, headline=True)


def rounds_to(gradients: Array, accuracy: float) -> int:
    """Return the first round with a value of at most the accuracy, ten times the length if there is none."""
    reached = np.flatnonzero(gradients <= accuracy)
    return int(reached[0]) if len(reached) else 10 * len(gradients)


def dcgd_gradients(problem: Quadratic, step_size: float, rounds: int) -> Array:
    r"""Return E||grad f||^2 after 0..rounds rounds of DCGD from 0 with independent one-bit quantizers.

    All clients have one matrix H and $\nabla f_i=He+s_i$ with $\sum_is_i=0$. The second moment of e obeys
    $S^+=(I-\gamma H)S(I-\gamma H)+\frac{\gamma^2}n(\mathrm{tr}Y\,I-\mathrm{diag}Y)$ with the mean $Y$ of
    $\nabla f_i\nabla f_i^\top$; in it the products of e and s_i cancel.
    """
    H, n = problem.matrices[0], problem.n
    e = -np.linalg.solve(H, problem.linear.mean(axis=0))
    shifts = problem.linear.mean(axis=0) - problem.linear
    spread = shifts.T @ shifts / n
    move = np.eye(len(H)) - step_size * H
    S, found = np.outer(e, e), []
    for _ in range(rounds + 1):
        gradient = H @ S @ H
        found.append(np.trace(gradient))
        S = move @ S @ move + step_size**2 * one_bit_noise(gradient + spread, gradient, n)
    return np.array(found)
