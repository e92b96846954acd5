"""Atomic and greedy sparsification: chances by hand, what greedy ones lose, messages, errors."""

import math
from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import keep_probabilities
from impl.compressors import AtomicSparsification, BernoulliSparsifier, Draws, GreedySparsification
from impl.compressors.sparse.water_level import literal_level, water_level
from impl.errors import ArgumentError

VECTORS = {
    "falling": [8, -4, 2, 1, 1],
    "pi": [3, -1, 4, 1, -5, 9, 2, -6],
    "equal": [1, -1, 1, 1],
    "zeros": [0, 7, 0, -2, 1, 0],
    "steep": [2**j for j in range(9)],
}


def chances(compressor, x):
    """Return the chances of the entries, by all outcomes."""
    p = [F(0)] * len(x)
    for q, draws in compressor.outcomes(x):
        p = [a + q * (c != 0) for a, c in zip(p, compressor.reference(x, draws), strict=True)]
    return p


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("T", [F(1, 2), F(3, 2), F(2), F(14, 5)])
def test_the_chances_are_those_of_water_filling(name, T):
    x = [F(item) for item in VECTORS[name]]
    compressor = AtomicSparsification(T)
    p = keep_probabilities(x, T)
    assert chances(compressor, x) == list(p)
    fixed = BernoulliSparsifier([item or 1 for item in p])
    assert compressor.variance(x) == fixed.variance(x)
    assert compressor.variance([float(item) for item in x]) == pytest.approx(
        float(fixed.variance(x)), rel=1e-13
    )


def test_by_hand():
    """|x| = 8, 4, 2, 1, 1 with two entries: 8 is sure, the others have chances of an eighth of them."""
    x = [F(item) for item in VECTORS["falling"]]
    compressor = AtomicSparsification(2)
    assert chances(compressor, x) == [1, F(1, 2), F(1, 4), F(1, 8), F(1, 8)]
    assert compressor.variance(x) == 16 + 4 * 3 + 7 + 7
    received = compressor.reference(x, Draws(private=[F(0)] * 5))
    assert received == [8, -8, 8, 8, 8]


def test_a_budget_of_all_nonzeros_loses_nothing():
    x = np.array([0.1, 0.0, -0.1, 0.1])
    for budget in (3, 3.5, 100):
        compressor = AtomicSparsification(budget)
        assert compressor.compress(x, Draws(private=np.full(4, 1 - 2.0**-53))).tolist() == x.tolist()
        assert compressor.variance(x) == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_level_is_the_literal_one(seed):
    rng = np.random.default_rng(seed)
    s = np.abs(rng.standard_normal(300)) ** rng.integers(1, 6) * (rng.random(300) < 0.8)
    for size in (0.3, 1, 17.5, 200):
        level = water_level(s, size)
        assert level == pytest.approx(literal_level(s.tolist(), size), rel=1e-12)  # sums of 300 numbers
        assert np.minimum(s / level, 1).sum() == pytest.approx(size, rel=1e-12)


# ---------------------------------------------------------------- greedy

DENSITIES = (F(1, 8), F(1, 4), F(1, 2), F(3, 4))


@pytest.mark.parametrize("name", ["falling", "pi", "equal", "zeros"])
@pytest.mark.parametrize("density", DENSITIES)
def test_greedy_chances_are_the_best_of_their_own_sum_and_use_no_more_than_the_budget(name, density):
    x = [F(item) for item in VECTORS[name]]
    budget = density * len(x)
    best = AtomicSparsification(budget).variance(x)
    before = None
    for rounds in range(len(x) + 1):
        greedy = GreedySparsification(density, rounds=rounds)
        p = chances(greedy, x)
        assert sum(p) <= budget
        own = AtomicSparsification(sum(p))
        assert greedy.variance(x) == own.variance(x)
        assert greedy.variance(x) >= best
        assert before is None or greedy.variance(x) <= before  # a round never harms
        before = greedy.variance(x)
    assert before == best  # d rounds lose nothing


def test_greedy_by_hand():
    """A share of 2/5: two entries of 8, 4, 2, 1, 1, whose sum is 16, so that one is cut at once."""
    x, density = [F(item) for item in VECTORS["falling"]], F(2, 5)
    assert chances(GreedySparsification(density, rounds=0), x) == [1, F(1, 2), F(1, 4), F(1, 8), F(1, 8)]
    x = [F(item) for item in (32, 8, 4, 2, 2)]  # 48: chances 4/3, 1/3, 1/6, 1/12, 1/12
    assert chances(GreedySparsification(density, rounds=0), x) == [1, F(1, 3), F(1, 6), F(1, 12), F(1, 12)]
    assert GreedySparsification(density, rounds=0).variance(x) == 8 * 16 + 4 * 20 + 2 * (2 * 22)
    assert chances(GreedySparsification(density, rounds=1), x) == [1, F(1, 2), F(1, 4), F(1, 8), F(1, 8)]
    assert (
        GreedySparsification(density).variance(x)
        == AtomicSparsification(2).variance(x)
        == 8 * 8 + 4 * 12 + 56
    )


