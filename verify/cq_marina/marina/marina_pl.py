"""Checks of `cq_marina/marina-pl`: exact runs on quadratics, exact rounds of a nonconvex objective."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from impl.compressors import IndependentQuantizer, PermK
from impl.problems import Quadratic
from impl.problems.hessian_variance import SmoothnessConstants
from verify.authoring import checks_of, le
from verify.authoring.law import Law
from verify.comparison import ROUNDS, Comparison
from verify.cq_marina.fixtures.marina.marina_settings import (
    Setting,
    finite,
    golden_tridiagonal,
    identity,
    one_bit,
    perm_k,
    perm_quantized,
    rand_k,
    rank_one,
    stated_step,
)
from verify.cq_marina.marina.expected_round import expected_round
from verify.cq_marina.marina.waves import PL_CONSTANT, SMOOTHNESS, Waves


def _unchanged(setting: Setting) -> Setting:
    return setting


judge = checks_of("cq_marina/marina-pl", change=_unchanged)


judge.sabotage(
    "double-rate at exact/one-client: (1 - 2 gamma mu)^T: one client with one-bit quantizers: 1.56 times "
    "the bound at T = 20. | bound = bound(mu = mu * 2)",
    "step-of-the-sublinear-rate at exact/one-client: The step of the sublinear rate, without the 2 and "
    "without p/(2 mu): 691 times the bound at T = 100.",
    {"change": lambda setting: replace(setting, step=stated_step)},
    "no-first-error at exact/wrong-first-estimate: The bound without E_0 for a run with g^0 = 0. "
    "| bound = bound(E_0 = 0)",
    "double-step at exact/nonconvex-*: Twice the step: the potential of a nonconvex objective rises. "
    "| step_size = 2 * step_size",
    "permuted-clients, neutral at exact/tridiagonal-*: Number the clients differently: nothing may change.",
    {"change": Setting.permuted},
)


def convexity(problem: Quadratic) -> float:
    """Return the PL constant of a quadratic: the smallest eigenvalue of the mean matrix."""
    mean = problem.matrices.mean(axis=0)
    return float(mean.min() if mean.ndim == 1 else np.linalg.eigvalsh(mean)[0])


def with_pl_step(setting: Setting, law: Callable[..., float]) -> Setting:
    """Return the setting with the step size of a law of this claim."""
    mu = convexity(setting.problem)

    def rule(constants: SmoothnessConstants, chi: float, p: float) -> float:
        return law("step_size", L_minus=constants.L_minus, X=chi, p=p, mu=mu)

    return replace(setting, step=rule)


def bounds(setting: Setting, law: Callable[..., float]) -> list[float]:
    """Return the bounds on E f - f* after 0..K rounds at the step taken."""
    values: dict[str, Any] = {"gamma": setting.step_size, "p": setting.probability}
    values |= {"Delta_0": float(setting.trace.gap[0]), "E_0": float(setting.trace.error[0])}
    values |= {"mu": convexity(setting.problem)}
    return [law("bound", T=T, **values) for T in range(setting.rounds + 1)]


def one_client() -> Setting:
    """Return one client with a one-bit quantizer: wrong rate and wrong step show here."""
    return identity(1, 8, 0.1, 100)


def wrong_start() -> Setting:
    """Return identical clients with PermK and g^0 = 0: only E_0 pays for the rounds until the first coin."""
    return replace(identity(4, 8, 0.1, 100, perm_k(4, 8)), initial=np.zeros(8))


SETTINGS: dict[str, Callable[[], Setting]] = {
    "one-client": one_client,
    "identity-n4": partial(identity, 4, 8, 0.1, 200),
    "rank-one": partial(rank_one, 4, 0.05, 200),
    "tridiagonal-rand-k": lambda: golden_tridiagonal(2, 6, rand_k(2, 6, 2), "RandK", 600),
    "tridiagonal-perm-k": lambda: golden_tridiagonal(2, 6, perm_k(2, 6), "PermK", 600),
    "tridiagonal-one-bit": lambda: golden_tridiagonal(2, 6, one_bit(2, 6), "one bit", 600),
    "tridiagonal-many-clients": lambda: golden_tridiagonal(6, 3, perm_k(6, 3), "PermK", 600),
    "tridiagonal-groups": lambda: golden_tridiagonal(4, 8, perm_quantized(4, 8, 2), "PermK with bits", 600),
    "wrong-first-estimate": wrong_start,
}


@judge.exact(instances={name: {"setting": name} for name in SETTINGS})
def expectations(law: Law, setting: str) -> Iterable[Comparison]:
    """Gap and potential after each round against the bound, the potential against the one before."""
    chosen = law.change(with_pl_step(SETTINGS[setting](), law))
    trace, mu = chosen.trace, convexity(chosen.problem)
    with np.errstate(over="ignore"):  # `finite` names the round where a sabotage overflows
        potential = trace.gap + law("weight", gamma=chosen.step_size, p=chosen.probability) * trace.error
    for k, bound in enumerate(bounds(chosen, law)):
        witness = {"T": k, "gamma": chosen.step_size}
        yield le("gap", finite(float(trace.gap[k])), bound, ROUNDS, witness=witness, headline=k > 0)
        yield le("potential", finite(float(potential[k])), bound, ROUNDS, witness=witness)
    for k in range(chosen.rounds):
        after, before = finite(float(potential[k + 1])), finite(float(potential[k]))
        yield le("potential against before", after, (1 - chosen.step_size * mu) * before, ROUNDS)


SLOPES = np.diag((3.0, -1.0, 2.0, 4.0))


@judge.exact(
    instances={
        "nonconvex-one-bit": {"compressor": IndependentQuantizer("binary"), "A": 3 / 4, "B": 0},
        "nonconvex-perm-k": {"compressor": PermK(), "A": 1, "B": 1},
    },
    parameters={"f_i": "sum of x_j^2 + 3 sin(x_j)^2, and a slope", "n": 4, "d": 4, "p": 1 / 4},
)
def nonconvex(law: Law, compressor: Any, A: float, B: float) -> Iterable[Comparison]:
    """One round from states where the objective is convex and where it is not, g with and without error."""
    problem, p = Waves(SLOPES), 1 / 4
    chi = law("X", A=A, B=B, L_plus=SMOOTHNESS, L_pm=0)
    gamma = law("step_size", L_minus=SMOOTHNESS, X=chi, p=p, mu=PL_CONSTANT)
    x = np.array([[a, b, a - b, 1.2] for a in (-2.5, 0.4, 1.4) for b in (0.1, 1.8, 4.0)])
    x = np.concatenate([x, np.full((1, 4), 1 / 64)])
    for error in (0.0, 0.5, -4.0):
        g = problem.gradient(x) + error * np.array([1.0, -1.0, 2.0, 0.5])
        found = expected_round(problem, compressor, x, g, step_size=gamma, probability=p)
        before, after = found.potentials(law("weight", gamma=gamma, p=p))
        for old, new in zip(before, after, strict=True):
            bound = (1 - gamma * PL_CONSTANT) * float(old)
            yield le("potential against before", float(new), bound, ROUNDS, witness={"gamma": gamma})
