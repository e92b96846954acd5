"""Training with compressed gradients: streams, bits, side information."""

import itertools
import math

import numpy as np
import pytest

from impl.compressors import (
    DitheredQuantizer,
    NestedDitheredQuantizer,
    OneBit,
    TernGrad,
)
from impl.networks import Convolutional, FullyConnected
from impl.optimizers import train_network
from impl.problems import load_digits

PLAIN, NESTED = DitheredQuantizer(3), NestedDitheredQuantizer(3, 5)
SOFTMAX, HIDDEN = FullyConnected((64, 10)), FullyConnected((64, 6, 10))


@pytest.fixture(scope="module")
def data():
    return load_digits()


def halves(workers, nested=NESTED, plain=PLAIN):
    return lambda size: [plain] * (workers - workers // 2) + [nested] * (workers // 2)


def test_methods_with_equal_streams_see_equal_weights_and_rows(data):
    methods = [
        None,
        lambda size: OneBit(),
        lambda size: TernGrad(),
        halves(4),
        lambda size: DitheredQuantizer(1),
    ]
    common = {"workers": 4, "iterations": 6, "batch": 16, "replicates": 2}
    # Steps that change nothing: the losses are those of the rows alone.
    runs = [
        train_network(HIDDEN, data, codecs, rng=np.random.default_rng(8), step_size=1e-300, **common)
        for codecs in methods
    ]
    for run in runs[1:]:
        np.testing.assert_array_equal(run.loss, runs[0].loss)
    assert len(np.unique(runs[0].loss)) == 12
    # The same weights given as a start leave the rows as they are.
    common["step_size"] = 0.2
    begin = train_network(HIDDEN, data, None, rng=np.random.default_rng(8), **common)
    weights = [np.array(tensor) for tensor in runs[0].parameters]
    again = train_network(HIDDEN, data, None, rng=np.random.default_rng(8), start=weights, **common)
    np.testing.assert_array_equal(again.loss, begin.loss)
    for tensor, kept in zip(weights, runs[0].parameters, strict=True):
        np.testing.assert_array_equal(tensor, kept)  # a copy is trained


def test_a_stream_that_cannot_spawn_will_do(data):
    runs = [
        train_network(
            SOFTMAX,
            data,
            halves(4),
            workers=4,
            step_size=0.5,
            iterations=2,
            batch=16,
            rng=np.random.Generator(np.random.Philox(key=key)),
        )
        for key in (1, 1, 2)
    ]
    np.testing.assert_array_equal(runs[0].loss, runs[1].loss)
    assert not np.array_equal(runs[0].loss, runs[2].loss)


def per_word(alphabet):
    """Return the largest n with alphabet**n <= 2**64."""
    return max(n for n in range(1, 65) if alphabet**n <= 2**64)


@pytest.mark.parametrize("workers", [4, 8, 16])
@pytest.mark.parametrize("network", [SOFTMAX, FullyConnected((64, 64, 32, 10)), Convolutional()], ids=repr)
def test_bits_are_words_of_symbols_and_scales(network, workers, data):
    codecs = [
        (DitheredQuantizer(1), 3, lambda d: 64),
        (DitheredQuantizer(3, norm_bits=32), 7, lambda d: 32),
        (DitheredQuantizer(3, 256, norm_bits=32), 7, lambda d: 32 * -(-d // 256)),
        (TernGrad(2.5, norm_bits=32), 3, lambda d: 32),
        (OneBit(norm_bits=32), 2, lambda d: 64),
        (NestedDitheredQuantizer(1, 2), 2, lambda d: 64),
        (NestedDitheredQuantizer(3, 3, norm_bits=32), 3, lambda d: 32),
        (NestedDitheredQuantizer(3, 5, blocks=256), 5, lambda d: 64 * -(-d // 256)),
    ]
    order = [codecs[p % 5] if p < workers // 2 else codecs[5 + p % 3] for p in range(workers)]
    run = train_network(
        network,
        data,
        lambda size: [codec for codec, _, _ in order],
        workers=workers,
        step_size=0.1,
        iterations=2,
        batch=2 * workers,
        rng=np.random.default_rng(0),
        side="sequential",
    )
    sizes = [math.prod(shape) for shape in network.shapes]
    expected = [sum(64 * -(-d // per_word(A)) + scales(d) for d in sizes) for _, A, scales in order]
    np.testing.assert_array_equal(run.bits, np.tile(expected, (1, 2, 1)))


def test_the_network_is_tested_every_ten_iterations_and_at_the_end(data):
    for iterations, expected in [(25, [0, 10, 20, 25]), (20, [0, 10, 20]), (1, [0, 1])]:
        run = train_network(
            SOFTMAX,
            data,
            None,
            workers=2,
            step_size=0.5,
            iterations=iterations,
            batch=4,
            rng=np.random.default_rng(0),
            replicates=2,
        )
        assert run.evaluated.tolist() == expected
        assert run.accuracy.shape == (2, len(expected))
        assert run.loss.shape == (2, iterations)


def test_it_learns_the_digits(data):
    for codecs in (None, halves(8, NestedDitheredQuantizer(3, 7)), lambda size: OneBit(norm_bits=32)):
        run = train_network(
            SOFTMAX,
            data,
            codecs,
            workers=8,
            step_size=0.5,
            iterations=100,
            batch=128,
            rng=np.random.default_rng(0),
        )
        assert run.accuracy[0, -1] > 0.88


@pytest.mark.parametrize("side", ["parallel", "sequential"])
def test_every_exchange_can_be_watched(side, data):
    seen = []
    run = train_network(
        HIDDEN,
        data,
        halves(4),
        workers=4,
        step_size=0.1,
        iterations=3,
        batch=8,
        rng=np.random.default_rng(0),
        replicates=2,
        side=side,
        observe=lambda t, tensor, exchange: seen.append((t, tensor, exchange)),
    )
    assert [(t, tensor) for t, tensor, _ in seen] == list(itertools.product(range(3), range(4)))
    bits = np.zeros_like(run.bits)
    for t, tensor, exchange in seen:
        assert exchange.gradients.shape == (2, 4, math.prod(HIDDEN.shapes[tensor]))
        for members, message in exchange.messages:
            bits[:, t, members.start : members.stop] += message.bits
        for p in (2, 3):
            known = exchange.decoded[:, : 2 if side == "parallel" else p].mean(axis=1)
            np.testing.assert_allclose(exchange.side[:, p], known, rtol=1e-12, atol=1e-16)
    np.testing.assert_array_equal(bits, run.bits)


def test_ratios_can_follow_the_noise(data):
    asked, seen = [], []

    def choose(deviation, levels):
        asked.append((deviation, levels))
        return 5 if len(asked) % 2 else None

    run = train_network(
        SOFTMAX,
        data,
        halves(4),
        workers=4,
        step_size=0.1,
        iterations=3,
        batch=8,
        rng=np.random.default_rng(0),
        replicates=2,
        choose=choose,
        observe=lambda t, tensor, exchange: seen.append((t, tensor, exchange)),
    )
    # Not in the first iteration; then per tensor, replicate and nested worker.
    assert len(asked) == 2 * 2 * 2 * 2
    assert all(deviation > 0 and levels == 3 for deviation, levels in asked)
    assert [(t, tensor) for t, tensor, _ in seen] == [
        (t, tensor) for t in range(3) for tensor in range(2) for _ in range(2)
    ]
    plain, nested = 64 * -(-640 // 22) + 64 * 1 + 128, 64 * -(-640 // 27) + 64 * 1 + 128
    assert (run.bits[:, 0] == plain).all()
    np.testing.assert_array_equal(run.bits[:, 1:], np.tile([plain, plain, nested, plain], (2, 2, 1)))
