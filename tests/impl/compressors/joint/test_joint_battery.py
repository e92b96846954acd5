"""What every joint compressor owes; a test with the argument `joint` runs on all examples of all classes."""

import dataclasses
import inspect
import itertools
from fractions import Fraction

import numpy as np
import pytest

import impl.compressors
from impl import tiers
from impl.compressors import Draws, JointCompressor, RoundKey
from impl.errors import ArgumentError, MessageError

CLASSES = [
    item
    for item in (getattr(impl.compressors, name) for name in impl.compressors.__all__)
    if inspect.isclass(item) and issubclass(item, JointCompressor) and not inspect.isabstract(item)
]
EXAMPLES = [example for cls in CLASSES for example in cls.examples()]
KEY = RoundKey((3, 4), 11)
SHAPE = (4, 8)

# Rows of integer norm, a zero row among them; small enough to enumerate every outcome.
RATIONAL = ([[4, 3], [0, -2]], [[3, -4], [12, 5], [1, 0]], [[3, 4], [0, 0], [-5, 12], [8, 6]])


@pytest.fixture(params=EXAMPLES, ids=repr)
def joint(request):
    return request.param


# Those that draw or read run on both tiers; these look at exact laws, and at what was read.
EXACT = {
    "test_enumeration_gives_mean_and_variance_exactly",
    "test_weight_and_coordinates",
    "test_a_missing_client_or_another_round_is_an_error_that_names_both",
    "test_expected_bits",
}


def pytest_generate_tests(metafunc):
    if "joint" in metafunc.fixturenames and metafunc.function.__name__ not in EXACT:
        metafunc.parametrize("tier", tiers.TIERS, indirect=True)


def inputs(*batch, seed=0, shape=SHAPE):
    return np.random.default_rng(seed).standard_normal((*batch, *shape))


def loses_digits(joint):
    return 32 in (getattr(joint, "norm_bits", 64), getattr(joint, "value_bits", 64))


def rational_inputs(joint):
    """Yield those of `RATIONAL` that the compressor accepts and whose outcomes are few."""
    for rows in RATIONAL:
        x = [[Fraction(item) for item in row] for row in rows]
        try:
            joint._require_shape((len(x), len(x[0])))
            joint.variance(x)
            next(iter(joint.outcomes(x)))
        except (ArgumentError, ZeroDivisionError):
            continue
        yield x


def test_enumeration_gives_mean_and_variance_exactly(joint):
    for x in itertools.islice(rational_inputs(joint), 2):  # those of four clients where no others fit
        n, d = len(x), len(x[0])
        mean = [sum(row[j] for row in x) / n for j in range(d)]
        total, first, second = Fraction(0), [Fraction(0)] * d, [Fraction(0)] * d
        for chance, draws in joint.outcomes(x):
            decoded = joint.reference(x, draws)
            estimate = [sum(row[j] for row in decoded) / n for j in range(d)]
            total += chance
            for j in range(d):
                first[j] += chance * estimate[j]
                second[j] += chance * (estimate[j] - mean[j]) ** 2
        assert total == 1
        assert (first == mean) == (joint.unbiased or not any(mean))
        if not loses_digits(joint):
            assert second == joint.coordinate_variances(x)
            assert sum(second) == joint.variance(x)
            as_floats = np.array([[float(item) for item in row] for row in x])
            assert joint.variance(as_floats) == pytest.approx(float(sum(second)), rel=1e-12)


def test_some_input_is_enumerated():
    # PermKQuantizer(4) takes no input that is small enough; a random shift has no list of outcomes.
    without = [repr(joint) for joint in EXAMPLES if not list(rational_inputs(joint))]
    assert without == ["CorrelatedGrid(0.75, 'random')", "PermKQuantizer(4, norm_bits=32)"]


def test_samples_have_the_stated_moments(joint):
    x = inputs(seed=3)
    samples = joint.sample(x, np.random.default_rng(7), size=20_000)
    errors = ((samples - x.mean(axis=0)) ** 2).sum(axis=-1)
    assert samples.shape == (20_000, 8)
    # Six standard errors at a fixed seed: about 1e-9 for one test.
    assert abs(errors.mean() - joint.variance(x)) <= 6 * errors.std() / 20_000**0.5 + 1e-6 * joint.variance(x)
    if joint.unbiased:
        spread = samples.std(axis=0) / 20_000**0.5
        assert (np.abs(samples.mean(axis=0) - x.mean(axis=0)) <= 6 * spread + 1e-7).all()


def test_weight_and_coordinates(joint):
    x = inputs(seed=4)
    by_coordinate = joint.coordinate_variances(x)
    assert by_coordinate.shape == (8,)
    weight = np.arange(8.0)
    assert joint.variance(x, weight) == pytest.approx(weight @ by_coordinate, rel=1e-12)
    assert joint.variance(inputs(3)).shape == (3,)


def test_batch_axes_do_not_change_an_input(joint):
    x = inputs(2, 3)
    draws = joint.draw(np.random.default_rng(1), x.shape)
    whole, bits = joint.compress_counted(x, draws)
    assert whole.shape == x.shape
    assert bits.shape == (2, 3, 4)
    assert bits.dtype == np.int64

    def part(item, index):
        if isinstance(item, tuple):
            return tuple(part(entry, index) for entry in item)
        return None if item is None else item[index]

    for index in np.ndindex(2, 3):
        one = Draws(part(draws.shared, index), part(draws.private, index))
        assert np.array_equal(joint.compress(x[index], one), whole[index])
        assert np.array_equal(joint.bits(x[index], one), bits[index])
        assert np.array_equal(joint.estimate(x[index], one), whole[index].mean(axis=0))


