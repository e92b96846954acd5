"""What only the signs of the largest entries do: ties, both scales and their steps, zeros, bits, errors."""

import math
from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import Draws, TopK, TopKSigns
from impl.errors import ArgumentError

NONE = Draws()


def test_ties_keep_the_lowest_indices():
    x = [F(-2), F(1), F(2), F(-2)]
    assert TopKSigns(2, scale="mean").reference(x, NONE) == [-2, 0, 2, 0]
    floats = np.array([-2.0, 1.0, 2.0, -2.0])
    assert TopKSigns(2, scale="mean").compress(floats, NONE).tolist() == [-2, 0, 2, 0]


def test_scales():
    x = [F(2), F(-3), F(6)]
    assert TopKSigns(2).reference(x, NONE) == [0, -7, 7]
    assert TopKSigns(2, scale="mean").reference(x, NONE) == [0, F(-9, 2), F(9, 2)]
    assert TopKSigns(3).compress(np.array([2.0, -3.0, 6.0]), NONE).tolist() == [7, -7, 7]


def test_mean_at_one_over_l_is_the_step_of_the_norm():
    x = [F(1), F(-4), F(8), F(0)]
    for k in (1, 2, 3):
        S = sum(sorted((abs(item) for item in x), reverse=True)[:k])
        by_norm = [S / (k * 9) * item for item in TopKSigns(k).reference(x, NONE)]
        assert by_norm == TopKSigns(k, scale="mean").reference(x, NONE)


def test_a_kept_zero_has_no_sign():
    x = np.array([0.0, -2.0, 0.0])
    assert TopKSigns(3).compress(x, NONE).tolist() == [0, -2, 0]
    # The mean counts the slots of the message.
    assert TopKSigns(2, scale="mean").compress(x, NONE).tolist() == [0, -1, 0]
    assert not np.signbit(TopKSigns(3).compress(np.array([-0.0, 1.0, -0.0]), NONE)[[0, 2]]).any()
    assert TopKSigns(2, scale="mean").compress(np.zeros(3), NONE).tolist() == [0, 0, 0]


@pytest.mark.parametrize("scale", ["norm", "mean"])
def test_message_and_bits(scale):
    x = np.array([1.0, -4.0, 8.0, 0.0])
    compressor = TopKSigns(2, scale=scale)
    message = compressor.message(x, NONE)
    assert message.symbols.tolist() == [0, -1, 1, 0]
    # Gaps 2, 1 and 2 to the sentinel, 3 + 1 + 3 bits; two signs; the number.
    assert message.bits == 7 + 2 + 64
    assert compressor.reconstruct(message).tolist() == compressor.compress(x, NONE).tolist()
    assert compressor.expected_bits([F(1), F(-4), F(8), F(0)]) == message.bits


def test_numbers_of_32_bits_are_rounded_and_the_selection_is_not():
    x = np.array([1.0, 1.0 + 2.0**-40, 0.5])
    sent = TopKSigns(1, scale="mean", value_bits=32).compress(x, NONE)
    assert sent.tolist() == [0, 1, 0]
    third = np.array([1 / 3, 0.0])
    assert TopKSigns(1, value_bits=32).compress(third, NONE)[0] == float(np.float32(1 / 3))
    with pytest.raises(ArgumentError, match="exceeds the range of float32"):
        TopKSigns(1, scale="mean", value_bits=32).compress(np.array([1e200, 0.0]), NONE)


def test_large_and_small_numbers():
    for size in (1e300, 5e-324):
        x = np.array([size, -size, 0.0])
        assert TopKSigns(2, scale="mean").compress(x, NONE).tolist() == [size, -size, 0]


def test_names_and_equality():
    assert repr(TopKSigns(2)) == "TopKSigns(2)"
    assert repr(TopKSigns(2, scale="mean", value_bits=32)) == "TopKSigns(2, scale='mean', value_bits=32)"
    assert TopKSigns(2) != TopKSigns(2, scale="mean")
    assert TopKSigns(2) != TopK(2)
    assert not TopKSigns(2).unbiased


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 0}, "k=0"),
        ({"k": 1.5}, r"k=1\.5"),
        ({"k": 1, "scale": "max"}, "scale='max' must be one of norm, mean"),
        ({"k": 1, "value_bits": 16}, "value_bits=16"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        TopKSigns(**arguments)


def test_all_problems_are_named_at_once():
    with pytest.raises(ArgumentError) as caught:
        TopKSigns(0, scale="max", value_bits=16)
    for part in ("k=0", "scale='max'", "value_bits=16"):
        assert part in str(caught.value)


def test_wrong_inputs():
    with pytest.raises(ArgumentError):
        TopKSigns(4).compress(np.ones(3), NONE)
    with pytest.raises(ArgumentError):
        TopKSigns(1).compress(np.array([1.0, math.nan]), NONE)
    with pytest.raises(ArgumentError, match="the message has no scale"):
        TopKSigns(1).reconstruct(TopK(1).message(np.ones(2), NONE))
    with pytest.raises(ArgumentError, match="rational"):
        TopKSigns(1).reference([F(1), F(1)], NONE)
