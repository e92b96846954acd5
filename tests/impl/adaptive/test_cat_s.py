"""CAT-S: tied vectors against the literal form, candidates, borders."""

import random
from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import cat_s, cat_s_reference
from impl.adaptive.cat_s import candidates
from impl.communication import PRESETS, Affine, LoRaAirtime, Packet, Payload, Wire, sparse_bits
from impl.compressors import TopK
from verify.cat.fixtures.golden_vectors import GI, flat, gh, rational


def random_vectors(count, seed=20240601):
    """Yield whole vectors with many ties and zeros."""
    draw = random.Random(seed)
    for _ in range(count):
        d = draw.randint(1, 12)
        yield [F(draw.choice((-3, -2, -1, 0, 0, 1, 1, 2, 3, 5))) for _ in range(d)], draw


def random_cost(draw):
    kind = draw.randrange(5)
    fixed = F(draw.randint(0, 12), draw.randint(1, 4))
    if kind == 0:
        return Payload()
    if kind == 1:
        return Affine(F(draw.randint(1, 5), 2), fixed)
    if kind == 2:
        return Packet(draw.randint(1, 9), draw.randint(1, 4), fixed)
    if kind == 3:
        return Wire(draw.randint(1, 9), draw.randint(0, 4), fixed)
    return LoRaAirtime(draw.randint(7, 12), payload_bits=8 * draw.randint(1, 6))


def test_fast_equals_literal_exactly_on_300_tied_vectors():
    for g, draw in random_vectors(300):
        cost, bits = random_cost(draw), draw.choice((1, 2, 3, 35))
        fast, literal = (rule(g, cost, entry_bits=bits) for rule in (cat_s, cat_s_reference))
        assert fast == literal, (g, cost, bits)


def test_floats_choose_what_is_chosen_exactly():
    # The tied efficiencies of small whole numbers differ by more than 1e-12, or not at all.
    for g, draw in random_vectors(300, seed=7):
        cost, bits = random_cost(draw), draw.choice((1, 2, 35))
        exact, rounded = (
            cat_s(g, cost, entry_bits=bits),
            cat_s([float(item) for item in g], cost, entry_bits=bits),
        )
        assert rounded.size == exact.size, (g, cost, bits)
        assert rounded.efficiency == pytest.approx(float(exact.efficiency), rel=1e-13)


def test_packet_candidates():
    assert candidates(12, Packet(3), 2).tolist() == [1, 3, 4, 6, 7, 9, 10, 12]
    # Candidates of 0 entries are dropped, the last one is the number of nonzeros.
    assert candidates(5, Packet(2), 9).tolist() == [1, 2, 3, 4, 5]
    assert candidates(7, Packet(1000), 9).tolist() == [7]
    for cost in (Payload(), Affine(2, 1), Wire(3, 1), LoRaAirtime()):
        assert candidates(4, cost, 35).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("g", "best", "filled", "factor"),
    [
        (rational(GI), 5, 8, 1.227),
        ([F((-1) ** j, j) for j in range(1, 65)], 2, 10, 1.520),
        ([F(1, 2**j) for j in range(16)], 2, 11, 1.766),
    ],
)
def test_airtime_has_steps_inside_of_frames(g, best, filled, factor):
    cost, bits = LoRaAirtime(), sparse_bits(1, len(g))
    choice = cat_s(g, cost)
    squares = sorted((item**2 for item in g), reverse=True)
    sizes = candidates(len(g), Packet(408), bits).tolist()
    found = {T: sum(squares[:T]) / sum(squares) / cost(bits * T) for T in sizes}
    packed = max(sizes, key=lambda T: (found[T], -T))
    assert (choice.size, packed) == (best, filled)
    assert float(choice.efficiency / found[packed]) == pytest.approx(factor, abs=5e-4)


# ---------------------------------------------------------------- borders


def test_one_dimension():
    choice = cat_s([F(-3)], PRESETS["affine"])
    assert (choice.size, choice.share, choice.cost) == (1, 1, 32 + 624)
    assert cat_s([-3.0], PRESETS["lora51"], float_bits=64).cost == 512


@pytest.mark.parametrize(
    "cost", [Affine(1, 10**6), Packet(10**6), LoRaAirtime(12, payload_bits=10**6)], ids=repr
)
def test_no_zero_is_sent(cost):
    g = [F(0), F(2), F(0), F(-1), F(0)]
    choice = cat_s(g, cost)
    assert (choice.size, choice.share) == (2, 1)
    assert cat_s([float(item) for item in g], cost).size == 2


def test_ties_take_the_smallest_size_and_the_lowest_indices():
    # Without a fixed cost, equal entries tie for every T.
    assert cat_s([F(2), F(-2), F(2)], Payload(), entry_bits=1).size == 1
    assert cat_s(flat(1000), Payload()).size == 1
    assert cat_s(0.1 * flat(1000), Affine(3, 0)).size == 1
    choice = cat_s([F(1), F(-2), F(2), F(2)], Affine(1, 1), entry_bits=1)
    assert choice.size == 3
    kept = TopK(2).compress(np.array([1.0, -2.0, 2.0, 2.0]), None)
    assert kept.tolist() == [0.0, -2.0, 2.0, 0.0]


def test_ties_over_chunks_take_the_smallest_size():
    assert cat_s(np.full(40_000, 1 / 3), Payload()).size == 1


def test_no_share_is_above_one():
    rng = np.random.default_rng(0)
    shares = [cat_s(rng.standard_normal(d), Affine(1, 10**9)).share for d in range(1, 400)]
    assert max(shares) <= 1


def test_an_exact_tie_of_different_sizes():
    # E(1) = 4 / 3 and E(2) = 8 / 6 of the sum.
    costs = {1: 3, 2: 6}
    assert cat_s([F(2), F(2)], lambda bits: costs[int(bits)], entry_bits=1).size == 1


def test_the_dense_gradient_is_sent_where_it_is_strictly_better():
    sparse = cat_s(flat(64), Affine(1, 624), dense=False)
    assert (sparse.size, sparse.dense) == (64, False)
    assert sparse.cost == 64 * 38 + 624
    dense = cat_s(flat(64), Affine(1, 624), dense=True)
    assert (dense.size, dense.dense, dense.cost, dense.share) == (64, True, 64 * 32 + 624, 1.0)
    assert dense.efficiency == 1 / dense.cost
    exact = cat_s([F(1)] * 64, Affine(1, 624), dense=True)
    assert (exact.dense, exact.efficiency) == (True, F(1, 2672))
    # One dimension: both cost the same, the sparse message is kept.
    assert not cat_s([F(3)], Payload(), dense=True).dense
    assert cat_s(gh(), PRESETS["affine"], dense=True).size == 3


def test_bits_of_a_number():
    assert cat_s(gh(), Payload(), float_bits=64).cost == 6 + 64
    assert cat_s(gh(), Payload()).cost == 6 + 32


def test_an_early_stop_is_for_affine_costs_only():
    # In more than one chunk: the efficiency falls first and rises where the cost is capped.
    g = np.ones(40_000)
    g[0] = 1.8**0.5
    assert cat_s(g, lambda bits: np.minimum(5 * bits, 100_000), entry_bits=1).size == 40_000
