"""Checks of `cq_marina/marina-rate`: exact expectations of whole runs, and sampled runs with one fault each.

For quadratics and schemes whose noise is linear in second moments the expectations are exact at every round,
so the bound is held against them for every T, and the potential for every k.
"""

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from impl.compressors import IndependentQuantizer, PermK, RandK
from impl.optimizers import MarinaEstimator, marina
from impl.problems import Logistic, contiguous_split, load_breast_cancer, tridiagonal
from impl.problems.hessian_variance import smoothness_constants
from verify.authoring import checks_of
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.batched_runs import (
    OTHER_RUNS,
    batched_runs,
    default_replicates,
    gradient_stops,
    ran,
    set_aside,
)
from verify.cq_marina.fixtures.marina.default_runs import default_runs
from verify.cq_marina.fixtures.marina.literal_marina import SCHEMES, Rules, compare_iterates
from verify.cq_marina.fixtures.marina.marina_runs import (
    ASIDE,
    CLIENTS,
    RUNS,
    full_gradients,
    runs_inside,
    runs_outside,
)
from verify.cq_marina.fixtures.marina.marina_settings import (
    Setting,
    along_the_run,
    golden_tridiagonal,
    identity,
    one_bit,
    partition,
    perm_k,
    perm_quantized,
    rand_k,
    rank_one,
    sampled_rand_k,
    trajectory,
)
from verify.cq_marina.marina.sabotaged_marina import PrivateCoin, RareFullGradient, StaleDifference
from verify.rungs.run import TrajectoryCase


def _unchanged(setting: Setting) -> Setting:
    return setting


judge = checks_of(
    "cq_marina/marina-rate",
    change=_unchanged,
    estimator=MarinaEstimator,
    rules=Rules(),
    ran=ran,
    taken=taken,
)
_VALID = ("exact/identity-*", "exact/rank-one", "exact/tridiagonal-*", "exact/weighted-partition")
_LITERAL = tuple(f"exact/literal-{name}" for name in SCHEMES)


@judge.mutant(
    "X = d L_+^2 / (4n) for the one-bit quantizer, whose A is (d - 1)/n: 2.106 times the bound at T = 200.",
    at=("exact/identity-n4",),
)
def ternary_constant(law: Law) -> Law:
    def change(setting: Setting) -> Setting:
        A = setting.problem.d / (4 * setting.problem.n)
        wrong = replace(setting, scheme=replace(setting.scheme, A=A))
        return replace(setting, step=lambda *_: wrong.step_size)

    return law.replace(change=change)


judge.sabotage(*OTHER_RUNS, *REFUSALS)
judge.sabotage(
    "step-130-percent at exact/identity-n4: 1.3 times the step: 1.31 times the bound. "
    "| step_size = step_size * 13/10",
    "step-150-percent at exact/identity-n4: 1.5 times the step: 1.80 times the bound. "
    "| step_size = step_size * 3/2",
    "double-step at exact/identity-n4, exact/rank-one: Twice the step: 4.96 times the bound; rank-one "
    "family with PermK: 4.79 times. | step_size = 2 * step_size",
    "rare-full-gradient at exact/identity-n1, run/one-client: Full gradients with probability p/4, the step "
    "for p: n = 1, d = 8, p = 0.1: 4.44 times the bound.",
    {
        "change": lambda setting: replace(setting, tossed=setting.probability / 4),
        "estimator": RareFullGradient,
    },
    "no-hessian-variance at exact/rank-one: No L_pm in X: PermK on the rank-one family: 10^4 times at T = "
    "10. | X = X(L_pm = 0)",
)


@judge.mutant(
    "A weighted partition whose weights belong to other clients, with the step for the right ones: 1.65 "
    "times the bound at T = 100.",
    at=("exact/weighted-partition",),
)
def weights_of_others(law: Law) -> Law:
    def change(setting: Setting) -> Setting:
        gamma = setting.step_size
        scheme = replace(setting.scheme, weights=np.asarray(setting.scheme.weights)[::-1])
        return replace(setting, scheme=scheme, step=lambda *_: gamma)

    return law.replace(change=change)


