"""Error feedback around Top-k."""

import numpy as np
import pytest

from impl.compressors import OneBit, TopK
from impl.errors import ArgumentError
from impl.optimizers import Memory, QuantizedEstimator


def test_what_is_lost_comes_later():
    codec, residual = Memory(TopK(1)), np.zeros(3)
    total = np.zeros(3)
    for _ in range(6):
        message, residual = codec.with_feedback(np.array([3.0, 2.0, 1.0]), residual)
        total += codec.reconstruct(message)
    np.testing.assert_allclose(total + residual, 6 * np.array([3.0, 2.0, 1.0]))
    assert np.count_nonzero(total) == 3


def test_the_estimator_keeps_a_residual_for_each_worker():
    sent = QuantizedEstimator([Memory(TopK(1))] * 2, np.random.default_rng(0))
    gradients = np.array([[[3.0, 2.0], [1.0, 4.0]]])
    first, _ = sent.exchange(gradients)
    second, bits = sent.exchange(gradients)
    np.testing.assert_array_equal(first, [[[3.0, 0.0], [0.0, 4.0]]])
    np.testing.assert_array_equal(second, [[[0.0, 4.0], [0.0, 4.0]]])
    assert bits.shape == (1, 2)


def test_it_is_that_of_one_bit():
    x, rng = np.random.default_rng(1).normal(size=(4, 7)), np.random.default_rng(2)
    kept = [np.zeros(7), np.zeros(7)]
    for row in x:
        own, kept[0] = OneBit().with_feedback(row, kept[0])
        other, kept[1] = Memory(OneBit()).with_feedback(row, kept[1])
        np.testing.assert_array_equal(own.symbols, other.symbols)
        np.testing.assert_array_equal(*kept)
    assert Memory(OneBit()).draw(rng, (7,)).shared is None


def test_no_codec():
    with pytest.raises(ArgumentError, match="must offer draw"):
        Memory(3)
