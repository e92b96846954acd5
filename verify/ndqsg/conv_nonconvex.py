r"""Checks of `ndqsg/conv-nonconvex`: sums in one dimension, a search, nonconvex runs."""

import functools
from collections.abc import Callable, Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from impl.optimizers import quantized_sgd
from impl.problems import Logistic
from verify.binding import Check, Lazy
from verify.comparison import Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.conv_strong import COPIES, sample_run
from verify.ndqsg.one_dimension import RULES, STATED, Rule
from verify.ndqsg.fixtures.quadratic_oracle import adaptive_factor
from verify.ndqsg.fixtures.worker_step import expected_square, on_a_fine_grid
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/conv-nonconvex"
SETTINGS = ((1, 1, F(1)), (1, 4, F(1)), (2, 3, F(1, 2)))
POINTS = 4
# The problem of the specification: sum of x^2 / (1 + x^2).
START = (2.0, -1.5, 1.0, 0.5, -0.25)
NEAR = (0.5, -0.3, 0.2, 0.1, 0.0)
LEVELS, WORKERS, NOISE = 2, 4, 0.01


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    faults = ("half-omega", "same-seed", "long-step")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "one-dimension",
            ExactCase(functools.partial(compare_sums, STATED)),
            {"M,P,lambda": SETTINGS, "T": (1, 10, 40)},
            {
                **{name: ExactCase(functools.partial(compare_sums, RULES[name])) for name in faults},
                "no-gradient-noise": ExactCase(functools.partial(compare_sums, STATED, noisy_bound=False)),
                "renumbered-workers": ExactCase(functools.partial(compare_sums, RULES["renumbered-workers"])),
            },
            seconds=0.2,
        ),
        _any_start(),
        _sampled(),
        _trajectory("nonconvex", saturating, START, 100, NOISE, 0.2),
        # Near the minimum the noise is most of the average, so that a bound without it fails.
        _trajectory("near-the-minimum", saturating, NEAR, 200, NOISE, 0.8),
        _trajectory("breast-cancer", breast_cancer, None, 300, 0.001, 3.0, "full"),
        _trajectory("mushrooms", mushrooms, None, 300, 0.001, 3.0, "full", "mushrooms"),
    )


def compare_sums(rule: Rule, *, noisy_bound: bool = True) -> Iterable[Comparison]:
    """Averages of lambda^2 E x_t^2 against the bound at the step of the rule, in rationals."""
    claim = theory.claim(CLAIM)
    for M, P, lam in SETTINGS:
        omega = F(1, 12 * M**2)
        step = rule.claimed_step(omega, P, lam)
        values = {"eta": step, "L": lam, "omega": omega, "P": P, "Delta_0": lam / 2}
        for noise in (F(0), F(1, 2)):
            if noise and rule.shared:
                continue  # different gradients share no error
            found = rule.second_moments(lam, M, P, F(1), 200, noise)
            for T in (1, 10, 200):
                average = lam**2 * sum(found[:T], F(0)) / T
                bound = evaluate_exact(
                    claim.bound, {**values, "sigma_sq": noise if noisy_bound else 0, "T": T}
                )
                label = f"M={M}, P={P}, noise {noise}, average over {T}"
                yield Comparison(label, "le", average, bound, headline=not noise)
            if not noise and rule is STATED:
                # What is missing to the total of all T is the last iterate: the sum is geometric.
                total = evaluate_exact(claim.formulas["total"], {"eta": step, "Delta_0": lam / 2})
                rest = lam**2 * found[200] / (step * lam)
                yield Comparison(f"M={M}, P={P}, sum of all", "eq", 200 * average + rest, total)
    # The order of the workers: one step over all dithers.
    gradients = [F(1), F(1, 2)][:: -1 if rule.reverse else 1]
    step = F(1, 2)
    found_step = expected_square(DitheredQuantizer(1, points=POINTS), gradients, F(1), step, shared=False)
    drift = (1 - step * sum(gradients, F(0)) / 2) ** 2
    moved = drift + step**2 * sum((g**2 for g in gradients), F(0)) / (12 * 4)
    yield Comparison("a step of two workers", "eq", on_a_fine_grid(found_step, drift, POINTS), moved)


# ---------------------------------------------------------------- any start and any curvatures

DIMENSION = 8


def _any_start() -> Check:
    """Quadratics in R^8 from any start, blocks of one coordinate: sums of twenty steps, exactly."""
    rounds, workers = 20, 1

    def case(rule: Rule) -> AdversarialCase:
        # In units of 1 / L, the largest curvature, which is 1.
        step = float(rule.length * rule.claimed_step(F(1, 12), workers))
        values = {"L": 1.0, "eta": step, "omega": 1 / 12, "P": workers, "sigma_sq": 0.0, "T": rounds}
        unit = evaluate(theory.claim(CLAIM).bound, {**values, "Delta_0": 1.0})

        def split(inputs: Any) -> tuple[Any, Any]:
            lam = 0.05 + 0.95 / (1 + np.exp(-np.clip(inputs[:, DIMENSION:], -30, 30)))
            return inputs[:, :DIMENSION], lam / lam.max(axis=-1, keepdims=True)

        def value(inputs: Any) -> Any:
            x, lam = split(inputs)
            factor = adaptive_factor(step * lam, 1, workers)
            squares = sum(factor**t for t in range(rounds)) * x**2
            return (lam**2 * squares).sum(axis=-1) / rounds

        def bound(inputs: Any) -> Any:
            x, lam = split(inputs)
            return unit * (lam * x**2).sum(axis=-1) / 2

        start = np.concatenate([np.ones(DIMENSION), np.full(DIMENSION, 20.0)])
        return AdversarialCase(value, bound, 2 * DIMENSION, starts=[start], scale_invariant=False, budget=400)

    return Check(
        "adversarial",
        "any-start",
        Lazy(functools.partial(case, STATED)),
        {"d": DIMENSION, "M": 1, "P": workers, "T": rounds, "blocks": 1},
        {name: Lazy(functools.partial(case, RULES[name])) for name in ("half-omega", "long-step")},
        seconds=0.2,
    )


