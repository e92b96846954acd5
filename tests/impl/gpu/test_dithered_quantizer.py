"""Dithered quantization on a device against the fused tier: the same indices and estimates, bit for bit."""

import numpy as np
import pytest

import impl.gpu
from impl.compressors import DitheredQuantizer

pytest.importorskip("numba")

CASES = {
    "one scale": DitheredQuantizer(3),
    "blocks": DitheredQuantizer(5, blocks=7),
    "few dithers": DitheredQuantizer(2, points=3),
    "many levels": DitheredQuantizer(2**20),
}


@pytest.mark.parametrize("shape", [(41,), (2, 41)])
@pytest.mark.parametrize("name", CASES)
def test_estimates_are_those_of_the_fused_tier(device, name, shape):
    import torch

    quantizer, rng = CASES[name], np.random.default_rng(6)
    x = rng.standard_normal(shape).astype(np.float32)
    x[..., :7] = 0
    given, ours = torch.as_tensor(x, device=device), impl.gpu.on_device(quantizer)
    expected = quantizer.sample(x, np.random.default_rng(4), tier="fused")
    assert np.array_equal(ours.sample(given, np.random.default_rng(4)).cpu().numpy(), expected)
    sent = ours.message(given, np.random.default_rng(4))
    assert np.array_equal(ours.reconstruct(sent).cpu().numpy(), expected)
    with impl.tier("fused"):
        draws = quantizer.draw(np.random.default_rng(4), x.shape)
        own = quantizer.message(x, draws)
    host = sent.to_host()
    assert np.array_equal(host.symbols, own.symbols)
    assert np.array_equal(host.scales, own.scales)
    assert np.array_equal(host.bits, own.bits)
