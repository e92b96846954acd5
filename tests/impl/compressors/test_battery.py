"""Behaviour that every compressor owes: run on the examples of every exported class."""

import importlib
import inspect
import math
import pkgutil
from fractions import Fraction

import numpy as np
import pytest

import impl.compressors
from impl.compressors import Compressor, Draws, Key
from impl.errors import ArgumentError, MessageError

CLASSES = [
    item
    for item in (getattr(impl.compressors, name) for name in impl.compressors.__all__)
    if inspect.isclass(item) and issubclass(item, Compressor) and not inspect.isabstract(item)
]
EXAMPLES = [pytest.param(example, id=repr(example)) for cls in CLASSES for example in cls.examples()]
every_example = pytest.mark.parametrize("compressor", EXAMPLES)

# Integer vectors of integer norm, whole and in every block (2, 3, 1), so that rational mode applies.
RATIONAL = [[3, 4, 2, -3, 6, 5], [0, 0, 1, 2, -2, 0], [0, -7, 0, 0, 0, 0]]
RATIONAL_SHORT = [[1, -2, 2], [2, 3, 6, 0]]


def rationals(compressor):
    whole = [[3, 4, 0, 0, 0, 0], [-1, 1, 1, 1, 2, -1], [0, 0, 0, 6, 0, 0]]
    vectors = RATIONAL if getattr(compressor, "blocks", None) else [*whole, *RATIONAL_SHORT]
    d = compressor.dimension
    return [
        [Fraction(item) for item in x] for x in vectors if d in (None, len(x)) and fits(compressor, len(x))
    ]


def fits(compressor, d):
    return getattr(compressor, "k", 1) <= d


def gaussian(compressor, *batch, seed=0, dtype=np.float64):
    d = compressor.dimension or 6
    return np.random.default_rng(seed).standard_normal((*batch, d)).astype(dtype)


def psd(d, seed=1):
    root = np.random.default_rng(seed).integers(-2, 3, size=(d, d))
    return (root @ root.T).tolist()


def loses_digits(compressor):
    """Tell whether something is rounded to 32 bits on the wire."""
    return 32 in (getattr(compressor, "norm_bits", 64), getattr(compressor, "value_bits", 64))


def test_every_compressor_of_the_package_is_exported():
    found = set()
    for info in pkgutil.iter_modules(impl.compressors.__path__):
        module = importlib.import_module(f"impl.compressors.{info.name}")
        found |= {
            item
            for item in vars(module).values()
            if inspect.isclass(item) and issubclass(item, Compressor) and item.__module__ == module.__name__
        }
    assert {cls.__name__ for cls in found} <= set(impl.compressors.__all__)
    assert len(CLASSES) >= 4


def test_every_class_has_examples():
    assert all(len(list(cls.examples())) > 0 for cls in CLASSES)


@every_example
def test_reference_equals_vectorized(compressor):
    x = gaussian(compressor, 3, 2)
    draws = compressor.draw(np.random.default_rng(3), x.shape)
    literal = np.array(compressor.reference(x.tolist(), draws))
    # Norms are summed in another order by the reference: a few units in the last place.
    np.testing.assert_allclose(compressor.compress(x, draws), literal, rtol=1e-12)


@every_example
def test_reference_equals_vectorized_on_integers(compressor):
    for x in rationals(compressor):
        for _, draws in compressor.outcomes(x):
            exact = [float(item) for item in compressor.reference(x, draws)]
            private = None if draws.private is None else np.array([float(u) for u in draws.private])
            fast = compressor.compress(np.array(x, dtype=float), Draws(draws.shared, private))
            # Values sent in 32 bits are exact here; division by an irrational-in-binary step is not.
            np.testing.assert_allclose(fast, exact, rtol=1e-12)


@every_example
def test_compress_is_what_the_receiver_reconstructs(compressor):
    for dtype in (np.float32, np.float64):
        x = gaussian(compressor, 4, 3, dtype=dtype)
        draws = compressor.draw(np.random.default_rng(1), x.shape, dtype)
        message = compressor.message(x, draws)
        out = compressor.compress(x, draws)
        assert out.dtype == dtype
        assert message.bits.dtype == np.int64
        assert message.bits.shape == (4, 3)
        assert compressor.reconstruct(message, draws.shared).tobytes() == out.tobytes()


