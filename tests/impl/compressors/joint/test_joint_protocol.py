"""The protocol of a round: what tells messages apart, whose draws are whose, and what is refused."""

import dataclasses
import itertools
from fractions import Fraction as F

import numpy as np
import pytest

from impl.coding import BitReader
from impl.compressors import (
    BernoulliSparsifier,
    CorrelatedGrid,
    CorrelatedQuantizer,
    Draws,
    ImportanceSampling,
    IndependentQuantizer,
    PermK,
    PermKQuantizer,
    RandK,
    RotatedQuantizer,
    RoundKey,
    Scaled,
    WeightedPartition,
)
from impl.errors import ArgumentError, MessageError

RNG = np.random.default_rng
SHAPE = (4, 8)
KEY = RoundKey((3, 4), 11)
W = [0.1, 0.2, 0.3, 0.4]
X = RNG(0).standard_normal(SHAPE)


def sent(joint, key=KEY, shape=SHAPE):
    return [joint.message(X[i], i, joint.client_draws(key, i, shape), n=4, key=key) for i in range(4)]


# ---------------------------------------------------------------- keyed streams


def test_every_client_tensor_round_and_seed_has_a_stream_of_its_own():
    keys = [
        *(KEY.client(i) for i in range(4)),
        KEY.shared(),
        RoundKey((3, 4), 11, tensor=1).client(0),
        RoundKey((3, 4), 11, tensor=1).shared(),
        RoundKey((3, 4), 12).client(0),
        RoundKey((3, 4), 12).shared(),
        RoundKey((4, 3), 11).client(0),
    ]
    first = [key.generator().random(4).tolist() for key in keys]
    assert all(a != b for a, b in itertools.combinations(first, 2))


def test_a_client_that_is_drawn_twice_has_fresh_jitter_in_each_slot():
    joint = ImportanceSampling(6, W, CorrelatedQuantizer("binary"))
    everything = joint.draw_keyed(KEY, SHAPE)
    sampled = everything.shared[0].tolist()
    twice = next(i for i in range(4) if sampled.count(i) > 1)
    first, second, *_ = (t for t, i in enumerate(sampled) if i == twice)
    own = joint.client_draws(KEY, twice, SHAPE).private
    assert not np.array_equal(everything.private[first], everything.private[second])
    assert np.array_equal(everything.private[first], own[first])
    estimate = joint.aggregate(sent(joint), everything.shared, key=KEY)
    np.testing.assert_allclose(estimate, joint.estimate(X, everything), rtol=1e-13)


def test_a_scaled_sampling_compressor_keeps_the_protocol():
    joint = Scaled(ImportanceSampling(2, W, CorrelatedQuantizer("binary")), 0.5)
    everything = joint.draw_keyed(KEY, SHAPE)
    estimate = joint.aggregate(sent(joint), everything.shared, key=KEY)
    np.testing.assert_allclose(estimate, joint.estimate(X, everything), rtol=1e-13)


# ---------------------------------------------------------------- what belongs to a round


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (RoundKey((3, 4), 11, tensor=1), "another seed or tensor in round 11"),
        (RoundKey((5, 4), 11), "another seed or tensor in round 11"),
        (RoundKey((3, 4), 12), "round 12, not 11"),
    ],
    ids=["tensor", "seed", "round"],
)
@pytest.mark.parametrize("joint", [PermK(), IndependentQuantizer("binary"), PermKQuantizer(2)], ids=repr)
def test_messages_of_another_round_are_refused(joint, other, words):
    messages = [*sent(joint)[:3], sent(joint, other)[3]]
    with pytest.raises(MessageError, match=f"client 3 sent a message of {words}"):
        joint.aggregate(messages, joint.draw_keyed(KEY, SHAPE).shared, key=KEY)


