"""Checks of `ndqsg/quad-adaptive`: exact steps over all dithers, the recursion, the sandwich, whole runs."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from impl.optimizers import QuantizedEstimator, quantized_sgd
from impl.problems import Quadratic
from verify.binding import Check, Lazy
from verify.comparison import Comparison
from verify.evaluation import evaluate_exact
from verify.ndqsg.fixtures.quadratic_oracle import adaptive_factor, adaptive_noise, affine_run
from verify.ndqsg.fixtures.worker_step import FrozenScale, SharedDither, expected_square, on_a_fine_grid
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/quad-adaptive"
POINTS, COPIES = 4, 64
DIMENSION = 10
H = F(1, 2)


@dataclass(frozen=True)
class Rule:
    """What is run or claimed: as stated, or with one fault.

    Args:
        shared: Whether all workers use one dither.
        frozen: Whether the scale stays at its first value.
        claimed: Number of workers that the claim divides by, from P: in a, and in b.
        reverse: Whether the workers are numbered in the reverse order.
    """

    shared: bool = False
    frozen: bool = False
    claimed: tuple[int, int] = (1, 1)
    reverse: bool = False


STATED = Rule()
RULES = {
    "same-seed": Rule(shared=True),
    "frozen-scale": Rule(frozen=True),
    "squared-workers": Rule(claimed=(2, 1)),
    "squared-workers-and-noise": Rule(claimed=(2, 2)),
    "renumbered-workers": Rule(reverse=True),
}
# lambda, x0, eta, M, P, s_n^2.
GOLDEN = {
    "one-worker": (F(1), F(1), F(1, 2), 1, 1, F(0)),
    "noisy": (F(1), F(1), F(1, 2), 1, 4, F(1)),
    "curved": (F(2), F(3), F(1, 4), 2, 3, F(1, 10)),
}


def formula(name: str, **values: Any) -> Any:
    """Return a stated formula, exactly."""
    return evaluate_exact(theory.claim(CLAIM).formulas[name], values)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "one-step",
            ExactCase(functools.partial(compare_steps, STATED)),
            {"P": 2, "M": (1, 2), "noise": "two values", "points": POINTS},
            {name: ExactCase(functools.partial(compare_steps, rule)) for name, rule in RULES.items()},
            seconds=0.2,
        ),
        Check(
            "exact",
            "recursion",
            ExactCase(functools.partial(compare_runs, STATED)),
            {"settings": list(GOLDEN), "T": 20},
            {name: ExactCase(functools.partial(compare_runs, RULES[name])) for name in _SEEN_IN_RUNS},
            seconds=0.2,
        ),
        Check("exact", "fourth-moment", ExactCase(compare_fourth), {"P": (1, 2), "M": (1, 2)}, seconds=0.2),
        _sandwich(),
        _sampled(),
        _martingale(),
    )


_SEEN_IN_RUNS = ("same-seed", "squared-workers", "squared-workers-and-noise")


def compare_steps(rule: Rule) -> Iterable[Comparison]:
    """Two steps of two workers in rationals, gradients with noise of two values, all dithers of a grid."""
    workers = 2
    for M in (1, 2):
        codec = DitheredQuantizer(M, points=POINTS)
        for lam, x, eta, s in (
            (F(1), F(1), F(1, 2), F(0)),
            (F(2), F(-3), F(1, 4), F(1)),
            (F(1), F(1), F(1, 2), F(3)),
        ):
            first = lam * x + s
            square, drift, signs = F(0), F(0), [(1, 1), (1, -1), (-1, 1), (-1, -1)]
            for pair in signs:
                gradients = [lam * x + sign * s for sign in pair]
                if rule.reverse:
                    gradients = gradients[::-1]
                given = (x - eta * sum(gradients) / workers) ** 2
                # A frozen scale is that of an earlier iterate, here twice as far out.
                used = DitheredQuantizer(M, scale=2 * abs(first), points=POINTS) if rule.frozen else codec
                found = expected_square(used, gradients, x, eta, rule.shared)
                square += on_a_fine_grid(found, given, POINTS) / len(signs)
                drift += given / len(signs)
            in_a, in_b = (workers**power for power in rule.claimed)
            a = formula("a", eta=eta, lambda_=lam, M=M, P=in_a)
            b = formula("b", eta=eta, s_sq=s**2, M=M, P=in_b)
            label = f"E x^2 after a step from {x}, M={M}, noise {s}"
            yield Comparison(label, "eq", square, a * x**2 + b, headline=True)


def compare_runs(rule: Rule) -> Iterable[Comparison]:
    """The closed form against the recursion with the variances of the messages, in rationals."""
    claim = theory.claim(CLAIM)
    for name, (lam, x0, eta, M, P, s_sq) in GOLDEN.items():
        factor = adaptive_factor(eta * lam, M, P, shared=rule.shared)
        found = list(affine_run(factor, adaptive_noise(eta, M, P, s_sq), x0**2, 20))
        in_a, in_b = (P**power for power in rule.claimed)
        a = formula("a", eta=eta, lambda_=lam, M=M, P=in_a)
        b = formula("b", eta=eta, s_sq=s_sq, M=M, P=in_b)
        for T in (0, 1, 5, 20):
            stated = evaluate_exact(claim.exact, {"a": a, "b": b, "x0_sq": x0**2, "T": T})
            yield Comparison(f"{name}, after {T} steps", "eq", found[T], stated, headline=True)
        upper = formula("a_upper", eta=eta, lambda_=lam, M=M, P=P, d=1)
        yield Comparison(
            f"{name}, both rates in one dimension", "eq", upper, formula("a", eta=eta, lambda_=lam, M=M, P=P)
        )


def compare_fourth() -> Iterable[Comparison]:
    """The fourth moment of a step from 1, over the moments of one and two uniform errors, in rationals."""
    moments = {0: F(1), 2: F(1, 12), 4: F(1, 80)}
    for M in (1, 2):
        for h in (F(1, 2), F(3, 4)):
            for P in (1, 2):
                # E (1 - h - h e)^4 with e the mean of P errors, e_1^i e_2^j by their moments.
                second = moments[2] / (P * M**2)
                fourth = (P * moments[4] + 3 * P * (P - 1) * moments[2] ** 2) / F(P * M) ** 4
                found = (1 - h) ** 4 + 6 * (1 - h) ** 2 * h**2 * second + h**4 * fourth
                yield Comparison(
                    f"fourth moment, h={h}, P={P}, M={M}", "eq", found, formula("fourth", h=h, P=P, M=M)
                )
    stable = formula("largest_h", d=10, M=1, P=2)
    at_limit = formula("a_upper", eta=1, lambda_=stable, M=1, P=2, d=10)
    yield Comparison("upper rate at the largest step", "eq", at_limit, 1)


# ---------------------------------------------------------------- the sandwich


def expected_length(x: Any, workers: int) -> Any:
    """Return E|x_1|^2 of a step with eta lambda = 1/2 and M = 1 from x (..., d), by the codec's variance."""
    h = float(H)
    return h**2 * DitheredQuantizer(1).variance(x) / workers + (1 - h) ** 2 * (x**2).sum(axis=-1)