@every_example
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sample_uses_the_draws_of_draw(compressor, dtype):
    for batch, size in [((), None), ((3, 2), None), ((), 7), ((2,), (2, 3))]:
        x = gaussian(compressor, *batch, dtype=dtype)
        sampled = compressor.sample(x, np.random.default_rng(5), size=size)
        lead = () if size is None else (size,) if isinstance(size, int) else size
        draws = compressor.draw(np.random.default_rng(5), lead + x.shape, dtype)
        assert sampled.shape == lead + x.shape
        expected = np.broadcast_to(compressor.compress(x, draws), sampled.shape)
        assert sampled.tobytes() == expected.tobytes()


@every_example
def test_batch_axes_do_not_change_a_vector(compressor):
    x = gaussian(compressor, 5, 2)
    draws = compressor.draw(np.random.default_rng(2), x.shape)
    whole = compressor.compress(x, draws)
    for index in np.ndindex(5, 2):
        one = Draws(*(None if part is None else part[index] for part in (draws.shared, draws.private)))
        assert compressor.compress(x[index], one).tobytes() == whole[index].tobytes()


@every_example
def test_probabilities_of_outcomes_sum_to_one(compressor):
    for x in rationals(compressor):
        assert sum(probability for probability, _ in compressor.outcomes(x)) == 1


@every_example
def test_unbiased_by_enumeration(compressor):
    biased = 0
    for x in rationals(compressor):
        mean = [Fraction(0)] * len(x)
        for probability, draws in compressor.outcomes(x):
            mean = [m + probability * c for m, c in zip(mean, compressor.reference(x, draws), strict=True)]
        if compressor.unbiased:
            assert mean == x
        biased += mean != x
    if not compressor.unbiased:
        assert biased > 0


@every_example
@pytest.mark.parametrize("shape", ["identity", "diagonal", "matrix"])
def test_variance_equals_enumeration(compressor, shape):
    for x in rationals(compressor):
        d = len(x)
        matrix = (
            psd(d)
            if shape == "matrix"
            else np.diag([1] * d if shape == "identity" else range(1, d + 1)).tolist()
        )
        weight = {"identity": None, "diagonal": list(range(1, d + 1)), "matrix": matrix}[shape]
        value = Fraction(0)
        for probability, draws in compressor.outcomes(x):
            e = [c - xj for c, xj in zip(compressor.reference(x, draws), x, strict=True)]
            value += probability * sum(e[i] * matrix[i][j] * e[j] for i in range(d) for j in range(d))
        exact = compressor.variance(x, weight)
        assert isinstance(exact, Fraction)
        assert exact == value
        # Rational and float path round differently only in the last places of a sum of d terms.
        assert compressor.variance([float(item) for item in x], weight) == pytest.approx(
            float(exact), rel=1e-12
        )


@every_example
@pytest.mark.parametrize("shape", ["identity", "diagonal", "matrix"])
def test_moments_equal_enumeration(compressor, shape):
    x = gaussian(compressor)
    d = len(x)
    weight = {"identity": None, "diagonal": np.arange(1.0, d + 1), "matrix": np.array(psd(d), dtype=float)}[
        shape
    ]
    matrix = np.eye(d) if weight is None else np.diag(weight) if weight.ndim == 1 else weight
    probability, squares = [], []
    for q, draws in compressor.outcomes(x):
        e = compressor.compress(x, draws) - x
        probability.append(q)
        squares.append(e @ matrix @ e)
    probability, squares = np.array(probability), np.array(squares)
    moments = compressor.moments(x, weight)
    mean = probability @ squares
    # Floating-point sums of at most 64 outcomes.
    assert moments.mean == pytest.approx(mean, rel=1e-9)
    if moments.variance is not None:
        assert moments.variance == pytest.approx(
            probability @ (squares - mean) ** 2, rel=1e-9, abs=1e-12 * mean**2
        )
    if moments.upper is not None:
        assert moments.upper >= squares.max() * (1 - 1e-12)
        if shape != "matrix":
            assert moments.upper == pytest.approx(squares.max(), rel=1e-9)


@every_example
def test_sampler_agrees_with_the_exact_moments(compressor):
    x = gaussian(compressor, seed=4)
    count = 20_000
    errors = compressor.sample(x, np.random.default_rng(6), size=count) - x
    moments = compressor.moments(x)
    value = np.mean(np.sum(errors**2, axis=-1))
    # Six standard errors from the exact variance of the squared error: false alarm below 1e-8 per compressor.
    slack = 6 * math.sqrt(moments.variance / count) + 1e-12 * moments.mean
    assert abs(value - moments.mean) <= slack
    if compressor.unbiased:
        spread = errors.std(axis=0)
        rounding = 1e-7 * np.abs(x) if loses_digits(compressor) else 1e-12
        assert (np.abs(errors.mean(axis=0)) <= 6.5 * spread / math.sqrt(count) + rounding).all()


