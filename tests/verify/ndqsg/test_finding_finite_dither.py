"""Numbers of the finding on finite dithers."""

from fractions import Fraction as F

import pytest
from sympy import Rational

import theory
from impl.compressors import DitheredQuantizer
from verify.evaluation import evaluate_exact, names
from verify.ndqsg.dither_finite import moments
from verify.ndqsg.finding_finite_dither import Misaligned, errors

CLAIM = theory.claim("ndqsg/finding-finite-dither")


def stated(name, **values):
    formula = CLAIM.expressions[name]
    return evaluate_exact(formula, {key: values[key] for key in names(formula)})


def test_four_points():
    # 5 workers for N = 4, as the statement says: there both parts of the mean square are 1/64.
    assert stated("workers", N=4) == 5
    assert stated("second", N=4, delta=1) / 5 == stated("bound", N=4, delta=1) ** 2 == Rational(1, 64)
    assert moments(DitheredQuantizer, F(1, 8), 4) == (F(1, 8), F(5, 64))


def test_many_workers_at_a_tie():
    average, second = stated("average", N=4, delta=1, P=64), stated("second", N=4, delta=1) / 64
    # The squared mean is 12.8 times the variance, in two digits 13.
    assert float((average - second) / second) == pytest.approx(13, abs=0.5)


def test_24_bits():
    assert stated("bound", N=2**24, delta=1) == Rational(1, 2**25)
    assert float(stated("workers", N=2**24)) == pytest.approx(9.4e13, rel=5e-3)  # two digits


@pytest.mark.parametrize("N", [2, 3, 16])
def test_no_variance_and_no_fourth_moment_depends_on_the_input(N):
    seen = set()
    for x in (F(0), F(1, 3), F(-2, 7), F(1, 2), F(9, 10), F(12, 7)):
        found = errors(DitheredQuantizer, x, N)
        mean = sum(found) / N
        seen.add(tuple(sum((e - mean) ** order for e in found) / N for order in (2, 3, 4)))
    ((second, third, fourth),) = seen
    step = F(3, 2)
    assert second == stated("second", N=N, delta=step)
    assert third == 0
    assert fourth == stated("fourth", N=N, delta=step)


def test_misaligned_points_double_the_largest_mean():
    found = errors(Misaligned, F(1, 8), 4)
    assert sum(found) / 4 == F(3, 2) * F(1, 4)


def test_worst_cases():
    for case in CLAIM.worst_cases:
        name = "average" if "P" in case.values else "bound"
        assert stated(name, **case.values) == case.value
