"""Checks of `cq_marina/marina-biased`: tight rounds in rationals, whole runs by exact moments, real runs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
from sympy import sqrt

from impl.compressors import CorrelatedQuantizer, Independent, RandK, Scaled, TopK
from impl.optimizers import MarinaEstimator, marina
from impl.problems import Problem, Quadratic, smoothness_constants, tridiagonal
from theory.cq_marina.marina.biased import X_b, X_v, s
from theory.cq_marina.marina.round import p
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import LONG_RUN, ROUND_OFF, Comparison
from verify.cq_marina.fixtures.averages import running_averages
from verify.cq_marina.fixtures.second_moments import MomentTrace, QuadraticRun, one_bit_noise, rand_k_noise
from verify.cq_marina.marina.expected_round import expected_round, visited
from verify.cq_marina.marina.sabotaged_marina import RareFullGradient
from verify.rungs.run import REPLICATES, TrajectoryCase

judge = checks_of("cq_marina/marina-biased", estimator=MarinaEstimator, stretch=1)
_WHOLE = ("exact/nothing-sent-p-*", "exact/half-of-rand-k-run", "exact/different-clients")
_UNBIASED = sqrt((1 - p) / p * (X_v + X_b))


judge.sabotage(
    "unbiased-step at exact/nothing-sent-p-*, exact/half-of-rand-k-run, run/half-of-rand-k, "
    "exact/nothing-sent-*-of-*, exact/half-of-rand-k: The step of unbiased compressors: runs diverge, 4.449 "
    "against the bound 0.1 for C_i = 0, p = 0.1.",
    {"root_kappa": _UNBIASED},
    "split-outside-range at exact/nothing-sent-*-of-*, exact/half-of-rand-k: s > p / (1 - p): kappa and the "
    "weight of the error are negative there. | s_star = 2 * p / (1 - p)",
    "dropped-cross-term at exact/nothing-sent-*-of-*, exact/half-of-rand-k: |e + b|^2 <= |e|^2 + |b|^2, "
    "without the cross term of a biased error. | noise = (1 - p) * (error_now + (X_v + X_b) * R)",
    "half-the-bias at exact/nothing-sent-*-of-*, exact/half-of-rand-k: X_b / 2 for X_b in the step: no "
    "upper bound on the bias any more. | root_kappa = root_kappa(X_b = X_b / 2)",
)


@judge.mutant(
    "The step for another s of the range, half of p / (1 - p): smaller and valid as well.",
    at=_WHOLE,
    neutral=True,
)
def other_split(law: Law) -> Law:
    half = p / (1 - p) / 2
    return law.replace(root_kappa=lambda _: sqrt(law.formulas["kappa"].subs(s, half)), s_star=half)


judge.sabotage(
    "long-step at exact/unbiased-step: Part (l) with the step of biased compressors.",
    lambda law: law.replace(root_kappa_unbiased=law.formulas["root_kappa"].subs(X_v, 0).subs(X_b, X_v)),
    "rare-full-gradient at run/half-of-cq: Full gradients with a quarter of the probability.",
    {"estimator": RareFullGradient},
    "heavy-error at run/half-of-cq-drift: The error weighs ten times as much. | weight = 10 * weight",
    "long-top-k at run/top-k, run/top-k-drift: Twenty times the step, far beyond 2 / L_-. | stretch = 20",
    "optimistic-contraction at run/top-k-drift: TopK keeps more than it does. "
    "| contractive_A = contractive_A**4",
)


# ---------------------------------------------------------------- rounds at which every bound is attained


def _square(vector: Sequence[Any]) -> Any:
    return sum(item**2 for item in vector)


def _plus(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    return [a + b for a, b in zip(first, second, strict=True)]


@judge.exact(
    instances={
        "nothing-sent-3-of-4": {"p": F(3, 4), "sigma": F(0), "k": 1, "g": (2,)},
        "nothing-sent-9-of-25": {"p": F(9, 25), "sigma": F(0), "k": 1, "g": (1,)},
        "half-of-rand-k": {"p": F(4, 13), "sigma": F(1, 2), "k": 2, "g": (3, -1, 2, 0, 1, 5, -2, 4)},
    }
)
def tight_round(law: Law, p: F, sigma: F, k: int, g: Sequence[int]) -> Iterable[Comparison]:
    """Scaled RandK on f = |x|^2 / 2 with numbers that make the roots rational; Young is an equation."""
    X_v = law.exactly("scaled_variance", sigma=sigma, omega=F(len(g), k) - 1, n=1, L_plus=1)
    X_b = law.exactly("scaled_bias", sigma=sigma, L_minus=1)
    constants = {"p": p, "X_v": X_v, "X_b": X_b}
    root, s = law.exactly("root_kappa", **constants), law.exactly("s_star", **constants)
    gamma = 1 / (1 + root)
    a = [-gamma * item for item in g]
    bias = [(sigma - 1) * item for item in a]
    e = [item / s for item in bias]
    # RandK is homogeneous: its exact variance at rational g gives that at a.
    error = gamma**2 * Scaled(RandK(k), sigma).variance([[F(item) for item in g]])
    error_next = (1 - p) * (_square(_plus(e, bias)) + error - _square(bias))
    allowed = law.exactly("noise", **constants, s=s, error_now=_square(e), R=_square(a))
    yield le("noise of a round", error_next, allowed)
    weight = law.exactly("weight", gamma=gamma, p=p, s=s)
    x = _plus(g, [-item for item in e])
    before = _square(x) / 2 + weight * _square(e) - gamma / 2 * _square(x)
    after = _square(_plus(x, a)) / 2 + weight * error_next
    yield le("potential after a round", after, before, headline=True)
    for j in range(1, 20):
        kappa = law.exactly("kappa", **constants, s=F(j, 20) * p / (1 - p))
        yield le("least kappa", root**2, kappa)
    yield eq("kappa at the best split", law.exactly("kappa", **constants, s=s), root**2)


# ---------------------------------------------------------------- whole runs by exact second moments


def identity(d: int) -> Quadratic:
    """Return f(x) = |x|^2 / 2 for one client."""
    return Quadratic(np.ones((1, d)))


def nothing(Y: Any, Z: Any, n: int) -> Any:
    """Return the covariance of a compressor that sends nothing."""
    return 0 * Y


@dataclass(frozen=True)
class WholeRun:
    """A run whose second moments are known exactly: sigma times an independent unbiased compressor.

    Args:
        problem: Builds the problem.
        start: x^0.
        sigma: Scale.
        omega: Variance constant of the unbiased compressor.
        noise: Its covariance, as in `second_moments`.
    """

    problem: Callable[[], Quadratic]
    start: tuple[float, ...]
    sigma: float
    omega: float
    noise: Any

    def trace(self, step: float, p: float, rounds: int) -> MomentTrace:
        """Return the expectations along the run."""
        made = self.problem()
        start = np.array(self.start)
        with np.errstate(over="ignore", invalid="ignore"):  # a mutant may diverge
            run = QuadraticRun(made.matrices, made.linear, start, step, p, self.noise, self.sigma)
            return run.trace(rounds)


SILENT = WholeRun(partial(identity, 1), (1.0,), 0.0, 0.0, nothing)
HALVED = WholeRun(partial(identity, 8), (1.0,) * 8, 0.5, 3.0, rand_k_noise(2))
DIFFERENT = WholeRun(
    lambda: tridiagonal(2, 6, heterogeneity=0.5, mu=0.01, offset=0.3),
    (6**0.5, 0.0, 0.0, 0.0, 0.0, 0.0),
    0.5,
    5.0,
    one_bit_noise,
)
RUNS = {
    "nothing-sent-p-0.5": (SILENT, 0.5, 200),
    "nothing-sent-p-0.1": (SILENT, 0.1, 200),
    "half-of-rand-k-run": (HALVED, 0.05, 400),
    "different-clients": (DIFFERENT, 0.25, 200),
}


@judge.exact(instances={name: {"name": name, "p": p, "rounds": K} for name, (_, p, K) in RUNS.items()})
def whole_run(law: Law, name: str, p: float, rounds: int) -> Iterable[Comparison]:
    """The average of E|grad f|^2 at every T, and the potential in every round."""
    chosen = RUNS[name][0]
    problem = chosen.problem()
    found = smoothness_constants(problem)
    X_v = law("scaled_variance", sigma=chosen.sigma, omega=chosen.omega, n=problem.n, L_plus=found.L_plus)
    constants = {"p": p, "X_v": X_v, "X_b": law("scaled_bias", sigma=chosen.sigma, L_minus=found.L_minus)}
    step, s = 1 / (found.L_minus + law("root_kappa", **constants)), law("s_star", **constants)
    trace = chosen.trace(step, p, rounds)
    start = {"gamma": step, "Delta_0": float(trace.gap[0]), "E_0": 0.0, "p": p, "s": s}
    for T in range(1, rounds + 1):
        yield le("average", trace.average(T), law("bound", **start, T=T), LONG_RUN, headline=True)
    with np.errstate(over="ignore", invalid="ignore"):  # runs of mutants diverge
        potential = trace.gap + law("weight", gamma=step, p=p, s=s) * trace.error
        before = potential - step / 2 * trace.gradient_norm_sq
    for k in range(rounds):
        yield le("potential of a run", float(potential[k + 1]), float(before[k]), LONG_RUN)


@judge.exact(instance="unbiased-step", p=0.1, rounds=40)
def unbiased(law: Law, p: float, rounds: int) -> Iterable[Comparison]:
    """Nothing sent, with the step of unbiased compressors for the same mean square."""
    step = 1 / (1 + law("root_kappa_unbiased", p=p, X_v=1.0))
    average = SILENT.trace(step, p, rounds).average(rounds)
    bound = law("bound", gamma=step, T=rounds, Delta_0=0.5, E_0=0.0, p=p, s=p / 2)
    yield le("too long a step", law("broken") * bound, average, ROUND_OFF)


# ---------------------------------------------------------------- real runs


def _half_of_cq(law: Law, n: int, d: int, p: float, sigma: float) -> tuple[Problem, Any, float, float]:
    """Return equal Hessians with the correlated quantizer scaled, its step and its split."""
    full = law.of("cq_marina/marina-cq-rate")("X", n=n, d=d, L_plus=1.0, L_pm=0.0)
    constants = {"p": p, "X_v": sigma**2 * full, "X_b": law("scaled_bias", sigma=sigma, L_minus=1.0)}
    step = 1 / (1 + law("root_kappa", **constants))
    compressor = Scaled(CorrelatedQuantizer("binary"), sigma)
    return Quadratic(np.ones((n, d))), compressor, step, law("s_star", **constants)


def _top_k(law: Law, n: int, d: int, k: int, p: float) -> tuple[Quadratic, Any, float, float]:
    """Return different clients with their Lipschitz constants, step and split for TopK."""
    problem = tridiagonal(n, d, heterogeneity=0.8, mu=0.01, offset=0.3)
    own = np.abs(np.linalg.eigvalsh(problem.matrices)).max(axis=-1)
    X = law("contractive_X", alpha=k / d, L=own.tolist(), n=n)
    step = law.stretch / (smoothness_constants(problem).L_minus + law("root_kappa_any", p=p, X=X))
    return problem, own, step, (1 - p) ** -0.5 - 1


def _states(law: Law, problem: Problem, compressor: Any, step: float, p: float, rng: Any) -> Any:
    result = marina(
        problem,
        compressor,
        step_size=step,
        probability=p,
        rounds=60,
        rng=rng,
        replicates=4,
        start=_first(problem.d),
        trace=True,
        estimator=law.estimator,
    )
    if result.iterates is None:
        raise ValueError("the run was asked for a trace")
    return visited(result.iterates, step)


def _first(d: int) -> Any:
    return np.eye(d)[0] * d**0.5


@judge.drift(n=4, d=8, p=0.1, sigma=0.5)
def half_of_cq_drift(law: Law, rng: Any, n: int, d: int, p: float, sigma: float) -> Iterable[Comparison]:
    """The potential in expectation at states of real runs with the correlated quantizer."""
    problem, compressor, step, s = _half_of_cq(law, n, d, p, sigma)
    x, g = _states(law, problem, compressor, step, p, rng)
    found = expected_round(problem, compressor, x, g, step_size=step, probability=p, scale=sigma)
    before, after = found.potentials(law("weight", gamma=step, p=p, s=s))
    for first, second in zip(before - step / 2 * found.gradient_norm_sq, after, strict=True):
        yield le("potential at a visited state", float(second), float(first), LONG_RUN)


@judge.drift(n=5, d=6, k=2, p=0.25)
def top_k_drift(law: Law, rng: Any, n: int, d: int, k: int, p: float) -> Iterable[Comparison]:
    """TopK sends the same for the same input, so its error is known state by state."""
    problem, own, step, s = _top_k(law, n, d, k, p)
    x, g = _states(law, problem, Independent(TopK(k)), step, p, rng)
    x_next = x - step * g
    old, new = problem.gradients(x), problem.gradients(x_next)
    difference = new - old
    sent = TopK(k).compress(difference, TopK(k).draw(rng, difference.shape))
    squares = (difference**2).sum(axis=-1)
    xi = (sent - difference).mean(axis=-2)
    weight, kept = law("weight", gamma=step, p=p, s=s), law("contractive_A", alpha=k / d)
    least = problem.objective(problem.solution)
    error = g - old.mean(axis=-2)
    for index in range(len(x)):
        for w in (own / own.sum(), np.full(n, 1 / n)):
            allowed = kept * float((squares[index] / (n**2 * w)).sum())
            yield le("error of TopK", float(_square(xi[index])), allowed, ROUND_OFF)
        error_next = (1 - p) * float(_square(error[index] + xi[index]))
        before = problem.objective(x[index]) - least + weight * float(_square(error[index]))
        before -= step / 2 * float(_square(old[index].mean(axis=0)))
        after = problem.objective(x_next[index]) - least + weight * error_next
        yield le("potential, TopK", float(after), float(before), LONG_RUN, headline=True)


def _averages(
    law: Law,
    problem: Any,
    compressor: Any,
    step: float,
    p: float,
    s: float,
    start: Any,
    rounds: int,
    runs: int = REPLICATES,
) -> TrajectoryCase:
    """Return averages of |grad f|^2 over replicates against the bound, at T = 10, 20, ..."""

    def rows(rng: Any, replicates: int) -> Any:
        result = marina(
            problem,
            compressor,
            step_size=step,
            probability=p,
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            start=start,
            estimator=law.estimator,
        )
        return running_averages(result.gradient_norm_sq)[:, 9::10]

    def bounds() -> Any:
        gap = float(problem.objective(start) - problem.objective(problem.solution))
        values = {"Delta_0": gap, "E_0": 0.0, "gamma": step, "p": p, "s": s}
        return [law("bound", **values, T=T) for T in range(10, rounds + 1, 10)]

    return TrajectoryCase(bounds, rows, replicates=runs)


@judge.trajectory(label="averages with half of RandK", n=1, d=8, k=2, p=0.05, sigma=0.5, rounds=100)
def half_of_rand_k(law: Law, n: int, d: int, k: int, p: float, sigma: float, rounds: int) -> TrajectoryCase:
    """One client with half of RandK."""
    constants = {"p": p, "X_b": law("scaled_bias", sigma=sigma, L_minus=1.0)}
    constants["X_v"] = law("scaled_variance", sigma=sigma, omega=d / k - 1, n=n, L_plus=1.0)
    step = 1 / (1 + law("root_kappa", **constants))
    s = law("s_star", **constants)
    return _averages(law, identity(d), Scaled(RandK(k), sigma), step, p, s, np.ones(d), rounds)


@judge.trajectory(label="averages with correlated bits", n=4, d=8, p=0.1, sigma=0.5, rounds=100)
def half_of_cq(law: Law, n: int, d: int, p: float, sigma: float, rounds: int) -> TrajectoryCase:
    """Clients with equal Hessians and half of the correlated quantizer."""
    problem, compressor, step, s = _half_of_cq(law, n, d, p, sigma)
    # Mutants have twice as many runs: with 64 one of them is not refuted.
    return _averages(law, problem, compressor, step, p, s, np.ones(d), rounds, runs=256)


@judge.trajectory(label="averages with TopK", n=5, d=6, k=2, p=0.25, rounds=100)
def top_k(law: Law, n: int, d: int, k: int, p: float, rounds: int) -> TrajectoryCase:
    """Different clients with TopK."""
    problem, _, step, s = _top_k(law, n, d, k, p)
    return _averages(law, problem, TopK(k), step, p, s, _first(d), rounds)
