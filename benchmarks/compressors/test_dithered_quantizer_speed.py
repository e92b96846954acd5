"""Speed of the dithered quantizer and of its wire format at d = 10^6 against the obvious expressions."""

import statistics
import time

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, Draws, Key, NestedDitheredQuantizer
from impl.compressors.dithered.dither_stream import KeyedDither
from impl.protocol import Receiver, Sender, SideInformation

D, LEVELS, SEED = 10**6, 3, (2024, 0)
KEY = Key(SEED, 5, 17, 3)
TARGET = 1.5
TARGET_OF_BOTH_ENDS = 1.5  # half of the time are the words of Philox, twice, on either side
ROUND_TRIP_MS = 100.0


@pytest.fixture
def x():
    return np.random.default_rng(0).standard_normal(D).astype(np.float32)


def naive_dither():
    philox = np.random.Philox(
        key=np.array(SEED, dtype=np.uint64),
        counter=np.array([0, KEY.tensor, KEY.iteration, KEY.worker], dtype=np.uint64),
    )
    return (2 * (philox.random_raw(D) >> np.uint64(40)).astype(np.float64) + 1 - 2**24) / 2**25


def naive(x, both_ends):
    kappa, u = np.abs(x).max().astype(np.float64), naive_dither()
    v = LEVELS * (x.astype(np.float64) / kappa)
    q = np.clip(np.floor((v + u) + 0.5), -LEVELS, LEVELS).astype(np.int64)
    if both_ends:  # the receiver makes the dither anew
        u = naive_dither()
    return q, (kappa * ((q - u) / LEVELS)).astype(np.float32)


def ours(x, both_ends):
    quantizer, dither = DitheredQuantizer(LEVELS), KeyedDither(KEY, x.shape)
    if not both_ends:
        message, estimate = quantizer.message_and_estimate(x, Draws(shared=dither))
        return message.symbols, estimate
    message = quantizer.message(x, Draws(shared=dither))
    return message.symbols, quantizer.reconstruct(message, dither)


@pytest.mark.parametrize(("both_ends", "target"), [(False, TARGET), (True, TARGET_OF_BOTH_ENDS)])
def test_message_and_estimate_are_faster_than_the_obvious_expressions(cpu_ratio, x, both_ends, target):
    for theirs, own in zip(naive(x, both_ends), ours(x, both_ends), strict=True):
        assert theirs.tobytes() == own.tobytes()
    measured = cpu_ratio(lambda: naive(x, both_ends), lambda: ours(x, both_ends), slice_seconds=0.1)
    print(f"\nnaive {measured.a_ms:.1f} ms, ours {measured.b_ms:.1f} ms: {measured.ratio:.2f} times")
    assert measured.ratio >= target


def cpu_ms(function, rounds=9):
    """Return the median CPU time of a call."""
    function()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return 1e3 * statistics.median(times)


def test_round_trip_of_a_plain_message(x):
    def round_trip():
        data = Sender(DitheredQuantizer(LEVELS), seed=SEED, worker=0).send(x)
        return Receiver(seed=SEED, worker=0).receive(data)

    largest = float(np.abs(x).max())
    assert np.abs(round_trip().estimate - x).max() <= largest / (2 * LEVELS) * (1 + 1e-9)
    measured = cpu_ms(round_trip)
    print(f"\nplain round trip {measured:.1f} ms")
    assert measured <= ROUND_TRIP_MS


@pytest.mark.parametrize("safe", [False, True])
def test_round_trip_of_a_nested_message(x, safe):
    first = Receiver(seed=SEED, worker=0)
    received = first.receive(Sender(DitheredQuantizer(127), seed=SEED, worker=0).send(x))
    side = SideInformation.of([received])

    def round_trip():
        data = Sender(NestedDitheredQuantizer(LEVELS, 3), seed=SEED, worker=1, safe=safe).send(x)
        return Receiver(seed=SEED, worker=1).receive(data, side)

    largest = float(np.abs(x).max())
    assert np.abs(round_trip().estimate - x).max() <= largest / (2 * LEVELS) * (1 + 1e-9)
    measured = cpu_ms(round_trip)
    print(f"\nnested round trip {measured:.1f} ms")
    assert measured <= ROUND_TRIP_MS
