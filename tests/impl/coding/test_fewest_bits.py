"""Least bits of entropy codes: no code is shorter, and a shorter one is refused before memory is taken."""

import numpy as np
import pytest

from impl.coding.adaptive_coder import AdaptiveCoder
from impl.coding.fewest_bits import fewest_adaptive_bits, fewest_range_bits
from impl.coding.range_coder import RangeCoder
from impl.errors import ArgumentError

pytestmark = pytest.mark.usefixtures("tier")


def sequences(alphabet, count):
    """Yield digits whose codes are short: one digit alone, and one beside a few others."""
    yield np.zeros(count, np.int64)
    yield np.full(count, alphabet - 1)
    mixed = np.zeros(count, np.int64)
    mixed[:: max(1, count // 3)] = alphabet - 1
    yield mixed


@pytest.mark.parametrize("alphabet", [2, 3, 17, 300, 2**16])
@pytest.mark.parametrize("count", [0, 1, 2, 40, 3000, 50_000])
def test_no_code_is_shorter(alphabet, count, tier):
    if alphabet > 300 and count > 40 and tier == "numpy":
        count = 40  # the library's time grows with the alphabet
    for digits in sequences(alphabet, count):
        assert 8 * len(AdaptiveCoder(alphabet).encode(digits)) >= fewest_adaptive_bits(count, alphabet)
    pytest.importorskip("constriction")
    if count * alphabet > 2**20 and tier == "numpy":
        return
    for digits in sequences(alphabet, count):
        assert RangeCoder(alphabet).bits(digits) >= fewest_range_bits(count, alphabet, None)
        for first in (1, 10**9):  # of all chances
            chances = np.ones(alphabet)
            chances[0] = first
            largest = float((chances / chances.sum()).max())
            assert RangeCoder(alphabet, chances).bits(digits) >= fewest_range_bits(count, alphabet, largest)


def test_the_bound_grows_to_what_equal_digits_take():
    # 253 digits of 255 are as good as none: log2 of (n + 254)! / (254! (n + 1)!).
    assert fewest_adaptive_bits(2**28, 255) > 0.95 * 8 * 675
    assert fewest_range_bits(2**40, 2, None) > 90_000
    assert fewest_range_bits(10**6, 4, 0.25) == pytest.approx(2e6, rel=1e-4)
    assert fewest_range_bits(0, 2**16, None) <= 0


def test_codes_of_few_bytes_take_little_memory_whatever_is_announced(peak):
    coder = AdaptiveCoder(255)
    with pytest.raises(ArgumentError, match=r"their sum must be at most 2\*\*30"):
        coder.decode(b"", 2**40)

    def refused():
        for data in (b"", b"\0" * 20, b"\xff" * 20, b"\x5a" * 20):
            with pytest.raises(ValueError, match="the code ends inside of a symbol"):
                coder.decode(data, 2**28)

    refused()
    assert peak(refused) < 2**15


@pytest.mark.parametrize("chances", [None, [1, 2, 1]])
@pytest.mark.parametrize("count", [2**30, 2**40, 2**70])
def test_words_of_the_library_too(chances, count, peak):
    pytest.importorskip("constriction")
    coder = RangeCoder(3, chances)

    def refused():
        for data in (b"", b"\0" * 16, b"\xff" * 16):
            with pytest.raises(ValueError, match="the code is none that the encoder writes"):
                coder.decode(data, count)

    refused()
    assert peak(refused) < 2**15
