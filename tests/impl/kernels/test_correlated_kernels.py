"""Strata by a sorting network, and the correlated quantizer, against the literal rule and the numpy form."""

import numpy as np
import pytest

import impl
from impl.compressors import CorrelatedQuantizer, Draws
from impl.compressors.joint.correlated import stratified_thresholds
from impl.compressors.joint.correlated.stratified_thresholds import PhiloxStrata, draw_strata
from impl.errors import ArgumentError

EXAMPLES = [*CorrelatedQuantizer.examples(), CorrelatedQuantizer("ternary", norm_bits=32)]


def literal_strata(stream, shape):
    """The rule of `order_block`, coordinate by coordinate."""
    from impl.kernels.philox import fill_words

    rows, n, d = shape
    total, mask = rows * n * d, 2 ** (n - 1).bit_length() - 1
    words = np.empty(-(-8 * total // 4) * 4, np.uint32)
    fill_words(words, np.uint64(0), stream)
    strata, again = np.empty(shape, int), 0
    for r, j in np.ndindex(rows, d):
        for attempt in range(8):
            found = [int(words[attempt * total + (r * n + i) * d + j]) for i in range(n)]
            keys = sorted((word & ~mask) | i for i, word in enumerate(found))
            if len({key & ~mask for key in keys}) == n:
                break
            again += 1
        strata[r, :, j] = [key & mask for key in keys]
    return strata, again


@pytest.mark.parametrize(
    "shape", [(1, 2, 1), (2, 3, 700), (1, 16, 1100), (1, 17, 130), (1, 512, 40), (300, 4, 3)]
)
def test_strata_follow_the_stated_rule(shape):
    strata = PhiloxStrata(np.random.default_rng(7), shape, np.uint16)
    expected, again = literal_strata(strata.stream, shape)
    assert np.array_equal(strata, expected)
    assert (np.sort(strata, axis=1) == np.arange(shape[1])[:, None]).all()
    assert (again > 0) == (shape[1] == 512)  # of 512 keys of 23 bits, two tie in one coordinate of 65


def test_many_clients_are_drawn_by_numpy():
    with impl.tier("fused"):
        fused = draw_strata(np.random.default_rng(1), (513, 4))
        single = draw_strata(np.random.default_rng(1), (1, 4))
    assert np.array_equal(fused, draw_strata(np.random.default_rng(1), (513, 4)))
    assert single.tolist() == [[0, 0, 0, 0]]


def inputs(shape):
    x = np.random.default_rng(0).standard_normal(shape)
    x[..., 0, :] = 0  # a client without anything to send
    x[..., 1, 1:] = 0  # one whose entry is its norm
    x[..., 1, 0] = -3
    return x


@pytest.mark.parametrize("quantizer", EXAMPLES, ids=repr)
@pytest.mark.parametrize("scale", [1.0, 1e-300])
def test_the_kernel_is_the_numpy_form_bit_for_bit(quantizer, scale):
    if scale < 1 and quantizer.norm_bits == 32:
        scale = 1e-30
    x = scale * inputs((2, 5, 1300))
    for batch in ((2,), (3, 2)):
        with impl.tier("fused"):
            draws = quantizer.draw(np.random.default_rng(1), (*batch, 5, 1300))
        assert isinstance(draws.shared, PhiloxStrata)
        same = Draws(np.array(draws.shared), np.array(draws.private))
        fused, bits = quantizer.compress_counted(x, draws)
        plain, expected = quantizer.compress_counted(x, same)
        assert fused.tobytes() == plain.tobytes()
        assert np.array_equal(bits, expected)
        assert quantizer.estimate(x, draws).tobytes() == quantizer.estimate(x, same).tobytes()
    with impl.tier("fused"):
        sampled = quantizer.sample(x, np.random.default_rng(1), 3)
    assert sampled.tobytes() == quantizer.estimate(x, draws).tobytes()


def test_messages_of_single_clients_make_the_estimate():
    quantizer, x = CorrelatedQuantizer("ternary"), inputs((5, 300))
    with impl.tier("fused"):
        draws = quantizer.draw(np.random.default_rng(1), x.shape)
        messages = [quantizer.message(x[i], i, quantizer.of_client(draws, i)) for i in range(5)]
        found = quantizer.aggregate(messages, draws.shared)
    assert found.tobytes() == quantizer.estimate(x, draws).tobytes()


def test_inputs_that_are_repeated_already():
    quantizer, x = CorrelatedQuantizer("binary"), inputs((4, 50))
    with impl.tier("fused"):
        draws = quantizer.draw(np.random.default_rng(1), (6, 4, 50))
    whole = quantizer.compress(np.broadcast_to(x, (6, 4, 50)), draws)
    assert whole.tobytes() == quantizer.compress(x, draws).tobytes()
    assert quantizer.sample(x, np.random.default_rng(1), 0, tier="fused").shape == (0, 50)
    with pytest.raises(ArgumentError, match="take draws from"):
        quantizer.compress(np.broadcast_to(x, (5, 4, 50)), draws)


@pytest.mark.parametrize(
    "x", [[[1.0, np.nan], [0.0, 1.0]], [1.0, 2.0], [[1.0], [2.0, 3.0]], [[1e308] * 4] * 2]
)
def test_both_tiers_refuse_with_the_same_words(x):
    said = []
    for tier in ("numpy", "fused"):
        with pytest.raises(ArgumentError) as error:
            CorrelatedQuantizer("binary").sample(x, np.random.default_rng(1), 2, tier=tier)
        said.append((type(error.value), str(error.value)))
    assert said[0] == said[1]


def test_a_subclass_keeps_what_it_changes():
    class Above(CorrelatedQuantizer):
        def _below(self, y, uniforms, shared, n):
            return ~super()._below(y, uniforms, shared, n)

    x = inputs((4, 50))
    with impl.tier("fused"):
        draws = CorrelatedQuantizer("binary").draw(np.random.default_rng(1), (4, 50))
        plain = CorrelatedQuantizer("binary").compress(x, draws)
        changed = Above("binary").compress(x, draws)
    assert np.array_equal(plain, -changed)
    assert stratified_thresholds.network(4).shape == (5, 2)
