"""Law of the number of survivors and the expected cost of a message."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import expected_cost, survivor_law
from impl.adaptive.expected_cost import expected_costs
from impl.communication import PRESETS, Affine, LoRaAirtime, Packet, Wire

CHANCES = [F(1, 3), F(1), F(0), F(2, 7), F(1, 2), F(1, 3)]


def literal_law(p):
    law = [F(0)] * (len(p) + 1)
    for kept in itertools.product((0, 1), repeat=len(p)):
        law[sum(kept)] += math.prod(q if bit else 1 - q for q, bit in zip(p, kept, strict=True))
    return law


def test_law_is_that_of_all_outcomes():
    assert survivor_law(CHANCES).tolist() == literal_law(CHANCES)
    np.testing.assert_allclose(
        survivor_law([float(p) for p in CHANCES]), np.array(literal_law(CHANCES), dtype=float), rtol=1e-15
    )


def test_order_of_the_coins_does_not_matter():
    assert survivor_law(CHANCES[::-1]).tolist() == survivor_law(CHANCES).tolist()


@pytest.mark.parametrize("p", [[F(0)] * 3, [F(1)] * 3])
def test_nothing_is_random(p):
    law = survivor_law(p)
    assert law[int(sum(p))] == 1
    assert sum(law) == 1


@pytest.mark.parametrize(
    "cost", [Affine(F(2, 3), 5), Packet(3, 2, F(1, 2)), Wire(4, 3, 1), LoRaAirtime()], ids=repr
)
def test_expected_cost_is_the_mean_over_all_outcomes(cost):
    bits = 2
    literal = sum(chance * F(cost(bits * count)) for count, chance in enumerate(literal_law(CHANCES)))
    found = expected_cost(CHANCES, cost, bits)
    assert found == literal
    floats = [float(p) for p in CHANCES]
    assert expected_cost(floats, cost, bits) == pytest.approx(float(literal), rel=1e-14)
    rows = expected_costs(np.array([floats, floats[::-1]]), cost, bits)
    np.testing.assert_allclose(rows, float(literal), rtol=1e-14)


def test_long_laws_in_floats():
    p = np.random.default_rng(0).random(2000) ** 3
    law = survivor_law(p)
    N = np.arange(len(law))
    assert law.sum() == pytest.approx(1, rel=1e-12)
    assert law @ N == pytest.approx(p.sum(), rel=1e-12)
    assert law @ N**2 - (law @ N) ** 2 == pytest.approx((p * (1 - p)).sum(), rel=1e-8)  # cancels 4 digits
    for name in ("eth", "6lowpan", "eth-wire"):
        one, many = expected_cost(p, PRESETS[name], 43), expected_costs(p[None], PRESETS[name], 43)
        assert one == pytest.approx(float(many[0]), rel=1e-12)


def test_binomial_law():
    law = survivor_law([F(1, 4)] * 6)
    assert law.tolist() == [F(math.comb(6, k) * 3 ** (6 - k), 4**6) for k in range(7)]


def test_a_message_without_survivors_costs_the_fixed_price():
    assert expected_cost([F(0), F(0)], Packet(8, 1, F(3, 2)), 5) == F(3, 2)
    assert expected_cost([0.0, 0.0], Packet(8, 1, 1.5), 5) == 1.5