def test_other_compressors_and_other_shared_draws_are_refused():
    messages = sent(IndependentQuantizer("binary"))
    for other in (IndependentQuantizer("ternary"), CorrelatedQuantizer("binary")):
        with pytest.raises(MessageError, match="another compressor or other parameters in round 11"):
            other.aggregate(messages, None, key=KEY)
    joint, late = CorrelatedGrid(0.5), RoundKey((3, 4), 12)
    with pytest.raises(MessageError, match="other shared draws in round 11"):
        joint.aggregate(sent(joint), joint.draw_keyed(late, SHAPE).shared, key=KEY)
    with pytest.raises(MessageError, match="another compressor"):
        CorrelatedGrid(1).aggregate(sent(joint), joint.draw_keyed(KEY, SHAPE).shared, key=KEY)
    with pytest.raises(ArgumentError, match="was not made by"):
        CorrelatedGrid(1).encode(sent(joint)[0])


def test_unknown_clients_are_named_and_honest_ones_not_blamed():
    joint = IndependentQuantizer("binary")
    messages = sent(joint)
    stranger = dataclasses.replace(messages[0], client=9)
    with pytest.raises(MessageError, match="client 9 is none of the 4 clients of round 11"):
        joint.aggregate([*messages, stranger], None, key=KEY)
    alien = dataclasses.replace(messages[0], clients=5)
    with pytest.raises(MessageError, match="client 0 knows 5 clients") as caught:
        joint.aggregate([alien, *messages[1:]], None, key=KEY)
    assert "client 1 knows" not in str(caught.value)
    with pytest.raises(MessageError, match="give key="):
        joint.aggregate(messages, None)
    with pytest.raises(ArgumentError, match="give the results of message or decode"):
        joint.aggregate([1, 2], None, key=KEY)


def test_equal_grids_read_each_other():
    shared = CorrelatedGrid(1).draw_keyed(KEY, SHAPE).shared
    data = CorrelatedGrid(1).encode(sent(CorrelatedGrid(1))[0], shared)
    assert CorrelatedGrid(1.0).decode(data, shared).client == 0
    assert CorrelatedGrid(np.float64(0.5)) == CorrelatedGrid(F(1, 2))


def test_shared_draws_of_another_number_type_are_the_same_draws():
    joint = CorrelatedQuantizer("binary")
    shared = joint.draw_keyed(KEY, SHAPE).shared
    data = joint.encode(sent(joint)[1], shared)
    assert joint.decode(data, shared.astype(np.int64)).client == 1


def test_nested_shared_draws_travel():
    for inner in (RotatedQuantizer(True), CorrelatedGrid(0.5, "random"), PermKQuantizer(2)):
        joint = ImportanceSampling(2, W, inner)
        shared = joint.draw_keyed(KEY, SHAPE).shared
        packed = [joint.encode(item, shared) for item in sent(joint)]
        back = [joint.decode(data, shared) for data in packed]
        np.testing.assert_allclose(
            joint.aggregate(back, shared, key=KEY),
            joint.estimate(X, joint.draw_keyed(KEY, SHAPE)),
            rtol=1e-12,
        )


def test_rounds_are_whole_numbers():
    assert RoundKey((1, 2), np.int64(7)).iteration.__class__ is int
    for bad in (True, 2**63, -1, 1.5):
        with pytest.raises(ArgumentError, match="iteration="):
            RoundKey((1, 2), bad)
    with pytest.raises(ArgumentError, match="must be a RoundKey"):
        PermK().draw_keyed(3, SHAPE)


def test_bytes_that_are_none_are_refused():
    for data in (None, 3):
        with pytest.raises(ArgumentError, match="must be bytes"):
            PermK().decode(data)


# ---------------------------------------------------------------- whose draws


def test_a_client_takes_its_row_of_the_draws_of_a_round():
    for joint in (
        CorrelatedQuantizer("binary"),
        RotatedQuantizer(True),
        CorrelatedGrid(0.5),
        PermKQuantizer(2),
    ):
        everything = joint.draw_keyed(KEY, SHAPE)
        for i, own in enumerate(sent(joint)):
            told = joint.message(X[i], i, everything, key=KEY)  # the number of clients is in the draws
            assert told.bits == own.bits
            assert np.array_equal(told.symbols, own.symbols)


