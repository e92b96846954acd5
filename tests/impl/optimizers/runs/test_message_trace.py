"""The record of a training: against literal sums over a small run, edges, replicates one by one."""

import math

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, Draws, NestedDitheredQuantizer
from impl.errors import ArgumentError
from impl.networks import FullyConnected
from impl.optimizers import Exchange, MessageTrace, train_network
from impl.problems import load_digits

NETWORK = FullyConnected((64, 6, 10))
PLAIN, NESTED = DitheredQuantizer(3), NestedDitheredQuantizer(3, 3)


def recorded(codecs, replicates=2, **options):
    """Return the run, its trace and all exchanges."""
    trace, seen = MessageTrace(), []

    def observe(*given):
        trace(*given)
        seen.append(given)

    arguments = {"workers": 4, "step_size": 0.3, "iterations": 3, "batch": 8, **options}
    run = train_network(
        NETWORK,
        load_digits(),
        lambda size: codecs,
        rng=np.random.default_rng(5),
        replicates=replicates,
        observe=observe,
        **arguments,
    )
    return run, trace, seen


def literal(seen, shape):
    """Return what the trace should hold, from Python numbers, coordinate by coordinate."""
    names = ("error", "gradient", "squares", "coordinates", "nested", "overloads")
    sums, done = {name: np.zeros(shape) for name in names}, {}
    for t, tensor, exchange in seen:
        rows, first = len(exchange.gradients), done.get((t, tensor), 0)
        done[t, tensor] = first + rows
        messages = {
            p: (message, p - workers.start) for workers, message in exchange.messages for p in workers
        }
        for r, p in np.ndindex(rows, shape[2]):
            codec, at = exchange.compressors[p], (first + r, t, p)
            message, place = messages[p]
            d = exchange.gradients.shape[-1]
            for j in range(d):
                g, found = float(exchange.gradients[r, p, j]), float(exchange.decoded[r, p, j])
                sums["error"][at] += (found - g) ** 2
                sums["gradient"][at] += g**2
                if not isinstance(codec, DitheredQuantizer):
                    continue
                block = 0 if codec.blocks is None else j // codec.blocks
                delta = float(message.scales[r, place, block]) / codec.levels
                if delta == 0:
                    continue
                sums["squares"][at] += (found - g) ** 2 / (delta**2 / 12)
                sums["coordinates"][at] += 1
                if not isinstance(codec, NestedDitheredQuantizer):
                    continue
                u, y = float(exchange.shared[r, p, j]), float(exchange.side[r, p, j])
                sent = math.floor(codec.alpha * g / delta + u + 0.5)
                k = codec.ratio
                # The point of the sender's coset next to what the side information predicts.
                near = round((codec.alpha * y / delta + u - sent) / k)
                sums["nested"][at] += 1
                sums["overloads"][at] += near != 0
    with np.errstate(invalid="ignore"):
        return (
            sums["error"] / sums["gradient"],
            sums["squares"] / sums["coordinates"],
            sums["overloads"] / sums["nested"],
        )


def test_replicates_one_by_one_come_in_their_order():
    codecs = [PLAIN, PLAIN, NestedDitheredQuantizer(3, 5), NestedDitheredQuantizer(3, 5)]
    run, trace, seen = recorded(codecs, 3, choose=lambda deviation, levels: 3)
    relative, squares, overloads = literal(seen, run.bits.shape)
    assert run.bits.shape == (3, 3, 4)
    np.testing.assert_allclose(trace.relative_error, relative, rtol=1e-10)
    np.testing.assert_allclose(trace.error_over_predicted, squares, rtol=1e-10)
    np.testing.assert_array_equal(trace.overload_rate, overloads)
    assert np.isnan(trace.overload_rate[:, 0]).all()  # the first messages are dithered ones
    assert np.isfinite(trace.overload_rate[:, 1:, 2:]).all()


def exchange(gradients, codec, scales):
    shape = np.shape(gradients)
    dither = np.zeros(shape)
    message = codec.message(np.asarray(gradients, dtype=float), Draws(shared=dither))
    np.testing.assert_array_equal(message.scales, scales)
    decoded = codec.reconstruct(message, dither, *([0 * dither] if hasattr(codec, "ratio") else []))
    pairs = ((range(shape[1]), message),)
    return Exchange(np.asarray(gradients), decoded, 0 * dither, dither, pairs, (codec,) * shape[1])


def test_by_hand():
    # Steps of 1: 2.25 is sent as 2, which is -1 modulo 3; beside 0 it is decoded to -1.
    nested = NestedDitheredQuantizer(4, 3)
    trace = MessageTrace()
    trace(0, 0, exchange([[[4.0, 2.25, 0.25]]], nested, [[[4.0]]]))
    assert trace.overload_rate.tolist() == [[[2 / 3]]]
    assert trace.error_over_predicted.item() == pytest.approx(12 * (9 + 3.25**2 + 0.0625) / 3)
    assert trace.relative_error.item() == pytest.approx((9 + 3.25**2 + 0.0625) / (16 + 2.25**2 + 0.0625))
    # A tensor more adds its coordinates; a block of zeros adds none.
    trace(0, 1, exchange([[[2.0, 0.0, 0.0]]], NestedDitheredQuantizer(4, 3, blocks=1), [[[2.0, 0.0, 0.0]]]))
    assert trace.overload_rate.tolist() == [[[3 / 4]]]
    trace(1, 0, exchange([[[0.0, 0.0, 0.0]]], nested, [[[0.0]]]))
    for array in (trace.relative_error, trace.error_over_predicted, trace.overload_rate):
        assert np.isnan(array[:, 1]).all()
    assert trace.clips.tolist() == [[[0.0], [0.0]]]


def test_clips_are_counted_for_each_worker():
    class Clipping(DitheredQuantizer):
        def clips(self, x, draws):
            return int((np.asarray(x) > 0.75).sum())

    trace = MessageTrace()
    gradients = [[[1.0, 0.5], [1.0, 1.0], [0.5, -1.0]], [[1.0, 0.0], [0.5, 1.0], [1.0, 1.0]]]
    trace(0, 0, exchange(gradients, Clipping(2), np.ones((2, 3, 1))))
    trace(0, 1, exchange(gradients, Clipping(2), np.ones((2, 3, 1))))
    assert trace.clips.tolist() == [[[2, 4, 0]], [[2, 2, 4]]]


def test_a_run_that_overflows():
    run, trace, _ = recorded([PLAIN, PLAIN, NESTED, NESTED], step_size=1e29, iterations=6)
    assert run.overflowed.all()
    assert 0 < trace.iterations < 6
    assert not np.isinf(trace.relative_error).any()


def test_one_for_each_run():
    trace = MessageTrace()
    assert trace.relative_error.shape == (0, 0, 0)
    given = exchange([[[1.0, 0.5]]], PLAIN, [[[1.0]]])
    for wrong in [(1, 0), (0, 1), (0, -1), (-1, 0)]:
        with pytest.raises(ArgumentError, match=r"cannot follow \(-1, -1\); give each run a fresh"):
            trace(*wrong, given)
    for at in [(0, 0), (0, 1), (0, 1), (1, 0)]:
        trace(*at, given)
    for wrong in [(0, 0), (0, 1), (1, 2), (3, 0), (2, 1)]:
        with pytest.raises(ArgumentError, match=r"MessageTrace: iteration=.* cannot follow"):
            trace(*wrong, given)
