"""A short training whose gradients travel as real messages: their bytes, and what becomes of them."""

import math

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, Draws, Key, NestedDitheredQuantizer
from impl.compressors.dithered.dither_stream import keyed_dither
from impl.networks import FullyConnected
from impl.optimizers import train_network
from impl.problems import load_digits
from impl.protocol import Aggregator, Sender

SEED, NETWORK, ITERATIONS = (2024, 11), FullyConnected((64, 8, 10)), 3
# Magic, four bytes, six words, M and k, alpha, fingerprint (specification, section 12).
HEADER = 4 + 4 + 6 * 8 + 2 * 4 + 8 + 8


def words(d, alphabet):
    symbols = max(n for n in range(1, 65) if alphabet**n <= 2**64)
    return -(-d // symbols)


def codecs_of(workers, norm_bits, blocks):
    half = workers // 2
    return [DitheredQuantizer(3, blocks, norm_bits=norm_bits)] * (workers - half) + [
        NestedDitheredQuantizer(3, 5, blocks=blocks, norm_bits=norm_bits)
    ] * half


@pytest.mark.parametrize("workers", [4, 8, 16])
@pytest.mark.parametrize("mode", ["parallel", "sequential"])
@pytest.mark.parametrize(
    ("norm_bits", "blocks", "safe"), [(64, None, False), (32, 256, False), (64, 100, True)]
)
def test_bytes_and_gradients(workers, mode, norm_bits, blocks, safe):
    data, codecs = load_digits(), codecs_of(workers, norm_bits, blocks)
    if safe:  # an overload would be refused; so large a ratio has none
        wide = NestedDitheredQuantizer(3, 2**20, blocks=blocks, norm_bits=norm_bits)
        codecs = [codec if type(codec) is DitheredQuantizer else wide for codec in codecs]
    senders = [Sender(codec, seed=SEED, worker=p, safe=safe) for p, codec in enumerate(codecs)]
    aggregators = [
        Aggregator(workers, seed=SEED, mode=mode, tensor=tensor) for tensor in range(len(NETWORK.shapes))
    ]
    rng = np.random.default_rng(workers)
    weights, total, expected_total, payloads = NETWORK.initial(rng), 0, 0, np.zeros(workers)
    for t in range(ITERATIONS):
        rows = rng.permutation(1400)[: 4 * workers].reshape(1, workers, 4)
        _, gradients = NETWORK.loss_and_gradients(weights, data.features[rows], data.labels[rows])
        for tensor, gradient in enumerate(gradients):
            own, d = gradient.reshape(workers, -1), math.prod(NETWORK.shapes[tensor])
            messages = [senders[p].send(own[p], tensor) for p in range(workers)]
            scale_bytes = norm_bits // 8 * (1 if blocks is None else -(-d // blocks))
            for p in range(workers):
                length = scale_bytes + 8 * words(d, codecs[p].alphabet)
                assert len(messages[p]) == HEADER + 8 + length + 4 * safe + 4
                expected_total += HEADER + 8 + length + 4 * safe + 4
                payloads[p] += 8 * length
            for p in rng.permutation(workers):
                aggregators[tensor].receive(messages[p])
            received = list(aggregators[tensor].received)
            assert [item.worker for item in received] == list(range(workers))
            total += sum(item.bits for item in received) // 8
            estimates = []
            for p, (codec, item) in enumerate(zip(codecs, received, strict=True)):
                dither = keyed_dither(Key(SEED, p, t, tensor), d)
                message = codec.message(own[p], Draws(shared=dither))
                known = estimates[: workers - workers // 2 if mode == "parallel" else p]
                y = None if item.ratio == 0 else np.sum(known, axis=0) / len(known)
                estimates.append(codec.reconstruct(message, dither, y))
                # Side information is a sum of up to 15 terms in another order.
                np.testing.assert_allclose(item.estimate, estimates[p], rtol=1e-12, atol=1e-15)
                if y is None:
                    assert item.estimate.tobytes() == estimates[p].tobytes()
                assert item.bits == 8 * len(messages[p])
                assert item.payload_bits + 8 * scale_bytes == message.bits
            mean = aggregators[tensor].mean()
            np.testing.assert_allclose(mean, np.mean(estimates, axis=0), rtol=1e-11, atol=1e-15)
            weights[tensor] = weights[tensor] - 0.5 * mean.reshape(weights[tensor].shape)
    assert total == expected_total
    if not safe:
        # The same run in one process counts the same bits.
        run = train_network(
            NETWORK,
            data,
            lambda size: codecs,
            workers=workers,
            step_size=0.5,
            iterations=ITERATIONS,
            batch=4 * workers,
            rng=np.random.default_rng(0),
            side=mode,
        )
        np.testing.assert_array_equal(run.bits[0].sum(axis=0), payloads)
