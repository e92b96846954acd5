"""Nested dithered quantizer: cosets, decoding beside side information, exact law with overload, edges."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, Draws, Key, NestedDitheredQuantizer
from impl.compressors.dithered.dither_stream import draw_dither
from impl.errors import ArgumentError, CorruptMessage, MissingSideInfo, NonFiniteError

RATIOS = [2, 3, 4, 5, 7, 8]


CODECS = [
    NestedDitheredQuantizer(1, 2),
    *(NestedDitheredQuantizer(4, ratio, alpha) for ratio in RATIOS for alpha in (1.0, 0.9, 0.5)),
    *(NestedDitheredQuantizer(3, ratio, blocks=3) for ratio in RATIOS),
    *(NestedDitheredQuantizer(M, k, range_aware=True) for M, k in [(1, 3), (1, 5), (2, 5), (2, 3), (3, 3)]),
    *(NestedDitheredQuantizer(M, k, range_aware=True) for M, k in [(3, 8), (4, 9)]),
]


@pytest.mark.parametrize("codec", CODECS, ids=repr)
def test_literal_and_vectorized_agree(codec):
    """Ties, zeros, single entries, subnormal and huge blocks; side information of no use and of the best."""
    rng = np.random.default_rng(11)
    for case in range(250):
        d = int(rng.integers(1, 9))
        x = rng.standard_normal(d) if case % 5 else rng.integers(-4, 5, size=d) / 4
        if case % 7 == 0:
            x *= rng.random(d) < 0.3
        if case % 11 == 0:
            x = np.where(np.arange(d) == d // 2, x, 0.0)
        x *= 10.0 ** rng.choice([0, 0, 0, -310, -320, -39, 300])
        far = 0.0 if case % 13 == 0 else 10.0 ** rng.choice([0, 0, -320, 300])
        y = rng.choice([0.0, 1.0, 0.9]) * x + far * rng.standard_normal(d)
        u = rng.integers(-8, 8, size=d) / 16 if case % 3 == 0 else draw_dither(rng, (d,))
        draws = Draws(shared=u)
        message = codec.message(x, draws)
        assert message.symbols.tolist() == codec.reference_symbols(x.tolist(), draws)
        assert codec.compress(x, draws, y).tolist() == codec.reference(x.tolist(), draws, y.tolist())
        assert codec.clips(x, draws) == 0


def test_aware_of_the_range_with_large_k_is_the_plain_quantizer_whatever_y_is():
    rng = np.random.default_rng(5)
    x = rng.standard_normal((100, 20))
    for levels, ratio in itertools.product([1, 2, 3], range(7, 10)):
        nested = NestedDitheredQuantizer(levels, ratio, range_aware=True)
        draws = nested.draw(rng, x.shape)
        plain = DitheredQuantizer(levels).compress(x, draws)
        for size in (0.0, 1.0, 1e300, 1e-320):
            y = size * rng.standard_normal(x.shape)
            assert nested.compress(x, draws, y).tobytes() == plain.tobytes()


def test_awareness_of_the_range_never_adds_an_overload():
    rng = np.random.default_rng(6)
    x = rng.standard_normal((300, 20))
    for levels, ratio in itertools.product([1, 2, 3], [2, 3, 4, 5]):
        aware = NestedDitheredQuantizer(levels, ratio, range_aware=True)
        blind = NestedDitheredQuantizer(levels, ratio)
        draws = aware.draw(rng, x.shape)
        y = x + rng.standard_normal(x.shape)
        assert not (aware.overloads(x, draws, y) & ~blind.overloads(x, draws, y)).any()


def test_no_side_information_is_an_error_everywhere():
    codec, x = NestedDitheredQuantizer(1, 3), np.ones(4)
    draws = codec.draw(np.random.default_rng(0), (4,))
    key = Key((1, 2), 0, 0)
    data = codec.encode(x, codec.draw_keyed(key, (4,)), key)
    message = codec.message(x, draws)
    for call in (
        lambda: codec.compress(x, draws),
        lambda: codec.reconstruct(message, draws.shared),
        lambda: codec.reference(x.tolist(), draws),
        lambda: codec.sample(x, np.random.default_rng(0)),
        lambda: codec.variance(x),
        lambda: codec.variance([Fraction(1)] * 4),
        lambda: codec.moments(x),
        lambda: codec.decode(data, key=key),
    ):
        with pytest.raises(MissingSideInfo, match="side is missing; give what the receiver already knows"):
            call()
    out = codec.decode(data, key=key, side=np.full(4, 0.9))
    assert np.array_equal(out, codec.compress(x, codec.draw_keyed(key, (4,)), 0.9))


@pytest.mark.parametrize("side", [np.array([1 + 2j, 0, 0, 0]), [1j] * 4, "a", [[1], [1, 2]]])
def test_side_information_is_real(side):
    codec, draws = NestedDitheredQuantizer(3, 3), Draws(shared=np.zeros(4))
    with pytest.raises(ArgumentError, match=r"side=.* must hold real numbers, .* give decoded gradients"):
        codec.compress(np.ones(4), draws, side)


def test_side_information_of_no_use_is_returned_and_reported():
    codec, u = NestedDitheredQuantizer(4, 3), Draws(shared=[0.25, 0.25])
    x, y = np.array([1e-300, 5e-301]), np.array([1.0, 1e-301])
    message = codec.message(x, u)
    assert codec.unreliable(message, y).tolist() == [True, False]
    assert codec.compress(x, u, y)[0] == 1.0
    assert codec.reference(x.tolist(), u, y.tolist())[0] == 1.0
    assert codec.overloads(x, u, y).tolist() == [True, False]
    tiny = np.array([5e-324, 0.0])  # the step underflows
    assert codec.unreliable(codec.message(tiny, u), y).all()
    assert codec.compress(tiny, u, y).tolist() == y.tolist()
    zero = np.zeros(2)
    assert codec.compress(zero, u, y).tobytes() == np.zeros(2).tobytes()  # not y
    assert not codec.unreliable(codec.message(zero, u), y).any()
    assert codec.variance(x, side=y) == pytest.approx(1.0)


@pytest.mark.parametrize("alpha", [1.0, 0.5])
def test_side_information_is_of_no_use_from_2_to_the_52_steps(alpha):
    codec, u = NestedDitheredQuantizer(2, 3, alpha), Draws(shared=[0.25] * 5)
    x, limit = np.array([0.5, 2.0, 0.0, 0.0, 0.0]), 2.0**52 / alpha  # the step is 1
    y = np.array([limit, -limit, math.nextafter(limit, 0), -math.nextafter(limit, 0), 0.0])
    message = codec.message(x, u)
    assert codec.unreliable(message, y).tolist() == [True, True, False, False, False]
    estimates, indices, lost = codec.reconstruct_counted(message, u.shared, y)
    assert lost == 2
    assert estimates[:2].tolist() == y[:2].tolist()
    assert indices[:2].tolist() == message.symbols[:2].tolist()
    assert codec.compress(x, u, y).tolist() == codec.reference(x.tolist(), u, y.tolist())
    for one in ([limit, 0, 0, 0, 0], [-limit, 0, 0, 0, 0]):
        assert codec.reconstruct_counted(message, u.shared, one)[2] == 1


def test_coordinates_of_no_use_are_counted_over_all_tiles_and_silent_blocks_have_the_index_zero():
    d = 100_000
    codec, x, y = NestedDitheredQuantizer(3, 3, blocks=d // 2), np.zeros(d), np.full(d, 5.0)
    x[: d // 4] = 1e-300  # behind it the index of the same block is 0, as its symbol
    draws = codec.draw(np.random.default_rng(0), (d,))
    estimates, indices, lost = codec.reconstruct_counted(codec.message(x, draws), draws.shared, y)
    assert lost == d // 2
    assert not indices[d // 2 :].any()
    assert estimates.tolist() == [5.0] * (d // 2) + [0.0] * (d // 2)
    assert codec.overloads(x, draws, y).tolist() == [True] * (d // 2) + [False] * (d // 2)


def test_a_coset_outside_of_the_range_is_corrupt():
    codec = NestedDitheredQuantizer(1, 6, range_aware=True)
    message = codec.message(np.array([1.0, 0.0]), Draws(shared=[0.0, 0.0]))
    message.symbols[1] = 2
    for decode in (codec.reconstruct, codec.reconstruct_counted):
        with pytest.raises(CorruptMessage, match="symbol 2 of coordinate 1 has no index within 1 of zero"):
            decode(message, np.zeros(2), np.zeros(2))
    with pytest.raises(CorruptMessage, match="no index within 1"):
        codec._decoder.literal(-2, 0.0, 0.0, 1.0)


def test_an_error_names_the_coordinate_of_a_vector_longer_than_a_tile():
    codec = NestedDitheredQuantizer(1, 7, range_aware=True)
    x = np.ones(70_000)
    message = codec.message(x, Draws(shared=np.zeros(x.shape)))
    message.symbols[69_990] = 3
    with pytest.raises(CorruptMessage, match="symbol 3 of coordinate 69990 has no index within 1 of zero"):
        codec.reconstruct(message, np.zeros(x.shape), x)


def test_errors_name_what_is_wrong():
    codec, draws = NestedDitheredQuantizer(1, 3), Draws(shared=[0.0, 0.0])
    with pytest.raises(NonFiniteError, match=r"x\[1\] = inf must be finite"):
        codec.message([1.0, np.inf], draws)
    with pytest.raises(NonFiniteError, match=r"side\[1\] = nan must be finite"):
        codec.compress([1.0, 1.0], draws, [0.0, np.nan])
    for side in ([0.0, 1.0, 2.0], np.zeros((2, 2))):
        for call in (codec.compress, codec.reference):
            with pytest.raises(ArgumentError, match=r"side has shape .*; give that of x, \(2,\)"):
                call([1.0, 1.0], draws, side)
    with pytest.raises(ArgumentError) as error:
        NestedDitheredQuantizer(0, 1, 2.0, norm_bits=5)
    for part in ("levels=0", "ratio=1", "alpha=2.0", "norm_bits=5"):
        assert part in str(error.value)
    for ratio in (1, 2**32, 2.0, True):
        with pytest.raises(ArgumentError, match=r"ratio=.* must be an integer from 2 to 2\*\*32 - 1"):
            NestedDitheredQuantizer(1, ratio)
    with pytest.raises(ArgumentError, match="must be 1 where range_aware is set"):
        NestedDitheredQuantizer(1, 3, 0.5, range_aware=True)
    with pytest.raises(ArgumentError, match="has no range to be aware of"):
        NestedDitheredQuantizer(1, 3, scale=1.0, range_aware=True)
