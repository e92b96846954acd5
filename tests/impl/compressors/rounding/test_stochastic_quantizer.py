"""What only the quantizer does: norms of 32 bits, draws that decide, edges, errors, memory."""

import itertools
import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import Draws, StochasticQuantizer
from impl.errors import ArgumentError

F = Fraction


def fractions(values):
    return [Fraction(value) for value in values]


def test_an_irrational_norm_is_an_error_in_exact_arithmetic():
    with pytest.raises(ArgumentError, match="irrational"):
        StochasticQuantizer([1, 0.5, 0.25]).variance(fractions([1, 2, 3]), [3, 1, 2])


def test_variance_of_norms_rounded_to_32_bits_is_that_of_the_sent_norm():
    x = np.array([1.0, 2.0, 3.0])
    quantizer = StochasticQuantizer(1, norm_bits=32)
    N = float(np.float32(math.sqrt(14)))
    p = x / N
    assert quantizer.variance(x) == pytest.approx(np.sum(N**2 * p * (1 - p)), rel=1e-14)
    mean = sum(q * quantizer.compress(x, draws) for q, draws in quantizer.outcomes(x))
    # Unbiased although the norm is rounded: only float64 sums of 8 terms.
    np.testing.assert_allclose(mean, x, rtol=1e-14)


# ---------------------------------------------------------------- the law


def test_round_up_exactly_when_the_uniform_is_below_the_fraction():
    quantizer = StochasticQuantizer(1)
    x = np.array([3.0, 4.0])  # v = 0.6, 0.8
    for (u, level), (w, other) in itertools.product([(0.5999, 1), (0.6, 0)], [(0.7999, 1), (0.8, 0)]):
        assert quantizer.compress(x, Draws(private=np.array([u, w]))).tolist() == [5.0 * level, 5.0 * other]


def test_large_levels_are_not_rounded_with_the_uniform():
    # floor(v + u) in float32 would round v + u up; a coordinate on the grid must never move.
    x = np.array([3 * 2.0**20, 4 * 2.0**20], dtype=np.float32)
    quantizer = StochasticQuantizer(F(1, 5 * 2**20))
    exact = StochasticQuantizer(2.0**-22).sample(
        np.array([1.0], dtype=np.float32), np.random.default_rng(0), size=10_000
    )
    assert (exact == 1).all()
    levels = quantizer.message(x, quantizer.draw(np.random.default_rng(0), (1000, 2), np.float32)).symbols
    assert np.abs(levels - np.array([3 * 2**20, 4 * 2**20])).max() <= 1


def test_levels_have_64_bits():
    quantizer = StochasticQuantizer(2.0**-62)
    message = quantizer.message(np.array([-1.0]), quantizer.draw(np.random.default_rng(0), (1,)))
    assert message.symbols.tolist() == [-(2**62)]
    assert quantizer.compress(np.array([-1.0]), Draws(private=np.array([0.5]))).tolist() == [-1.0]


def test_errors_are_independent_across_coordinates_nodes_and_samples():
    quantizer = StochasticQuantizer(1)
    draws = quantizer.sample(np.ones((2, 4)), np.random.default_rng(1), size=50_000).reshape(50_000, 8) - 1
    correlation = np.corrcoef(draws.T) - np.eye(8)
    # Correlations of independent signs have standard deviation 1 / sqrt(50000); 28 pairs at six of them.
    assert np.abs(correlation).max() < 6 / math.sqrt(50_000)


def test_steps_per_node_and_per_block():
    x = np.random.default_rng(0).standard_normal((5, 2, 4))
    quantizer = StochasticQuantizer([[1.0], [0.1]])
    draws = quantizer.draw(np.random.default_rng(1), x.shape)
    blocks = StochasticQuantizer([[1.0, 0.5], [0.25, 2.0]], blocks=[1, 3])
    same = StochasticQuantizer([[1.0, 0.5, 0.5, 0.5], [0.25, 2.0, 2.0, 2.0]], blocks=[1, 3])
    assert blocks == same
    assert np.array_equal(blocks.compress(x, draws), same.compress(x, draws))
    with pytest.raises(ArgumentError, match="n=2 nodes"):
        quantizer.compress(x[:, :1], draws)


