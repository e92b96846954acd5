"""The rule that sends signs: ties, several maxima, zeros, payloads."""

import math
from fractions import Fraction as F

import numpy as np

from impl.adaptive import cat_sq
from impl.communication import Affine, Packet, Payload


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
