"""SGD with quantized gradients: divergence, what is watched, chunks of replicates, mistakes."""

import numpy as np
import pytest

from impl.compressors import (
    BernoulliSparsifier,
    DitheredQuantizer,
    NestedDitheredQuantizer,
    OneBit,
    RandK,
    StochasticQuantizer,
    TernGrad,
)
from impl.errors import ArgumentError, MissingSideInfo
from impl.optimizers import QuantizedEstimator, quantized_sgd, quantized_sgd_reference
from impl.problems import Quadratic


def toy(workers=4, d=3):
    rng = np.random.default_rng(7)
    return Quadratic.from_centers(
        rng.uniform(0.2, 1.0, (workers, d)), 0.1 * rng.standard_normal((workers, d))
    )


def equal_workers(workers=4):
    return Quadratic(np.tile([1.0, 0.5, 0.1], (workers, 1)))


PLAIN, NESTED = DitheredQuantizer(3), NestedDitheredQuantizer(3, 5)


def test_divergence_is_no_error():
    for codec in (PLAIN, DitheredQuantizer(2, scale=1.0), DitheredQuantizer(1, norm_bits=32)):
        run = quantized_sgd(
            equal_workers(),
            codec,
            step_size=1e9,
            rounds=60,
            rng=np.random.default_rng(1),
            replicates=2,
            start=np.ones(3),
        )
        assert run.overflowed.all()
        assert np.all(run.distance_sq[:, -1] == 1e300)


def test_an_estimator_can_be_replaced():
    class Silent(QuantizedEstimator):
        def transmit(self, group, x, draws, side):
            decoded, message = super().transmit(group, x, draws, side)
            return 0 * decoded, message

    run = quantized_sgd(
        toy(),
        PLAIN,
        step_size=0.1,
        rounds=3,
        rng=np.random.default_rng(0),
        start=np.ones(3),
        estimator=Silent,
    )
    np.testing.assert_array_equal(run.x, [[1.0, 1.0, 1.0]])


def test_all_mistakes_at_once():
    with pytest.raises(ArgumentError) as error:
        quantized_sgd(
            toy(),
            [PLAIN, None],
            step_size=0.0,
            rounds=0,
            rng=3,
            noise_std=-1,
            momentum=1.0,
            side="left",
            start=[1],
            observe=7,
            estimator="sum",
        )
    for word in (
        "compressors holds 2 codecs, there are 4 workers",
        "compressors[1]=None",
        "step_size=0.0",
        "rounds=0",
        "rng=3",
        "noise_std=-1",
        "momentum=1.0",
        "side='left'",
        "start of shape",
        "observe=7 must be a function of an Exchange",
        "estimator='sum' must be QuantizedEstimator or a class derived",
    ):
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("codecs", "side"),
    [([NESTED] * 4, "parallel"), ([NESTED, PLAIN, PLAIN, PLAIN], "sequential"), (NESTED, "parallel")],
)
def test_nested_codecs_need_messages_beside_them(codecs, side):
    with pytest.raises(MissingSideInfo, match="no message to be decoded beside"):
        quantized_sgd(toy(), codecs, step_size=0.1, rounds=1, rng=np.random.default_rng(0), side=side)
    with pytest.raises(
        ArgumentError, match=r"estimator=<class 'int'>(?s:.)*step_size=0(?s:.)*rounds=0"
    ) as error:
        quantized_sgd(toy(), codecs, step_size=0, rounds=0, rng=np.random.default_rng(0), estimator=int)
    assert not isinstance(error.value, MissingSideInfo)


def test_one_bit_goes_on_where_its_means_underflow():
    problem = Quadratic(np.stack([np.eye(3)] * 2))
    options = {"step_size": 0.5, "rounds": 4, "start": [1e-44, -3e-45, 0.0]}
    run = quantized_sgd(problem, OneBit(norm_bits=32), rng=np.random.default_rng(0), trace=True, **options)
    literal = quantized_sgd_reference(
        problem, [OneBit(norm_bits=32)] * 2, rng=np.random.default_rng(0), **options
    )
    np.testing.assert_array_equal(run.x[0], literal.x[0])
    assert np.isfinite(run.x).all()
    assert 0 < np.abs(run.x).max() <= 1e-44


def test_divergence_with_feedback_is_no_error():
    for step_size in (10.0, 30.0, 1e9):  # 3 is where it begins
        for codec in (OneBit(), OneBit(norm_bits=32)):
            run = quantized_sgd(
                toy(),
                codec,
                step_size=step_size,
                rounds=800,
                rng=np.random.default_rng(1),
                replicates=2,
                start=np.ones(3),
                momentum=0.5,
            )
            assert run.overflowed.all()


@pytest.mark.parametrize(
    "codec",
    [
        RandK(2),
        BernoulliSparsifier(0.5),
        StochasticQuantizer(0.5, norm="max"),
        TernGrad(),
        OneBit(),
        DitheredQuantizer(2, blocks=2),
    ],
    ids=repr,
)
def test_exchanges_of_other_codecs_can_be_watched(codec):
    seen = []
    quantized_sgd(
        toy(),
        [PLAIN, codec, codec, NESTED],
        step_size=0.1,
        rounds=2,
        rng=np.random.default_rng(0),
        replicates=2,
        start=np.ones(3),
        observe=seen.append,
    )
    for exchange in seen:
        assert np.isfinite(exchange.shared[:, [0, 3]]).all()
        dithered = isinstance(codec, DitheredQuantizer)
        assert (np.isfinite(exchange.shared[:, 1:3]) == dithered).all()
        assert np.isfinite(exchange.side[:, 3]).all()
        assert np.isnan(exchange.side[:, :3]).all()
        assert [message.symbols.shape[:2] for _, message in exchange.messages][1] == (2, 2)


def test_a_class_is_no_codec():
    for made, named in ((OneBit, "compressors"), ([OneBit], r"compressors\[0\]")):
        with pytest.raises(ArgumentError, match=rf"{named}=OneBit is a class; give an instance, OneBit\("):
            quantized_sgd(toy(1), made, step_size=0.1, rounds=3, rng=np.random.default_rng(0))


def test_messages_of_a_round_can_be_watched():
    seen = []
    quantized_sgd(
        toy(),
        [PLAIN, PLAIN, NESTED, NESTED],
        step_size=0.2,
        rounds=1,
        rng=np.random.default_rng(2),
        observe=seen.append,
    )
    groups = [group for group, _ in seen[0].messages]
    assert groups == [range(2), range(2, 4)]
    assert [message.symbols.shape for _, message in seen[0].messages] == [(1, 2, 3), (1, 2, 3)]
    assert np.abs(seen[0].messages[1][1].symbols).max() <= 2
