"""Adaptive arithmetic coder: golden lengths and codes, lossless, damage is noticed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from impl.coding.adaptive_coder import LARGEST_TOTAL, AdaptiveCoder, ideal_bits
from impl.errors import ArgumentError


@pytest.mark.parametrize(
    ("counts", "golden"),
    [((10, 20, 70), 121.7739196996176), ((1, 2, 3, 4), 21.7810074500531), ((0, 0, 1000), 18.9358930520312)],
)
def test_golden_ideal_lengths(counts, golden):
    assert ideal_bits(counts) == pytest.approx(golden, rel=1e-13)


def test_goldens_of_short_codes():
    # Worked by hand: no symbol leaves two ending bits; one of four equal halves leaves its bits and the end.
    assert AdaptiveCoder(3).encode([]) == b"\x40"
    assert AdaptiveCoder(1).encode([0] * 9) == b"\x40"
    assert AdaptiveCoder(2).bits([1]) == 3
    assert AdaptiveCoder(2).encode([1]) == bytes([0b10100000])


@settings(deadline=None, max_examples=150)
@given(
    st.integers(1, 300).flatmap(lambda A: st.tuples(st.just(A), st.lists(st.integers(0, A - 1), max_size=80)))
)
def test_every_sequence_comes_back(case):
    alphabet, digits = case
    coder = AdaptiveCoder(alphabet)
    assert coder.decode(coder.encode(digits), len(digits)).tolist() == digits


@settings(deadline=None, max_examples=300)
@given(st.integers(2, 9), st.binary(max_size=12), st.integers(0, 40))
def test_what_is_decoded_has_no_other_code(alphabet, data, count):
    coder = AdaptiveCoder(alphabet)
    try:
        digits = coder.decode(data, count)
    except ValueError:
        return
    assert coder.encode(digits) == data


def test_a_run_of_middles_keeps_bits_pending():
    # Symbols about the middle of the interval: carries travel far.
    digits = [1, *[0, 2] * 40, *[1] * 60]
    coder = AdaptiveCoder(3)
    assert coder.decode(coder.encode(digits), len(digits)).tolist() == digits


def test_damage_is_noticed():
    digits = np.random.default_rng(0).integers(0, 3, 500)
    coder = AdaptiveCoder(3)
    data = coder.encode(digits)
    for wrong in (data[:-1], data + b"\0", b"", data[:-1] + bytes([data[-1] ^ 1])):
        with pytest.raises(ValueError, match=r"does not end as|ends inside"):
            coder.decode(wrong, 500)


def test_what_is_refused():
    coder = AdaptiveCoder(3)
    for alphabet in (0, LARGEST_TOTAL, 3.0, True, "3", None):
        with pytest.raises(
            ArgumentError, match=r"alphabet=.* must be a whole number from 1 to 1073741823; giv"
        ):
            AdaptiveCoder(alphabet)
    for digits, first in (
        ([3], "0\\] = 3"),
        ([-1], "0\\] = -1"),
        ([0, 5], "1\\] = 5"),
        ([2**63], "0\\] = 9"),
    ):
        with pytest.raises(
            ArgumentError, match=rf"AdaptiveCoder: digits\[{first}.* must be from 0 to 2; add"
        ):
            coder.encode(digits)
    for digits in ([1.7], [1.0], [True], "12", 1, [[1], [1, 2]], [[1]], [1j], [2**70], [None]):
        for call in (coder.encode, coder.bits):
            with pytest.raises(
                ArgumentError, match=r"digits=.* must be whole numbers from 0 to 2, \(d,\); round"
            ):
                call(digits)
    for count in (-1, 1.5, True, None):
        with pytest.raises(ArgumentError, match=r"count=.* must be a whole number of at least 0; give"):
            coder.decode(b"", count)
    for data in ("a", None, [1]):
        with pytest.raises(ArgumentError, match=r"data=.* must be bytes; give the result of encode"):
            coder.decode(data, 1)
    with pytest.raises(ArgumentError, match=r"at most 2\*\*30; code them in parts"):
        coder.decode(b"", LARGEST_TOTAL)
    for kind in (np.int8, np.uint64):
        assert coder.encode(np.array([0, 2, 1], dtype=kind)) == coder.encode([0, 2, 1])