def test_draws_that_do_not_fit_are_refused():
    joint = CorrelatedQuantizer("binary")
    draws = joint.draw(RNG(1), SHAPE)
    for shape in ((1, 8), (4, 1), (8,), (1,)):
        with pytest.raises(ArgumentError, match=r"draws.private has shape"):
            joint.compress(X, Draws(draws.shared, RNG(2).random(shape)))
    with pytest.raises(ArgumentError, match=r"needs its own \(8,\)"):
        joint.message(X[0], 0, Draws(draws.shared, RNG(2).random((2, 8))), n=4)
    with pytest.raises(ArgumentError, match="a client sends its own vector"):
        joint.message(X, 0, draws, n=4)
    with pytest.raises(ArgumentError, match="n=None cannot be told"):
        PermK().message(X[0], 0, PermK().draw(RNG(1), SHAPE))
    with pytest.raises(ArgumentError, match="must be Draws"):
        joint.compress(X, None)
    with pytest.raises(ArgumentError, match="must be a numpy"):
        joint.draw(0, SHAPE)
    sampling = ImportanceSampling(2, W, CorrelatedQuantizer("binary"))
    drawn = sampling.draw(RNG(1), SHAPE)
    with pytest.raises(ArgumentError, match="one row for each slot"):
        sampling.message(X[0], 0, Draws(drawn.shared, drawn.private[0]), n=4)


@pytest.mark.parametrize(
    ("joint", "shared"),
    [
        (CorrelatedQuantizer("binary"), np.full(SHAPE, 100)),
        (CorrelatedQuantizer("binary"), np.full(SHAPE, -1)),
        (CorrelatedQuantizer("binary"), np.zeros(SHAPE)),
        (CorrelatedGrid(0.5), (np.full(SHAPE, 4),)),
        (RotatedQuantizer(True), (np.zeros(8, int), np.zeros(SHAPE, int))),
        (PermK(), np.full(8, 4)),
        (WeightedPartition(W), np.array([1])),
        (WeightedPartition(W), np.array([0, 1, 2, 3, 0, 1, 2, 4])),
        (PermKQuantizer(2, correlated=False), (np.array([0, 0, 0, 1]), np.arange(8) % 2)),
        (ImportanceSampling(2, W, RandK(1)), (np.array([-1, 0]), np.zeros((2, 1), int))),
    ],
    ids=str,
)
def test_shared_draws_out_of_range_are_refused(joint, shared):
    private = joint.draw(RNG(1), SHAPE).private
    with pytest.raises(ArgumentError):
        joint.compress(X, Draws(shared, private))


def test_perm_k_with_a_coordinate_without_client_is_refused():
    with pytest.raises(ArgumentError, match="leaves a coordinate without a client"):
        PermK().compress(X[:, :2], Draws(np.zeros(4, int)))


# ---------------------------------------------------------------- ends of the range, exact values


def test_values_that_leave_the_range_are_an_error():
    huge = np.full(SHAPE, 1e308)
    for joint in (PermK(), RotatedQuantizer(True), PermKQuantizer(2), WeightedPartition(W)):
        with pytest.raises(ArgumentError, match=r"exceeds the range of float64|outside the range"):
            joint.compress(huge, joint.draw(RNG(1), SHAPE))
    tops = np.zeros((4, 8))
    tops[:, 0] = 1.5e308
    quantizer = CorrelatedQuantizer("ternary")
    assert np.isfinite(quantizer.estimate(tops, quantizer.draw(RNG(1), SHAPE))).all()


def test_float32_inputs_are_quantized_without_bias():
    x = np.array([[1.2345678], [2.3456]], dtype=np.float32)
    joint = CorrelatedGrid(1e-6)
    samples = joint.sample(x, RNG(1), size=40_000)
    assert samples.dtype == np.float64
    error = samples.mean() - float(x.astype(float).mean())
    assert abs(error) < 6 * joint.variance(x) ** 0.5 / 40_000**0.5


def test_factors_of_scaled_compressors_multiply():
    joint = Scaled(Scaled(RandK(2), 0.5), F(1, 2))
    assert joint.factor == 0.25
    assert joint == Scaled(RandK(2), 0.25)
    assert Scaled(Scaled(PermK(), F(1, 2)), F(1, 2)).variance([[F(1)]]) == F(9, 16)