judge.sabotage(
    "no-first-error at exact/wrong-first-estimate: The bound without E_0 for a run with g^0 = 0. "
    "| bound = bound(E_0 = 0)",
    "private-coin at run/identical-clients: Each client tosses its own coin: PermK on identical clients: "
    "12.9 times the bound.",
    {"estimator": PrivateCoin},
    "stale-difference at run/identical-clients: The clients compress the difference of the round before: "
    "PermK on identical clients: 10^3 times.",
    {"estimator": StaleDifference},
)
judge.sabotage(
    "permuted-clients, neutral: Number the clients differently: nothing may change.",
    change=Setting.permuted,
    at=(
        *(f"exact/tridiagonal-{name}" for name in ("rand-k", "many-clients", "groups")),
        *("exact/weighted-partition", "exact/sampled-clients"),
    ),
)
judge.sabotage(
    "larger-valid-step, neutral: The larger step has the same bound. | step_size = larger_step",
    at=_VALID,
)
judge.sabotage(
    "old-gradients: Differences are taken from the gradients of the last compressed round: a full one "
    "leaves them.",
    lambda law: law.replace(rules=Rules(stale=True)),
    "one-client-less: The sum of the messages is divided by n - 1.",
    lambda law: law.replace(rules=Rules(share=lambda n: n - 1)),
    at=_LITERAL,
)


# ---------------------------------------------------------------- exact expectations


def _weighted(n: int, d: int) -> tuple[Any, Any]:
    """Return a tridiagonal problem with indefinite matrices, and weights proportional to the L_i."""
    problem = tridiagonal(n, d, heterogeneity=0.8, mu=0.01, offset=0.3)
    largest = np.abs(np.linalg.eigvalsh(problem.matrices)).max(axis=-1)
    return problem, largest / largest.sum()


def _partitioned() -> Setting:
    problem, weights = _weighted(5, 6)
    return Setting("weighted partition", problem, partition(weights), np.ones(6), 0.25, 100)


def _sampled_clients() -> Setting:
    problem, weights = _weighted(5, 6)
    return Setting("two clients drawn", problem, sampled_rand_k(weights, 6, 2, 3), np.ones(6), 0.25, 100)


def _wrong_start() -> Setting:
    """Return a run that stands still until the first full gradient, which only E_0 pays for."""
    return replace(identity(4, 8, 0.1, 200, perm_k(4, 8)), initial=np.zeros(8))


SETTINGS: dict[str, Callable[[], Setting]] = {
    "identity-n4": partial(identity, 4, 8, 0.1, 200),
    "identity-n1": partial(identity, 1, 8, 0.1, 200),
    "identity-n1-rare-coin": partial(identity, 1, 8, 0.02, 400),
    "rank-one": partial(rank_one, 4, 0.05, 400),
    "tridiagonal-rand-k": lambda: golden_tridiagonal(2, 6, rand_k(2, 6, 2), "RandK", 100),
    "tridiagonal-perm-k": lambda: golden_tridiagonal(2, 6, perm_k(2, 6), "PermK", 100),
    "tridiagonal-one-bit": lambda: golden_tridiagonal(2, 6, one_bit(2, 6), "one bit", 100),
    "tridiagonal-many-clients": lambda: golden_tridiagonal(6, 3, perm_k(6, 3), "PermK", 50),
    "tridiagonal-groups": lambda: golden_tridiagonal(
        4, 8, perm_quantized(4, 8, 2), "PermK with one bit", 100
    ),
    "weighted-partition": _partitioned,
    "sampled-clients": _sampled_clients,
    "wrong-first-estimate": _wrong_start,
}


@judge.exact(instances={name: {"setting": name} for name in SETTINGS})
def expectations(law: Law, setting: str) -> Iterable[Comparison]:
    """The average for every T, and the potential after each round."""
    yield from along_the_run(law.change(replace(SETTINGS[setting](), law=law)))


