"""The rule for random entries: exact ties, what is paid and sent."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import cat_st, expected_cost, keep_probabilities
from impl.communication import Affine, Packet, Payload

GI = [3, -1, 4, 1, -5, 9, 2, -6]


def rational(values):
    return [F(item) for item in values]


def test_exact_tie_takes_the_smallest_size():
    choice = cat_st(rational(GI), Affine(), entry_bits=1)
    assert (choice.size, choice.efficiency) == (1, F(173, 961))
    assert cat_st(np.array(GI, dtype=float), Affine(), entry_bits=1).size == 1


def test_costs_of_a_message_are_those_of_its_survivors():
    choice = cat_st(rational(GI), Packet(3, 2, F(1, 2)), entry_bits=2)
    p = keep_probabilities(rational(GI), choice.size)
    assert choice.cost == expected_cost(p, Packet(3, 2, F(1, 2)), 2)
    assert choice.price(0) == F(1, 2)
    assert choice.price(3) == Packet(3, 2, F(1, 2))(6)


def test_zeros_are_never_sent():
    g = np.array([0.0, 3, 0, -4])
    choice = cat_st(g, Affine(1, 624))
    sent = choice.compressor.sample(g, np.random.default_rng(0), 200)
    assert not sent[:, [0, 2]].any()
    assert choice.size <= 2
    assert cat_st(g, Affine(), sizes=[1]).compressor.probabilities == pytest.approx([1, 3 / 7, 1, 4 / 7])


def test_payloads():
    one = cat_st(np.array([2.0]), Payload())
    assert (one.size, one.cost) == (1, 32)  # one entry needs no index
    assert cat_st(np.array([2.0]), Payload(), float_bits=64).cost == 64
    eight = cat_st(np.array(GI, dtype=float), Payload())
    assert eight.cost == 35 * eight.size
