"""Checks of `ndqsg/conv-strong`: equality in one dimension, exact steps from any start, runs."""

import functools
from collections.abc import Callable, Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from impl.optimizers import QuantizedEstimator, quantized_sgd
from impl.problems import Logistic, Quadratic
from verify.binding import Check, Lazy
from verify.comparison import Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.literal_workers import CODECS, FAULTS, compare_sgd
from verify.ndqsg.one_dimension import RULES, STATED, Rule
from verify.ndqsg.fixtures.worker_step import SharedDither, expected_square, on_a_fine_grid
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/conv-strong"
POINTS = 4
# M, P, lambda.
SETTINGS = ((1, 1, F(1)), (1, 4, F(1)), (2, 3, F(1, 2)))
COPIES = 64
DIMENSION, WORKERS = 8, 2


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    faults = ("half-omega", "same-seed", "long-step", "no-worker-average")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        Check(
            "exact",
            "one-step",
            ExactCase(functools.partial(compare_steps, STATED)),
            {"d": 1, "P": 2, "M": (1, 3), "points": POINTS},
            {
                name: ExactCase(functools.partial(compare_steps, RULES[name]))
                for name in ("same-seed", "renumbered-workers")
            },
            seconds=0.1,
        ),
        Check(
            "exact",
            "one-dimension",
            ExactCase(functools.partial(compare_runs, STATED)),
            {"M,P,lambda": SETTINGS, "T": 12},
            {name: ExactCase(functools.partial(compare_runs, RULES[name])) for name in faults},
            seconds=0.2,
        ),
        _any_start(),
        _sampled(),
        _trajectory(),
        _logistic("breast-cancer", breast_cancer),
        _logistic("mushrooms", mushrooms, needs="mushrooms"),
        *(_literal(name) for name in CODECS),
    )


def _omega(levels: int, dimension: int = 1) -> F:
    return F(dimension, 12 * levels**2)


def compare_steps(rule: Rule) -> Iterable[Comparison]:
    """One step of two workers from 1, over all dithers: the stated factor."""
    for M in (1, 3):
        for h in (F(1, 2), F(24, 25)):
            gradients = [F(1), F(1)][:: -1 if rule.reverse else 1]
            found = expected_square(DitheredQuantizer(M, points=POINTS), gradients, F(1), h, rule.shared)
            stated = evaluate_exact(
                theory.claim(CLAIM).formulas["factor"], {"h": h, "omega": _omega(M), "P": 2}
            )
            label = f"factor of a step, h={h}, M={M}"
            yield Comparison(label, "eq", on_a_fine_grid(found, (1 - h) ** 2, POINTS), stated, headline=True)


def compare_runs(rule: Rule) -> Iterable[Comparison]:
    """Whole runs against the bound at the step of the rule; equality without noise, in rationals."""
    claim = theory.claim(CLAIM)
    for M, P, lam in SETTINGS:
        step, omega = rule.claimed_step(_omega(M), P, lam), _omega(M)
        values = {"eta": step, "mu": lam, "omega": omega, "P": P, "r_0": 1}
        for noise in (F(0), F(1, 2)):
            if noise and rule.shared:
                continue  # different gradients share no error
            found = rule.second_moments(lam, M, P, F(1), 12, noise)
            for T in (1, 2, 12):
                bound = evaluate_exact(claim.bound, {**values, "sigma_sq": noise, "T": T})
                relation: Any = "le" if noise else "eq"
                label = f"M={M}, P={P}, noise {noise}, after {T} steps"
                yield Comparison(label, relation, found[T], bound, headline=bool(noise))


# ---------------------------------------------------------------- any start and any curvatures