def test_two_rounds_of_the_paper_may_leave_something_unused():
    x = [F(item) for item in VECTORS["steep"]]
    greedy, best = GreedySparsification(F(2, 3)), AtomicSparsification(6)
    assert sum(chances(greedy, x)) < 6
    assert greedy.variance(x) > best.variance(x)


@pytest.mark.parametrize("value_bits", [32, 64])
def test_greedy_sends_one_number_for_all_that_is_not_sure(value_bits):
    x = np.array([8.0, -4.0, 2.0, 1.0, 1.0])
    greedy = GreedySparsification(F(2, 5), value_bits=value_bits)
    message = greedy.message(x, Draws(private=np.zeros(5)))
    assert message.symbols.tolist() == [8, -8, 8, 8, 8]
    assert message.scales.tolist() == [8]
    # 8 itself is at the level: five signs with gaps 1 and the sentinel; no entry, whose sentinel has gap 6.
    assert message.bits == value_bits + 5 + (5 + 1) + 5
    x[0] = 9.0  # 17: the level is 8.5, then 8
    message = greedy.message(x, Draws(private=np.zeros(5)))
    assert message.symbols.tolist() == [9, -8, 8, 8, 8]
    # An entry with gap 1 and sentinel 5; four signs with gap 2, then 1.
    assert message.bits == value_bits + (value_bits + 1 + 5) + (4 + 3 + 4)


def test_huge_entries_do_not_overflow_and_what_cannot_be_sent_is_an_error():
    x = np.array([0.8e308, -0.8e308, 0.8e308])  # the sum of magnitudes is beyond the range
    for compressor in (AtomicSparsification(3 / 2), GreedySparsification(F(1, 2))):
        for call in (compressor.compress, compressor.reference):
            out = call(x, Draws(private=np.zeros(3)))
            np.testing.assert_allclose(out, [1.6e308, -1.6e308, 1.6e308], rtol=1e-15)
    for compressor in (AtomicSparsification(F(1, 2)), GreedySparsification(F(1, 6))):
        for call in (compressor.compress, compressor.reference):
            with pytest.raises(ArgumentError, match=r"x / p exceeds the range of float64; scale x down"):
                call(x, Draws(private=np.zeros(3)))


def test_wrong_parameters():
    for budget in (0, -1, math.nan, math.inf, "a", True, None):
        with pytest.raises(ArgumentError, match=r"budget=.* must be a positive finite number"):
            AtomicSparsification(budget)
    for density in (0, 1.1, math.nan, "a", True):
        with pytest.raises(ArgumentError, match=r"density=.* must be a number in \(0, 1\]"):
            GreedySparsification(density)
    for rounds in (-1, 1.0, True):
        with pytest.raises(ArgumentError, match=r"rounds=.* must be an integer of at least 0"):
            GreedySparsification(0.5, rounds=rounds)
    for kind in (AtomicSparsification, GreedySparsification):
        with pytest.raises(ArgumentError, match="value_bits=16 must be 64 or 32"):
            kind(1, value_bits=16)
    message = AtomicSparsification(1).message(np.ones(3), Draws(private=np.zeros(3)))
    with pytest.raises(ArgumentError, match="the message has no scale"):
        GreedySparsification(1).payload(message)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_levels_of_long_vectors(dtype):
    x = np.round(8 * np.random.default_rng(0).standard_normal(80_000) ** 3).astype(dtype)  # zeros and equals
    x[:30] *= 4096
    rel = 1e-6 if dtype == np.float32 else 1e-12  # levels are rounded to the dtype, sums of float64 hardly
    sizes = np.abs(x).astype(np.float64)
    for budget in (33.5, 5000):
        tau = AtomicSparsification(budget)._sent_level(x).astype(np.float64)
        assert np.minimum(1, sizes / tau).sum() == pytest.approx(budget, rel=rel)
    assert AtomicSparsification(8e4)._sent_level(x) == 0
    if dtype == np.float64:  # sums beyond the range
        far = AtomicSparsification(5000)._sent_level(np.ldexp(x, 1000))
        assert np.ldexp(far, -1000) == pytest.approx(AtomicSparsification(5000)._sent_level(x), rel=rel)
    greedy = GreedySparsification(0.001)
    assert greedy._sent_level(x) == pytest.approx(
        [greedy._reference_level(x.astype(float).tolist())], rel=rel
    )
