"""Rational roots: exact beyond what float64 holds, and refused where there is none."""

from fractions import Fraction as F

import pytest

from verify.expectation.rational_norm import block_norms, rational_norm, rational_root


def test_roots_are_exact():
    large = 3**60
    assert rational_root(F(large**2, (large + 1) ** 2)) == F(large, large + 1)
    assert rational_root(0) == 0
    assert rational_norm((F(3, 2), 2)) == F(5, 2)
    assert block_norms((3, 4, 5), (2, 1)) == [5, 5, 5]


@pytest.mark.parametrize("square", [2, F(1, 2), 3**60 + 1])
def test_irrational_roots_are_refused(square):
    with pytest.raises(ValueError, match="not the square of a rational number"):
        rational_root(square)


def test_irrational_norms_are_refused():
    with pytest.raises(ValueError, match="Pythagorean"):
        rational_norm((1, 1))
