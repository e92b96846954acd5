"""Logistic problems with the nonconvex regulariser, split in file order, and their matrices."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Parts:
    """Rows (N, d), an array or CSR, labels (N,), and the number of clients that share them in file order."""

    rows: Any
    labels: Any
    n: int

    def of_client(self, i: int) -> Any:
        """Return the rows of client i (from 0), dense, by the rule of the specification."""
        total = self.rows.shape[0]
        own = self.rows[i * total // self.n : (i + 1) * total // self.n]
        return own.toarray() if hasattr(own, "tocsr") else own


@dataclass(frozen=True)
class DataConstants:
    r"""Largest eigenvalues of $S_i$ (n,), of $\bar S-S_i/n$ (n,), of $\\bar S$, and the variance at 0."""

    own: tuple[float, ...]
    others: tuple[float, ...]
    mean: float
    variance: float


@functools.cache
def load_parts(name: str, n: int) -> Parts:
    """Return the rows of a data set for n clients; LIBSVM sets are looked for in `BOUNDCHECK_DATA`."""
    from impl.problems import load_breast_cancer, load_libsvm

    rows, labels = load_breast_cancer() if name == "breast-cancer" else load_libsvm(name)
    return Parts(rows, labels, n)


@functools.cache
def synthetic_parts() -> Parts:
    """Return eight rows in the plane for three clients, which get 2, 3 and 3 of them."""
    rng = np.random.Generator(np.random.Philox(11))
    return Parts(rng.standard_normal((8, 2)), np.where(rng.random(8) < 0.5, -1.0, 1.0), 3)


@functools.cache
def constants_of(parts: Parts) -> DataConstants:
    """Return the norms of the data matrices, formed row block by row block."""
    S = []
    for i in range(parts.n):
        rows = parts.of_client(i)
        S.append(rows.T @ rows / (4 * len(rows)))
    mean = sum(S) / parts.n
    return DataConstants(
        tuple(_largest(item) for item in S),
        tuple(_largest(mean - item / parts.n) for item in S),
        _largest(mean),
        _largest(sum((item - mean) @ (item - mean) for item in S) / parts.n),
    )


def problem_of(parts: Parts, ridge: float, order: int = 1) -> Any:
    """Return the problem in `impl`; order -1 numbers the clients in reverse (dense data only)."""
    from impl.problems import Logistic, contiguous_split

    features, labels, counts = contiguous_split(parts.rows, parts.labels, parts.n)
    if order == -1:
        features, labels, counts = features[::-1], labels[::-1], counts[::-1]
    return Logistic(features, labels, ridge, regulariser="nonconvex", counts=counts)


def _largest(matrix: Any) -> float:
    return float(np.linalg.eigvalsh(matrix)[-1])
