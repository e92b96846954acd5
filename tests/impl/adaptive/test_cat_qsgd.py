"""The rule for the number of levels: goldens, literal form, ties, ends of the range, bad input."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import cat_qsgd, cat_qsgd_reference
from impl.adaptive.cat_qsgd import MOST_LEVELS
from impl.communication import PRESETS, Affine, Packet, Payload, levels_bits
from impl.compressors import StochasticQuantizer
from impl.errors import ArgumentError
from verify.cat.fixtures.golden_vectors import gc, gh

GI = np.array([3.0, -1, 4, 1, -5, 9, 2, -6])
# Rational norms 7, 9, 2 and 5.
VECTORS = {"seven": [2, -3, 6], "nine": [1, 4, -8, 0], "equal": [1, 1, 1, -1], "one": [0, -5]}


def literal(g, cost, most):
    """Try all numbers of levels, with the sums written out; the norm is rational."""
    energy = sum(item * item for item in g)
    norm = next(F(n) for n in range(1, 100) if n * n == energy)
    best = None
    for s in range(1, most + 1):
        v = [s * abs(item) / norm for item in g]
        f = [item - item.numerator // item.denominator for item in v]
        share = 1 / (1 + sum((item * (1 - item) for item in f), F(0)) / s**2)
        price = F(cost(levels_bits(s, len(g))))
        if best is None or share * best[2] > best[1] * price:
            best = (s, share, price)
    return best


# Efficiencies are printed with 12 digits.
@pytest.mark.parametrize(
    ("g", "size", "efficiency"),
    [(GI, 3, 0.0156038830299), (gh(), 7, 0.00291278393082), (gc(), 31, 0.000140853389659)],
    ids=["gi", "gh", "gc"],
)
def test_goldens(g, size, efficiency):
    choice = cat_qsgd(g, Payload())
    assert (choice.size, choice.efficiency) == (size, pytest.approx(efficiency, rel=1e-11))


@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize("cost", [Payload(), Affine(1, 100), Packet(30)], ids=repr)
def test_rule_is_literal_in_rationals_and_the_same_in_floats(vector, cost):
    g = [F(item) for item in VECTORS[vector]]
    size, share, price = literal(g, cost, 20)
    found = cat_qsgd(g, cost, most_levels=20)
    assert (found.size, found.share, found.cost) == (size, share, price)
    assert found.efficiency == share / price
    assert found.step_factor == share
    assert found.compressor == StochasticQuantizer(F(1, size))
    floats = cat_qsgd(np.array(VECTORS[vector], dtype=float), cost, most_levels=20)
    assert floats.size == size
    assert floats.share == pytest.approx(float(share), rel=1e-13)


@pytest.mark.parametrize("vector", [*VECTORS.values(), [3, 4], [1, 2, 2], [1, 2, 2, 4]], ids=repr)
@pytest.mark.parametrize("cost", [Payload(), Affine(1, 100), Packet(30)], ids=repr)
@pytest.mark.parametrize("dense", [False, True])
def test_reference_agrees(vector, cost, dense):
    g = [F(item) for item in vector]
    found, expected = (rule(g, cost, most_levels=40, dense=dense) for rule in (cat_qsgd, cat_qsgd_reference))
    assert found == expected
    assert found.bits == expected.bits
    floats = np.array(vector, dtype=float)
    found = cat_qsgd(floats, cost, most_levels=40, dense=dense)
    assert found.size == expected.size
    close = cat_qsgd_reference(floats.tolist(), cost, most_levels=40, dense=dense)
    assert close.efficiency == pytest.approx(found.efficiency, rel=1e-12)  # some ulps of each fraction


def test_reference_agrees_on_irrational_norms():
    for seed in range(20):
        g = np.random.default_rng(seed).normal(size=9) ** 3
        found, expected = cat_qsgd(g, Payload()), cat_qsgd_reference(g.tolist(), Payload())
        assert (found.size, found.bits, found.cost) == (expected.size, expected.bits, expected.cost)
        assert found.share == pytest.approx(expected.share, rel=1e-12)


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
    with pytest.raises(ArgumentError):
        cat_qsgd([F(1), F(1)], Payload())
