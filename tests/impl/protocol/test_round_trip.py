"""What is sent arrives: headers, numbers of numpy, overload, the ends of the range, what is refused."""

import contextlib

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.errors import ArgumentError, NonFiniteError, OverloadError, ScaleOverflow
from impl.protocol import Header, Receiver, Sender, SideInformation, unpack


def test_aware_of_the_range_needs_bounded_indices(nested_case, seed):
    aware = Receiver(seed=seed, worker=2, range_aware=True)
    data, side, g = nested_case(NestedDitheredQuantizer(3, 7), distance=30.0, safe=True)
    plain = Sender(DitheredQuantizer(3), seed=seed, worker=2).send(g)
    own = Receiver(seed=seed, worker=2).receive(plain)
    assert aware.receive(data, side).estimate.tobytes() == own.estimate.tobytes()
    fixed, side, g = nested_case(NestedDitheredQuantizer(3, 7, scale=0.5), safe=True)
    assert unpack(fixed).header.fixed_scale
    received = Receiver(seed=seed, worker=2, range_aware=True).receive(fixed, side)
    assert np.abs(received.estimate - g).max() <= 0.5 / 6 * (1 + 1e-9)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_a_header_is_read_back(alpha):
    header = Header(1, 2**63 - 1, 2**64 - 1, 3, 10, 4, 2**24, 5, alpha, 2**64 - 1, 32, True, 1, True)
    assert Header.unpack(header.pack()) == header
    assert header.blocks == 3
    assert (header.alphabet, header.offset) == (5, 2)


def test_numbers_of_numpy_are_numbers(seed):
    start, place = np.int8(127), {"worker": np.uint64(2), "seed_id": np.uint64(2**63)}
    sender = Sender(DitheredQuantizer(1), seed=seed, start=start, **place)
    receiver = Receiver(seed=tuple(np.array(seed)), start=start, **place)
    for iteration in (127, 128):  # behind the end of its own type
        data = np.frombuffer(sender.send(np.ones(4)), dtype=np.uint8).reshape(2, -1)
        received = receiver.receive(data)
        assert (received.iteration, received.bits) == (iteration, 8 * data.size)
    assert type(sender.iteration()) is type(receiver.iteration()) is int


def test_the_quantizer_may_change_between_messages(pair, first_group):
    sender, receiver = pair(DitheredQuantizer(3), worker=2)
    g = np.random.default_rng(0).standard_normal(20)
    for iteration, codec in enumerate([DitheredQuantizer(3), NestedDitheredQuantizer(3, 4, blocks=6)]):
        sender.codec = codec
        side = SideInformation.of(first_group([g, g], 20, iteration))
        received = receiver.receive(sender.send(g), side)
        assert np.abs(received.estimate - g).max() <= np.abs(g).max() / 6 * (1 + 1e-9)


def test_an_overload_is_detected_and_a_plain_message_helps(nested_case, seed):
    rng = np.random.default_rng(3)
    g = rng.standard_normal(40)
    sender = Sender(NestedDitheredQuantizer(3, 3), seed=seed, worker=2, safe=True)
    _, side, _ = nested_case(distance=5.0)
    receiver = Receiver(seed=seed, worker=2)
    with pytest.raises(OverloadError, match=r"worker 2: .* iteration 0 of tensor 0; ask for a plain message"):
        receiver.receive(sender.send(g), side)
    assert receiver.iteration() == 0
    received = receiver.receive(sender.resend_plain(), side)
    assert np.abs(received.estimate - g).max() <= np.abs(g).max() / 6 * (1 + 1e-9)
    assert receiver.iteration() == sender.iteration() == 1
    with pytest.raises(ArgumentError, match="nothing was sent of tensor=5"):
        sender.resend_plain(5)


