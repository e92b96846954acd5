"""Correlated quantization on a device against the fused tier: the same draws, so the same levels."""

import numpy as np
import pytest

import impl.gpu
from impl.compressors import CorrelatedQuantizer
from impl.compressors.contract import Draws
from impl.errors import ArgumentError

pytest.importorskip("numba")
# Triton's interpreter computes by numpy, which warns where a GPU does not.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered", "ignore:invalid value encountered")

CASES = {
    "binary": CorrelatedQuantizer("binary"),
    "ternary": CorrelatedQuantizer("ternary"),
    "short norms": CorrelatedQuantizer("binary", norm_bits=32),
}
SHAPES = [(2, 8), (5, 41), (16, 600), (3, 515), (2, 3, 7), (3, 4, 6)]


def drawn_by(quantizer, x, seed):
    """Return what the fused tier draws for x in float64."""
    with impl.tier("fused"):
        return quantizer.draw(np.random.default_rng(seed), x.shape)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_levels_and_decoded_clients_are_those_of_the_fused_tier(device, name, shape):
    import torch

    quantizer, rng = CASES[name], np.random.default_rng(6)
    x = rng.standard_normal(shape).astype(np.float32)
    x[..., 1, :] = 0
    given, ours = torch.as_tensor(x, device=device), impl.gpu.on_device(quantizer)
    expected = quantizer.compress(x, drawn_by(quantizer, x, 4)).astype(np.float32)
    sent = ours.message(given, np.random.default_rng(4))
    host = sent.to_host()
    # Sums of squares have another order, so that norms may differ by a rounding of float64.
    norms = quantizer._scales(x.astype(np.float64))
    np.testing.assert_allclose(host.scales, norms, rtol=2**-23 if quantizer.norm_bits == 32 else 2**-48)
    decoded = ours.compress(given, np.random.default_rng(4)).cpu().numpy()
    np.testing.assert_allclose(decoded, expected, rtol=2**-22)  # a level away would be 1 apart
    assert np.array_equal(ours.reconstruct(sent).cpu().numpy(), decoded)
    assert not np.signbit(decoded[..., 1, :]).any()
    assert np.array_equal(host.bits, quantizer.bits(x, drawn_by(quantizer, x, 4)))
    drawn = drawn_by(quantizer, x, 4)
    levels, _, _ = quantizer._encode(
        x.astype(np.float64),
        slice(None),
        x.shape[-2],
        Draws(np.asarray(drawn.shared), np.asarray(drawn.private)),
    )
    assert np.array_equal(host.symbols, levels)


@pytest.mark.parametrize("shape", [(5, 41), (2, 3, 8)], ids=str)
def test_samples_are_the_means_of_the_fused_tier(device, shape):
    import torch

    quantizer, x = CASES["ternary"], np.random.default_rng(7).standard_normal(shape).astype(np.float32)
    given = torch.as_tensor(x, device=device)
    drawn = impl.gpu.on_device(quantizer).sample(given, np.random.default_rng(3), size=(2, 3))
    expected = quantizer.sample(x, np.random.default_rng(3), size=(2, 3), tier="fused")
    assert drawn.shape == expected.shape
    np.testing.assert_allclose(drawn.cpu().numpy(), expected, rtol=2**-22, atol=2**-24)


def test_ties_are_drawn_again_as_the_fused_tier_does(device, monkeypatch):
    """Four random bits of a key for three clients: every sixth coordinate ties."""
    import torch

    from impl.compressors.joint.correlated.stratified_thresholds import network
    from impl.compressors.philox_draws import philox_stream
    from impl.gpu import correlated_quantizer as module
    from impl.kernels.strata import fill_strata

    low = 2**28 - 1  # the other bits number the client
    monkeypatch.setattr(module, "last_bits", lambda n: low)
    quantizer, x = CASES["binary"], np.ones((3, 64), np.float32)
    strata = np.zeros((3, 64), np.uint8)
    rng = np.random.default_rng(8)
    fill_strata(strata.reshape(1, 3, 64), np.uint32(low), philox_stream(rng), network(3))
    assert set(map(tuple, np.sort(strata, axis=0).T.tolist())) == {(0, 1, 2)}
    with impl.tier("fused"):
        jitter = np.asarray(quantizer.draw_private(rng, (3, 64)))
    expected = quantizer.compress(x, Draws(strata, jitter)).astype(np.float32)
    ours = impl.gpu.on_device(quantizer).compress(torch.as_tensor(x, device=device), np.random.default_rng(8))
    np.testing.assert_allclose(ours.cpu().numpy(), expected, rtol=2**-22)


def test_samples_have_the_exact_variance(device):
    import torch

    quantizer, x = CASES["binary"], np.float32([[3, 0.1, -2], [1, -1, 0.5], [0, 2, 0.3], [1, 1, 1]])
    many = 20_000 if device == "cuda" else 200
    given = torch.as_tensor(x, device=device)
    drawn = impl.gpu.on_device(quantizer).sample(given, np.random.default_rng(1), many)
    errors = drawn.cpu().numpy().astype(np.float64) - x.astype(np.float64).mean(axis=0)
    spread = quantizer.variance(x)
    assert abs(errors.mean(axis=0)).max() <= 6 * np.sqrt(spread / many)
    assert abs((errors**2).sum(axis=1).mean() / spread - 1) <= 8 / np.sqrt(many)


@pytest.mark.parametrize(
    ("shape", "value", "told"),
    [
        ((8,), 1.0, r"give \(..., n, d\), on a device with n from 2 to 16"),
        ((17, 2), 1.0, "n from 2 to 16"),
        ((1, 2), 1.0, "n from 2 to 16"),
        ((2, 2), float("nan"), "x must be finite"),
        ((2, 2), 3e38, "norms at most the largest float32"),
    ],
)
def test_what_is_refused(device, shape, value, told):
    import torch

    ours = impl.gpu.on_device(CASES["binary"])
    with pytest.raises(ArgumentError, match=told):
        ours.sample(torch.full(shape, value, device=device), np.random.default_rng(0))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 3e38])
def test_unchecked_clients_that_are_not_finite_become_nan(device, value):
    import torch

    x = torch.ones((2, 8), device=device)
    x[1, 3:5] = value
    ours = impl.gpu.on_device(CASES["binary"], checked=False)
    decoded = ours.compress(x, np.random.default_rng(0))
    assert bool(torch.isnan(decoded[1]).all())
    assert not bool(torch.isnan(decoded[0]).any())
    received = ours.reconstruct(ours.message(x, np.random.default_rng(0)))
    assert np.array_equal(received.cpu().numpy(), decoded.cpu().numpy(), equal_nan=True)
