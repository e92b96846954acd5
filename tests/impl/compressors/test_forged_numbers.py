"""What is said of numbers that no sender writes; which are refused, `forged_scales` of `verify` holds."""

from dataclasses import replace

import numpy as np
import pytest

from impl.coding import BitReader
from impl.compressors import StochasticQuantizer, TopK
from impl.errors import MessageError


@pytest.mark.parametrize(
    ("codec", "part", "number", "words"),
    [
        (StochasticQuantizer(0.5), "scales", -1.0, "is negative"),
        (StochasticQuantizer(0.5), "scales", np.nan, "is not finite"),
        (TopK(2), "symbols", np.inf, "is not finite"),
    ],
)
def test_a_number_that_is_none(codec, part, number, words):
    x = np.array([3.0, -1.0, 2.0])
    message = codec.message(x, codec.draw(np.random.default_rng(1), x.shape))
    payload = codec.payload(replace(message, **{part: np.full_like(getattr(message, part), number)}))
    with pytest.raises(MessageError, match=words):
        codec.message_of(BitReader(payload.to_bytes(), payload.bits), x.shape)
