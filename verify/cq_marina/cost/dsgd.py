"""Checks of `cq_marina/dsgd`: exact rounds with shifted clients, exact long runs, sampled rounds and runs."""

from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.optimizers import dcgd, marina
from impl.problems import Quadratic
from impl.problems.hessian_variance import smoothness_constants
from verify.authoring import Law, checks_of, eq, le
from verify.comparison import LONG_RUN, ORACLE, Comparison
from verify.cq_marina.fixtures.averages import running_averages
from verify.cq_marina.fixtures.second_moments import QuadraticRun, one_bit_noise
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase

INDEPENDENT, CORRELATED = IndependentQuantizer("binary"), CorrelatedQuantizer("binary")
CLIENTS, DIMENSION = 4, 8
_SHAPE: dict[str, Any] = {"n": CLIENTS, "d": DIMENSION, "L": 1}

judge = checks_of(
    "cq_marina/dsgd", correlated=CORRELATED, method="marina", order=1, curvatures=np.ones(CLIENTS)
)


judge.sabotage(
    "forgotten-mean at exact/one-round, exact/small-step, montecarlo/one-round: omega = d - 1, without the "
    "1/n of the mean: the floor is 4.656 times too large.",
    relative_variance=lambda formula: formula * CLIENTS,
)
judge.sabotage(
    "forgotten-shifts: As if all clients had the same gradient: the recursion then converges to 0. "
    "| recursion = recursion(S_sq = 0), value = value(S_sq = 0), floor = floor(S_sq = 0)",
    at=("exact/one-round", "exact/small-step", "montecarlo/one-round"),
)
judge.sabotage(
    "half-the-noise at exact/largest-step: Half the noise in the bound: the floor at the largest step "
    "exceeds it. | bound = bound(sigma_sq = sigma_sq / 2)",
    "double-step at exact/largest-step: Twice the largest step: nothing contracts. "
    "| step_size = 2 * step_size",
    "dcgd-for-marina at exact/marina, run/large-shifts: Compressed gradients where the claim says MARINA: "
    "the floor stays. | method = 'dcgd'",
    "permuted-clients, neutral at exact/one-round: Number the clients differently: nothing may change. "
    "| order = -1",
    "different-curvatures at exact/marina: Clients with curvatures of their own: then the differences "
    "differ.",
    lambda law: law.replace(curvatures=np.linspace(1, 2, CLIENTS)),
    "jump-at-the-solution at exact/correlated: An error that is twice as large away from the solution.",
    lambda law: law.replace(correlated=_Jump()),
)


class _Jump:
    def variance(self, inputs: Any) -> Any:
        return CORRELATED.variance(inputs) * (1 + (np.abs(inputs.mean(axis=0)).max() > 1e-9))


# ---------------------------------------------------------------- exact rounds and runs


@judge.exact(direction=(2, 3, 6), shifts=(1, -1, 2, -2), gamma=F(1, 4))
def one_round(law: Law, direction: Any, shifts: Any, gamma: F) -> Iterable[Comparison]:
    """One round in rationals, at states along the shifts, where all norms are rational."""
    n, d = len(shifts), len(direction)
    length = sum(item**2 for item in direction)
    S_sq = F(sum(item**2 for item in shifts), n) * length
    omega = law.exactly("relative_variance", n=n, d=d)
    for place in (F(0), F(1, 2), F(-3)):
        gradients = [[(place + shift) * item for item in direction] for shift in shifts[:: law.order]]
        after = (1 - gamma) ** 2 * place**2 * length + gamma**2 * INDEPENDENT.variance(gradients)
        values = {"gamma": gamma, "L": 1, "omega": omega, "S_sq": S_sq, "distance": place**2 * length}
        yield eq(
            "one round", after, law.exactly("recursion", **values), witness={"place": place}, headline=True
        )


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


def _omega(law: Law) -> float:
    return law("relative_variance", n=CLIENTS, d=DIMENSION)


@judge.exact(parameters={**_SHAPE, "gamma": 0.05, "rounds": 200, "S_sq": 1})
def small_step(law: Law) -> Iterable[Comparison]:
    """Closed form of the recursion and its floor, at the step of the golden numbers."""
    gamma, rounds = 0.05, 200
    found = second_moments(gamma, 500)
    values = {"gamma": gamma, "L": 1, "omega": _omega(law), "S_sq": 1}
    for k in (1, 2, 5, 20, 100, rounds):
        stated = law("value", **values, v=8, k=k)
        yield eq("second moment", float(found[k]), stated, LONG_RUN, witness={"k": k}, headline=True)
    yield eq("floor", float(found[-1]), law("floor", **values), LONG_RUN)


@judge.exact(parameters={**_SHAPE, "rounds": 2000, "S_sq": 1})
def largest_step(law: Law) -> Iterable[Comparison]:
    """Averages of E|grad f|^2 at the largest step, where the floor meets the noise term of the bound."""
    rounds, omega = 2000, _omega(law)
    gamma = law("step_size", L=1, A=omega)
    averages = running_averages(second_moments(gamma, rounds)[None])[0]
    for T in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, rounds):
        stated = law("bound", gamma=gamma, L=1, sigma_sq=omega, Delta_0=4, T=T)
        yield le("average", float(averages[T - 1]), stated, LONG_RUN, witness={"T": T}, headline=True)


