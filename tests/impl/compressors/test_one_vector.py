"""Short ways of one vector: the numbers, the draws and the errors of the general way."""

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, StochasticQuantizer
from impl.compressors.dithered import dithered_quantizer
from impl.compressors.rounding import stochastic_quantizer
from impl.errors import ArgumentError

QUANTIZERS = [
    StochasticQuantizer(1 / 16),
    StochasticQuantizer(1),
    StochasticQuantizer(3.0, norm_bits=32),
    DitheredQuantizer(1),
    DitheredQuantizer(3),
    DitheredQuantizer(2**24),
    DitheredQuantizer(2, points=2),
    DitheredQuantizer(2, points=3),
]
every_quantizer = pytest.mark.parametrize("quantizer", QUANTIZERS, ids=repr)


def vectors(dtype):
    """Yield ordinary vectors, and those of which the general way takes care."""
    rng = np.random.default_rng(0)
    for d in (1, 2, 3, 7, 1000, 1001, 2**14, 2**14 + 1, 2**15, 2**15 + 1, 50_000):
        yield rng.standard_normal(d).astype(dtype)
    yield np.zeros(5, dtype)
    yield np.array([0.0, -0.0, -3.0, 1e-30], dtype)
    yield np.array([np.finfo(dtype).tiny, 0], dtype)
    yield np.array([np.finfo(dtype).max / 3, -1], dtype)
    yield np.ones(10, dtype)[::2]
    yield np.ones((2, 3), dtype)


@every_quantizer
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("bits", [np.random.SFC64, np.random.Philox, np.random.MT19937])
def test_it_is_the_general_way(quantizer, dtype, bits, monkeypatch):
    for x in vectors(dtype):
        found = []
        for short in (True, False):
            if not short:
                monkeypatch.setattr(stochastic_quantizer, "rounded_vector", lambda *given: None)
                monkeypatch.setattr(dithered_quantizer, "dithered_vector", lambda *given: None)
            rng = np.random.Generator(bits(5))
            try:
                sampled = quantizer.sample(x, rng)
                found.append((sampled.tobytes(), sampled.dtype, sampled.shape, rng.random()))
            except ArgumentError as error:  # a norm that float32 does not hold
                found.append((str(error), rng.random()))
            monkeypatch.undo()
        assert found[0] == found[1]


@every_quantizer
def test_what_is_wrong_is_told_as_ever(quantizer):
    rng = np.random.default_rng(0)
    for x in (np.array([1, np.nan]), np.array([np.inf]), np.array([]), np.array(1.0), "x", [1j]):
        before = rng.bit_generator.state
        with pytest.raises(ArgumentError):
            quantizer.sample(x, rng)
        assert rng.bit_generator.state == before
    with pytest.raises(ArgumentError, match=r"numpy\.random\.Generator"):
        quantizer.sample(np.ones(3), np.random)
    with pytest.raises(ArgumentError, match="tier='fast' is unknown"):
        quantizer.sample(np.ones(3), rng, tier="fast")
