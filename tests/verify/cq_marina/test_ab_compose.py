"""Golden numbers of the specification on `cq_marina/ab-compose`."""

from fractions import Fraction as F

import pytest

import theory
from verify.cq_marina.ab_compose import INSTANCES, WRONG, constants, stated, weighted_squares
from verify.cq_marina.ab_cq import stated_pair
from verify.evaluation import evaluate_exact

CLAIM = theory.claim("cq_marina/ab-compose")


def bound(name, claimed=constants):
    instance = INSTANCES[name]()
    A, B, weights = claimed(instance)
    M_w, m = weighted_squares(instance.inputs, weights)
    return A * M_w - B * m


def test_permk_iq_in_two_groups():
    values = {"n": 4, "q": 2, "b": 2}
    assert stated("permk_iq_A", values) == F(5, 6)
    assert stated("permk_iq_B", values) == F(1, 3)
    assert bound("permk-iq-p2") == F(83, 100)


def test_single_clients_have_the_constants_of_permk():
    for b in (1, 3, 8):
        values = {"n": 4, "q": 1, "b": b}
        assert (stated("permk_iq_A", values), stated("permk_iq_B", values)) == (b, 1)


@pytest.mark.parametrize("groups", [2, 3, 6])
def test_difference_of_permk_cq(groups):
    n, d = 12, 24
    values = {"n": n, "q": n // groups, "b": d // groups, "d": d, "groups": groups}
    difference = stated("permk_cq_A", values) - stated("permk_cq_B", values)
    assert difference == stated("permk_cq_difference", values) == F(d * groups, n * n)


def test_importance_sampling():
    assert bound("is-randk-p2") == F(125125, 100000)
    assert bound("partition-p2") == F(117125, 100000)
    A, B = stated_pair(2, 4)
    assert stated("is_cq_A", {"tau": 2, "d": 4}) == A + (1 - B) / 2
    assert stated("is_cq_B", {"tau": 2, "d": 4}) == B + (1 - B) / 2


@pytest.mark.parametrize(
    ("name", "mutant", "factor"),
    [
        ("permk-cq-ones", "b-without-factor", 1.5),
        ("permk-cq-one-client-12", "theta-one-over-q", 1.0476),
    ],
)
def test_factors_of_mutants(name, mutant, factor):
    # Both bounds are attained, so that the quotient of bounds is that of error and mutant's bound.
    assert float(bound(name) / bound(name, WRONG[mutant])) == pytest.approx(factor, abs=5e-5)


def test_worst_cases():
    for case in CLAIM.worst_cases:
        assert evaluate_exact(CLAIM.bound, case.values) == case.value
