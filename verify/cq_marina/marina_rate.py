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

import theory
from impl.compressors import IndependentQuantizer, PermK, RandK
from impl.optimizers import MarinaEstimator, marina
from impl.problems import Logistic, contiguous_split, load_breast_cancer, tridiagonal
from impl.problems.hessian_variance import SmoothnessConstants, smoothness_constants
from theory.old_steps import Certificate
from verify.binding import Check
from verify.comparison import Comparison
from verify.cq_marina.literal_marina import SCHEMES, Rules, compare_iterates
from verify.cq_marina.marina_settings import (
    RECURSION,
    Setting,
    StepRule,
    average_comparison,
    finite,
    formula,
    golden_tridiagonal,
    identity,
    one_bit,
    partition,
    perm_k,
    perm_quantized,
    rand_k,
    rank_one,
    sampled_rand_k,
    stated_step,
)
from verify.cq_marina.sabotaged_marina import PrivateCoin, RareFullGradient, StaleDifference
from verify.rungs.exact import ExactCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

# How a mutant changes a setting; some change what is compared instead.
Change = Callable[[Setting], Setting]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/marina-rate")
    mutated = tuple(_with_double_weight(step) for step in claim.derivation)
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"potential-weight": SymbolicCase(mutated)},
            seconds=0.6,
        ),
        *(_recursion(name, make, changes) for name, (make, changes) in SETTINGS.items()),
        _wrong_start(),
        _identical_clients(),
        _one_client(),
        _breast_cancer(),
        *(_literal(name) for name in SCHEMES),
    )


def _with_double_weight(step: Any) -> Any:
    """Give the error twice its weight in the certificate of the potential."""
    if not isinstance(step, Certificate) or step.name != "potential":
        return step
    named = {symbol.name: symbol for symbol in step.lhs.free_symbols | step.rhs.free_symbols}
    return replace(
        step,
        lhs=step.lhs.subs(named["E_+"], 2 * named["E_+"]),
        rhs=step.rhs.subs(named["E"], 2 * named["E"]),
    )


# ---------------------------------------------------------------- exact expectations


def compare(make: Callable[[], Setting], change: Change = lambda setting: setting) -> Iterable[Comparison]:
    """Hold the average against its bound for every T, and the potential after each round against before."""
    setting = change(make())
    for rounds in range(1, setting.rounds + 1):
        yield average_comparison(setting, rounds)
    trace = setting.trace
    weight = formula("marina-rate", "weight", gamma=setting.step_size, p=setting.probability)
    potential = trace.gap + weight * trace.error
    fallen = potential - setting.step_size / 2 * trace.gradient_norm_sq
    for k in range(setting.rounds):
        yield Comparison(
            f"potential after round {k}, {setting.name}",
            "le",
            finite(float(potential[k + 1])),
            finite(float(fallen[k])),
            RECURSION,
            {"k": k, "gamma": setting.step_size},
        )


def _times(factor: float) -> Change:
    def rule(constants: SmoothnessConstants, chi: float, p: float) -> float:
        return factor * stated_step(constants, chi, p)

    return lambda setting: replace(setting, step=rule)


def _larger_valid_step(constants: SmoothnessConstants, chi: float, p: float) -> float:
    return formula("marina-rate", "larger_step", L_minus=constants.L_minus, X=chi, p=p)


def _with_step(rule: StepRule) -> Change:
    return lambda setting: replace(setting, step=rule)


def _ternary_constant(setting: Setting) -> Setting:
    scheme = replace(setting.scheme, A=setting.problem.d / (4 * setting.problem.n))
    return replace(setting, step=lambda constants, _, p: replace(setting, scheme=scheme).step_size)


def _no_hessian_variance(setting: Setting) -> Setting:
    def rule(constants: SmoothnessConstants, _: float, p: float) -> float:
        A, B = setting.scheme.A, setting.scheme.B
        chi = formula("marina-rate", "X", A=A, B=B, L_plus=constants.L_plus, L_pm=0.0)
        return stated_step(constants, chi, p)

    return replace(setting, step=rule)


def _rare_full_gradient(setting: Setting) -> Setting:
    return replace(setting, tossed=setting.probability / 4)


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


def _weights_of_others(setting: Setting) -> Setting:
    gamma = setting.step_size
    scheme = replace(setting.scheme, weights=np.asarray(setting.scheme.weights)[::-1])
    return replace(setting, scheme=scheme, step=lambda *_: gamma)


def _permuted(setting: Setting) -> Setting:
    return setting.permuted()


_VALID: dict[str, Change] = {"larger-valid-step": _with_step(_larger_valid_step)}

