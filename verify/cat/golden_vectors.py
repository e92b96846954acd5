"""Public vectors and problems of the paper's specification, section 0.1 (arXiv 2003.06377)."""

from fractions import Fraction
from typing import Any

import numpy as np

from impl.problems import Logistic, Quadratic

GI = (3, -1, 4, 1, -5, 9, 2, -6)
"""Eight whole numbers; the squared norm is 173, the sum of magnitudes 31."""


def rational(values: Any) -> list[Fraction]:
    """Return a vector of whole numbers as Fractions."""
    return [Fraction(item) for item in values]


def gh() -> Any:
    """Return (-1)^j / j for j = 1, ..., 64."""
    j = np.arange(1, 65)
    return (-1.0) ** j / j


def gc() -> Any:
    """Return cos j for j = 1, ..., 1000, flat but for its signs."""
    return np.cos(np.arange(1, 1001))


def flat(d: int) -> Any:
    """Return ones, (d,)."""
    return np.ones(d)


def geometric(rho: float, d: int) -> Any:
    """Return entries whose squares are rho^(j-1)."""
    return rho ** (np.arange(d) / 2)


def quad() -> Quadratic:
    """Return x^T H x / 2, d = 20, H = diag(1/j) + v v^T with v_j = sin(j) / 2; it starts at ones."""
    j = np.arange(1, 21)
    v = np.sin(j) / 2
    return Quadratic((np.diag(1 / j) + np.outer(v, v))[None])


def isotropic(d: int, L: float = 1.0) -> Quadratic:
    """Return L ||x||^2 / 2 for one node."""
    return Quadratic(np.full((1, d), float(L)))


MN2_MATRICES = ((2, 1), (1, Fraction(3, 2))), ((1, Fraction(-1, 2)), (Fraction(-1, 2), 2))
MN2_LINEAR = (1, -1), (Fraction(1, 2), 2)
MN2_START = (1, -2)


def mn2() -> Quadratic:
    """Return the two nodes x^T H_i x / 2 - b_i^T x in two dimensions; it starts at (1, -2)."""
    matrices = np.array([[[float(item) for item in row] for row in matrix] for matrix in MN2_MATRICES])
    return Quadratic(matrices, np.array([[float(item) for item in row] for row in MN2_LINEAR]))


MN4_CENTERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def mn4() -> Quadratic:
    """Return ||x - c_i||^2 / 2 for the four corners c_i of a square."""
    return Quadratic.from_centers(np.ones((4, 2)), np.array(MN4_CENTERS, dtype=float))


def logi(m: int, d: int, a: float, b: float, decay: float, ridge: float, n: int = 1) -> Logistic:
    """Return the logistic regression of section 0.1, its rows cut contiguously over n nodes."""
    i, j = np.arange(1, m + 1)[:, None], np.arange(1, d + 1)[None, :]
    X = np.cos(a * i * j + b * j**2) * j ** (-decay)
    w = np.where(np.arange(1, d + 1) % 2 == 0, 1.0, -1.0)
    scores = X @ w + 0.3 * np.sin(7.3 * np.arange(1, m + 1))
    y = np.where(scores >= 0, 1.0, -1.0)
    return Logistic(X.reshape(n, m // n, d), y.reshape(n, m // n), ridge)


def lf(n: int = 1) -> Logistic:
    """Return the set LF, whose gradients are flat."""
    return logi(120, 256, 0.9, 0.31, 0.75, 0.01, n)


def ls(n: int = 1) -> Logistic:
    """Return the set LS, whose gradients are steep."""
    return logi(200, 512, 0.9, 0.31, 2.0, 0.01, n)
