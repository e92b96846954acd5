"""Bounds on mean costs: above the cost of every message, and attained."""

import numpy as np
import pytest

from impl.communication import PRESETS, Affine, LoRaAirtime, Packet, Wire
from verify.planning.mean_prices import EntryPrices, line_above, most_mean_bits

COSTS = [
    *PRESETS.values(),
    Affine(2, 100),
    Packet(30, 7, 5),
    Wire(30, 4, 9),
    LoRaAirtime(7, payload_bits=100, fixed=3),
]


@pytest.mark.parametrize("cost", COSTS, ids=repr)
def test_the_line_is_nowhere_below_the_cost_and_touches_it(cost):
    slope, offset = line_above(cost)
    bits = np.arange(3 * getattr(cost, "payload_bits", 100) + 2)
    excess = slope * bits + offset - np.asarray(cost(bits), dtype=float)
    scale = float(cost(int(bits[-1])))
    assert excess.min() >= -1e-12 * scale
    assert excess.min() == pytest.approx(0, abs=1e-12 * scale)
    if cost.is_affine:
        assert abs(excess).max() <= 1e-12 * scale


def test_huge_packets_take_no_huge_memory():
    assert line_above(Packet(10**12, 3)) == (pytest.approx(3e-12), pytest.approx(3))


@pytest.mark.parametrize("cost", COSTS, ids=repr)
@pytest.mark.parametrize("entry_bits", [1, 13, 37])
def test_no_law_of_entries_costs_more_than_the_hull_at_its_mean(cost, entry_bits):
    d = 12
    prices = EntryPrices(cost, d, entry_bits)
    each = np.array([float(cost.empty)] + [float(cost(N * entry_bits)) for N in range(1, d + 1)])
    laws = np.random.default_rng(0).dirichlet(np.full(d + 1, 0.1), 500)
    for law in laws:
        assert law @ each <= prices.mean(law @ np.arange(d + 1)) * (1 + 1e-12)
    # Attained, for every mean, by a law on two numbers.
    for mean in np.linspace(0, d, 25):
        largest = max(
            each[i] if i == j else (each[i] * (j - mean) + each[j] * (mean - i)) / (j - i)
            for i in range(int(np.floor(mean)) + 1)
            for j in range(int(np.ceil(mean)), d + 1)
        )
        assert prices.mean(mean) == pytest.approx(largest, rel=1e-12)


def test_no_law_of_entries_has_more_bits_in_the_mean():
    bits = np.array([5, 9, 20, 21, 15, 3])
    most = most_mean_bits(bits)
    assert most.tolist() == [5, 12.5, 20, 21, 21, 21]  # few entries may be the longer ones
    laws = np.random.default_rng(0).dirichlet(np.full(6, 0.3), 2000)
    means = laws @ np.arange(6)
    assert np.all(laws @ bits <= np.interp(np.ceil(means), np.arange(6), most) + 1e-12)