def _sampled() -> Check:
    """Averages of ten squared gradients of x^2 / 2 from 1 at the largest step: nearly all of the bound."""
    workers, rounds = 4, 10

    def case(rule: Rule) -> MonteCarloCase:
        step = STATED.claimed_step(F(1, 12), workers)
        values = {"L": 1, "eta": step, "omega": F(1, 12), "P": workers, "sigma_sq": 0, "Delta_0": F(1, 2)}
        stated = evaluate(theory.claim(CLAIM).bound, {**values, "T": rounds})
        # No averaged error exceeds half of |x|, so a step leaves at most 1 - h + h / 2 of it.
        reach = float(1 - step / 2)
        largest = sum(reach ** (2 * t) for t in range(rounds)) / rounds

        def sample(rng: Any, size: int) -> Any:
            found = sample_run(rule, workers, rounds, rng, size // COPIES)[:, :-1]
            return found.mean(axis=1).ravel()

        return MonteCarloCase("le", sample, stated, upper=largest, resolution=0.01)

    return Check(
        "montecarlo",
        "largest-step",
        Lazy(functools.partial(case, STATED), tests=1),
        {"d": 1, "M": 1, "P": workers, "T": rounds},
        {name: Lazy(functools.partial(case, RULES[name]), tests=1) for name in ("same-seed", "long-step")},
        seconds=0.4,
    )


# ---------------------------------------------------------------- runs


def saturating() -> Logistic:
    """Return f(x) = log 2 + sum of x_j^2 / (1 + x_j^2) in R^5 on every worker: no data, only the penalty."""
    return Logistic(np.zeros((WORKERS, 1, 5)), np.ones((WORKERS, 1)), 1.0, regulariser="nonconvex")


def breast_cancer() -> Logistic:
    """Return the embedded data set with the nonconvex penalty, the same on four workers."""
    from impl.problems import load_breast_cancer

    return _copied(*load_breast_cancer())


def mushrooms() -> Logistic:
    """Return mushrooms with the nonconvex penalty, the same on four workers."""
    from impl.problems import load_libsvm

    features, labels = load_libsvm("mushrooms")
    return _copied(features.toarray() if hasattr(features, "toarray") else features, labels)


def _copied(features: Any, labels: Any) -> Logistic:
    return Logistic(
        np.tile(features, (WORKERS, 1, 1)), np.tile(labels, (WORKERS, 1)), 0.1, regulariser="nonconvex"
    )


def bounds(problem: Logistic, start: Any, rounds: int, sigma_sq: float, claimed: float) -> Any:
    """Return the bound for T = 1..rounds; `claimed` is the variance that it takes the gradients to have."""
    claim = theory.claim(CLAIM)
    omega = problem.d / (12 * LEVELS**2)
    values = {"L": problem.L, "omega": omega, "P": problem.n}
    values["eta"] = evaluate(claim.formulas["step_size"], values)
    # A loss is at least 0, the one of a row of zeros always log 2.
    least = float(np.log(2)) if problem.mean_nonzeros == 0 else 0.0
    values |= {"Delta_0": float(problem.objective(start)) - least, "sigma_sq": claimed}
    return np.array([evaluate(claim.bound, {**values, "T": T}) for T in range(1, rounds + 1)])


def _trajectory(
    name: str,
    make: Callable[[], Logistic],
    start: Any,
    rounds: int,
    noise: float,
    seconds: float,
    profile: Any = "quick",
    needs: str = "",
) -> Check:
    """Averages of |grad f|^2 along runs at the largest step, for every T."""
    settled = functools.cache(make)

    def case(claimed_noise: float) -> TrajectoryCase:
        def first() -> Any:
            return np.zeros(settled().d) if start is None else np.array(start)

        def rows(rng: Any, replicates: int) -> Any:
            problem = settled()
            omega = problem.d / (12 * LEVELS**2)
            step = evaluate(
                theory.claim(CLAIM).formulas["step_size"], {"L": problem.L, "omega": omega, "P": problem.n}
            )
            result = quantized_sgd(
                problem,
                DitheredQuantizer(LEVELS),
                step_size=step,
                rounds=rounds,
                rng=rng,
                replicates=replicates,
                noise_std=noise**0.5,
                start=first(),
            )
            return np.cumsum(result.gradient_norm_sq[:, :-1], axis=1) / np.arange(1, rounds + 1)

        return TrajectoryCase(
            lambda: bounds(settled(), first(), rounds, settled().d * noise, settled().d * claimed_noise),
            rows,
            replicates=32,
        )

    mutants = {} if start is not NEAR else {"no-gradient-noise": Lazy(functools.partial(case, 0.0), tests=1)}
    return Check(
        "run",
        name,
        Lazy(functools.partial(case, noise), tests=1),
        {"problem": name, "rounds": rounds, "M": LEVELS, "P": WORKERS, "noise_variance": noise},
        mutants,
        seconds=seconds,
        profile=profile,
        needs=needs,
    )
