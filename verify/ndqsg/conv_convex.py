"""Checks of `ndqsg/conv-convex`: exact runs from the minimum of a parabola, runs on a logistic problem."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from impl.optimizers import Exchange, quantized_sgd
from impl.problems import Logistic, Quadratic
from verify.binding import Check, Lazy
from verify.comparison import Comparison, Tolerance
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.fixtures.quadratic_oracle import affine_run, fixed_scale_variance
from verify.rungs.exact import ExactCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/conv-convex"
# eta, P, T.
INSTANCES = ((F(1, 10), 4, 100), (F(1, 2), 4, 100), (F(1, 10), 1, 1000))
RATIONAL_STEPS = 30
"""Beyond so many steps the rationals have thousands of digits."""
LONG = Tolerance(1e-11, "a thousand float64 additions of positive numbers")


@dataclass(frozen=True)
class Rule:
    """What is run or claimed: as stated, or with one fault.

    Args:
        dithered: Whether the claimed V contains the noise of the dither.
        power: V is divided by P to this power, from 1.
        step: The step that is taken, in units of 1/L; None for the one that is claimed.
        reverse: Whether the workers are numbered in the reverse order.
    """

    dithered: bool = True
    power: int = 1
    step: F | None = None
    reverse: bool = False

    def variance(self, P: int, scale_sq: Any = 1, sigma_sq: Any = 0, d: int = 1, M: int = 1) -> Any:
        """Return the claimed V."""
        formula = theory.claim(CLAIM).formulas["variance"]
        values = {"sigma_sq": sigma_sq, "P": P**self.power, "d": d, "M": M}
        return evaluate(formula, {**values, "K_sq": scale_sq if self.dithered else 0})


STATED = Rule()
RULES = {
    "no-dither-noise": Rule(dithered=False),
    "squared-workers": Rule(power=2),
    "long-step": Rule(step=F(3)),
    "renumbered-workers": Rule(reverse=True),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        Check(
            "exact",
            "from-the-minimum",
            ExactCase(functools.partial(compare_means, STATED)),
            {"f": "x^2 / 2", "kappa": 1, "M": 1, "eta,P,T": INSTANCES},
            {name: ExactCase(functools.partial(compare_means, rule)) for name, rule in RULES.items()},
            seconds=0.1,
        ),
        Check("exact", "balanced-step", ExactCase(compare_balanced), {"epsilon": (0.1, 0.01)}, seconds=0.1),
        _parabola(),
        _logistic("breast-cancer", breast_cancer, 100, "quick"),
        _logistic("mushrooms", mushrooms, 300, "full", "mushrooms"),
    )


def compare_means(rule: Rule) -> Iterable[Comparison]:
    """The mean of f over the first T iterates: the stated value, and at most the bound."""
    claim = theory.claim(CLAIM)
    for eta, P, T in INSTANCES:
        taken = eta if rule.step is None else rule.step
        added = taken**2 * fixed_scale_variance(F(1), 1, P)
        short = [value / 2 for value in affine_run((1 - taken) ** 2, added, F(0), RATIONAL_STEPS)]
        exact_V = F(1, 12 * P)
        for count in (1, 2, RATIONAL_STEPS):
            stated = evaluate_exact(
                claim.formulas["at_the_minimum"], {"eta": taken, "V": exact_V, "T": count}
            )
            found = sum(short[:count], F(0)) / count
            yield Comparison(f"eta={eta}, P={P}, mean over {count}", "eq", found, stated)
        run = affine_run(float((1 - taken) ** 2), float(added), 0.0, T - 1)
        mean = min(sum(value / 2 for value in run) / T, 1e300)
        values = {"eta": eta, "L": 1, "R": 0, "T": T, "V": rule.variance(P)}
        yield Comparison(
            f"eta={eta}, P={P}, mean over {T}", "le", mean, evaluate(claim.bound, values), LONG, headline=True
        )
    # The order of the workers does not matter to their average.
    levels = [F(1), F(-2), F(3)][:: -1 if rule.reverse else 1]
    yield Comparison("average of three workers", "eq", sum(levels, F(0)) / 3, F(2, 3))


def compare_balanced() -> Iterable[Comparison]:
    """At the stated step and number of iterations the bound is at most the accuracy."""
    claim = theory.claim(CLAIM)
    for epsilon in (0.1, 0.01):
        V, L, R = 2.0, 1.5, 3.0
        T = evaluate(claim.formulas["iterations"], {"R": R, "V": V, "epsilon": epsilon})
        eta = evaluate(claim.formulas["balanced_step"], {"R": R, "V": V, "T": T})
        yield Comparison("legal step", "le", eta, 1 / (2 * L))
        bound = evaluate(claim.bound, {"R": R, "V": V, "T": T, "eta": eta, "L": L})
        yield Comparison(f"accuracy {epsilon}", "le", bound, epsilon, headline=True)


# ---------------------------------------------------------------- runs


def _averages(values: Any) -> Any:
    """Return the means of the first T values, T = 1..K, of rows (R, K)."""
    return np.cumsum(values, axis=1) / np.arange(1, values.shape[1] + 1)


def _parabola() -> Check:
    """Runs at a fixed scale from the minimum, in as many dimensions as there are replicates."""
    eta, P, rounds, copies = 0.5, 4, 100, 64

    def case(rule: Rule) -> TrajectoryCase:
        def bounds() -> Any:
            values = {"eta": eta, "L": 1, "R": 0, "V": rule.variance(P)}
            return [evaluate(theory.claim(CLAIM).bound, {**values, "T": T}) for T in range(1, rounds + 1)]

        def rows(rng: Any, replicates: int) -> Any:
            result = quantized_sgd(
                Quadratic(np.ones((P, copies))),
                DitheredQuantizer(1, scale=1.0),
                step_size=eta if rule.step is None else float(rule.step),
                rounds=rounds,
                rng=rng,
                trace=True,
                replicates=max(1, replicates // copies),
            )
            with np.errstate(over="ignore"):
                values = np.moveaxis(result.iterates[:, :-1] ** 2 / 2, 1, 2)  # type: ignore[index]  # traced
            return _averages(np.minimum(values.reshape(-1, rounds), 1e290))

        return TrajectoryCase(bounds, rows)

    seen = ("no-dither-noise", "long-step")
    return Check(
        "run",
        "from-the-minimum",
        Lazy(functools.partial(case, STATED), tests=1),
        {"f": "x^2 / 2", "kappa": 1, "M": 1, "eta": eta, "P": P, "rounds": rounds},
        {name: Lazy(functools.partial(case, RULES[name]), tests=1) for name in seen},
        seconds=0.3,
    )


def breast_cancer() -> Logistic:
    """Return the embedded data set, the same on four workers."""
    from impl.problems import load_breast_cancer

    features, labels = load_breast_cancer()
    return Logistic(np.tile(features, (4, 1, 1)), np.tile(labels, (4, 1)), 0.01)


def mushrooms() -> Logistic:
    """Return mushrooms, the same on four workers."""
    from impl.problems import load_libsvm

    features, labels = load_libsvm("mushrooms")
    dense = features.toarray() if hasattr(features, "toarray") else features
    return Logistic(np.tile(dense, (4, 1, 1)), np.tile(labels, (4, 1)), 0.01)


def _logistic(name: str, make: Callable[[], Logistic], rounds: int, profile: Any, needs: str = "") -> Check:
    """Runs with the scale of each gradient, at most `largest`, which each run is held to.

    The features lie in [0, 1], so that a coordinate of the gradient of the loss is at most 1 in modulus.
    """
    levels, deviation, largest = 2, 0.02, 1.2
    settled = functools.cache(make)

    def step() -> float:
        return 1 / (4 * settled().L)

    def bounds() -> Any:
        problem = settled()
        d, R = problem.d, float(np.linalg.norm(problem.solution))
        values = {
            "L": problem.L,
            "eta": step(),
            "R": R,
            "V": STATED.variance(problem.n, largest**2, d * deviation**2, d, levels),
        }
        return [evaluate(theory.claim(CLAIM).bound, {**values, "T": T}) for T in range(1, rounds + 1)]

    def require_scale(exchange: Exchange) -> None:
        if np.abs(exchange.gradients).max() > largest:
            raise ValueError(f"a scale exceeds K={largest}, which the bound is stated for")

    def rows(rng: Any, replicates: int) -> Any:
        problem = settled()
        result = quantized_sgd(
            problem,
            DitheredQuantizer(levels),
            step_size=step(),
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            noise_std=deviation,
            observe=require_scale,
        )
        least = float(problem.objective(problem.solution))
        return _averages(np.maximum(result.objective[:, :-1] - least, 0.0))

    return Check(
        "run",
        name,
        TrajectoryCase(bounds, rows, replicates=8),
        {"data": name, "rounds": rounds, "M": levels, "noise_std": deviation, "K": largest},
        seconds=0.8,
        profile=profile,
        needs=needs,
    )
