"""Checks of `cq_marina/marina-exact-oracle`: the recursion against all outcomes of short runs, and samples.

The covariances are those of the claim, the outcomes those of the compressors.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from typing import Any

import numpy as np

from impl.compressors import (
    CorrelatedQuantizer,
    Independent,
    IndependentQuantizer,
    PermK,
    PermKQuantizer,
    RandK,
)
from impl.optimizers import MarinaEstimator, marina
from impl.problems import Quadratic
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.cq_marina.fixtures.joint.joint_enumeration import estimates, mean_of
from verify.cq_marina.fixtures.marina.marina_settings import RECURSION, golden_tridiagonal, one_bit
from verify.cq_marina.fixtures.marina.short_runs import CASES, LONG, levels
from verify.cq_marina.fixtures.second_moments import (
    Noise,
    QuadraticRun,
    one_bit_noise,
    perm_k_noise,
    perm_quantized_noise,
    rand_k_noise,
)
from verify.cq_marina.marina.enumerated_run import enumerated_levels, level_moments
from verify.cq_marina.marina.outcome_tree import correlated_trace
from verify.cq_marina.marina.sabotaged_marina import RareFullGradient
from verify.formulas.evaluation import names
from verify.rungs.montecarlo import MonteCarloCase


def _same(item: Any) -> Any:
    return item


judge = checks_of(
    "cq_marina/marina-exact-oracle",
    run=_same,
    case=_same,
    estimator=MarinaEstimator,
    correlated=CorrelatedQuantizer,
)
_RUNS = ("exact/rand-k", "exact/perm-k-*", "exact/one-bit", "exact/groups")


class NoiseInEveryRound(QuadraticRun):
    """The noise counts in rounds with full gradients as well."""

    def fresh_noise(self, covariance: Any) -> Any:
        return self.step_size**2 * covariance


def in_every_round(run: QuadraticRun) -> QuadraticRun:
    """Return the run with the noise in every round."""
    return NoiseInEveryRound(run.matrices, run.linear, run.start, run.step_size, run.probability, run.noise)


def without_clients(run: QuadraticRun) -> QuadraticRun:
    """Return the run with n times the covariance."""
    return replace(run, noise=lambda Y, Z, n: n * run.noise(Y, Z, n))


def wrong_sign(run: QuadraticRun) -> QuadraticRun:
    """Return the run with the sign of the covariances of different coordinates turned."""

    def noise(Y: Any, Z: Any, n: int) -> Any:
        covariance = run.noise(Y, Z, n)
        return 2 * np.diag(np.diag(covariance)) - covariance

    return replace(run, noise=noise)


judge.sabotage(
    "no-division-by-clients at exact/rand-k, exact/one-bit: N without 1/n for independent compressors: the "
    "average is 1.07 (RandK) and 1.10 (one bit) times the true one, E_100 2.4 and 3.1 times.",
    {"run": without_clients},
    "perm-k-sign at exact/perm-k-*: The wrong sign off the diagonal for PermK: the average is only 1.0036 "
    "times the true one.",
    {"run": wrong_sign},
)
judge.sabotage(
    "noise-in-every-round: N without 1 - p: the average is 1.02, 1.007, 1.03 times the true one for RandK, "
    "PermK, one bit.",
    run=in_every_round,
    at=_RUNS,
)
judge.sabotage(
    "sampled-rare-coin at montecarlo/rand-k: The sampled runs toss p/4: their second moments are others.",
    {"estimator": RareFullGradient},
    "independent-thresholds at exact/correlated-tree: Independent thresholds, whose bits are others.",
    {"correlated": IndependentQuantizer},
)
judge.sabotage(
    "permuted-clients, neutral: Number the clients differently: nothing may change.",
    case=lambda case: replace(case, matrices=case.matrices[::-1]),
    at=_RUNS,
)


# ---------------------------------------------------------------- all outcomes of short runs


def _arguments(name: str) -> dict[str, Any]:
    case = CASES[name]
    return {"name": name, "n": len(case.matrices), "d": len(case.start), "rounds": case.rounds}


@judge.exact(instances={LONG: _arguments(LONG)}, profile="full")
def long_run(law: Law, **case: Any) -> Iterable[Comparison]:
    """Two rounds of groups have 37249 outcomes."""
    yield from whole_run(law, **case)


@judge.exact(instances={name: _arguments(name) for name in CASES if name != LONG})
def whole_run(law: Law, name: str, rounds: int, **_: int) -> Iterable[Comparison]:
    """The recursion against the sums over all outcomes, after each round."""
    case = CASES[name]
    trace = law.run(law.case(case).run()).trace(rounds)
    for k, leaves in enumerate(levels(name)):
        found = (trace.gap[k], trace.gradient_norm_sq[k], trace.error[k])
        for value, outcomes in zip(found, level_moments(case.dense(), leaves), strict=True):
            yield eq(
                "whole run",
                value,
                outcomes,
                EXACT if case.exact else ROUND_OFF,
                headline=k > 1,
                witness={"k": k},
            )


# ---------------------------------------------------------------- the stated formulas


SCHEMES: dict[str, tuple[str, Any, Noise, tuple[tuple[int, ...], ...], tuple[str, str], dict[str, int]]] = {
    "rand-1": (
        *("covariance of RandK", Independent(RandK(1)), rand_k_noise(1), ((1, -2, 3), (0, 5, 1))),
        *(("rand_k_diagonal", "rand_k_off"), {"K": 1}),
    ),
    "rand-2": (
        *("covariance of RandK", Independent(RandK(2)), rand_k_noise(2), ((1, -2, 3), (0, 5, 1))),
        *(("rand_k_diagonal", "rand_k_off"), {"K": 2}),
    ),
    "bits": (
        *("covariance of one bit", IndependentQuantizer("binary"), one_bit_noise, ((2, 3, 6), (4, 0, -3))),
        *(("one_bit_diagonal", ""), {}),
    ),
    "perm-wide": (
        *("covariance of PermK", PermK(), perm_k_noise, ((1, -2, 3, 5), (0, 5, 1, 2))),
        *(("wide_diagonal", "wide_off"), {"q": 1}),
    ),
    "perm-tall": (
        *("covariance of PermK", PermK(), perm_k_noise, ((1, -2), (0, 5), (3, 1), (2, 2))),
        *(("tall_diagonal", "tall_off"), {"q": 2}),
    ),
    "blocks-of-two": (
        *("covariance of groups", PermKQuantizer(2, correlated=False), perm_quantized_noise(2)),
        *(((3, 4, 0, 0), (0, 0, -5, 12)), ("group_diagonal", "perm_k_off"), {"q": 1, "b": 2}),
    ),
    "pairs-on-pairs": (
        *("covariance of groups", PermKQuantizer(2, correlated=False), perm_quantized_noise(2)),
        ((3, 4, 0, 0), (0, -5, 0, 0), (0, 0, 0, 2), (1, 0, 0, 0)),
        *(("group_diagonal", "perm_k_off"), {"q": 2, "b": 2}),
    ),
    "two-in-a-group": (
        *("covariance of groups", PermKQuantizer(2, correlated=False), perm_quantized_noise(2)),
        *(((3, 4), (0, 5), (3, 1), (2, 2)), ("group_diagonal", "perm_k_off"), {"q": 2, "b": 1}),
    ),
}


@judge.exact(instances={f"covariance-{name}": {"name": name} for name in SCHEMES})
def covariance(law: Law, name: str) -> Iterable[Comparison]:
    """The covariance over all outcomes, and that of the oracle, against the stated entries."""
    label, compressor, oracle, inputs, (diagonal, off), more = SCHEMES[name]
    rows = [[F(item) for item in row] for row in inputs]
    n, d, mean = len(rows), len(rows[0]), mean_of(rows)
    found = np.full((d, d), F(0), dtype=object)
    for chance, estimate in estimates(compressor, rows):
        error = np.array(estimate, dtype=object) - mean
        found = found + chance * np.outer(error, error)
    a = np.array(rows, dtype=object)
    Y, Z = a.T @ a / F(n), np.outer(mean, mean)
    made = oracle(Y, Z, n)
    values: dict[str, Any] = {"n": n, "d": d, "Y": Y.tolist(), "Z": Z.tolist(), "trace": np.trace(Y), **more}
    if "q" in more:
        values["theta"] = law.exactly("theta", n=n, q=more["q"])
    for j, h in np.ndindex(d, d):
        formula = diagonal if j == h else off
        stated = (
            law.exactly(formula, **_needed(law, formula, {**values, "j": j, "h": h})) if formula else F(0)
        )
        yield eq(label, found[j, h], stated, headline=j == h == 0)
        yield eq(f"{label} in floats", float(made[j, h]), float(stated), ROUND_OFF)


def _needed(law: Law, formula: str, values: dict[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in names(law.formulas[formula])}


_MATRICES = ((F(2), F(1), F(1, 2), F(3)), (F(1), F(3), F(-1), F(1, 3)), (F(1, 2), F(-1), F(4), F(1)))


@judge.exact(instance="matrices", gamma=F(1, 3), p=F(1, 5), eigenvalues=(F(2), F(-1, 2)))
def matrices(law: Law, gamma: F, p: F, eigenvalues: Sequence[F]) -> Iterable[Comparison]:
    """One round in matrices, in rationals, against the stated entries."""
    one, zero = np.diag([F(1), F(1)]), np.diag([F(0), F(0)])
    A = np.diag(np.array(eigenvalues, dtype=object))
    N = np.array([[F(3), F(1, 2)], [F(1, 2), F(2)]])
    root = np.array([*_MATRICES, (F(1), F(0), F(2), F(5))], dtype=object)
    S = root @ root.T
    full = np.block([[one, -gamma * one], [A, -gamma * A]])
    quiet = np.block([[one, -gamma * one], [zero, one - gamma * A]])
    fresh = np.block([[zero, zero], [zero, gamma**2 * N]])
    after = p * full @ S @ full.T + (1 - p) * (quiet @ S @ quiet.T + fresh)
    blocks = {"S_ee": S[:2, :2], "S_eg": S[:2, 2:], "S_gg": S[2:, 2:]}
    stated = stated_round(law.exactly, blocks, N, eigenvalues, gamma, p)
    for block, found in zip(stated, (after[:2, :2], after[:2, 2:], after[2:, 2:]), strict=True):
        for place in np.ndindex(2, 2):
            yield eq("matrix of a round", found[place], block[place])


def stated_round(
    formula: Callable[..., Any], S: dict[str, Any], N: Any, eigenvalues: Any, gamma: Any, p: Any
) -> tuple[Any, Any, Any]:
    """Return the three blocks after a round, entry by entry."""
    shape = np.shape(N)
    after = [np.zeros(shape, dtype=object) for _ in range(3)]
    state = {name: block.tolist() for name, block in S.items()}
    both = {"gamma": gamma, "p": p, "lambda_": list(eigenvalues)}
    for j, k in np.ndindex(shape):
        place = {"j": j, "k": k}
        after[0][j, k] = formula("ee_next", gamma=gamma, **state, **place)
    ee = after[0].tolist()
    for j, k in np.ndindex(shape):
        place = {"j": j, "k": k, "ee_next": ee}
        after[1][j, k] = formula("eg_next", **both, **place, S_eg=state["S_eg"], S_gg=state["S_gg"])
        after[2][j, k] = formula("exact", **both, **place, S_gg=state["S_gg"], N=np.asarray(N).tolist())
    return after[0], after[1], after[2]


@judge.exact(instance="stated-recursion", n=2, d=6)
def stated_recursion(law: Law, n: int, d: int) -> Iterable[Comparison]:
    """The oracle against the stated entries, in the eigenvectors of the mean matrix."""
    setting = golden_tridiagonal(n, d, one_bit(n, d), "one bit", 6)
    A = setting.problem.matrices
    eigenvalues, U = np.linalg.eigh(A.mean(axis=0))
    e = setting.start - setting.problem.solution
    g = A.mean(axis=0) @ e
    S_ee, S_eg, S_gg = (U.T @ np.outer(*pair) @ U for pair in ((e, e), (e, g), (g, g)))
    for k in range(setting.rounds + 1):
        state = {"S_ee": S_ee, "S_eg": S_eg, "S_gg": S_gg}
        known: dict[str, Any] = {"lambda_": eigenvalues.tolist(), "d": d}
        gap = law("gap", **known, S_ee=S_ee.tolist())
        gradient = law("gradient_norm_sq", **known, S_ee=S_ee.tolist())
        error = law("error", **known, **{name: block.tolist() for name, block in state.items()})
        trace = setting.trace
        yield eq("gap by entries", float(trace.gap[k]), gap, RECURSION)
        yield eq("squared gradient by entries", float(trace.gradient_norm_sq[k]), gradient, RECURSION)
        # The stated error cancels; it is compared with the size of its parts.
        yield eq(
            "error of the estimate by entries", float(trace.error[k]) + gradient, error + gradient, RECURSION
        )
        G = U @ S_gg @ U.T
        Y = (A @ G @ A).mean(axis=0)
        spread = {"trace": float(np.trace(Y)), "Y": Y.tolist(), "n": n}
        N = U.T @ np.diag([law("one_bit_diagonal", **spread, j=j) for j in range(d)]) @ U
        after = stated_round(law, state, N, eigenvalues.tolist(), setting.step_size, setting.probability)
        S_ee, S_eg, S_gg = (block.astype(float) for block in after)


@judge.exact(instance="correlated-tree", d=2, n=(2, 3))
def correlated_tree(law: Law, d: int, n: Sequence[int]) -> Iterable[Comparison]:
    """The tree for equal clients against all permutations and bits of the correlated quantizer."""
    A, start = [[1.0, 0.25], [0.25, 0.5]], [1.0, 2.0]
    numbers = {"step_size": 0.4, "probability": 0.25}
    for clients, rounds in zip(n, (2, 1), strict=True):
        tree = correlated_trace(A, start, clients=clients, rounds=rounds, **numbers)
        outcomes = enumerated_levels([A] * clients, start, law.correlated("binary"), rounds=rounds, **numbers)
        for k, leaves in enumerate(outcomes):
            _, norm, error = level_moments([A] * clients, leaves)
            for value, bound in ((tree.gradient_norm_sq[k], norm), (tree.error[k] + norm, error + norm)):
                yield eq("tree of the correlated quantizer", float(value), float(bound), ROUND_OFF)


# ---------------------------------------------------------------- sampled runs


@cache
def _sampled_law(name: str) -> tuple[Quadratic, float, float]:
    """Return the problem, the exact mean after the last round, and the largest value of all outcomes."""
    case = CASES[name]
    problem = Quadratic(np.array(case.matrices, dtype=float), convex=False)
    leaves = levels(name)[-1]
    values = (problem.gradient(np.array([leaf.x for leaf in leaves], dtype=float)) ** 2).sum(axis=-1)
    return problem, float(case.run().trace(case.rounds).gradient_norm_sq[-1]), float(values.max())


SAMPLED: dict[str, tuple[str, Any]] = {
    "rand-k": ("rand-k", RandK(2)),
    "perm-k": ("perm-k-many-coordinates", PermK()),
    "one-bit": ("one-bit", IndependentQuantizer("binary")),
}


@judge.montecarlo(
    label="sampled gradient",
    instances={
        name: {"case": case, "compressor": repr(compressor)} for name, (case, compressor) in SAMPLED.items()
    },
)
def sampled(law: Law, case: str, compressor: str) -> MonteCarloCase:
    """The method itself: E|grad f|^2 after the last round of an enumerated case."""
    problem, mean, largest = _sampled_law(case)
    chosen = CASES[case]
    sent = next(item for name, item in SAMPLED.values() if name == case)

    def sample(rng: Any, size: int) -> Any:
        result = marina(
            problem,
            sent,
            step_size=float(chosen.numbers["step_size"]),
            probability=float(chosen.numbers["probability"]),
            rounds=chosen.rounds,
            rng=rng,
            replicates=size,
            start=np.array(chosen.start, dtype=float),
            estimator=law.estimator,
        )
        return result.gradient_norm_sq[:, -1]

    return MonteCarloCase("eq", sample, mean, upper=largest, resolution=0.03)