# ---------------------------------------------------------------- sampled runs


def _sampled(law: Law, setting: Setting, compressor: Any) -> TrajectoryCase:
    return trajectory(replace(setting, law=law), compressor, law.estimator)


@judge.trajectory(
    label="averages of the squared gradient",
    parameters={"n": 4, "d": 8, "p": 0.1, "compressor": "PermK", "rounds": 50},
)
def identical_clients(law: Law) -> TrajectoryCase:
    """PermK makes no error where all clients are the same, unless coin or difference are wrong."""
    return _sampled(law, identity(4, 8, 0.1, 50, perm_k(4, 8)), PermK())


@judge.trajectory(
    label="averages of the squared gradient",
    parameters={"n": 1, "d": 8, "p": 0.1, "compressor": "one bit", "rounds": 200},
)
def one_client(law: Law) -> TrajectoryCase:
    """One client with a one-bit quantizer, where the bound is within a tenth."""
    return _sampled(law, identity(1, 8, 0.1, 200), IndependentQuantizer("binary"))


@judge.trajectory(
    label="averages of the squared gradient",
    profile="full",
    parameters={"data": "breast cancer", "n": 10, "ridge": 0.1, "p": 0.2, "compressor": "RandK(3)"},
)
def breast_cancer(law: Law) -> TrajectoryCase:
    """Logistic regression with a nonconvex regulariser on the embedded data, where f* >= 0."""
    clients, ridge, p, rounds, k = 10, 0.1, 0.2, 100, 3

    @functools.cache
    def settled() -> tuple[Any, float]:
        parts, labels, counts = contiguous_split(*load_breast_cancer(), clients)
        problem = Logistic(parts, labels, ridge, regulariser="nonconvex", counts=counts)
        found = smoothness_constants(problem)
        chi = law("X", A=(problem.d / k - 1) / clients, B=0.0, L_plus=found.L_plus, L_pm=found.L_pm)
        return problem, law("step_size", L_minus=found.L_minus, X=chi, p=p)

    def rows(rng: Any, replicates: int) -> Any:
        problem, step_size = settled()
        result = marina(
            problem,
            RandK(k),
            step_size=step_size,
            probability=p,
            rounds=rounds,
            rng=rng,
            replicates=replicates,
        )
        return np.cumsum(result.gradient_norm_sq[:, :-1], axis=1) / np.arange(1, rounds + 1)

    def bounds() -> Any:
        values = {"Delta_0": math.log(2), "E_0": 0.0, "gamma": settled()[1], "p": p}
        return np.array([law("bound", T=T, **values) for T in range(1, rounds + 1)])

    return TrajectoryCase(bounds, rows)


# ---------------------------------------------------------------- the method, written out


@judge.exact(
    instances={
        f"literal-{name}": {"scheme": name, "compressor": repr(compressor), "n": n, "d": d}
        for name, (compressor, n, d) in SCHEMES.items()
    }
)
def literal(law: Law, scheme: str, **_: Any) -> Iterable[Comparison]:
    """Runs on singular matrices, one client heavy: iterates of the batched method against the literal one."""
    yield from compare_iterates(scheme, law.rules)


@judge.exact(instance="runs", n=CLIENTS)
def whole_runs(law: Law, n: int) -> Iterable[Comparison]:
    """Traces of runs in several chunks, of one replicate, literally, and of replicates beyond the range."""
    yield from batched_runs(law.ran, RUNS, seed=n)
    yield from gradient_stops(law.ran, full_gradients, 24)
    yield from set_aside(law.ran, ASIDE, seed=n)
    yield from default_replicates(law.ran, default_runs(), seed=n)


@judge.exact(n=CLIENTS)
def domain(law: Law, n: int) -> Iterable[Comparison]:
    """Steps, coins, counts, starts and estimates that the method takes."""
    del n
    yield from arguments(law.taken, runs_inside(), runs_outside())
