"""Golden numbers of the specification for the bound by the mean deviation."""

from fractions import Fraction

import pytest
from sympy import Rational

import theory
from impl.compressors.stratified_variance import stratified_variance_literal
from verify.cq_marina.cq_1d_bound import INSTANCES, changed_bound, independent_variance
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/cq-1d-bound")


def deviation(x):
    return evaluate_exact(CLAIM.formulas["mean_deviation"], {"x": x, "n": len(x)})


def variance(x):
    found = stratified_variance_literal(x) / Fraction(len(x)) ** 2
    return Rational(found.numerator, found.denominator)


def bound(x, formula=CLAIM.bound):
    return evaluate_exact(formula, {"sigma_md": deviation(x), "width": 1, "n": len(x)})


def test_second_constant_is_attained():
    for n in range(1, 6):
        x = (Fraction(1, 2 * n),) * n
        assert variance(x) == bound(x) == Rational(1, 4 * n**2)
        assert variance(x) == 2 * bound(x, changed_bound("eighth"))


def test_first_constant_is_sharp():
    x = INSTANCES["first-term"].x
    ratio = variance(x) / (deviation(x) / 9)
    assert ratio == 1 - Rational(9, 80_000)
    assert ratio >= Rational(9998, 10_000)


def test_half_the_first_constant_is_broken_by_a_hundred_clients():
    x = INSTANCES["hundred"].x
    assert deviation(x) == Rational(1, 50)
    # Four decimals are given.
    ratio = variance(x) / bound(x, changed_bound("half-deviation"))
    assert float(ratio) == pytest.approx(1.2929, abs=5e-5)
    assert variance(x) < bound(x)


def test_independent_thresholds_break_it_by_n():
    for n in (2, 4, 6):
        x = (Fraction(1, 2),) * n
        assert independent_variance(x) / n**2 == n * Fraction(1, 4 * n**2)
        assert bound(x) == Rational(1, 4 * n**2)


def test_bound_scales_with_the_interval():
    values = {"sigma_md": 0.3, "n": 7}
    assert evaluate(CLAIM.bound, {**values, "width": 2.0}) == pytest.approx(0.6 / 7 + 1 / 49, rel=1e-14)


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_worst_cases(case):
    assert evaluate_exact(CLAIM.bound, case.values) == case.value
