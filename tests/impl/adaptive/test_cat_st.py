"""The rule for random entries: goldens, exact ties, literal form, ends of the range, bad input."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import cat_st, cat_st_reference, expected_cost, keep_probabilities
from impl.communication import PRESETS, Affine, LoRaAirtime, Packet, Payload, Wire
from verify.cat.fixtures.golden_vectors import gc, gh

GI = [3, -1, 4, 1, -5, 9, 2, -6]
VECTORS = {
    "gi": GI,
    "ties": [2, -2, 1, 1, 1, 0],
    "equal": [1, -1, 1, 1],
    "steep": [1, 3, 9, -27, 81],
    "one": [0, -7, 0],
}
COSTS = {
    "payload": Payload(),
    "affine": Affine(1, 5),
    "packet": Packet(3, 1, F(1, 2)),
    "wire": Wire(4, 2, 1),
    "airtime": LoRaAirtime(),
}


def rational(values):
    return [F(item) for item in values]


def same(found, literal):
    names = ("size", "share", "efficiency", "step_factor", "cost")
    assert [getattr(found, name) for name in names] == [getattr(literal, name) for name in names]
    assert found.compressor == literal.compressor


@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize("cost", COSTS)
def test_fast_is_literal_in_rationals(vector, cost):
    g = rational(VECTORS[vector])
    same(cat_st(g, COSTS[cost], entry_bits=2), cat_st_reference(g, COSTS[cost], entry_bits=2))


@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize("cost", COSTS)
def test_floats_choose_what_rationals_choose(vector, cost):
    g = VECTORS[vector]
    exact = cat_st(rational(g), COSTS[cost], entry_bits=2)
    found = cat_st(np.array(g, dtype=float), COSTS[cost], entry_bits=2)
    assert found.size == exact.size
    assert found.efficiency == pytest.approx(float(exact.efficiency), rel=1e-13)
    np.testing.assert_allclose(
        found.compressor.probabilities, np.array(exact.compressor.probabilities, float)
    )


def test_exact_tie_takes_the_smallest_size():
    choice = cat_st(rational(GI), Affine(), entry_bits=1)
    assert (choice.size, choice.efficiency) == (1, F(173, 961))
    assert cat_st(np.array(GI, dtype=float), Affine(), entry_bits=1).size == 1


def test_step_is_the_share():
    choice = cat_st(rational(GI), Affine(1, 5), entry_bits=1)
    assert (choice.size, choice.efficiency) == (6, F(346, 4015))
    assert choice.step_factor == choice.share == F(346, 365)
    assert choice.cost == 11


# Efficiencies are printed with 12 digits.
@pytest.mark.parametrize(
    ("vector", "size", "efficiency"), [(gh, 14, 0.000661373805727), (gc, 663, 2.87120064703e-5)]
)
def test_affine_preset(vector, size, efficiency):
    found = cat_st(vector(), PRESETS["affine"])
    assert (found.size, float(found.efficiency)) == (size, pytest.approx(efficiency, rel=1e-11))


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


def test_messages_are_unbiased():
    g = rational(GI)
    choice = cat_st(g, Affine(1, 2), entry_bits=1)
    outcomes = list(choice.compressor.outcomes(g))
    for j, item in enumerate(g):
        received = [chance * choice.compressor.reference(g, draws)[j] for chance, draws in outcomes]
        assert sum(received) == item


def test_payloads():
    one = cat_st(np.array([2.0]), Payload())
    assert (one.size, one.cost) == (1, 32)  # one entry needs no index
    assert cat_st(np.array([2.0]), Payload(), float_bits=64).cost == 64
    eight = cat_st(np.array(GI, dtype=float), Payload())
    assert eight.cost == 35 * eight.size
