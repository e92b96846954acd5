"""Chances and shares by water filling: of any size, at the ends of the range; what is refused."""

import math
from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import SortedGradient, keep_probabilities, omegas
from impl.errors import ArgumentError, NonFiniteError

# Products, sums and one division of some hundred numbers: condition number below 100.
RELATIVE = 1e-13

PI = [3, -1, 4, 1, -5, 9, 2, -6]


@pytest.mark.parametrize("T", [F(1, 7), F(3, 4), F(5, 2), F(31, 9), F(15, 2), 8])
def test_chances_of_any_real_size(T):
    g = [F(item) for item in PI]
    p = keep_probabilities(g, T)
    assert sum(p) == T
    assert max(p) <= 1
    np.testing.assert_allclose(keep_probabilities(PI, float(T)), p.astype(float), rtol=RELATIVE)
    # Where an entry is not sure its chance is in proportion to it.
    assert len({item / abs(entry) for item, entry in zip(p, g, strict=True) if item < 1}) <= 1


def test_zeros_have_no_chance_and_all_entries_are_sure_in_the_end():
    p = keep_probabilities([0.0, 3, -1, 0], 2)
    assert p.tolist() == [0, 1, 1, 0]
    assert keep_probabilities([F(0), F(3), F(-1)], 2).tolist() == [0, 1, 1]


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-200, 1e150, 1e300])
def test_scale_does_not_matter(scale):
    g = np.array([1.0, -2, 4, 8])
    scaled = omegas(SortedGradient(scale * g, "test"))
    np.testing.assert_allclose(scaled, omegas(SortedGradient(g, "test")), rtol=RELATIVE)
    np.testing.assert_allclose(keep_probabilities(scale * g, 2), keep_probabilities(g, 2), rtol=RELATIVE)


def test_tiny_entries_keep_a_chance():
    g = np.array([1.0, 1, 1, 5e-324])
    assert keep_probabilities(g, 1)[3] == math.ulp(0.0)
    assert omegas(SortedGradient(g, "test"))[0] == pytest.approx(1 / 3, rel=RELATIVE)
    wide = np.array([1e300, 1e-300, 5e-324])  # the squares of the last two are 1e-1200 of the first, or less
    assert np.all(keep_probabilities(wide, 1) > 0)
    assert np.isfinite(omegas(SortedGradient(wide, "test"))).all()


@pytest.mark.parametrize("size", [0, -1, 4, float("nan")])
def test_sizes_out_of_range(size):
    with pytest.raises(ArgumentError, match=r"size=.* must be above 0 and at most 3, the number of nonzeros"):
        keep_probabilities([1.0, 0, 2, 3], size)


def test_bad_gradients():
    with pytest.raises(NonFiniteError, match=r"g\[1\]=nan must be finite"):
        keep_probabilities([1.0, float("nan")], 1)
    with pytest.raises(ArgumentError, match="must be a vector"):
        keep_probabilities([[1.0, 2]], 1)


@pytest.mark.parametrize("size", ["a", None, True])
def test_a_size_that_is_no_number(size):
    for g in ([3.0, 4.0], [F(3), F(4)]):
        with pytest.raises(ArgumentError, match=f"keep_probabilities: size={size!r} must be above 0"):
            keep_probabilities(g, size)