def _any_start() -> Check:
    """One exact step on a diagonal quadratic in R^8 from any start: the ratio to the bound is at most 1."""
    codec, stated = DitheredQuantizer(1), theory.claim(CLAIM).bound

    def case(rule: Rule) -> AdversarialCase:
        def split(inputs: Any) -> tuple[Any, Any, Any]:
            x = inputs[:, :DIMENSION]
            lam = 0.05 + 0.95 / (1 + np.exp(-np.clip(inputs[:, DIMENSION:], -30, 30)))
            steps = float(rule.claimed_step(_omega(1, DIMENSION), WORKERS)) / lam.max(axis=-1)
            return x, lam, steps

        def value(inputs: Any) -> Any:
            x, lam, step = split(inputs)
            g = lam * x
            moved = ((x - step[:, None] * g) ** 2).sum(axis=-1)
            return moved + step**2 * codec.variance(g) / WORKERS

        def bound(inputs: Any) -> Any:
            given = {"omega": _omega(1, DIMENSION), "P": WORKERS, "sigma_sq": 0, "T": 1}
            return np.array(
                [
                    evaluate(stated, {**given, "eta": step, "mu": lam.min(), "r_0": (x**2).sum()})
                    for x, lam, step in zip(*split(inputs), strict=True)
                ]
            )

        start = np.concatenate([np.eye(DIMENSION)[0], np.zeros(DIMENSION)])
        return AdversarialCase(value, bound, 2 * DIMENSION, starts=[start], scale_invariant=False, budget=400)

    return Check(
        "adversarial",
        "any-start",
        Lazy(functools.partial(case, STATED)),
        {"d": DIMENSION, "M": 1, "P": WORKERS, "T": 1},
        {"no-worker-average": Lazy(functools.partial(case, RULES["no-worker-average"]))},
        seconds=0.3,
    )


# ---------------------------------------------------------------- runs in one dimension


def sample_run(rule: Rule, workers: int, rounds: int, rng: Any, replicates: int) -> Any:
    """Return x_t^2 of runs on x^2 / 2 from 1, (replicates, rounds + 1, copies): coordinates are such runs."""
    estimator: type[QuantizedEstimator] = SharedDither if rule.shared else QuantizedEstimator
    result = quantized_sgd(
        Quadratic(np.ones((workers, COPIES))),
        DitheredQuantizer(1, blocks=1),
        step_size=float(rule.length * rule.claimed_step(_omega(1), workers)),
        rounds=rounds,
        rng=rng,
        replicates=replicates,
        start=np.ones(COPIES),
        trace=True,
        estimator=estimator,
    )
    return np.asarray(result.iterates) ** 2


