"""TernGrad and one-bit: goldens, clipping, error feedback."""

import struct
import zlib
from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, Draws, Key, NestedDitheredQuantizer, OneBit, TernGrad
from impl.errors import ArgumentError, MessageError, NonFiniteError, ScaleOverflow


def test_clipping_is_at_deviations_about_the_mean_and_the_scale_comes_behind_it():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(500) + 1.0
    x[7] = 40.0
    message = TernGrad(2.5).message(x, TernGrad(2.5).draw(rng, x.shape))
    assert message.scales.tolist() == pytest.approx([2.5 * x.std()], rel=1e-12)
    assert TernGrad().message(x, TernGrad().draw(rng, x.shape)).scales.tolist() == [40.0]
    mean = TernGrad(2.5).sample(x, rng, size=3000).mean(axis=0)
    clipped = np.clip(x, -2.5 * x.std(), 2.5 * x.std())
    # Six and a half standard errors of entries of size kappa at most.
    assert (np.abs(mean - clipped) <= 6.5 * 2.5 * x.std() / 2 / np.sqrt(3000)).all()
    assert not TernGrad(2.5).unbiased
    assert TernGrad().unbiased


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_layers_are_clipped_and_scaled_each_on_its_own(dtype):
    """The same as one compressor for each layer, with one message for all of them."""
    rng, sizes = np.random.default_rng(3), (300, 7, 50)
    layers = [(10.0**i * rng.standard_t(3, size=(4, size))).astype(dtype) for i, size in enumerate(sizes)]
    x, whole, one = np.concatenate(layers, axis=-1), TernGrad(2.5, blocks=list(sizes)), TernGrad(2.5)
    draws = whole.draw(rng, x.shape, dtype)
    parts = np.split(draws.private, np.cumsum(sizes)[:-1], axis=-1)
    pairs = [(layer, Draws(private=part)) for layer, part in zip(layers, parts, strict=True)]
    alone = np.concatenate([one.compress(layer, part) for layer, part in pairs], axis=-1)
    assert whole.compress(x, draws).tobytes() == alone.tobytes()
    message = whole.message(x, draws)
    deviations = [2.5 * layer.std(axis=-1) for layer in layers]
    scales = [np.minimum(c, np.abs(layer).max(axis=-1)) for c, layer in zip(deviations, layers, strict=True)]
    np.testing.assert_allclose(message.scales, np.stack(scales, axis=-1), rtol=1e-5)
    assert message.bits.tolist() == [9 * 64 + 3 * 64] * 4  # 357 symbols, 40 in a word; three scales
    variance = sum(one.variance(layer) for layer in layers)
    np.testing.assert_allclose(whole.variance(x), variance, rtol=1e-12)
    assert not whole.unbiased
    assert TernGrad(blocks=list(sizes)).unbiased