# By name: the setting, and the mutants that show there (or, neutral ones, must not).
SETTINGS: dict[str, tuple[Callable[[], Setting], dict[str, Change]]] = {
    "identity-n4": (
        partial(identity, 4, 8, 0.1, 200),
        {
            "ternary-constant": _ternary_constant,
            "step-130-percent": _times(1.3),
            "step-150-percent": _times(1.5),
            "double-step": _times(2.0),
            **_VALID,
        },
    ),
    "identity-n1": (
        partial(identity, 1, 8, 0.1, 200),
        {"rare-full-gradient": _rare_full_gradient, **_VALID},
    ),
    "identity-n1-rare-coin": (partial(identity, 1, 8, 0.02, 400), _VALID),
    "rank-one": (
        partial(rank_one, 4, 0.05, 400),
        {"double-step": _times(2.0), "no-hessian-variance": _no_hessian_variance, **_VALID},
    ),
    "tridiagonal-rand-k": (
        lambda: golden_tridiagonal(2, 6, rand_k(2, 6, 2), "RandK", 100),
        {"permuted-clients": _permuted, **_VALID},
    ),
    "tridiagonal-perm-k": (lambda: golden_tridiagonal(2, 6, perm_k(2, 6), "PermK", 100), _VALID),
    "tridiagonal-one-bit": (lambda: golden_tridiagonal(2, 6, one_bit(2, 6), "one bit", 100), _VALID),
    "tridiagonal-many-clients": (
        lambda: golden_tridiagonal(6, 3, perm_k(6, 3), "PermK", 50),
        {"permuted-clients": _permuted, **_VALID},
    ),
    "tridiagonal-groups": (
        lambda: golden_tridiagonal(4, 8, perm_quantized(4, 8, 2), "PermK with one bit", 100),
        {"permuted-clients": _permuted},
    ),
    "weighted-partition": (
        _partitioned,
        {"weights-of-others": _weights_of_others, "permuted-clients": _permuted, **_VALID},
    ),
    "sampled-clients": (_sampled_clients, {"permuted-clients": _permuted}),
}


def _recursion(name: str, make: Callable[[], Setting], changes: dict[str, Change]) -> Check:
    mutants = {key: ExactCase(partial(compare, make, change)) for key, change in changes.items()}
    return Check("exact", name, ExactCase(partial(compare, make)), {"setting": name}, mutants, seconds=0.1)


def _wrong_start() -> Check:
    """g^0 = 0: the run stands still until the first full gradient, which only E_0 pays for."""

    def make() -> Setting:
        return replace(identity(4, 8, 0.1, 200, perm_k(4, 8)), initial=np.zeros(8))

    def without_first_error() -> Iterable[Comparison]:
        setting = make()
        return [average_comparison(setting, rounds, error=0.0) for rounds in range(1, setting.rounds + 1)]

    mutants = {"no-first-error": ExactCase(without_first_error)}
    return Check("exact", "wrong-first-estimate", ExactCase(partial(compare, make)), {"g^0": 0}, mutants)


# ---------------------------------------------------------------- sampled runs


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


def _identical_clients() -> Check:
    """PermK makes no error where all clients are the same, unless coin or difference are wrong."""
    setting = identity(4, 8, 0.1, 50, perm_k(4, 8))
    mutants = {
        "private-coin": trajectory(setting, PermK(), PrivateCoin),
        "stale-difference": trajectory(setting, PermK(), StaleDifference),
    }
    parameters = {"n": 4, "d": 8, "p": 0.1, "compressor": "PermK", "rounds": 50}
    return Check("run", "identical-clients", trajectory(setting, PermK()), parameters, mutants, seconds=0.3)


def _one_client() -> Check:
    """One client with a one-bit quantizer, where the bound is within a tenth."""
    setting, compressor = identity(1, 8, 0.1, 200), IndependentQuantizer("binary")
    mutants = {"rare-full-gradient": trajectory(setting, compressor, RareFullGradient)}
    parameters = {"n": 1, "d": 8, "p": 0.1, "compressor": "one bit", "rounds": 200}
    return Check("run", "one-client", trajectory(setting, compressor), parameters, mutants, seconds=0.5)


def _breast_cancer() -> Check:
    """Logistic regression with a nonconvex regulariser on the embedded data, where f* >= 0."""
    clients, ridge, p, rounds, k = 10, 0.1, 0.2, 100, 3

    @functools.cache
    def settled() -> tuple[Any, float]:
        parts, labels, counts = contiguous_split(*load_breast_cancer(), clients)
        problem = Logistic(parts, labels, ridge, regulariser="nonconvex", counts=counts)
        found = smoothness_constants(problem)
        A = (problem.d / k - 1) / clients
        chi = formula("marina-rate", "X", A=A, B=0.0, L_plus=found.L_plus, L_pm=found.L_pm)
        return problem, stated_step(found, chi, p)

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
        return np.array([formula("marina-rate", "bound", T=T, **values) for T in range(1, rounds + 1)])

    parameters = {"data": "breast cancer", "n": clients, "ridge": ridge, "p": p, "compressor": "RandK(3)"}
    return Check(
        "run", "breast-cancer", TrajectoryCase(bounds, rows), parameters, seconds=1.0, profile="full"
    )


# ---------------------------------------------------------------- the method, written out


def _literal(name: str) -> Check:
    """Runs on singular matrices, one client heavy: iterates of the batched method against the literal one."""
    mutants = {
        "old-gradients": ExactCase(partial(compare_iterates, name, Rules(stale=True))),
        "one-client-less": ExactCase(partial(compare_iterates, name, Rules(share=lambda n: n - 1))),
    }
    compressor, n, d = SCHEMES[name]
    parameters = {"compressor": repr(compressor), "n": n, "d": d}
    return Check(
        "exact",
        f"literal-{name}",
        ExactCase(partial(compare_iterates, name)),
        parameters,
        mutants,
        seconds=0.1,
    )
