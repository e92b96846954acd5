r"""Checks of `ndqsg/conv-nonconvex`: sums in one dimension, a search, nonconvex runs."""

import functools
from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.one_dimension import (
    COPIES,
    HONEST,
    LONG_STEP,
    RENUMBERED,
    SAME_SEED,
    SETTINGS,
    TWO_WORKERS,
    omega,
)
from verify.ndqsg.fixtures.quadratic_oracle import adaptive_factor
from verify.ndqsg.fixtures.runs.logistic_workers import same_on_all, saturating
from verify.ndqsg.fixtures.runs.nonconvex_runs import (
    LEVELS,
    NEAR,
    NOISE,
    START,
    WORKERS,
    averages,
    constants,
    initial_gap,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase

# Gradients of runs have `noise` times the variance that they are said to have.
judge = checks_of("ndqsg/conv-nonconvex", method=HONEST, noise=1.0)


judge.sabotage(
    "half-omega at exact/one-dimension, adversarial/any-start: omega/2 in the step rule: at d = M = P = 1 "
    "the sum exceeds the bound by 4.2 per cent. | step_size = step_size(omega = omega / 2)",
    "same-seed at exact/one-dimension, montecarlo/largest-step: The same dither for all workers: at d = M = "
    "1, P = 4 the sum exceeds the bound by 6.5 per cent.",
    {"method": SAME_SEED},
    "long-step at exact/one-dimension, adversarial/any-start, montecarlo/largest-step: 1.5 times the "
    "largest step: the sum is 1.33 times the bound at the largest step, 2.0 times that at its own.",
    {"method": LONG_STEP},
    "no-gradient-noise at exact/one-dimension, run/near-the-minimum: The bound without sigma^2: what "
    "remains falls like 1/T, the gradients do not. | bound = bound(sigma_sq = 0)",
    "loud-gradients at run/nonconvex: Gradients have 25 times the variance that they are said to have. "
    "| noise = 25.0",
    "deafening-gradients, slow at run/breast-cancer, run/mushrooms: A million times the variance on data. "
    "| noise = 1000000.0",
    "renumbered-workers, neutral at exact/one-dimension: Number the workers differently: nothing may change.",
    {"method": RENUMBERED},
)


@judge.exact(instance="one-dimension", parameters={"M,P,lambda": SETTINGS, "T": (1, 10, 40)})
def one_dimension(law: Law) -> Iterable[Comparison]:
    """Averages of lambda^2 E x_t^2 against the bound at the largest step, in rationals."""
    for M, P, lam in SETTINGS:
        given = {"L": lam, "omega": omega(M), "P": P}
        step = law.exactly("step_size", **given)
        for noise in (F(0), F(1, 2)):
            if noise and law.method.shared:
                continue  # different gradients share no error
            found = law.method.second_moments(step, lam, M, P, 200, noise)
            for T in (1, 10, 200):
                average = lam**2 * sum(found[:T], F(0)) / T
                bound = law.exactly("bound", **given, eta=step, Delta_0=lam / 2, sigma_sq=noise, T=T)
                witness = {"M": M, "P": P, "sigma_sq": noise, "T": T}
                yield le("average of a run", average, bound, witness=witness, headline=not noise)
            if not noise:
                # What is missing to the total of all T is the last iterate: the sum is geometric.
                rest = lam**2 * found[200] / (step * lam)
                total = law.exactly("total", eta=step, Delta_0=lam / 2)
                yield eq("sum of all", 200 * average + rest, total, witness={"M": M, "P": P})
    stated = law.exactly("second_moment", **TWO_WORKERS)
    yield eq("step of two workers", law.method.average_square(), stated)


# ---------------------------------------------------------------- any start and any curvatures


@judge.adversarial(instance="any-start", label="average and bound", d=8, M=1, P=1, T=20, blocks=1)
def any_start(law: Law, d: int, M: int, P: int, T: int, **_: Any) -> AdversarialCase:
    """Quadratics in R^8 from any start, blocks of one coordinate: sums of twenty steps, exactly."""
    # In units of 1 / L, the largest curvature, which is 1.
    given = {"L": 1.0, "omega": 1 / 12, "P": P}
    step = float(law.method.length) * law("step_size", **given)
    unit = law("bound", **given, eta=step, sigma_sq=0.0, T=T, Delta_0=1.0)

    def split(inputs: Any) -> tuple[Any, Any]:
        lam = 0.05 + 0.95 / (1 + np.exp(-np.clip(inputs[:, d:], -30, 30)))
        return inputs[:, :d], lam / lam.max(axis=-1, keepdims=True)

    def value(inputs: Any) -> Any:
        x, lam = split(inputs)
        factor = adaptive_factor(step * lam, M, P)
        squares = sum(factor**t for t in range(T)) * x**2
        return (lam**2 * squares).sum(axis=-1) / T

    def bound(inputs: Any) -> Any:
        x, lam = split(inputs)
        return unit * (lam * x**2).sum(axis=-1) / 2

    start = np.concatenate([np.ones(d), np.full(d, 20.0)])
    return AdversarialCase(value, bound, 2 * d, starts=[start], scale_invariant=False, budget=400)


@judge.montecarlo(instance="largest-step", label="average of ten", d=1, M=1, P=4, T=10)
def average_of_ten(law: Law, P: int, T: int, **_: Any) -> MonteCarloCase:
    """Averages of ten squared gradients of x^2 / 2 from 1 at the largest step: nearly all of the bound."""
    given = {"L": 1, "omega": omega(1), "P": P}
    step = law.exactly("step_size", **given)
    stated = law("bound", **given, eta=step, sigma_sq=0, Delta_0=F(1, 2), T=T)
    # No averaged error exceeds half of |x|, so a step leaves at most 1 - h + h / 2 of it.
    reach = float(1 - step / 2)
    largest = sum(reach ** (2 * t) for t in range(T)) / T

    def sample(rng: Any, size: int) -> Any:
        return law.method.sample(step, P, T, rng, size // COPIES)[:, :-1].mean(axis=1).ravel()

    return MonteCarloCase("le", sample, stated, upper=largest, resolution=0.01)


# ---------------------------------------------------------------- runs


def bounds(law: Law, problem: Any, start: Any, rounds: int, noise: float) -> Any:
    """Return the bound for T = 1..rounds at the largest step, for noise of this variance per coordinate."""
    given = constants(problem)
    eta, gap = law("step_size", **given), initial_gap(problem, start)
    values = {**given, "eta": eta, "Delta_0": gap, "sigma_sq": problem.d * noise}
    return np.array([law("bound", **values, T=T) for T in range(1, rounds + 1)])


def _along_runs(law: Law, make: Any, start: Any, rounds: int, noise: float) -> TrajectoryCase:
    """Averages of |grad f|^2 along runs at the largest step, for every T."""
    settled = functools.cache(make)

    def first() -> Any:
        return np.zeros(settled().d) if start is None else start

    def rows(rng: Any, replicates: int) -> Any:
        step = law("step_size", **constants(settled()))
        return averages(settled(), first(), rounds, law.noise * noise, step, rng, replicates)

    return TrajectoryCase(lambda: bounds(law, settled(), first(), rounds, noise), rows, replicates=32)


def _on_data(name: str) -> Any:
    return functools.partial(same_on_all, name, WORKERS, 0.1, "nonconvex")


# Near the minimum the noise is most of the average, so that a bound without it fails.
for _name, _make, _start, _rounds, _noise in (
    ("nonconvex", functools.partial(saturating, WORKERS), START, 100, NOISE),
    ("near-the-minimum", functools.partial(saturating, WORKERS), NEAR, 200, NOISE),
    ("breast-cancer", _on_data("breast-cancer"), None, 300, 0.001),
    ("mushrooms", _on_data("mushrooms"), None, 300, 0.001),
):
    judge.trajectory(
        instance=_name,
        label="averages of the squared gradient",
        profile="quick" if _start else "full",
        needs="mushrooms" if _name == "mushrooms" else "",
        parameters={"problem": _name, "rounds": _rounds, "M": LEVELS, "P": WORKERS, "noise_variance": _noise},
        make=_make,
        start=_start,
        rounds=_rounds,
        noise=_noise,
    )(_along_runs)