@every_example
def test_node_weight_is_one_weight_per_node(compressor):
    x = gaussian(compressor, 2, 3)
    d = x.shape[-1]
    diagonal = np.random.default_rng(7).random((3, d))
    full = np.array([psd(d, seed) for seed in range(3)], dtype=float)
    for weight in (diagonal, full):
        value = compressor.variance(x, node_weight=weight)
        assert value.shape == (2, 3)
        for r, i in np.ndindex(2, 3):
            assert value[r, i] == pytest.approx(compressor.variance(x[r, i], weight[i]), rel=1e-12)
    with pytest.raises(ArgumentError, match="node_weight"):
        compressor.variance(x, node_weight=diagonal[:2])
    with pytest.raises(ArgumentError, match="weight has shape"):
        compressor.variance(x, weight=np.ones(d + 1))


@every_example
@pytest.mark.parametrize("exponent", [-80, 1, 80])
def test_scale_equivariance_by_powers_of_two(compressor, exponent):
    x = gaussian(compressor, 3)
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    scale = 2.0**exponent
    assert np.array_equal(compressor.compress(scale * x, draws), scale * compressor.compress(x, draws))


@every_example
def test_scale_equivariance(compressor):
    x = gaussian(compressor, 3)
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    # Rounding of 3 x, and of what is sent.
    tolerance = 1e-6 if loses_digits(compressor) else 1e-12
    np.testing.assert_allclose(
        compressor.compress(3 * x, draws), 3 * compressor.compress(x, draws), rtol=tolerance
    )


@every_example
def test_zero_vector(compressor):
    x = gaussian(compressor, 2) * 0.0
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    out = compressor.compress(x, draws)
    assert out.tobytes() == np.zeros_like(x).tobytes()
    assert (compressor.variance(x) == 0).all()
    assert compressor.decode(compressor.encode(x, draws), draws.shared).tobytes() == out.tobytes()
    assert np.array_equal(compressor.message(x, draws).bits, compressor.expected_bits(x))


@every_example
def test_one_nonzero(compressor):
    d = compressor.dimension or 6
    for j in range(d):
        x = np.zeros(d)
        x[j] = -3.0
        out = compressor.sample(x, np.random.default_rng(j), size=50)
        assert not np.delete(out, j, axis=1).any()
        assert (out[:, j] <= 0).all()
        assert not np.signbit(np.delete(out, j, axis=1)).any()


@every_example
@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-200, 1e200, 1e300])
def test_extreme_sizes(compressor, size):
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


@pytest.mark.parametrize("compressor", [item for item in EXAMPLES if not loses_digits(item.values[0])])
def test_extreme_sizes_mixed_with_ordinary_ones(compressor):
    x = gaussian(compressor, 4)
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    alone = compressor.compress(x, draws)
    x[1] *= 2.0**1010
    x[3] *= 2.0**-1040
    together = compressor.compress(x, draws)
    assert together[0].tobytes() == alone[0].tobytes()
    assert together[2].tobytes() == alone[2].tobytes()
    assert np.array_equal(together[1], alone[1] * 2.0**1010)


@every_example
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_non_finite_input_names_the_first_bad_coordinate(compressor, bad, dtype):
    x = gaussian(compressor, 2, dtype=dtype)
    draws = compressor.draw(np.random.default_rng(1), x.shape)
    x[1, 2] = bad
    x[1, 4] = np.nan
    for call in (
        lambda: compressor.compress(x, draws),
        lambda: compressor.message(x, draws),
        lambda: compressor.sample(x, np.random.default_rng(1)),
        lambda: compressor.variance(x),
        lambda: compressor.expected_bits(x),
    ):
        with pytest.raises(ArgumentError, match=r"x\[1, 2\] = .* must be finite"):
            call()


@every_example
def test_wrong_input_is_an_error(compressor):
    rng = np.random.default_rng(1)
    for bad in (
        np.float64(1.0),
        np.zeros((2, 0)),
        np.zeros(6, dtype=np.complex128),
        np.zeros(6, dtype=np.float16),
    ):
        with pytest.raises(ArgumentError, match=type(compressor).__name__):
            compressor.sample(bad, rng)
    if compressor.dimension is not None:
        with pytest.raises(ArgumentError, match="the parameters fix d=6"):
            compressor.sample(np.ones(5), rng)


