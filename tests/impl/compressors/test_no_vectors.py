"""Arrays of no vectors are received, sent and measured as arrays of none."""

import numpy as np
import pytest

from impl.compressors import Key, NestedDitheredQuantizer
from impl.errors import MessageError

LEAD = ((0,), (0, 2), (2, 0))


@pytest.mark.parametrize("lead", LEAD)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_no_vectors_are_received_and_sent(compressor, lead, dtype):
    d, key = compressor.dimension or 6, Key((1, 2), 3, 4)
    x = np.zeros((*lead, d), dtype)
    draws = compressor.draw_keyed(key, x.shape, dtype)
    for found in (
        compressor.compress(x, draws),
        compressor.sample(x, np.random.default_rng(1)),
        compressor.decode(compressor.encode(x, draws, key), key=key),
    ):
        assert (found.shape, found.dtype) == (x.shape, dtype)
    assert np.shape(compressor.expected_bits(x)) == lead


def test_who_sent_no_vectors_is_told(compressor):
    key, other = Key((1, 2), 3, 4), Key((1, 2), 3, 5)
    x = np.zeros((0, compressor.dimension or 6))
    data = compressor.encode(x, compressor.draw_keyed(key, x.shape), key)
    with pytest.raises(MessageError, match="another key or round"):
        compressor.decode(data, key=other)


@pytest.mark.parametrize("lead", LEAD)
@pytest.mark.parametrize("codec", [NestedDitheredQuantizer(3, 3), NestedDitheredQuantizer(4, 3, blocks=2)])
def test_the_law_of_no_nested_messages(codec, lead):
    x = np.zeros((*lead, 6))
    assert codec.variance(x, side=x).shape == lead
    assert codec.moments(x, side=x).mean.shape == lead
