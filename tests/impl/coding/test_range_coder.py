"""Range coder: near the entropy, lossless, damage is noticed; one clear error without the library."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from impl.coding.adaptive_coder import AdaptiveCoder, ideal_bits
from impl.coding.range_coder import LARGEST_MODEL, RangeCoder
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


@settings(deadline=None, max_examples=150)
@given(
    st.integers(2, 300).flatmap(lambda A: st.tuples(st.just(A), st.lists(st.integers(0, A - 1), max_size=80)))
)
def test_every_sequence_comes_back(case):
    pytest.importorskip("constriction")
    alphabet, digits = case
    one = RangeCoder(alphabet)
    assert one.decode(one.encode(digits), len(digits)).tolist() == digits


def test_goldens_of_short_codes(coder):
    # Worked by hand: half of 2**64 - 1 numbers, in parts of 2**-24; the word is that behind the lower end.
    assert coder(2).encode([]) == b""
    assert coder(2).encode([0]) == bytes.fromhex("00000000")
    assert coder(2).encode([1]) == bytes.fromhex("00000080")
    # Three quarters of 2**24 - 2 units, rounded down, and one of its own: 2**8 words below 0xc0000000.
    assert coder(2, [3, 1]).encode([1]) == bytes.fromhex("00ffffbf")


@pytest.mark.parametrize("alphabet", [2, 3, 7, 1000])
def test_lengths_are_within_the_overhead_of_words_and_chances(coder, alphabet):
    digits = digits_of(alphabet, 20_000)
    counts = np.bincount(digits, minlength=alphabet)
    # A part of 2**-8 is lost at most where the range is rounded down, a part (A + 1) 2**-24 of the chances.
    lost = len(digits) * np.log2(256 / 255 / (1 - (alphabet + 1) / 2**24)) + 33
    chances = (counts + 1) / (counts + 1).sum()
    for probabilities, ideal in ((None, ideal_bits(counts)), (chances, -(counts * np.log2(chances)).sum())):
        assert ideal - 1 <= coder(alphabet, probabilities).bits(digits) <= ideal + lost
        # In fact it is much nearer: 64 bits and 0.1 per cent are asked for.
        assert coder(alphabet, probabilities).bits(digits) <= 1.001 * ideal + 64


def test_the_adaptive_model_is_that_of_the_adaptive_coder(coder):
    # 600 zeros, then 600 ones: a model that lags behind would take hundreds of bits more.
    digits = [0] * 600 + [1] * 600
    assert abs(coder(3).bits(digits) - AdaptiveCoder(3).bits(digits)) <= 33


def test_an_alphabet_as_large_as_allowed(coder):
    digits = np.random.default_rng(0).integers(0, LARGEST_MODEL, 20)
    one = coder(LARGEST_MODEL)
    assert np.array_equal(one.decode(one.encode(digits), 20), digits)


@pytest.mark.parametrize("probabilities", [None, [1, 2, 3]])
def test_damage_is_noticed(coder, probabilities):
    digits, one = digits_of(3, 500), coder(3, probabilities)
    data = one.encode(digits)
    for wrong in (data[:-4], data[:-1], data + b"\0\0\0\0", b""):
        with pytest.raises(ValueError, match=r"none that the encoder writes|whole words"):
            one.decode(wrong, 500)


def test_what_is_refused(coder):
    for alphabet in (1, 2**16 + 1, 3.0, True, "3", None):
        with pytest.raises(ArgumentError, match=r"alphabet=.* must be a whole number from 2 to 65536; give"):
            coder(alphabet)
    for chances in ([1, 2], [1, 0, 1], [1, np.nan, 1], [1, 2j, 1], "abc", [[1], [1, 2]], 3, [1, [1], 1]):
        with pytest.raises(
            ArgumentError, match=r"probabilities=.* must be 3 positive finite numbers, one per"
        ):
            coder(3, chances)
    for call in (coder(3).encode, coder(3).bits, coder(3, [1, 2, 3]).encode):
        with pytest.raises(ArgumentError, match=r"RangeCoder: digits\[1\] = 3 must be from 0 to 2; add"):
            call([0, 3])
        with pytest.raises(ArgumentError, match=r"digits=\[1\.7\] must be whole numbers from 0 to 2"):
            call([1.7])
    with pytest.raises(ArgumentError, match=r"count=1\.5 must be a whole number of at least 0"):
        coder(3).decode(b"", 1.5)
    with pytest.raises(ArgumentError, match="data='a' must be bytes; give the result of encode"):
        coder(3).decode("a", 1)