@judge.exact(instance="marina", parameters={**_SHAPE, "p": 0.1, "rounds": 1000, "S_sq": 1})
def long_run_of_marina(law: Law) -> Iterable[Comparison]:
    """MARINA on the same problem stays below its bound, and falls far below the floor of DCGD."""
    problem, p, rounds, omega = shifted_problem(), 0.1, int(law("many")), _omega(law)
    curved = Quadratic(law.curvatures[:, None] * problem.matrices, problem.linear)
    yield eq("Hessian variance", smoothness_constants(curved).L_pm, 0.0, ORACLE)
    gamma = 1 / law("marina_rounds", Delta_0=0.5, L=1, p=p, omega=omega, epsilon=1)
    if law.method == "marina":
        run = QuadraticRun(problem.matrices, problem.linear, np.ones(DIMENSION), gamma, p, one_bit_noise)
        found = run.trace(rounds).gradient_norm_sq
    else:
        found = second_moments(gamma, rounds)
    averages = running_averages(found[None])[0]
    for T in (1, 10, 100, 200, 500, rounds):
        stated = law("marina_bound", Delta_0=4, gamma=gamma, T=T)
        yield le("average of MARINA", float(averages[T - 1]), stated, LONG_RUN, witness={"T": T})
    part = law("part") * law("floor", gamma=gamma, L=1, omega=omega, S_sq=1)
    yield le("below the floor of DCGD", float(found[-1]), part, LONG_RUN)


@judge.exact(parameters={**_SHAPE, "S_sq": 1})
def correlated(law: Law) -> Iterable[Comparison]:
    """The error of the correlated quantizer at points near the solution, from 1/10 to 1/1024 away."""
    problem = shifted_problem()
    settled = float(law.correlated.variance(problem.gradients(np.zeros(DIMENSION))))
    directions = [*np.eye(DIMENSION), np.full(DIMENSION, DIMENSION**-0.5), *-np.eye(DIMENSION)]
    for distance in (0.1, 2.0**-5, 2.0**-10):
        for x in directions:
            found = float(law.correlated.variance(problem.gradients(distance * x)))
            away = abs(found - settled)
            yield le(
                "error near the solution", away, distance * settled, ORACLE, witness={"distance": distance}
            )


# ---------------------------------------------------------------- sampled rounds and runs


@judge.montecarlo(
    instance="one-round",
    label="one round",
    parameters={"n": CLIENTS, "d": DIMENSION, "gamma": 0.25, "x": "halves"},
)
def sampled_round(law: Law) -> MonteCarloCase:
    """One sampled round of DCGD against the stated recursion."""
    gamma, start, problem = 0.25, np.full(DIMENSION, 0.5), shifted_problem()
    length = float(start @ start)
    stated = law("recursion", gamma=gamma, L=1, S_sq=1, distance=length, omega=_omega(law))
    # Decoded entries are plus or minus the norm of the client's gradient.
    norms = np.linalg.norm(problem.gradients(start), axis=-1)
    upper = (length**0.5 + gamma * DIMENSION**0.5 * float(norms.mean())) ** 2

    def sample(rng: Any, size: int) -> Any:
        result = dcgd(problem, INDEPENDENT, step_size=gamma, rounds=1, rng=rng, replicates=size, start=start)
        return (result.x**2).sum(axis=-1)

    return MonteCarloCase("eq", sample, stated, upper=upper, resolution=0.02)


@judge.trajectory(
    label="averages of the squared gradient",
    parameters={"n": CLIENTS, "d": DIMENSION, "p": 0.1, "S": 10.0, "rounds": 60, "compressor": "CQ"},
)
def large_shifts(law: Law) -> TrajectoryCase:
    """MARINA with the correlated quantizer on clients with large shifts, against its bound at every T."""
    p, rounds, problem, rate = 0.1, 60, shifted_problem(10.0), law.of("cq_marina/marina-rate")
    chi = law.of("cq_marina/marina-cq-rate")("X", n=CLIENTS, d=DIMENSION, L_plus=1, L_pm=0)
    step = rate("step_size", L_minus=1, X=chi, p=p)

    def rows(rng: Any, replicates: int) -> Any:
        common: dict[str, Any] = {"step_size": step, "rounds": rounds, "rng": rng, "replicates": replicates}
        common["start"] = np.ones(DIMENSION)
        if law.method == "marina":
            result = marina(problem, CORRELATED, probability=p, **common)
        else:
            result = dcgd(problem, CORRELATED, **common)
        return running_averages(result.gradient_norm_sq)

    def bounds() -> Any:
        return [law("marina_bound", Delta_0=DIMENSION / 2, gamma=step, T=T) for T in range(1, rounds + 1)]

    return TrajectoryCase(bounds, rows)
