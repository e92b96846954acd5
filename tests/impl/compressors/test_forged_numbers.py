"""Payloads with numbers that no sender writes are refused where they are read."""

import numpy as np
import pytest

from impl.coding import BitReader, BitWriter
from impl.compressors import (
    AtomicSparsification,
    PermKQuantizer,
    RotatedQuantizer,
    StochasticQuantizer,
    TopK,
    TopKSigns,
)
from impl.errors import MessageError

BAD = (-1.0, -5e-324, np.nan, np.inf, -np.inf)


def first_replaced(writer, number):
    """Return a reader of a payload whose first 64 bits are those of a number."""
    other = BitWriter()
    other.append(np.array([number]).view(np.uint64), 64)
    return BitReader(other.to_bytes() + writer.to_bytes()[8:], writer.bits)


@pytest.mark.parametrize("number", BAD)
@pytest.mark.parametrize("codec", [StochasticQuantizer(0.5), TopKSigns(2)])
def test_a_scale_that_is_none(codec, number):
    x = np.array([3.0, -1.0, 2.0])
    payload = codec.payload(codec.message(x, codec.draw(np.random.default_rng(1), x.shape)))
    with pytest.raises(MessageError, match=r"is negative|is not finite"):
        codec.message_of(first_replaced(payload, number), x.shape)


@pytest.mark.parametrize("number", BAD)
@pytest.mark.parametrize("codec", [PermKQuantizer(2), RotatedQuantizer(True), RotatedQuantizer(False)])
def test_a_norm_of_a_client_that_is_none(codec, number):
    x = np.arange(1.0, 17.0).reshape(4, 4)
    draws = codec.draw(np.random.default_rng(1), x.shape)
    payload = codec.payload(codec.message(x[1], 1, codec.of_client(draws, 1), n=4), draws.shared)
    with pytest.raises(MessageError, match=r"is negative|is not finite"):
        codec.message_of(first_replaced(payload, number), 1, 4, 4, draws.shared)


@pytest.mark.parametrize("number", [np.nan, np.inf])
@pytest.mark.parametrize("codec", [TopK(2), AtomicSparsification(2)])
def test_an_entry_that_is_none(codec, number):
    x = np.array([3.0, -1.0, 2.0])
    message = codec.message(x, codec.draw(np.random.default_rng(1), x.shape))
    message.symbols[0] = number
    payload = codec.payload(message)
    with pytest.raises(MessageError, match="is not finite"):
        codec.message_of(BitReader(payload.to_bytes(), payload.bits), x.shape)
