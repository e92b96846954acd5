"""What only the sparsifiers do: sets, ties, errors."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import BernoulliSparsifier, Draws, Key, RandK, TopK
from impl.errors import ArgumentError, MessageError

F = Fraction


# ---------------------------------------------------------------- Bernoulli


def test_the_entry_itself_travels_and_the_receiver_divides():
    sparsifier = BernoulliSparsifier([0.5, 0.25])
    message = sparsifier.message(np.array([3.0, -1.0]), Draws(private=np.array([0.4, 0.2])))
    assert message.symbols.tolist() == [3.0, -1.0]
    assert message.scales is None
    assert sparsifier.reconstruct(message).tolist() == [6.0, -4.0]


def test_bits_of_gaps_and_entries():
    draws = Draws(private=np.array([0.9, 0.1, 0.9, 0.9, 0.1]))
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    # Gaps 2, 3 and 1 to the sentinel: 3 + 3 + 1 bits.
    assert BernoulliSparsifier(0.5).message(x, draws).bits == 7 + 2 * 64
    assert BernoulliSparsifier(0.5, value_bits=32).message(x, draws).bits == 7 + 2 * 32


def test_entries_of_32_bits_are_rounded_before_use():
    x = np.array([1 / 3, math.pi])
    sparsifier = BernoulliSparsifier(0.5, value_bits=32)
    out = sparsifier.compress(x, Draws(private=np.zeros(2)))
    assert out.tolist() == [2 * float(np.float32(item)) for item in x]
    mean = sum(q * np.sum((sparsifier.compress(x, draws) - x) ** 2) for q, draws in sparsifier.outcomes(x))
    assert sparsifier.variance(x) == pytest.approx(mean, rel=1e-12)


def test_probabilities_per_node_are_of_as_many_nodes():
    p = np.array([[0.5, 1.0], [0.25, 0.75]])
    sparsifier = BernoulliSparsifier(p)
    x = np.random.default_rng(0).standard_normal((3, 2, 2))
    with pytest.raises(ArgumentError, match="n=2 nodes"):
        sparsifier.variance(x[0, 0])


@pytest.mark.parametrize(
    ("probabilities", "message"),
    [
        (0, r"must be in \(0, 1\]"),
        (1.5, r"must be in \(0, 1\]"),
        ([0.5, math.nan], r"probabilities\[1\]=nan"),
        ("x", "must be numbers"),
        ([], "shape"),
    ],
)
def test_wrong_probabilities(probabilities, message):
    with pytest.raises(ArgumentError, match=message):
        BernoulliSparsifier(probabilities)


# ---------------------------------------------------------------- RandK


@pytest.mark.parametrize(
    ("d", "k", "count"), [(5, 2, 1), (5, 2, 40_000), (6, 5, 40_000), (4, 4, 10), (4, 3, 2)]
)
def test_sets_are_uniform(d, k, count):
    sets = RandK(k).draw(np.random.default_rng(1), (count, d)).shared
    assert sets.shape == (count, k)
    assert sets.dtype == np.int64
    assert (np.diff(sets, axis=-1) > 0).all()
    counts = Counter(map(tuple, sets.tolist()))
    cells = math.comb(d, k)
    if count > 1000:
        assert len(counts) == cells
        # A count is binomial; at most 10 cells at six standard deviations.
        spread = math.sqrt(count / cells * (1 - 1 / cells))
        assert max(abs(value - count / cells) for value in counts.values()) < 6 * spread


def test_single_sets_are_uniform_too():
    rng = np.random.default_rng(2)
    counts = Counter(tuple(RandK(2).draw(rng, (4,)).shared.tolist()) for _ in range(6000))
    assert len(counts) == 6
    assert max(abs(value - 1000) for value in counts.values()) < 6 * math.sqrt(1000)


def test_the_set_is_regenerated_from_the_key():
    key, x = Key((1, 2), 0, 7), np.arange(1.0, 9.0)
    compressor = RandK(3)
    draws = compressor.draw_keyed(key, x.shape)
    data = compressor.encode(x, draws, key)
    assert np.array_equal(compressor.decode(data, key=key), compressor.compress(x, draws))
    other = compressor.draw_keyed(Key((1, 2), 0, 8), x.shape)
    assert not np.array_equal(other.shared, draws.shared)
    with pytest.raises(MessageError, match="shared draws differ"):
        compressor.decode(data, shared=other.shared, key=key)
    # A sender that does not use the key's draws is found out.
    with pytest.raises(MessageError, match="shared draws differ"):
        compressor.decode(compressor.encode(x, other, key), key=key)


@pytest.mark.parametrize("cls", [RandK, TopK])
def test_wrong_k(cls):
    for k in (0, -1, 1.5, "2", True):
        with pytest.raises(ArgumentError, match="must be an integer of at least 1"):
            cls(k)
    with pytest.raises(ArgumentError, match="k=4 exceeds d=3"):
        cls(4).sample(np.ones(3), np.random.default_rng(0))
    with pytest.raises(ArgumentError, match="k=4 exceeds d=3"):
        cls(4).variance([F(1), F(2), F(2)])
    with pytest.raises(ArgumentError, match="value_bits=16"):
        cls(1, value_bits=16)


# ---------------------------------------------------------------- TopK


def test_ties_go_to_the_lowest_index():
    x = np.array([[1.0, -2.0, 2.0, 2.0, -2.0], [1.0, 1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 5.0, 0.0, 0.0]])
    out = TopK(2).compress(x, Draws())
    assert out.tolist() == [[0, -2, 2, 0, 0], [1, 1, 0, 0, 0], [0, 0, 5, 0, 0]]
    assert TopK(2).reference(x.tolist(), Draws()) == out.tolist()


def test_ties_at_random():
    rng = np.random.default_rng(0)
    for k in range(1, 8):
        x = rng.integers(-2, 3, size=(200, 7)).astype(float)
        assert TopK(k).reference(x.tolist(), Draws()) == TopK(k).compress(x, Draws()).tolist()


def test_a_zero_is_not_sent():
    assert TopK(3).message(np.array([0.0, 2.0, 0.0]), Draws()).bits == 3 + 64 + 3


# ---------------------------------------------------------------- errors of the literal forms


@pytest.mark.parametrize("sparsifier", [BernoulliSparsifier(0.5, value_bits=32), TopK(1, value_bits=32)])
def test_an_entry_outside_the_range_of_float32_is_an_error(sparsifier):
    draws = Draws(private=np.zeros(2))
    for call in (sparsifier.compress, sparsifier.reference):
        with pytest.raises(ArgumentError, match="exceeds the range of float32; use value_bits=64"):
            call([1e300, 1.0], draws)


def test_probabilities_that_do_not_fit_x():
    draws = Draws(private=np.zeros(3))
    for call in (BernoulliSparsifier([0.5, 1]).compress, BernoulliSparsifier([0.5, 1]).reference):
        with pytest.raises(ArgumentError, match="x has d=3 coordinates, probabilities has 2"):
            call([1.0, 2.0, 3.0], draws)


def test_sets_that_do_not_fit_x():
    sets = np.array([[0, 1]] * 3)
    for call in (RandK(2).compress, RandK(2).reference):
        for shared in (None, [0, 0], [0, 3], [-1, 0], [[0, 1], [0]], [0.0, 1.0], [1]):
            with pytest.raises(ArgumentError, match="RandK"):
                call([1.0, 2.0, 3.0], Draws(shared=shared))
        with pytest.raises(ArgumentError, match=r"take draws from draw\(rng, x\.shape\)"):
            call([[1.0, 2.0, 3.0]] * 2, Draws(shared=sets))
        with pytest.raises(ArgumentError, match=r"x\[0\] = nan(?s:.)*different indices in \[0, d\)"):
            call([math.nan, 2.0, 3.0], Draws(shared=np.array([1, 0])))
