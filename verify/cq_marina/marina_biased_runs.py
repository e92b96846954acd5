"""Real runs of `cq_marina/marina-biased`: the potential at visited states, averages over replicates."""

from collections.abc import Iterable
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, Independent, JointCompressor, RandK, Scaled, TopK
from impl.optimizers import marina
from impl.problems import Problem, Quadratic, smoothness_constants, tridiagonal
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, Tolerance
from verify.cq_marina.expected_round import expected_round, visited
from verify.cq_marina.marina_biased_rules import FAULTS, STATED, Rule, stated
from verify.evaluation import evaluate
from verify.rungs.run import DriftCase, TrajectoryCase

MOMENTS = Tolerance(1e-9, "sums of up to 400 rounds of float64 matrix products of condition below 1e3")


def run_checks() -> Iterable[Check]:
    """Return the checks on the run rung."""
    yield from _visited_states()
    yield _sampled_run()


def identity(d: int) -> Quadratic:
    """Return f(x) = |x|^2 / 2 for one client."""
    return Quadratic(np.ones((1, d)))


# ---------------------------------------------------------------- states that runs visit


def _visited_states() -> Iterable[Check]:
    """Correlated and contractive compressors: the potential in expectation at states of real runs."""
    parameters = {"n": 4, "d": 8, "p": 0.1, "sigma": 0.5}
    yield Check("run", "half-of-cq-drift", DriftCase(_correlated_drift), parameters, seconds=0.3)
    parameters = {"n": 5, "d": 6, "K": 2, "p": 0.25, "lambda": 0.8}
    yield Check("run", "top-k-drift", DriftCase(_contractive_drift), parameters, seconds=0.3)


def _correlated_drift(rng: Any) -> Iterable[Comparison]:
    n, d, p, sigma = 4, 8, 0.1, 0.5
    problem = Quadratic(np.ones((n, d)))
    # Equal Hessians: the error of CQ-bin at equal inputs is at most d / n^2 times their square.
    X_v, X_b = sigma**2 * d / n**2, (1 - sigma) ** 2
    compressor = Scaled(CorrelatedQuantizer("binary"), sigma)
    step = 1 / (1 + stated("root_kappa", p=p, X_v=X_v, X_b=X_b))
    x, g = _states(problem, compressor, step, p, rng)
    found = expected_round(problem, compressor, x, g, step_size=step, probability=p, scale=sigma)
    s = stated("s_star", p=p, X_v=X_v, X_b=X_b)
    yield from _drift(found, step, stated("weight", gamma=step, p=p, s=s))


def _contractive_drift(rng: Any) -> Iterable[Comparison]:
    """TopK sends the same for the same input, so its error is known state by state."""
    n, d, k, p = 5, 6, 2, 0.25
    problem = tridiagonal(n, d, heterogeneity=0.8, mu=0.01, offset=0.3)
    own = np.abs(np.linalg.eigvalsh(problem.matrices)).max(axis=-1)
    constants = smoothness_constants(problem)
    X = stated("contractive_X", alpha=k / d, L=own.tolist(), n=n)
    step = 1 / (constants.L_minus + stated("root_kappa_any", p=p, X=X))
    compressor = Independent(TopK(k))
    x, g = _states(problem, compressor, step, p, rng)
    x_next = x - step * g
    old, new = problem.gradients(x), problem.gradients(x_next)
    difference = new - old
    sent = TopK(k).compress(difference, TopK(k).draw(rng, difference.shape))
    squares = (difference**2).sum(axis=-1)
    xi = (sent - difference).mean(axis=-2)
    weights = own / own.sum()
    s = (1 - p) ** -0.5 - 1
    weight = stated("weight", gamma=step, p=p, s=s)
    least = problem.objective(problem.solution)
    error = g - old.mean(axis=-2)
    for index in range(len(x)):
        square = float((xi[index] ** 2).sum())
        for name, w in (("smoothness", weights), ("equal", np.full(n, 1 / n))):
            allowed = stated("contractive_A", alpha=k / d) * float((squares[index] / (n**2 * w)).sum())
            yield Comparison(f"error of TopK, {name} weights", "le", square, allowed, ROUND_OFF)
        error_next = (1 - p) * float(((error[index] + xi[index]) ** 2).sum())
        before = problem.objective(x[index]) - least + weight * float((error[index] ** 2).sum())
        before -= step / 2 * float((old[index].mean(axis=0) ** 2).sum())
        after = problem.objective(x_next[index]) - least + weight * error_next
        yield Comparison("potential, TopK", "le", float(after), float(before), MOMENTS, headline=True)


def _states(problem: Problem, compressor: JointCompressor, step: float, p: float, rng: Any) -> Any:
    start = np.zeros(problem.d) + np.eye(problem.d)[0] * problem.d**0.5
    result = marina(
        problem,
        compressor,
        step_size=step,
        probability=p,
        rounds=60,
        rng=rng,
        replicates=4,
        start=start,
        trace=True,
    )
    if result.iterates is None:
        raise ValueError("the run was asked for a trace")
    return visited(result.iterates, step)


def _drift(found: Any, step: float, weight: float) -> Iterable[Comparison]:
    before, after = found.potentials(weight)
    for first, second in zip(before - step / 2 * found.gradient_norm_sq, after, strict=True):
        yield Comparison("potential at a visited state", "le", float(second), float(first), MOMENTS)


# ---------------------------------------------------------------- sampled runs


def _sampled_run() -> Check:
    """Half of RandK, implemented: averages of |grad f|^2 over replicates against the bound, at many T."""
    d, p, rounds = 8, 0.05, 100

    def step(rule: Rule) -> float:
        return float(1 / (1 + rule.root_kappa(p, 0.75, 0.25)))

    def case(rule: Rule) -> TrajectoryCase:
        def rows(rng: Any, replicates: int) -> Any:
            result = marina(
                identity(d),
                Scaled(RandK(2), 0.5),
                step_size=step(rule),
                probability=p,
                rounds=rounds,
                rng=rng,
                replicates=replicates,
                start=np.ones(d),
            )
            return running_averages(result.gradient_norm_sq)[:, 9::10]

        def bounds() -> Any:
            bound = theory.claim("cq_marina/marina-biased").bound
            # g^0 is the gradient, so the potential starts at d / 2 for every s.
            values = {"Delta_0": d / 2, "E_0": 0, "gamma": step(rule), "p": p, "s": p / 2}
            return [evaluate(bound, {**values, "T": T}) for T in range(10, rounds + 1, 10)]

        return TrajectoryCase(bounds, rows)

    base = Lazy(lambda: case(STATED), tests=1)
    mutants = {"unbiased-step": Lazy(lambda: case(FAULTS["unbiased-step"]), tests=1)}
    parameters = {"n": 1, "d": d, "p": p, "sigma": 0.5, "K": 2, "rounds": rounds}
    return Check("run", "half-of-rand-k", base, parameters, mutants, seconds=1.0)


def running_averages(values: Any) -> Any:
    """Return the averages over the first T = 1..K entries of each row (R, K + 1), without the last entry."""
    kept = np.minimum(np.asarray(values)[:, :-1], 1e290)
    return np.cumsum(kept, axis=1) / np.arange(1, kept.shape[1] + 1)
