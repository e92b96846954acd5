"""Top-k on a device keeps what the compressor keeps."""

import numpy as np
import pytest

import impl.gpu
from impl.compressors import TopK
from impl.compressors.contract import Draws
from impl.errors import ArgumentError


@pytest.mark.parametrize("shape", [(40,), (3, 40)])
@pytest.mark.parametrize("k", [1, 5, 40])
def test_it_keeps_what_the_compressor_keeps(device, shape, k):
    import torch

    # Whole numbers: many magnitudes are equal.
    x = np.random.default_rng(k).integers(-4, 5, shape).astype(np.float32)
    ours, given = impl.gpu.on_device(TopK(k)), torch.as_tensor(x, device=device)
    expected = TopK(k).compress(x, Draws())
    sent = ours.message(given)
    assert np.array_equal(ours.sample(given).cpu().numpy(), expected)
    assert np.array_equal(ours.reconstruct(sent).cpu().numpy(), expected)
    assert np.array_equal(sent.to_host().bits, TopK(k).message(x, Draws()).bits)


@pytest.mark.parametrize("k", [1, 700, 2**15])
def test_a_long_vector(device, k):
    import torch

    x = np.random.default_rng(k).standard_normal(2**16 + 5).astype(np.float32)
    x[::2] = np.round(x[::2])
    found = impl.gpu.on_device(TopK(k)).sample(torch.as_tensor(x, device=device)).cpu().numpy()
    assert np.array_equal(found, TopK(k).compress(x, Draws()))


def test_it_refuses_nan(device):
    import torch

    with pytest.raises(ArgumentError, match="must be finite"):
        impl.gpu.on_device(TopK(1)).sample(torch.full((4,), float("nan"), device=device))
