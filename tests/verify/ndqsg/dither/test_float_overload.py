"""Golden counts of indices that overflow in single precision, and edges of floating point."""

import numpy as np
import pytest

import theory
from verify.ndqsg.fixtures.index_rules import half_to_even, honest, nearest_scale, reciprocal

CLAIM = theory.claim("ndqsg/finding-float-index")
COUNTS = {1: 1, 3: 2, 7: 4, 127: 64}
TOP = 0.5 - 2.0**-25


def test_half_to_even_at_the_end_of_a_closed_dither():
    for levels in (1, 3, 7):
        assert half_to_even(np.array([-1.0]), levels, np.array([[-0.5]]))[0, 0] == -(levels + 1)
        assert np.floor(-levels - 0.5 + 0.5) == -levels


def test_subnormal_scales_need_a_true_division():
    f = np.float32
    with np.errstate(all="ignore"):
        assert np.isinf(f(1) / f(1e-39))
        assert f(5e-40) / f(1e-39) == pytest.approx(0.5, rel=1e-5)  # subnormal numbers have few digits
        assert np.isnan(f(0) * (f(1) / f(1e-39)))
    block, u = np.array([5e-324, 0.0]), np.array([[0.25, 0.25]])
    assert reciprocal(block, 1, u).max() == 2
    assert honest(block, 1, u).max() == 1


def test_nearest_scale_overflows_at_seven_tenths():
    u = np.array([[TOP]])
    assert nearest_scale(np.array([0.7]), 3, u)[0, 0] == 4
    assert honest(np.array([0.7]), 3, u)[0, 0] == 3
    assert nearest_scale(np.array([1.0]), 127, u)[0, 0] == 127
