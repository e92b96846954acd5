"""Golden numbers of the specification for the bound by the mean deviation."""

from fractions import Fraction

import pytest

from impl.compressors.stratified_variance import stratified_variance_literal
from verify.cq_marina.quantizer.cq_1d_bound import (
    INSTANCES,
    eighth,
    half_deviation,
    independent_variance,
    judge,
)

LAW = judge._law()


def deviation(x):
    return LAW.exactly("mean_deviation", x=x, n=len(x))


def variance(x):
    return stratified_variance_literal(x) / Fraction(len(x)) ** 2


def bound(x, law=LAW):
    return law.exactly("bound", sigma_md=deviation(x), low=0, high=1, n=len(x))


def test_second_constant_is_attained():
    for n in range(1, 6):
        x = (Fraction(1, 2 * n),) * n
        assert variance(x) == bound(x) == Fraction(1, 4 * n**2) == 2 * bound(x, eighth(LAW))


def test_first_constant_is_nearly_attained():
    x = INSTANCES["first-term"]["x"]
    assert variance(x) / (deviation(x) / 9) == 1 - Fraction(9, 80_000)


def test_half_the_first_constant_is_broken_by_a_hundred_clients():
    x = INSTANCES["hundred"]["x"]
    assert deviation(x) == Fraction(1, 50)
    # Four decimals are given.
    assert float(variance(x) / bound(x, half_deviation(LAW))) == pytest.approx(1.2929, abs=5e-5)
    assert variance(x) < bound(x)


def test_independent_thresholds_break_it_by_n():
    for n in (2, 4, 6):
        x = (Fraction(1, 2),) * n
        assert independent_variance(x) / n**2 == n * bound(x) == n * Fraction(1, 4 * n**2)


def test_bound_scales_with_the_interval():
    found = LAW("bound", sigma_md=0.3, n=7, low=-0.5, high=1.5)
    assert found == pytest.approx(0.6 / 7 + 1 / 49, rel=1e-14)
