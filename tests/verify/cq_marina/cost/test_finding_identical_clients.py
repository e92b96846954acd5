"""Golden numbers of the specification for compressed gradients on identical clients."""

import pytest

import theory
from verify.cq_marina.cost.finding_identical_clients import ACCURACY, bits_of_runs, judge
from verify.cq_marina.fixtures.psi import psi
from verify.evaluation import evaluate

CLAIM = theory.claim("cq_marina/finding-identical-clients")


def test_costs_at_noise_one():
    # "A = 1: .0625 vs .4018": four digits after the point.
    best = psi(1, 1 / 32)
    assert best.value == pytest.approx(0.4018, abs=5e-5)
    values = {"A": 1, "c": 1 / 32, "p": best.probability}
    assert evaluate(CLAIM.bound, values) == pytest.approx(best.value, rel=1e-12)


@pytest.mark.parametrize("A", [0.01, 0.25, 1, 5, 7.5, 8, 20, 30.9])
def test_dcgd_is_cheaper_below_the_threshold(A):
    assert evaluate(CLAIM.formulas["dcgd_cost"], {"A": A, "c": 1 / 32}) < psi(A, 1 / 32).value


def test_marina_needs_the_bits_of_the_table():
    # exp-quadratic, IQ-bin at n = 50: 40.49 kbits; the specification allows 1 %, the digits given 0.005.
    dcgd, marina = bits_of_runs(judge._law(), 50, 32, ACCURACY)
    assert marina / 1000 == pytest.approx(40.49, abs=5e-3)
    assert dcgd < marina / 4
