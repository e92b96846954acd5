"""Range coder: near the entropy, lossless, damage is noticed; one clear error without the library."""

import sys

import numpy as np
import pytest

from impl.coding.adaptive_coder import ideal_bits
from impl.coding.range_coder import RangeCoder
from impl.errors import ArgumentError


def test_a_missing_library_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "constriction", None)
    with pytest.raises(ArgumentError, match=r"pip install 'boundcheck\[coding\]'"):
        RangeCoder(3)


@pytest.fixture
def coder():
    """Return the class; its tests need the extra `coding`."""
    pytest.importorskip("constriction")
    return RangeCoder


def digits_of(alphabet, count, seed=0):
    chances = np.random.default_rng(seed).dirichlet(np.ones(alphabet))
    return np.random.default_rng(seed + 1).choice(alphabet, size=count, p=chances)


@pytest.mark.parametrize("alphabet", [2, 3, 7, 255])
@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 100_000])
def test_both_models_are_lossless(coder, alphabet, count):
    digits = digits_of(alphabet, count)
    for probabilities in (None, np.bincount(digits, minlength=alphabet) + 1):
        one = coder(alphabet, probabilities)
        assert np.array_equal(one.decode(one.encode(digits), count), digits)


@pytest.mark.parametrize("alphabet", [2, 3, 7])
def test_lengths_are_near_the_ideal(coder, alphabet):
    digits = digits_of(alphabet, 100_000)
    counts = np.bincount(digits, minlength=alphabet)
    ideal = ideal_bits(counts)
    # Words of 32 bits, chances in 24 bits, and a model that lags behind by a chunk.
    assert abs(8 * len(coder(alphabet).encode(digits)) - ideal) <= 500 + 0.005 * ideal
    assert abs(8 * len(coder(alphabet, counts + 1).encode(digits)) - ideal) <= 100 + 0.001 * ideal


def test_damage_is_noticed(coder):
    digits, one = digits_of(3, 500), coder(3)
    data = one.encode(digits)
    for wrong in (data[:-4], data[:-1], data + b"\0\0\0\0", b""):
        with pytest.raises(ValueError, match=r"none that the encoder writes|whole words"):
            one.decode(wrong, 500)


def test_what_is_refused(coder):
    for alphabet in (1, 2**16 + 1):
        with pytest.raises(ValueError, match=r"must be from 2 to 2\*\*16"):
            coder(alphabet)
    for chances in ([1, 2], [1, 0, 1], [1, np.nan, 1]):
        with pytest.raises(ValueError, match="must be 3 positive numbers"):
            coder(3, chances)
    with pytest.raises(ValueError, match=r"leave the alphabet 0\.\.2"):
        coder(3).encode([3])