def _sandwich() -> Check:
    """The first step from any start in R^10: both rates bound it, each is attained."""
    one_hot, flat = np.eye(DIMENSION)[0], np.ones(DIMENSION)

    def case(dimension: int) -> AdversarialCase:
        upper = float(formula("a_upper", eta=H, lambda_=1, M=1, P=2, d=dimension))
        lower = float(formula("a", eta=H, lambda_=1, M=1, P=2))

        # One search for both: the input is a start for the upper rate and one for the lower rate.
        # 1e-300 keeps 0 / 0 away from the origin; it is below the round-off of every other start.
        def ratio(inputs: Any) -> Any:
            x, y = inputs[:, :DIMENSION], inputs[:, DIMENSION:]
            up = expected_length(x, 2) / (upper * (x**2).sum(axis=-1) + 1e-300)
            down = lower * (y**2).sum(axis=-1) / (expected_length(y, 2) + 1e-300)
            return np.maximum(up, down)

        starts = [np.concatenate([one_hot, one_hot]), np.concatenate([flat, flat])]
        return AdversarialCase(
            ratio, lambda inputs: np.ones(len(inputs)), 2 * DIMENSION, starts=starts, budget=1000
        )

    return Check(
        "adversarial",
        "sandwich",
        Lazy(functools.partial(case, DIMENSION)),
        {"d": DIMENSION, "M": 1, "P": 2, "eta_lambda": "1/2"},
        {"dimension-left-out": Lazy(functools.partial(case, 1))},
        seconds=0.3,
    )


