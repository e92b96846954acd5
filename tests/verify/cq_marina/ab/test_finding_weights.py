"""Golden numbers of the finding on weights: what the wrong constant misses."""

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact

FINDING = theory.claim("cq_marina/finding-weights")
TRIDIAG = theory.claim("cq_marina/tridiag")


@pytest.mark.parametrize(
    ("n", "d", "lam", "mu", "ratio"), [(10, 32, 0.5, 1e-6, 1.083), (5, 6, 0.8, 1e-2, 1.223)]
)
def test_golden_ratios(n, d, lam, mu, ratio):
    # omega/n L_plus^2 is the noise; weights like L_i have L_{+,w} = L_-.
    values = {"n": n, "d": d, "lam": lam, "mu": mu}
    missed = evaluate(TRIDIAG.formulas["L_plus"], values) / evaluate(
        TRIDIAG.formulas["L_minus"], {"d": d, "mu": mu}
    )
    assert missed**2 == pytest.approx(ratio, abs=5e-4)  # three decimals are given


def test_two_clients_by_hand():
    lengths, weights = (1, 3), (Rational(1, 4), Rational(3, 4))
    noise = evaluate_exact(FINDING.exact, {"delta": lengths, "omega": (1, 1), "n": 2})
    unaware = evaluate_exact(
        FINDING.formulas["unaware"], {"delta": lengths, "w": weights, "omega_max": 1, "n": 2}
    )
    excess = evaluate_exact(FINDING.formulas["excess"], {"delta": lengths, "n": 2})
    assert (noise, unaware, excess) == (Rational(5, 2), 2, Rational(5, 4))
    # With the right constant, max(omega w) = 3/4, the product is 3: more than for equal weights.
    assert evaluate_exact(FINDING.bound, {"A": Rational(3, 4), "delta": lengths, "w": weights, "n": 2}) == 3


def test_best_weights_reach_the_noise():
    omega, lengths = (1, 2, 4), (3, -1, 2)
    best = [
        evaluate_exact(FINDING.formulas["best_weight"], {"omega": omega, "n": 3, "i": i}) for i in range(3)
    ]
    assert best == [Rational(4, 7), Rational(2, 7), Rational(1, 7)]
    product = evaluate_exact(FINDING.bound, {"A": Rational(4, 7), "delta": lengths, "w": best, "n": 3})
    assert product == evaluate_exact(FINDING.exact, {"delta": lengths, "omega": omega, "n": 3}) == 3


def test_helped_where_the_constant_does_not_grow():
    assert evaluate_exact(FINDING.formulas["helped"], {"A": 1, "L": (1, 3), "n": 2}) == 4
