"""Checks of `cq_marina/tridiag`: rational spectra on the line and in the plane, and `impl` beyond."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from verify.binding import Check, Lazy
from verify.comparison import EXACT, ROUND_OFF, Comparison, Tolerance, rational
from verify.cq_marina.problem_differences import FAULTS, compare_differences
from verify.evaluation import evaluate, evaluate_exact, names
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

CANCELLED = Tolerance(
    1e-10,
    "matrices that agree up to 4e-5 are subtracted, which leaves 1e-11 of float64, and d rounding errors",
)


@dataclass(frozen=True)
class Instance:
    """Parameters of the family; fractions for the line and the plane, where the spectra are rational."""

    n: int
    d: int
    heterogeneity: Any
    mu: Any

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"n": self.n, "d": self.d, "lambda": self.heterogeneity, "mu": self.mu}

    @property
    def values(self) -> dict[str, Any]:
        """Return the values of the symbols of the claim."""
        return {"n": self.n, "d": self.d, "lam": self.heterogeneity, "mu": self.mu}


@dataclass(frozen=True)
class Rules:
    """What a mutant changes: the stated L_pm, the factor of a square, and the weights."""

    L_pm_square: Callable[[Instance, Any], Any] = field(default=lambda instance, square: square)
    factor: Callable[[Any, int], Any] = field(default=lambda weight, n: 1 / (n**2 * weight))
    weighted: bool = True
    order: int = 1


def _without_root(instance: Instance, square: Any) -> Any:
    """Return the square of L_pm = lambda (n^2-1)/(3n^2) tau_d."""
    return square * F(instance.n**2 - 1, 3 * instance.n**2)


HONEST = Rules()
MUTANTS = {
    "no-square-root": Rules(L_pm_square=_without_root),
    "sample-variance": Rules(L_pm_square=lambda instance, square: square * F(instance.n, instance.n - 1)),
    "weights-not-inverted": Rules(factor=lambda weight, n: weight),
    "equal-weights": Rules(weighted=False),
    "permuted-clients": Rules(order=-1),
}
RATIONAL = {
    "line": Instance(4, 1, F(1, 2), F(1, 3)),
    "two-in-the-plane": Instance(2, 2, F(1, 2), F(1, 4)),
    "five-in-the-plane": Instance(5, 2, F(4, 5), F(1, 100)),
}
DENSE = {
    "10-32": Instance(10, 32, 0.5, 1e-6),
    "5-6": Instance(5, 6, 0.8, 1e-2),
}
LARGE = Instance(50, 100, 0.3, 1e-6)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/tridiag")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        *(_check(name, instance, compare_literally) for name, instance in RATIONAL.items()),
        *(_check(name, instance, compare_eigenvalues) for name, instance in DENSE.items()),
        Check("exact", "large", ExactCase(lambda: compare_eigenvalues(LARGE, HONEST)), LARGE.parameters),
        *(_search(name) for name in ("10-32", "5-6")),
        _differences("tridiagonal"),
    )


def _check(
    name: str, instance: Instance, compare: Callable[[Instance, Rules], Iterable[Comparison]]
) -> Check:
    def case(rules: Rules) -> ExactCase:
        return ExactCase(lambda: compare(instance, rules))

    mutants = {key: case(rules) for key, rules in MUTANTS.items()}
    return Check("exact", name, case(HONEST), instance.parameters, mutants)


def literal_matrices(instance: Instance) -> list[list[list[Any]]]:
    r"""Return the $A_i=\frac{\nu_i}4T+sI$, literally, for d = 1 or 2 in rationals."""
    n, d = instance.n, instance.d
    first = {1: F(1, 2), 2: F(1, 4)}[d]  # sin^2 of pi/4 and of pi/6
    matrices = []
    for i in range(1, n + 1):
        factor = 1 + instance.heterogeneity * (F(2 * i - 1, n) - 1)
        T = [[2 if j == k else -1 if abs(j - k) == 1 else 0 for k in range(d)] for j in range(d)]
        shift = instance.mu - first
        matrices.append([[factor * T[j][k] / 4 + shift * (j == k) for k in range(d)] for j in range(d)])
    return matrices


def is_largest_eigenvalue(matrix: list[list[Any]], value: Any) -> bool:
    """Decide for a symmetric matrix (1, 1) or (2, 2), exactly: a root, not below half of the trace."""
    if len(matrix) == 1:
        return bool(matrix[0][0] == value)
    (a, b), (_, c) = matrix
    return bool((a - value) * (c - value) == b * b and 2 * value >= a + c)


def compare_literally(instance: Instance, rules: Rules) -> Iterable[Comparison]:
    """Largest eigenvalues of literal matrices, in rationals, against the formulas."""
    n, d, witness = instance.n, instance.d, instance.parameters
    A = literal_matrices(instance)[:: rules.order]
    mean = _combined(A, [F(1, n)] * n)
    squares, mean_square = [_product(matrix, matrix) for matrix in A], _product(mean, mean)

    def largest(label: str, matrix: list[list[Any]], value: Any) -> Comparison:
        found = int(is_largest_eigenvalue(matrix, rational(value)))
        return Comparison(f"{label}: the stated value is it", "eq", found, 1, EXACT, witness)

    def total(weights: list[Any]) -> list[list[Any]]:
        return _combined(squares, [rules.factor(w, n) for w in weights])

    def variance(weights: list[Any]) -> list[list[Any]]:
        return [[total(weights)[j][k] - mean_square[j][k] for k in range(d)] for j in range(d)]

    L_minus = rational(exactly("L_minus", instance))
    yield largest("largest eigenvalue of the mean", mean, L_minus)
    yield largest("smallest eigenvalue of the mean", [[-item for item in row] for row in mean], -instance.mu)
    equal = [F(1, n)] * n
    yield largest("L_plus^2", total(equal), exactly("L_plus", instance) ** 2)
    stated = rational(exactly("exact", instance) ** 2)
    yield largest("L_pm^2", variance(equal), rules.L_pm_square(instance, stated))
    constants = [rational(exactly("L_client", instance, i=i)) for i in range(n)[:: rules.order]]
    for matrix, constant in zip(A, constants, strict=True):
        yield largest("L_i", matrix, constant)
    weights = [constant / sum(constants) for constant in constants] if rules.weighted else equal
    yield largest("weighted L_plus^2", total(weights), L_minus**2)
    yield largest("weighted L_pm^2", variance(weights), exactly("weighted_square", instance))


def exactly(name: str, instance: Instance, **places: int) -> Any:
    """Return a stated value as an exact number, possibly with a root."""
    formula = theory.claim("cq_marina/tridiag").expressions[name]
    values = {**instance.values, **places}
    return evaluate_exact(formula, {key: values[key] for key in names(formula)})


def stated_value(name: str, instance: Instance, **places: int) -> float:
    """Return a stated value in double precision."""
    formula = theory.claim("cq_marina/tridiag").expressions[name]
    values = {**instance.values, **places}
    return evaluate(formula, {key: values[key] for key in names(formula)})


def compare_eigenvalues(instance: Instance, rules: Rules) -> Iterable[Comparison]:
    """Numerical eigenvalues of the matrices of `impl`, and its constants, against the formulas."""
    from impl.problems import smoothness_constants, tridiagonal

    n, witness = instance.n, instance.parameters
    problem = tridiagonal(n, instance.d, heterogeneity=instance.heterogeneity, mu=instance.mu)
    A = problem.matrices[:: rules.order]
    mean = A.mean(axis=0)
    ends = np.linalg.eigvalsh(mean)[[0, -1]]
    L_minus = stated_value("L_minus", instance)

    def equal(label: str, value: float, bound: float, tolerance: Tolerance = ROUND_OFF) -> Comparison:
        return Comparison(label, "eq", float(value), float(bound), tolerance, witness)

    # mu is small against the matrices, which are known to their last digits.
    yield equal("smallest eigenvalue of the mean", ends[0] + L_minus, instance.mu + L_minus)
    yield equal("L_minus", ends[-1], L_minus)
    constants = np.array([stated_value("L_client", instance, i=i) for i in range(n)[:: rules.order]])
    for i, matrix in enumerate(A):
        yield equal(f"L of client {i}", np.abs(np.linalg.eigvalsh(matrix)).max(), constants[i])
    uniform = np.full(n, 1 / n)
    L_pm = float(rules.L_pm_square(instance, stated_value("exact", instance) ** 2)) ** 0.5
    yield equal("L_plus", _root(A, uniform, rules, 0.0), stated_value("L_plus", instance))
    yield equal("L_pm", _root(A, uniform, rules, 1.0), L_pm)
    weights = constants / constants.sum() if rules.weighted else uniform
    weighted = stated_value("weighted_square", instance) ** 0.5
    yield equal("weighted L_plus", _root(A, weights, rules, 0.0), L_minus)
    found, by_weight = smoothness_constants(problem), smoothness_constants(problem, weights[:: rules.order])
    yield equal("L_minus of impl", found.L_minus, L_minus)
    yield equal("L_plus of impl", found.L_plus, stated_value("L_plus", instance))
    yield equal("L_pm of impl", found.L_pm, L_pm)
    yield equal("weighted L_plus of impl", by_weight.L_plus, L_minus)
    yield equal("weighted L_pm of impl", by_weight.L_pm, weighted, CANCELLED)


def _root(A: Any, weights: Any, rules: Rules, less: float) -> float:
    """Return the root of the largest eigenvalue of the weighted squares, less those of the mean."""
    n, mean = len(A), A.mean(axis=0)
    factors = [rules.factor(w, n) for w in weights]
    total = sum(factor * (M @ M) for factor, M in zip(factors, A, strict=True)) - less * mean @ mean
    return float(np.sqrt(np.linalg.eigvalsh(total)[-1]))


def _search(name: str) -> Check:
    """Variance of the products A_i h over directions h, against the stated constant."""
    instance = DENSE[name]
    n, d = instance.n, instance.d

    def case(square: float) -> AdversarialCase:
        from impl.problems import tridiagonal

        problem = tridiagonal(n, d, heterogeneity=instance.heterogeneity, mu=instance.mu)

        def variance(h: Any) -> Any:
            products = problem.gradients(h) - problem.gradients(np.zeros(d))
            return ((products - products.mean(axis=-2, keepdims=True)) ** 2).sum(axis=(-1, -2)) / n

        last = np.sin(np.arange(1, d + 1) * d * np.pi / (d + 1))
        return AdversarialCase(
            variance, lambda h: square * (h**2).sum(axis=-1), d, starts=(last,), budget=300
        )

    def stated() -> float:
        return stated_value("exact", instance) ** 2

    mutants = {
        "no-square-root": Lazy(lambda: case(float(_without_root(instance, stated())))),
        "equal-weights": Lazy(lambda: case(stated_value("weighted_square", instance))),
    }
    return Check("adversarial", name, Lazy(lambda: case(stated())), instance.parameters, mutants, seconds=0.2)


def _combined(matrices: list[list[list[Any]]], factors: list[Any]) -> list[list[Any]]:
    d = range(len(matrices[0]))
    return [
        [sum(f * matrix[j][k] for f, matrix in zip(factors, matrices, strict=True)) for k in d] for j in d
    ]


def _product(A: list[list[Any]], B: list[list[Any]]) -> list[list[Any]]:
    d = range(len(A))
    return [[sum(A[j][l] * B[l][k] for l in d) for k in d] for j in d]


def _differences(name: str) -> Check:
    """Values and gradients of a problem against differences of the functions, written out row by row."""
    seen = ("swapped-functions",)
    mutants = {key: ExactCase(partial(compare_differences, name, FAULTS[key])) for key in seen}
    base = ExactCase(partial(compare_differences, name))
    return Check("exact", f"differences-{name}", base, {"problem": name}, mutants, seconds=0.1)
