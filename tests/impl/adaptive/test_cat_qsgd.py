"""The rule for the number of levels: goldens, ties, ends of the range, bad input."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import cat_qsgd, cat_qsgd_reference
from impl.adaptive.cat_qsgd import MOST_LEVELS
from impl.communication import PRESETS, Payload
from impl.compressors import StochasticQuantizer
from impl.errors import ArgumentError
from verify.cat.fixtures.golden_vectors import gc, gh

GI = np.array([3.0, -1, 4, 1, -5, 9, 2, -6])


# Efficiencies are printed with 12 digits.
@pytest.mark.parametrize(
    ("g", "size", "efficiency"),
    [(GI, 3, 0.0156038830299), (gh(), 7, 0.00291278393082), (gc(), 31, 0.000140853389659)],
    ids=["gi", "gh", "gc"],
)
def test_goldens(g, size, efficiency):
    choice = cat_qsgd(g, Payload())
    assert (choice.size, choice.efficiency) == (size, pytest.approx(efficiency, rel=1e-11))
    assert choice.compressor == StochasticQuantizer(F(1, size))


def test_most_levels_are_255():
    assert MOST_LEVELS == 255
    g = [F(257**2 - 1), F(2 * 257)]  # of the norm 257^2 + 1: 254 levels are too few, and 256 are better
    for rule in (cat_qsgd, cat_qsgd_reference):
        sizes = [rule(g, lambda bits: bits * 0 + 1, most_levels=most).size for most in (254, 255, 256)]
        assert sizes == [129, 255, 256]
        assert rule(g, lambda bits: bits * 0 + 1).size == 255


@pytest.mark.parametrize(("s", "share"), [(1, F(1, 2)), (2, F(1)), (3, F(9, 10)), (4, F(1))])
def test_share_of_equal_entries(s, share):
    g = [F(1)] * 4
    assert 4 / (4 + StochasticQuantizer(F(1, s)).variance(g)) == share


def test_ties_take_the_fewest_levels():
    # 2, 4, 6, ... levels are exact for four equal entries; where the code costs nothing they tie.
    assert cat_qsgd([F(1)] * 4, lambda bits: bits * 0 + 1, most_levels=9).size == 2
    assert cat_qsgd(np.ones(4), lambda bits: bits * 0 + 1.0, most_levels=9).size == 2


def test_more_levels_are_looked_at():
    few, many = cat_qsgd(GI, PRESETS["eth"], most_levels=15), cat_qsgd(GI, PRESETS["eth"])
    assert many.size > few.size
    assert many.efficiency > few.efficiency


@pytest.mark.parametrize("most_levels", [0, -1, 2.5, True, "3"])
def test_bad_numbers_of_levels(most_levels):
    with pytest.raises(ArgumentError, match=r"most_levels=.* must be a positive whole number"):
        cat_qsgd(GI, Payload(), most_levels=most_levels)


def test_all_bad_numbers_are_named_at_once():
    with pytest.raises(ArgumentError, match=r"float_bits=16 must be 32 or 64") as caught:
        cat_qsgd(GI, Payload(), most_levels=0, float_bits=16)
    assert "most_levels=0" in str(caught.value)


def test_an_irrational_norm_in_rationals_is_refused():
    with pytest.raises(ArgumentError, match="cat_qsgd"):
        cat_qsgd([F(1), F(1)], Payload())