def test_no_exact_value_with_a_biased_inner_compressor():
    with pytest.raises(ArgumentError, match="biased inner compressor"):
        ImportanceSampling(2, W, Scaled(RandK(2), 0.5)).variance(X)
    with pytest.raises(ArgumentError, match="must not sample clients itself"):
        ImportanceSampling(2, W, ImportanceSampling(2, [0.5, 0.5], RandK(1)))


def test_expected_bits_of_sampling_where_lengths_depend_on_the_data():
    x = X * np.array([1.0, 10.0, 100.0, 1000.0])[:, None]
    for inner in (CorrelatedGrid(0.05), BernoulliSparsifier(0.5)):
        joint = ImportanceSampling(2, W, inner)
        drawn = joint.draw(RNG(2), (6000, *SHAPE))
        bits = joint.bits(np.broadcast_to(x, (6000, *SHAPE)), drawn)
        spread = bits.std(axis=0) / 6000**0.5
        assert (np.abs(bits.mean(axis=0) - joint.expected_bits(x)) <= 6 * spread + 1e-9).all()


def test_rounding_to_32_bits_is_part_of_the_error():
    x = np.full((4, 8), 1 / 3)
    assert PermK().variance(x) == 0
    rounding = float(np.float32(1 / 3)) - 1 / 3
    assert PermK(value_bits=32).variance(x) == pytest.approx(8 * rounding**2, rel=1e-12)


def test_probabilities_stay_in_the_unit_interval():
    x = np.zeros((3, 2))
    x[:, 0] = [0.1, 0.3, -0.7]
    y, _, _ = IndependentQuantizer("binary").chances(x * (1 + 1e-16))
    assert ((y >= 0) & (y <= 1)).all()


@pytest.mark.parametrize("weight", [[-1.0] * 8, [np.nan] * 8, ["a"] * 8, [1.0] * 7, np.eye(8)], ids=str)
def test_weights_are_checked(weight):
    with pytest.raises(ArgumentError):
        CorrelatedQuantizer("binary").variance(X, weight)


def test_numbers_of_numpy_are_numbers():
    assert CorrelatedGrid(np.int64(2)).step == 2
    assert Scaled(RandK(1), np.float32(0.5)).factor == 0.5


# ---------------------------------------------------------------- numbers that no payload has


@pytest.mark.parametrize(
    "joint",
    [CorrelatedQuantizer("binary"), CorrelatedGrid(1), IndependentQuantizer("ternary")],
    ids=repr,
)
@pytest.mark.parametrize("d", [0, 10**6, 2**36, 2**62, 2**70])
def test_a_dimension_that_the_payload_does_not_have_takes_no_memory(joint, d, peak):
    one = sent(joint)[2]
    written = joint.payload(one)

    def refused():
        with pytest.raises(MessageError, match="the payload is no message of"):
            joint.message_of(BitReader(written.to_bytes(), written.bits), 2, 4, d)

    joint.message_of(BitReader(written.to_bytes(), written.bits), 2, 4, 8)  # tables are made once
    refused()
    assert peak(refused) < 2**15


@pytest.mark.parametrize(("n", "d"), [(2048, 2048), (3, 2048), (2048, 3)])
def test_perm_k_reads_one_client_without_the_entries_of_all(n, d, peak):
    joint, x = PermK(), RNG(0).standard_normal(d)
    draws = joint.draw(RNG(1), (n, d))
    one = joint.message(x, 2, draws, n=n)
    written = joint.payload(one, draws.shared)

    def read():
        found = joint.message_of(BitReader(written.to_bytes(), written.bits), 2, n, d, draws.shared)
        assert np.array_equal(found.symbols, one.symbols)

    read()
    assert peak(read) < 2**18  # a number for each client and coordinate takes 2**25


def test_of_many_missing_clients_the_first_are_named(peak):
    joint = CorrelatedQuantizer("binary")
    one = dataclasses.replace(sent(joint)[2], clients=2**32)

    def refused():
        with pytest.raises(
            MessageError, match=r"no message of client 0, 1, 3, .*, 20 and 4294967275 others in"
        ):
            joint.aggregate([one], None, key=KEY)

    assert peak(refused) < 2**15
