"""Golden numbers of the specification for a fixed number of entries: flat starts, worst-case costs."""

from fractions import Fraction as F

import pytest
from sympy import Integer, Rational

import theory
from impl.communication import Affine
from verify.cat.fixed_size import fixed_size
from verify.cat.rational_descent import RationalQuadratic, descend
from verify.evaluation import evaluate_exact

CLAIM = theory.claim("cat/worst-case-fixed")
FINDING = theory.claim("cat/finding-fixed-sparsity")


@pytest.mark.parametrize(("T", "iterations"), [(1, 64), (3, 22), (20, 4), (64, 1)])
def test_iterations_of_a_flat_start(T, iterations):
    assert evaluate_exact(CLAIM.exact, {"d": 64, "T": T}) == iterations
    states = descend(RationalQuadratic((2,) * 64), fixed_size(T, Affine(1, 0)), [1] * 64, 99)
    assert len(states) == iterations


def test_the_mutant_claims_half():
    assert evaluate_exact(CLAIM.exact, {"d": 64, "T": 2}) == 32


def test_iterations_are_the_rounded_up_quotient():
    for d in range(1, 40):
        for T in range(1, d + 1):
            assert evaluate_exact(CLAIM.exact, {"d": d, "T": T}) == -(-d // T)


def test_payload_is_the_same_for_all_sizes_and_a_fixed_cost_makes_it_fall():
    values = {"d": 64, "A": 7, "c_1": 3}
    payload = [evaluate_exact(CLAIM.bound, {**values, "c_0": 0, "T": T}) for T in (1, 3, 20, 64)]
    assert payload == [evaluate_exact(CLAIM.formulas["payload"], values)] * 4 == [7 * 64 * 3] * 4
    affine = [evaluate_exact(CLAIM.bound, {**values, "c_0": 5, "T": T}) for T in range(1, 65)]
    assert affine == sorted(affine, reverse=True)
    assert len(set(affine)) == 64
    saved = evaluate_exact(CLAIM.formulas["saved_by_one_more"], {"A": 7, "c_0": 5, "d": 64, "T": 3})
    assert affine[2] - affine[3] == saved == Rational(7 * 5 * 64, 12)


def test_a_flat_start_saves_nothing_and_a_share_above_the_stated_one_does():
    whole = {"d": 64, "c_0": 5, "c_1": 1}
    for T in (1, 3, 20, 63):
        assert evaluate_exact(FINDING.exact, {**whole, "T": T}) > evaluate_exact(FINDING.bound, whole) == 69
    assert evaluate_exact(FINDING.exact, {**whole, "T": 64}) == 69
    share = evaluate_exact(FINDING.formulas["break_even"], {**whole, "T": 20})
    assert share == Rational(25, 69)
    assert 25 / share == Integer(69)
    assert F(20, 64) < F(25, 69)