def test_draws_repeat_an_input(joint):
    x = inputs()
    draws = joint.draw(np.random.default_rng(1), (5, *SHAPE))
    repeated = joint.compress(np.broadcast_to(x, (5, *SHAPE)), draws)
    assert np.array_equal(joint.compress(x, draws), repeated)
    with pytest.raises(ArgumentError, match="take draws from"):
        joint.compress(inputs(3), draws)


def test_a_message_is_little_longer_than_its_payload(joint):
    late, x = RoundKey((2**64 - 1, 4), 2**14 - 1, 2**63), inputs(seed=6)
    for i in range(4):
        for key, most in ((None, 8), (late, 16)):
            own = joint.client_draws(late, i, SHAPE)
            data = joint.encode(joint.message(x[i], i, own, n=4, key=key), own.shared)
            back = joint.decode(data, own.shared)
            assert (back.client, back.clients, back.iteration) == (i, 4, -1 if key is None else 2**14 - 1)
            assert 0 < len(data) - -(-back.bits // 8) <= most - 1  # a byte is left for d of at least 128


def test_damaged_bytes_are_an_error(joint):
    x, rng = inputs(seed=6), np.random.default_rng(1)
    own = joint.client_draws(KEY, 2, SHAPE)
    data = joint.encode(joint.message(x[2], 2, own, n=4, key=KEY), own.shared)
    for length in range(0, len(data), 7):
        with pytest.raises(MessageError):
            joint.decode(data[:length], own.shared)
    for bit in rng.choice(8 * len(data), size=60, replace=False):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << (bit % 8)
        with pytest.raises(MessageError):
            joint.decode(bytes(damaged), own.shared)
    other = joint.client_draws(RoundKey((3, 4), 12), 2, SHAPE)
    if other.shared is not None:
        with pytest.raises(MessageError, match="shared draws differ"):
            joint.decode(data, other.shared)


def test_a_missing_client_or_another_round_is_an_error_that_names_both(joint):
    x = inputs(seed=7)
    everything = joint.draw_keyed(KEY, SHAPE)
    draws = [joint.client_draws(KEY, i, SHAPE) for i in range(4)]
    messages = [joint.message(x[i], i, draws[i], n=4, key=KEY) for i in range(4)]
    with pytest.raises(MessageError, match=r"no message of client 1, 3 in round 11"):
        joint.aggregate([messages[0], messages[2]], everything.shared, key=KEY)
    late = dataclasses.replace(messages[1], iteration=10)
    with pytest.raises(MessageError, match=r"client 1 sent a message of round 10, not 11"):
        joint.aggregate([messages[0], late, *messages[2:]], everything.shared, key=KEY)
    with pytest.raises(MessageError, match=r"client 0 sent two messages in round 11"):
        joint.aggregate([messages[0], *messages], everything.shared, key=KEY)
    with pytest.raises(MessageError, match="no message of round 11"):
        joint.aggregate([], everything.shared, key=KEY)
    alien = dataclasses.replace(messages[3], clients=5)
    with pytest.raises(MessageError, match="client 3 knows 5 clients"):
        joint.aggregate([*messages[:3], alien], everything.shared, key=KEY)


def test_zero_clients_send_zero(joint):
    if type(joint).__name__ == "CorrelatedGrid" and joint.shift != 0:
        return  # zero is no point of a shifted grid
    x = inputs(50, seed=8)
    x[:, 1] = 0.0
    decoded = joint.compress(x, joint.draw(np.random.default_rng(1), x.shape))
    assert not decoded[:, 1].any()
    assert not np.signbit(decoded[:, 1]).any()
    draws = joint.draw(np.random.default_rng(2), SHAPE)
    assert not joint.compress(np.zeros(SHAPE), draws).any()
    assert joint.variance(np.zeros(SHAPE)) == 0


def test_norms_may_differ_by_twelve_orders_of_magnitude(joint):
    if type(joint).__name__ == "CorrelatedGrid":
        return  # its levels would be too many for the code
    x = inputs(seed=9) * np.array([1e-12, 1.0, 1e6, 1e12])[:, None]
    draws = joint.draw(np.random.default_rng(3), SHAPE)
    decoded = joint.compress(x, draws)
    literal = np.array(joint.reference(x.tolist(), draws))
    scale = np.abs(x).max(axis=1, keepdims=True)
    np.testing.assert_allclose(decoded / scale, literal / scale, rtol=1e-12, atol=1e-12)
    assert np.isfinite(joint.variance(x))


def test_expected_bits(joint):
    x = inputs(seed=10)
    drawn = joint.draw(np.random.default_rng(4), (4000, *SHAPE))
    bits = joint.bits(np.broadcast_to(x, (4000, *SHAPE)), drawn)
    spread = bits.std(axis=0) / 4000**0.5
    assert (np.abs(bits.mean(axis=0) - joint.expected_bits(x)) <= 6 * spread + 1e-9).all()


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (np.zeros(8), "one row for each client"),
        (np.zeros((0, 8)), "x has shape"),
        (np.full(SHAPE, np.nan), r"x\[0, 0\] = nan must be finite"),
        ("x", "convert it to float32 or float64"),
    ],
)
def test_bad_inputs_are_named(joint, x, words):
    with pytest.raises(ArgumentError, match=words):
        joint.compress(x, joint.draw(np.random.default_rng(1), SHAPE))


def test_bad_draws_are_named(joint):
    with pytest.raises(ArgumentError, match="shape="):
        joint.draw(np.random.default_rng(1), (8,))
    with pytest.raises(ArgumentError):
        joint.compress(inputs(), Draws())
    with pytest.raises(ArgumentError, match="client=4 must be"):
        joint.client_draws(KEY, 4, SHAPE)