# ---------------------------------------------------------------- sampled runs


def _run(rule: Rule, codec: Any, workers: int, rounds: int, start: Any, rng: Any, replicates: int) -> Any:
    estimator: type[QuantizedEstimator] = QuantizedEstimator
    if rule.shared or rule.frozen:
        estimator = SharedDither if rule.shared else FrozenScale
    return quantized_sgd(
        Quadratic(np.ones((workers, len(start)))),
        codec,
        step_size=float(H),
        rounds=rounds,
        rng=rng,
        replicates=replicates,
        start=start,
        trace=True,
        estimator=estimator,
    )


def _sampled() -> Check:
    """Eight steps in one dimension without noise, two-sidedly, with the exact variance of the square."""
    rounds, workers = 8, 4

    def case(rule: Rule) -> MonteCarloCase:
        a = formula("a", eta=H, lambda_=1, M=1, P=workers)
        stated = evaluate_exact(theory.claim(CLAIM).exact, {"a": a, "b": 0, "x0_sq": 1, "T": rounds})
        fourth = formula("fourth", h=H, M=1, P=workers) ** rounds

        # Blocks of one coordinate do not see each other: each is a run in one dimension.
        def sample(rng: Any, size: int) -> Any:
            codec = DitheredQuantizer(1, blocks=1)
            result = _run(rule, codec, workers, rounds, np.ones(COPIES), rng, size // COPIES)
            return (result.x**2).ravel()

        return MonteCarloCase(
            "eq", sample, float(stated), variance=float(fourth - stated**2), resolution=0.03
        )

    return Check(
        "run",
        "run-8",
        Lazy(functools.partial(case, STATED), tests=1),
        {"T": rounds, "P": workers, "M": 1, "eta_lambda": "1/2"},
        {name: Lazy(functools.partial(case, RULES[name]), tests=1) for name in ("same-seed", "frozen-scale")},
        seconds=0.6,
    )


def _martingale() -> Check:
    """Realised minus expected squared length of each step in R^10, relative to the length before: mean 0."""
    rounds, workers = 8, 2

    def case(rule: Rule) -> MonteCarloCase:
        def sample(rng: Any, size: int) -> Any:
            start = np.linspace(-1, 1, DIMENSION)
            x = _run(rule, DitheredQuantizer(1), workers, rounds, start, rng, size).iterates
            length = (x**2).sum(axis=-1)
            surprise = (length[:, 1:] - expected_length(x[:, :-1], workers)) / length[:, :-1]
            return surprise.mean(axis=1)

        # |x_1| <= (1 - h + h sqrt(d) / 2) |x_0| surely, and the expected square is at most that as well.
        reach = (1 - float(H) + float(H) * DIMENSION**0.5 / 2) ** 2
        return MonteCarloCase("eq", sample, 0.0, lower=-reach, upper=reach, tolerance=0.005)

    return Check(
        "montecarlo",
        "martingale",
        Lazy(functools.partial(case, STATED), tests=1),
        {"T": rounds, "P": workers, "M": 1, "d": DIMENSION, "eta_lambda": "1/2"},
        {"same-seed": Lazy(functools.partial(case, RULES["same-seed"]), tests=1)},
        seconds=1.0,
    )
