"""Checks of `cq_marina/marina-exact-oracle`: the recursion against all outcomes of short runs, and samples.

The covariances of the schemes are those of the claim, the outcomes those of the compressors.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, Independent, IndependentQuantizer, PermK, RandK
from impl.optimizers import MarinaEstimator, marina
from impl.problems import Quadratic
from verify.binding import Check, Lazy
from verify.comparison import EXACT, Comparison, Tolerance
from verify.cq_marina.enumerated_run import enumerated_levels, level_moments
from verify.cq_marina.marina_settings import RECURSION, formula, golden_tridiagonal, one_bit
from verify.cq_marina.outcome_tree import correlated_trace
from verify.cq_marina.sabotaged_marina import RareFullGradient
from verify.cq_marina.second_moments import Noise, QuadraticRun, one_bit_noise, perm_k_noise, rand_k_noise
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

_OUTCOMES = Tolerance(1e-12, "sums of some thousand float64 products of numbers of the same size")


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/marina-exact-oracle")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        *(_enumerated(name, case) for name, case in CASES.items()),
        Check("exact", "stated-recursion", ExactCase(_compare_stated), {"n": 2, "d": 6}, seconds=0.1),
        Check("exact", "correlated-tree", ExactCase(_compare_tree), {"n": (2, 3), "d": 2}, seconds=0.3),
        *(_sampled(name) for name in ("rand-k", "perm-k", "one-bit")),
    )


@dataclass(frozen=True)
class Case:
    """A short run whose outcomes are enumerated.

    Args:
        matrices: A_i, (n, d, d), dense ones, so that entries off the diagonal matter.
        start: x^0.
        compressor: a joint compressor.
        noise: its covariance.
        step_size: gamma.
        probability: p.
        rounds: how many.
        exact: whether all is rational.
    """

    matrices: Sequence[Sequence[Sequence[Any]]]
    start: Sequence[Any]
    compressor: Any
    noise: Noise
    step_size: Any = Fraction(1, 3)
    probability: Any = Fraction(1, 4)
    rounds: int = 3
    exact: bool = True

    @property
    def shape(self) -> tuple[int, int]:
        """Number of clients and coordinates."""
        return len(self.matrices), len(self.start)

    def array(self, values: Any) -> Any:
        """Return an array of Fractions, or of floats where the case is not rational."""
        return np.array(values, dtype=object) if self.exact else np.array(values, dtype=np.float64)

    def run(self) -> QuadraticRun:
        """Return the recursion."""
        numbers = (self.step_size, self.probability)
        gamma, p = numbers if self.exact else (float(item) for item in numbers)
        return QuadraticRun(self.array(self.matrices), None, self.array(self.start), gamma, p, self.noise)

    def levels(self) -> list[Any]:
        """Return the outcomes after each round."""
        convert: Callable[[Any], Any] = Fraction if self.exact else float
        return enumerated_levels(
            [[[convert(item) for item in row] for row in matrix] for matrix in self.matrices],
            [convert(item) for item in self.start],
            self.compressor,
            step_size=convert(self.step_size),
            probability=convert(self.probability),
            rounds=self.rounds,
        )

    def permuted(self) -> "Case":
        """Return the case with the clients in reverse order."""
        return replace(self, matrices=self.matrices[::-1])


def _matrices(n: int, d: int) -> list[list[list[Fraction]]]:
    """Return symmetric matrices with different entries, some of them indefinite."""
    return [
        [
            [
                Fraction((3 * i + 2 * (j + k) + 5 * j * k + 1) % 7 - 2, 5) + (1 if j == k else 0)
                for k in range(d)
            ]
            for j in range(d)
        ]
        for i in range(n)
    ]


def _case(n: int, d: int, compressor: Any, noise: Noise, rounds: int, exact: bool = True) -> Case:
    start = [Fraction(j % 3 + 1) for j in range(d)]
    return Case(_matrices(n, d), start, compressor, noise, rounds=rounds, exact=exact)


CASES = {
    "rand-k": _case(2, 3, Independent(RandK(2)), rand_k_noise(2), 2),
    "perm-k-many-coordinates": _case(2, 4, PermK(), perm_k_noise, 2),
    "perm-k-many-clients": _case(4, 2, PermK(), perm_k_noise, 3),
    "one-bit": _case(2, 2, IndependentQuantizer("binary"), one_bit_noise, 2, exact=False),
}


# ---------------------------------------------------------------- all outcomes of short runs


def compare(
    case: Case, run: Callable[[QuadraticRun], QuadraticRun] = lambda run: run
) -> Iterable[Comparison]:
    """Hold the recursion against the sums over all outcomes, after each round."""
    trace = run(case.run()).trace(case.rounds)
    tolerance = EXACT if case.exact else _OUTCOMES
    found = (trace.gap, trace.gradient_norm_sq, trace.error)
    names = ("E f - f*", "E|grad f|^2", "E|g - grad f|^2")
    convert: Callable[[Any], Any] = Fraction if case.exact else float
    matrices = [[[convert(item) for item in row] for row in matrix] for matrix in case.matrices]
    for k, leaves in enumerate(_levels(case)):
        for name, recursion, outcomes in zip(names, found, level_moments(matrices, leaves), strict=True):
            yield Comparison(
                f"{name} after {k} rounds", "eq", recursion[k], outcomes, tolerance, {"k": k}, headline=k > 1
            )


# The base and its mutants share the outcomes; only one case at a time is kept.
_kept: dict[int, list[Any]] = {}


def _levels(case: Case) -> list[Any]:
    if id(case) not in _kept:
        _kept.clear()
        _kept[id(case)] = case.levels()
    return _kept[id(case)]


def _scaled_noise(factor: Callable[[int], int]) -> Callable[[QuadraticRun], QuadraticRun]:
    """Multiply the covariance by a function of n."""

    def change(run: QuadraticRun) -> QuadraticRun:
        return replace(run, noise=lambda Y, Z, n: factor(n) * run.noise(Y, Z, n))

    return change


def _wrong_sign(run: QuadraticRun) -> QuadraticRun:
    """Turn the sign of the covariances of different coordinates."""

    def noise(Y: Any, Z: Any, n: int) -> Any:
        covariance = run.noise(Y, Z, n)
        return 2 * np.diag(np.diag(covariance)) - covariance

    return replace(run, noise=noise)


class NoiseInEveryRound(QuadraticRun):
    """The noise counts in rounds with full gradients as well."""

    def fresh_noise(self, covariance: Any) -> Any:
        return self.step_size**2 * covariance


def in_every_round(run: QuadraticRun) -> QuadraticRun:
    """Return the run with the noise in every round."""
    return NoiseInEveryRound(run.matrices, run.linear, run.start, run.step_size, run.probability, run.noise)


WITHOUT_CLIENTS = _scaled_noise(lambda n: n)
WRONG_SIGN = _wrong_sign


def _enumerated(name: str, case: Case) -> Check:
    mutants: dict[str, Any] = {
        "noise-in-every-round": ExactCase(partial(compare, case, in_every_round)),
        "permuted-clients": ExactCase(partial(_compare_permuted, case)),
    }
    if name in ("rand-k", "one-bit"):
        mutants["no-division-by-clients"] = ExactCase(partial(compare, case, WITHOUT_CLIENTS))
    else:
        mutants["perm-k-sign"] = ExactCase(partial(compare, case, WRONG_SIGN))
    n, d = case.shape
    parameters = {"n": n, "d": d, "rounds": case.rounds}
    return Check("exact", name, ExactCase(partial(compare, case)), parameters, mutants, seconds=0.3)


def _compare_permuted(case: Case) -> Iterable[Comparison]:
    """Run the recursion with the clients in reverse order against the outcomes in the old one."""
    return compare(case, lambda _: case.permuted().run())


# ---------------------------------------------------------------- the stated formulas, the tree


def _compare_stated() -> Iterable[Comparison]:
    """Hold the recursion against the entries of the claim, in the eigenvectors of the mean matrix."""
    setting = golden_tridiagonal(2, 6, one_bit(2, 6), "one bit", 6)
    A, n, d = setting.problem.matrices, 2, 6
    gamma, p = setting.step_size, setting.probability
    eigenvalues, U = np.linalg.eigh(A.mean(axis=0))
    e = setting.start - setting.problem.solution
    g = A.mean(axis=0) @ e
    S_ee, S_eg, S_gg = (U.T @ np.outer(*pair) @ U for pair in ((e, e), (e, g), (g, g)))
    for k in range(setting.rounds + 1):
        sums = dict.fromkeys(("gap", "gradient_norm_sq", "error"), 0.0)
        for j, value in enumerate(eigenvalues):
            entries = {"lambda_j": value, "S_ee": S_ee[j, j]}
            sums["gap"] += stated("gap", **entries)
            sums["gradient_norm_sq"] += stated("gradient_norm_sq", **entries)
            sums["error"] += stated("error", **entries, S_eg=S_eg[j, j], S_gg=S_gg[j, j])
        for name, total in sums.items():
            # The stated error cancels; it is compared with the size of its parts.
            size = sums["gradient_norm_sq"] if name == "error" else 0.0
            found = float(getattr(setting.trace, name)[k])
            yield Comparison(f"{name} after {k} rounds", "eq", found + size, total + size, RECURSION)
        G = U @ S_gg @ U.T
        Y = (A @ G @ A).mean(axis=0)
        diagonal = [stated("one_bit_diagonal", t=float(np.trace(Y)), Y=Y[j, j], n=n) for j in range(d)]
        N = U.T @ np.diag(diagonal) @ U
        S_ee, S_eg, S_gg = _stated_round(S_ee, S_eg, S_gg, N, eigenvalues, gamma, p)


def _stated_round(
    S_ee: Any, S_eg: Any, S_gg: Any, N: Any, eigenvalues: Any, gamma: float, p: float
) -> tuple[Any, Any, Any]:
    after = [np.empty_like(S_ee) for _ in range(3)]
    for j, k in np.ndindex(S_ee.shape):
        base = {
            "gamma": gamma,
            "S_ee": S_ee[j, k],
            "S_eg": S_eg[j, k],
            "S_ge": S_eg[k, j],
            "S_gg": S_gg[j, k],
        }
        both = {**base, "p": p, "lambda_k": eigenvalues[k]}
        after[0][j, k] = stated("ee_next", **base)
        after[1][j, k] = stated("eg_next", **both)
        after[2][j, k] = stated("exact", **both, lambda_j=eigenvalues[j], N=N[j, k])
    return after[0], after[1], after[2]


def stated(name: str, **values: float) -> float:
    """Return a formula of the claim."""
    return formula("marina-exact-oracle", name, **values)


def _compare_tree() -> Iterable[Comparison]:
    """Hold the tree for equal clients against all permutations and bits of the correlated quantizer."""
    A = [[1.0, 0.25], [0.25, 0.5]]
    for n, rounds in ((2, 2), (3, 1)):
        start, gamma, p, quantizer = [1.0, 2.0], 0.4, 0.25, CorrelatedQuantizer("binary")
        tree = correlated_trace(A, start, clients=n, step_size=gamma, probability=p, rounds=rounds)
        levels = enumerated_levels([A] * n, start, quantizer, step_size=gamma, probability=p, rounds=rounds)
        for k, leaves in enumerate(levels):
            _, norm, error = level_moments([A] * n, leaves)
            label = f"after {k} rounds, n={n}"
            yield Comparison(f"E|grad f|^2 {label}", "eq", tree.gradient_norm_sq[k], norm, _OUTCOMES)
            yield Comparison(f"E|g - grad f|^2 {label}", "eq", tree.error[k] + norm, error + norm, _OUTCOMES)


# ---------------------------------------------------------------- sampled runs


def _sampled(name: str) -> Check:
    """The method itself: E|grad f|^2 after the last round of an enumerated case."""
    compressors: dict[str, Any] = {
        "rand-k": RandK(2),
        "perm-k": PermK(),
        "one-bit": IndependentQuantizer("binary"),
    }
    case = CASES["perm-k-many-coordinates" if name == "perm-k" else name]

    @cache
    def law() -> tuple[Quadratic, float, float]:
        """Return the problem, the exact mean, and the largest value of all outcomes."""
        problem = Quadratic(np.array(case.matrices, dtype=float), convex=False)
        leaves = case.levels()[-1]
        values = (problem.gradient(np.array([leaf.x for leaf in leaves], dtype=float)) ** 2).sum(axis=-1)
        return problem, float(case.run().trace(case.rounds).gradient_norm_sq[-1]), float(values.max())

    def sample(estimator: type[MarinaEstimator], rng: Any, size: int) -> Any:
        result = marina(
            law()[0],
            compressors[name],
            step_size=float(case.step_size),
            probability=float(case.probability),
            rounds=case.rounds,
            rng=rng,
            replicates=size,
            start=np.array(case.start, dtype=float),
            estimator=estimator,
        )
        return result.gradient_norm_sq[:, -1]

    def make(estimator: type[MarinaEstimator]) -> MonteCarloCase:
        _, mean, largest = law()
        return MonteCarloCase("eq", partial(sample, estimator), mean, upper=largest, resolution=0.03)

    base = Lazy(partial(make, MarinaEstimator), tests=1)
    mutants = {}
    if name == "rand-k":
        mutants["sampled-rare-coin"] = Lazy(partial(make, RareFullGradient), tests=1)
    parameters = {"shape": case.shape, "rounds": case.rounds}
    return Check("montecarlo", name, base, parameters, mutants, seconds=1.0)
