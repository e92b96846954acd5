"""The rule that sends signs: the literal form exactly, ties, several maxima, its step, bad input."""

import math
import random
from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import cat_sq, cat_sq_reference
from impl.communication import PRESETS, Affine, Packet, Payload, Wire
from impl.compressors import TopKSigns
from verify.cat.fixtures.golden_vectors import gc, gh

COSTS = (Payload(), Affine(2, 7), Packet(5, 3), Wire(4, 2, 1))


def vectors(count, seed=0):
    rng = random.Random(seed)
    while count:
        g = [
            F(rng.choice((-6, -2, -1, 0, 1, 1, 3, 12)), rng.choice((1, 1, 5)))
            for _ in range(rng.randint(1, 9))
        ]
        if any(g):
            count -= 1
            yield g


@pytest.mark.parametrize("cost", COSTS)
def test_fast_form_is_the_literal_one_exactly(cost):
    for g in vectors(60):
        for entry_bits in (None, 1, 3):
            fast, literal = (rule(g, cost, entry_bits=entry_bits) for rule in (cat_sq, cat_sq_reference))
            assert (fast.size, fast.share, fast.efficiency, fast.cost) == (
                literal.size,
                literal.share,
                literal.efficiency,
                literal.cost,
            )
            assert isinstance(fast.share, F)
            assert fast.step_factor == pytest.approx(literal.step_factor, rel=1e-15)


def test_golden_choices():
    gi = [F(item) for item in (3, -1, 4, 1, -5, 9, 2, -6)]
    for fixed, size, efficiency in ((0, 1, F(81, 173)), (5, 3, F(50, 519)), (40, 4, F(36, 1903))):
        choice = cat_sq(gi, Affine(1, fixed), entry_bits=1)
        assert (choice.size, choice.efficiency) == (size, efficiency)


# Efficiencies are printed with 12 digits.
@pytest.mark.parametrize(
    ("vector", "model", "size", "efficiency"),
    [
        (gh, "affine", 2, 0.00103048548322),
        (gc, "affine", 312, 0.000140832422868),
        (gh, "6lowpan", 2, 0.00064889593398),
        (gc, "6lowpan", 114, 0.000106043019553),
        (gc, "eth", 740, 7.49816770432e-5),
    ],
)
def test_presets(vector, model, size, efficiency):
    choice = cat_sq(vector(), PRESETS[model])
    assert choice.size == size
    assert choice.efficiency == pytest.approx(efficiency, rel=1e-11)


def test_ties_take_the_smallest_size():
    # beta / C is 1/4 for all sizes, in rationals and in floats.
    for g in ([F(1)] * 4, np.ones(4)):
        assert cat_sq(g, Affine(1, 0), entry_bits=1).size == 1
    # beta of (1, sqrt 2 - 1) is the same for both sizes but for round-off, at a constant cost.
    assert cat_sq(np.array([1.0, math.sqrt(2) - 1]), Packet(100), entry_bits=1).size == 1


def test_all_sizes_are_looked_at():
    assert cat_sq(np.array([1.0] + [0.1] * 999), Packet(10**6), entry_bits=1).size == 1000
    assert cat_sq([F(10)] + [F(1)] * 7, Packet(8), entry_bits=1).size == 1


def test_no_zero_is_sent():
    assert cat_sq([F(2), F(0), F(2), F(0)], Affine(1, 100), entry_bits=1).size == 2


def test_payload_is_a_number_and_signs_with_indices():
    # One coordinate needs no index: 32 bits and a sign.
    assert cat_sq([F(3)], Payload()).cost == 33
    assert cat_sq([F(3)], Payload(), float_bits=64).cost == 65
    assert cat_sq([F(3), F(0), F(0)], Payload()).cost == 32 + 3


def test_step_is_that_of_the_largest_guarantee():
    for g in vectors(20, seed=2):
        choice = cat_sq(g, Affine(1, 4), entry_bits=1)
        sizes = sorted((abs(item) for item in g), reverse=True)[: choice.size]
        norm = math.sqrt(sum(item * item for item in g))
        assert choice.step_factor == pytest.approx(float(sum(sizes)) / (choice.size * norm), rel=1e-14)
        assert choice.compressor == TopKSigns(choice.size)
