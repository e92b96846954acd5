"""Relations of the smoothness constants, from the formulas alone."""

import numpy as np
import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/hv-relations")


def test_two_multiples_of_one_quadratic():
    lengths, weights = (1, 3), (Rational(1, 4), Rational(3, 4))
    values = {"L": lengths, "w": weights, "n": 2}
    assert evaluate_exact(CLAIM.bound, values) == 4
    assert evaluate_exact(CLAIM.bound, {**values, "w": (Rational(1, 2),) * 2}) == 5
    assert evaluate_exact(CLAIM.formulas["best_value"], {"L": lengths, "n": 2}) == 4
    changes = {"delta": lengths, "w": weights, "n": 2}
    assert evaluate_exact(CLAIM.formulas["mean_square"], changes) == 4
    assert evaluate_exact(CLAIM.formulas["variance"], changes) == 0
    for case in CLAIM.worst_cases:
        assert evaluate_exact(CLAIM.bound, dict(case.values)) == case.value


def test_weighted_mean_square_is_at_least_the_squared_mean():
    rng = np.random.default_rng(0)
    for n in (1, 2, 7):
        delta, weights = rng.standard_normal(n), rng.dirichlet(np.ones(n))
        values = {"delta": delta, "w": weights, "n": n}
        square = evaluate(CLAIM.formulas["mean_square"], values)
        mean = evaluate(CLAIM.formulas["mean"], {"delta": delta, "n": n})
        variance = evaluate(CLAIM.formulas["variance"], values)
        assert square >= mean**2 * (1 - 1e-13)  # rounding where both are equal, n = 1
        assert variance == pytest.approx(square - mean**2, rel=1e-10, abs=1e-13)


def test_sum_rule():
    assert evaluate_exact(CLAIM.formulas["sum_rule"], {"L_pm": 3, "L_minus": 4}) == 25
