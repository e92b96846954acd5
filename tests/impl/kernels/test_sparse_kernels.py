"""Kernels of Rand-k and Top-k: sets against the literal algorithm and their law, entries against numpy."""

import math
from collections import Counter

import numpy as np
import pytest

import impl
from impl.compressors import Draws, Independent, RandK, StochasticQuantizer, TopK
from impl.compressors.philox_draws import philox_stream
from impl.compressors.sparse.largest_entries import largest_entries
from impl.errors import ArgumentError
from impl.optimizers.client_compression import compress_drawn


def words_of(rng, count):
    from impl.kernels.philox import fill_words

    words = np.empty(-(-count // 4) * 4, np.uint32)
    fill_words(words, np.uint64(0), philox_stream(rng))
    return iter(words.tolist())


def literal_sets(words, d, k, count):
    """Floyd's algorithm, literally; return the sets and how many words were refused."""
    refused, sets = 0, []
    for _ in range(count):
        taken = set()
        for j in range(d - k, d):
            product = next(words) * (j + 1)
            while product % 2**32 < 2**32 % (j + 1):
                refused += 1
                product = next(words) * (j + 1)
            t = product >> 32
            taken.add(j if t in taken else t)
        sets.append(sorted(taken))
    return sets, refused


@pytest.mark.parametrize(
    ("d", "k", "count"),
    [(1, 1, 3), (5, 5, 2), (64, 7, 400), (65, 64, 30), (129, 1, 9), (33_686_018, 2000, 2)],
)
def test_sets_are_those_of_the_literal_algorithm(d, k, count):
    with impl.tier("fused"):
        sets = RandK(k).draw(np.random.default_rng(2), (count, d)).shared
    expected, refused = literal_sets(words_of(np.random.default_rng(2), 2 * k * count + 100), d, k, count)
    assert sets.dtype == np.int64
    assert sets.tolist() == expected
    assert (refused > 0) == (d > 2**20)  # of that d, one word in 255 is


def test_all_sets_are_equally_likely():
    count, d, k = 60_000, 6, 3
    with impl.tier("fused"):
        sets = RandK(k).draw(np.random.default_rng(3), (count, d)).shared
    found = Counter(map(tuple, sets.tolist()))
    kinds = math.comb(d, k)
    assert len(found) == kinds
    chi = sum((n - count / kinds) ** 2 for n in found.values()) / (count / kinds)
    # Chi-squared of 19 degrees: a false alarm below 1e-9 beyond 19 + 12 deviations.
    assert chi < kinds - 1 + 12 * math.sqrt(2 * (kinds - 1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("compressor", [RandK(1), RandK(37), RandK(5, value_bits=32)], ids=repr)
def test_rand_k_samples_what_it_sends(compressor, dtype):
    x = np.random.default_rng(0).standard_normal((2, 3, 200)).astype(dtype)
    x[0] *= -0.0
    found = compressor.sample(x, np.random.default_rng(5), (4, 2), tier="fused")
    with impl.tier("fused"):
        draws = compressor.draw(np.random.default_rng(5), (4, 2, *x.shape))
    assert found.dtype == dtype
    assert found.tobytes() == compressor.compress(x, draws).tobytes()
    assert compressor.sample(x[:0], np.random.default_rng(5), 2, tier="fused").shape == (2, 0, 3, 200)


@pytest.mark.parametrize(
    "arguments",
    [
        ([1.0, np.inf], 0, 2),
        ([1.0], 0, 2),
        ([1.0, 2.0], 0, -1),
        ([1.0, 2.0], 0, 1.5),
        ([1e308, 1e308], 0, 50),
        ("ab", 0, 1),
    ],
    ids=repr,
)
def test_rand_k_refuses_with_the_same_words(arguments):
    x, seed, size = arguments
    said = []
    for tier in ("numpy", "fused"):
        with pytest.raises(ArgumentError) as error:
            RandK(2 if x == [1.0] else 1).sample(x, np.random.default_rng(seed), size, tier=tier)
        said.append((type(error.value), str(error.value)))
    assert said[0] == said[1]
    with pytest.raises(ArgumentError, match="rng=7 must be"):
        RandK(1).sample([1.0, 2.0], 7, tier="fused")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_top_k_does_not_depend_on_the_tier(dtype):
    # What is chosen is tested in tests/impl/compressors/sparse/test_largest_entries.py, on both tiers.
    rng = np.random.default_rng(1)
    for x in (rng.standard_normal((2, 20_011)).astype(dtype), np.full((2, 20_011), -2, dtype)):
        expected = largest_entries(x, 64)
        assert TopK(64).sample(x, rng, 2, tier="fused").tobytes() == np.stack([expected] * 2).tobytes()
        with impl.tier("fused"):
            assert TopK(64).message(x, Draws()).symbols.tobytes() == expected.tobytes()


def test_the_lowest_bit_of_every_word():
    from impl.kernels.lowest_bit import lowest_bit

    for place in range(64):
        for above in (0, 1, 0xDEADBEEF):
            word = (1 << place) | (above << (place + 1))
            assert lowest_bit(np.uint64(word % 2**64)) == place


@pytest.mark.parametrize("shape", [(2, 4, 8), (1, 1, 8), (5, 3, 8)])
@pytest.mark.parametrize("compressor", [RandK(3), RandK(8), Independent(RandK(1))], ids=repr)
def test_rounds_are_those_of_messages_bit_for_bit(compressor, shape):
    rng, other = np.random.default_rng(1), np.random.default_rng(1)
    with impl.tier("fused"):
        rounds = compressor.rounds(rng, shape)
        for size in (1.0, 1e200, 1e-300):
            x = np.random.default_rng(2).standard_normal(shape) * size
            x[..., 0] = -0.0
            rounds.draw()
            decoded, bits = rounds.compress(x)
            expected, sent = compress_drawn(compressor, x, compressor.draw(other, shape))
            assert decoded.tobytes() == expected.tobytes()
            assert bits.dtype == sent.dtype
            assert np.array_equal(bits, sent)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e308])
def test_rounds_refuse_what_messages_refuse(bad):
    with impl.tier("fused"):
        rounds = RandK(1).rounds(np.random.default_rng(1), (1, 2, 8))
        rounds.draw()
        x = np.full((1, 2, 8), bad)
        with pytest.raises(ArgumentError) as refused:
            rounds.compress(x)
        with pytest.raises(ArgumentError) as expected:
            compress_drawn(RandK(1), x, RandK(1).draw(np.random.default_rng(1), x.shape))
    assert str(refused.value) == str(expected.value)


def test_rounds_by_numpy_of_other_widths_and_of_nothing_go_the_general_way():
    rng = np.random.default_rng(1)
    assert RandK(1).rounds(rng, (1, 2, 8)) is None
    with impl.tier("fused"):
        assert RandK(1, value_bits=32).rounds(rng, (1, 2, 8)) is None
        assert RandK(9).rounds(rng, (1, 2, 8)) is None
        assert RandK(1).rounds(rng, (0, 2, 8)) is None
        assert Independent(StochasticQuantizer(1)).rounds(rng, (1, 2, 8)) is None