def test_one_wrong_index_of_many_is_detected(pair, first_group, seed):
    d, codec = 10_000, NestedDitheredQuantizer(3, 3)
    g = np.random.default_rng(1).uniform(-1, 1, d)
    truth = first_group([g], 2**20)[0].estimate
    for safe in (False, True):
        sender = Sender(codec, seed=seed, worker=2, safe=safe)
        near = g.copy()
        near[1234] -= 1.0  # three steps: the next index of the same coset
        side = SideInformation.of(first_group([near], 2**20))
        assert np.abs(side.mean - truth).max() == pytest.approx(1.0, abs=1e-4)
        receiver, data = Receiver(seed=seed, worker=2), sender.send(g)
        if safe:
            with pytest.raises(OverloadError):
                receiver.receive(data, side)
        else:
            error = np.abs(receiver.receive(data, side).estimate - g)
            assert np.flatnonzero(error > 0.5).tolist() == [1234]


def test_coordinates_without_useful_side_information_are_counted(first_group, seed):
    g = np.array([1e-300, 0.0, -1e-300])
    side = SideInformation.of(first_group([np.array([1.0, 1.0, -1.0])]))
    sender = Sender(NestedDitheredQuantizer(3, 3), seed=seed, worker=2)
    received = Receiver(seed=seed, worker=2).receive(sender.send(g), side)
    assert received.unreliable == 3
    assert np.array_equal(received.estimate, side.mean)


def test_zero_and_extreme_gradients(pair):
    for g in (np.zeros(5), np.array([5e-324, 0.0]), np.array([8e307, -1.0]), np.float32([1e-45, 3.0])):
        sender, receiver = pair(DitheredQuantizer(3), safe=True)
        received = receiver.receive(sender.send(g))
        largest = float(np.abs(g).max())
        assert (np.abs(received.estimate - g) <= largest / 6 * (1 + 1e-9) + 1e-323).all()
        assert largest > 0 or received.estimate.tobytes() == np.zeros(5).tobytes()


def test_what_a_sender_refuses(pair, seed):
    sender, _ = pair(DitheredQuantizer(3, norm_bits=32))
    with pytest.raises(NonFiniteError, match=r"x\[2\] = nan must be finite"):
        sender.send(np.array([0.0, 1.0, np.nan, np.inf]))
    with pytest.raises(ScaleOverflow, match="use norm_bits=64"):
        sender.send(np.array([2e38]))
    with pytest.raises(ArgumentError, match=r"g has shape \(2, 2\); give one vector"):
        sender.send(np.ones((2, 2)))
    with pytest.raises(ArgumentError, match="d of at least 1"):
        sender.send(np.ones(0))
    assert sender.iteration() == 0
    for last, ends in ((2.0**31 - 2, 0), (2.0**31, 1), (-(2.0**31) - 1, 1)):
        unit = Sender(NestedDitheredQuantizer(1, 3, scale=1.0), seed=seed, worker=0, safe=True)
        with pytest.raises(ScaleOverflow) if ends else contextlib.nullcontext():
            unit.send(np.array([last, 0.0]))
    huge = Sender(NestedDitheredQuantizer(3, 3, scale=1e-9), seed=seed, worker=0, safe=True)
    with pytest.raises(ScaleOverflow, match="more than 32 bits"):
        huge.send(np.array([1.0]))


def test_what_constructors_refuse(seed):
    for codec, message in [
        (3, "must be a dithered quantizer"),
        (DitheredQuantizer(1, points=4), "must have the usual points"),
        (DitheredQuantizer(1, [2, 3]), "must have blocks of one size"),
        (DitheredQuantizer(1, scale=2), "has unbounded indices"),
    ]:
        with pytest.raises(ArgumentError, match=message):
            Sender(codec, seed=seed, worker=0)
    with pytest.raises(ArgumentError) as error:
        Sender(3, seed=seed, worker=2**63, seed_id=-1, code="zip")
    for part in ("codec=3", "worker=9223372036854775808", "seed_id=-1", "code='zip'"):
        assert part in str(error.value)
    with pytest.raises(ArgumentError, match=r"seed=3(?s:.)*seed_id='a'"):
        Receiver(seed=3, worker=0, seed_id="a")
