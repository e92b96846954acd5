"""Golden numbers of the specification on `cq_marina/comm-scaling` and `cq_marina/finding-message-size`."""

import math

import pytest

import theory
from verify.cq_marina.cost.comm_scaling import DOUBLING, fixed_hessian_variance, slopes
from verify.cq_marina.fixtures.psi import cost, psi
from verify.evaluation import evaluate

CLAIM = theory.claim("cq_marina/comm-scaling")
FINDING = theory.claim("cq_marina/finding-message-size")

# Given with 13 digits.
DIGITS = 1e-12


@pytest.mark.parametrize(
    ("A", "c", "expected"),
    [
        (0.25, 1 / 32, 0.2277298128741),
        (1.0, 1 / 32, 0.4018488213303),
        (0.25, 1 / 16, 0.3449322716641),
    ],
)
def test_psi(A, c, expected):
    assert psi(A, c).value == pytest.approx(expected, rel=DIGITS)


@pytest.mark.parametrize(
    ("name", "n", "expected"),
    [("iq", 10, 9.439279633531), ("iq", 40, 4.719639816766), ("cq", 10, 3), ("cq", 40, 0.75)],
)
def test_excess(name, n, expected):
    found = evaluate(CLAIM.formulas[f"excess_{name}"], {"d": 100, "n": n, "p": 0.1})
    assert found == pytest.approx(expected, rel=DIGITS)


@pytest.mark.parametrize(
    ("A", "expected"),
    [(1e-4, 0.0795), (1e-3, 0.148), (1e-2, 0.245), (0.1, 0.350), (1, 0.430), (3.16, 0.456)],
)
def test_elasticity(A, expected):
    found = evaluate(CLAIM.formulas["elasticity"], {"A": A, "p": psi(A, 1 / 32).probability})
    assert found == pytest.approx(expected, abs=5e-4)


def test_threshold_and_jump():
    formulas = theory.claim("cq_marina/comm-ratio").formulas
    threshold = evaluate(formulas["threshold"], {"c": 1 / 32})
    assert threshold == 961 / 128 == pytest.approx(7.5078, abs=5e-5)
    assert psi(threshold * (1 + 1e-12), 1 / 32).probability == 1
    before = psi(threshold * (1 - 1e-12), 1 / 32).probability
    assert before == pytest.approx(evaluate(formulas["jump"], {"c": 1 / 32}), rel=1e-5)
    assert before == pytest.approx(0.03, abs=5e-4)


def test_exponents_withfixed_hessian_variance():
    sizes = (*DOUBLING, 1600)
    excess = [math.sqrt(float(fixed_hessian_variance(n)[1])) for n in sizes]
    assert slopes(sizes, excess) == pytest.approx([-0.511, -0.009, -0.009, -0.500], abs=5e-4)


@pytest.mark.parametrize("d", [10**4, 10**6, 10**8])
@pytest.mark.parametrize("n", [3, 1000, 10**6])
def test_cost_with_messages_of_one_float(n, d):
    for noise, order in ((d / n**2, 1 + d / n), (d / n, 1 + d / math.sqrt(n))):
        assert 1.99 <= d * cost(noise, 1 / d, 1 / d) / order <= 2


@pytest.mark.parametrize("n", [10**4, 10**6])
def test_one_bit_messages_exceed_the_order(n):
    factor = evaluate(FINDING.formulas["overshoot"], {"n": n})
    found = n * psi(1 / n, (32 + n) / (32 * n)).value / 4
    assert found >= factor == (32 + n) / 128
