"""Averages of many workers: messages that wait, overload, wrong messages."""

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.errors import (
    ArgumentError,
    CorruptMessage,
    DesyncError,
    MissingSideInfo,
    NonFiniteError,
    ScaleOverflow,
)
from impl.protocol import Aggregator, Receiver, Sender, SideInformation

P, D = 6, 30


@pytest.fixture
def fleet(seed):
    """Return a function: senders, half of them nested."""

    def of(ratio=5, **options):
        plain, nested = DitheredQuantizer(3), NestedDitheredQuantizer(3, ratio)
        return [Sender(plain if p < P - P // 2 else nested, seed=seed, worker=p, **options) for p in range(P)]

    return of


def gradients(scatter=0.05, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, D) + scatter * rng.standard_normal((P, D))


def test_another_tensor_counts_on_its_own(fleet, seed):
    senders, aggregator = fleet(start=4), Aggregator(P, seed=seed, tensor=3, start=4)
    for iteration in range(2):
        g = gradients(seed=iteration)
        other = Sender(DitheredQuantizer(3), seed=seed, worker=0, start=4 + iteration).send(g[0])
        with pytest.raises(DesyncError, match="tensor 0 instead of 3"):
            aggregator.receive(other)
        for sender, item in zip(senders, g, strict=True):
            aggregator.receive(sender.send(item, tensor=3))
        assert {item.iteration for item in aggregator.received} == {4 + iteration}
        assert {item.tensor for item in aggregator.received} == {3}
        assert np.abs(aggregator.mean() - g.mean(axis=0)).max() <= np.abs(g).max() / 6


def test_nested_messages_wait_and_plain_ones_do_not(fleet, seed):
    data = [s.send(g) for s, g in zip(fleet(), gradients(), strict=True)]
    parallel, sequential = (Aggregator(P, seed=seed, mode=mode) for mode in ("parallel", "sequential"))
    for aggregator in (parallel, sequential):
        assert aggregator.receive(data[5]) == []
        assert [item.worker for item in aggregator.receive(data[2])] == [2]
        assert [item.worker for item in aggregator.receive(data[0])] == [0]
    assert [item.worker for item in parallel.receive(data[1])] == [1, 5]
    assert [item.worker for item in sequential.receive(data[1])] == [1]
    with pytest.raises(MissingSideInfo, match=r"workers \[5\] wait for .*; still to arrive: \[3, 4\]"):
        sequential.mean()
    with pytest.raises(ArgumentError, match=r"workers \[3, 4\] have still to send"):
        parallel.mean()
    assert sequential.missing == [3, 4]
    assert [item.worker for item in sequential.receive(data[3])] == [3]
    assert [item.worker for item in sequential.receive(data[4])] == [4, 5]


def test_side_information_is_made_of_decoded_messages_only(first_group, nested_case, seed):
    data, side, g = nested_case()
    receiver = Receiver(seed=seed, worker=2)
    for wrong in (None, 3, "a"):
        with pytest.raises(ArgumentError, match="made of decoded messages only"):
            SideInformation.of(wrong)
    for wrong in (g, g.tolist(), 0.0):
        with pytest.raises(ArgumentError, match="must be made of decoded messages by SideInformation"):
            receiver.receive(data, wrong)
        with pytest.raises(ArgumentError, match="made of decoded messages only"):
            SideInformation.of([wrong])
    with pytest.raises(MissingSideInfo, match="the message of worker 2 is nested"):
        receiver.receive(data)
    with pytest.raises(MissingSideInfo, match="nothing is decoded yet"):
        SideInformation.of([])
    assert receiver.iteration() == 0
    one, two = first_group([g, g])
    with pytest.raises(ArgumentError, match="each worker once"):
        SideInformation.of([one, one])
    with pytest.raises(ArgumentError, match="give one tensor and iteration"):
        SideInformation.of([one, first_group([g, g], iteration=3)[1]])
    with pytest.raises(ArgumentError, match="worker 0 comes after 1"):
        SideInformation.of([two]).plus(one)
    with pytest.raises(ArgumentError, match="worker 1 comes after 1"):
        SideInformation.of([two]).plus(two)
    for other in (first_group([g, g], iteration=3)[1], first_group([g[:-1], g[:-1]])[1]):
        with pytest.raises(ArgumentError, match=r"is none of \(0, 0, \d+\); give one tensor and iteration"):
            SideInformation.of([one]).plus(other)
    np.testing.assert_array_equal(
        SideInformation.of([two, one]).mean, SideInformation.of([one]).plus(two).mean
    )
    late = SideInformation.of(first_group([g, g], iteration=3))
    with pytest.raises(DesyncError, match="iteration 3 for a message of tensor 0, iteration 0"):
        receiver.receive(data, late)
    plain = Sender(DitheredQuantizer(3), seed=seed, worker=0).send(g, tensor=1)
    elsewhere = SideInformation.of([Receiver(seed=seed, worker=0).receive(plain, tensor=1)])
    with pytest.raises(DesyncError, match="tensor 1, iteration 0 for a message of tensor 0, iteration 0"):
        receiver.receive(data, elsewhere)
    with pytest.raises(CorruptMessage, match="the message has d=40, the side information has 3"):
        receiver.receive(data, SideInformation.of(first_group([np.ones(3)])))
    receiver.receive(data, side)


def test_side_information_that_is_not_finite_is_named(first_group, nested_case, seed):
    data, side, _ = nested_case()
    side._total[7] = np.nan
    with pytest.raises(NonFiniteError, match=r"side\[7\] = nan must be finite"):
        Receiver(seed=seed, worker=2).receive(data, side)


def test_messages_that_do_not_belong_here(fleet, seed):
    senders, aggregator = fleet(), Aggregator(P, seed=seed)
    data = senders[0].send(gradients()[0])
    aggregator.receive(data)
    with pytest.raises(DesyncError, match="worker 0 has sent already in iteration 0"):
        aggregator.receive(data)
    stranger = Sender(DitheredQuantizer(1), seed=seed, worker=P).send(np.ones(2))
    with pytest.raises(DesyncError, match=f"worker {P}; there are {P}"):
        aggregator.receive(stranger)
    with pytest.raises(CorruptMessage):
        aggregator.receive(data[:-1])
    with pytest.raises(DesyncError, match="iteration 1 instead of 0"):
        aggregator.receive([senders[1].send(np.ones(D)) for _ in range(2)][1])
    with pytest.raises(DesyncError, match="the fingerprint differs"):
        aggregator.receive(Sender(DitheredQuantizer(1), seed=(1, 1), worker=1).send(np.ones(2)))


def test_a_message_of_another_dimension_is_refused_and_awaited_again(fleet, seed):
    for mode in ("parallel", "sequential"):
        senders, aggregator = fleet(), Aggregator(P, seed=seed, mode=mode)
        g = gradients()
        data = [sender.send(item) for sender, item in zip(senders, g, strict=True)]
        short = Sender(DitheredQuantizer(3), seed=seed, worker=1).send(g[1, 1:])
        aggregator.receive(data[4])  # waits
        for p in (0, 1):
            with pytest.raises(CorruptMessage, match="message of worker 1 has d=29, others have d=30"):
                aggregator.receive(short)
            aggregator.receive(data[p])
        assert aggregator.missing == [2, 3, 5]
        for p in (2, 3, 5):
            aggregator.receive(data[p])
        assert aggregator.mean().shape == (D,)


def test_a_sum_beyond_the_range_is_no_infinite_mean(seed):
    huge = np.full(2, 8e307)
    aggregator = Aggregator(4, seed=seed)
    received = []
    for p in range(4):
        received += aggregator.receive(Sender(DitheredQuantizer(9), seed=seed, worker=p).send(huge))
    with pytest.raises(ScaleOverflow, match="sum of 4 messages exceeds the range of float64 at coordinate 0"):
        aggregator.mean()
    assert np.isfinite(SideInformation.of(received[:1]).plus(received[1]).mean).all()
    side = SideInformation.of(received[:2]).plus(received[2])
    data = Sender(NestedDitheredQuantizer(9, 3), seed=seed, worker=3).send(huge)
    with pytest.raises(ScaleOverflow, match="sum of 3 messages"):
        Receiver(seed=seed, worker=3).receive(data, side)


@pytest.mark.parametrize(("mode", "unaided"), [("parallel", [0, 1, 2]), ("sequential", [0])])
def test_a_nested_message_that_would_wait_for_itself_is_refused_and_awaited_again(mode, unaided, seed):
    g, aggregator = gradients(), Aggregator(P, seed=seed, mode=mode)
    senders = [Sender(NestedDitheredQuantizer(3, 5), seed=seed, worker=p) for p in range(P)]
    for p in reversed(range(P)):
        data = senders[p].send(g[p])
        if p not in unaided:
            assert aggregator.receive(data) == []
            continue
        message = (
            rf"worker {p} is nested, but workers 0 to {unaided[-1]} have .*'{mode}'; send what Sender\.res"
        )
        for _ in range(2):
            with pytest.raises(MissingSideInfo, match=message):
                aggregator.receive(data)
        assert p in aggregator.missing
    with pytest.raises(MissingSideInfo, match=rf"workers \[{unaided[-1] + 1}.* wait .*still to arrive: \[0"):
        aggregator.mean()
    for p in unaided:
        assert p in [item.worker for item in aggregator.receive(senders[p].resend_plain())]
    assert np.abs(aggregator.mean() - g.mean(axis=0)).max() <= np.abs(g).max() / 6


def test_what_the_constructor_refuses(seed):
    for workers in (0, 1, 3, "a"):
        with pytest.raises(ArgumentError, match="must be an even number of at least 2"):
            Aggregator(workers, seed=seed)
    with pytest.raises(ArgumentError, match=r"workers=3(?s:.)*mode='both'(?s:.)*seed=5"):
        Aggregator(3, seed=5, mode="both")
    with pytest.raises(ArgumentError, match="tensor=-1 must be an integer"):
        Aggregator(2, seed=seed, tensor=-1)


@pytest.mark.parametrize("start", [-1, 2**64, 1.5, "0", None])
def test_a_wrong_start_is_named_as_such(start, seed):
    for end in (
        lambda: Sender(DitheredQuantizer(3), seed=seed, worker=0, start=start),
        lambda: Receiver(seed=seed, worker=0, start=start),
        lambda: Aggregator(2, seed=seed, start=start),
    ):
        with pytest.raises(
            ArgumentError, match=rf"start={start!r} must be an integer in .*2\*\*64\); "
        ) as error:
            end()
        assert "iteration=" not in str(error.value)
