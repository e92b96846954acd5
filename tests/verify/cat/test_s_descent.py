"""Golden numbers of the specification for descent along the largest entries, and the shape of the share."""

from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from verify.cat.golden_vectors import GI, flat, gc, geometric, gh
from verify.cat.s_descent import STARTS, Sabotage, logistic, stated_decrease, stated_share, worst
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cat/s-descent")
SHAPE = theory.claim("cat/alpha-shape")
# Shares are printed with 12 digits.
DIGITS = 5e-12


def share(g, size):
    squares = np.sort(g**2)[::-1].tolist()
    return evaluate(CLAIM.formulas["share"], {"a": squares, "T": size, "d": len(squares)})


def test_shares_of_gi():
    golden = [81, 117, 142, 158, 167, 171, 172, 173]
    assert [stated_share(GI, size) for size in range(1, 9)] == [F(item, 173) for item in golden]


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
    squares = np.sort(g**2)[::-1].tolist()
    values = {"a": squares, "T": size, "d": len(squares)}
    assert evaluate(SHAPE.exact, values) == pytest.approx(golden, rel=DIGITS)


def test_flat_shares_are_exact():
    for d in (1, 4, 12):
        for size in range(1, d + 1):
            values = {"a": [1] * d, "T": size, "d": d}
            assert evaluate_exact(SHAPE.exact, values) == evaluate_exact(SHAPE.bound, {"T": size, "d": d})
    assert share(flat(64), 16) == 0.25


def test_geometric_shares():
    assert share(geometric(0.9, 1000), 11) == pytest.approx(1 - 0.9**11, rel=1e-13)


def test_decrease_at_the_best_step():
    assert stated_decrease(F(173), F(142, 173), F(1), F(1)) == 71
    assert stated_decrease(F(173), F(142, 173), F(1, 3), F(3)) == F(71, 3)
    values = {"L": 3, "alpha": F(142, 173), "G": 173}
    assert evaluate_exact(CLAIM.formulas["decrease"], values) == Rational(71, 3)
    assert evaluate_exact(CLAIM.formulas["step_size"], {"L": 3}) == Rational(1, 3)
    assert stated_decrease(F(173), F(1), F(2), F(1)) == 0


def test_mutants_of_the_specification():
    stated = stated_decrease(F(1), F(1), F(1), F(1))
    assert stated / stated_decrease(F(1), F(1), F(3, 2), F(1)) == F(4, 3)
    smallest = F(1 + 1 + 4, 173)
    assert smallest == F(6, 173)
    # 23.7, three digits.
    assert float(stated_share(GI, 3) / smallest) == pytest.approx(23.7, abs=0.05)
    first = F(3**2 + 1, 173)
    assert first == F(10, 173)
    assert float(F(1, 4) / first) == pytest.approx(4.325, abs=5e-4)


def test_the_search_starts_where_the_bound_is_attained():
    stated, real = worst("quadratics", Sabotage(), STARTS["quadratics"][None])
    assert stated[0] / real[0] == pytest.approx(1, abs=1e-14)
    doubled, real = worst("quadratics", Sabotage(factor=2), STARTS["quadratics"][None])
    assert doubled[0] / real[0] == pytest.approx(2, abs=1e-14)


def test_logistic_decreases_are_those_of_the_loss():
    rows = np.array([[1.0, 0.2, -1.0, 0.5, 0.3, 1.0, 0.7, -0.4]])
    X, x = rows[0, :6].reshape(3, 2), rows[0, 6:]

    def loss(point):
        return np.log1p(np.exp(-X @ point)).mean()

    g = -X.T @ (1 / (1 + np.exp(X @ x))) / 3
    L = np.linalg.eigvalsh(X.T @ X)[-1] / 12
    stated, real = logistic(rows, Sabotage())
    assert real[0, 1] == pytest.approx(loss(x) - loss(x - g / L), rel=1e-12)
    assert stated[0, 1] == pytest.approx(g @ g / (2 * L), rel=1e-14)
    kept = np.where(np.abs(g) == np.abs(g).max(), g, 0.0)
    assert real[0, 0] == pytest.approx(loss(x) - loss(x - kept / L), rel=1e-12)
