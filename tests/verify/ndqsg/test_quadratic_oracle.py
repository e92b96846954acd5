"""Exact recursions against direct enumeration and sampling."""

import itertools
from fractions import Fraction as F

import pytest

from verify.ndqsg.fixtures.quadratic_oracle import (
    adaptive_factor,
    adaptive_noise,
    affine_run,
    fixed_scale_run,
    fixed_scale_variance,
    moment,
    rounded_laws,
)


def test_affine_run_is_rational_and_has_its_start():
    assert list(affine_run(F(1, 2), F(1), F(4), 3)) == [4, 3, F(5, 2), F(9, 4)]


def test_variances_of_the_average():
    assert fixed_scale_variance(2, 2, 4) == F(1, 48)
    assert fixed_scale_variance(2, 2, 4, shared=True) == F(1, 12)
    assert fixed_scale_variance(1, 1, 2, F(3)) == F(1, 24) + F(3, 2)


def test_fixed_scale_run_sums_coordinates():
    run = fixed_scale_run((F(1), F(1, 2)), (F(2), F(4)), F(1, 2), F(1), 1)
    assert run == [20, 1 + F(1, 4) + 9 + F(1, 4)]


def test_adaptive_recursion():
    assert adaptive_factor(F(1, 2), 1, 1) == F(1, 4) + F(1, 48)
    assert adaptive_factor(F(1, 2), 1, 4, shared=True) == F(1, 4) + F(1, 48)
    assert adaptive_factor(F(1, 2), 1, 2, dimension=10) == F(17, 48)
    assert adaptive_noise(F(1, 2), 1, 4, F(1)) == F(13, 192)


def test_rounded_laws_against_enumeration():
    lam, eta, step, workers = F(3, 4), F(1, 2), F(1), 2
    laws = list(rounded_laws(lam, F(1), eta, step, workers, 2))
    total = {}
    # Two steps, each worker rounds up with the probability of the fraction.
    for first in itertools.product((0, 1), repeat=workers):
        p = lam
        x = F(1) - eta * sum(first) / workers
        chance = p ** sum(first) * (1 - p) ** (workers - sum(first))
        for second in itertools.product((0, 1), repeat=workers):
            q = lam * x
            low = q // 1
            q -= low
            y = x - eta * (low + F(sum(second), workers))
            weight = chance * q ** sum(second) * (1 - q) ** (workers - sum(second))
            total[y] = total.get(y, F(0)) + weight
    assert sum(laws[2].values()) == pytest.approx(1, rel=1e-14)
    for x, weight in total.items():
        assert laws[2].get(x, 0.0) == pytest.approx(float(weight), abs=1e-15)
    assert moment(laws[2], 2) == pytest.approx(float(sum(w * x**2 for x, w in total.items())), rel=1e-14)


def test_rounding_at_a_point_of_the_grid_is_exact():
    laws = list(rounded_laws(F(1), F(2), F(1), F(1), 3, 1))
    assert laws[1] == {F(0): 1.0}