def _sampled() -> Check:
    """Two steps of four workers at the largest step, where the bound is attained."""
    workers, rounds = 4, 2

    def case(rule: Rule) -> MonteCarloCase:
        omega, step = _omega(1), STATED.claimed_step(_omega(1), workers)
        values = {"eta": step, "mu": 1, "omega": omega, "P": workers, "r_0": 1, "sigma_sq": 0, "T": rounds}
        stated = evaluate_exact(theory.claim(CLAIM).bound, values)
        fourth = evaluate_exact(
            theory.claim("ndqsg/quad-adaptive").formulas["fourth"], {"h": step, "M": 1, "P": workers}
        )

        def sample(rng: Any, size: int) -> Any:
            return sample_run(rule, workers, rounds, rng, size // COPIES)[:, -1].ravel()

        variance = float(fourth**rounds - stated**2)
        return MonteCarloCase("le", sample, float(stated), variance=variance, resolution=0.05)

    return Check(
        "montecarlo",
        "largest-step",
        Lazy(functools.partial(case, STATED), tests=1),
        {"d": 1, "M": 1, "P": workers, "T": rounds},
        {name: Lazy(functools.partial(case, RULES[name]), tests=1) for name in ("same-seed", "long-step")},
        seconds=0.4,
    )


def _trajectory() -> Check:
    """Runs at the largest step, where every iterate attains the bound."""
    workers, rounds = 4, 8

    def case(rule: Rule) -> TrajectoryCase:
        def bounds() -> Any:
            step = float(STATED.claimed_step(_omega(1), workers))
            values = {"eta": step, "mu": 1, "omega": 1 / 12, "P": workers, "r_0": 1, "sigma_sq": 0}
            return [evaluate(theory.claim(CLAIM).bound, {**values, "T": T}) for T in range(1, rounds + 1)]

        def rows(rng: Any, replicates: int) -> Any:
            found = sample_run(rule, workers, rounds, rng, max(1, replicates // COPIES))
            return np.moveaxis(found[:, 1:], 1, 2).reshape(-1, rounds)[:replicates]

        return TrajectoryCase(bounds, rows)

    return Check(
        "run",
        "largest-step",
        Lazy(functools.partial(case, STATED), tests=1),
        {"d": 1, "M": 1, "P": workers, "rounds": rounds},
        {"long-step": Lazy(functools.partial(case, RULES["long-step"]), tests=1)},
        seconds=0.2,
    )


# ---------------------------------------------------------------- logistic regression, different workers


def breast_cancer() -> Logistic:
    """Return the embedded data set: 8 workers, label-sorted split, ridge 0.01."""
    from impl.problems import breast_cancer_logistic

    return breast_cancer_logistic()


def mushrooms() -> Logistic:
    """Return mushrooms: 8 workers, label-sorted split, ridge 0.01."""
    from impl.problems import label_sorted_split, load_libsvm

    return Logistic(*label_sorted_split(*load_libsvm("mushrooms"), 8), 0.01)


def _logistic(name: str, make: Callable[[], Logistic], needs: str = "") -> Check:
    """Distances of runs with noisy gradients of different functions, at every iteration."""
    rounds, sigma_sq, levels = 60, 0.01, 2
    settled = functools.cache(make)

    def step() -> float:
        problem = settled()
        omega = problem.d / (12 * levels**2)
        L = float(problem.L_nodes.max())
        return evaluate(
            theory.claim(CLAIM).formulas["step_size_different"], {"L": L, "omega": omega, "P": problem.n}
        )

    def bounds() -> Any:
        problem = settled()
        values = {
            "eta": step(),
            "mu": problem.mu,
            "omega": problem.d / (12 * levels**2),
            "P": problem.n,
            "r_0": float((problem.solution**2).sum()),
            "sigma_sq": sigma_sq,
            "S_star": float((problem.gradients(problem.solution) ** 2).sum()),
        }
        formula = theory.claim(CLAIM).formulas["bound_different"]
        return [evaluate(formula, {**values, "T": T}) for T in range(1, rounds + 1)]

    def rows(rng: Any, replicates: int) -> Any:
        problem = settled()
        result = quantized_sgd(
            problem,
            DitheredQuantizer(levels),
            step_size=step(),
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            noise_std=(sigma_sq / problem.d) ** 0.5,
        )
        return result.distance_sq[:, 1:]  # type: ignore[index]  # a ridge certifies the solution

    return Check(
        "run",
        name,
        TrajectoryCase(bounds, rows, replicates=8),
        {"data": name, "rounds": rounds, "M": levels, "sigma_sq": sigma_sq},
        seconds=0.5,
        needs=needs,
        profile="full" if needs else "quick",
    )


# ---------------------------------------------------------------- the method, written out


def _literal(name: str) -> Check:
    """Runs on singular matrices with one heavy worker: iterates and bits against the literal method."""
    seen = ("one-worker-less", "half-momentum", *(("lost-residual",) if name == "baselines" else ()))
    mutants = {key: ExactCase(functools.partial(compare_sgd, name, FAULTS[key])) for key in seen}
    codecs, side = CODECS[name]
    parameters = {"codecs": [repr(codec) for codec in codecs], "side": side}
    base = ExactCase(functools.partial(compare_sgd, name))
    return Check("exact", f"literal-{name}", base, parameters, mutants, seconds=0.1)