@every_example
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_round_trip(compressor, dtype):
    key = Key(seed=(1, 2), worker=3, iteration=4)
    for batch in ((), (3,), (2, 2)):
        for seed in range(5):
            x = gaussian(compressor, *batch, seed=seed, dtype=dtype)
            draws = compressor.draw_keyed(key, x.shape, dtype)
            data = compressor.encode(x, draws, key)
            received = compressor.decode(data, key=key)
            assert received.dtype == dtype
            assert received.tobytes() == compressor.compress(x, draws).tobytes()


@every_example
def test_bits_are_the_length_of_the_payload(compressor):
    d = compressor.dimension or 6
    header = len(compressor.encode(np.zeros(d), compressor.draw(np.random.default_rng(0), (d,))))
    header -= -(-compressor.message(np.zeros(d), compressor.draw(np.random.default_rng(0), (d,))).bits // 8)
    for seed in range(10):
        x = gaussian(compressor, seed=seed)
        draws = compressor.draw(np.random.default_rng(seed), x.shape)
        bits = compressor.message(x, draws).bits
        assert isinstance(bits, int)
        assert len(compressor.encode(x, draws)) - header == -(-bits // 8)


@every_example
def test_expected_bits_equal_enumeration(compressor):
    for x in rationals(compressor):
        mean = Fraction(0)
        for probability, draws in compressor.outcomes(x):
            private = None if draws.private is None else np.array([float(u) for u in draws.private])
            mean += (
                probability * compressor.message(np.array(x, dtype=float), Draws(draws.shared, private)).bits
            )
        exact = compressor.expected_bits(x)
        assert isinstance(exact, Fraction)
        assert exact == mean
        # The float path sums at most some hundred terms.
        assert compressor.expected_bits([float(item) for item in x]) == pytest.approx(float(mean), rel=1e-12)


@every_example
def test_expected_bits_of_a_batch(compressor):
    x = gaussian(compressor, 3, 2)
    x[1, 1] = 0
    batch = compressor.expected_bits(x)
    assert batch.shape == (3, 2)
    for index in np.ndindex(3, 2):
        assert batch[index] == pytest.approx(compressor.expected_bits(x[index]), rel=1e-14)


@every_example
def test_every_flipped_bit_is_detected(compressor):
    key = Key(seed=(5, 6), worker=0, iteration=1)
    x = gaussian(compressor)
    data = compressor.encode(x, compressor.draw_keyed(key, x.shape), key)
    for bit in range(8 * len(data)):
        wrong = bytearray(data)
        wrong[bit // 8] ^= 1 << bit % 8
        with pytest.raises(MessageError):
            compressor.decode(bytes(wrong), key=key)


@every_example
def test_every_truncation_is_detected(compressor):
    key = Key(seed=(5, 6), worker=0, iteration=1)
    x = gaussian(compressor)
    data = compressor.encode(x, compressor.draw_keyed(key, x.shape), key)
    for length in range(len(data)):
        with pytest.raises(MessageError):
            compressor.decode(data[:length], key=key)
    with pytest.raises(MessageError):
        compressor.decode(data + b"\0", key=key)


@every_example
def test_another_key_round_or_compressor_is_detected(compressor):
    key = Key(seed=(5, 6), worker=0, iteration=1)
    x = gaussian(compressor)
    data = compressor.encode(x, compressor.draw_keyed(key, x.shape), key)
    for other in (
        Key((5, 7), 0, 1),
        Key((5, 6), 1, 1),
        Key((5, 6), 0, 2),
        Key((5, 6), 0, 1, tensor=1),
        None,
    ):
        with pytest.raises(MessageError, match="another key or round"):
            compressor.decode(data, key=other)
    for parameter in EXAMPLES:
        (other,) = parameter.values
        if other != compressor:
            with pytest.raises(MessageError, match=r"another compressor|other parameters"):
                other.decode(data, key=key)


@every_example
def test_equality_and_repr(compressor):
    twin = next(item for item in type(compressor).examples() if repr(item) == repr(compressor))
    assert twin == compressor
    assert hash(twin) == hash(compressor)
    assert type(compressor).__name__ in repr(compressor)
    assert sum(compressor == parameter.values[0] for parameter in EXAMPLES) == 1


@every_example
def test_chunks_of_samples(compressor):
    x = gaussian(compressor)
    chunks = list(compressor.sample_chunks(x, np.random.default_rng(1), 50_000))
    assert len(chunks) > 1
    assert sum(len(chunk) for chunk in chunks) == 50_000
    assert all(chunk.shape[1:] == x.shape for chunk in chunks)
