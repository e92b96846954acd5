"""Problems, schemes and step sizes at which the claims on MARINA are checked by exact second moments."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from impl.optimizers import MarinaEstimator, marina
from impl.problems import Quadratic, tridiagonal
from impl.problems.hessian_variance import SmoothnessConstants, smoothness_constants
from verify.authoring import le
from verify.authoring.law import formulas_of
from verify.comparison import ROUNDS, Comparison
from verify.cq_marina.second_moments import (
    MomentTrace,
    Noise,
    QuadraticRun,
    one_bit_noise,
    partition_noise,
    perm_k_noise,
    perm_quantized_noise,
    rand_k_noise,
    sampled_rand_k_noise,
)
from verify.evaluation import evaluate
from verify.rungs.run import TrajectoryCase

RECURSION = ROUNDS


@dataclass(frozen=True)
class Scheme:
    """A compression scheme with its AB constants.

    Args:
        noise: its covariance.
        A: constant of the AB inequality.
        B: the other one.
        weights: of the clients, None for equal ones.
    """

    noise: Noise
    A: float
    B: float
    weights: Any = None


def rand_k(n: int, d: int, k: int) -> Scheme:
    """Return independent RandK."""
    return Scheme(rand_k_noise(k), (d / k - 1) / n, 0.0)


def one_bit(n: int, d: int) -> Scheme:
    """Return independent one-bit quantizers."""
    return Scheme(one_bit_noise, (d - 1) / n, 0.0)


def perm_k(n: int, d: int) -> Scheme:
    """Return PermK, one of n, d dividing the other."""
    theta = 1.0 if d >= n else (d - 1) / (n - 1)
    return Scheme(perm_k_noise, theta, theta)


def perm_quantized(n: int, d: int, groups: int) -> Scheme:
    """Return PermK over groups of clients with independent one-bit quantizers inside."""
    q, b = n // groups, d // groups
    theta = (n - q) / (q * (n - 1))
    return Scheme(perm_quantized_noise(groups), (b - 1) / q + theta, theta)


def partition(weights: Any) -> Scheme:
    """Return the weighted partition of the coordinates."""
    return Scheme(partition_noise, 1.0, 1.0, weights)


def sampled_rand_k(weights: Any, d: int, draws: int, k: int) -> Scheme:
    """Return RandK at clients drawn by the weights."""
    return Scheme(sampled_rand_k_noise(draws, k), d / k / draws, 1 / draws, weights)


# From the constants of the problem, calligraphic X and p to the step size; mutants replace it.
StepRule = Callable[[SmoothnessConstants, float, float], float]


def stated_step(constants: SmoothnessConstants, chi: float, p: float) -> float:
    """Return the step size of `cq_marina/marina-rate`."""
    return formula("marina-rate", "step_size", L_minus=constants.L_minus, X=chi, p=p)


def formula(slug: str, name: str, **values: float) -> float:
    """Return a formula of a claim of this paper at the given values."""
    return evaluate(formulas_of(f"cq_marina/{slug}")[name], values)


def rate_law(name: str, **values: float) -> float:
    """Return a formula of `cq_marina/marina-rate` at the given values."""
    return formula("marina-rate", name, **values)


@dataclass(frozen=True)
class Setting:
    """A quadratic problem with a scheme, a coin and a rule for the step size.

    Args:
        name: for reports.
        problem: the problem.
        scheme: noise, AB constants, weights.
        start: x^0, (d,).
        probability: p that the step size is for.
        rounds: how far the recursion goes.
        step: rule for the step size, None for the stated one.
        initial: g^0, None for the exact gradient.
        tossed: probability that the algorithm uses, None for p.
        law: formulas of the rate.
    """

    name: str
    problem: Quadratic
    scheme: Scheme
    start: Any
    probability: float
    rounds: int
    step: StepRule | None = None
    initial: Any = None
    tossed: float | None = None
    law: Callable[..., float] = rate_law

    @cached_property
    def constants(self) -> SmoothnessConstants:
        """Smoothness constants, weighted where the scheme is."""
        return smoothness_constants(self.problem, self.scheme.weights)

    @cached_property
    def chi(self) -> float:
        """Calligraphic X of the claim."""
        found, scheme = self.constants, self.scheme
        return self.law("X", A=scheme.A, B=scheme.B, L_plus=found.L_plus, L_pm=found.L_pm)

    @cached_property
    def step_size(self) -> float:
        """The step size by the rule."""
        if self.step is not None:
            return self.step(self.constants, self.chi, self.probability)
        return self.law("step_size", L_minus=self.constants.L_minus, X=self.chi, p=self.probability)

    @cached_property
    def trace(self) -> MomentTrace:
        """Exact expectations along the run."""
        run = QuadraticRun(
            self.problem.matrices,
            self.problem.linear,
            self.start,
            self.step_size,
            self.probability if self.tossed is None else self.tossed,
            self.scheme.noise,
            initial=self.initial,
            weights=self.scheme.weights,
        )
        with np.errstate(over="ignore", invalid="ignore"):  # a mutant may diverge
            return run.trace(self.rounds)

    def bound(self, rounds: int) -> float:
        """Return the stated bound on the average over `rounds` iterates."""
        trace = self.trace
        return self.law(
            "bound",
            Delta_0=float(trace.gap[0]),
            E_0=float(trace.error[0]),
            gamma=self.step_size,
            p=self.probability,
            T=rounds,
        )

    def permuted(self) -> "Setting":
        """Return the same setting with the clients in another order."""
        order = np.random.default_rng(1).permutation(self.problem.n)
        problem = Quadratic(self.problem.matrices[order], self.problem.linear[order], convex=False)
        weights = self.scheme.weights
        scheme = replace(self.scheme, weights=None if weights is None else np.asarray(weights)[order])
        return replace(self, problem=problem, scheme=scheme)


def finite(value: float) -> float:
    """Return the value, 1e300 for what has overflowed."""
    return value if np.isfinite(value) else 1e300


def along_the_run(setting: Setting) -> Iterable[Comparison]:
    """Hold the average against its bound for every T, and the potential after each round against before."""
    where = {"setting": setting.name, "gamma": setting.step_size, "p": setting.probability}
    for rounds in range(1, setting.rounds + 1):
        value, bound = finite(setting.trace.average(rounds)), setting.bound(rounds)
        yield le("average", value, bound, ROUNDS, witness={**where, "T": rounds}, headline=True)
    trace = setting.trace
    weight = setting.law("weight", gamma=setting.step_size, p=setting.probability)
    potential = trace.gap + weight * trace.error
    fallen = potential - setting.step_size / 2 * trace.gradient_norm_sq
    for k in range(setting.rounds):
        after, before = finite(float(potential[k + 1])), finite(float(fallen[k]))
        yield le("potential after a round", after, before, ROUNDS, witness={**where, "k": k})


def averages(
    setting: Setting, compressor: Any, rng: Any, replicates: int, estimator: type[MarinaEstimator]
) -> Any:
    """Return the averages of |grad f|^2 over T = 1..K iterates in sampled runs, (replicates, K)."""
    result = marina(
        setting.problem,
        compressor,
        step_size=setting.step_size,
        probability=setting.probability,
        rounds=setting.rounds,
        rng=rng,
        replicates=replicates,
        start=setting.start,
        estimator=estimator,
    )
    with np.errstate(over="ignore"):
        sums = np.cumsum(result.gradient_norm_sq[:, :-1], axis=1)
    return sums / np.arange(1, setting.rounds + 1)


def trajectory(
    setting: Setting, compressor: Any, estimator: type[MarinaEstimator] = MarinaEstimator
) -> TrajectoryCase:
    """Return the case that holds sampled averages against the stated bounds at every T."""
    return TrajectoryCase(
        lambda: np.array([setting.bound(rounds) for rounds in range(1, setting.rounds + 1)]),
        lambda rng, replicates: averages(setting, compressor, rng, replicates, estimator),
    )


def identity(n: int, d: int, p: float, rounds: int, scheme: Scheme | None = None) -> Setting:
    """Return n clients with f_i = |x|^2 / 2 and one-bit quantizers, from the ones vector."""
    chosen = one_bit(n, d) if scheme is None else scheme
    return Setting(f"identity n={n} d={d} p={p:g}", Quadratic(np.ones((n, d))), chosen, np.ones(d), p, rounds)


def rank_one(n: int, p: float, rounds: int) -> Setting:
    """Return the family A_i = n e_i e_i^T, d = n, with PermK, from the ones vector."""
    problem = Quadratic(n * np.eye(n))
    return Setting(f"rank one n={n} p={p:g}", problem, perm_k(n, n), np.ones(n), p, rounds)


def golden_tridiagonal(n: int, d: int, scheme: Scheme, name: str, rounds: int) -> Setting:
    """Return the tridiagonal instance of the specification, from sqrt(d) e_1, with p = 1/4."""
    problem = tridiagonal(n, d, heterogeneity=0.5, mu=0.01, offset=0.3)
    start = np.zeros(d)
    start[0] = d**0.5
    return Setting(f"tridiagonal n={n} d={d} {name}", problem, scheme, start, 0.25, rounds)
