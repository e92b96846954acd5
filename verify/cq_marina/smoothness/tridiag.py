"""Checks of `cq_marina/tridiag`: rational spectra on the line and in the plane, and `impl` beyond."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.errors import ArgumentError
from impl.matrix_roots import MatrixRoots
from impl.problems import Quadratic, smoothness_constants, tridiagonal
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import DRIFT, ROUND_OFF, Comparison, printed, rational
from verify.cq_marina.smoothness.problem_differences import FAULTS, HONEST, differences_of
from verify.rungs.adversarial import AdversarialCase

RATIONAL = {
    "line": {"n": 4, "d": 1, "lam": F(1, 2), "mu": F(1, 3)},
    "two-in-the-plane": {"n": 2, "d": 2, "lam": F(1, 2), "mu": F(1, 4)},
    "five-in-the-plane": {"n": 5, "d": 2, "lam": F(4, 5), "mu": F(1, 100)},
}
DENSE = {
    "10-32": {"n": 10, "d": 32, "lam": 0.5, "mu": 1e-6},
    "5-6": {"n": 5, "d": 6, "lam": 0.8, "mu": 1e-2},
}
LARGE = {"large": {"n": 50, "d": 100, "lam": 0.3, "mu": 1e-6}}
GAINS = {(10, 32): 406.13, (5, 6): 18.826}
_EXACT = tuple(f"exact/{name}" for name in (*RATIONAL, *DENSE))

judge = checks_of(
    "cq_marina/tridiag",
    share=lambda weight, n: 1 / (n**2 * weight),
    weights=lambda L: [item / sum(L) for item in L],
    order=lambda: 1,
    faults=HONEST,
    smallest=lambda mu: mu,
    read=lambda item: item,
    roots=MatrixRoots.of_nodes,
)


judge.sabotage(
    "no-square-root at adversarial/*: The variance in place of its root for L_pm. | exact = exact**2",
    "sample-variance: The sample variance, n - 1 for n: 1.054 and 1.118 times. "
    "| variance = variance * n / (n - 1), exact = exact * (n / (n - 1))**(1/2)",
    "weights-not-inverted: Weigh the squares with w_i instead of 1/(n w_i).",
    {"share": lambda weight, n: weight},
    "equal-weights: Equal weights for those proportional to L_i.",
    {"weights": lambda L: [F(1, len(L))] * len(L)},
    "another-mu: Another smallest eigenvalue of the mean matrix.",
    {"smallest": lambda mu: mu + F(1, 8)},
    "larger-constants: A tenth more for L_+ and the L_i. "
    "| L_plus = 11/10 * L_plus, L_client = 11/10 * L_client",
    at=_EXACT,
)
judge.sabotage(
    "half-values at exact/differences-tridiagonal: Half of the values and gradients.",
    read=lambda item: replace(item, value=item.value / 2),
)


@judge.mutant("Roots of matrices whose small eigenvalues were cut off.", at=("exact/roots",))
def cut_off(law: Law) -> Law:
    def roots(matrices: Any) -> Any:
        values, vectors = np.linalg.eigh(matrices)
        kept = np.where(values > 0.1, values, 0.0)
        return MatrixRoots.of_nodes((vectors * kept[..., None, :]) @ np.swapaxes(vectors, -1, -2))

    return law.replace(roots=roots)


judge.sabotage("permuted-clients, neutral: Number the clients in reverse order.", order=lambda: -1, at=_EXACT)
judge.sabotage(
    "swapped-functions at exact/differences-tridiagonal: The clients in the reverse order, their gradients "
    "not.",
    faults=FAULTS["swapped-functions"],
)


def literal_matrices(n: int, d: int, lam: F, mu: F) -> list[list[list[Any]]]:
    r"""Return the $A_i=\frac{\nu_i}4T+sI$, literally, for d = 1 or 2 in rationals."""
    first = {1: F(1, 2), 2: F(1, 4)}[d]  # sin^2 of pi/4 and of pi/6
    T = [[2 if j == k else -1 if abs(j - k) == 1 else 0 for k in range(d)] for j in range(d)]
    matrices = []
    for i in range(1, n + 1):
        factor = 1 + lam * (F(2 * i - 1, n) - 1)
        matrices.append(
            [[factor * T[j][k] / 4 + (mu - first) * (j == k) for k in range(d)] for j in range(d)]
        )
    return matrices


def is_largest_eigenvalue(matrix: Sequence[Sequence[Any]], value: Any) -> bool:
    """Decide for a symmetric matrix (1, 1) or (2, 2), exactly: a root, not below half of the trace."""
    if len(matrix) == 1:
        return bool(matrix[0][0] == value)
    (a, b), (_, c) = matrix
    return bool((a - value) * (c - value) == b * b and 2 * value >= a + c)


@judge.exact(instances=RATIONAL)
def literal(law: Law, n: int, d: int, lam: F, mu: F) -> Iterable[Comparison]:
    """Largest eigenvalues of literal matrices, in rationals, against the formulas."""
    A: list[Any] = [np.array(item, dtype=object) for item in literal_matrices(n, d, lam, mu)][:: law.order()]
    mean: Any = sum(A) / F(n)
    squares = [item @ item for item in A]

    def largest(label: str, matrix: Any, value: Any) -> Comparison:
        return eq(label, int(is_largest_eigenvalue(matrix.tolist(), rational(value))), 1)

    def total(weights: Sequence[Any]) -> Any:
        return sum(law.share(w, n) * item for w, item in zip(weights, squares, strict=True))

    factors = [law.exactly("factor", n=n, lam=lam, i=i) for i in range(n)]
    yield eq("mean factor", sum(factors), n)
    variance = sum((item - 1) ** 2 for item in factors) / n
    yield eq("variance of the factors", variance, law.exactly("variance", n=n, lam=lam))
    L_minus = law.exactly("L_minus", d=d, mu=mu)
    yield largest("L_minus", mean, L_minus)
    yield largest("smallest eigenvalue", -mean, -law.smallest(mu))
    equal = [F(1, n)] * n
    yield largest("L_plus", total(equal), law.exactly("L_plus", n=n, d=d, lam=lam, mu=mu) ** 2)
    yield largest("L_pm", total(equal) - mean @ mean, law.exactly("exact", n=n, d=d, lam=lam) ** 2)
    L = [law.exactly("L_client", n=n, d=d, lam=lam, mu=mu, i=i) for i in range(n)][:: law.order()]
    for matrix, constant in zip(A, L, strict=True):
        yield largest("L of a client", matrix, constant)
    weighted = total(law.weights(L))
    yield largest("weighted L_plus", weighted, L_minus**2)
    stated = law.exactly("weighted_square", n=n, d=d, lam=lam, mu=mu)
    yield largest("weighted L_pm", weighted - mean @ mean, stated)


@judge.exact(instances=DENSE | LARGE)
def dense(law: Law, n: int, d: int, lam: float, mu: float) -> Iterable[Comparison]:
    """Numerical eigenvalues of the matrices of `impl`, and its constants, against the formulas."""
    problem = tridiagonal(n, d, heterogeneity=lam, mu=mu)
    A = problem.matrices[:: law.order()]
    mean = A.mean(axis=0)
    ends = np.linalg.eigvalsh(mean)[[0, -1]]
    L_minus = law("L_minus", d=d, mu=mu)
    # mu is small against the matrices, which are known to their last digits.
    yield eq("smallest eigenvalue", float(ends[0]) + L_minus, law.smallest(mu) + L_minus, ROUND_OFF)
    yield eq("L_minus", float(ends[-1]), L_minus, ROUND_OFF)
    L = np.array([law("L_client", n=n, d=d, lam=lam, mu=mu, i=i) for i in range(n)])[:: law.order()]
    for matrix, constant in zip(A, L, strict=True):
        own = float(np.abs(np.linalg.eigvalsh(matrix)).max())
        yield eq("L of a client", own, float(constant), ROUND_OFF)

    def root(weights: Any, less: float) -> float:
        total = sum(law.share(w, n) * (M @ M) for w, M in zip(weights, A, strict=True)) - less * mean @ mean
        return float(np.sqrt(np.linalg.eigvalsh(total)[-1]))

    uniform, plus, pm = (
        np.full(n, 1 / n),
        law("L_plus", n=n, d=d, lam=lam, mu=mu),
        law("exact", n=n, d=d, lam=lam),
    )
    yield eq("L_plus", root(uniform, 0.0), plus, ROUND_OFF)
    yield eq("L_pm", root(uniform, 1.0), pm, ROUND_OFF)
    weights = np.array(law.weights(list(L)), dtype=float)
    weighted = law("weighted_square", n=n, d=d, lam=lam, mu=mu) ** 0.5
    yield eq("weighted L_plus", root(weights, 0.0), L_minus, ROUND_OFF)
    found = smoothness_constants(problem)
    by_weight = smoothness_constants(problem, weights[:: law.order()])
    yield eq("L_minus of impl", found.L_minus, L_minus, ROUND_OFF)
    yield eq("L_plus of impl", found.L_plus, plus, ROUND_OFF)
    yield eq("L_pm of impl", found.L_pm, pm, ROUND_OFF)
    yield eq("weighted L_plus of impl", by_weight.L_plus, L_minus, ROUND_OFF)
    # Matrices that agree up to 4e-5 are subtracted, which leaves 1e-11 of float64.
    yield eq("weighted L_pm", by_weight.L_pm, weighted, DRIFT)
    if (n, d) in GAINS:
        yield eq("gain of weights", pm / weighted, GAINS[n, d], printed(5))


@judge.adversarial(instances=DENSE, label="variance")
def products(law: Law, n: int, d: int, lam: float, mu: float) -> AdversarialCase:
    """Variance of the products A_i h over directions h, against the stated constant."""
    problem = tridiagonal(n, d, heterogeneity=lam, mu=mu)
    square = law("exact", n=n, d=d, lam=lam) ** 2

    def variance(h: Any) -> Any:
        found = problem.gradients(h) - problem.gradients(np.zeros(d))
        return ((found - found.mean(axis=-2, keepdims=True)) ** 2).sum(axis=(-1, -2)) / n

    last = np.sin(np.arange(1, d + 1) * d * np.pi / (d + 1))
    return AdversarialCase(variance, lambda h: square * (h**2).sum(axis=-1), d, starts=(last,), budget=300)


@judge.exact(d=[3, 6])
def roots(law: Law, d: int) -> Iterable[Comparison]:
    """Roots of the matrices of identical clients: the cutoff of rank, and what is refused."""
    for mu, rank in ((0.0, d - 1), (1e-12, d), (1e-6, d)):
        A = tridiagonal(2, d, heterogeneity=0.0, mu=mu).matrices
        found = law.roots(A)
        yield eq("rank", int(found.rank.min()), rank, witness={"mu": mu})
        size = float(np.abs(A).max())
        off = float(np.abs(found.root @ found.root - A).max())
        yield eq("root squared", size + off, size, ROUND_OFF, witness={"mu": mu})
    singular = tridiagonal(2, d, heterogeneity=0.0, mu=0.0).matrices
    null = np.sin(np.arange(1, d + 1) * np.pi / (d + 1)) * np.sqrt(2 / (d + 1))
    for shift in (1e-2, 1e-4, 1e-6):
        absolute = singular - shift * np.eye(d) + 2 * shift * np.outer(null, null)
        smoothness = Quadratic(singular - shift * np.eye(d), convex=False).smoothness
        size = float(np.abs(absolute).max())
        off = float(np.abs(smoothness - absolute).max())
        try:
            found = law.roots(smoothness)
            off += float(np.abs(found.root @ found.root - absolute).max())
        except ArgumentError:  # it is still indefinite
            off += size
        yield eq("root squared", size + off, size, ROUND_OFF, witness={"shift": shift})
    for shift, refused in ((1e-8, 1), (1e-13, 0)):
        try:
            law.roots(singular - shift * np.eye(d))
            raised = 0
        except ArgumentError:
            raised = 1
        yield eq("refused", raised, refused, witness={"shift": shift})


@judge.exact(instances={"differences-tridiagonal": {"problem": "tridiagonal"}})
def differences(law: Law, problem: str) -> Iterable[Comparison]:
    """Values and gradients of a problem against differences of the functions, written out row by row."""
    for item in differences_of(problem, law.faults):
        yield law.read(item)
