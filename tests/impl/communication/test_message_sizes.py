"""Bits of messages: what is no number of entries, levels or coordinates."""

import numpy as np
import pytest

from impl.communication import (
    dense_bits,
    dense_sign_bits,
    index_bits,
    levels_bits,
    sign_entries_bits,
    sparse_bits,
)
from impl.errors import ArgumentError

ENTRIES = pytest.mark.parametrize("bits", [sparse_bits, sign_entries_bits])


@ENTRIES
@pytest.mark.parametrize(
    ("size", "named"),
    [
        (-1, "size=-1 must be a whole number from 0 to 8; a gradient has d = 8 entries"),
        (9, "size=9 must be"),
        (2.5, "size=2.5 must be"),
        (True, "size=True must be"),
        ("a", "size='a' must be"),
        (None, "size=None must be"),
        ([1, 9], "size holds 9, must be from 0 to 8; a gradient has d = 8 entries"),
        (np.array([[1], [-2]]), "size holds -2, must be"),
        ([0.5, 1], r"size=\[0.5, 1\] must be whole numbers from 0 to 8"),
        ([[1], [2, 3]], r"size=\[\[1\], \[2, 3\]\] must be whole numbers"),
        (np.array(["a"]), r"size=array\(.* must be whole numbers"),
    ],
)
def test_a_number_of_entries_that_is_none_is_named(bits, size, named):
    with pytest.raises(ArgumentError, match=f"^{bits.__name__}: {named}"):
        bits(size, 8)


@ENTRIES
def test_numbers_of_entries_of_all_forms(bits):
    each = [bits(T, 8) for T in range(9)]
    assert [bits(np.int64(T), np.int32(8)) for T in range(9)] == each
    for sizes in (list(range(9)), np.arange(9), np.arange(9, dtype=np.uint8).astype(np.uint64)):
        np.testing.assert_array_equal(bits(sizes, 8), each)
    assert bits([], 8).shape == (0,)


@pytest.mark.parametrize("d", [0, -3, 2.5, "a", None, True])
def test_a_dimension_that_is_none_is_named(d):
    for call in (
        lambda: index_bits(d),
        lambda: dense_bits(d),
        lambda: dense_sign_bits(d),
        lambda: sparse_bits(0, d),
        lambda: sign_entries_bits(0, d),
        lambda: levels_bits(1, d),
    ):
        with pytest.raises(ArgumentError, match=f"_bits: d={d!r} must be a whole number of at least 1"):
            call()


@pytest.mark.parametrize("levels", [-1, 0, 1.5, "a", None])
def test_levels_that_are_none_are_named(levels):
    with pytest.raises(ArgumentError, match=f"levels_bits: levels={levels!r} must be a whole number of at l"):
        levels_bits(levels, 8)


@pytest.mark.parametrize("float_bits", [0, 32.0, "a"])
def test_bits_of_a_number_that_are_none_are_named(float_bits):
    for call in (
        lambda: dense_bits(8, float_bits),
        lambda: dense_sign_bits(8, float_bits),
        lambda: sparse_bits(1, 8, float_bits),
        lambda: sign_entries_bits(1, 8, float_bits),
        lambda: levels_bits(1, 8, float_bits),
    ):
        with pytest.raises(
            ArgumentError, match=f"float_bits={float_bits!r} must be a whole number of at least 1"
        ):
            call()


def test_numbers_of_numpy_count_as_their_own():
    assert index_bits(np.int64(9)) == index_bits(9)
    assert levels_bits(np.int64(5), np.int64(9), np.int64(64)) == levels_bits(5, 9, 64)


def test_whole_gradients_have_no_indices():
    assert (dense_bits(64), dense_bits(64, 64), dense_sign_bits(64)) == (2048, 4096, 96)
