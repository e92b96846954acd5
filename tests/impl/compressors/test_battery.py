"""What every compressor owes: what comes out. Laws, messages and errors are in the files beside this one."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import impl.compressors
from impl.compressors import Compressor, Draws, JointCompressor
from impl.errors import ArgumentError


@pytest.mark.parametrize(("base", "least"), [(Compressor, 4), (JointCompressor, 10)])
def test_every_compressor_of_the_package_is_exported(base, least):
    def concrete(item):
        return inspect.isclass(item) and issubclass(item, base) and not inspect.isabstract(item)

    found = set()
    for info in pkgutil.walk_packages(impl.compressors.__path__, "impl.compressors."):
        module = importlib.import_module(info.name)
        found |= {
            item.__name__
            for item in vars(module).values()
            if concrete(item) and item.__module__ == module.__name__
        }
    assert found <= set(impl.compressors.__all__)
    assert len(found) >= least


def test_every_class_has_examples(classes):
    assert all(len(list(cls.examples())) > 0 for cls in classes)


def test_reference_equals_vectorized_on_integers(compressor, rationals):
    for x in rationals(compressor):
        for _, draws in compressor.outcomes(x):
            exact = [float(item) for item in compressor.reference(x, draws)]
            private = None if draws.private is None else np.array([float(u) for u in draws.private])
            fast = compressor.compress(np.array(x, dtype=float), Draws(draws.shared, private))
            # Values sent in 32 bits are exact here; division by an irrational-in-binary step is not.
            np.testing.assert_allclose(fast, exact, rtol=1e-12)


def test_compress_is_what_the_receiver_reconstructs(compressor, gaussian):
    for dtype in (np.float32, np.float64):
        x = gaussian(compressor, 4, 3, dtype=dtype)
        draws = compressor.draw(np.random.default_rng(1), x.shape, dtype)
        message = compressor.message(x, draws)
        out = compressor.compress(x, draws)
        assert out.dtype == dtype
        assert message.bits.dtype == np.int64
        assert message.bits.shape == (4, 3)
        assert compressor.reconstruct(message, draws.shared).tobytes() == out.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sample_uses_the_draws_of_draw(compressor, dtype, gaussian):
    for batch, size in [((), None), ((3, 2), None), ((), 7), ((2,), (2, 3))]:
        x = gaussian(compressor, *batch, dtype=dtype)
        sampled = compressor.sample(x, np.random.default_rng(5), size=size)
        lead = () if size is None else (size,) if isinstance(size, int) else size
        draws = compressor.draw(np.random.default_rng(5), lead + x.shape, dtype)
        assert sampled.shape == lead + x.shape
        expected = np.broadcast_to(compressor.compress(x, draws), sampled.shape)
        assert sampled.tobytes() == expected.tobytes()


def test_batch_axes_do_not_change_a_vector(compressor, gaussian):
    x = gaussian(compressor, 5, 2)
    draws = compressor.draw(np.random.default_rng(2), x.shape)
    whole = compressor.compress(x, draws)
    for index in np.ndindex(5, 2):
        one = Draws(*(None if part is None else part[index] for part in (draws.shared, draws.private)))
        assert compressor.compress(x[index], one).tobytes() == whole[index].tobytes()


@pytest.mark.parametrize("exponent", [-80, 1, 80])
def test_scale_equivariance_by_powers_of_two(compressor, exponent, gaussian):
    x = gaussian(compressor, 3)
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    scale = 2.0**exponent
    assert np.array_equal(compressor.compress(scale * x, draws), scale * compressor.compress(x, draws))


def test_scale_equivariance(compressor, gaussian, loses_digits):
    x = gaussian(compressor, 3)
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    # Rounding of 3 x, and of what is sent.
    tolerance = 1e-6 if loses_digits(compressor) else 1e-12
    np.testing.assert_allclose(
        compressor.compress(3 * x, draws), 3 * compressor.compress(x, draws), rtol=tolerance
    )


def test_zero_vector(compressor, gaussian):
    x = gaussian(compressor, 2) * 0.0
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    out = compressor.compress(x, draws)
    assert out.tobytes() == np.zeros_like(x).tobytes()
    assert (compressor.variance(x) == 0).all()
    assert compressor.decode(compressor.encode(x, draws), draws.shared).tobytes() == out.tobytes()
    assert np.array_equal(compressor.message(x, draws).bits, compressor.expected_bits(x))


def test_one_nonzero(compressor):
    d = compressor.dimension or 6
    for j in range(d):
        x = np.zeros(d)
        x[j] = -3.0
        out = compressor.sample(x, np.random.default_rng(j), size=50)
        assert not np.delete(out, j, axis=1).any()
        assert (out[:, j] <= 0).all()
        assert not np.signbit(np.delete(out, j, axis=1)).any()


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-200, 1e200, 1e300])
def test_extreme_sizes(compressor, size, loses_digits):
    if loses_digits(compressor) and size > 1:
        with pytest.raises(ArgumentError, match=r"use (norm|value)_bits=64"):
            compressor.sample(np.full(compressor.dimension or 6, size), np.random.default_rng(1))
        return
    if getattr(compressor, "norm_bits", 64) == 32:
        with pytest.raises(ArgumentError, match="use norm_bits=64"):
            compressor.sample(np.full(compressor.dimension or 6, size), np.random.default_rng(1))
        return
    x = np.full((3, compressor.dimension or 6), size)
    x[1] *= -1.0
    x[2, 0] = 0.0
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    out = compressor.compress(x, draws)
    assert np.isfinite(out).all()
    assert (out * np.sign(x) >= 0).all()
    assert compressor.decode(compressor.encode(x, draws), draws.shared).tobytes() == out.tobytes()
    literal = np.array(compressor.reference(x.tolist(), draws))
    # Results that are subnormal are rounded to a multiple of 5e-324.
    np.testing.assert_allclose(out, literal, rtol=1e-12, atol=2e-323)


def test_extreme_sizes_mixed_with_ordinary_ones(lossless_compressor, gaussian):
    x = gaussian(lossless_compressor, 4)
    draws = lossless_compressor.draw(np.random.default_rng(1), x.shape)
    alone = lossless_compressor.compress(x, draws)
    x[1] *= 2.0**1010
    x[3] *= 2.0**-1040
    together = lossless_compressor.compress(x, draws)
    assert together[0].tobytes() == alone[0].tobytes()
    assert together[2].tobytes() == alone[2].tobytes()
    assert np.array_equal(together[1], alone[1] * 2.0**1010)


def test_chunks_of_samples(compressor, gaussian):
    x = gaussian(compressor)
    chunks = list(compressor.sample_chunks(x, np.random.default_rng(1), 50_000))
    assert len(chunks) > 1
    assert sum(len(chunk) for chunk in chunks) == 50_000
    assert all(chunk.shape[1:] == x.shape for chunk in chunks)