def test_literal_and_vectorized_agree_on_edges():
    """Ties of uniforms and chances, zeros, single entries, subnormal and huge ones."""
    rng = np.random.default_rng(13)
    for case in range(300):
        d = int(rng.integers(1, 9))
        x = rng.standard_normal(d) if case % 3 else rng.integers(-4, 5, size=d) / 4
        if case % 7 == 0:
            x *= rng.random(d) < 0.3
        if case % 11 == 0:
            x = np.where(np.arange(d) == d // 2, x, 0.0)
        x = x * 10.0 ** rng.choice([0, 0, -310, -39, 300])
        draws = Draws(private=rng.integers(0, 16, d) / 16)
        for codec in (TernGrad(), TernGrad(norm_bits=32) if np.abs(x).max() < 1e38 else TernGrad()):
            assert codec.compress(x, draws).tolist() == codec.reference(x.tolist(), draws)
        # Sums are rounded in another order.
        for codec in (TernGrad(1.0), OneBit()):
            literal = codec.reference(x.tolist(), draws)
            np.testing.assert_allclose(codec.compress(x, draws), literal, rtol=1e-13, atol=1e-323)
    tie = TernGrad().message([2.0, 1.0, -1.0], Draws(private=[0.5, 0.5, 0.5]))
    assert tie.symbols.tolist() == [1, 0, 0]


def test_equal_entries_have_deviation_zero():
    for size in (0.1, 1e300, 5e-324):
        x = [size] * 7
        draws = Draws(private=[0.5] * 7)
        assert TernGrad(2.5).compress(x, draws).tolist() == TernGrad(2.5).reference(x, draws) == [0.0] * 7


def test_an_irrational_clip_is_an_error_in_exact_arithmetic_only_where_it_binds():
    wide = [Fraction(item) for item in (9, 0, 0, 1)]
    with pytest.raises(ArgumentError, match="the standard deviation of x is irrational"):
        TernGrad(1).variance(wide)
    assert TernGrad(1000).variance(wide) == TernGrad().variance(wide)


def test_bits_are_whole_words():
    assert TernGrad().expected_bits(np.ones(81)) == 3 * 64 + 64
    assert TernGrad(norm_bits=32).expected_bits(np.ones(80)) == 2 * 64 + 32
    assert OneBit(norm_bits=32).expected_bits(np.ones(65)) == 2 * 64 + 64


def test_feedback_keeps_what_was_lost():
    rng, residual, sent = np.random.default_rng(1), np.zeros(50), np.zeros(50)
    gradients = rng.standard_normal((30, 50))
    for gradient in gradients:
        message, residual = OneBit().with_feedback(gradient, residual)
        sent += OneBit().reconstruct(message)
    np.testing.assert_allclose(sent + residual, gradients.sum(axis=0), atol=1e-12)
    with pytest.raises(ArgumentError, match=r"residual has shape \(3,\), x has shape \(2,\)"):
        OneBit().with_feedback(np.ones(2), np.ones(3))


def test_one_bit_at_zero_and_with_an_empty_class():
    message = OneBit().message(np.array([0.0, -0.0, 2.0]), Draws())
    assert message.symbols.tolist() == [1, 1, 1]
    assert message.scales.tolist() == pytest.approx([2 / 3, 0.0])
    assert OneBit().compress(np.array([-1.0, -3.0]), Draws()).tolist() == [-2.0, -2.0]
    assert OneBit().compress(np.array([-0.0]), Draws()).tobytes() == np.zeros(1).tobytes()


def test_a_mean_that_underflows_is_sent_as_zero_with_feedback_only():
    codec, tiny = OneBit(norm_bits=32), np.array([1e-50, -2e-50, 3e-50])
    for call in (lambda: codec.message(tiny, Draws()), lambda: codec.reference(tiny.tolist(), Draws())):
        with pytest.raises(ScaleOverflow, match=r"class mean.* use norm_bits=64"):
            call()
    message, residual = codec.with_feedback(tiny, np.zeros(3))
    assert message.scales.tobytes() == np.zeros(2).tobytes()
    assert not codec.reconstruct(message).any()
    assert residual.tobytes() == tiny.tobytes()  # nothing is lost
    message, residual = codec.with_feedback([1.0, -1e-50], residual[:2])
    assert message.scales.tolist() == [1.0, 0.0]
    np.testing.assert_array_equal(residual, [1e-50 * 0, -3e-50])
    single, kept = OneBit().with_feedback(np.float32([1e-45, 0, 0, 0]), np.zeros(4, np.float32))
    assert not single.scales.any()
    assert kept.dtype == np.float32
    assert kept[0] == np.float32(1e-45)
    with pytest.raises(ScaleOverflow, match="use norm_bits=64"):
        codec.with_feedback([1e308, 1e308], [0.0, 0.0])


def resealed(data, payload, at, value):
    """Return an encoded message with one number in its payload of so many bytes, and a fitting checksum."""
    changed, seal = bytearray(data), 4
    struct.pack_into(">d", changed, len(data) - 4 - seal - payload + at, value)
    struct.pack_into("<I", changed, len(data) - 4, zlib.crc32(changed[:-4]))
    return bytes(changed)


@pytest.mark.parametrize(
    ("codec", "at", "values"),
    [
        (OneBit(), 0, [np.nan, np.inf, -1.0]),
        (OneBit(), 8, [np.nan, -np.inf, 1.0]),
        (TernGrad(), 0, [np.nan, np.inf, -1.0]),
        (DitheredQuantizer(1), 0, [np.nan, np.inf, -1.0]),
        (NestedDitheredQuantizer(1, 3), 0, [np.nan, np.inf, -1.0]),
    ],
)
def test_scales_that_no_sender_writes_are_refused_even_with_a_checksum_that_fits(codec, at, values):
    x, key = np.array([1.0, -0.5, 0.25]), Key((1, 2), 3, 4)
    data = codec.encode(x, codec.draw_keyed(key, (3,)), key)
    payload = 24 if isinstance(codec, OneBit) else 16
    side = x if isinstance(codec, NestedDitheredQuantizer) else None
    codec.decode(resealed(data, payload, at, 0.0), key=key, side=side)
    for value in values:
        with pytest.raises(MessageError, match=r"not finite|negative|wrong sign"):
            codec.decode(resealed(data, payload, at, value), key=key, side=side)


def test_errors_name_what_is_wrong():
    for clip in (0, -1, np.inf, "a", True):
        with pytest.raises(ArgumentError, match=r"clip=.* must be a positive number of standard deviations"):
            TernGrad(clip)
    with pytest.raises(ArgumentError, match=r"clip=0 must(?s:.)*blocks=\[2, 0\] must be a block size"):
        TernGrad(0, blocks=[2, 0])
    with pytest.raises(ArgumentError, match=r"x has d=4 coordinates, the parameters fix d=5"):
        TernGrad(blocks=[2, 3]).expected_bits(np.ones(4))
    for kind in (TernGrad, OneBit):
        with pytest.raises(ArgumentError, match="norm_bits=8 must be 64 or 32"):
            kind(norm_bits=8)
        message = OneBit().message([1.0], Draws())
        with pytest.raises(ArgumentError, match="made by another compressor"):
            kind().reconstruct(type(message)(message.symbols, None, 0, (1,)))
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(NonFiniteError, match=rf"x\[1\] = {bad} must be finite"):
            OneBit().with_feedback([0.0, bad], [0.0, 0.0])
    with pytest.raises(NonFiniteError, match=r"residual\[1\] = nan must be finite"):
        OneBit().with_feedback([0.0, 0.0], [1.0, np.nan])
    with pytest.raises(ScaleOverflow, match=r"\(x \+ residual\)\[1\] = -inf; scale x down"):
        OneBit().with_feedback([0.0, -1.7e308], [1.0, -1.7e308])
    with pytest.raises(ScaleOverflow, match=r"class mean\[0\] = 1e\+308 .* use norm_bits=64"):
        OneBit(norm_bits=32).message([1e308, 1e308], Draws())
    with pytest.raises(ScaleOverflow, match="use norm_bits=64"):
        TernGrad(norm_bits=32).sample([3e38], np.random.default_rng(0))
