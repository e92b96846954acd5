"""SGD with quantized gradients: literal against batched, groups of workers, side information, mistakes."""

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
from impl.problems import Logistic, Quadratic


def toy(workers=4, d=3):
    rng = np.random.default_rng(7)
    return Quadratic.from_centers(
        rng.uniform(0.2, 1.0, (workers, d)), 0.1 * rng.standard_normal((workers, d))
    )


def equal_workers(workers=4):
    return Quadratic(np.tile([1.0, 0.5, 0.1], (workers, 1)))


PLAIN, NESTED = DitheredQuantizer(3), NestedDitheredQuantizer(3, 5)


@pytest.mark.parametrize(
    ("codecs", "options"),
    [
        ([PLAIN] * 4, {}),
        ([PLAIN, DitheredQuantizer(1), PLAIN, DitheredQuantizer(2, blocks=2)], {"momentum": 0.5}),
        ([DitheredQuantizer(2, scale=2.0)] * 4, {"noise_std": 0.3}),
        ([PLAIN, PLAIN, NESTED, NESTED], {}),
        ([PLAIN, PLAIN, NESTED, NESTED], {"side": "sequential", "noise_std": 0.1}),
        ([NESTED, PLAIN, NESTED, PLAIN], {"side": "parallel"}),
        ([PLAIN, NESTED, PLAIN, NestedDitheredQuantizer(3, 3)], {"side": "sequential", "momentum": 0.9}),
        ([OneBit()] * 4, {"noise_std": 0.2}),
        ([OneBit(norm_bits=32)] * 4, {"momentum": 0.9}),
        ([OneBit(), PLAIN, OneBit(), NESTED], {"side": "sequential", "noise_std": 0.1}),
        ([PLAIN, OneBit(norm_bits=32), NESTED, OneBit()], {"side": "parallel"}),
    ],
)
def test_batched_is_the_literal_method(codecs, options):
    problem, start = toy(), [1.0, -2.0, 0.5]
    common = {"step_size": 0.3, "rounds": 12, "start": start, **options}
    literal = quantized_sgd_reference(problem, codecs, rng=np.random.default_rng(5), **common)
    batched = quantized_sgd(problem, codecs, rng=np.random.default_rng(5), trace=True, **common)
    np.testing.assert_allclose(batched.iterates, literal.iterates, rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(batched.bits, literal.bits)
    np.testing.assert_array_equal(batched.bits_slowest, literal.bits_slowest)
    np.testing.assert_allclose(batched.objective, literal.objective, rtol=1e-12)
    np.testing.assert_allclose(batched.distance_sq, literal.distance_sq, rtol=1e-10)


def test_noise_is_independent_over_workers_and_replicates():
    seen = []
    problem = equal_workers()
    quantized_sgd(
        problem,
        PLAIN,
        step_size=0.1,
        rounds=1,
        rng=np.random.default_rng(4),
        replicates=100,
        noise_std=0.5,
        start=np.ones(3),
        observe=seen.append,
    )
    (exchange,) = seen
    noise = exchange.gradients - problem.gradients(np.ones(3))
    assert noise.shape == (100, 4, 3)
    # 1200 normal numbers: six standard errors.
    assert abs(noise.std() - 0.5) < 6 * 0.5 / 2400**0.5
    assert abs(np.corrcoef(noise[..., 0].T)[0, 1]) < 0.6


@pytest.mark.parametrize("side", ["parallel", "sequential"])
def test_side_information_is_the_mean_of_what_was_decoded(side):
    seen = []
    codecs = [PLAIN, PLAIN, NestedDitheredQuantizer(3, 7), NestedDitheredQuantizer(3, 7), NESTED]
    quantized_sgd(
        toy(5),
        codecs,
        step_size=0.2,
        rounds=3,
        rng=np.random.default_rng(2),
        replicates=6,
        side=side,
        start=np.ones(3),
        observe=seen.append,
    )
    assert len(seen) == 3
    for exchange in seen:
        assert np.isnan(exchange.side[:, :2]).all()
        for p in (2, 3, 4):
            known = exchange.decoded[:, :2] if side == "parallel" else exchange.decoded[:, :p]
            np.testing.assert_allclose(exchange.side[:, p], known.mean(axis=1), rtol=1e-12, atol=1e-15)
        # The decoder needs no more than what the exchange holds.
        for p in range(5):
            codec, draws = codecs[p], type(PLAIN.draw(np.random.default_rng(0), (1,)))(exchange.shared[:, p])
            y = None if p < 2 else exchange.side[:, p]
            np.testing.assert_allclose(
                codec.compress(exchange.gradients[:, p], draws, y), exchange.decoded[:, p], rtol=1e-12
            )


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


def test_it_converges_on_logistic_regression():
    rng = np.random.default_rng(0)
    labels = np.where(rng.random((4, 30)) < 0.5, -1.0, 1.0)
    problem = Logistic(rng.standard_normal((4, 30, 5)) + 0.5 * labels[..., None], labels, 0.1)
    run = quantized_sgd(
        problem,
        [PLAIN, PLAIN, NestedDitheredQuantizer(3, 7, range_aware=True), PLAIN],
        step_size=1 / problem.L,
        rounds=300,
        rng=np.random.default_rng(1),
        replicates=3,
    )
    assert run.distance_sq[:, -1].max() < 1e-2 * run.distance_sq[:, 0].max()


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


@pytest.mark.parametrize("steps", [2.0**50, 2.0**51, 2.0**52, 1e300])
def test_a_gradient_beyond_the_indices_of_a_fixed_scale_ends_its_replicate_only(steps):
    run = quantized_sgd(
        equal_workers(),
        DitheredQuantizer(2, scale=2.0),
        step_size=0.5,
        rounds=2,
        rng=np.random.default_rng(1),
        replicates=2,
        start=[[1.0, 1.0, 1.0], [1.5 * steps, 1.0, 1.0]],
    )
    assert run.overflowed.tolist() == [False, True]
    assert np.isfinite(run.x[0]).all()


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


def test_error_feedback_brings_biased_messages_to_the_solution():
    problem = equal_workers()
    run = quantized_sgd(
        problem, OneBit(), step_size=0.2, rounds=400, rng=np.random.default_rng(0), start=np.ones(3)
    )
    assert run.distance_sq[0, -1] < 1e-4 * run.distance_sq[0, 0]


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


def test_residuals_begin_at_zero_in_every_chunk_of_replicates():
    seen = []
    quantized_sgd(
        toy(),
        OneBit(),
        step_size=0.2,
        rounds=2,
        rng=np.random.default_rng(0),
        replicates=150,
        start=np.ones(3),
        noise_std=0.3,
        observe=seen.append,
    )
    assert [len(exchange.gradients) for exchange in seen] == [100, 100, 50, 50]
    for exchange, fresh in zip(seen, [True, False, True, False], strict=True):
        without = OneBit().sample(exchange.gradients, np.random.default_rng(0))
        assert np.array_equal(exchange.decoded, without) == fresh
