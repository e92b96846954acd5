"""Golden numbers of the specification for compressed gradients on identical clients."""

import pytest

import theory
from verify.cq_marina.finding_identical_clients import STATED, compare_runs
from verify.cq_marina.psi import psi
from verify.evaluation import evaluate

CLAIM = theory.claim("cq_marina/finding-identical-clients")


def value(name, **values):
    return evaluate(CLAIM.formulas[name], values)


def test_costs_at_noise_one():
    # "A = 1: .0625 vs .4018": four digits after the point.
    assert value("dcgd_cost", A=1, c=1 / 32) == 0.0625
    assert psi(1, 1 / 32).value == pytest.approx(0.4018, abs=5e-5)
    best = psi(1, 1 / 32)
    assert evaluate(CLAIM.bound, {"A": 1, "c": 1 / 32, "p": best.probability}) == pytest.approx(
        best.value, rel=1e-12
    )


def test_threshold():
    assert value("threshold", c=1 / 32) == 31
    assert value("dcgd_cost", A=31, c=1 / 32) == 1


@pytest.mark.parametrize("A", [0.01, 0.25, 1, 5, 7.5, 8, 20, 30.9])
def test_dcgd_is_cheaper_below_the_threshold(A):
    assert value("dcgd_cost", A=A, c=1 / 32) < psi(A, 1 / 32).value


def test_marina_needs_the_bits_of_the_table():
    # exp-quadratic, IQ-bin at n = 50: 40.49 kbits; the specification allows 1 %, the digits given 0.005.
    (found,) = compare_runs(50, STATED)
    assert found.bound / 1000 == pytest.approx(40.49, abs=5e-3)
    assert found.value < found.bound / 4
