"""Stochastic rounding on a device against the quantizer itself, with the uniforms of the fused tier."""

import numpy as np
import pytest

import impl.gpu
from impl.compressors import StochasticQuantizer
from impl.compressors.contract import Draws
from impl.compressors.philox_draws import philox_stream
from impl.errors import ArgumentError

CASES = {
    "one step": StochasticQuantizer(0.3),
    "coarse": StochasticQuantizer(2),
    "blocks": StochasticQuantizer([0.2, 0.5], blocks=[24, 17]),
    "equal blocks": StochasticQuantizer(0.1, blocks=[1] * 41),
    "steps of coordinates": StochasticQuantizer(np.linspace(0.1, 2, 41)),
    "largest magnitude": StochasticQuantizer(1 / 3, norm="max"),
}


def literal_uniforms(rng, count):
    """Return the float32 uniforms of the stream that a generator keys, word by word."""
    k0, k1, c2, c3 = map(int, philox_stream(rng))
    found = []
    for counter in range(-(-count // 4)):
        x, key = [counter & 0xFFFFFFFF, counter >> 32, c2, c3], [k0, k1]
        for _ in range(10):
            p, q = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
            x = [(q >> 32) ^ x[1] ^ key[0], q & 0xFFFFFFFF, (p >> 32) ^ x[3] ^ key[1], p & 0xFFFFFFFF]
            key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
        found += [(word >> 8) * 2.0**-24 for word in x]
    return np.array(found[:count], dtype=np.float32)


@pytest.mark.parametrize("shape", [(41,), (3, 41)])
@pytest.mark.parametrize("name", CASES)
def test_levels_and_estimates_are_those_of_the_quantizer(device, name, shape):
    import torch

    quantizer, rng = CASES[name], np.random.default_rng(5)
    x = rng.standard_normal(shape).astype(np.float32) * np.float32(3)
    x[..., 7] = 0
    u = literal_uniforms(np.random.default_rng(9), x.size).reshape(shape)
    given = torch.as_tensor(x, device=device)
    sent = impl.gpu.on_device(quantizer).message(given, np.random.default_rng(9))
    host, own = sent.to_host(), quantizer.message(x, Draws(private=u))
    np.testing.assert_allclose(host.scales, own.scales, rtol=2**-23)  # sums in another order
    same = bool((host.scales == own.scales).all())
    differing = int((host.symbols != own.symbols).sum())
    assert differing == 0 if same else differing <= 1
    assert same is False or np.array_equal(host.bits, own.bits)
    sampled = impl.gpu.on_device(quantizer).sample(given, np.random.default_rng(9)).cpu().numpy()
    received = impl.gpu.on_device(quantizer).reconstruct(sent).cpu().numpy()
    assert np.array_equal(sampled, received)
    if same:
        assert np.array_equal(sampled, quantizer.compress(x, Draws(private=u)))
    assert not np.signbit(sampled[..., 7]).any()


def test_samples_have_the_mean_and_the_exact_variance(device):
    import torch

    quantizer, x = StochasticQuantizer(0.7), np.float32([3, 0.1, -2, 0.7, 0])
    many = 20_000 if device == "cuda" else 2_000
    drawn = impl.gpu.on_device(quantizer).sample(
        torch.as_tensor(x, device=device), np.random.default_rng(1), many
    )
    errors = drawn.cpu().numpy().astype(np.float64) - x
    spread = quantizer.variance(x)
    assert abs(errors.mean(axis=0)).max() <= 6 * np.sqrt(spread / many)
    assert abs((errors**2).sum(axis=1).mean() / spread - 1) <= 8 / np.sqrt(many)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda torch, device: np.ones(3, np.float32), "ndarray; give a torch tensor"),
        (lambda torch, device: torch.ones(3, dtype=torch.float64, device=device), "float64; kernels take"),
        (lambda torch, device: torch.full((3,), float("nan"), device=device), "must be finite"),
        (lambda torch, device: torch.full((3,), 1e38, device=device), "must be finite|scale x"),
        (lambda torch, device: torch.full((3,), 1e-38, device=device), "scale x"),
        (lambda torch, device: torch.ones((0,), device=device), "not empty"),
    ],
)
def test_what_is_refused(device, make, told):
    import torch

    quantizer = impl.gpu.on_device(StochasticQuantizer(0.5))
    with pytest.raises(ArgumentError, match=told):
        quantizer.sample(make(torch, device), np.random.default_rng(0))


def test_compressors_without_a_kernel_are_named(device):
    with pytest.raises(ArgumentError, match="no kernel for"):
        impl.gpu.on_device("QSGD")
    with pytest.raises(ArgumentError, match="n=2 nodes"):
        impl.gpu.on_device(StochasticQuantizer([[0.2], [0.3]]))


@pytest.mark.parametrize("norm", ["euclidean", "max"])
def test_norms_of_long_vectors(device, norm):
    import torch

    x = np.random.default_rng(3).standard_normal((2, 5000)).astype(np.float32)
    quantizer = StochasticQuantizer(1, norm=norm)
    sent = impl.gpu.on_device(quantizer).message(torch.as_tensor(x, device=device), np.random.default_rng(0))
    order = np.inf if norm == "max" else 2
    expected = np.linalg.norm(x.astype(np.float64), order, axis=1, keepdims=True)
    np.testing.assert_allclose(sent.scales.cpu().numpy(), expected, rtol=2**-22)


@pytest.mark.parametrize("place", [0, 4999])
@pytest.mark.parametrize("norm", ["euclidean", "max"])
def test_a_nan_is_seen_wherever_it_is(device, norm, place):
    import torch

    x = torch.ones(5000, device=device)
    x[place] = float("nan")
    with pytest.raises(ArgumentError, match="must be finite"):
        impl.gpu.on_device(StochasticQuantizer(1, norm=norm)).sample(x, np.random.default_rng(0))
    free = impl.gpu.on_device(StochasticQuantizer(1, norm=norm), checked=False)
    assert bool(torch.isnan(free.sample(x, np.random.default_rng(0))).all())