def test_an_unrepresentable_norm_or_result_is_an_error():
    rng = np.random.default_rng(0)
    with pytest.raises(ArgumentError, match="scale x"):
        StochasticQuantizer(1).sample(np.full(4, 1.7e308), rng)
    with pytest.raises(ArgumentError, match="use float64"):
        StochasticQuantizer(1).sample(np.full(4, 3e38, dtype=np.float32), rng)
    with pytest.raises(ArgumentError, match="exceeds the range"):
        StochasticQuantizer(100).sample(np.array([1.2e308, 1e307]), rng, size=1000)
    assert np.isinf(StochasticQuantizer(1).variance(np.full(4, 1e300)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"steps": 0}, "steps=0.0 must be finite and positive"),
        ({"steps": [1, -2]}, r"steps\[1\]=-2.0 must be finite and positive"),
        ({"steps": math.nan}, "must be finite and positive"),
        ({"steps": math.inf}, "must be finite and positive"),
        ({"steps": 1e-30}, "at least 2"),
        ({"steps": []}, "shape"),
        ({"steps": "half"}, "must be numbers"),
        ({"steps": None}, "steps=None must be finite and positive"),
        ({"steps": [1, None]}, r"steps\[1\]=None must be finite and positive"),
        ({"steps": True}, "steps=True must be numbers"),
        ({"steps": np.array([True, False])}, "must be numbers"),
        ({"steps": np.ones((2, 2, 2))}, "shape"),
        ({"steps": 1, "norm_bits": 16}, "norm_bits=16 must be 64 or 32"),
        ({"steps": 1, "code": "huffman"}, "sparse-gamma, sparse-omega, dense-gamma"),
        ({"steps": 1, "blocks": [2, 0]}, "blocks"),
        ({"steps": 1, "blocks": [1.5]}, "blocks"),
        ({"steps": 1, "blocks": 3}, "blocks"),
        ({"steps": [1, 2, 3], "blocks": [2, 2]}, "give one step per block or per coordinate"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        StochasticQuantizer(**arguments)


def test_all_wrong_arguments_are_named_at_once():
    with pytest.raises(ArgumentError) as error:
        StochasticQuantizer(-1, blocks=[0], norm_bits=3, code=[])
    for part in ("steps=-1.0 must", "blocks=[0] must", "norm_bits=3 must", "code=[] is unknown"):
        assert part in str(error.value)


def test_blocks_or_steps_that_do_not_fit_x_are_named():
    x, draws = np.ones(5), Draws(private=np.zeros(5))
    for quantizer, message in [
        (StochasticQuantizer(1, blocks=[2, 2]), r"x has d=5 coordinates, blocks=\[2, 2\] sum to 4"),
        (StochasticQuantizer([1, 2]), r"x has d=5 coordinates, steps has 2; give one per coordinate"),
    ]:
        for call in (
            lambda q: q.compress(x, draws),
            lambda q: q.reference(x, draws),
            lambda q: q.variance(x),
            lambda q: q.variance(fractions(x.tolist())),
        ):
            with pytest.raises(ArgumentError, match=message):
                call(quantizer)


def test_integers_give_floats_and_a_fraction_selects_exact_arithmetic():
    quantizer, draws = StochasticQuantizer(F(1, 3)), Draws(private=[0.0, 0.0])
    floats = quantizer.reference([3, 4], draws)
    assert [type(item) for item in floats] == [float, float]
    assert floats == pytest.approx([10 / 3, 5.0], rel=1e-15)  # one rounding of h N
    for x in ([F(3), 4], np.array([F(3), 4], dtype=object)):
        exact = quantizer.reference(x, draws)
        assert [type(item) for item in exact] == [F, F]
        assert exact == [F(10, 3), 5]


def test_a_norm_outside_the_range_is_an_error_in_the_literal_form_too():
    draws = Draws(private=[0.5, 0.5])
    for quantizer, x, remedy in [
        (StochasticQuantizer(1), [1.7e308, 1.7e308], "scale x"),
        (StochasticQuantizer(1, norm_bits=32), [1e300, 0.0], "use norm_bits=64"),
        (StochasticQuantizer(1, norm_bits=32), [1e-300, 0.0], "use norm_bits=64"),
    ]:
        with pytest.raises(ArgumentError, match=rf"the norm .* is outside the range .*; {remedy}"):
            quantizer.reference(x, draws)
        with pytest.raises(ArgumentError, match=remedy):
            quantizer.compress(x, Draws(private=np.array([0.5, 0.5])))


def test_an_empty_batch():
    quantizer = StochasticQuantizer(1, blocks=[1, 2])
    draws = quantizer.draw(np.random.default_rng(0), (0, 3))
    assert quantizer.compress(np.ones((0, 3)), draws).shape == (0, 3)
    assert quantizer.variance(np.ones((0, 3))).shape == (0,)


# ---------------------------------------------------------------- memory


def test_monte_carlo_needs_little_memory():
    x = np.random.default_rng(0).standard_normal(1000)
    quantizer = StochasticQuantizer(F(1, 4))
    list(quantizer.sample_chunks(x, np.random.default_rng(1), 10))
    tracemalloc.start()
    total = sum(
        float(np.sum((chunk - x) ** 2))
        for chunk in quantizer.sample_chunks(x, np.random.default_rng(1), 4096)
    )
    _, chunked = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    quantizer.sample(x, np.random.default_rng(1), size=4096)
    _, whole = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert chunked < 8 * 2**20
    assert whole < 50 * 2**20  # 31 MiB of it are the result
    moments = quantizer.moments(x)
    assert abs(total / 4096 - moments.mean) < 6 * math.sqrt(moments.variance / 4096)


@pytest.mark.parametrize("stacked", [False, True])
def test_samples_from_given_draws_need_little_memory(stacked):
    x = np.random.default_rng(0).standard_normal(1000)
    quantizer = StochasticQuantizer(F(1, 4))
    draws = quantizer.draw(np.random.default_rng(1), (4096, 1000))
    given = np.broadcast_to(x, (4096, 1000)) if stacked else x
    tracemalloc.start()
    out = quantizer.compress(given, draws)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Beyond the result a few tiles of 2**17 bytes: neither x nor the draws are copied.
    assert peak - out.nbytes < 2 * 2**20
    assert out[7].tobytes() == quantizer.compress(x, Draws(private=draws.private[7])).tobytes()


def test_an_axis_that_is_repeated_is_kept_where_the_draws_lack_it():
    x = np.random.default_rng(0).standard_normal(4)
    draws = Draws(private=np.full(4, 0.5))
    stacked = np.broadcast_to(x, (3, 2, 4))
    out = StochasticQuantizer(1).compress(stacked, draws)
    assert out.tobytes() == np.broadcast_to(StochasticQuantizer(1).compress(x, draws), (3, 2, 4)).tobytes()
    per_node = StochasticQuantizer([[1.0] * 4, [0.25] * 4])
    whole = per_node.draw(np.random.default_rng(0), (3, 2, 4))
    assert per_node.compress(stacked, whole).tobytes() == per_node.compress(stacked.copy(), whole).tobytes()
