"""Golden numbers of the specification for shares of the largest entries."""

import numpy as np
import pytest

import theory
from verify.cat.descent.s_descent import PROBLEMS, judge, logistic, worst
from verify.cat.fixtures.golden_vectors import gc, geometric, gh
from verify.evaluation import evaluate

LAW = judge._law()
# Shares are printed with 12 digits.
DIGITS = 5e-12


def share(g, size):
    squares = np.sort(g**2)[::-1].tolist()
    return evaluate(
        theory.claim("cat/s-descent").formulas["share"], {"a": squares, "T": size, "d": len(squares)}
    )


@pytest.mark.parametrize(
    ("g", "size", "golden"),
    [
        (gh(), 5, 0.898234757386),
        (gh(), 1, 0.613711354449),
        (gc(), 50, 0.0998224714672),
        (gc(), 1, 0.00200077058302),
    ],
)
def test_shares(g, size, golden):
    assert share(g, size) == pytest.approx(golden, rel=DIGITS)


def test_geometric_shares():
    assert share(geometric(0.9, 1000), 11) == pytest.approx(1 - 0.9**11, rel=1e-13)


def test_the_search_starts_where_the_bound_is_attained():
    problem, start = PROBLEMS["quadratics"]
    stated, real = worst(LAW, problem, start[None])
    assert stated[0] / real[0] == pytest.approx(1, abs=1e-14)


def test_logistic_decreases_are_those_of_the_loss():
    rows = np.array([[1.0, 0.2, -1.0, 0.5, 0.3, 1.0, 0.7, -0.4]])
    X, x = rows[0, :6].reshape(3, 2), rows[0, 6:]

    def loss(point):
        return np.log1p(np.exp(-X @ point)).mean()

    g = -X.T @ (1 / (1 + np.exp(X @ x))) / 3
    L = np.linalg.eigvalsh(X.T @ X)[-1] / 12
    stated, real = logistic(LAW, rows)
    assert real[0, 1] == pytest.approx(loss(x) - loss(x - g / L), rel=1e-12)
    assert stated[0, 1] == pytest.approx(g @ g / (2 * L), rel=1e-14)
    kept = np.where(np.abs(g) == np.abs(g).max(), g, 0.0)
    assert real[0, 0] == pytest.approx(loss(x) - loss(x - kept / L), rel=1e-12)
